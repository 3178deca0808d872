//! What is kept in files, on behalf of objects that stay between two calls.

use std::path::PathBuf;

use pyo3::prelude::*;
use rewrite_core::checkpoint::{Files, Lengths};
use rewrite_core::error::{Error, Result};

use crate::errors::faulty;

/// The files that an object was written to last, or read from.
#[derive(Default)]
pub struct Held(Option<Files>);

impl Held {
    /// Those of a folder, which may have been written to already.
    fn of(&mut self, folder: PathBuf, epoch: u32) -> &mut Files {
        let before = self.0.take().filter(|files| files.are(&folder, epoch));
        self.0.insert(before.unwrap_or_else(|| Files::new(&folder, epoch)))
    }

    /// Writes what is new since the last time; what `write` returns.
    pub fn save<T: Send>(
        &mut self,
        py: Python<'_>,
        (folder, epoch): (PathBuf, u32),
        write: impl FnOnce(&mut Files) -> Result<T> + Send,
        raised: impl FnOnce(Error) -> PyErr,
    ) -> PyResult<T> {
        let files = self.of(folder, epoch);
        py.detach(|| write(files)).map_err(|fault| faulty(fault, raised))
    }

    pub fn load(
        &mut self,
        py: Python<'_>,
        (folder, epoch): (PathBuf, u32),
        lengths: Lengths,
        read: impl FnOnce(&mut Files) -> Result<()> + Send,
        raised: impl FnOnce(Error) -> PyErr,
    ) -> PyResult<()> {
        let done = py.detach(|| {
            let mut files = Files::known(&folder, epoch, lengths)?;
            read(&mut files).map(|()| files)
        });
        self.0 = Some(done.map_err(|fault| faulty(fault, raised))?);
        Ok(())
    }
}

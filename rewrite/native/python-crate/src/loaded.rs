//! A program with what is needed to speak with Python about it; machines, searches and parts share it.

use std::sync::Arc;

use pyo3::prelude::*;
use rewrite_core::error::{Change, Error, Result};
use rewrite_core::search::savable::SavableSpace;
use rewrite_core::vm::machine::Machine as Core;

use crate::convert::Marks;
use crate::errors::Changed;
use crate::loading::state_key;
use crate::outside::{Kept, raised, seen};

#[derive(Clone)]
pub struct Loaded {
    pub core: Arc<Core>,
    pub marks: Arc<Marks>,
    pub kept: Kept,
}

impl Loaded {
    pub fn raised(&self, error: Error) -> PyErr {
        raised(error, &self.kept)
    }

    /// What came of work in the core, as far as it did not panic.
    pub fn result<T>(&self, py: Python<'_>, result: Result<T>) -> PyResult<T> {
        match result {
            Ok(value) => Ok(value),
            Err(Error::Change(Change::TermType(value))) => {
                let value = self.marks.py(py, &self.core.interner, value)?.unbind();
                Err(Changed::new_err(("term_type", value)))
            }
            Err(error) => Err(self.raised(error)),
        }
    }

    /// The raw key of a state that is given as groups or halves of words.
    pub fn key(&self, state: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        state_key(state, &self.core.program.encoding, &self.marks, &self.core.interner)
    }

    /// The code of a state of a space.
    pub fn code<'py>(
        &self,
        py: Python<'py>,
        space: &dyn SavableSpace,
        id: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut code = None;
        let result = space.seen(id, &mut |state| {
            code = Some(seen(py, &self.marks, &state, &self.core.interner));
        });
        self.result(py, result)?;
        code.expect("a state that was seen")
    }
}

//! Saving a search to disk, so that it can continue in another process.
//!
//! Data that only grow during a search (keys, terms, the parents of breadth-first search) are a `Log`:
//! whole blocks, appended and never changed. Everything else is a snapshot: a `Writer` writes it whole,
//! to a file with a new name. Both are streams of 32-bit words in blocks, each with a checksum. What
//! can be recomputed (hash tables, estimates, look-ups) is not saved.
//!
//! The caller remembers which files belong together, and to which question.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // what is read back is as large as a search: see `grow`

mod archive;
mod blocks;
mod log;
mod pages;
mod reader;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Fault, Result};
use crate::grow::grow_map;

pub(crate) use archive::archived;
pub use archive::{Archive, Archived};
pub use log::{Log, Writer};
pub use pages::Pages;
pub use reader::Reader;

/// Increased whenever the format changes.
pub const LAYOUT: u32 = 5;

/// The files needed to read what was saved, with their lengths.
pub type Lengths = HashMap<String, u64>;

fn about(file: &Path) -> impl FnOnce(io::Error) -> Error {
    move |error| Fault::System { file: file.to_path_buf(), error }.into()
}

fn damaged(file: &str, at: u64, what: impl Into<String>) -> Error {
    Fault::Damaged { file: file.into(), at, what: what.into() }.into()
}

/// What a file holds; part of every checksum, so that files cannot be taken for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    State = 1,
    Keys = 2,
    Parents = 3,
    Terms = 4,
    Wide = 5,
    Short = 6,
}

#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    epoch: u32,
    /// When reading.
    lengths: Lengths,
    pub keys: Log,
    pub parents: Log,
    pub terms: Log,
    pub wide: Log,
    pub short: Log,
}

impl Files {
    /// For a search that has written nothing yet.
    pub fn new(folder: &Path, epoch: u32) -> Files {
        let log = |kind, name| Log::new(kind, folder, format!("{name}-{epoch}.bin"));
        Files {
            folder: folder.to_path_buf(),
            epoch,
            lengths: Lengths::new(),
            keys: log(Kind::Keys, "keys"),
            parents: log(Kind::Parents, "parents"),
            terms: log(Kind::Terms, "terms"),
            wide: log(Kind::Wide, "wide"),
            short: log(Kind::Short, "short"),
        }
    }

    /// For reading a search, with the lengths of all files.
    pub fn known(folder: &Path, epoch: u32, lengths: Lengths) -> Result<Files> {
        let mut files = Files::new(folder, epoch);
        for log in files.logs() {
            log.set_length(lengths.get(log.name()).copied().unwrap_or(0))?;
        }
        Ok(Files { lengths, ..files })
    }

    /// Whether these are the files of this folder and epoch.
    pub fn are(&self, folder: &Path, epoch: u32) -> bool {
        (self.folder.as_path(), self.epoch) == (folder, epoch)
    }

    fn state_name(&self, number: u32) -> String {
        format!("state-{}-{number}.bin", self.epoch)
    }

    /// Begins a snapshot; `Writer::finish` returns its length.
    pub fn writer(&self, number: u32) -> Result<Writer> {
        Writer::create(&self.folder, self.state_name(number))
    }

    pub fn reader(&self, number: u32) -> Result<Reader> {
        let name = self.state_name(number);
        let missing = "it is not among the files of the checkpoint";
        let length = self.lengths.get(&name).ok_or_else(|| damaged(&name, 0, missing))?;
        Reader::open(&self.folder, &name, *length)
    }

    fn logs(&mut self) -> [&mut Log; 5] {
        let Files { keys, parents, terms, wide, short, .. } = self;
        [keys, parents, terms, wide, short]
    }

    /// Flushes the logs to disk.
    pub fn finish(&mut self, writer: Writer) -> Result<Lengths> {
        let mut needed = Lengths::new();
        for log in self.logs() {
            if log.sync()? {
                grow_map(&mut needed, log.name().to_string(), log.length())?;
            }
        }
        let (name, length) = writer.finish()?;
        grow_map(&mut needed, name, length)?;
        Ok(needed)
    }
}

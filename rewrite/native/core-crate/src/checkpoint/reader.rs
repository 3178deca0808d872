//! Reads what a `Writer` wrote, or what was appended to a `Log`.

use std::fs::File;
use std::path::Path;

use super::blocks::{BYTES, Block, WORDS, words_of};
use super::{Kind, about, damaged};
use crate::error::{Error, Result};

#[derive(Debug)]
pub struct Reader {
    kind: Kind,
    file: Option<File>,
    name: String,
    words: Vec<u32>,
    /// The place in `words` of the next one.
    at: usize,
    block: Block,
    blocks: u64,
    /// Words of the file that are not in `words` yet, and those that follow from elsewhere.
    unread: u64,
    tail: Vec<u32>,
}

impl Reader {
    pub(super) fn open(folder: &Path, name: &str, length: u64) -> Result<Reader> {
        let path = folder.join(name);
        let file = File::open(&path).map_err(about(&path))?;
        let there = file.metadata().map_err(about(&path))?.len();
        let words = words_of(length).filter(|_| there == length);
        let unread = words.ok_or_else(|| {
            let what = format!("it has {there} bytes instead of {length}");
            damaged(name, there.min(length), what)
        })?;
        Ok(Reader::new(Kind::State, Some(file), name, unread, Vec::new()))
    }

    /// Reads `unread` words of a file, then `tail`.
    pub(super) fn new(
        kind: Kind,
        file: Option<File>,
        name: &str,
        unread: u64,
        tail: Vec<u32>,
    ) -> Reader {
        let (words, block) = (Vec::new(), Block::default());
        Reader { kind, file, name: name.into(), words, at: 0, block, blocks: 0, unread, tail }
    }

    /// The error for damage at the word read last.
    pub fn damaged(&self, what: impl Into<String>) -> Error {
        let at = self.blocks.saturating_sub(1) * BYTES + 4 * self.at as u64;
        damaged(&self.name, at, what)
    }

    pub fn left(&self) -> u64 {
        self.unread + (self.tail.len() + self.words.len() - self.at) as u64
    }

    #[inline]
    pub fn word(&mut self) -> Result<u32> {
        if self.at == self.words.len() {
            self.read()?;
        }
        self.at += 1;
        Ok(self.words[self.at - 1])
    }

    #[cold]
    fn read(&mut self) -> Result<()> {
        let count = self.unread.min(WORDS as u64);
        if let Some(file) = self.file.as_mut().filter(|_| count > 0) {
            let place = (self.kind, self.blocks);
            let file = (file, self.name.as_str());
            self.block.read(file, place, count as usize, &mut self.words)?;
        } else if self.tail.is_empty() {
            return Err(self.damaged("it ends too early"));
        } else {
            self.words = std::mem::take(&mut self.tail);
        }
        self.unread -= count;
        self.blocks += 1;
        self.at = 0;
        Ok(())
    }

    #[inline]
    pub fn long(&mut self) -> Result<u64> {
        let low = self.word()?;
        Ok(u64::from(low) | u64::from(self.word()?) << 32)
    }

    /// How many follow, of so many words each.
    pub fn count(&mut self, each: u64) -> Result<usize> {
        let count = self.long()?;
        let there = self.left();
        if count.checked_mul(each).is_none_or(|words| words > there) {
            return Err(self.damaged(format!("{count} cannot follow, only {there} words do")));
        }
        Ok(count as usize)
    }

    /// Fails unless the end has been reached.
    pub fn end(&self) -> Result<()> {
        match self.left() {
            0 => Ok(()),
            _ => Err(self.damaged("something follows where nothing should")),
        }
    }
}

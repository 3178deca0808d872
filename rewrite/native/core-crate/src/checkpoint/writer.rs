//! A file that is written once, from its beginning to its end.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::blocks::{Block, WORDS, bytes_of};
use super::{Done, Kind, about};
use crate::grow::Grow;
use crate::value::Val;

#[derive(Debug)]
pub struct Writer {
    file: File,
    path: PathBuf,
    name: String,
    words: Vec<u32>,
    block: Block,
    blocks: u64,
}

impl Writer {
    /// What may be there under this name is nobody's: a checkpoint that was never finished.
    pub(super) fn create(folder: &Path, name: String) -> Done<Writer> {
        let path = folder.join(&name);
        let file = File::create(&path).map_err(about(&path))?;
        Ok(Writer { file, path, name, words: Vec::new(), block: Block::default(), blocks: 0 })
    }

    #[inline]
    pub fn word(&mut self, word: u32) -> Done<()> {
        self.words.grow_push(word)?;
        if self.words.len() == WORDS { self.write() } else { Ok(()) }
    }

    pub fn words(&mut self, words: impl IntoIterator<Item = u32>) -> Done<()> {
        words.into_iter().try_for_each(|word| self.word(word))
    }

    #[inline]
    pub fn long(&mut self, long: u64) -> Done<()> {
        self.word(long as u32)?;
        self.word((long >> 32) as u32)
    }

    pub fn longs(&mut self, longs: impl IntoIterator<Item = u64>) -> Done<()> {
        longs.into_iter().try_for_each(|long| self.long(long))
    }

    pub fn truth(&mut self, truth: bool) -> Done<()> {
        self.word(u32::from(truth))
    }

    /// What terms its addresses stand for is to be written too.
    pub fn value(&mut self, value: Val) -> Done<()> {
        self.long(value.bits())
    }

    /// How many follow.
    pub fn count(&mut self, count: usize) -> Done<()> {
        self.long(count as u64)
    }

    fn write(&mut self) -> Done<()> {
        let written = self.block.write(&mut self.file, Kind::State, self.blocks, &self.words)?;
        written.map_err(about(&self.path))?;
        self.blocks += 1;
        self.words.clear();
        Ok(())
    }

    /// Makes sure that all of it is on disk; the name of the file, and its length.
    pub(super) fn finish(mut self) -> Done<(String, u64)> {
        let words = self.blocks * WORDS as u64 + self.words.len() as u64;
        if !self.words.is_empty() {
            self.write()?;
        }
        self.file.sync_all().map_err(about(&self.path))?;
        Ok((self.name, bytes_of(words)))
    }
}

//! An append-only file of whole blocks of words. The rest, less than a block, goes to the snapshot.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::blocks::{BYTES, Block, WORDS};
use super::{Done, Fault, Kind, Pages, Reader, Writer, about};
use crate::grow::Grow;

#[derive(Debug)]
pub struct Log {
    kind: Kind,
    path: PathBuf,
    name: String,
    file: Option<File>,
    /// Blocks that were written; what stands behind them is nothing.
    blocks: u64,
    synced: bool,
}

impl Log {
    pub(super) fn new(kind: Kind, folder: &Path, name: String) -> Log {
        Log { kind, path: folder.join(&name), name, file: None, blocks: 0, synced: true }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn length(&self) -> u64 {
        self.blocks * BYTES
    }

    pub(super) fn set_length(&mut self, length: u64) -> Done<()> {
        if !length.is_multiple_of(BYTES) {
            return Err(self.damaged(length, format!("{length} bytes are not whole blocks")));
        }
        self.blocks = length / BYTES;
        Ok(())
    }

    fn damaged(&self, at: u64, what: impl Into<String>) -> Fault {
        Fault::Damaged { file: self.name.clone(), at, what: what.into() }
    }

    /// How many words are in the file; what is appended begins with the next.
    pub fn words(&self) -> u64 {
        self.blocks * WORDS as u64
    }

    /// Appends the words from `self.words()` on. Those that do not fill a block go to `out`.
    pub fn append(&mut self, rest: impl IntoIterator<Item = u32>, out: &mut Writer) -> Done<()> {
        let words = self.append_blocks(rest)?;
        out.count(words.len())?;
        out.words(words)
    }

    /// Appends whole blocks. Returns the words that are left over.
    pub fn append_blocks(&mut self, rest: impl IntoIterator<Item = u32>) -> Done<Vec<u32>> {
        let mut words = Vec::new();
        words.grow_by(WORDS)?;
        let mut block = Block::default();
        for word in rest {
            words.grow_push(word)?;
            if words.len() == WORDS {
                self.write(&mut block, &words)?;
                words.clear();
            }
        }
        Ok(words)
    }

    /// For reading anywhere what is in the file by now.
    pub fn pages(&self) -> Done<Pages> {
        Pages::new(self.kind, &self.path, &self.name, self.blocks)
    }

    fn write(&mut self, block: &mut Block, words: &[u32]) -> Done<()> {
        let at = self.length();
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let mut how = OpenOptions::new();
                let opened = how.write(true).create(true).truncate(false).open(&self.path);
                none.insert(opened.map_err(about(&self.path))?)
            }
        };
        // Behind an attempt that failed in the middle, or what a process that was killed has left.
        file.seek(SeekFrom::Start(at)).map_err(about(&self.path))?;
        let written = block.write(file, self.kind, self.blocks, words)?;
        written.map_err(about(&self.path))?;
        self.blocks += 1;
        self.synced = false;
        Ok(())
    }

    /// Makes sure that it is on disk; whether there is anything.
    pub(super) fn sync(&mut self) -> Done<bool> {
        if let Some(file) = self.file.as_ref().filter(|_| !self.synced) {
            file.sync_data().map_err(about(&self.path))?;
            self.synced = true;
        }
        Ok(self.blocks > 0)
    }

    /// Everything that was appended, from the beginning; `from` stands where `append` wrote to it.
    pub fn read(&self, from: &mut Reader) -> Done<Words<'_>> {
        let tail = from.list(1, Reader::word)?;
        let mut file = None;
        if self.blocks > 0 {
            let opened = File::open(&self.path).map_err(about(&self.path))?;
            let there = opened.metadata().map_err(about(&self.path))?.len();
            if there < self.length() {
                let length = self.length();
                return Err(self.damaged(there, format!("{there} bytes instead of {length}")));
            }
            file = Some(opened);
        }
        let (len, words) = (self.words() + tail.len() as u64, Vec::new());
        Ok(Words { log: self, file, len, tail, words, at: 0, block: Block::default(), blocks: 0 })
    }
}

/// The words of a log, one after the other.
#[derive(Debug)]
pub struct Words<'a> {
    log: &'a Log,
    file: Option<File>,
    len: u64,
    tail: Vec<u32>,
    words: Vec<u32>,
    at: usize,
    block: Block,
    blocks: u64,
}

impl Words<'_> {
    pub fn damaged(&self, what: impl Into<String>) -> Fault {
        let at = self.blocks.saturating_sub(1) * BYTES + 4 * self.at as u64;
        self.log.damaged(at, what)
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn word(&mut self) -> Done<u32> {
        if self.at == self.words.len() {
            self.read()?;
        }
        self.at += 1;
        Ok(self.words[self.at - 1])
    }

    #[inline]
    pub fn long(&mut self) -> Done<u64> {
        let low = self.word()?;
        Ok(u64::from(low) | u64::from(self.word()?) << 32)
    }

    #[cold]
    fn read(&mut self) -> Done<()> {
        if let Some(file) = self.file.as_mut().filter(|_| self.blocks < self.log.blocks) {
            let place = (self.log.kind, self.blocks);
            let file = (file, self.log.name.as_str());
            self.block.read(file, place, WORDS, &mut self.words)?;
        } else if self.tail.is_empty() {
            return Err(self.damaged("it ends too early"));
        } else {
            self.words = std::mem::take(&mut self.tail);
        }
        self.blocks += 1;
        self.at = 0;
        Ok(())
    }
}

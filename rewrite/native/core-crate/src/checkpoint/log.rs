//! Files of words: a log, to which whole blocks are appended, and a snapshot, which is written once and
//! includes the incomplete last block of each log.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::blocks::{BYTES, Block, WORDS, bytes_of};
use super::{Archive, Archived, Kind, Pages, Reader, about, damaged};
use crate::error::Result;
use crate::grow::Grow;

#[derive(Debug)]
pub struct Log {
    kind: Kind,
    path: PathBuf,
    name: String,
    file: Option<File>,
    /// Blocks written; anything beyond them is ignored.
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

    pub(super) fn set_length(&mut self, length: u64) -> Result<()> {
        if !length.is_multiple_of(BYTES) {
            let what = format!("{length} bytes are not whole blocks");
            return Err(damaged(&self.name, length, what));
        }
        self.blocks = length / BYTES;
        Ok(())
    }

    /// The number of words in the file, which is where appending continues.
    pub fn words(&self) -> u64 {
        self.blocks * WORDS as u64
    }

    /// Appends words, which begin at `self.words()`. Those that do not fill a block go to `out`.
    pub fn append(&mut self, rest: impl IntoIterator<Item = u32>, out: &mut Writer) -> Result<()> {
        let words = self.append_blocks(rest)?;
        out.count(words.len())?;
        out.words(words)
    }

    /// Appends whole blocks. Returns the words that are left over.
    pub fn append_blocks(&mut self, rest: impl IntoIterator<Item = u32>) -> Result<Vec<u32>> {
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

    /// Random access to what is in the file now.
    pub fn pages(&self) -> Result<Pages> {
        Pages::new(self.kind, &self.path, &self.name, self.blocks)
    }

    fn write(&mut self, block: &mut Block, words: &[u32]) -> Result<()> {
        let at = self.length();
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let mut how = OpenOptions::new();
                let opened = how.write(true).create(true).truncate(false).open(&self.path);
                none.insert(opened.map_err(about(&self.path))?)
            }
        };
        // Overwrites what a failed attempt or a killed process has left.
        file.seek(SeekFrom::Start(at)).map_err(about(&self.path))?;
        let bytes = block.filled(self.kind, self.blocks, words)?;
        file.write_all(bytes).map_err(about(&self.path))?;
        self.blocks += 1;
        self.synced = false;
        Ok(())
    }

    /// Flushes to disk; returns whether the log has any blocks.
    pub(super) fn sync(&mut self) -> Result<bool> {
        if let Some(file) = self.file.as_ref().filter(|_| !self.synced) {
            file.sync_data().map_err(about(&self.path))?;
            self.synced = true;
        }
        Ok(self.blocks > 0)
    }

    /// Everything that was appended, from the beginning; `from` stands where `append` wrote to it.
    pub fn read(&self, from: &mut Reader) -> Result<Reader> {
        let mut tail = Vec::new();
        tail.archive(&mut Archive::Loading(from))?;
        let mut file = None;
        if self.blocks > 0 {
            let opened = File::open(&self.path).map_err(about(&self.path))?;
            let there = opened.metadata().map_err(about(&self.path))?.len();
            if there < self.length() {
                let length = self.length();
                let what = format!("{there} bytes instead of {length}");
                return Err(damaged(&self.name, there, what));
            }
            file = Some(opened);
        }
        Ok(Reader::new(self.kind, file, &self.name, self.words(), tail))
    }
}

/// A file that is written once, from its beginning to its end; its last block may be shorter.
#[derive(Debug)]
pub struct Writer {
    log: Log,
    words: Vec<u32>,
    block: Block,
}

impl Writer {
    /// A file of this name belongs to a checkpoint that was never finished.
    pub(super) fn create(folder: &Path, name: String) -> Result<Writer> {
        let mut log = Log::new(Kind::State, folder, name);
        log.file = Some(File::create(&log.path).map_err(about(&log.path))?);
        Ok(Writer { log, words: Vec::new(), block: Block::default() })
    }

    #[inline]
    pub fn word(&mut self, word: u32) -> Result<()> {
        self.words.grow_push(word)?;
        if self.words.len() == WORDS { self.write() } else { Ok(()) }
    }

    pub fn words(&mut self, words: impl IntoIterator<Item = u32>) -> Result<()> {
        words.into_iter().try_for_each(|word| self.word(word))
    }

    #[inline]
    pub fn long(&mut self, long: u64) -> Result<()> {
        self.word(long as u32)?;
        self.word((long >> 32) as u32)
    }

    pub fn longs(&mut self, longs: impl IntoIterator<Item = u64>) -> Result<()> {
        longs.into_iter().try_for_each(|long| self.long(long))
    }

    /// How many follow.
    pub fn count(&mut self, count: usize) -> Result<()> {
        self.long(count as u64)
    }

    fn write(&mut self) -> Result<()> {
        self.log.write(&mut self.block, &self.words)?;
        self.words.clear();
        Ok(())
    }

    /// Flushes to disk; returns the name and length of the file.
    pub(super) fn finish(mut self) -> Result<(String, u64)> {
        let words = self.log.words() + self.words.len() as u64;
        if !self.words.is_empty() {
            self.write()?;
        }
        self.log.sync()?;
        Ok((self.log.name, bytes_of(words)))
    }
}

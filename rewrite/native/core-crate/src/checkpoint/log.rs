//! Files of words: a log, to which whole blocks are appended, and a snapshot, which is written once and
//! includes the incomplete last block of each log.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::blocks::{BYTES, Block, WORDS, bytes_of};
use super::{Archive, Archived, Done, Fault, Kind, Pages, Reader, about};
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

    /// The number of words in the file, which is where appending continues.
    pub fn words(&self) -> u64 {
        self.blocks * WORDS as u64
    }

    /// Appends words, which begin at `self.words()`. Those that do not fill a block go to `out`.
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

    /// Random access to what is in the file now.
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
        // Overwrites what a failed attempt or a killed process has left.
        file.seek(SeekFrom::Start(at)).map_err(about(&self.path))?;
        let bytes = block.filled(self.kind, self.blocks, words)?;
        file.write_all(bytes).map_err(about(&self.path))?;
        self.blocks += 1;
        self.synced = false;
        Ok(())
    }

    /// Flushes to disk; returns whether the log has any blocks.
    pub(super) fn sync(&mut self) -> Done<bool> {
        if let Some(file) = self.file.as_ref().filter(|_| !self.synced) {
            file.sync_data().map_err(about(&self.path))?;
            self.synced = true;
        }
        Ok(self.blocks > 0)
    }

    /// Everything that was appended, from the beginning; `from` stands where `append` wrote to it.
    pub fn read(&self, from: &mut Reader) -> Done<Reader> {
        let mut tail = Vec::new();
        tail.archive(&mut Archive::Loading(from))?;
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
    pub(super) fn create(folder: &Path, name: String) -> Done<Writer> {
        let mut log = Log::new(Kind::State, folder, name);
        log.file = Some(File::create(&log.path).map_err(about(&log.path))?);
        Ok(Writer { log, words: Vec::new(), block: Block::default() })
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

    /// How many follow.
    pub fn count(&mut self, count: usize) -> Done<()> {
        self.long(count as u64)
    }

    fn write(&mut self) -> Done<()> {
        self.log.write(&mut self.block, &self.words)?;
        self.words.clear();
        Ok(())
    }

    /// Flushes to disk; returns the name and length of the file.
    pub(super) fn finish(mut self) -> Done<(String, u64)> {
        let words = self.log.words() + self.words.len() as u64;
        if !self.words.is_empty() {
            self.write()?;
        }
        self.log.sync()?;
        Ok((self.log.name, bytes_of(words)))
    }
}

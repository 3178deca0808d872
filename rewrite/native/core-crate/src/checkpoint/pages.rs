//! Random access to a log, with a cache of the blocks used last.
//!
//! Uses positioned reads rather than a memory map: if a disk or share disappears, a map crashes the
//! process, while a read returns an error.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::blocks::{BYTES, Block, WORDS};
use super::{Kind, about, damaged};
use crate::error::Result;
use crate::grow::Grow;

/// Blocks in the cache. The path back from a state takes one block of each level, and the next path
/// mostly the same ones.
const KEPT: usize = 48;

#[derive(Debug)]
pub struct Pages {
    kind: Kind,
    name: String,
    /// In the whole log.
    blocks: u64,
    /// Stays readable when the file is unlinked.
    open: Option<Mutex<Open>>,
}

#[derive(Debug)]
struct Open {
    file: File,
    block: Block,
    /// With their numbers, the most recently used last.
    kept: Vec<(u64, Vec<u32>)>,
}

impl Pages {
    pub(super) fn new(kind: Kind, path: &Path, name: &str, blocks: u64) -> Result<Pages> {
        let mut open = None;
        if blocks > 0 {
            let file = File::open(path).map_err(about(path))?;
            open = Some(Mutex::new(Open { file, block: Block::default(), kept: Vec::new() }));
        }
        Ok(Pages { kind, name: name.into(), blocks, open })
    }

    pub fn word(&self, at: u64) -> Result<u32> {
        let (number, place) = (at / WORDS as u64, (at % WORDS as u64) as usize);
        let mut open = self.open(number)?;
        if open.kept.last().is_none_or(|last| last.0 != number) {
            self.fetch(&mut open, number)?;
        }
        Ok(open.kept[open.kept.len() - 1].1[place])
    }

    /// All words from one on, bypassing the cache.
    pub fn run(&self, mut at: u64) -> impl FnMut() -> Result<u32> + '_ {
        let (mut words, mut number) = (Vec::new(), u64::MAX);
        move || {
            if number != at / WORDS as u64 {
                number = at / WORDS as u64;
                self.read(&mut *self.open(number)?, number, &mut words)?;
            }
            at += 1;
            Ok(words[((at - 1) % WORDS as u64) as usize])
        }
    }

    /// The file, where it has such a block.
    fn open(&self, number: u64) -> Result<MutexGuard<'_, Open>> {
        let open = self.open.as_ref().filter(|_| number < self.blocks).ok_or_else(|| {
            damaged(&self.name, number * BYTES, "a word is asked for that was never written")
        })?;
        Ok(open.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn read(&self, open: &mut Open, number: u64, words: &mut Vec<u32>) -> Result<()> {
        let sought = open.file.seek(SeekFrom::Start(number * BYTES));
        sought.map_err(about(self.name.as_ref()))?;
        open.block.read((&mut open.file, &self.name), (self.kind, number), WORDS, words)
    }

    /// Marks a block as the most recently used.
    #[cold]
    fn fetch(&self, open: &mut Open, number: u64) -> Result<()> {
        if let Some(at) = open.kept.iter().position(|one| one.0 == number) {
            open.kept[at..].rotate_left(1);
            return Ok(());
        }
        let mut words = Vec::new();
        if open.kept.len() == KEPT {
            words = open.kept.remove(0).1;
        }
        self.read(open, number, &mut words)?;
        open.kept.grow_push((number, words))
    }

    pub fn bytes(&self) -> usize {
        let Some(open) = &self.open else { return 0 };
        let open = open.lock().unwrap_or_else(PoisonError::into_inner);
        open.kept.len() * BYTES as usize
    }
}

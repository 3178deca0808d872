//! Terms outside memory: saved, to be loaded at the same addresses; or spelled out, in words that mean
//! the same in every process.
//!
//! In a spelling, an even word is an int of 31 bits. An odd one is the header of what follows: shape
//! and length.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use super::arena::Arena;
use super::node::header;
use super::{Interner, Known, SHORT, WIDE, content_hash, shape, spread};
use crate::checkpoint::{Files, Reader, Writer};
use crate::error::{Error, Result};
use crate::grow::{Grow, listed};
use crate::value::{FIRST_ADDRESS, Val};

const SHAPE: u32 = 7;

impl Interner {
    /// No terms may be interned meanwhile.
    pub fn save(&self, files: &mut Files, out: &mut Writer) -> Result<()> {
        let Files { terms, short, wide, .. } = files;
        for (arena, log) in [(&self.nodes, terms), (&self.short, short), (&self.wide, wide)] {
            let end = arena.end();
            out.word(end)?;
            let from = log.words();
            log.append(arena.words(from, end), out)?;
        }
        Ok(())
    }

    /// Loads saved terms; the present ones must be a prefix of them.
    pub fn load(&self, files: &Files, from: &mut Reader) -> Result<()> {
        let Files { terms, short, wide, .. } = files;
        let all = [(&self.nodes, terms, 0), (&self.short, short, SHORT), (&self.wide, wide, WIDE)];
        for (arena, log, first) in all {
            let end = from.word()?;
            let mut words = log.read(from)?;
            let begun = arena.end();
            let whole = words.left() == 2 * u64::from(end.saturating_sub(FIRST_ADDRESS));
            if end < begun || !whole {
                return Err(words.damaged("it holds fewer terms than the puzzle itself"));
            }
            same(arena, begun, &mut words)?;
            arena.restore(end, &mut words)?;
            let mut address = begun;
            while address < end {
                address += self.enter(first + address, Arena::piece_end(address) - address)?;
            }
        }
        Ok(())
    }

    /// Enters the node at an address, if there is one; how many addresses it takes. `left`: as many as
    /// its piece of memory has from there on.
    fn enter(&self, address: u32, left: u32) -> Result<u32> {
        let node = self.node(address);
        // Where a node did not fit a piece, zeros are left. Of nodes, only the first has that header.
        if node.header == header(shape::TRUTH, 0) {
            return Ok(left);
        }
        let words = node.words();
        let whole = content_hash(node.header, words.len(), |place| words[place].load(Relaxed));
        let (shard, hash) = self.shard(whole);
        let mut map = shard.lock().unwrap_or_else(PoisonError::into_inner);
        self.make_room(&mut map)?;
        map.insert_unique(spread(hash), Known { address, hash }, |known| spread(known.hash));
        let header = u32::from(node.shape() != shape::WIDE);
        Ok((header + words.len() as u32).div_ceil(2))
    }
}

/// Compares with what the arena contains already.
fn same(arena: &Arena, end: u32, words: &mut Reader) -> Result<()> {
    for held in arena.words(0, end) {
        if words.word()? != held {
            return Err(words.damaged("its terms are those of another puzzle"));
        }
    }
    Ok(())
}

impl Interner {
    pub fn spell(&self, value: Val, out: &mut Vec<u32>) -> Result<()> {
        self.spell_word(self.pack(value)?, out)
    }

    fn spell_word(&self, word: u32, out: &mut Vec<u32>) -> Result<()> {
        if word & 1 == 0 {
            return out.grow_push(word);
        }
        let node = self.node(word >> 1);
        let kind = node.shape();
        // the length of a node has 29 bits, and beside the shape and the mark of an odd word 28 have room
        let len = node.len() as u32;
        if len >= 1 << 28 {
            return Err(Error::Unsupported("a term of 268,435,456 parts and more".into()));
        }
        out.grow_push(len << 4 | kind << 1 | 1)?;
        let words = node.words();
        let plain = match kind {
            shape::SEQ => 0,
            shape::MARKED => 1,
            _ => words.len(),
        };
        out.grow_extend(words[..plain].iter().map(|word| word.load(Relaxed)))?;
        words[plain..].iter().try_for_each(|word| self.spell_word(word.load(Relaxed), out))
    }

    /// Reads one value; `word` returns the next word.
    pub fn spelled(&self, word: &mut impl FnMut() -> u32) -> Result<Val> {
        let first = word();
        if first & 1 == 0 {
            return Ok(self.unpack(first));
        }
        let (kind, len) = (first >> 1 & SHAPE, (first >> 4) as usize);
        if kind != shape::SEQ && kind != shape::MARKED {
            return self.plain(kind, len, word);
        }
        let mut items = Vec::new();
        if kind == shape::MARKED {
            items.grow_push(Val::ctor(word()))?;
        }
        while items.len() < len {
            items.grow_push(self.spelled(word)?)?;
        }
        self.tuple(&items)
    }

    fn plain(&self, kind: u32, len: usize, word: &mut impl FnMut() -> u32) -> Result<Val> {
        let count = match kind {
            shape::TRUTH => 0,
            shape::STR => len.div_ceil(4),
            _ => len,
        };
        let words = listed((0..count).map(|_| word()))?;
        if kind == shape::WIDE {
            let address = self.intern(header(kind, len), &words)?;
            debug_assert!(address >= WIDE);
            return Ok(self.unpack(address << 1 | 1));
        }
        self.intern_checked(kind, len, &words)
    }
}

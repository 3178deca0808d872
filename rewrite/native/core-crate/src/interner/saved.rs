//! Terms that are kept and come back under the same addresses.

use std::sync::PoisonError;

use super::arena::Arena;
use super::node::header;
use super::{Interner, WIDE, shape};
use crate::checkpoint::{Done, Files, Reader, Words, Writer};
use crate::trouble::Outcome;
use crate::value::FIRST_ADDRESS;

impl Interner {
    /// Nobody may make terms meanwhile.
    pub fn save(&self, files: &mut Files, out: &mut Writer) -> Done<()> {
        for (arena, log) in [(&self.nodes, &mut files.terms), (&self.wide, &mut files.wide)] {
            let end = arena.end();
            out.word(end)?;
            let from = log.words();
            log.append(arena.words(from, end), out)?;
        }
        Ok(())
    }

    /// Puts back what was saved; what is here must be what it began with.
    pub fn load(&self, files: &Files, from: &mut Reader) -> Done<()> {
        for (arena, log) in [(&self.nodes, &files.terms), (&self.wide, &files.wide)] {
            let end = from.word()?;
            let mut words = log.read(from)?;
            let begun = arena.end();
            let whole = words.len() == 2 * u64::from(end.saturating_sub(FIRST_ADDRESS));
            if end < begun || !whole {
                return Err(words.damaged("it holds fewer terms than the puzzle itself"));
            }
            same(arena, begun, &mut words)?;
            arena.restore(end, || words.word())?;
            let mut address = begun;
            while address < end {
                address = if std::ptr::eq(arena, &self.wide) {
                    self.enter(address + WIDE)?;
                    address + 1
                } else {
                    self.enter_node(address)?
                };
            }
        }
        Ok(())
    }

    /// Enters the node at an address, if there is one; the address behind it.
    fn enter_node(&self, address: u32) -> Outcome<u32> {
        let node = self.node(address);
        // Where a node did not fit a piece, zeros are left. Of nodes, only the first has that header.
        if node.header == header(shape::TRUTH, 0) {
            return Ok(Arena::piece_end(address));
        }
        self.enter(address)?;
        Ok(address + (1 + node.words().len()).div_ceil(2) as u32)
    }

    fn enter(&self, address: u32) -> Outcome<()> {
        let hash = self.hash_of(address);
        let shard = self.shard(hash);
        let mut map = shard.lock().unwrap_or_else(PoisonError::into_inner);
        self.make_room(&mut map)?;
        map.insert_unique(hash, address, |&address| self.hash_of(address));
        Ok(())
    }
}

/// Compares what the arena holds already.
fn same(arena: &Arena, end: u32, words: &mut Words<'_>) -> Done<()> {
    for held in arena.words(0, end) {
        if words.word()? != held {
            return Err(words.damaged("its terms are those of another puzzle"));
        }
    }
    Ok(())
}

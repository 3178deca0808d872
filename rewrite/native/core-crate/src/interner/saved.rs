//! Terms that are kept and come back under the same addresses.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use super::arena::Arena;
use super::node::header;
use super::{Interner, Known, SHORT, WIDE, content_hash, shape, spread};
use crate::checkpoint::{Done, Files, Reader, Writer};
use crate::error::Result;
use crate::value::FIRST_ADDRESS;

impl Interner {
    /// Nobody may make terms meanwhile.
    pub fn save(&self, files: &mut Files, out: &mut Writer) -> Done<()> {
        let Files { terms, short, wide, .. } = files;
        for (arena, log) in [(&self.nodes, terms), (&self.short, short), (&self.wide, wide)] {
            let end = arena.end();
            out.word(end)?;
            let from = log.words();
            log.append(arena.words(from, end), out)?;
        }
        Ok(())
    }

    /// Puts back what was saved; what is here must be what it began with.
    pub fn load(&self, files: &Files, from: &mut Reader) -> Done<()> {
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
            arena.restore(end, || words.word())?;
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

/// Compares what the arena holds already.
fn same(arena: &Arena, end: u32, words: &mut Reader) -> Done<()> {
    for held in arena.words(0, end) {
        if words.word()? != held {
            return Err(words.damaged("its terms are those of another puzzle"));
        }
    }
    Ok(())
}

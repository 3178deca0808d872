//! The tables of a store: one while it is small, then several, chosen by the top bits of the hash.
//!
//! Each grows by itself, so growing needs little memory at a time. Their sizes are spread over a
//! factor of two when they begin, hence never all grow at once. With numbers, places stay about 61
//! of 100 full in sum (between 42 and 85 each), which is 9 bytes a state at any number of states;
//! without, it is 7, and 5 where there are millions.

use super::table::{Kind, Numbers, Size, Table};
use crate::TINY;
use crate::error::Result;
use crate::grow::{Grow, filled};

/// How the tables of a store are laid out. Changes no answer.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// There will be 2^`SHARDS` tables once the first one has so many bytes and is full.
    pub split: usize,
    /// How many bits of keys differ, where hashes tell all keys apart: then numbers are left out.
    pub key_bits: Option<u32>,
}

impl Default for Layout {
    /// About 3,000 states in the first.
    fn default() -> Layout {
        Layout { split: if TINY { 0 } else { 16 << 10 }, key_bits: None }
    }
}

/// Sixteen shards: enough for eight threads to share them evenly.
const SHARDS: u32 = 4;

/// The initial capacity in keys.
const FIRST: usize = 16;

#[derive(Debug)]
pub struct Shards {
    pub tables: Vec<Table>,
    bits: u32,
    layout: Layout,
}

impl Shards {
    pub fn new(layout: Layout) -> Result<Shards> {
        let kind = Kind { key_bits: layout.key_bits, skip: 0 };
        let mut tables = Vec::new();
        tables.grow_push(Table::new(Size::for_keys(FIRST, kind), kind)?)?;
        Ok(Shards { tables, bits: 0, layout })
    }

    #[inline(always)]
    pub fn of(&self, hash: u64) -> usize {
        // In two steps, because a shift by 64 is none.
        ((hash >> 1) >> (63 - self.bits)) as usize
    }

    #[inline(always)]
    pub fn table(&self, hash: u64) -> &Table {
        &self.tables[self.of(hash)]
    }

    /// Whether keys may be asked for by their numbers: else tables tell them apart, and grow, alone.
    pub fn asks_for_keys(&self) -> bool {
        self.bits < SHARDS || self.tables.iter().any(Table::is_numbered)
    }

    /// Whether every key can be looked up by number.
    pub fn is_numbered(&self) -> bool {
        self.layout.key_bits.is_none()
    }

    pub fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum()
    }

    /// Whether one table will be split when it is full the next time.
    pub fn will_split(&self) -> bool {
        self.bits < SHARDS && self.tables[0].bytes() >= self.layout.split
    }

    /// The most bytes that `make_room` will allocate.
    pub fn growth(&self, shard: usize) -> usize {
        if !self.will_split() {
            return self.tables[shard].growth();
        }
        // The sizes after a split are between one and two times what is needed.
        2 * self.bytes() + (4096 << SHARDS)
    }

    /// Grows a full table for at least one more key. If that fails, nothing has changed.
    #[cold]
    pub fn make_room(&mut self, shard: usize, count: u32, numbers: &impl Numbers) -> Result<()> {
        if self.will_split() {
            self.lay_out(SHARDS, count, numbers)
        } else {
            self.tables[shard].grow(numbers)
        }
    }

    /// The most bytes that `number` will allocate.
    pub fn numbered_bytes(&self) -> usize {
        let kind = Kind { key_bits: None, skip: self.bits };
        let used = self.tables.iter().map(|table| 2 * table.used() + 1);
        used.map(|count| Size::for_keys(count, kind).bytes()).sum()
    }

    /// Goes over to tables with the numbers below `count`, which are all there are in it.
    pub fn number(&mut self, count: u32, numbers: &impl Numbers) -> Result<()> {
        self.layout.key_bits = None;
        self.lay_out(self.bits, count, numbers)
    }

    fn lay_out(&mut self, bits: u32, count: u32, numbers: &impl Numbers) -> Result<()> {
        let mut made = Shards { tables: Vec::new(), bits, layout: self.layout };
        let kind = Kind { key_bits: self.layout.key_bits, skip: bits };
        let mut counts = filled(1 << bits, 0_u32)?;
        for id in 0..count {
            counts[made.of(numbers.hash(id))] += 1;
        }
        for (shard, &count) in counts.iter().enumerate() {
            let spread = ((shard as f64 + 0.5) / counts.len() as f64).exp2();
            let size = Size::for_keys((f64::from(count) * spread) as usize + 1, kind);
            made.tables.grow_push(Table::new(size, kind)?)?;
        }
        made.fill(count, |id| Ok(numbers.hash(id)))?;
        *self = made;
        Ok(())
    }

    /// Makes the tables hold exactly the numbers below `count`, for which they have room; `hash`
    /// tells the hash of each.
    pub fn refill(&mut self, count: u32, hash: impl Fn(u32) -> Result<u64>) -> Result<()> {
        self.tables.iter_mut().for_each(Table::clear);
        self.fill(count, hash)
    }

    fn fill(&mut self, count: u32, hash: impl Fn(u32) -> Result<u64>) -> Result<()> {
        for id in 0..count {
            let hash = hash(id)?;
            let shard = self.of(hash);
            self.tables[shard].add(hash, id)?;
        }
        Ok(())
    }
}

//! The tables of a store: one while it is small, then several, chosen by the top bits of the hash.
//!
//! Each grows by itself, so a doubling needs little memory at a time. Their sizes are spread over a
//! factor of two when they begin, hence never all double at once: the places stay about 61 of 100
//! full in sum (between 42 and 85 each), which is 9 bytes a state at any number of states.

use super::table::{Numbers, Table};
use crate::grow::{Grow, filled};
use crate::trouble::Outcome;

/// One table of this size is split instead of doubled (about 20,000 states).
const SMALL: usize = 128 << 10;

/// Sixteen shards: enough for eight threads to share them evenly.
pub const SHARDS: u32 = 4;

#[derive(Debug)]
pub struct Shards {
    pub tables: Vec<Table>,
    bits: u32,
    /// The bits to come to once it is large.
    most: u32,
}

impl Shards {
    /// 2^`most` tables in the end.
    pub fn new(most: u32) -> Outcome<Shards> {
        let mut tables = Vec::new();
        tables.grow_push(Table::new(2, 0)?)?;
        Ok(Shards { tables, bits: 0, most })
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

    pub fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum()
    }

    /// Whether one table will be split when it is full the next time.
    pub fn will_split(&self) -> bool {
        self.bits < self.most && self.tables[0].bytes() >= SMALL
    }

    /// The bytes that `make_room` will ask the machine for, at most.
    pub fn growth(&self, shard: usize) -> usize {
        // The sizes after a split are between one and two times what is needed.
        let slack = if self.will_split() { 4096 << self.most } else { 0 };
        self.tables[shard].growth() + slack
    }

    /// Makes room in a full table for at least one more. Where that fails, nothing has changed.
    #[cold]
    pub fn make_room(&mut self, shard: usize, count: u32, numbers: &impl Numbers) -> Outcome<()> {
        if self.will_split() {
            self.split(count, numbers)
        } else {
            self.tables[shard].grow(numbers)
        }
    }

    fn split(&mut self, count: u32, numbers: &impl Numbers) -> Outcome<()> {
        let mut split = Shards { tables: Vec::new(), bits: self.most, most: self.most };
        let mut counts = filled(1 << self.most, 0_u32)?;
        for id in 0..count {
            counts[split.of(numbers.hash(id))] += 1;
        }
        for (shard, &count) in counts.iter().enumerate() {
            let spread = ((shard as f64 + 0.5) / counts.len() as f64).exp2();
            let buckets = Table::buckets_for((f64::from(count) * spread) as usize + 1);
            split.tables.grow_push(Table::new(buckets, self.most)?)?;
        }
        split.fill(count, numbers);
        *self = split;
        Ok(())
    }

    /// Makes the tables hold exactly the numbers below `count`, for which they have room.
    pub fn refill(&mut self, count: u32, numbers: &impl Numbers) {
        self.tables.iter_mut().for_each(Table::clear);
        self.fill(count, numbers);
    }

    fn fill(&mut self, count: u32, numbers: &impl Numbers) {
        for id in 0..count {
            let hash = numbers.hash(id);
            let shard = self.of(hash);
            self.tables[shard].add(hash, id);
        }
    }
}

//! The successors of a run of states, from generation to numbering.

use std::ops::Range;

use super::expand::{Block, Direction, Expand, Hit};
use super::keys::{Hashing, Keys};
use super::shards::Shards;
use super::states::{Entry, Store};
use crate::bits::ones;
use crate::error::{Error, Result};
use crate::grow::{Grow, GrowCopies};

/// One batch of a search. Reused; its content depends on its states and not on any thread.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Chunk<K: Keys> {
    pub from: u32,
    pub to: u32,
    pub block: Block<K>,
    pub counts: Vec<u64>,
    pub error: Option<Error>,
    /// Places in the block with their hashes, grouped by shard and in order within it: so the
    /// inserting of a shard reads memory in order. `starts` has one more than there are shards; what
    /// comes behind the last start is from before.
    order: Vec<(u64, u32)>,
    starts: Vec<u32>,
    /// Where the inserting has found it to be new: bits, and how many are set before each word.
    bits: Vec<u64>,
    before: Vec<u32>,
    /// How many are new, and the number of the first of them.
    pub fresh: u32,
    pub first: u32,
    /// Where a state that is watched was made first.
    pub hit: Option<Hit>,
    /// The new states that are goals, if all were tested.
    goals: Vec<u32>,
    tested: bool,
}

impl<K: Keys> Chunk<K> {
    pub fn new(hashing: Hashing) -> Chunk<K> {
        Chunk { block: Block::new(hashing), ..Chunk::default() }
    }

    /// Makes all successors of its states. What it counted before an error is forgotten.
    ///
    /// The parent of a state is skipped: most rules can be undone, so it is a successor of nearly every
    /// state. (If it was spilled, it is looked up like others.)
    pub fn expand<E: Expand<K>>(
        &mut self,
        with: &E,
        worker: &mut E::Worker,
        direction: Direction,
        store: &Store<K>,
        watch: &Range<u32>,
    ) {
        self.block.clear();
        (self.error, self.tested) = (None, false);
        for id in self.from..self.to {
            let parent = store.parent(id);
            let known = !watch.contains(&parent) && store.holds_key(parent);
            let known = known.then(|| store.key(parent));
            let key = store.key(id);
            let state = (id, key, store.reached(id));
            let done = with.expand(worker, direction, state, known, &mut self.block);
            if let Err(error) = done {
                self.error = Some(error);
                break;
            }
        }
        if let Err(error) = with.take_counts(worker, &mut self.counts) {
            self.error.get_or_insert(error);
        }
    }

    /// Inserts the candidates, as one thread does it.
    pub fn insert(&mut self, store: &mut Store<K>, watch: &Range<u32>) -> Result<()> {
        (self.first, self.fresh, self.hit) = (store.len(), 0, None);
        let (fresh, hit, block) = (&mut self.fresh, &mut self.hit, &self.block);
        store.insert_block(block, watch, |at, entry| match entry {
            Entry::New(_) => *fresh += 1,
            Entry::Old(state) if watch.contains(&state) => {
                hit.get_or_insert(Hit { parent: block.parent(at), state });
            }
            Entry::Old(_) | Entry::Known => {}
        })
    }

    /// Sorts the places in the block by shard (a counting sort: stable).
    pub fn group(&mut self, shards: &Shards) -> Result<()> {
        let count = shards.tables.len();
        self.starts.clear();
        self.starts.grow_resize(count + 1, 0)?;
        self.block.hashes().for_each(|hash| self.starts[shards.of(hash) + 1] += 1);
        for shard in 0..count {
            self.starts[shard + 1] += self.starts[shard];
        }
        if self.order.len() < self.block.len() {
            self.order.grow_resize(self.block.len(), (0, 0))?;
        }
        for (hash, at) in self.block.hashes().zip(0..) {
            let next = &mut self.starts[shards.of(hash)];
            self.order[*next as usize] = (hash, at);
            *next += 1;
        }
        // Each start has moved to the next one's place.
        self.starts.copy_within(0..count, 1);
        self.starts[0] = 0;
        Ok(())
    }

    pub fn of_shard(&self, shard: usize) -> &[(u64, u32)] {
        &self.order[self.starts[shard] as usize..self.starts[shard + 1] as usize]
    }

    /// Notes which places in the block are new.
    pub fn mark(&mut self, places: impl Iterator<Item = u32>) -> Result<()> {
        self.bits.clear();
        self.bits.grow_resize(self.block.len().div_ceil(64), 0)?;
        places.for_each(|at| self.bits[at as usize / 64] |= 1 << (at % 64));
        self.before.clear();
        self.fresh = 0;
        for word in &self.bits {
            self.before.grow_push(self.fresh)?;
            self.fresh += word.count_ones();
        }
        Ok(())
    }

    /// Notes that a state that is watched was made at this place; only the first time counts.
    pub fn note_hit(&mut self, at: u32, state: u32) {
        self.hit.get_or_insert(Hit { parent: self.block.parent(at as usize), state });
    }

    /// The number of the state that is new at this place.
    #[inline]
    pub fn number(&self, at: u32) -> u32 {
        let word = at as usize / 64;
        let below = self.bits[word] & ((1 << (at % 64)) - 1);
        self.first + self.before[word] + below.count_ones()
    }

    /// The places that are new, in order.
    pub fn news(&self) -> impl Iterator<Item = usize> + '_ {
        self.bits
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| ones(bits).map(move |bit| 64 * word + bit))
    }

    /// Tests its new states, whose numbers are known. Where one of them cannot be tested, nothing is
    /// known of any: it comes up again in its turn.
    pub fn find_goals<E: Expand<K>>(&mut self, with: &E, worker: &mut E::Worker) {
        let mut goals = std::mem::take(&mut self.goals);
        goals.clear();
        let done = self.news().zip(self.first..).try_for_each(|(at, number)| {
            let good = with.goal(worker, self.block.key(at))?;
            if good { goals.grow_push(number) } else { Ok(()) }
        });
        (self.goals, self.tested) = (goals, done.is_ok());
        self.error = done.err().filter(|error| !error.comes_again());
    }

    pub fn goal(&self, id: u32) -> Option<bool> {
        self.tested.then(|| self.goals.binary_search(&id).is_ok())
    }

    pub fn bytes(&self) -> usize {
        self.block.bytes()
            + 8 * (self.counts.capacity() + self.bits.capacity())
            + 16 * self.order.capacity()
            + 4 * (self.starts.capacity() + self.before.capacity() + self.goals.capacity())
    }
}

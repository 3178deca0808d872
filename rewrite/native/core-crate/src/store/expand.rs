//! What a search knows about successors, as far as threads are concerned, and candidates: successors
//! that were made and have not been looked up yet.

use std::ops::Range;

use super::keys::{Hashing, Keys, List};
use crate::error::Result;
use crate::grow::Grow;

/// Which way steps are taken: to successors, or back to predecessors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Direction {
    #[default]
    Forward,
    Backward,
}

/// States to be expanded at a time: `from..to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub direction: Direction,
    pub from: u32,
    pub to: u32,
    /// The end of the level, up to which the same will be asked next; a hint for threads.
    pub ahead: u32,
    /// States to watch for: the first one generated is reported. They are in the store already.
    pub watch: Range<u32>,
}

/// A watched state was generated; the first in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    pub parent: u32,
    pub state: u32,
}

/// Makes the successors (or predecessors) of states; shared by threads, each with a worker of its own.
///
/// What comes out may depend on the state alone: not on the worker, nor on what it did before.
pub trait Expand<K: Keys>: Sync {
    /// Buffers and counters of one thread.
    type Worker: Default + Send;

    fn worker(&self) -> Result<Self::Worker>;

    /// Whether states are to be kept with how they were reached, by which steps are skipped.
    fn skips(&self) -> bool {
        false
    }

    /// Pushes what one step makes of a state to `out`, with its number as parent, in order; the state
    /// `known`, which is in the store already, is left out. After an error, nothing is pushed.
    ///
    /// `state`: its number, its key, and how it was reached, as it was pushed with it, or `UNKNOWN`. By
    /// that, steps may be left out that lead only to successors of other states of this level or an
    /// earlier one.
    fn expand(
        &self,
        worker: &mut Self::Worker,
        direction: Direction,
        state: (u32, &K::Key, u16),
        known: Option<&K::Key>,
        out: &mut Block<K>,
    ) -> Result<()>;

    /// Whether a state is a goal. Counts nothing.
    fn goal(&self, worker: &mut Self::Worker, key: &K::Key) -> Result<bool>;

    /// Whether goals may be tested ahead of their turn: nobody notices.
    fn foresees(&self) -> bool;

    /// Replaces `counts` by what the worker counted since the last call.
    fn take_counts(&self, worker: &mut Self::Worker, counts: &mut Vec<u64>) -> Result<()>;

    /// The bytes that a worker keeps from state to state.
    fn bytes(&self, worker: &Self::Worker) -> usize;
}

/// Of a state of which it is not known how it was reached.
pub const UNKNOWN: u16 = u16::MAX;

/// Candidates in the order in which they were made, each with its hash and its parent. Reused.
#[derive(Debug, Default)]
pub struct Block<K: Keys> {
    keys: K::List,
    /// Hashes, parents, and how they were reached from them.
    others: Vec<(u64, u32, u16)>,
    hashing: Hashing,
}

impl<K: Keys> Block<K> {
    /// `hashing`: that of the store.
    pub fn new(hashing: Hashing) -> Block<K> {
        Block { hashing, ..Block::default() }
    }

    pub fn clear(&mut self) {
        self.keys.truncate(0);
        self.others.clear();
    }

    pub fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
        self.others.truncate(len);
    }

    #[inline]
    pub fn push(&mut self, key: &K::Key, parent: u32) -> Result<()> {
        self.push_reached(key, (parent, UNKNOWN))
    }

    /// Inlined: where it is called for each successor, 8 % of a search.
    #[inline(always)]
    pub fn push_reached(&mut self, key: &K::Key, (parent, how): (u32, u16)) -> Result<()> {
        self.keys.push(key)?;
        self.others.grow_push((K::hash(key, self.hashing), parent, how))
    }

    /// Adds the keys that `make` pushes. After an error some may have been added.
    #[inline]
    pub fn push_made(
        &mut self,
        parent: u32,
        make: impl FnOnce(&mut K::List) -> Result<()>,
    ) -> Result<()> {
        make(&mut self.keys)?;
        let made = self.others.len()..self.keys.len();
        let other = |at| (K::hash(self.keys.get(at), self.hashing), parent, UNKNOWN);
        self.others.grow_extend(made.map(other))
    }

    pub fn len(&self) -> usize {
        self.others.len()
    }

    #[inline]
    pub fn key(&self, at: usize) -> &K::Key {
        self.keys.get(at)
    }

    #[inline]
    pub fn hash(&self, at: usize) -> u64 {
        self.others[at].0
    }

    pub fn hashes(&self) -> impl Iterator<Item = u64> + '_ {
        self.others.iter().map(|&(hash, ..)| hash)
    }

    #[inline]
    pub fn parent(&self, at: usize) -> u32 {
        self.others[at].1
    }

    #[inline]
    pub fn reached(&self, at: usize) -> u16 {
        self.others[at].2
    }

    #[inline]
    pub fn prefetch(&self, at: usize) {
        self.keys.prefetch(at);
    }

    pub fn key_bytes(&self) -> usize {
        self.keys.bytes()
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes() + size_of::<(u64, u32, u16)>() * self.others.capacity()
    }
}

//! What a search knows about successors, as far as threads are concerned.

use std::ops::Range;

use super::block::Block;
use super::keys::Keys;
use crate::error::Result;

/// Which way steps are taken: to successors, or back to predecessors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
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
    /// The first of these states to be made is told. They are in the store already.
    pub watch: Range<u32>,
}

/// A state that is watched was made; the first in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// How many new states of the batch came before.
    pub before: u32,
    /// From which state it was made.
    pub parent: u32,
    pub state: u32,
}

/// Makes the successors (or predecessors) of states; shared by threads, each with a worker of its own.
///
/// What comes out may depend on the state alone: not on the worker, nor on what it did before.
pub trait Expand<K: Keys>: Sync {
    /// Buffers and counters of one thread.
    type Worker: Send;

    fn worker(&self) -> Result<Self::Worker>;

    /// Pushes what one step makes of the state `id` to `out`, with `id` as parent, in order; the
    /// state `known`, which is in the store already, is left out. After an error, nothing is pushed.
    fn expand(
        &self,
        worker: &mut Self::Worker,
        direction: Direction,
        id: u32,
        key: &K::Key,
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

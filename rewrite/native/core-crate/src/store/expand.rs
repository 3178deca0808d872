//! What a search knows about successors, as far as threads are concerned.

use super::block::Block;
use super::keys::Keys;
use crate::trouble::Outcome;

/// Makes the successors of states; shared by threads, each with a worker of its own.
///
/// What comes out may depend on the state alone: not on the worker, nor on what it did before.
pub trait Expand<K: Keys>: Sync {
    /// Buffers and counters of one thread.
    type Worker: Send;

    fn worker(&self) -> Self::Worker;

    /// Pushes the successors of the state `id` to `out`, with `id` as their parent, in order.
    fn expand(
        &self,
        worker: &mut Self::Worker,
        id: u32,
        key: &K::Key,
        out: &mut Block<K>,
    ) -> Outcome<()>;

    /// Replaces `counts` by what the worker counted since the last call.
    fn take_counts(&self, worker: &mut Self::Worker, counts: &mut Vec<u64>);
}

//! When a search gives up, and why it stopped.

use std::time::Instant;

/// Checked between two batches. May change from one call of `advance` to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Steps, inclusive.
    pub max_depth: Option<u64>,
    pub max_states: Option<u64>,
    pub deadline: Option<Instant>,
    /// Bytes.
    pub max_memory: Option<usize>,
    /// Whether to stop at intervals so that states can be spilled.
    pub apart: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    MaxDepth,
    MaxStates,
    MaxSeconds,
    MaxMemory,
}

impl Limit {
    /// Its name among the arguments of a search.
    pub fn name(self) -> &'static str {
        match self {
            Limit::MaxDepth => "max_depth",
            Limit::MaxStates => "max_states",
            Limit::MaxSeconds => "max_seconds",
            Limit::MaxMemory => "max_memory",
        }
    }
}

/// Why `advance` returned. After all but `Exhausted` the search can continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The requested number of answers has been found.
    Found,
    Exhausted,
    Limit(Limit),
    /// States should be spilled before the search continues.
    Crowded,
    Interrupted,
}

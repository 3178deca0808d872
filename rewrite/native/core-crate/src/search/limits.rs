//! When a search gives up, and why it stopped.

use std::time::Instant;

/// What is looked at between two batches. May change from one call of `advance` to the next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Steps, inclusive.
    pub max_depth: Option<u64>,
    pub max_states: Option<u64>,
    pub deadline: Option<Instant>,
    /// Bytes.
    pub max_memory: Option<usize>,
    /// Whether to stop for states to be spilled, which come at a pace of their own.
    pub apart: bool,
}

/// Which limit was reached.
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

/// Why `advance` came back. All but `Exhausted` can be gone on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// As many answers as were wanted are there.
    Found,
    /// Nothing is left to look at.
    Exhausted,
    Limit(Limit),
    /// States should be spilled; then it goes on.
    Crowded,
    Interrupted,
}

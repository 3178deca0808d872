//! Numbers of states.

/// The number of a state, in order of discovery; the start is 0, and goals that are given follow it.
pub type Id = u32;

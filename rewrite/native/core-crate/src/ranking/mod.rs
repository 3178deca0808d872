//! States numbered without gaps (a perfect index), and their distances in a few bits each.
//!
//! No state is stored: the number of a state says what it is. What a puzzle's parts are (fields that
//! hold a permutation, fields that hold one of some values) is decided where the rules are known.

pub mod index;
pub mod marks;
pub mod moves;
pub mod permutation;
pub mod table;
#[cfg(test)]
mod tests;
mod windows;

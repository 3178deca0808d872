//! Ranking: states numbered without gaps, with their distances in a few bits each.
//!
//! No state is stored: the index determines it. The caller, who knows the rules, decides on the parts
//! (fields that hold a permutation, fields with one of several values).

pub mod blocks;
pub mod index;
pub mod marks;
pub mod moves;
pub mod permutation;
pub mod table;
#[cfg(test)]
mod tests;
mod windows;
mod zeroed;

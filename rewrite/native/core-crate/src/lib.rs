//! Runs compiled puzzles: states, successors, searches. Knows nothing of Python.
//!
//! A `Program` is loaded once; a `Machine` is that program with what its threads share; a `Worker`
//! runs functions of it on one state after the other; a `World` keeps the states in a `Store`; a
//! `Search` asks the world for them in the order of its strategy.

/// Whether memory and files are cut so small that a search of a few dozen states comes to the end of
/// many pieces, which a large one does otherwise: for tests.
const TINY: bool = cfg!(feature = "tiny");

mod builtins;
pub mod canon;
pub mod checkpoint;
pub mod classes;
pub mod coding;
pub mod estimates;
pub mod grow;
mod instr;
pub mod interner;
pub mod kernel;
pub mod load;
pub mod machine;
mod multisets;
pub mod numbers;
mod others;
pub mod partition;
pub mod perfect;
pub mod program;
mod quick;
mod random;
pub mod search;
pub mod space;
mod steps;
pub mod store;
mod strategies;
mod tables;
pub mod trouble;
pub mod value;
mod windows;
pub mod worker;
pub mod world;

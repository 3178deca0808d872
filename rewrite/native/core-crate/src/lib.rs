//! Runs compiled puzzles: states, successors, searches. Knows nothing of Python.
//!
//! A `Program` is loaded once; a `Machine` is that program with what its threads share; a `Worker`
//! runs functions of it on one state after the other; a `StateSpace` keeps the states in a `Store`; a
//! `Search` asks for them in the order of its strategy.
//!
//! A module uses only modules before it in this list: `id`, `value`, `random`, `bits`; `huge_pages`; `error`,
//! `grow`, `checkpoint`; `estimate`, `estimates`; `interner`, `numbers`; `store`, `canon`, `classes`;
//! `ground`, `instr`, `program`; `vm`; `codec`, `parcel`; `search`; `ranking`, `state_space`; `partition`.

/// Whether memory and files are cut so small that a search of a few dozen states comes to the end of
/// many pieces, which a large one does otherwise: for tests.
const TINY: bool = cfg!(feature = "tiny");

pub mod bits;
pub mod canon;
pub mod checkpoint;
pub mod classes;
pub mod codec;
mod cpu;
pub mod error;
pub mod estimate;
pub mod estimates;
pub mod ground;
pub mod grow;
#[cfg(target_os = "linux")]
pub mod huge_pages;
pub mod id;
pub mod instr;
pub mod interner;
pub mod numbers;
pub mod parcel;
pub mod partition;
pub mod program;
mod random;
pub mod ranking;
pub mod search;
pub mod state_space;
mod store;
pub mod value;
pub mod vm;

pub use store::Layout;

//! Storing and looking up states, and expanding them on many threads with the result of one.
//!
//! `keys` (and `varied`) is the arena, `shards` and their tables (`table`: `numbered` or `compact`)
//! find a key in it, `states` is the store made of them, `spilled` what of it stands in files; `expand`
//! says what is asked of a search, `waves` expands and inserts in parallel.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // all of this grows with the search: see `grow`

mod chunk;
mod compact;
pub(crate) mod crew;
mod expand;
mod keys;
mod numbered;
pub(crate) mod paged_vec;
mod reached;
mod shards;
mod spilled;
mod states;
mod table;
mod varied;
mod wave;
mod waves;

pub use crew::{Apart, Crew, share};
pub use expand::{Batch, Block, Direction, Expand, Hit, UNKNOWN};
pub use keys::{Fixed, Keys, List};
pub use shards::Layout;
pub use states::{Entry, Store};
pub use varied::{Varied, Words};
pub use waves::Waves;

#[cfg(test)]
mod tests;

//! The store against the map of the standard library, and its promises about memory.

mod compact;
mod crew;
mod memory;
mod paged_vec;
mod spaces;
mod spilled;
mod store;
mod varied;
mod waves;

use super::{Entry, Keys, Store};
use crate::error::Result;
use crate::random::Random;

/// A key of `len` words that is as different from others as `value` is.
pub fn words(value: u64, len: usize) -> Vec<u32> {
    let mut random = Random::new(value);
    let mut words = vec![value as u32];
    words.extend((1..len).map(|_| random.next() as u32 & 63));
    words
}

pub fn insert<K: Keys>(store: &mut Store<K>, key: &K::Key, parent: u32) -> Result<Entry> {
    store.insert(key, store.hash(key), parent)
}

pub fn find<K: Keys>(store: &Store<K>, key: &K::Key) -> Option<u32> {
    store.find(key, store.hash(key))
}

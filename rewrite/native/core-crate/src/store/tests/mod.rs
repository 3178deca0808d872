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

/// Numbers that look random and are the same every time (SplitMix64; Steele, Lea, Flood 2014).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// A key of `len` words that is as different from others as `value` is.
pub fn words(value: u64, len: usize) -> Vec<u32> {
    let mut random = Random(value);
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

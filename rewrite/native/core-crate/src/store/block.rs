//! Candidates: successors that were made and have not been looked up yet.

use super::keys::{Hashing, Keys, List};
use crate::error::Result;
use crate::grow::Grow;

/// Candidates in the order in which they were made, each with its hash and its parent. Reused.
#[derive(Debug, Default)]
pub struct Block<K: Keys> {
    keys: K::List,
    /// Hashes and parents.
    others: Vec<(u64, u32)>,
    hashing: Hashing,
}

impl<K: Keys> Block<K> {
    /// `hashing`: that of the store.
    pub fn new(hashing: Hashing) -> Block<K> {
        Block { hashing, ..Block::default() }
    }

    pub fn clear(&mut self) {
        self.keys.truncate(0);
        self.others.clear();
    }

    /// Forgets all but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
        self.others.truncate(len);
    }

    #[inline]
    pub fn push(&mut self, key: &K::Key, parent: u32) -> Result<()> {
        self.keys.push(key)?;
        self.others.grow_push((K::hash(key, self.hashing), parent))
    }

    /// Adds the keys that `make` pushes. After an error some may have been added.
    #[inline]
    pub fn push_made(
        &mut self,
        parent: u32,
        make: impl FnOnce(&mut K::List) -> Result<()>,
    ) -> Result<()> {
        make(&mut self.keys)?;
        let made = self.others.len()..self.keys.len();
        self.others.grow_extend(made.map(|at| (K::hash(self.keys.get(at), self.hashing), parent)))
    }

    pub fn len(&self) -> usize {
        self.others.len()
    }

    pub fn is_empty(&self) -> bool {
        self.others.is_empty()
    }

    #[inline]
    pub fn key(&self, at: usize) -> &K::Key {
        self.keys.get(at)
    }

    #[inline]
    pub fn hash(&self, at: usize) -> u64 {
        self.others[at].0
    }

    pub fn hashes(&self) -> impl Iterator<Item = u64> + '_ {
        self.others.iter().map(|&(hash, _)| hash)
    }

    #[inline]
    pub fn parent(&self, at: usize) -> u32 {
        self.others[at].1
    }

    #[inline]
    pub fn prefetch(&self, at: usize) {
        self.keys.prefetch(at);
    }

    pub fn key_bytes(&self) -> usize {
        self.keys.bytes()
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes() + size_of::<(u64, u32)>() * self.others.capacity()
    }
}

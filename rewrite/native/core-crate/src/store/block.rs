//! Candidates: successors that were made and have not been looked up yet.

use super::keys::{Keys, List};
use crate::grow::Grow;
use crate::trouble::Outcome;

/// Candidates in the order in which they were made, each with its hash and its parent. Reused.
#[derive(Debug, Default)]
pub struct Block<K: Keys> {
    keys: K::List,
    hashes: Vec<u64>,
    parents: Vec<u32>,
}

impl<K: Keys> Block<K> {
    pub fn clear(&mut self) {
        self.keys.truncate(0);
        self.hashes.clear();
        self.parents.clear();
    }

    /// Forgets all but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
        self.hashes.truncate(len);
        self.parents.truncate(len);
    }

    #[inline]
    pub fn push(&mut self, key: &K::Key, parent: u32) -> Outcome<()> {
        self.push_hashed(key, K::hash(key), parent)
    }

    /// For those who know `K::hash(key)` already.
    #[inline]
    pub fn push_hashed(&mut self, key: &K::Key, hash: u64, parent: u32) -> Outcome<()> {
        self.keys.push(key)?;
        self.hashes.grow_push(hash)?;
        self.parents.grow_push(parent)
    }

    /// Adds the keys that `make` pushes. After an error some may have been added.
    #[inline]
    pub fn push_made(
        &mut self,
        parent: u32,
        make: impl FnOnce(&mut K::List) -> Outcome<()>,
    ) -> Outcome<()> {
        make(&mut self.keys)?;
        let more = self.keys.len() - self.hashes.len();
        self.hashes.grow_by(more)?;
        self.parents.grow_by(more)?;
        for at in self.hashes.len()..self.keys.len() {
            self.hashes.grow_push(K::hash(self.keys.get(at)))?;
            self.parents.grow_push(parent)?;
        }
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    #[inline]
    pub fn key(&self, at: usize) -> &K::Key {
        self.keys.get(at)
    }

    #[inline]
    pub fn hash(&self, at: usize) -> u64 {
        self.hashes[at]
    }

    #[inline]
    pub fn parent(&self, at: usize) -> u32 {
        self.parents[at]
    }

    #[inline]
    pub fn prefetch(&self, at: usize) {
        self.keys.prefetch(at);
    }

    pub fn key_bytes(&self) -> usize {
        self.keys.bytes()
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes() + 8 * self.hashes.capacity() + 4 * self.parents.capacity()
    }
}

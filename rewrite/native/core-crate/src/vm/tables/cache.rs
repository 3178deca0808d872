//! What the tables of a board have been asked for: changes of states, by what slots hold.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // grows with the search: see `grow`

use super::Map;
use super::flat::Flat;
use crate::error::Result;
use crate::grow::{Grow, GrowCopies, copied, grow_map, table_bytes};
use crate::value::Val;

/// The entries of one table that one worker has asked for.
#[derive(Default)]
pub struct Cache {
    /// Parts of the entries by the bits that are read, if these lie in one word, …
    pub(super) narrow: Flat,
    /// … or in several.
    wide: Map<Box<[u64]>, (u32, u32)>,
    entries: Vec<Entry>,
    /// What the changes of all entries add to words of a state.
    added: Vec<(u16, u64)>,
    /// Bytes of wide keys.
    held: usize,
}

/// The cost of a change, and its part of `Cache::added`.
struct Entry {
    cost: Val,
    from: u32,
    to: u32,
}

impl Cache {
    #[inline]
    pub fn cost(&self, entry: u32) -> Val {
        self.entries[entry as usize].cost
    }

    /// Makes the successor of an entry out of a copy of its state.
    #[inline]
    pub fn add_to(&self, entry: u32, x: &mut [u64]) {
        for &(word, added) in self.added_by(&self.entries[entry as usize]) {
            x[word as usize] = x[word as usize].wrapping_add(added);
        }
    }

    #[inline]
    fn added_by(&self, entry: &Entry) -> &[(u16, u64)] {
        &self.added[entry.from as usize..entry.to as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn find_wide(&self, key: &[u64]) -> Option<(u32, u32)> {
        self.wide.get(key).copied()
    }

    pub(super) fn note_wide(&mut self, key: &[u64], found: (u32, u32)) -> Result<()> {
        grow_map(&mut self.wide, copied(key)?.into_boxed_slice(), found)?;
        self.held += size_of_val(key);
        Ok(())
    }

    /// Whether a change is among the entries from `first` on.
    pub(super) fn has(&self, first: usize, cost: Val, added: &[(u16, u64)]) -> bool {
        self.entries[first..].iter().any(|one| one.cost == cost && self.added_by(one) == added)
    }

    pub(super) fn push(&mut self, cost: Val, added: &[(u16, u64)]) -> Result<()> {
        let from = self.added.len() as u32;
        self.added.grow_slice(added)?;
        self.entries.grow_push(Entry { cost, from, to: self.added.len() as u32 })
    }

    /// Forgets all entries but the first so many.
    pub(super) fn truncate(&mut self, entries: usize) {
        self.entries.truncate(entries);
        self.added.truncate(self.entries.last().map_or(0, |last| last.to as usize));
    }

    pub fn bytes(&self) -> usize {
        self.narrow.bytes()
            + table_bytes::<(Box<[u64]>, (u32, u32))>(self.wide.capacity())
            + self.entries.capacity() * size_of::<Entry>()
            + self.added.capacity() * size_of::<(u16, u64)>()
            + self.held
    }
}

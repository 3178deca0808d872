//! How states were reached from their parents, in order of their numbers.

use std::ops::Range;

use super::expand::UNKNOWN;
use super::paged_vec::PagedVec;
use crate::error::Result;

/// Two bytes a state. What is known begins with a state: those before it may be in files.
#[derive(Debug)]
pub struct Reached {
    from: u32,
    all: PagedVec<u16>,
}

impl Reached {
    pub fn new(from: u32) -> Reached {
        Reached { from, all: PagedVec::default() }
    }

    #[inline]
    pub fn get(&self, id: u32) -> u16 {
        id.checked_sub(self.from).map_or(UNKNOWN, |at| self.all[at as usize])
    }

    #[inline]
    pub fn push(&mut self, how: u16) -> Result<()> {
        self.all.push(how)
    }

    /// As `PagedVec::open`.
    pub fn open(&mut self, more: usize) -> Result<Vec<(&mut Vec<u16>, usize)>> {
        self.all.open(more)
    }

    /// Truncates the list to the states below `len`.
    pub fn truncate(&mut self, len: u32) {
        self.all.truncate(len.saturating_sub(self.from) as usize);
    }

    /// Frees the memory of states that will not be expanded any more, as far as possible.
    pub fn evict(&mut self, states: Range<u32>) {
        let at = |id: u32| id.saturating_sub(self.from) as usize;
        self.all.evict(at(states.start)..at(states.end));
    }

    pub fn growth(&self) -> usize {
        self.all.growth()
    }

    pub fn bound(&self, more: usize) -> usize {
        self.all.bound(more)
    }

    pub fn bytes(&self) -> usize {
        self.all.bytes()
    }
}

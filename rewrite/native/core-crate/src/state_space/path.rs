//! The states on the path of IDA*, for finding cycles.

use crate::error::Result;
use crate::grow::{Grow, filled};

const SMALLEST: usize = 1 << 10;
/// Counters for each state of the path, at least: of so many other states one is looked up in vain.
const SPARSE: usize = 16;

/// Places of states on a stack, and how many of them have each remainder of a hash: where that is
/// none, a state is not among them.
#[derive(Default)]
pub struct Path {
    places: Vec<(u32, u64)>,
    counts: Vec<u32>,
}

impl Path {
    pub fn clear(&mut self) {
        self.places.clear();
        self.counts.fill(0);
    }

    pub fn push(&mut self, place: u32, hash: u64) -> Result<()> {
        self.places.grow_by(1)?;
        if (self.places.len() + 1) * SPARSE > self.counts.len() {
            self.counts = filled((2 * self.counts.len()).max(SMALLEST), 0)?;
            for at in 0..self.places.len() {
                let slot = self.slot(self.places[at].1);
                self.counts[slot] += 1;
            }
        }
        self.places.grow_push((place, hash))?;
        let slot = self.slot(hash);
        self.counts[slot] += 1;
        Ok(())
    }

    pub fn pop(&mut self) {
        if let Some((_, hash)) = self.places.pop() {
            let slot = self.slot(hash);
            self.counts[slot] -= 1;
        }
    }

    pub fn last(&self) -> Option<u32> {
        self.places.last().map(|one| one.0)
    }

    pub fn before_last(&self) -> Option<u32> {
        self.places.iter().nth_back(1).map(|one| one.0)
    }

    /// Whether a state with this hash is on it; `same` compares it with the one at a place.
    #[inline]
    pub fn has(&self, hash: u64, same: impl Fn(u32) -> bool) -> bool {
        !self.counts.is_empty()
            && self.counts[self.slot(hash)] > 0
            && self.places.iter().rev().any(|&(place, other)| other == hash && same(place))
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.counts.len() - 1)
    }

    pub fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<(u32, u64)>() + 4 * self.counts.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn it_has_what_was_pushed_and_not_popped_whatever_the_hashes() {
        let mut path = Path::default();
        let hash = |one: u32| u64::from(one % 7);
        for one in 0..300 {
            path.push(one, hash(one)).unwrap();
        }
        let has = |path: &Path, one: u32| path.has(hash(one), |other| other == one);
        for one in (200..300).rev() {
            assert!(has(&path, one));
            assert_eq!(path.last(), Some(one));
            assert_eq!(path.before_last(), Some(one - 1));
            path.pop();
            assert!(!has(&path, one));
        }
        assert!((0..200).all(|one| has(&path, one)) && !has(&path, 200));
        path.clear();
        assert!(!has(&path, 3));
    }
}

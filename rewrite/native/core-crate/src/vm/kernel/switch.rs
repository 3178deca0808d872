//! A jump by what a field holds.

use crate::ground::BitTest;

/// Numbers up to so many times their count, and so many more, are places in a list.
const SPARE: (u64, u64) = (4, 256);

/// Where to continue, by the number in a field.
#[derive(Debug, Default)]
pub struct Switch {
    word: u16,
    shift: u32,
    mask: u64,
    /// By number; or else the numbers in order, each with its target.
    dense: Vec<u32>,
    sparse: Vec<(u64, u32)>,
    /// For all other numbers.
    rest: u32,
}

impl Switch {
    /// The targets of the tests of one field.
    pub fn new(targets: &[(BitTest, u32)], rest: u32) -> Switch {
        let Some(&(BitTest { word, mask, .. }, _)) = targets.first() else {
            return Switch { rest, ..Switch::default() };
        };
        let shift = mask.trailing_zeros() % u64::BITS;
        let numbers = targets.iter().map(|&(test, to)| (test.value >> shift, to));
        let mut sparse: Vec<(u64, u32)> = numbers.collect();
        sparse.sort_unstable();
        let (times, more) = SPARE;
        let last = sparse.last().map_or(0, |&(number, _)| number);
        let mut dense = Vec::new();
        if last < times * sparse.len() as u64 + more {
            dense.resize(last as usize + 1, rest);
            sparse.drain(..).for_each(|(number, to)| dense[number as usize] = to);
        }
        Switch { word, shift, mask, dense, sparse, rest }
    }

    #[inline]
    pub fn to(&self, state: &[u64]) -> u32 {
        let number = (state[self.word as usize] & self.mask) >> self.shift;
        if self.sparse.is_empty() {
            return self.dense.get(number as usize).copied().unwrap_or(self.rest);
        }
        let found = self.sparse.binary_search_by_key(&number, |&(number, _)| number);
        found.map_or(self.rest, |at| self.sparse[at].1)
    }
}

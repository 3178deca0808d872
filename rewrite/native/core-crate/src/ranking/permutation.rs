//! Ranks of permutations by Lehmer code; a known parity halves their number.
//!
//! The place of a *mover*, a special value, is the leading digit; the others are ranked as if it were
//! absent. So moving the hole of a sliding puzzle along a row changes that digit alone. (Lehmer 1960;
//! parity as in Korf and Schultze, Large-Scale Parallel Breadth-First Search, AAAI 2005.)

/// The ranking of the permutations of 0, 1, … n - 1.
#[derive(Clone, Debug)]
pub struct Permutation {
    pub n: usize,
    pub mover: Option<u8>,
    /// By place of the mover: whether the others form an odd permutation, if the place determines
    /// that; then only such permutations are ranked.
    pub odd: Option<Vec<bool>>,
    /// The stride of each digit of the others.
    pub strides: Vec<u64>,
    /// The number of ranks for each place of the mover.
    pub rest: u64,
}

impl Permutation {
    /// `odd` has an entry for each place of the mover, or one if there is no mover.
    pub fn new(n: usize, mover: Option<u8>, odd: Option<Vec<bool>>) -> Permutation {
        let m = n - usize::from(mover.is_some());
        let odd = odd.filter(|_| m >= 3);
        let halves = if odd.is_some() { 2 } else { 1 };
        let mut strides = vec![0; m];
        let mut stride = 1;
        for (digit, size) in (0..m).rev().zip(1..) {
            strides[digit] = stride / if digit + 2 < m { halves } else { 1 };
            stride *= size;
        }
        Permutation { n, mover, odd, strides, rest: stride / halves }
    }

    /// The number of elements other than the mover.
    pub fn others(&self) -> usize {
        self.strides.len()
    }

    /// The number of digits for the others.
    pub fn digits(&self) -> usize {
        self.others() - if self.odd.is_some() { 2 } else { 0 }
    }

    pub fn size(&self) -> u64 {
        self.rest * if self.mover.is_some() { self.n as u64 } else { 1 }
    }

    /// The rank of a permutation, which must be one of those ranked.
    pub fn rank(&self, held: &[u8]) -> u64 {
        let (mut unused, mut rank, mut digit) = (u64::MAX, 0, 0);
        let last = self.digits();
        for (place, &value) in held.iter().enumerate() {
            if Some(value) == self.mover {
                rank += place as u64 * self.rest;
                continue;
            }
            // the mover's bit stays in `unused`: it counts equally for all values above it
            let above = self.mover.is_some_and(|mover| value > mover);
            if digit < last {
                let below = (unused & ((1 << value) - 1)).count_ones() - u32::from(above);
                rank += u64::from(below) * self.strides[digit];
            }
            unused &= !(1 << value);
            digit += 1;
        }
        rank
    }

    pub fn unrank(&self, rank: u64, held: &mut [u8]) {
        let (place, mut left) = match self.mover {
            Some(_) => ((rank / self.rest) as usize, rank % self.rest),
            None => (usize::MAX, rank),
        };
        let (m, last) = (self.others(), self.digits());
        let mut unused: u64 = (1 << self.n) - 1;
        if let Some(mover) = self.mover {
            unused &= !(1 << mover);
            held[place] = mover;
        }
        let mut sum = 0;
        let mut at = 0;
        for digit in 0..m {
            at += usize::from(at == place);
            let below = if digit < last {
                let below = left / self.strides[digit];
                left %= self.strides[digit];
                sum += below;
                below
            } else if digit + 2 == m {
                let odd = self.odd.as_ref().map(|odd| odd[if place < self.n { place } else { 0 }]);
                u64::from(odd == Some(sum % 2 == 0))
            } else {
                0
            };
            let value = nth(unused, below);
            unused &= !(1 << value);
            held[at] = value;
            at += 1;
        }
    }
}

/// The member of a set that has `below` smaller members.
pub fn nth(mut set: u64, below: u64) -> u8 {
    for _ in 0..below {
        set &= set - 1;
    }
    set.trailing_zeros() as u8
}

//! Numbers for permutations: the digits of Lehmer's code, with a factor of two left out by parity.
//!
//! A *mover* is a value whose place is a digit of its own, the first; the others are numbered as they
//! stand when it is left out. So a step of the hole of a sliding puzzle along a row changes that one
//! digit alone. (Lehmer 1960; parity as in Korf and Schultze, Large-Scale Parallel Breadth-First
//! Search, AAAI 2005.)

/// The numbering of the arrangements of 0, 1, … n - 1.
#[derive(Clone, Debug)]
pub struct Permutation {
    pub n: usize,
    pub mover: Option<u8>,
    /// By place of the mover: whether the others stand in an odd order, where that is known of all
    /// arrangements; then only those are numbered.
    pub odd: Option<Vec<bool>>,
    /// What each digit of the others counts for.
    pub strides: Vec<u64>,
    /// How many numbers there are for each place of the mover.
    pub rest: u64,
}

impl Permutation {
    /// `odd` has an entry for each place of the mover, or one where there is none.
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

    /// How many elements there are beside the mover.
    pub fn others(&self) -> usize {
        self.strides.len()
    }

    /// How many digits of the others are counted.
    pub fn digits(&self) -> usize {
        self.others() - if self.odd.is_some() { 2 } else { 0 }
    }

    /// How many arrangements are numbered.
    pub fn size(&self) -> u64 {
        self.rest * if self.mover.is_some() { self.n as u64 } else { 1 }
    }

    /// The number of an arrangement, which is one of those numbered.
    pub fn rank(&self, held: &[u8]) -> u64 {
        let (mut unused, mut rank, mut digit) = (u64::MAX, 0, 0);
        let last = self.digits();
        for (place, &value) in held.iter().enumerate() {
            if Some(value) == self.mover {
                rank += place as u64 * self.rest;
                continue;
            }
            // the mover's bit stays in `unused`: it counts for those above it alike
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

    /// The arrangement of a number.
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

/// The bit of a set that has `below` others below it.
pub fn nth(mut set: u64, below: u64) -> u8 {
    for _ in 0..below {
        set &= set - 1;
    }
    set.trailing_zeros() as u8
}

/// Whether an arrangement, the mover left out, is odd.
pub fn is_odd(held: &[u8], mover: Option<u8>) -> bool {
    let others: Vec<u8> = held.iter().copied().filter(|&value| Some(value) != mover).collect();
    let pairs = (0..others.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    pairs.filter(|&(i, j)| others[i] > others[j]).count() % 2 == 1
}

//! Fields of states in slots, tests of their bits, and the members of sets of bits.

/// The places of the bits that are set, the lowest first.
#[inline]
pub fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            place
        })
    })
}

/// Multiply and fold: each bit of the result depends on nearly all bits of both.
#[inline(always)]
pub fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

/// A field of a state: consecutive bits of one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub word: u16,
    pub shift: u8,
    /// As many bits as the field has, from 0.
    pub mask: u64,
}

impl Place {
    /// The field of so many bits at an offset, which lie in one word.
    pub fn new(offset: u32, bits: u32) -> Place {
        let mask = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
        Place { word: (offset / 64) as u16, shift: (offset % 64) as u8, mask }
    }

    pub fn bits(&self) -> u32 {
        self.mask.count_ones()
    }

    pub fn is_in(&self, other: &Place) -> bool {
        self.word == other.word && self.mask << self.shift & !(other.mask << other.shift) == 0
    }

    /// The value that a state holds.
    #[inline]
    pub fn held(&self, words: &[u64]) -> u64 {
        words[self.word as usize] >> self.shift & self.mask
    }

    /// Makes a state hold a value.
    #[inline]
    pub fn put(&self, words: &mut [u64], value: u64) {
        let word = &mut words[self.word as usize];
        *word = *word & !(self.mask << self.shift) | value << self.shift;
    }
}

/// A test of some bits of one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitTest {
    pub word: u16,
    pub mask: u64,
    pub value: u64,
}

impl BitTest {
    #[inline]
    pub fn holds(&self, state: &[u64]) -> bool {
        state[self.word as usize] & self.mask == self.value
    }

    /// The number of its bits that are set.
    #[inline]
    pub fn ones(&self, state: &[u64]) -> u32 {
        (state[self.word as usize] & self.mask).count_ones()
    }
}

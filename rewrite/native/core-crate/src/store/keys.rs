//! The arena: keys of states in order of discovery.
//!
//! It is the queue of a breadth-first search as well. What a key means is the encoding's affair;
//! here it is words that are compared exactly and hashed.

use std::ops::Range;

use super::paged_vec::PagedVec;
use crate::bits::fold;
use crate::cpu::prefetch;
use crate::error::Result;
use crate::grow::Grow;

/// An append-only list of keys.
pub trait Keys: Default + Send + Sync {
    type Key: ?Sized + Eq;
    /// A temporary list of keys.
    type List: List<Self::Key> + std::fmt::Debug;

    fn len(&self) -> usize;
    fn get(&self, id: u32) -> &Self::Key;

    /// The bytes that pushing `key` will allocate; mostly 0.
    fn growth(&self, key: &Self::Key) -> usize;

    /// The most bytes that pushing `count` keys, of `bytes` bytes in sum, will allocate.
    fn bound(&self, count: usize, bytes: usize) -> usize;

    /// Makes sure that pushing `key` next cannot fail.
    fn reserve(&mut self, key: &Self::Key) -> Result<()>;

    fn push(&mut self, key: &Self::Key) -> Result<()>;

    /// Where some of the next keys are to be pushed.
    type Part<'a>: Part<Self::Key> + Send
    where
        Self: 'a;

    /// Parts for so many more keys, in order, with how many belong to each; several threads may fill
    /// them.
    fn parts(&mut self, more: usize) -> Result<Vec<(Self::Part<'_>, usize)>>;

    fn truncate(&mut self, len: usize);

    /// Whether different keys always have different hashes.
    const EXACT: bool = false;

    /// Top and low bits are both used (for shard and bucket, and for the tag).
    fn hash(key: &Self::Key, how: Hashing) -> u64;

    fn prefetch(&self, id: u32);

    #[inline]
    fn is(&self, id: u32, key: &Self::Key) -> bool {
        Self::same(self.get(id), key)
    }

    fn same(one: &Self::Key, other: &Self::Key) -> bool;

    fn bytes(&self) -> usize;

    /// How many words of 32 bits each key has, where all have as many: then their place is known.
    const WORDS: Option<u64> = None;

    /// Frees the memory of the keys in a range, as far as possible; see `PagedVec::evict`.
    fn evict(&mut self, _range: Range<usize>) {}

    fn holds(&self, _id: u32) -> bool {
        true
    }

    /// Reloads the chunk of an evicted key; `word` returns the next word.
    fn put_back(&mut self, _id: u32, _word: impl FnMut() -> Result<u32>) -> Result<()> {
        Ok(())
    }

    /// The first `len` keys as words of 32 bits, from one of the words on.
    fn stream(&self, len: u32, from: u64) -> Box<dyn Iterator<Item = u32> + '_>;

    /// Reads one key of such words.
    fn read<T>(word: impl FnMut() -> Result<u32>, act: impl FnOnce(&Self::Key) -> T) -> Result<T>;
}

/// What takes keys in order.
pub trait Part<K: ?Sized> {
    fn put(&mut self, key: &K) -> Result<()>;
}

impl<T: Copy> Part<T> for &mut Vec<T> {
    #[inline]
    fn put(&mut self, key: &T) -> Result<()> {
        self.grow_push(*key)
    }
}

/// A temporary list, contiguous in memory.
pub trait List<K: ?Sized>: Default + Send + Sync {
    fn len(&self) -> usize;
    fn get(&self, at: usize) -> &K;
    fn push(&mut self, key: &K) -> Result<()>;
    fn truncate(&mut self, len: usize);
    fn prefetch(&self, at: usize);
    fn bytes(&self) -> usize;
}

impl<const N: usize> List<[u64; N]> for Vec<[u64; N]> {
    #[inline]
    fn len(&self) -> usize {
        Vec::len(self)
    }

    #[inline]
    fn get(&self, at: usize) -> &[u64; N] {
        &self[at]
    }

    #[inline]
    fn push(&mut self, key: &[u64; N]) -> Result<()> {
        self.grow_push(*key)
    }

    fn truncate(&mut self, len: usize) {
        Vec::truncate(self, len);
    }

    #[inline]
    fn prefetch(&self, at: usize) {
        prefetch(&self[at]);
    }

    fn bytes(&self) -> usize {
        self.capacity() * size_of::<[u64; N]>()
    }
}

/// Digits of pi: nothing up the sleeve, and odd.
pub(super) const SEED: u64 = 0x243f_6a88_85a3_08d3;
pub(super) const FACTOR: u64 = 0x1319_8a2e_0370_7345;
pub(super) const FINAL: u64 = 0xa409_3822_299f_31d1;
const MIXER: u64 = 0xc0ac_29b7_c97c_50dd;

/// How keys are hashed: knows how many low bits of a word may be set.
///
/// A one-word key is *mixed*: its bits are moved to the top, multiplied by odd numbers and added to
/// each other, each of which can be undone, so that different keys have different hashes. What tells
/// them apart are the top bits, as many as the key has.
#[derive(Debug, Clone, Copy)]
pub struct Hashing {
    unused: u32,
    used: u64,
    half: u32,
}

impl Default for Hashing {
    /// For all bits of a word.
    fn default() -> Hashing {
        Hashing::new(u64::BITS)
    }
}

impl Hashing {
    pub fn new(bits: u32) -> Hashing {
        let bits = bits.clamp(1, u64::BITS);
        let unused = u64::BITS - bits;
        Hashing { unused, used: u64::MAX << unused, half: bits.div_ceil(2) }
    }

    #[inline(always)]
    fn mixed(self, word: u64) -> u64 {
        debug_assert!(word.leading_zeros() >= self.unused, "a bit is set that should not be used");
        let added = |word: u64| (word ^ word >> self.half) & self.used;
        let mixed = added((word << self.unused).wrapping_mul(MIXER));
        let mixed = added(mixed.wrapping_mul(FACTOR)).wrapping_mul(FINAL);
        // the bits that are left hold some of the others, so that low bits differ, too
        mixed | (mixed >> 32) & !self.used
    }
}

#[derive(Debug, Default)]
pub struct Fixed<const N: usize> {
    keys: PagedVec<[u64; N]>,
}

impl<const N: usize> Keys for Fixed<N> {
    type Key = [u64; N];
    type List = Vec<[u64; N]>;

    #[inline]
    fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    fn get(&self, id: u32) -> &[u64; N] {
        &self.keys[id as usize]
    }

    #[inline]
    fn growth(&self, _: &[u64; N]) -> usize {
        self.keys.growth()
    }

    fn bound(&self, count: usize, _: usize) -> usize {
        self.keys.bound(count)
    }

    #[inline]
    fn reserve(&mut self, _: &[u64; N]) -> Result<()> {
        self.keys.reserve()
    }

    #[inline]
    fn push(&mut self, key: &[u64; N]) -> Result<()> {
        self.keys.push(*key)
    }

    type Part<'a> = &'a mut Vec<[u64; N]>;

    fn parts(&mut self, more: usize) -> Result<Vec<(Self::Part<'_>, usize)>> {
        self.keys.open(more)
    }

    fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
    }

    const EXACT: bool = N == 1;

    #[inline]
    fn hash(key: &[u64; N], how: Hashing) -> u64 {
        if N == 1 {
            return how.mixed(key[0]);
        }
        let mut hash = SEED;
        for &word in key {
            hash = fold(hash ^ word, FACTOR);
        }
        fold(hash, FINAL)
    }

    #[inline]
    fn same(one: &[u64; N], other: &[u64; N]) -> bool {
        one == other
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        prefetch(&self.keys[id as usize]);
    }

    fn bytes(&self) -> usize {
        self.keys.bytes()
    }

    const WORDS: Option<u64> = Some(2 * N as u64);

    fn evict(&mut self, range: Range<usize>) {
        self.keys.evict(range);
    }

    fn put_back(&mut self, id: u32, mut word: impl FnMut() -> Result<u32>) -> Result<()> {
        self.keys.put_back(id as usize, || Self::read(&mut word, |key| *key))
    }

    #[inline]
    fn holds(&self, id: u32) -> bool {
        self.keys.holds(id as usize)
    }

    fn stream(&self, len: u32, from: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        let (first, skipped) = (from / (2 * N as u64), from % (2 * N as u64));
        let keys = (first as u32..len).flat_map(|id| self.get(id));
        let words = keys.flat_map(|&word| [word as u32, (word >> 32) as u32]);
        Box::new(words.skip(skipped as usize))
    }

    fn read<T>(
        mut word: impl FnMut() -> Result<u32>,
        act: impl FnOnce(&[u64; N]) -> T,
    ) -> Result<T> {
        let mut key = [0; N];
        for long in &mut key {
            let low = word()?;
            *long = u64::from(low) | u64::from(word()?) << 32;
        }
        Ok(act(&key))
    }
}

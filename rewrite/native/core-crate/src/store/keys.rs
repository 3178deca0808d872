//! The arena: keys of states, one after the other in order of discovery.
//!
//! It is the queue of a breadth-first search as well. What a key means is the encoding's affair;
//! here it is words that are compared exactly and hashed.

use std::iter::once;

use super::cpu::prefetch;
use super::pieces::{Pieces, list_growth};
use crate::grow::{Grow, GrowCopies, no_memory};
use crate::trouble::{Exhausted, Outcome, Trouble};

/// An append-only list of keys.
pub trait Keys: Default + Send + Sync {
    type Key: ?Sized + Eq;

    fn len(&self) -> usize;
    fn get(&self, id: u32) -> &Self::Key;

    /// The bytes that pushing `key` will ask the machine for; mostly 0.
    fn growth(&self, key: &Self::Key) -> usize;

    /// The bytes that pushing `count` keys, of `bytes` bytes in sum, will ask for, at most.
    fn bound(&self, count: usize, bytes: usize) -> usize;

    /// Makes sure that pushing `key` next cannot fail.
    fn reserve(&mut self, key: &Self::Key) -> Outcome<()>;

    fn push(&mut self, key: &Self::Key) -> Outcome<()>;

    /// Forgets all but the first `len` keys.
    fn truncate(&mut self, len: usize);

    /// Top and low bits are both used (for shard and bucket, and for the tag).
    fn hash(key: &Self::Key) -> u64;

    /// Begins to load a key that will be asked for soon.
    fn prefetch(&self, id: u32);

    /// Whether the state has this key.
    fn is(&self, id: u32, key: &Self::Key) -> bool;

    fn bytes(&self) -> usize;

    /// The first `len` keys as words of 32 bits, from one of the words on.
    fn stream(&self, len: u32, from: u64) -> Box<dyn Iterator<Item = u32> + '_>;

    /// Reads one key of such words.
    fn read<T, E: From<Trouble>>(
        word: impl FnMut() -> Result<u32, E>,
        act: impl FnOnce(&Self::Key) -> T,
    ) -> Result<T, E>;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Digits of pi: nothing up the sleeve, and odd.
const SEED: u64 = 0x243f_6a88_85a3_08d3;
const FACTOR: u64 = 0x1319_8a2e_0370_7345;
const FINAL: u64 = 0xa409_3822_299f_31d1;

/// Multiply and fold: each bit of the result depends on nearly all bits of both.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

/// Keys of `N` words each.
#[derive(Debug, Default)]
pub struct Fixed<const N: usize> {
    keys: Pieces<[u64; N]>,
}

impl<const N: usize> Keys for Fixed<N> {
    type Key = [u64; N];

    #[inline]
    fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    fn get(&self, id: u32) -> &[u64; N] {
        self.keys.get(id as usize)
    }

    #[inline]
    fn growth(&self, _: &[u64; N]) -> usize {
        self.keys.growth()
    }

    fn bound(&self, count: usize, _: usize) -> usize {
        self.keys.bound(count)
    }

    #[inline]
    fn reserve(&mut self, _: &[u64; N]) -> Outcome<()> {
        self.keys.reserve()
    }

    #[inline]
    fn push(&mut self, key: &[u64; N]) -> Outcome<()> {
        self.keys.push(*key)
    }

    fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
    }

    #[inline]
    fn hash(key: &[u64; N]) -> u64 {
        let mut hash = SEED;
        for &word in key {
            hash = fold(hash ^ word, FACTOR);
        }
        fold(hash, FINAL)
    }

    #[inline]
    fn is(&self, id: u32, key: &[u64; N]) -> bool {
        self.get(id) == key
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        prefetch(self.keys.get(id as usize));
    }

    fn bytes(&self) -> usize {
        self.keys.bytes()
    }

    fn stream(&self, len: u32, from: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        let (first, skipped) = (from / (2 * N as u64), from % (2 * N as u64));
        let keys = (first as u32..len).flat_map(|id| self.get(id));
        let words = keys.flat_map(|&word| [word as u32, (word >> 32) as u32]);
        Box::new(words.skip(skipped as usize))
    }

    fn read<T, E: From<Trouble>>(
        mut word: impl FnMut() -> Result<u32, E>,
        act: impl FnOnce(&[u64; N]) -> T,
    ) -> Result<T, E> {
        let mut key = [0; N];
        for long in &mut key {
            let low = word()?;
            *long = u64::from(low) | u64::from(word()?) << 32;
        }
        Ok(act(&key))
    }
}

/// Keys of any number of 32-bit words: four bytes a word, and four bytes a key to know where it ends.
#[derive(Debug, Default)]
pub struct Varied {
    pieces: Vec<Piece>,
    len: usize,
    bytes: usize,
}

/// Keys of 2^13 states, so that the ends fit 32 bits.
#[derive(Debug, Default)]
struct Piece {
    ends: Vec<u32>,
    words: Vec<u32>,
}

const BITS: u32 = 13;
const PIECE: usize = 1 << BITS;

impl Piece {
    #[inline]
    fn span(&self, at: usize) -> std::ops::Range<usize> {
        let from = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        from..self.ends[at] as usize
    }

    /// How many more ends and words to reserve before `words` more words are pushed.
    /// `guide`: the piece before, which was as long as this one will be; within 1/64, mostly.
    fn wanted(&self, words: usize, guide: Option<&Piece>) -> (usize, usize) {
        let ends = match (self.ends.len() < self.ends.capacity(), guide) {
            (true, _) => 0,
            (false, Some(_)) => PIECE,
            (false, None) => self.ends.capacity().clamp(64, PIECE / 2),
        };
        let missing = words.saturating_sub(self.words.capacity() - self.words.len());
        let words = match (missing, guide) {
            (0, _) => 0,
            (_, Some(before)) if self.words.capacity() == 0 => {
                words.max(before.words.len() + before.words.len() / 64)
            }
            (_, Some(_)) => words.max(self.words.capacity() / 32),
            (_, None) => words.max(self.words.capacity()).max(256),
        };
        (ends, words)
    }

    fn bytes(&self) -> usize {
        4 * (self.ends.capacity() + self.words.capacity())
    }
}

impl Varied {
    /// The piece that the next key goes to, if it exists, and the one before.
    #[inline]
    fn last(&self) -> (Option<&Piece>, Option<&Piece>) {
        let at = self.len >> BITS;
        (self.pieces.get(at), at.checked_sub(1).map(|before| &self.pieces[before]))
    }

    #[cold]
    fn grow(&mut self, words: usize) -> Outcome<()> {
        let at = self.len >> BITS;
        if at == self.pieces.len() {
            self.pieces.grow_push(Piece::default())?;
        }
        let (before, rest) = self.pieces.split_at_mut(at);
        let piece = &mut rest[0];
        if piece.words.len() + words > u32::MAX as usize {
            return Err(Trouble::Memory(Exhausted::Machine));
        }
        let (more_ends, more_words) = piece.wanted(words, before.last());
        self.bytes -= piece.bytes();
        let done = piece
            .ends
            .try_reserve_exact(more_ends)
            .and_then(|()| piece.words.try_reserve_exact(more_words));
        self.bytes += piece.bytes();
        done.map_err(no_memory)
    }
}

impl Keys for Varied {
    type Key = [u32];

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn get(&self, id: u32) -> &[u32] {
        let piece = &self.pieces[(id >> BITS) as usize];
        &piece.words[piece.span(id as usize & (PIECE - 1))]
    }

    #[inline]
    fn growth(&self, key: &[u32]) -> usize {
        let (last, before) = self.last();
        // What grows may have to move: old and new are there at the same time.
        let moved = |more: usize, len: usize| if more == 0 { 0 } else { 4 * (more + len) };
        match last {
            Some(piece) => {
                let (ends, words) = piece.wanted(key.len(), before);
                moved(ends, piece.ends.len()) + moved(words, piece.words.len())
            }
            None => {
                let (ends, words) = Piece::default().wanted(key.len(), before);
                4 * (ends + words) + list_growth(&self.pieces)
            }
        }
    }

    fn bound(&self, count: usize, bytes: usize) -> usize {
        // New pieces are as large as the last or as what goes into them needs; one of them moves.
        let (last, before) = self.last();
        let largest = last.into_iter().chain(before).map(Piece::bytes).max().unwrap_or(0);
        let pieces = count / PIECE + 2;
        pieces * (4 * PIECE + largest + largest / 16) + 3 * bytes + list_growth(&self.pieces)
    }

    #[inline]
    fn reserve(&mut self, key: &[u32]) -> Outcome<()> {
        let (last, _) = self.last();
        let fits = last.is_some_and(|piece| {
            piece.ends.len() < piece.ends.capacity()
                && key.len() <= piece.words.capacity() - piece.words.len()
        });
        if fits { Ok(()) } else { self.grow(key.len()) }
    }

    #[inline]
    fn push(&mut self, key: &[u32]) -> Outcome<()> {
        self.reserve(key)?;
        let piece = &mut self.pieces[self.len >> BITS];
        piece.words.grow_slice(key)?;
        piece.ends.grow_push(piece.words.len() as u32)?;
        self.len += 1;
        Ok(())
    }

    fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.pieces.truncate((len >> BITS) + 1);
        if let Some(piece) = self.pieces.get_mut(len >> BITS) {
            piece.ends.truncate(len & (PIECE - 1));
            piece.words.truncate(piece.ends.last().map_or(0, |&end| end as usize));
        }
        self.len = len;
        self.bytes = self.pieces.iter().map(Piece::bytes).sum();
    }

    #[inline]
    fn hash(key: &[u32]) -> u64 {
        let mut hash = SEED ^ key.len() as u64;
        let mut pairs = key.chunks_exact(2);
        for pair in &mut pairs {
            hash = fold(hash ^ (u64::from(pair[0]) | u64::from(pair[1]) << 32), FACTOR);
        }
        if let [word] = pairs.remainder() {
            hash = fold(hash ^ u64::from(*word), FACTOR);
        }
        fold(hash, FINAL)
    }

    /// Word by word: keys are short, and calling the library to compare them costs 7% of a search.
    #[inline]
    fn is(&self, id: u32, key: &[u32]) -> bool {
        let held = self.get(id);
        held.len() == key.len() && held.iter().zip(key).all(|(a, b)| a == b)
    }

    fn prefetch(&self, id: u32) {
        // Where the words are is itself a load; so only the first of the two is asked for ahead.
        prefetch(&self.pieces[(id >> BITS) as usize].ends[id as usize & (PIECE - 1)]);
    }

    fn bytes(&self) -> usize {
        self.bytes + self.pieces.capacity() * size_of::<Piece>()
    }

    /// The length of each key stands before it.
    fn stream(&self, len: u32, from: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        let (mut first, mut skipped) = (0, from);
        for piece in &self.pieces {
            let words = (piece.ends.len() + piece.words.len()) as u64;
            if skipped < words {
                break;
            }
            (first, skipped) = (first + PIECE as u32, skipped - words);
        }
        let keys = (first..len).map(|id| self.get(id));
        let words = keys.flat_map(|key| once(key.len() as u32).chain(key.iter().copied()));
        Box::new(words.skip(skipped as usize))
    }

    fn read<T, E: From<Trouble>>(
        mut word: impl FnMut() -> Result<u32, E>,
        act: impl FnOnce(&[u32]) -> T,
    ) -> Result<T, E> {
        let mut key = Vec::new();
        for _ in 0..word()? {
            key.grow_push(word()?)?;
        }
        Ok(act(&key))
    }
}

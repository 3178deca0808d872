//! Keys of any number of words.

use std::iter::once;

use super::keys::{FACTOR, FINAL, Hashing, Keys, List, Part, SEED};
use super::paged_vec::list_growth;
use crate::bits::fold;
use crate::cpu::prefetch;
use crate::error::{Error, Exhausted, Result};
use crate::grow::{Grow, GrowCopies, listed, no_memory};

/// Keys of any number of 32-bit words: four bytes a word, and four bytes a key to know where it
/// ends, but only where keys of differing length stand together.
#[derive(Debug, Default)]
pub struct Varied {
    pieces: Vec<Piece>,
    len: usize,
    bytes: usize,
}

/// Keys of 2^13 states, so that the ends fit 32 bits.
#[derive(Debug, Default)]
struct Piece {
    words: Vec<u32>,
    /// Words of each key, while all have as many; then there are no `ends`.
    ///
    /// Rules mostly take and put as many terms in each step, so that a level has keys of one length.
    /// Then it is known without a load where a key stands, and it can be asked for ahead.
    width: usize,
    ends: Vec<u32>,
}

const BITS: u32 = 13;
const PAGE: usize = 1 << BITS;

impl Piece {
    #[inline]
    fn span(&self, at: usize) -> std::ops::Range<usize> {
        if self.ends.is_empty() {
            return at * self.width..(at + 1) * self.width;
        }
        let from = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        from..self.ends[at] as usize
    }

    /// Whether ends are needed once a key of so many words comes behind the first `count`.
    #[inline]
    fn differs(&self, count: usize, words: usize) -> bool {
        !self.ends.is_empty() || count > 0 && words != self.width
    }

    /// How many more ends and words to reserve before a key is pushed behind the first `count`.
    /// `guide`: the piece before, which was as long as this one will be; within 1/64, mostly.
    fn wanted(&self, count: usize, words: usize, guide: Option<&Piece>) -> (usize, usize) {
        let ends = match guide {
            _ if !self.differs(count, words) || count < self.ends.capacity() => 0,
            Some(_) => PAGE,
            None => (2 * count).clamp(64, PAGE),
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
        (ends.saturating_sub(self.ends.len()), words)
    }

    /// Adds a key behind the first `count`.
    #[inline]
    fn push(&mut self, count: usize, key: &[u32]) -> Result<()> {
        let differs = self.differs(count, key.len());
        self.words.grow_slice(key)?;
        if differs {
            return self.push_end(count);
        }
        self.width = key.len();
        Ok(())
    }

    /// Notes where the last key ends, and where those before it do unless that is noted already.
    fn push_end(&mut self, count: usize) -> Result<()> {
        if self.ends.is_empty() {
            let width = self.width;
            self.ends.grow_extend((1..=count).map(|at| (at * width) as u32))?;
        }
        self.ends.grow_push(self.words.len() as u32)
    }

    /// Forgets all but the first `count` keys.
    fn truncate(&mut self, count: usize) {
        let words = if count == 0 { 0 } else { self.span(count - 1).end };
        self.words.truncate(words);
        self.ends.truncate(count);
    }

    fn bytes(&self) -> usize {
        4 * (self.ends.capacity() + self.words.capacity())
    }
}

impl Part<[u32]> for &mut Varied {
    #[inline]
    fn put(&mut self, key: &[u32]) -> Result<()> {
        self.push(key)
    }
}

impl Varied {
    /// Makes sure that a key of so many words can be pushed.
    #[inline]
    fn reserve_words(&mut self, words: usize) -> Result<()> {
        let (last, _) = self.last();
        let count = self.len & (PAGE - 1);
        let fits = last.is_some_and(|piece| {
            (!piece.differs(count, words) || count < piece.ends.capacity())
                && words <= piece.words.capacity() - piece.words.len()
        });
        if fits { Ok(()) } else { self.grow(words) }
    }

    /// The piece that the next key goes to, if it exists, and the one before.
    #[inline]
    fn last(&self) -> (Option<&Piece>, Option<&Piece>) {
        let at = self.len >> BITS;
        (self.pieces.get(at), at.checked_sub(1).map(|before| &self.pieces[before]))
    }

    #[cold]
    fn grow(&mut self, words: usize) -> Result<()> {
        let at = self.len >> BITS;
        if at == self.pieces.len() {
            self.pieces.grow_push(Piece::default())?;
        }
        let (before, rest) = self.pieces.split_at_mut(at);
        let piece = &mut rest[0];
        if piece.words.len() + words > u32::MAX as usize {
            return Err(Error::Memory(Exhausted::Machine));
        }
        let (more_ends, more_words) = piece.wanted(self.len & (PAGE - 1), words, before.last());
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
    type List = Words;

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn get(&self, id: u32) -> &[u32] {
        let piece = &self.pieces[(id >> BITS) as usize];
        &piece.words[piece.span(id as usize & (PAGE - 1))]
    }

    #[inline]
    fn growth(&self, key: &[u32]) -> usize {
        let (last, before) = self.last();
        let count = self.len & (PAGE - 1);
        // What grows may have to move: old and new are there at the same time.
        let moved = |more: usize, len: usize| if more == 0 { 0 } else { 4 * (more + len) };
        match last {
            Some(piece) => {
                let (ends, words) = piece.wanted(count, key.len(), before);
                moved(ends, piece.ends.len()) + moved(words, piece.words.len())
            }
            None => {
                let (ends, words) = Piece::default().wanted(0, key.len(), before);
                4 * (ends + words) + list_growth(&self.pieces)
            }
        }
    }

    fn bound(&self, count: usize, bytes: usize) -> usize {
        // New pieces are as large as the last or as what goes into them needs; one of them moves.
        let (last, before) = self.last();
        let largest = last.into_iter().chain(before).map(Piece::bytes).max().unwrap_or(0);
        let pieces = count / PAGE + 2;
        pieces * (4 * PAGE + largest + largest / 16) + 3 * bytes + list_growth(&self.pieces)
    }

    #[inline]
    fn reserve(&mut self, key: &[u32]) -> Result<()> {
        self.reserve_words(key.len())
    }

    #[inline]
    fn push(&mut self, key: &[u32]) -> Result<()> {
        self.reserve(key)?;
        self.pieces[self.len >> BITS].push(self.len & (PAGE - 1), key)?;
        self.len += 1;
        Ok(())
    }

    type Part<'a> = &'a mut Varied;

    /// One for all: where a key goes depends on those before it.
    fn parts(&mut self, more: usize) -> Result<Vec<(&mut Varied, usize)>> {
        listed([(self, more)])
    }

    fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.pieces.truncate((len >> BITS) + 1);
        if let Some(piece) = self.pieces.get_mut(len >> BITS) {
            piece.truncate(len & (PAGE - 1));
        }
        self.len = len;
        self.bytes = self.pieces.iter().map(Piece::bytes).sum();
    }

    #[inline]
    fn hash(key: &[u32], _: Hashing) -> u64 {
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
    fn same(one: &[u32], other: &[u32]) -> bool {
        one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a == b)
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        let (piece, at) = (&self.pieces[(id >> BITS) as usize], id as usize & (PAGE - 1));
        // Where the words are may be a load itself; then only the first of the two is asked for.
        match piece.ends.get(at) {
            Some(end) => prefetch(end),
            None => piece.words.get(at * piece.width).into_iter().for_each(prefetch),
        }
    }

    fn bytes(&self) -> usize {
        self.bytes + self.pieces.capacity() * size_of::<Piece>()
    }

    /// The length of each key stands before it.
    fn stream(&self, len: u32, from: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        let (mut first, mut skipped) = (0, from);
        for piece in &self.pieces {
            let words = (PAGE + piece.words.len()) as u64; // of all but the last
            if skipped < words {
                break;
            }
            (first, skipped) = (first + PAGE as u32, skipped - words);
        }
        let keys = (first..len).map(|id| self.get(id));
        let words = keys.flat_map(|key| once(key.len() as u32).chain(key.iter().copied()));
        Box::new(words.skip(skipped as usize))
    }

    fn read<T>(mut word: impl FnMut() -> Result<u32>, act: impl FnOnce(&[u32]) -> T) -> Result<T> {
        let mut key = Vec::new();
        for _ in 0..word()? {
            key.grow_push(word()?)?;
        }
        Ok(act(&key))
    }
}

/// Keys of any number of words for a while: their words, and where each ends.
#[derive(Debug, Default)]
pub struct Words {
    words: Vec<u32>,
    ends: Vec<usize>,
}

impl Words {
    /// Where the words of the next key are to be appended. `close` makes a key of them; without it,
    /// `truncate` forgets them.
    #[inline]
    pub fn open(&mut self) -> &mut Vec<u32> {
        &mut self.words
    }

    #[inline]
    pub fn close(&mut self) -> Result<()> {
        self.ends.grow_push(self.words.len())
    }
}

impl List<[u32]> for Words {
    #[inline]
    fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    fn get(&self, at: usize) -> &[u32] {
        let from = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.words[from..self.ends[at]]
    }

    #[inline]
    fn push(&mut self, key: &[u32]) -> Result<()> {
        self.words.grow_slice(key)?;
        self.close()
    }

    fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.words.truncate(self.ends.last().copied().unwrap_or(0));
    }

    #[inline]
    fn prefetch(&self, at: usize) {
        prefetch(&self.ends[at]);
    }

    fn bytes(&self) -> usize {
        4 * self.words.capacity() + 8 * self.ends.capacity()
    }
}

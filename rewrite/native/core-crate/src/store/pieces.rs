//! An append-only array in pieces, which grows without moving what it holds.
//!
//! One doubling vector would be half empty after each doubling, and needs old and new at the same
//! time while it moves: three times its content at the worst moment. Here at most one piece is not
//! full. The price is one more load (of the list of pieces, which stays in the cache) an access.

use std::ops::{Index, IndexMut, Range};

use crate::TINY;
use crate::error::{Error, Result};
use crate::grow::{Grow, listed, no_memory};

/// 2^15 elements a piece: 256 KiB of one-word keys.
const BITS: u32 = if TINY {
    4
} else if cfg!(test) {
    8
} else {
    15
};
pub const PIECE: usize = 1 << BITS;
/// The first piece starts small and doubles, so that a small search costs nothing.
const FIRST: usize = if PIECE < 64 { PIECE } else { 64 };

/// The bytes that the list itself will ask for before one more piece: it doubles.
pub fn list_growth<P>(pieces: &Vec<P>) -> usize {
    let full = pieces.len() == pieces.capacity();
    if full { size_of::<P>() * (2 * pieces.capacity()).max(4) } else { 0 }
}

#[derive(Debug)]
pub struct Pieces<T> {
    pieces: Vec<Vec<T>>,
    len: usize,
    room: usize,
    /// How many pieces were given back.
    away: usize,
}

impl<T> Default for Pieces<T> {
    fn default() -> Pieces<T> {
        Pieces { pieces: Vec::new(), len: 0, room: 0, away: 0 }
    }
}

impl<T: Copy> Index<usize> for Pieces<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        self.get(at)
    }
}

impl<T: Copy> IndexMut<usize> for Pieces<T> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        self.get_mut(at)
    }
}

impl<T: Copy> Pieces<T> {
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn get(&self, at: usize) -> &T {
        &self.pieces[at >> BITS][at & (PIECE - 1)]
    }

    #[inline]
    pub fn get_mut(&mut self, at: usize) -> &mut T {
        &mut self.pieces[at >> BITS][at & (PIECE - 1)]
    }

    /// The bytes that the next `push` will ask the machine for.
    #[inline]
    pub fn growth(&self) -> usize {
        if self.len < self.room { 0 } else { self.asked() }
    }

    /// The bytes that pushing `more` values will ask for, at most.
    pub fn bound(&self, more: usize) -> usize {
        size_of::<T>() * (more + PIECE) + list_growth(&self.pieces)
    }

    /// Makes sure that the next `push` cannot fail.
    #[inline]
    pub fn reserve(&mut self) -> Result<()> {
        if self.len < self.room { Ok(()) } else { self.grow() }
    }

    #[inline]
    pub fn push(&mut self, value: T) -> Result<()> {
        self.reserve()?;
        self.pieces[self.len >> BITS].grow_push(value)?;
        self.len += 1;
        Ok(())
    }

    /// Makes room for so many more and hands it out: the pieces in order, with how many values are to be
    /// pushed to each. They count as pushed from now on.
    pub fn open(&mut self, more: usize) -> Result<Vec<(&mut Vec<T>, usize)>> {
        let (from, len) = (self.len, self.len + more);
        while self.room < len {
            self.grow()?;
        }
        self.len = len;
        let pieces = self.pieces.iter_mut().enumerate().skip(from >> BITS);
        let counted = pieces.map(|(at, piece)| {
            let end = len.min((at + 1) << BITS);
            (piece, end.saturating_sub(from.max(at << BITS)))
        });
        listed(counted.filter(|&(_, count)| count > 0))
    }

    /// Fills up with a value.
    pub fn grow_to(&mut self, len: usize, value: T) -> Result<()> {
        while self.len < len {
            self.push(value)?;
        }
        Ok(())
    }

    /// Forgets all but the first `len`, and gives back all pieces but the one that is begun.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.pieces.truncate((len >> BITS) + 1);
        if let Some(last) = self.pieces.get_mut(len >> BITS) {
            last.truncate(len & (PIECE - 1));
        }
        self.len = len;
        self.room = match self.pieces.as_slice() {
            [only] => only.capacity().min(PIECE),
            more => more.len() * PIECE,
        };
    }

    /// Gives back all pieces that lie in a range, but for the first: what is asked for all the time
    /// stands there. What was in them must not be asked for until it is put back.
    pub fn shed(&mut self, range: Range<usize>) {
        let first = range.start.div_ceil(PIECE).max(1);
        let pieces = first..(range.end.min(self.len) >> BITS).max(first);
        for piece in self.pieces.get_mut(pieces).unwrap_or_default() {
            self.away += usize::from(!piece.is_empty());
            *piece = Vec::new();
        }
    }

    /// Whether a value is here.
    #[inline]
    pub fn holds(&self, at: usize) -> bool {
        !self.pieces[at >> BITS].is_empty()
    }

    /// Puts back the whole piece in which a value stands that was given back; `read` tells its values.
    pub fn put_back<E: From<Error>>(
        &mut self,
        at: usize,
        mut read: impl FnMut() -> Result<T, E>,
    ) -> Result<(), E> {
        let mut piece = Vec::new();
        piece.try_reserve_exact(PIECE).map_err(no_memory)?;
        for _ in 0..PIECE {
            piece.grow_push(read()?)?;
        }
        self.pieces[at >> BITS] = piece;
        self.away -= 1;
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        let room = self.room - self.away * PIECE;
        room * size_of::<T>() + self.pieces.capacity() * size_of::<Vec<T>>()
    }

    /// The room after growing.
    fn grown(&self) -> usize {
        if self.room >= PIECE { self.room + PIECE } else { FIRST.max(2 * self.room) }
    }

    /// The bytes to ask for: the first piece moves while it doubles, later ones stay in place.
    #[cold]
    fn asked(&self) -> usize {
        let stays = if self.room >= PIECE { self.room } else { 0 };
        (self.grown() - stays) * size_of::<T>() + list_growth(&self.pieces)
    }

    #[cold]
    fn grow(&mut self) -> Result<()> {
        let room = self.grown();
        if self.room >= PIECE || self.room == 0 {
            let mut piece = Vec::new();
            piece.try_reserve_exact(room - self.room).map_err(no_memory)?;
            self.pieces.grow_push(piece)?;
        } else {
            let first = &mut self.pieces[0];
            first.try_reserve_exact(room - first.len()).map_err(no_memory)?;
        }
        self.room = room;
        Ok(())
    }
}

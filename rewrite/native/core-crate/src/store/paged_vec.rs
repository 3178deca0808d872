//! An append-only array in pages, which grows without moving its elements.
//!
//! One doubling vector would be half empty after each doubling, and needs old and new at the same
//! time while it moves: three times its content at the worst moment. Here at most one page is not
//! full. The price is one more load (of the list of pages, which stays in the cache) an access.

use std::ops::{Index, IndexMut, Range};

use crate::TINY;
use crate::error::Result;
use crate::grow::{Grow, listed, no_memory};

/// 2^15 elements a page: 256 KiB of one-word keys.
const BITS: u32 = if TINY {
    4
} else if cfg!(test) {
    8
} else {
    15
};
pub const PAGE: usize = 1 << BITS;
/// The first page starts small and doubles, so that a small search costs nothing.
const FIRST: usize = if PAGE < 64 { PAGE } else { 64 };

/// The bytes that the list itself will ask for before one more page: it doubles.
pub fn list_growth<P>(pages: &Vec<P>) -> usize {
    let full = pages.len() == pages.capacity();
    if full { size_of::<P>() * (2 * pages.capacity()).max(4) } else { 0 }
}

#[derive(Debug)]
pub struct PagedVec<T> {
    pages: Vec<Vec<T>>,
    len: usize,
    capacity: usize,
    /// The number of evicted pages.
    spilled: usize,
}

impl<T> Default for PagedVec<T> {
    fn default() -> PagedVec<T> {
        PagedVec { pages: Vec::new(), len: 0, capacity: 0, spilled: 0 }
    }
}

impl<T: Copy> Index<usize> for PagedVec<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.pages[at >> BITS][at & (PAGE - 1)]
    }
}

impl<T: Copy> IndexMut<usize> for PagedVec<T> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut self.pages[at >> BITS][at & (PAGE - 1)]
    }
}

impl<T: Copy> PagedVec<T> {
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The bytes that the next `push` will allocate.
    #[inline]
    pub fn growth(&self) -> usize {
        if self.len < self.capacity { 0 } else { self.asked() }
    }

    /// The most bytes that pushing `more` values will allocate.
    pub fn bound(&self, more: usize) -> usize {
        size_of::<T>() * (more + PAGE) + list_growth(&self.pages)
    }

    /// Makes sure that the next `push` cannot fail.
    #[inline]
    pub fn reserve(&mut self) -> Result<()> {
        if self.len < self.capacity { Ok(()) } else { self.grow() }
    }

    #[inline]
    pub fn push(&mut self, value: T) -> Result<()> {
        self.reserve()?;
        self.pages[self.len >> BITS].grow_push(value)?;
        self.len += 1;
        Ok(())
    }

    /// Makes room for so many more and hands it out: the pages in order, with how many values are to be
    /// pushed to each. They count as pushed from now on.
    pub fn open(&mut self, more: usize) -> Result<Vec<(&mut Vec<T>, usize)>> {
        let (from, len) = (self.len, self.len + more);
        while self.capacity < len {
            self.grow()?;
        }
        self.len = len;
        let pages = self.pages.iter_mut().enumerate().skip(from >> BITS);
        let counted = pages.map(|(at, page)| {
            let end = len.min((at + 1) << BITS);
            (page, end.saturating_sub(from.max(at << BITS)))
        });
        listed(counted.filter(|&(_, count)| count > 0))
    }

    pub fn grow_to(&mut self, len: usize, value: T) -> Result<()> {
        while self.len < len {
            self.push(value)?;
        }
        Ok(())
    }

    /// Forgets all but the first `len`, and gives back all pages but the one that is begun.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.pages.truncate((len >> BITS) + 1);
        if let Some(last) = self.pages.get_mut(len >> BITS) {
            last.truncate(len & (PAGE - 1));
        }
        self.len = len;
        self.capacity = match self.pages.as_slice() {
            [only] => only.capacity().min(PAGE),
            more => more.len() * PAGE,
        };
    }

    /// Gives back all pages that lie in a range, but for the first: what is asked for all the time
    /// stands there. What was in them must not be asked for until it is put back.
    pub fn evict(&mut self, range: Range<usize>) {
        let first = range.start.div_ceil(PAGE).max(1);
        let pages = first..(range.end.min(self.len) >> BITS).max(first);
        for page in self.pages.get_mut(pages).unwrap_or_default() {
            self.spilled += usize::from(!page.is_empty());
            *page = Vec::new();
        }
    }

    #[inline]
    pub fn holds(&self, at: usize) -> bool {
        !self.pages[at >> BITS].is_empty()
    }

    /// Reloads the whole page of an evicted value; `read` returns its values.
    pub fn put_back(&mut self, at: usize, mut read: impl FnMut() -> Result<T>) -> Result<()> {
        let mut page = Vec::new();
        page.try_reserve_exact(PAGE).map_err(no_memory)?;
        for _ in 0..PAGE {
            page.grow_push(read()?)?;
        }
        self.pages[at >> BITS] = page;
        self.spilled -= 1;
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        let capacity = self.capacity - self.spilled * PAGE;
        capacity * size_of::<T>() + self.pages.capacity() * size_of::<Vec<T>>()
    }

    fn grown(&self) -> usize {
        if self.capacity >= PAGE { self.capacity + PAGE } else { FIRST.max(2 * self.capacity) }
    }

    /// The bytes to ask for: the first page moves while it doubles, later ones stay in place.
    #[cold]
    fn asked(&self) -> usize {
        let stays = if self.capacity >= PAGE { self.capacity } else { 0 };
        (self.grown() - stays) * size_of::<T>() + list_growth(&self.pages)
    }

    #[cold]
    fn grow(&mut self) -> Result<()> {
        let capacity = self.grown();
        if self.capacity >= PAGE || self.capacity == 0 {
            let mut page = Vec::new();
            page.try_reserve_exact(capacity - self.capacity).map_err(no_memory)?;
            self.pages.grow_push(page)?;
        } else {
            let first = &mut self.pages[0];
            first.try_reserve_exact(capacity - first.len()).map_err(no_memory)?;
        }
        self.capacity = capacity;
        Ok(())
    }
}

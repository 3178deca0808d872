//! How a node lies in memory.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A node begins with a word that holds its shape (3 bits) and its length (29 bits); what follows
/// depends on the shape. Shapes are numbered in the canonical order of what has them.
pub mod shape {
    /// Nothing; the length is 0 or 1.
    pub const TRUTH: u32 = 0;
    /// The digits of a negative int beyond 62 bits, base 2^32, lowest first.
    pub const NEGATIVE: u32 = 1;
    /// The two's complement of an int of 32 to 62 bits, low word first. In registers a small int,
    /// in memory without header: its address says it.
    pub const WIDE: u32 = 2;
    /// As NEGATIVE.
    pub const POSITIVE: u32 = 3;
    /// UTF-8, the first byte highest in its word: then words compare as texts do. Length in bytes.
    pub const STR: u32 = 4;
    /// Packed elements.
    pub const SEQ: u32 = 5;
    /// The number of a mark, then packed elements. The length counts the mark.
    pub const MARKED: u32 = 6;
}

pub const fn header(shape: u32, len: usize) -> u32 {
    (len as u32) << 3 | shape
}

/// A node: its header and the words from there to the end of the piece of memory it lies in.
pub struct Node<'a> {
    pub header: u32,
    pub rest: &'a [AtomicU32],
}

impl<'a> Node<'a> {
    #[inline]
    pub fn shape(&self) -> u32 {
        self.header & 7
    }

    #[inline]
    pub fn len(&self) -> usize {
        (self.header >> 3) as usize
    }

    #[inline]
    pub fn is_tuple(&self) -> bool {
        self.shape() >= shape::SEQ
    }

    #[inline]
    pub fn words(&self) -> &'a [AtomicU32] {
        let words = match self.shape() {
            shape::TRUTH => 0,
            shape::STR => self.len().div_ceil(4),
            _ => self.len(),
        };
        &self.rest[..words]
    }

    #[inline]
    pub fn word(&self, place: usize) -> u32 {
        self.rest[place].load(Relaxed)
    }
}

//! How a node lies in memory, and the canonical order of values.

use std::cmp::Ordering;
use std::iter;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::Interner;
use crate::value::Val;

/// A node begins with a word that holds its shape (3 bits) and its length (29 bits); what follows
/// depends on the shape. Shapes are numbered in the canonical order of what has them.
pub mod shape {
    /// A truth value: no words; the length is 0 or 1.
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

/// A node: its header and the words from there to the end of its chunk.
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

impl Interner {
    /// The canonical order: bool < int < str < sequence < nested bag < constructor term, by value
    /// inside each; marks alone last. The order of `key_of` in the Python engine.
    #[inline]
    pub fn cmp(&self, a: Val, b: Val) -> Ordering {
        match Val::as_smalls(a, b) {
            Some((a, b)) => a.cmp(&b),
            None if a == b => Ordering::Equal,
            None => self.cmp_unequal(a, b),
        }
    }

    /// The first elements that differ decide, and that they do differ is seen without looking into
    /// them.
    fn cmp_unequal(&self, mut a: Val, mut b: Val) -> Ordering {
        loop {
            let (Some(x), Some(y)) = (self.node_of(a), self.node_of(b)) else {
                let key = |value: Val| (self.rank(value), value.as_small(), value.as_ctor());
                return key(a).cmp(&key(b));
            };
            if x.shape() != y.shape() {
                return x.shape().cmp(&y.shape());
            }
            if x.shape() < shape::STR {
                return cmp_digits(&x, &y);
            }
            let mut pairs = x.words().iter().zip(y.words());
            let differ = |(x, y): (&AtomicU32, &AtomicU32)| x.load(Relaxed) != y.load(Relaxed);
            match pairs.position(differ) {
                None => return x.len().cmp(&y.len()),
                // marks are numbered in canonical order
                Some(0) if x.shape() == shape::MARKED => return x.word(0).cmp(&y.word(0)),
                Some(place) if x.shape() == shape::STR => return x.word(place).cmp(&y.word(place)),
                Some(place) => (a, b) = (self.unpack(x.word(place)), self.unpack(y.word(place))),
            }
        }
    }

    fn rank(&self, value: Val) -> u32 {
        match self.node_of(value) {
            Some(node) => node.shape(),
            None if value.is_small() => shape::WIDE,
            None => u32::MAX,
        }
    }
}

/// The order of the two truth values, or of two different ints of one sign beyond 62 bits.
fn cmp_digits(x: &Node, y: &Node) -> Ordering {
    let highest_first = x.words().iter().zip(y.words()).rev();
    let orders = highest_first.map(|(x, y)| x.load(Relaxed).cmp(&y.load(Relaxed)));
    let size = iter::once(x.len().cmp(&y.len())).chain(orders).find(|order| order.is_ne());
    let size = size.unwrap_or(Ordering::Equal);
    if x.shape() == shape::NEGATIVE { size.reverse() } else { size }
}

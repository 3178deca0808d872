//! The canonical order of values.

use std::cmp::Ordering;
use std::iter;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::Interner;
use super::node::{Node, shape};
use crate::value::Val;

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

    /// Where a value stands among those of other shapes.
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

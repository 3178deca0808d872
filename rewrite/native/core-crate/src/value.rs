//! Terms as machine words: the contents of registers.
//!
//! The two low bits tag a word as a small int, a node of the interner, a temporary tuple, or the mark
//! of a constructor. All but temporary tuples are canonical: small ints are always stored inline and
//! everything else is hash-consed, so equal terms are equal words. `interner` defines the contents of
//! nodes, the machine those of temporary tuples.

use std::fmt;

/// A term, or the constructor mark in front of a term's arguments.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Val(u64);

const TAG: u64 = 3;
const SMALL: u64 = 0;
const NODE: u64 = 1;
const TMP: u64 = 2;
const CTOR: u64 = 3;

/// The first address of every arena. Not 0: see `interner::arena`.
pub(crate) const FIRST_ADDRESS: u32 = 1 << 14;

impl Val {
    pub const SMALL_MIN: i64 = -(1 << 61);
    pub const SMALL_MAX: i64 = (1 << 61) - 1;
    /// The first two nodes of every interner.
    pub const FALSE: Val = Val::node(FIRST_ADDRESS);
    pub const TRUE: Val = Val::node(FIRST_ADDRESS + 1);
    /// The mark of nested bags; sorts below all constructor marks, as bags sort below all terms.
    pub const BAG: Val = Val::ctor(0);
    /// The longest temporary tuple.
    pub const TMP_MAX: u32 = (1 << 30) - 1;

    /// A small int; None if it needs a node.
    #[inline]
    pub const fn small(n: i64) -> Option<Val> {
        let shifted = n << 2;
        if shifted >> 2 == n { Some(Val(shifted as u64)) } else { None }
    }

    /// A small int that is known to fit.
    #[inline]
    pub const fn from_small(n: i64) -> Val {
        debug_assert!(Val::SMALL_MIN <= n && n <= Val::SMALL_MAX);
        Val((n << 2) as u64)
    }

    #[inline]
    pub const fn is_small(self) -> bool {
        self.0 & TAG == SMALL
    }

    #[inline]
    pub const fn as_small(self) -> Option<i64> {
        if self.is_small() { Some(self.0 as i64 >> 2) } else { None }
    }

    /// Two small ints, with one test for both.
    #[inline]
    pub const fn as_smalls(a: Val, b: Val) -> Option<(i64, i64)> {
        if (a.0 | b.0) & TAG == SMALL { Some((a.0 as i64 >> 2, b.0 as i64 >> 2)) } else { None }
    }

    #[inline]
    pub const fn truth(value: bool) -> Val {
        if value { Val::TRUE } else { Val::FALSE }
    }

    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    pub(crate) const fn of_bits(bits: u64) -> Val {
        Val(bits)
    }

    /// The node at an address of the interner.
    #[inline]
    pub(crate) const fn node(address: u32) -> Val {
        Val((address as u64) << 2 | NODE)
    }

    /// Whether this is a node: a truth value, a large int, a text or an interned tuple.
    #[inline]
    pub const fn is_ref(self) -> bool {
        self.0 & TAG == NODE
    }

    #[inline]
    pub(crate) const fn as_node(self) -> Option<u32> {
        if self.is_ref() { Some((self.0 >> 2) as u32) } else { None }
    }

    /// A window of a machine's scratch memory. Equal windows are equal terms, but not conversely.
    #[inline]
    pub const fn tmp(start: u32, len: u32) -> Val {
        debug_assert!(len <= Val::TMP_MAX);
        Val((start as u64) << 32 | (len as u64) << 2 | TMP)
    }

    #[inline]
    pub const fn is_tmp(self) -> bool {
        self.0 & TAG == TMP
    }

    /// Start and length of a temporary tuple.
    #[inline]
    pub const fn as_tmp(self) -> Option<(u32, u32)> {
        if self.is_tmp() { Some(((self.0 >> 32) as u32, self.0 as u32 >> 2)) } else { None }
    }

    /// The mark of a constructor. The program builder numbers them from 1 in canonical order.
    #[inline]
    pub const fn ctor(number: u32) -> Val {
        Val((number as u64) << 2 | CTOR)
    }

    #[inline]
    pub const fn is_ctor(self) -> bool {
        self.0 & TAG == CTOR
    }

    #[inline]
    pub const fn as_ctor(self) -> Option<u32> {
        if self.is_ctor() { Some((self.0 >> 2) as u32) } else { None }
    }
}

/// The kind of a term, by which states group their terms; `Ctor` is a mark alone.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Kind {
    Bool,
    Int,
    Str,
    Seq,
    Bag,
    Term(u32),
    Ctor,
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Kind::Bool => "a truth value",
            Kind::Int => "a whole number",
            Kind::Str => "a text",
            Kind::Seq => "a sequence",
            Kind::Bag => "a nested bag",
            Kind::Term(_) => "a term",
            Kind::Ctor => "a constructor",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_int_comes_back_and_one_beyond_the_border_is_refused() {
        for n in [0, 1, -1, 1 << 30, -(1 << 30), Val::SMALL_MIN, Val::SMALL_MAX] {
            assert_eq!(Val::small(n).and_then(Val::as_small), Some(n));
            assert_eq!(Val::small(n), Some(Val::from_small(n)));
        }
        for n in [Val::SMALL_MIN - 1, Val::SMALL_MAX + 1, i64::MIN, i64::MAX] {
            assert_eq!(Val::small(n), None);
        }
    }

    #[test]
    fn a_word_is_only_what_it_was_made_as() {
        let (start, len) = (u32::MAX, Val::TMP_MAX);
        assert_eq!(Val::tmp(start, len).as_tmp(), Some((start, len)));
        assert_eq!(Val::ctor(u32::MAX).as_ctor(), Some(u32::MAX));
        assert_eq!(Val::node(u32::MAX).as_node(), Some(u32::MAX));
        let kinds = |v: Val| [v.is_small(), v.is_ref(), v.is_tmp(), v.is_ctor()];
        assert_eq!(kinds(Val::from_small(-1)), [true, false, false, false]);
        assert_eq!(kinds(Val::TRUE), [false, true, false, false]);
        assert_eq!(kinds(Val::tmp(0, 0)), [false, false, true, false]);
        assert_eq!(kinds(Val::BAG), [false, false, false, true]);
        let (one, no) = (Val::from_small(1), Val::TRUE);
        assert_eq!((one.as_small(), no.as_small()), (Some(1), None));
        assert_eq!(Val::as_smalls(one, one), Some((1, 1)));
        assert_eq!((Val::as_smalls(one, no), Val::as_smalls(no, one)), (None, None));
    }
}

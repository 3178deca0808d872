//! Short tuples in the keys of states: a few ints, written out.
//!
//! In a key a value is one word, its packed form, but for tuples of a few ints, their mark perhaps
//! among them: those are *written out*, so that neither making nor reading a state has to look them
//! up. Which ones is a question of their ints alone, so that equal values are equal words here too:
//!
//!   0                   an int of 31 bits
//!   1, below 7 << 29    the address of a node; a tuple that is not short among others
//!   1110 mark form data up to five ints of 4 bits, one of 20 or two of 10; with the mark in one word
//!   1111 mark size …    ints of 4, 8, 16, 32 or 64 bits, as few as all of them need; words follow
//!
//! Inside nodes all is one word, and a short tuple is a node as any other; but it lies in an arena
//! of its own, so that an address tells by itself that what is there is written out in keys.

use super::node::{header, shape};
use super::{INLINE, Interner, SHORT, WIDE};
use crate::error::Result;
use crate::grow::Grow;
use crate::value::Val;

/// The bits of all ints together, at most.
const MOST_BITS: u32 = 256;
const MOST_ITEMS: usize = MOST_BITS as usize / 4;
const TINY: u32 = 0xE << 28 | 1;
const LARGE: u32 = 0xF << 28 | 1;
/// Of the one-word form: the bits of its ints, and where the form and the mark stand.
const DATA: u32 = 20;
const FORM_AT: u32 = 1 + DATA;
const MARK_AT: u32 = FORM_AT + 3;
/// Of the other one.
const SIGNED: u32 = 1 << 4;
const LEN_AT: u32 = 5;
const LARGE_MARK_AT: u32 = LEN_AT + 7;

/// How a short tuple is written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Form {
    /// The first word, without the ints that it may hold.
    head: u32,
    /// The bits of each int.
    bits: u32,
}

impl Form {
    /// The form of a tuple; None if it is not short.
    #[inline]
    fn of(mark: Option<u32>, ints: impl ExactSizeIterator<Item = Val>) -> Option<Form> {
        let len = ints.len();
        // the bits of all ints, of negative ones the others
        let (mut all, mut least) = (0, 0);
        for int in ints {
            let int = int.as_small()?;
            all |= int ^ int >> 63;
            least |= int;
        }
        let negative = least < 0;
        let needed = 64 - all.leading_zeros() + u32::from(negative);
        let mark = mark.map_or(0, |number| number.saturating_add(1));
        if mark < 16 && !negative {
            let tiny = |form: u32, bits| {
                Some(Form { head: TINY | form << FORM_AT | mark << MARK_AT, bits })
            };
            match len {
                0..=5 if needed <= 4 => return tiny(len as u32, 4),
                1 if needed <= 20 => return tiny(6, 20),
                2 if needed <= 10 => return tiny(7, 10),
                _ => (),
            }
        }
        let log = needed.max(4).next_power_of_two().trailing_zeros() - 2;
        let bits = 4 << log;
        let fits = len <= MOST_ITEMS && len as u32 * bits <= MOST_BITS && mark < 64;
        let signed = if negative { SIGNED } else { 0 };
        let head = LARGE | log << 1 | signed | (len as u32) << LEN_AT | mark << LARGE_MARK_AT;
        fits.then_some(Form { head, bits })
    }

    #[inline]
    fn write(self, ints: impl Iterator<Item = i64>, key: &mut Vec<u32>) -> Result<()> {
        let mask = u64::MAX >> (64 - self.bits);
        let (mut word, mut filled) = (0, 0);
        if self.head < LARGE {
            for int in ints {
                word |= (int as u32) << filled;
                filled += self.bits;
            }
            return key.grow_push(self.head | word << 1);
        }
        key.grow_push(self.head)?;
        let mut word = 0u64;
        for int in ints {
            word |= (int as u64 & mask) << filled;
            filled += self.bits;
            while filled >= 32 {
                key.grow_push(word as u32)?;
                word >>= 32;
                filled -= 32;
            }
        }
        if filled > 0 { key.grow_push(word as u32) } else { Ok(()) }
    }
}

/// Whether the value that begins with this word in a key is a short tuple.
#[inline]
pub fn is_short(word: u32) -> bool {
    word & 1 == 1 && word > INLINE << 1
}

/// The number of words in a key of the value that begins with this one.
#[inline]
pub fn words(word: u32) -> usize {
    if word & 1 == 0 || word < LARGE {
        return 1;
    }
    let (bits, len) = (4u32 << (word >> 1 & 7), word >> LEN_AT & 0x7f);
    1 + (bits * len).div_ceil(32) as usize
}

/// Appends the items of the short tuple, its mark included, that these words of a key begin with.
#[inline]
pub fn push_items(words: &[u32], out: &mut Vec<Val>) -> Result<()> {
    let head = words[0];
    let mut push_mark = |mark: u32, len: u32| {
        out.grow_by(len as usize + 1)?;
        if mark > 0 { out.grow_push(Val::ctor(mark - 1)) } else { Ok(()) }
    };
    if head < LARGE {
        let form = head >> FORM_AT & 7;
        let (len, bits) = match form {
            6 => (1, 20),
            7 => (2, 10),
            len => (len, 4),
        };
        push_mark(head >> MARK_AT & 15, len)?;
        let (mut data, mask) = (head >> 1, (1 << bits) - 1);
        return out.grow_extend((0..len).map(|_| {
            let item = Val::from_small(i64::from(data & mask));
            data >>= bits;
            item
        }));
    }
    let (bits, len) = (4u32 << (head >> 1 & 7), head >> LEN_AT & 0x7f);
    push_mark(head >> LARGE_MARK_AT & 63, len)?;
    if bits == 64 {
        let pairs = words[1..].chunks_exact(2).take(len as usize);
        let int = |pair: &[u32]| i64::from(pair[1] as i32) << 32 | i64::from(pair[0]);
        return out.grow_extend(pairs.map(|pair| Val::from_small(int(pair))));
    }
    let (beyond, per_word) = (64 - bits, 32 / bits);
    let signed = head & SIGNED != 0;
    out.grow_extend((0..len).map(|place| {
        let word = u64::from(words[1 + (place / per_word) as usize]);
        let raised = word >> (place % per_word * bits) << beyond;
        let int = if signed { raised as i64 >> beyond } else { (raised >> beyond) as i64 };
        Val::from_small(int)
    }))
}

/// Appends a short tuple if it is one; returns whether it is.
#[inline]
fn push_ints(
    mark: Option<u32>,
    ints: impl ExactSizeIterator<Item = Val> + Clone,
    key: &mut Vec<u32>,
) -> Result<bool> {
    let Some(form) = Form::of(mark, ints.clone()) else { return Ok(false) };
    form.write(ints.map(|item| item.as_small().unwrap_or(0)), key)?;
    Ok(true)
}

/// Appends what stands before the values of a group that others follow; returns whether the values
/// are still to be appended. With `nibbles`, ints below 16 are written out as one short tuple.
#[inline]
pub fn push_head(
    nibbles: bool,
    values: impl ExactSizeIterator<Item = Val> + Clone,
    key: &mut Vec<u32>,
) -> Result<bool> {
    let len = values.len();
    // no early exit, as the branch would be unpredictable
    let all = values.clone().fold(0, |all, value| all | value.bits());
    if !nibbles || len > MOST_ITEMS || all & !Val::from_small(15).bits() != 0 {
        return key.grow_push((len as u32) << 1).map(|()| true);
    }
    push_ints(None, values, key).map(|_| false)
}

/// Reads what `push_head` wrote, and appends the values that are written out; returns how many others
/// follow, and the words behind.
#[inline]
pub fn read_head<'a>(key: &'a [u32], out: &mut Vec<Val>) -> Result<(usize, &'a [u32])> {
    if !is_short(key[0]) {
        return Ok((key[0] as usize >> 1, &key[1..]));
    }
    push_items(key, out)?;
    Ok((0, &key[words(key[0])..]))
}

impl Interner {
    /// Appends a tuple in the form of keys if it is a short one; returns whether it is.
    #[inline]
    pub fn push_short(&self, items: &[Val], key: &mut Vec<u32>) -> Result<bool> {
        let marked = items.first().and_then(|first| first.as_ctor());
        push_ints(marked, items[usize::from(marked.is_some())..].iter().copied(), key)
    }

    /// Appends a canonical value in the form of keys.
    #[inline]
    pub fn push_packed(&self, value: Val, key: &mut Vec<u32>) -> Result<()> {
        match value.as_node() {
            Some(address) if (SHORT..WIDE).contains(&address) => self.push_short_node(value, key),
            _ => key.grow_push(self.pack(value)?),
        }
    }

    /// Appends groups of canonical values as a key; `nibbles` as the encoding says.
    pub fn push_groups(
        &self,
        nibbles: bool,
        groups: &[Vec<Val>],
        key: &mut Vec<u32>,
    ) -> Result<()> {
        for (number, group) in groups.iter().enumerate() {
            if number + 1 == groups.len() || push_head(nibbles, group.iter().copied(), key)? {
                group.iter().try_for_each(|&value| self.push_packed(value, key))?;
            }
        }
        Ok(())
    }

    #[cold]
    fn push_short_node(&self, value: Val, key: &mut Vec<u32>) -> Result<()> {
        let mut items = Vec::new();
        self.push_items(value, &mut items)?;
        let short = self.push_short(&items, key)?;
        debug_assert!(short, "only short tuples lie in that arena");
        Ok(())
    }

    /// The canonical value that begins a part of a key.
    pub fn unpack_first(&self, words: &[u32]) -> Result<Val> {
        if !is_short(words[0]) {
            return Ok(self.unpack(words[0]));
        }
        let mut items = Vec::new();
        push_items(words, &mut items)?;
        self.tuple(&items)
    }

    /// Whether the node of this header and these words is a short tuple.
    pub(super) fn is_short(&self, head: u32, words: &[u32]) -> bool {
        let (mark, ints) = match head & 7 {
            shape::SEQ => (None, words),
            shape::MARKED => (Some(words[0]), &words[1..]),
            _ => return false,
        };
        debug_assert_eq!(head, header(head & 7, words.len()));
        Form::of(mark, ints.iter().map(|&word| self.unpack(word))).is_some()
    }
}

#[cfg(test)]
mod tests;

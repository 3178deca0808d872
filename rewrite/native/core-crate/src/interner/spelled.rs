//! Values spelled out in words that mean the same in every process: addresses do not travel.
//!
//! An even word is an int of 31 bits. An odd one says what follows: its shape and its length.

use std::sync::atomic::Ordering::Relaxed;

use super::{Interner, WIDE, shape};
use crate::error::{Error, Result};
use crate::grow::Grow;
use crate::value::Val;

const SHAPE: u32 = 7;

impl Interner {
    /// Appends a canonical value.
    pub fn spell(&self, value: Val, out: &mut Vec<u32>) -> Result<()> {
        self.spell_word(self.pack(value)?, out)
    }

    fn spell_word(&self, word: u32, out: &mut Vec<u32>) -> Result<()> {
        if word & 1 == 0 {
            return out.grow_push(word);
        }
        let node = self.node(word >> 1);
        let kind = node.shape();
        // the length of a node has 29 bits, and beside the shape and the mark of an odd word 28 have room
        let len = node.len() as u32;
        if len >= 1 << 28 {
            return Err(Error::Unsupported("a term of 268,435,456 parts and more".into()));
        }
        out.grow_push(len << 4 | kind << 1 | 1)?;
        let words = node.words();
        let plain = match kind {
            shape::SEQ => 0,
            shape::MARKED => 1,
            _ => words.len(),
        };
        out.grow_extend(words[..plain].iter().map(|word| word.load(Relaxed)))?;
        words[plain..].iter().try_for_each(|word| self.spell_word(word.load(Relaxed), out))
    }

    /// Reads one value; `word` gives one after the other.
    pub fn spelled<E: From<Error>>(
        &self,
        word: &mut impl FnMut() -> Result<u32, E>,
    ) -> Result<Val, E> {
        let first = word()?;
        if first & 1 == 0 {
            return Ok(self.unpack(first));
        }
        let (kind, len) = (first >> 1 & SHAPE, (first >> 4) as usize);
        if kind != shape::SEQ && kind != shape::MARKED {
            return self.plain(kind, len, word);
        }
        let mut items = Vec::new();
        if kind == shape::MARKED {
            items.grow_push(Val::ctor(word()?))?;
        }
        while items.len() < len {
            items.grow_push(self.spelled(word)?)?;
        }
        Ok(self.tuple(&items)?)
    }

    /// A value whose words stand as they are.
    fn plain<E: From<Error>>(
        &self,
        kind: u32,
        len: usize,
        word: &mut impl FnMut() -> Result<u32, E>,
    ) -> Result<Val, E> {
        let count = match kind {
            shape::TRUTH => 0,
            shape::STR => len.div_ceil(4),
            _ => len,
        };
        let mut words = Vec::new();
        for _ in 0..count {
            words.grow_push(word()?)?;
        }
        if kind == shape::WIDE {
            let address = self.intern(super::header(kind, len), &words)?;
            debug_assert!(address >= WIDE);
            return Ok(self.unpack(address << 1 | 1));
        }
        Ok(self.intern_checked(kind, len, &words)?)
    }
}

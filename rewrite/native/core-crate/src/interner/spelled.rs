//! Values spelled out in words that mean the same in every process: addresses do not travel.
//!
//! An even word is an int of 31 bits. An odd one says what follows: its shape and its length.

use std::sync::atomic::Ordering::Relaxed;

use super::{Interner, WIDE, shape};
use crate::grow::Grow;
use crate::trouble::{Outcome, Trouble};
use crate::value::Val;

const SHAPE: u32 = 7;

impl Interner {
    /// Appends a canonical value. Takes no stack, however deep it nests.
    pub fn spell(&self, value: Val, out: &mut Vec<u32>) -> Outcome<()> {
        let mut waiting = Vec::new();
        waiting.grow_push(self.pack(value)?)?;
        while let Some(word) = waiting.pop() {
            if word & 1 == 0 {
                out.grow_push(word)?;
                continue;
            }
            let node = self.node(word >> 1);
            let kind = node.shape();
            // the length of a node has 29 bits, and beside the shape and the mark of an odd word 28 have room
            let len = node.len() as u32;
            if len >= 1 << 28 {
                return Err(Trouble::Unsupported("a term of 268,435,456 parts and more".into()));
            }
            out.grow_push(len << 4 | kind << 1 | 1)?;
            let words = node.words();
            let plain = match kind {
                shape::SEQ => 0,
                shape::MARKED => 1,
                _ => words.len(),
            };
            out.grow_extend(words[..plain].iter().map(|word| word.load(Relaxed)))?;
            waiting.grow_extend(words[plain..].iter().rev().map(|word| word.load(Relaxed)))?;
        }
        Ok(())
    }

    /// Reads one value; `word` gives one after the other.
    pub fn spelled<E: From<Trouble>>(
        &self,
        mut word: impl FnMut() -> Result<u32, E>,
    ) -> Result<Val, E> {
        // tuples that wait for items: how many are still to come, and what there is
        let mut waiting: Vec<(usize, Vec<Val>)> = Vec::new();
        loop {
            let mut value = {
                let first = word()?;
                if first & 1 == 0 {
                    self.unpack(first)
                } else {
                    let (kind, len) = (first >> 1 & SHAPE, (first >> 4) as usize);
                    match kind {
                        shape::SEQ | shape::MARKED => {
                            let mut items = Vec::new();
                            if kind == shape::MARKED {
                                items.grow_push(Val::ctor(word()?))?;
                            }
                            let left = len.saturating_sub(items.len());
                            waiting.grow_push((left, items))?;
                            match self.closed(&mut waiting)? {
                                Some(value) => value,
                                None => continue,
                            }
                        }
                        _ => self.plain(kind, len, &mut word)?,
                    }
                }
            };
            // what is complete is an item of what waits, which may be complete by that
            loop {
                let Some((left, items)) = waiting.last_mut() else { return Ok(value) };
                items.grow_push(value)?;
                *left -= 1;
                match self.closed(&mut waiting)? {
                    Some(tuple) => value = tuple,
                    None => break,
                }
            }
        }
    }

    /// The tuple that waits last, if nothing of it is missing.
    fn closed(&self, waiting: &mut Vec<(usize, Vec<Val>)>) -> Outcome<Option<Val>> {
        match waiting.pop_if(|(left, _)| *left == 0) {
            Some((_, items)) => self.tuple(&items).map(Some),
            None => Ok(None),
        }
    }

    /// A value whose words stand as they are.
    fn plain<E: From<Trouble>>(
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

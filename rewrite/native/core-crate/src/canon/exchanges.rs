//! Canonical forms of states in slots with interchangeable values, without listing the group.
//!
//! The twin of `exchanges.py`.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use super::Field;
use super::labelling::{MOST_BITS, Naming, Occurrence};
use crate::error::Result;
use crate::grow::{Grow, GrowCopies};

/// No template: the term contains no interchangeable value.
pub(super) const PLAIN: u32 = u32::MAX;
/// No term.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Sets of interchangeable values, and the fields in which they occur.
#[derive(Debug)]
pub struct Exchanges {
    pub(super) fields: Vec<Field>,
    /// Which fields values stand in, in order, …
    pub(super) touched: Vec<Touched>,
    /// … what these hold, number by number.
    pub(super) held: Vec<Occurrence>,
    /// For each word, the bits of all other fields.
    pub(super) others: Vec<u64>,
    /// For each value the first one of its set.
    pub(super) firsts: Vec<u8>,
    /// For each template where its targets begin.
    pub(super) templates: Vec<u32>,
    /// (field, number) for all tuples of values of a template.
    pub(super) targets: Vec<(u32, u32)>,
}

/// A field, and where the terms of its numbers are described.
#[derive(Debug)]
pub(super) struct Touched {
    pub(super) field: u32,
    pub(super) held: u32,
}

/// Buffers, reused from state to state.
#[derive(Debug, Default)]
pub struct ExchangesScratch {
    naming: Naming,
    /// The words of the state without interchangeable values.
    kept: Vec<u64>,
}

impl Exchanges {
    pub fn apply(&self, key: &mut [u64], scratch: &mut ExchangesScratch) -> Result<()> {
        self.read(key, scratch)?;
        scratch.naming.name(&self.firsts)?;
        for (word, kept) in key.iter_mut().zip(&scratch.kept) {
            *word = *kept;
        }
        self.put(&scratch.naming.found, &scratch.naming.names, key);
        Ok(())
    }

    fn read(&self, key: &[u64], scratch: &mut ExchangesScratch) -> Result<()> {
        scratch.naming.found.clear();
        scratch.naming.few = self.templates.len() <= MOST_BITS as usize;
        let kept = key.iter().zip(&self.others).map(|(word, others)| word & others);
        scratch.kept.refill(kept)?;
        for touched in &self.touched {
            let field = &self.fields[touched.field as usize];
            let number = field.place.held(key);
            assert!(number < field.values, "the symmetries do not know what a field holds");
            let occurrence = self.held[touched.held as usize + number as usize];
            if occurrence.template == PLAIN {
                field.place.put(&mut scratch.kept, number);
            } else {
                scratch.naming.found.grow_push(occurrence)?;
            }
        }
        Ok(())
    }

    /// Adds the occurrences to a state, renamed.
    fn put(&self, found: &[Occurrence], names: &[u8], key: &mut [u64]) {
        for one in found {
            let mut at = 0;
            for &value in one.values() {
                at = at * self.firsts.len() + names[value as usize] as usize;
            }
            let (field, number) = self.targets[self.templates[one.template as usize] as usize + at];
            // a symmetry leads to terms of some field only
            self.fields[field as usize].place.put(key, number.into());
        }
    }
}

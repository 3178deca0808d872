//! Canonical forms of states in slots where values may all be exchanged: no list of the group.
//!
//! The twin of `exchanges.py`.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use super::Field;
use super::labelling::{MOST_BITS, Naming, Occurrence};
use crate::grow::Grow;
use crate::trouble::{Outcome, Trouble};

/// Stands for no template: no value stands there.
pub(super) const PLAIN: u32 = u32::MAX;
/// Stands for no term.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Values that may be exchanged for others of their set, and the fields in which they stand.
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

/// A field, and where what it holds is described.
#[derive(Debug)]
pub(super) struct Touched {
    pub(super) field: u32,
    pub(super) held: u32,
}

/// Memory for bringing states to their canonical form. Reused.
#[derive(Debug, Default)]
pub struct ExchangesRoom {
    naming: Naming,
    /// Words of the state without its values.
    kept: Vec<u64>,
}

impl Exchanges {
    /// Replaces a state by its canonical form. A value of a field that is not known is an internal
    /// error, and the state stays as it was.
    pub fn apply(&self, key: &mut [u64], room: &mut ExchangesRoom) -> Outcome<()> {
        self.read(key, room)?;
        room.naming.name(&self.firsts)?;
        for (word, kept) in key.iter_mut().zip(&room.kept) {
            *word = *kept;
        }
        self.put(&room.naming.found, &room.naming.names, key)
    }

    /// Notes what stands in the fields.
    fn read(&self, key: &[u64], room: &mut ExchangesRoom) -> Outcome<()> {
        room.naming.found.clear();
        room.naming.few = self.templates.len() <= MOST_BITS as usize;
        room.kept.clear();
        room.kept.grow_extend(key.iter().zip(&self.others).map(|(word, others)| word & others))?;
        for touched in &self.touched {
            let field = &self.fields[touched.field as usize];
            let number = field.of(key);
            if number >= field.values {
                return Err(unknown(touched.field, number));
            }
            let occurrence = self.held[touched.held as usize + number as usize];
            if occurrence.template == PLAIN {
                room.kept[field.word] |= number << field.shift;
            } else {
                room.naming.found.grow_push(occurrence)?;
            }
        }
        Ok(())
    }

    /// Adds the occurrences with other names to a state.
    fn put(&self, found: &[Occurrence], names: &[u8], key: &mut [u64]) -> Outcome<()> {
        for one in found {
            let mut at = 0;
            for &value in one.values() {
                at = at * self.firsts.len() + names[value as usize] as usize;
            }
            let (field, number) = self.targets[self.templates[one.template as usize] as usize + at];
            if field == NOWHERE {
                return Err(Trouble::Internal(
                    "symmetry leads to a term that no field holds".into(),
                ));
            }
            let field = &self.fields[field as usize];
            key[field.word] |= u64::from(number) << field.shift;
        }
        Ok(())
    }
}

#[cold]
fn unknown(field: u32, number: u64) -> Trouble {
    Trouble::Internal(format!("field {field} holds {number}, which the symmetries do not know"))
}

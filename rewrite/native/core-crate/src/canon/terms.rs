//! Canonical forms of states stored as multisets, with interchangeable values within terms.
//!
//! The twin of `symmetry/exchanges.py`. Terms are taken apart once: into what they are without the
//! values, and the values from left to right.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use std::collections::HashMap;

use super::labelling::{MOST_IN_ONE, Naming, Occurrence};
use crate::error::{Error, Result};
use crate::grow::{Grow, GrowCopies, grow_map};
use crate::interner::{Interner, Kind};
use crate::value::Val;

const MOST_KNOWN: usize = 1 << 18;

/// Sets of interchangeable values.
#[derive(Debug)]
pub struct ExchangedTerms {
    pub(super) values: Vec<Val>,
    pub(super) numbers: HashMap<Val, u8>,
    /// For each value the first one of its set.
    pub(super) firsts: Vec<u8>,
}

type Values = [u8; MOST_IN_ONE];

/// A term without its values, and these; how many there are.
#[derive(Debug, Clone, Copy)]
struct Apart {
    template: Val,
    values: Values,
    count: u8,
}

/// Analysed terms. Reused.
#[derive(Debug, Default)]
pub struct TermsScratch {
    naming: Naming,
    known: HashMap<Val, Option<Apart>>,
    made: HashMap<(Val, Values), Val>,
    /// What stands in a state: where, and what it is.
    found: Vec<((usize, usize), Apart)>,
    templates: Vec<Val>,
    pub key: Vec<u32>,
}

impl ExchangedTerms {
    /// Writes the canonical form of a state to `scratch.key`. The state is passed as its groups, as a
    /// key, and whether keys have nibbles.
    pub fn apply(
        &self,
        interner: &Interner,
        (mut groups, key, nibbles): (Vec<Vec<Val>>, &[u32], bool),
        scratch: &mut TermsScratch,
    ) -> Result<()> {
        scratch.found.clear();
        for (number, group) in groups.iter().enumerate() {
            for (at, &term) in group.iter().enumerate() {
                if let Some(apart) = self.apart(interner, term, scratch)? {
                    scratch.found.grow_push(((number, at), apart))?;
                }
            }
        }
        scratch.key.clear();
        if scratch.found.is_empty() {
            return scratch.key.grow_slice(key);
        }
        self.rank(interner, scratch)?;
        scratch.naming.few = false; // a term may stand there twice
        scratch.naming.name(&self.firsts)?;
        for at in 0..scratch.found.len() {
            let ((group, place), apart) = scratch.found[at];
            let mut values = apart.values;
            for value in &mut values[..apart.count as usize] {
                *value = scratch.naming.names[*value as usize];
            }
            groups[group][place] = self.made(interner, (apart.template, values), scratch)?;
        }
        for group in &mut groups {
            group.sort_unstable_by(|&a, &b| interner.cmp(a, b));
        }
        interner.push_groups(nibbles, &groups, &mut scratch.key)
    }

    /// Numbers the templates of a state in canonical order.
    fn rank(&self, interner: &Interner, scratch: &mut TermsScratch) -> Result<()> {
        let TermsScratch { naming, found, templates, .. } = scratch;
        templates.refill(found.iter().map(|(_, apart)| apart.template))?;
        templates.sort_unstable_by(|&a, &b| interner.cmp(a, b));
        templates.dedup();
        naming.found.clear();
        for (_, Apart { template, values, count }) in found.iter() {
            let place = templates.binary_search_by(|&one| interner.cmp(one, *template));
            let template = place.unwrap_or_else(|at| at) as u32;
            naming.found.grow_push(Occurrence { template, count: *count, values: *values })?;
        }
        Ok(())
    }

    fn apart(
        &self,
        interner: &Interner,
        term: Val,
        scratch: &mut TermsScratch,
    ) -> Result<Option<Apart>> {
        if let Some(known) = scratch.known.get(&term) {
            return Ok(*known);
        }
        let mut values = Vec::new();
        self.within(interner, term, &mut values)?;
        let mut apart = None;
        if !values.is_empty() {
            let mut held = Values::default();
            let Some(held_values) = held.get_mut(..values.len()) else {
                let why = format!("more than {MOST_IN_ONE} interchangeable values in one term");
                return Err(Error::Unsupported(why));
            };
            held_values.copy_from_slice(&values);
            let mut firsts = values.iter().map(|&value| self.firsts[value as usize]);
            let template = self.renamed(interner, term, &mut firsts)?;
            apart = Some(Apart { template, values: held, count: values.len() as u8 });
        }
        if scratch.known.len() > MOST_KNOWN {
            scratch.known.clear();
        }
        grow_map(&mut scratch.known, term, apart)?;
        Ok(apart)
    }

    /// Collects the interchangeable values in a term, from left to right.
    fn within(&self, interner: &Interner, term: Val, out: &mut Vec<u8>) -> Result<()> {
        if let Some(&number) = self.numbers.get(&term) {
            return out.grow_push(number);
        }
        if !interner.is_tuple(term) {
            return Ok(());
        }
        let before = out.len();
        let mut items = Vec::new();
        interner.push_items(term, &mut items)?;
        for item in items {
            self.within(interner, item, out)?;
        }
        if out.len() > before && interner.kind(term) == Kind::Bag {
            let why = "interchangeable values in a bag within a term";
            return Err(Error::Unsupported(why.into()));
        }
        Ok(())
    }

    /// A term with its values replaced by these, from left to right.
    fn renamed(
        &self,
        interner: &Interner,
        term: Val,
        names: &mut impl Iterator<Item = u8>,
    ) -> Result<Val> {
        if self.numbers.contains_key(&term) {
            let name = names.next().expect("a name for each value");
            return Ok(self.values[name as usize]);
        }
        if !interner.is_tuple(term) {
            return Ok(term);
        }
        let mut items = Vec::new();
        interner.push_items(term, &mut items)?;
        let mut changed = false;
        for item in &mut items {
            let name = self.renamed(interner, *item, names)?;
            changed |= name != *item;
            *item = name;
        }
        if changed { interner.tuple(&items) } else { Ok(term) }
    }

    /// Fills a template with values.
    fn made(
        &self,
        interner: &Interner,
        named: (Val, Values),
        scratch: &mut TermsScratch,
    ) -> Result<Val> {
        if let Some(&known) = scratch.made.get(&named) {
            return Ok(known);
        }
        let made = self.renamed(interner, named.0, &mut named.1.into_iter())?;
        if scratch.made.len() > MOST_KNOWN {
            scratch.made.clear();
        }
        grow_map(&mut scratch.made, named, made)?;
        Ok(made)
    }
}

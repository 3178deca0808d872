//! States as slots and bits: successors made word by word, and look-ups of changes that depend on
//! what slots hold. An entry of a table is computed by the residual of its rule when it is first
//! asked for.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // tables grow with the search: see `grow`

mod cache;
mod flat;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub use self::cache::Cache;
use crate::error::{Error, Result};
use crate::grow::{Grow, GrowCopies, copied, grow_map, table_bytes};
use crate::program::{Encoding, Lookup};
use crate::value::Val;
use crate::vm::machine::Machine;
use crate::vm::worker::{NONE, Worker};

/// Spreads the bits of one or a few words; keys are dense numbers, not an adversary's.
#[derive(Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte as u64);
        }
    }
    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

type Map<K, V> = HashMap<K, V, BuildHasherDefault<Spread>>;

/// What residuals put, by function and arguments; of those that ask for nothing else.
#[derive(Default)]
pub struct Outcomes {
    known: Map<Box<[Val]>, (u32, u32)>,
    /// Cost and values for the slots; those behind the first `kept` are for the moment.
    puts: Vec<(Val, Val)>,
    kept: usize,
    /// Bytes of the arguments.
    held: usize,
}

impl Outcomes {
    pub fn bytes(&self) -> usize {
        table_bytes::<(Box<[Val]>, (u32, u32))>(self.known.capacity())
            + self.puts.capacity() * size_of::<(Val, Val)>()
            + self.held
    }
}

/// Memory for one entry after the other. Reused.
#[derive(Default)]
struct Scratch {
    /// A function and its arguments.
    call: Vec<Val>,
    /// The numbers in the slots of a look-up.
    held: Vec<u64>,
    added: Vec<(u16, u64)>,
}

impl Worker {
    pub(crate) fn width(&self, m: &Machine) -> usize {
        match m.program.encoding {
            Encoding::Slots(words) => words as usize,
            Encoding::Groups(_) => 0,
        }
    }

    /// Runs a function on a state in slots.
    pub(crate) fn call_on_words(&mut self, m: &Machine, function: u16, s: &[u64]) -> Result<Val> {
        self.held(s, |w, state| w.call(m, function, state, &[]))
    }

    /// Puts a state where functions find theirs, while something is done with it.
    pub(crate) fn held<T>(
        &mut self,
        s: &[u64],
        act: impl FnOnce(&mut Worker, usize) -> Result<T>,
    ) -> Result<T> {
        let state = self.words_top;
        let top = state + s.len();
        if self.words.len() < top {
            self.words.grow_resize(top, 0)?;
        }
        self.words_top = top;
        self.words[state..state + s.len()].copy_from_slice(s);
        let result = act(self, state);
        self.words_top = state;
        result
    }

    /// The entries of a table for the state: the first, and their number.
    pub(crate) fn look_up(&mut self, m: &Machine, state: usize, table: u16) -> Result<(u32, u32)> {
        let given = &m.program.tables[table as usize];
        let cache = &self.tables[table as usize];
        if let [(word, bits)] = given.reads[..] {
            let key = self.words[state + word as usize] & bits;
            if let Some(found) = cache.narrow.get(key) {
                return Ok(found);
            }
            let found = self.fill(m, state, table)?;
            self.tables[table as usize].narrow.insert(key, found)?;
            return Ok(found);
        }
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        let reads = given.reads.iter();
        key.grow_extend(reads.map(|&(word, bits)| self.words[state + word as usize] & bits))?;
        let known = cache.find_wide(&key);
        let result = match known {
            Some(found) => Ok(found),
            None => self.fill_wide(m, state, table, &key),
        };
        self.key = key;
        result
    }

    fn fill_wide(
        &mut self,
        m: &Machine,
        state: usize,
        table: u16,
        key: &[u64],
    ) -> Result<(u32, u32)> {
        let found = self.fill(m, state, table)?;
        self.tables[table as usize].note_wide(key, found)?;
        Ok(found)
    }

    fn fill(&mut self, m: &Machine, state: usize, table: u16) -> Result<(u32, u32)> {
        let given = &m.program.tables[table as usize];
        let first = self.tables[table as usize].len();
        let mut scratch = Scratch::default();
        let mut lookups = given.lookups.iter();
        let done = lookups
            .try_for_each(|lookup| self.outcomes(m, state, table, lookup, first, &mut scratch));
        let cache = &mut self.tables[table as usize];
        if done.is_err() {
            cache.truncate(first);
        }
        done.map(|()| (first as u32, (cache.len() - first) as u32))
    }

    /// What the residual of a table puts, as a part of `outcomes.puts`: where it does not ask for the
    /// state, once for all places of a board that hold the same. `call`: the function, its arguments.
    fn put_for(
        &mut self,
        m: &Machine,
        state: usize,
        table: u16,
        call: &[Val],
    ) -> Result<(usize, usize)> {
        let stateless = m.stateless[table as usize];
        let known = stateless.then(|| self.outcomes.known.get(call)).flatten();
        if let Some(&(from, len)) = known {
            return Ok((from as usize, len as usize));
        }
        self.outcomes.puts.truncate(self.outcomes.kept);
        let before = std::mem::take(&mut self.puts);
        let residual = m.program.tables[table as usize].residual;
        let result = self.call(m, residual, state, &call[1..]);
        let puts = std::mem::replace(&mut self.puts, before);
        result?;
        let outcomes = &mut self.outcomes;
        let (from, len) = (outcomes.puts.len(), puts.len());
        outcomes.puts.grow_slice(&puts)?;
        if stateless {
            outcomes.kept = outcomes.puts.len();
            outcomes.held += size_of_val(call);
            let call = copied(call)?.into_boxed_slice();
            grow_map(&mut outcomes.known, call, (from as u32, len as u32))?;
        }
        Ok((from, len))
    }

    /// Adds the entries that one ground instance of a rule makes; `first`: where those for the state
    /// begin.
    fn outcomes(
        &mut self,
        m: &Machine,
        state: usize,
        table: u16,
        lookup: &Lookup,
        first: usize,
        scratch: &mut Scratch,
    ) -> Result<()> {
        let given = &m.program.tables[table as usize];
        let Scratch { call, held, added } = scratch;
        call.clear();
        held.clear();
        call.grow_push(Val::from_small(i64::from(given.residual)))?;
        call.grow_slice(&lookup.ground)?;
        for &(family, offset) in &lookup.slots_read {
            let Some(offset) = offset else {
                call.grow_push(NONE)?;
                held.grow_push(0)?;
                continue;
            };
            let bits = m.program.families[family as usize].bits;
            let word = self.words[state + offset as usize / 64] >> (offset % 64);
            let number = if bits == 64 { word } else { word & ((1 << bits) - 1) };
            held.grow_push(number)?;
            call.grow_push(m.slot_value(family, number as u32))?;
        }
        let (from, len) = self.put_for(m, state, table, call)?;
        for at in from..from + len {
            let (cost, values) = self.outcomes.puts[at];
            added.clear();
            added.grow_slice(&lookup.atoms)?;
            for (i, &target) in lookup.targets.iter().enumerate() {
                let (family, offset) = lookup.slots_read[target as usize];
                let offset = offset.ok_or_else(|| Error::failed("a slot is missing"))?;
                let number = m.slot_number(family, m.interner.get(values, i))?;
                let change = (number as u64).wrapping_sub(held[target as usize]);
                let change = change.wrapping_shl(offset % 64);
                let word = (offset / 64) as u16;
                match added.iter_mut().find(|(one, _)| *one == word) {
                    Some((_, sum)) => *sum = sum.wrapping_add(change),
                    None => added.grow_push((word, change))?,
                }
            }
            // in one form, so that equal changes are seen to be equal
            added.retain(|&(_, sum)| sum != 0);
            added.sort_unstable();
            let cache = &mut self.tables[table as usize];
            if given.every || !cache.has(first, cost, added) {
                cache.push(cost, added)?;
            }
        }
        Ok(())
    }
}

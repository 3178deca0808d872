//! Tables of changes that depend on what slots hold. An entry of a table is computed by the residual
//! of its rule when it is first needed; each worker has its own.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // tables grow with the search: see `grow`

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::error::{Error, Result};
use crate::grow::{Grow, GrowCopies, copied, grow_map, table_bytes};
use crate::program::Lookup;
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
        for word in bytes.chunks(8) {
            let mut padded = [0; 8];
            padded[..word.len()].copy_from_slice(word);
            self.write_u64(u64::from_ne_bytes(padded));
        }
    }
    #[inline]
    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Spread>>;

/// The entries of one table that one worker has needed.
#[derive(Default)]
pub struct Cache {
    /// Parts of the entries (the first, and how many) by the bits that are read, if these lie in one
    /// word, …
    narrow: Map<u64, (u32, u32)>,
    /// … or in several.
    wide: Map<Box<[u64]>, (u32, u32)>,
    entries: Vec<Entry>,
    /// What the changes of all entries add to words of a state.
    added: Vec<(u16, u64)>,
    /// Bytes of wide keys.
    held: usize,
}

struct Entry {
    cost: Val,
    from: u32,
    to: u32,
}

impl Cache {
    #[inline]
    pub fn cost(&self, entry: u32) -> Val {
        self.entries[entry as usize].cost
    }

    /// Makes the successor of an entry out of a copy of its state.
    #[inline]
    pub fn add_to(&self, entry: u32, x: &mut [u64]) {
        for &(word, added) in self.added_by(&self.entries[entry as usize]) {
            x[word as usize] = x[word as usize].wrapping_add(added);
        }
    }

    #[inline]
    fn added_by(&self, entry: &Entry) -> &[(u16, u64)] {
        &self.added[entry.from as usize..entry.to as usize]
    }

    /// Adds an entry: one of those from `first` on if equal ones count one by one.
    fn push(&mut self, first: usize, every: bool, cost: Val, added: &[(u16, u64)]) -> Result<()> {
        let mut before = self.entries[first..].iter();
        if !every && before.any(|one| one.cost == cost && self.added_by(one) == added) {
            return Ok(());
        }
        let from = self.added.len() as u32;
        self.added.grow_slice(added)?;
        self.entries.grow_push(Entry { cost, from, to: self.added.len() as u32 })
    }

    fn truncate(&mut self, entries: usize) {
        self.entries.truncate(entries);
        self.added.truncate(self.entries.last().map_or(0, |last| last.to as usize));
    }

    pub fn bytes(&self) -> usize {
        table_bytes::<(u64, (u32, u32))>(self.narrow.capacity())
            + table_bytes::<(Box<[u64]>, (u32, u32))>(self.wide.capacity())
            + self.entries.capacity() * size_of::<Entry>()
            + self.added.capacity() * size_of::<(u16, u64)>()
            + self.held
    }
}

/// Results of residuals, by the function of the table and its arguments: those that depend on nothing
/// else run once for all places of a board with equal contents.
#[derive(Default)]
pub struct Outcomes {
    known: Map<Box<[Val]>, (u32, u32)>,
    /// Cost and values for the slots.
    puts: Vec<(Val, Val)>,
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

impl Worker {
    pub(crate) fn call_on_words(&mut self, m: &Machine, function: u16, s: &[u64]) -> Result<Val> {
        self.held(s, |w, state| w.call(m, function, state, &[]))
    }

    /// Copies a state to where functions expect it, for the duration of `act`.
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
        let reads = &m.program.tables[table as usize].reads[..];
        let cache = &self.tables[table as usize];
        if let &[(word, bits)] = reads {
            let key = self.words[state + word as usize] & bits;
            if let Some(&found) = cache.narrow.get(&key) {
                return Ok(found);
            }
            let found = self.fill(m, state, table)?;
            grow_map(&mut self.tables[table as usize].narrow, key, found)?;
            return Ok(found);
        }
        self.key.clear();
        let read = reads.iter().map(|&(word, bits)| self.words[state + word as usize] & bits);
        self.key.grow_extend(read)?;
        if let Some(&found) = cache.wide.get(&self.key[..]) {
            return Ok(found);
        }
        let key = copied(&self.key)?.into_boxed_slice();
        let found = self.fill(m, state, table)?;
        let cache = &mut self.tables[table as usize];
        cache.held += size_of_val(&key[..]);
        grow_map(&mut cache.wide, key, found)?;
        Ok(found)
    }

    fn fill(&mut self, m: &Machine, state: usize, table: u16) -> Result<(u32, u32)> {
        let first = self.tables[table as usize].entries.len();
        let mut lookups = m.program.tables[table as usize].lookups.iter();
        let done = lookups.try_for_each(|lookup| self.enter(m, state, table, lookup, first));
        let cache = &mut self.tables[table as usize];
        if done.is_err() {
            cache.truncate(first);
        }
        done.map(|()| (first as u32, (cache.entries.len() - first) as u32))
    }

    /// Adds the entries that one ground instance of a rule makes; `first`: where those for the state
    /// begin.
    fn enter(
        &mut self,
        m: &Machine,
        state: usize,
        table: u16,
        lookup: &Lookup,
        first: usize,
    ) -> Result<()> {
        let given = &m.program.tables[table as usize];
        let (mut call, mut held, mut added) = (Vec::new(), Vec::new(), Vec::new());
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
        let stateless = m.stateless[table as usize];
        let known = stateless.then(|| self.outcomes.known.get(&call[..])).flatten().copied();
        let (from, len) = match known {
            Some(known) => known,
            None => self.put(m, state, given.residual, &call, stateless)?,
        };
        for at in from..from + len {
            let (cost, values) = self.outcomes.puts[at as usize];
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
            self.tables[table as usize].push(first, given.every, cost, &added)?;
        }
        if !stateless {
            self.outcomes.puts.truncate(from as usize);
        }
        Ok(())
    }

    /// Runs a residual; returns its results as a range of `outcomes.puts`. `call`: function, arguments.
    fn put(
        &mut self,
        m: &Machine,
        state: usize,
        residual: u16,
        call: &[Val],
        remembered: bool,
    ) -> Result<(u32, u32)> {
        let before = std::mem::take(&mut self.puts);
        let result = self.call(m, residual, state, &call[1..]);
        let puts = std::mem::replace(&mut self.puts, before);
        result?;
        let outcomes = &mut self.outcomes;
        let part = (outcomes.puts.len() as u32, puts.len() as u32);
        outcomes.puts.grow_slice(&puts)?;
        if remembered {
            outcomes.held += size_of_val(call);
            grow_map(&mut outcomes.known, copied(call)?.into_boxed_slice(), part)?;
        }
        Ok(part)
    }
}

//! States as multisets: groups of sorted values, packed into words.
//!
//! A key is its groups, each the number of its values (but for the last group) and these, a value
//! packed into a word or, for short tuples, written out (see `interner::short`). Groups of small ints
//! are written out as if they were short tuples themselves, where the encoding says so.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use crate::error::{Change, Error, Result};
use crate::grow::{Grow, GrowCopies, copied, listed};
use crate::interner::{Kind, narrow, short};
use crate::program::{MOST_ROUNDS, Reg};
use crate::store::List;
use crate::value::Val;
use crate::vm::machine::Machine;
use crate::vm::windows::canonical;
use crate::vm::worker::{Made, Worker};

/// A state as its groups.
pub type Groups = Vec<Vec<Val>>;

pub fn unpacked(m: &Machine, key: &[u32]) -> Result<Groups> {
    let groups = m.program.encoding.groups().len();
    let (mut made, mut rest) = (Vec::new(), key);
    made.grow_by(groups)?;
    for group in 1..=groups {
        let (mut one, mut most) = (Vec::new(), usize::MAX);
        if group < groups {
            (most, rest) = short::read_head(rest, &mut one)?;
        }
        let most = one.len().saturating_add(most);
        while one.len() < most && !rest.is_empty() {
            one.grow_push(m.interner.unpack_first(rest)?)?;
            rest = &rest[short::words(rest[0])..];
        }
        made.grow_push(one)?;
    }
    Ok(made)
}

#[inline]
fn push_value(m: &Machine, scratch: &[Val], value: Val, key: &mut Vec<u32>) -> Result<()> {
    if value.is_small() {
        return key.grow_push(m.interner.pack(value)?);
    }
    let Some((from, len)) = value.as_tmp() else { return m.interner.push_packed(value, key) };
    let items = &scratch[from as usize..from as usize + len as usize];
    if m.interner.push_short(items, key)? {
        return Ok(());
    }
    key.grow_push(m.interner.pack(canonical(m, scratch, value)?)?)
}

#[inline]
fn push_values(m: &Machine, scratch: &[Val], values: &[Val], key: &mut Vec<u32>) -> Result<()> {
    values.iter().try_for_each(|&value| push_value(m, scratch, value, key))
}

/// Appends sorted ints with one more inserted if each fits a word; else appends nothing.
#[inline]
fn push_ints(ints: &[Val], one: Val, key: &mut Vec<u32>) -> Result<bool> {
    let Some(one) = narrow(one) else { return Ok(false) };
    let (mut all, mut at) = (true, 0);
    for &int in ints {
        // no early exit, as the branch would be unpredictable
        let int = narrow(int);
        all &= int.is_some();
        at += usize::from(int <= Some(one));
    }
    if !all {
        return Ok(false);
    }
    let word = |&int: &Val| narrow(int).unwrap_or(0) as u32;
    key.grow_by(ints.len() + 1)?;
    key.grow_extend(ints[..at].iter().map(word))?;
    key.grow_push(one as u32)?;
    key.grow_extend(ints[at..].iter().map(word))?;
    Ok(true)
}

#[inline]
pub(crate) fn pack(
    m: &Machine,
    scratch: &[Val],
    regs: &[Val],
    groups: &[Reg],
    key: &mut Vec<u32>,
) -> Result<()> {
    let nibbles = m.program.encoding.nibbles();
    for (i, &r) in groups.iter().enumerate() {
        let (group, last) = (regs[r as usize], i + 1 == groups.len());
        if let Some((from, len)) = group.as_tmp() {
            let values = &scratch[from as usize..(from + len) as usize];
            if last || short::push_head(nibbles, values.iter().copied(), key)? {
                push_values(m, scratch, values, key)?;
            }
            continue;
        }
        let mut values = (0..m.interner.len(group)).map(|at| m.interner.get(group, at));
        if last || short::push_head(nibbles, values.clone(), key)? {
            values.try_for_each(|value| m.interner.push_packed(value, key))?;
        }
    }
    Ok(())
}

/// The number of values at the start of a key, at most `most`.
#[inline]
fn count(key: &[u32], most: usize) -> usize {
    let (mut at, mut values) = (0, 0);
    while at < key.len() && values < most {
        at += short::words(key[at]);
        values += 1;
    }
    values
}

impl Worker {
    /// Runs a function on the state of a key, with its groups in the first registers.
    pub(crate) fn call_on_key(&mut self, m: &Machine, function: u16, key: &[u32]) -> Result<Val> {
        let mark = self.scratch.len();
        let (kinds, mut rest) = (m.program.encoding.groups(), key);
        let mut regs = self.frame(m, function)?;
        for (i, group) in regs[..kinds.len()].iter_mut().enumerate() {
            let (start, mut most) = (self.scratch.len(), usize::MAX);
            if i + 1 < kinds.len() {
                (most, rest) = short::read_head(rest, &mut self.scratch)?;
            }
            let (made, taken) = match kinds[i] {
                _ if most == 0 => (self.tmp_from(start), 0),
                Kind::Bool | Kind::Int | Kind::Str => self.group_of_words(m, rest, most)?,
                _ => self.group_of_tuples(m, rest, most)?,
            };
            *group = made;
            rest = &rest[taken..];
        }
        let result = self.run(m, function, 0, regs);
        self.scratch.truncate(mark);
        result
    }

    /// The group at the start of a key, of one-word values, and the number of words.
    #[inline]
    fn group_of_words(&mut self, m: &Machine, key: &[u32], most: usize) -> Result<(Val, usize)> {
        let (start, len) = (self.scratch.len(), most.min(key.len()));
        self.scratch.grow_extend(key[..len].iter().map(|&word| m.interner.unpack(word)))?;
        Ok((self.tmp_from(start), len))
    }

    /// The same for values that may be short tuples, which are laid out after the group.
    fn group_of_tuples(&mut self, m: &Machine, key: &[u32], most: usize) -> Result<(Val, usize)> {
        let start = self.scratch.len();
        let (len, mut at) = (count(key, most), 0);
        self.scratch.grow_resize(start + len, Val::FALSE)?;
        let group = self.tmp_from(start);
        let mut before: &[u32] = &[];
        for place in start..start + len {
            let words = &key[at..at + short::words(key[at])];
            self.scratch[place] = if !short::is_short(words[0]) {
                m.interner.unpack(words[0])
            } else if words == before {
                self.scratch[place - 1]
            } else {
                let inner = self.scratch.len();
                short::push_items(words, &mut self.scratch)?;
                self.tmp_from(inner)
            };
            at += words.len();
            before = words;
        }
        Ok((group, at))
    }

    pub(crate) fn emit(
        &mut self,
        m: &Machine,
        regs: &[Val],
        cost: Val,
        groups: &[Reg],
    ) -> Result<()> {
        pack(m, &self.scratch, regs, groups, self.made.keys.open())?;
        self.made.close(cost)
    }

    /// Emits a successor with one group: a sorted tuple with a value inserted.
    pub(crate) fn emit_with(
        &mut self,
        m: &Machine,
        cost: Val,
        group: Val,
        value: Val,
    ) -> Result<()> {
        let group = self.spread(m, group)?;
        let (from, len) = group.as_tmp().unwrap_or((0, 0));
        let items = from as usize..(from + len) as usize;
        let ints = &self.scratch[items.clone()];
        if push_ints(ints, value, self.made.keys.open())? {
            return self.made.close(cost);
        }
        let at = self.bisect(m, group, value);
        let (scratch, key) = (&self.scratch, self.made.keys.open());
        let (before, behind) = scratch[items].split_at(at);
        push_values(m, scratch, before, key)?;
        push_value(m, scratch, value, key)?;
        push_values(m, scratch, behind, key)?;
        self.made.close(cost)
    }

    /// Inserts values of any kind into their groups.
    pub(crate) fn place(
        &mut self,
        m: &Machine,
        regs: &mut [Val],
        groups: usize,
        operands: &[Reg],
    ) -> Result<()> {
        let (made, rest) = operands.split_at(groups);
        let (given, values) = rest.split_at(groups);
        let kinds = m.program.encoding.groups();
        for (&to, &from) in made.iter().zip(given) {
            regs[to as usize] = regs[from as usize];
        }
        for &r in values {
            let value = self.canon(m, regs[r as usize])?;
            let kind = m.interner.kind(value);
            let Some(at) = kinds.iter().position(|&one| one == kind) else {
                return Err(Error::Change(Change::TermType(value)));
            };
            let group = regs[made[at] as usize];
            regs[made[at] as usize] = self.inserted(m, group, value)?;
        }
        Ok(())
    }

    /// Runs a generator of successors, separate from the current ones.
    pub(crate) fn apart<T>(
        &mut self,
        work: impl FnOnce(&mut Worker) -> Result<T>,
    ) -> Result<(T, Made)> {
        let before = std::mem::take(&mut self.made);
        let result = work(self);
        let made = std::mem::replace(&mut self.made, before);
        Ok((result?, made))
    }

    /// The normal form under `simplify`: applies the first matching rule until none matches.
    pub(crate) fn normal(
        &mut self,
        m: &Machine,
        regs: &mut [Val],
        made: &[Reg],
        given: &[Reg],
    ) -> Result<()> {
        let mut key = Vec::new();
        pack(m, &self.scratch, regs, given, &mut key)?;
        'rounds: for round in 0.. {
            if round == MOST_ROUNDS {
                return Err(Error::failed("simplify does not end"));
            }
            for &rule in &m.program.simplify {
                let (_, found) = self.apart(|worker| worker.call_on_key(m, rule, &key))?;
                if let Some(first) = first_state(m, &found)? {
                    key = first;
                    continue 'rounds;
                }
            }
            break;
        }
        for (group, &r) in unpacked(m, &key)?.iter().zip(made) {
            let start = self.scratch.len();
            self.scratch.grow_slice(group)?;
            regs[r as usize] = self.tmp_from(start);
        }
        Ok(())
    }
}

fn first_state(m: &Machine, found: &Made) -> Result<Option<Vec<u32>>> {
    let mut best: Option<(Vec<Val>, Vec<u32>)> = None;
    for at in 0..found.keys.len() {
        let key = found.keys.get(at);
        if best.as_ref().is_some_and(|(_, known)| known == key) {
            continue;
        }
        let values = listed(unpacked(m, key)?.into_iter().flatten())?;
        let better = best.as_ref().is_none_or(|(known, _)| {
            let pairs = values.iter().zip(known);
            let differing = pairs.map(|(&a, &b)| m.interner.cmp(a, b)).find(|one| one.is_ne());
            differing.unwrap_or(values.len().cmp(&known.len())).is_lt()
        });
        if better {
            best = Some((values, copied(key)?));
        }
    }
    Ok(best.map(|(_, key)| key))
}

#[cfg(test)]
mod tests;

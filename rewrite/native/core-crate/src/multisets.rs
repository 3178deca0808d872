//! States as multisets: groups of sorted values, packed into words.
//!
//! A key is the lengths of all groups but the last, then the packed values of all groups.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use std::collections::HashSet;

use crate::grow::{Grow, GrowCopies, copied, listed};
use crate::machine::{Machine, Seen};
use crate::program::{Encoding, Head, Reg};
use crate::store::List;
use crate::trouble::{Change, Outcome, Trouble};
use crate::value::Val;
use crate::worker::{Frame, Made, Worker, halves};

/// Rounds of `simplify` after which a normal form is given up.
const MOST_ROUNDS: usize = 10_000;

/// A state as its groups.
pub type Groups = Vec<Vec<Val>>;

/// The groups of a packed key.
pub fn unpacked(m: &Machine, groups: usize, key: &[u32]) -> Outcome<Groups> {
    let (lengths, mut rest) = key.split_at(groups - 1);
    let mut made = Vec::new();
    made.grow_by(groups)?;
    for &len in lengths {
        let (one, more) = rest.split_at(len as usize);
        made.grow_push(listed(one.iter().map(|&word| m.interner.unpack(word)))?)?;
        rest = more;
    }
    made.grow_push(listed(rest.iter().map(|&word| m.interner.unpack(word)))?)?;
    Ok(made)
}

/// Appends values as they are kept in keys.
#[inline]
fn pack_all(m: &Machine, values: &[Val], key: &mut Vec<u32>) -> Outcome<()> {
    key.grow_by(values.len())?;
    for &value in values {
        key.grow_push(m.interner.pack(value)?)?;
    }
    Ok(())
}

#[inline]
fn len_of(m: &Machine, group: Val) -> usize {
    group.as_tmp().map_or_else(|| m.interner.len(group), |(_, len)| len as usize)
}

/// Appends the packed key of groups: the lengths of all but the last, then all values.
#[inline]
fn pack(
    m: &Machine,
    scratch: &[Val],
    regs: &[Val],
    groups: &[Reg],
    key: &mut Vec<u32>,
) -> Outcome<()> {
    for &r in &groups[..groups.len() - 1] {
        key.grow_push(len_of(m, regs[r as usize]) as u32)?;
    }
    for &r in groups {
        let group = regs[r as usize];
        match group.as_tmp() {
            Some((from, len)) => {
                pack_all(m, &scratch[from as usize..(from + len) as usize], key)?;
            }
            None => {
                for i in 0..m.interner.len(group) {
                    key.grow_push(m.interner.pack(m.interner.get(group, i))?)?;
                }
            }
        }
    }
    Ok(())
}

impl Worker {
    /// Runs a function on the state of a key, whose groups come in the first registers.
    pub(crate) fn call_on_key(&mut self, m: &Machine, function: u16, key: &[u32]) -> Outcome<Val> {
        let mark = self.scratch.len();
        let Encoding::Groups(heads) = &m.program.encoding else {
            return Err(Trouble::failed("no multiset"));
        };
        let (lengths, mut rest) = key.split_at(heads.len() - 1);
        let mut regs = self.frame(m, function)?;
        for (i, group) in regs[..heads.len()].iter_mut().enumerate() {
            let len = lengths.get(i).map_or(rest.len(), |&len| len as usize);
            let start = self.scratch.len();
            self.scratch.grow_extend(rest[..len].iter().map(|&word| m.interner.unpack(word)))?;
            *group = self.tmp_from(start);
            rest = &rest[len..];
        }
        let result = self.run(m, function, 0, regs);
        self.scratch.truncate(mark);
        result
    }

    fn group_values(&self, m: &Machine, v: Val) -> Outcome<Vec<Val>> {
        listed((0..self.len(m, v)).map(|i| self.item(m, v, i)))
    }

    fn groups_of(&self, m: &Machine, regs: &[Val], groups: &[Reg]) -> Outcome<Groups> {
        let mut made = Vec::new();
        for &r in groups {
            made.grow_push(self.group_values(m, regs[r as usize])?)?;
        }
        Ok(made)
    }

    /// Appends the packed key of the groups in these registers.
    pub(crate) fn pack_groups(
        &self,
        m: &Machine,
        regs: &[Val],
        groups: &[Reg],
        key: &mut Vec<u32>,
    ) -> Outcome<()> {
        pack(m, &self.scratch, regs, groups, key)
    }

    /// Hands out a successor.
    pub(crate) fn emit(
        &mut self,
        m: &Machine,
        regs: &[Val],
        cost: Val,
        groups: &[Reg],
    ) -> Outcome<()> {
        let scratch = &self.scratch;
        self.made.push_with(cost, |key| pack(m, scratch, regs, groups, key))
    }

    /// Hands out a successor of one group: a sorted tuple with a value put in its place.
    pub(crate) fn emit_with(
        &mut self,
        m: &Machine,
        cost: Val,
        group: Val,
        value: Val,
    ) -> Outcome<()> {
        let value = self.canon(m, value)?;
        let group = self.spread(m, group)?;
        let (at, len) = (self.bisect(m, group, value), self.len(m, group));
        let from = group.as_tmp().map_or(0, |(from, _)| from as usize);
        let (before, behind) = self.scratch[from..from + len].split_at(at);
        self.made.push_with(cost, |key| {
            pack_all(m, before, key)?;
            key.grow_push(m.interner.pack(value)?)?;
            pack_all(m, behind, key)
        })
    }

    /// Puts values, whatever their kinds, into the groups where they belong.
    pub(crate) fn place(
        &mut self,
        m: &Machine,
        regs: &mut [Val],
        groups: usize,
        operands: &[Reg],
    ) -> Outcome<()> {
        let (made, rest) = operands.split_at(groups);
        let (given, values) = rest.split_at(groups);
        let Encoding::Groups(heads) = &m.program.encoding else {
            return Err(Trouble::failed("no multiset"));
        };
        for (&to, &from) in made.iter().zip(given) {
            regs[to as usize] = regs[from as usize];
        }
        for &r in values {
            let value = self.canon(m, regs[r as usize])?;
            let head = head_of(m, value);
            let Some(at) = heads.iter().position(|&one| one == head) else {
                return Err(Trouble::Change(Change::Head(value)));
            };
            let group = regs[made[at] as usize];
            regs[made[at] as usize] = self.inserted(m, group, value)?;
        }
        Ok(())
    }

    /// Runs something that makes successors apart from those being made now.
    pub(crate) fn apart<T>(
        &mut self,
        work: impl FnOnce(&mut Worker) -> Outcome<T>,
    ) -> Outcome<(T, Made)> {
        let before = std::mem::take(&mut self.made);
        let result = work(self);
        let made = std::mem::replace(&mut self.made, before);
        Ok((result?, made))
    }

    pub(crate) fn any_successor(
        &mut self,
        m: &Machine,
        regs: &[Val],
        state: usize,
        groups: &[Reg],
    ) -> Outcome<bool> {
        let function = m.program.successors;
        let (_, made) = match m.program.encoding {
            Encoding::Groups(_) => {
                let args = listed(groups.iter().map(|&r| regs[r as usize]))?;
                self.apart(|worker| worker.call(m, function, 0, &args))?
            }
            Encoding::Slots(_) => self.apart(|worker| worker.successors_of_slots(m, state))?,
        };
        Ok(!made.is_empty())
    }

    /// The normal form under `simplify`: the first rule that applies is used, until none does.
    pub(crate) fn normal(
        &mut self,
        m: &Machine,
        regs: &mut [Val],
        made: &[Reg],
        given: &[Reg],
    ) -> Outcome<()> {
        let mut key = Vec::new();
        self.pack_groups(m, regs, given, &mut key)?;
        'rounds: for round in 0.. {
            if round == MOST_ROUNDS {
                return Err(Trouble::failed("simplify does not end"));
            }
            for &rule in &m.program.simplify {
                let (_, found) = self.apart(|worker| worker.call_on_key(m, rule, &key))?;
                if let Some(first) = first_state(m, made.len(), &found)? {
                    key = first;
                    continue 'rounds;
                }
            }
            break;
        }
        for (group, &r) in unpacked(m, made.len(), &key)?.iter().zip(made) {
            let start = self.scratch.len();
            self.scratch.grow_slice(group)?;
            regs[r as usize] = self.tmp_from(start);
        }
        Ok(())
    }

    /// Whether the state of a frame is one of a set.
    pub(crate) fn is_one_of(
        &self,
        m: &Machine,
        regs: &[Val],
        frame: Frame,
        groups: &[Reg],
        set: &HashSet<Box<[u32]>>,
    ) -> Outcome<bool> {
        let mut key = Vec::new();
        match m.program.encoding {
            Encoding::Groups(_) => self.pack_groups(m, regs, groups, &mut key)?,
            Encoding::Slots(width) => {
                key = halves(&self.words[frame.state..frame.state + width as usize])?;
            }
        }
        Ok(set.contains(&key[..]))
    }

    pub(crate) fn outside_state(
        &mut self,
        m: &Machine,
        test: u16,
        regs: &[Val],
        groups: &[Reg],
    ) -> Outcome<Val> {
        let groups = self.groups_of(m, regs, groups)?;
        m.outside.state(test, Seen::Groups(&groups), &m.interner)
    }
}

pub(crate) fn head_of(m: &Machine, value: Val) -> Head {
    use crate::interner::Kind;
    if value.as_small().is_some() {
        return Head::Int;
    }
    match m.interner.kind(value) {
        Kind::Bool => Head::Bool,
        Kind::Int => Head::Int,
        Kind::Str => Head::Str,
        Kind::Bag => Head::Bag,
        Kind::Term(ctor) => Head::Term(ctor),
        Kind::Seq | Kind::Ctor => Head::Seq,
    }
}

/// The key of the state that comes first in canonical order.
fn first_state(m: &Machine, groups: usize, found: &Made) -> Outcome<Option<Vec<u32>>> {
    let mut best: Option<(Vec<Val>, Vec<u32>)> = None;
    for at in 0..found.keys.len() {
        let key = found.keys.get(at);
        if best.as_ref().is_some_and(|(_, known)| known == key) {
            continue;
        }
        let values = listed(unpacked(m, groups, key)?.into_iter().flatten())?;
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

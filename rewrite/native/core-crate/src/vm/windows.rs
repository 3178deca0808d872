//! Tuples of a worker: nodes of the interner, or windows of its scratch memory.
//!
//! Window contents are canonical, except in the groups of a state and in tuples made from them: there
//! short tuples are themselves windows (see `interner::short`), which live as long as the group. Even
//! so, equal items of a group are equal words: the code that makes groups ensures it, so runs of
//! equal items are found by comparing words.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use std::cmp::Ordering;

use crate::error::Result;
use crate::grow::Grow;
use crate::interner::Kind;
use crate::value::Val;
use crate::vm::machine::Machine;
use crate::vm::worker::Worker;

/// The canonical form of a value that may be a window.
pub(crate) fn canonical(m: &Machine, scratch: &[Val], v: Val) -> Result<Val> {
    let Some((from, len)) = v.as_tmp() else { return Ok(v) };
    let items = &scratch[from as usize..from as usize + len as usize];
    if items.iter().any(|item| item.is_tmp()) {
        let mut made = Vec::new();
        made.grow_by(items.len())?;
        for &item in items {
            made.grow_push(canonical(m, scratch, item)?)?; // windows nest at most two deep
        }
        return m.interner.tuple(&made);
    }
    m.interner.tuple(items)
}

impl Worker {
    #[inline]
    pub(crate) fn len(&self, m: &Machine, v: Val) -> usize {
        match v.as_tmp() {
            Some((_, len)) => len as usize,
            None => m.interner.len(v),
        }
    }

    #[inline]
    pub(crate) fn item(&self, m: &Machine, v: Val, at: usize) -> Val {
        match v.as_tmp() {
            Some((from, _)) => self.scratch[from as usize + at],
            None => m.interner.get(v, at),
        }
    }

    #[inline]
    pub(crate) fn window(&self, (from, len): (u32, u32)) -> &[Val] {
        &self.scratch[from as usize..from as usize + len as usize]
    }

    pub(crate) fn items(&self, m: &Machine, v: Val) -> Result<Vec<Val>> {
        let mut items = Vec::new();
        items.grow_by(self.len(m, v))?;
        for at in 0..self.len(m, v) {
            items.grow_push(self.canon(m, self.item(m, v, at))?)?;
        }
        Ok(items)
    }

    pub(crate) fn push_items(&mut self, m: &Machine, v: Val, from: usize, to: usize) -> Result<()> {
        match v.as_tmp() {
            Some((at, _)) => {
                let at = at as usize;
                self.scratch.grow_by(to.saturating_sub(from))?;
                self.scratch.extend_from_within(at + from..at + to);
                Ok(())
            }
            None => m.interner.push_range(v, from, to, &mut self.scratch),
        }
    }

    /// The same tuple, copied to scratch memory.
    #[inline]
    pub(crate) fn spread(&mut self, m: &Machine, v: Val) -> Result<Val> {
        if v.is_tmp() {
            return Ok(v);
        }
        let start = self.scratch.len();
        self.push_items(m, v, 0, self.len(m, v))?;
        Ok(self.tmp_from(start))
    }

    /// The temporary tuple from `start` to the end of scratch memory.
    #[inline]
    pub(crate) fn tmp_from(&self, start: usize) -> Val {
        Val::tmp(start as u32, (self.scratch.len() - start) as u32)
    }

    #[inline]
    pub(crate) fn canon(&self, m: &Machine, v: Val) -> Result<Val> {
        if v.is_tmp() { canonical(m, &self.scratch, v) } else { Ok(v) }
    }

    #[inline]
    pub(crate) fn kind(&self, m: &Machine, v: Val) -> Kind {
        match v.as_tmp() {
            None => m.interner.kind(v),
            Some(_) => match self.ctor(m, v) {
                None => Kind::Seq,
                Some(0) => Kind::Bag,
                Some(number) => Kind::Term(number),
            },
        }
    }

    #[inline]
    pub(crate) fn is_tuple(&self, m: &Machine, v: Val) -> bool {
        v.is_tmp() || m.interner.is_tuple(v)
    }

    /// The mark of a nested bag or a term.
    #[inline]
    pub(crate) fn ctor(&self, m: &Machine, v: Val) -> Option<u32> {
        match v.as_tmp() {
            None => m.interner.ctor(v),
            Some(window) => self.window(window).first().and_then(|first| first.as_ctor()),
        }
    }

    #[inline]
    pub(crate) fn equal(&self, m: &Machine, a: Val, b: Val) -> bool {
        a == b || (a.is_tmp() || b.is_tmp()) && self.equal_windows(m, a, b)
    }

    fn equal_windows(&self, m: &Machine, a: Val, b: Val) -> bool {
        if !self.is_tuple(m, a) || !self.is_tuple(m, b) {
            return false;
        }
        let len = self.len(m, a);
        let mut places = 0..len;
        len == self.len(m, b)
            && places.all(|at| self.equal(m, self.item(m, a, at), self.item(m, b, at)))
    }

    #[inline]
    pub(crate) fn cmp(&self, m: &Machine, a: Val, b: Val) -> Ordering {
        if a.is_tmp() || b.is_tmp() { self.cmp_windows(m, a, b) } else { m.interner.cmp(a, b) }
    }

    fn cmp_windows(&self, m: &Machine, a: Val, b: Val) -> Ordering {
        let rank = |v: Val| match self.kind(m, v) {
            Kind::Seq => 1,
            Kind::Bag | Kind::Term(_) => 2,
            Kind::Ctor => 3,
            _ => 0,
        };
        let (high, low) = (rank(a), rank(b));
        if high != low {
            return high.cmp(&low);
        }
        let (x, y) = (self.len(m, a), self.len(m, b));
        let pairs = (0..x.min(y)).map(|at| (self.item(m, a, at), self.item(m, b, at)));
        let orders = pairs.map(|(one, other)| self.cmp(m, one, other));
        let differing = orders.into_iter().find(|order| order.is_ne());
        differing.unwrap_or(x.cmp(&y))
    }

    /// The position after the last item ≤ `value` in a sorted tuple.
    pub(crate) fn bisect(&self, m: &Machine, tuple: Val, value: Val) -> usize {
        let (mut low, mut high) = (0, self.len(m, tuple));
        while low < high {
            let middle = (low + high) / 2;
            if self.cmp(m, value, self.item(m, tuple, middle)).is_lt() {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// A sorted tuple with a value inserted.
    pub(crate) fn inserted(&mut self, m: &Machine, tuple: Val, value: Val) -> Result<Val> {
        let (at, len) = (self.bisect(m, tuple, value), self.len(m, tuple));
        let before = at.checked_sub(1).map(|before| self.item(m, tuple, before));
        let same = before.filter(|&before| self.equal(m, before, value));
        let start = self.scratch.len();
        self.push_items(m, tuple, 0, at)?;
        self.scratch.grow_push(same.unwrap_or(value))?;
        self.push_items(m, tuple, at, len)?;
        Ok(self.tmp_from(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Encoding, Function, Instr, Program};
    use crate::random::Random;
    use crate::vm::machine::testing::alone;
    use crate::vm::multisets::{pack, unpacked};

    fn machine(nibbles: bool) -> Machine {
        let kinds = vec![Kind::Int, Kind::Seq];
        let mut program = Program::empty(Encoding::Groups { kinds, nibbles });
        program.functions = vec![Function { registers: 1, ..Function::default() }];
        program.code.instrs = vec![Instr::Return { a: 0 }];
        alone(program)
    }

    /// Values as windows, where they are tuples, and in canonical form.
    fn values(m: &Machine, worker: &mut Worker) -> Vec<(Val, Val)> {
        let mut random = Random::new(11);
        let ints = [0, 1, 2, 9, -1, 1 << 31, 1 << 61, -(1 << 61)]
            .map(|n| Val::small(n).unwrap_or_else(|| m.interner.whole(i128::from(n)).unwrap()));
        let text = m.interner.text("x").unwrap();
        let mut made: Vec<(Val, Val)> = ints.map(|int| (int, int)).to_vec();
        made.extend([Val::TRUE, text, Val::ctor(2)].map(|one| (one, one)));
        for round in 0..60 {
            let start = worker.scratch.len();
            if round % 3 == 1 {
                worker.scratch.push(Val::ctor(random.word() % 3));
            }
            for _ in 0..random.word() % 4 {
                worker.scratch.push(match random.word() % 12 {
                    0 => text,
                    1 => m.interner.tuple(&[ints[1], text]).unwrap(),
                    pick => ints[pick as usize % ints.len()],
                });
            }
            let window = worker.tmp_from(start);
            let value = worker.canon(m, window).unwrap();
            made.extend([(window, value), (value, value)]);
        }
        made
    }

    #[test]
    fn windows_are_equal_and_in_order_as_what_they_hold() {
        let (m, mut worker) = (machine(false), Worker::default());
        let values = values(&m, &mut worker);
        for &(a, plain_a) in &values {
            assert_eq!(worker.kind(&m, a), m.interner.kind(plain_a));
            assert_eq!(worker.ctor(&m, a), m.interner.ctor(plain_a));
            for &(b, plain_b) in &values {
                assert_eq!(worker.cmp(&m, a, b), m.interner.cmp(plain_a, plain_b));
                assert_eq!(worker.equal(&m, a, b), plain_a == plain_b);
            }
        }
    }

    /// Sorted ints, as a window or interned: mostly below 16, sometimes more of them than are packed.
    fn some_ints(m: &Machine, worker: &mut Worker, random: &mut Random) -> (Val, Vec<Val>) {
        let most = [1, 16, 17, 300][random.word() as usize % 4];
        let many = random.word().is_multiple_of(8);
        let count = random.word() % 9 + if many { 60 } else { 0 };
        let mut ints: Vec<Val> =
            (0..count).map(|_| Val::from_small(i64::from(random.word() % most))).collect();
        ints.sort_unstable_by(|&a, &b| m.interner.cmp(a, b));
        if random.word().is_multiple_of(3) {
            return (m.interner.tuple(&ints).unwrap(), ints);
        }
        let start = worker.scratch.len();
        worker.scratch.extend_from_slice(&ints);
        (worker.tmp_from(start), ints)
    }

    #[test]
    fn groups_with_windows_are_the_keys_of_the_same_groups_without() {
        let (packed, plain) = (keys(true), keys(false));
        assert!(packed < plain - plain / 4, "nibbles take fewer words: {packed}, {plain}");
    }

    /// The words of the keys of some states, each of which is read again.
    fn keys(nibbles: bool) -> usize {
        let (m, mut worker, mut words) = (machine(nibbles), Worker::default(), 0);
        let mut seen = std::collections::HashMap::new();
        let values = values(&m, &mut worker);
        let tuples: Vec<(Val, Val)> =
            values.into_iter().filter(|&(a, _)| worker.kind(&m, a) == Kind::Seq).collect();
        let mut random = Random::new(13);
        for _ in 0..200 {
            let (mut group, mut plain) = (Val::tmp(0, 0), Vec::new());
            for _ in 0..random.word() % 5 {
                let (window, value) = tuples[random.word() as usize % tuples.len()];
                group = worker.inserted(&m, group, window).unwrap();
                plain.push(value);
            }
            plain.sort_by(|&a, &b| m.interner.cmp(a, b));
            assert_eq!(worker.items(&m, group).unwrap(), plain);
            let held = worker.window(group.as_tmp().unwrap()).to_vec();
            for pair in held.windows(2) {
                assert_eq!(pair[0] == pair[1], worker.equal(&m, pair[0], pair[1]));
            }
            let (ints, plain_ints) = some_ints(&m, &mut worker, &mut random);
            let mut key = Vec::new();
            pack(&m, &worker.scratch, &[ints, group], &[0, 1], &mut key).unwrap();
            let groups = vec![plain_ints, plain];
            assert_eq!(key, crate::codec::packed_key(&m.interner, nibbles, &groups).unwrap());
            assert_eq!(unpacked(&m, &key).unwrap(), groups);
            words += key.len();
            assert_eq!(*seen.entry(key).or_insert_with(|| groups.clone()), groups);
        }
        words
    }
}

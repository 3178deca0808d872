//! States off the store: a stack of keys, for strategies that keep nothing but their path.

use super::World;
use super::path::Path;
use crate::coding::{Coding, at_state};
use crate::direct::Direct;
use crate::grow::Grow;
use crate::machine::{Machine, Seen};
use crate::space::{Dive, Estimate, Id};
use crate::trouble::{Outcome, Trouble};
use crate::value::Val;
use crate::worker::NONE;

/// Stands for a sum that was not calculated.
const UNKNOWN: i64 = i64::MIN;

/// The stack, and what is known of the states on it.
#[derive(Default)]
pub struct Diving<K> {
    keys: K,
    /// What the heuristic is worth, where it is a sum.
    sums: Vec<i64>,
    path: Path,
    /// What a state that is expanded just now adds to the counts.
    ticks: Vec<u16>,
    successors: Option<Direct>,
    goal: Option<Direct>,
    begun: bool,
}

impl<K: Coding> Diving<K> {
    /// Sees which functions need no machine.
    fn prepare(&mut self, m: &Machine) -> Outcome<()> {
        let p = &m.program;
        if !self.begun && !K::words(m, self.keys.get(0)).is_empty() {
            if p.canon.is_none() {
                self.successors = Direct::of(p, p.successors)?;
            }
            if let Some(goal) = p.goal {
                self.goal = Direct::of(p, goal)?;
            }
        }
        self.begun = true;
        Ok(())
    }

    /// Pushes a key unless it stands at `from` or above; its place there if it does.
    #[inline]
    fn push_new(&mut self, from: usize, key: &K::Key) -> Outcome<Option<usize>> {
        let len = self.keys.len();
        for at in from..len {
            if self.keys.is(at as u32, key) {
                return Ok(Some(at - from));
            }
        }
        self.keys.push(key)?;
        self.sums.grow_push(UNKNOWN)?;
        Ok(None)
    }

    fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
        self.sums.truncate(len);
    }

    pub fn bytes(&self) -> usize {
        let direct = [&self.successors, &self.goal];
        self.keys.bytes()
            + 8 * self.sums.capacity()
            + self.path.bytes()
            + 2 * self.ticks.capacity()
            + direct.into_iter().flatten().map(Direct::bytes).sum::<usize>()
    }
}

/// Notes the cost of a step to a state that is the `known`-th of those pushed, or a new one.
#[inline]
fn note(costs: &mut Vec<u64>, first: usize, known: Option<usize>, cost: u64) -> Outcome<()> {
    match known {
        Some(other) => {
            let least = &mut costs[first + other];
            *least = cost.min(*least);
            Ok(())
        }
        None => costs.grow_push(cost),
    }
}

impl<K: Coding> World<K> {
    /// Says in which state something failed: that one is kept, so that it has a number.
    fn failed(&mut self, trouble: Trouble, at: u32) -> Trouble {
        match self.keep(at) {
            Ok(id) => at_state(trouble, id),
            Err(other) => other,
        }
    }

    /// Pushes the successors of a state by a function that needs no machine; None where there is none.
    #[inline]
    fn push_directly(
        &mut self,
        at: u32,
        counted: bool,
        costs: &mut Vec<u64>,
    ) -> Outcome<Option<()>> {
        let Diving { keys, sums, ticks, successors: Some(function), .. } = &mut self.diving else {
            return Ok(None);
        };
        let (from, first) = (keys.len(), costs.len());
        ticks.clear();
        let result =
            K::run(&self.machine.program, function, keys, at, &mut |keys, counter, made| {
                ticks.grow_push(counter)?;
                let Some((cost, key)) = made else { return Ok(()) };
                let known = (from..keys.len()).position(|other| keys.is(other as u32, key));
                if known.is_none() {
                    keys.push(key)?;
                    sums.grow_push(UNKNOWN)?;
                }
                note(costs, first, known, cost)
            });
        if let Err(trouble) = result {
            self.diving.truncate(from);
            costs.truncate(first);
            return Err(trouble);
        }
        if counted {
            for &counter in &self.diving.ticks {
                if let Some(count) = self.counts.get_mut(counter as usize) {
                    *count += 1; // NOTHING is none of them
                }
            }
        }
        Ok(Some(()))
    }

    /// What a heuristic that is a sum is worth; None where it must be asked itself.
    #[inline]
    fn sum_at(&mut self, at: u32) -> Outcome<Option<u64>> {
        let (m, Diving { keys, sums, path, .. }) = (&*self.machine, &mut self.diving);
        let old = path.last().filter(|&end| sums[end as usize] != UNKNOWN);
        let old = old.map(|end| (sums[end as usize], K::words(m, keys.get(end))));
        let (first, new) = (K::words(m, self.store.key(0)), K::words(m, keys.get(at)));
        let sum = self.adding.value(m, &mut self.worker, first, old, new)?;
        if let Some(sum) = sum {
            sums[at as usize] = sum;
        }
        Ok(sum.and_then(|sum| u64::try_from(sum).ok()))
    }
}

impl<K: Coding> Dive for World<K> {
    fn begin(&mut self) -> Outcome<()> {
        self.diving.truncate(0);
        self.diving.path.clear();
        self.diving.push_new(0, self.store.key(0))?;
        self.diving.prepare(&self.machine)
    }

    fn len(&self) -> u32 {
        self.diving.keys.len() as u32
    }

    fn truncate(&mut self, len: u32) {
        self.diving.truncate(len as usize);
    }

    fn push_successors(&mut self, at: u32, counted: bool, costs: &mut Vec<u64>) -> Outcome<()> {
        if self.push_directly(at, counted, costs)?.is_some() {
            return Ok(());
        }
        let m = &*self.machine;
        self.worker.made.clear();
        let made = K::call(&mut self.worker, m, m.program.successors, self.diving.keys.get(at));
        if let Err(trouble) = made {
            self.count(false);
            return Err(self.failed(trouble, at));
        }
        let (from, first, diving) = (self.diving.keys.len(), costs.len(), &mut self.diving);
        let made = &self.worker.made;
        let result = K::each(&self.machine, made, &mut |i, key| {
            let cost = made.costs[i].as_small().and_then(|cost| u64::try_from(cost).ok());
            let cost = cost.ok_or_else(|| Trouble::Unsupported("a cost beyond 64 bits".into()))?;
            let known = diving.push_new(from, key)?;
            note(costs, first, known, cost)
        });
        if result.is_err() {
            diving.truncate(from);
            costs.truncate(first);
        }
        self.count(counted && result.is_ok());
        result
    }

    fn enter(&mut self, at: u32) -> Outcome<()> {
        let hash = K::hash(self.diving.keys.get(at));
        self.diving.path.push(at, hash)
    }

    fn leave(&mut self) {
        self.diving.path.pop();
    }

    fn is_on_path(&self, at: u32) -> bool {
        let Diving { keys, path, .. } = &self.diving;
        let key = keys.get(at);
        path.has(K::hash(key), |other| keys.is(other, key))
    }

    fn estimate_at(&mut self, at: u32) -> Outcome<Estimate> {
        if self.machine.program.sum.is_some()
            && let Some(whole) = self.sum_at(at)?
        {
            return Ok(Estimate::Whole(whole));
        }
        let m = self.machine.clone();
        if let Some(estimator) = &m.program.estimate {
            let scratch = &mut self.scratch;
            return K::seen(&m, self.diving.keys.get(at), |seen| match seen {
                Seen::Words(words) => estimator.value(words, scratch),
                Seen::Groups(_) => Err(Trouble::Unsupported("an estimate over slots".into())),
            });
        }
        if let Some(function) = m.program.heuristic {
            match K::call(&mut self.worker, &m, function, self.diving.keys.get(at)) {
                Ok(value) => {
                    let whole = value.as_small().filter(|&whole| value != NONE && whole >= 0);
                    if let Some(whole) = whole {
                        return Ok(Estimate::Whole(whole as u64));
                    }
                }
                Err(trouble) => return Err(self.failed(trouble, at)),
            }
        }
        // what is wrong with it, or that it is very large, is for outside to say
        K::seen(&m, self.diving.keys.get(at), |seen| m.outside.estimate(seen, &m.interner))
            .map_err(|trouble| self.failed(trouble, at))
    }

    fn goal_at(&mut self, at: u32) -> Outcome<bool> {
        let Some(goal) = self.machine.program.goal else { return Ok(false) };
        if let Some(direct) = &self.diving.goal {
            let (p, key) = (&self.machine.program, self.diving.keys.get(at));
            return K::holds(p, direct, key);
        }
        let m = &*self.machine;
        let result = K::call(&mut self.worker, m, goal, self.diving.keys.get(at));
        self.count(false);
        match result {
            Ok(value) => Ok(value == Val::TRUE),
            Err(trouble) => Err(self.failed(trouble, at)),
        }
    }

    fn find(&self, at: u32) -> Option<Id> {
        let key = self.diving.keys.get(at);
        self.store.find(key, K::hash(key))
    }

    fn keep(&mut self, at: u32) -> Outcome<Id> {
        if let Some(id) = self.find(at) {
            return Ok(id);
        }
        let key = self.diving.keys.get(at);
        self.store.insert(key, K::hash(key), 0)?;
        Ok(self.store.len() - 1)
    }

    fn bytes(&self) -> usize {
        self.diving.bytes()
    }
}

//! States off the store: a stack of keys, for strategies that keep nothing but their path.

use super::path::Path;
use super::{World, numbered, whole};
use crate::coding::{Coding, at_state};
use crate::grow::Grow;
use crate::machine::Seen;
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
}

impl<K: Coding> Diving<K> {
    fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
        self.sums.truncate(len);
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes() + 8 * self.sums.capacity() + self.path.bytes()
    }
}

impl<K: Coding> World<K> {
    /// Says in which state something failed: that one is kept, so that it has a number.
    fn failed(&mut self, trouble: Trouble, at: u32) -> Trouble {
        if !matches!(trouble, Trouble::Failed { state: None, .. }) {
            return trouble;
        }
        match self.keep(at) {
            Ok(id) => at_state(trouble, id),
            Err(other) => other,
        }
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
        self.store.keep_numbers()?;
        self.diving.truncate(0);
        self.diving.path.clear();
        self.diving.keys.push(self.store.key(0))?;
        self.diving.sums.grow_push(UNKNOWN)
    }

    fn len(&self) -> u32 {
        self.diving.keys.len() as u32
    }

    fn truncate(&mut self, len: u32) {
        self.diving.truncate(len as usize);
    }

    fn push_successors(&mut self, at: u32, counted: bool, costs: &mut Vec<u64>) -> Outcome<()> {
        let (m, Diving { keys, sums, .. }) = (&*self.machine, &mut self.diving);
        let (from, first) = (keys.len(), costs.len());
        let function = m.program.successors;
        let made = keys.each_of(&mut self.worker, m, function, at, |keys, cost, key| {
            let cost = whole(cost)?;
            for other in from..keys.len() {
                if keys.is(other as u32, key) {
                    let least = &mut costs[first + other - from];
                    *least = cost.min(*least);
                    return Ok(());
                }
            }
            keys.push(key)?;
            sums.grow_push(UNKNOWN)?;
            costs.grow_push(cost)
        });
        self.count(counted && made.is_ok());
        made.map_err(|trouble| {
            costs.truncate(first);
            let trouble = self.failed(trouble, at);
            self.diving.truncate(from);
            trouble
        })
    }

    fn enter(&mut self, at: u32) -> Outcome<()> {
        let hash = self.store.hash(self.diving.keys.get(at));
        self.diving.path.push(at, hash)
    }

    fn leave(&mut self) {
        self.diving.path.pop();
    }

    fn is_on_path(&self, at: u32) -> bool {
        let Diving { keys, path, .. } = &self.diving;
        let key = keys.get(at);
        path.has(self.store.hash(key), |other| keys.is(other, key))
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
        self.store.find(key, self.store.hash(key))
    }

    fn keep(&mut self, at: u32) -> Outcome<Id> {
        let key = self.diving.keys.get(at);
        self.store.insert(key, self.store.hash(key), 0).map(numbered)
    }

    fn bytes(&self) -> usize {
        self.diving.bytes()
    }
}

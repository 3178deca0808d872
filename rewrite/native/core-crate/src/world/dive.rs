//! States off the store: a stack of keys, for strategies that keep nothing but their path.

use std::ops::Range;

use super::path::Path;
use super::{World, numbered, whole};
use crate::coding::{Coding, at_state};
use crate::estimates::Spot;
use crate::grow::{Grow, GrowCopies};
use crate::search::space::{Dive, Estimate, Id};
use crate::trouble::{Outcome, Trouble};
use crate::vm::machine::Seen;
use crate::vm::worker::NONE;

/// Stands for a sum that was not calculated.
const UNKNOWN: i64 = i64::MIN;

/// The stack, and what is known of the states on it.
#[derive(Default)]
pub struct Diving<K> {
    keys: K,
    /// What the heuristic is worth, where it is a sum.
    sums: Vec<i64>,
    /// Where they are in pattern databases: one spot for each.
    spots: Vec<Spot>,
    path: Path,
    /// The successors at hand, and what the step to each costs.
    made: K,
    costs: Vec<u64>,
    /// What belongs to `sums` and `spots` of the successor that was valued last.
    sum: i64,
    spots_of_made: Vec<Spot>,
}

impl<K: Coding> Diving<K> {
    fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
        self.sums.truncate(len);
        self.spots.truncate(len * self.spots_of_made.len());
    }

    /// The spots of the state at a place.
    fn spots_at(&self, at: u32) -> Range<usize> {
        let width = self.spots_of_made.len();
        at as usize * width..(at as usize + 1) * width
    }

    fn is_on_path(&self, key: &K::Key, hash: u64) -> bool {
        self.path.has(hash, |other| self.keys.is(other, key))
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes()
            + self.made.bytes()
            + 8 * (self.sums.capacity() + self.costs.capacity())
            + (self.spots.capacity() + self.spots_of_made.capacity()) * size_of::<Spot>()
            + self.path.bytes()
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
        let diving = &mut self.diving;
        diving.truncate(0);
        diving.path.clear();
        diving.keys.push(self.store.key(0))?;
        diving.sums.grow_push(UNKNOWN)?;
        if let Some(tables) = self.machine.tables() {
            let words = K::words(&self.machine, self.store.key(0));
            tables.value(words, &mut diving.spots_of_made)?;
            diving.spots.grow_slice(&diving.spots_of_made)?;
        }
        Ok(())
    }

    #[inline]
    fn len(&self) -> u32 {
        self.diving.keys.len() as u32
    }

    #[inline]
    fn truncate(&mut self, len: u32) {
        self.diving.truncate(len as usize);
    }

    #[inline]
    fn make_successors(&mut self, at: u32, counted: bool) -> Outcome<()> {
        let (m, Diving { keys, path, made, costs, .. }) = (&*self.machine, &mut self.diving);
        let before = path.last();
        made.truncate(0);
        costs.clear();
        let done = K::each(&mut self.worker, m, m.program.successors, keys.get(at), |cost, key| {
            let cost = whole(cost)?;
            if before.is_some_and(|before| keys.is(before, key)) {
                return Ok(());
            }
            if let Some(other) = (0..made.len()).find(|&other| made.is(other as u32, key)) {
                costs[other] = cost.min(costs[other]);
                return Ok(());
            }
            made.push(key)?;
            costs.grow_push(cost)
        });
        self.count(counted && done.is_ok());
        done.map_err(|trouble| self.failed(trouble, at))
    }

    #[inline]
    fn made(&self) -> u32 {
        self.diving.made.len() as u32
    }

    #[inline]
    fn made_cost(&self, number: u32) -> u64 {
        self.diving.costs[number as usize]
    }

    #[inline]
    fn made_is_on_path(&self, number: u32) -> bool {
        let key = self.diving.made.get(number);
        self.diving.is_on_path(key, self.store.hash(key))
    }

    #[inline]
    fn made_estimate(&mut self, number: u32) -> Option<Estimate> {
        let (m, diving) = (&*self.machine, &mut self.diving);
        let end = diving.path.last()?;
        let old = K::words(m, diving.keys.get(end));
        let new = K::words(m, diving.made.get(number));
        if let Some(tables) = m.tables() {
            let from = &diving.spots[diving.spots_at(end)];
            return Some(tables.after(from, old, new, &mut diving.spots_of_made));
        }
        diving.sum = UNKNOWN;
        let worth = diving.sums[end as usize];
        diving.sum = self.adding.known((worth, old), new).filter(|_| worth != UNKNOWN)?;
        u64::try_from(diving.sum).ok().map(Estimate::Whole)
    }

    #[inline]
    fn push_made(&mut self, number: u32) -> Outcome<()> {
        let Diving { keys, sums, spots, made, sum, spots_of_made, .. } = &mut self.diving;
        keys.push(made.get(number))?;
        sums.grow_push(*sum)?;
        if spots_of_made.is_empty() { Ok(()) } else { spots.grow_slice(spots_of_made) }
    }

    #[inline]
    fn enter(&mut self, at: u32) -> Outcome<()> {
        let hash = self.store.hash(self.diving.keys.get(at));
        self.diving.path.push(at, hash)
    }

    #[inline]
    fn leave(&mut self) {
        self.diving.path.pop();
    }

    fn estimate_at(&mut self, at: u32) -> Outcome<Estimate> {
        let m = self.machine.clone();
        if m.program.sum.is_some()
            && let Some(whole) = self.sum_at(at)?
        {
            return Ok(Estimate::Whole(whole));
        }
        if let Some(tables) = m.tables() {
            let diving = &mut self.diving;
            let words = K::words(&m, diving.keys.get(at));
            let estimate = tables.value(words, &mut diving.spots_of_made)?;
            let spots = diving.spots_at(at);
            diving.spots[spots].copy_from_slice(&diving.spots_of_made);
            return Ok(estimate);
        }
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

    #[inline]
    fn goal_at(&mut self, at: u32) -> Outcome<bool> {
        let Some(goal) = self.machine.program.goal else { return Ok(false) };
        let m = &*self.machine;
        let result = K::goal(&mut self.worker, m, goal, self.diving.keys.get(at));
        self.count(false);
        result.map_err(|trouble| self.failed(trouble, at))
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

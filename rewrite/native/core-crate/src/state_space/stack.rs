//! A stack of keys outside the store, for strategies that store only their path.

use std::ops::Range;

use super::path::Path;
use super::{StateSpace, numbered, summed, valued, whole};
use crate::codec::{StateCodec, at_state};
use crate::error::{Error, Result};
use crate::estimates::Probe;
use crate::grow::{Grow, GrowCopies};
use crate::search::space::{Estimate, Id, PathStack};

/// Stands for a sum that was not calculated.
const UNKNOWN: i64 = i64::MIN;

/// The stack, and what is known of the states on it.
#[derive(Default)]
pub struct Stack<K> {
    keys: K,
    /// Estimates, if the heuristic is a sum.
    sums: Vec<i64>,
    /// Their probes in pattern databases.
    probes: Vec<Probe>,
    path: Path,
    /// The current successors, and the cost of the step to each.
    made: K,
    costs: Vec<u64>,
    /// What belongs to `sums` and `probes` of the successor that was valued last.
    sum: i64,
    probes_of_made: Vec<Probe>,
}

impl<K: StateCodec> Stack<K> {
    fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
        self.sums.truncate(len);
        self.probes.truncate(len * self.probes_of_made.len());
    }

    /// The probes of the state at a place.
    fn probes_at(&self, at: u32) -> Range<usize> {
        let width = self.probes_of_made.len();
        at as usize * width..(at as usize + 1) * width
    }

    fn is_on_path(&self, key: &K::Key, hash: u64) -> bool {
        self.path.has(hash, |other| self.keys.is(other, key))
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes()
            + self.made.bytes()
            + 8 * (self.sums.capacity() + self.costs.capacity())
            + (self.probes.capacity() + self.probes_of_made.capacity()) * size_of::<Probe>()
            + self.path.bytes()
    }
}

impl<K: StateCodec> StateSpace<K> {
    /// Adds the state to an error, which is inserted into the store so that it has a number.
    fn failed(&mut self, error: Error, at: u32) -> Error {
        if !matches!(error, Error::Failed { state: None, .. }) {
            return error;
        }
        match self.keep(at) {
            Ok(id) => at_state(error, id),
            Err(other) => other,
        }
    }

    /// The sum for the state at a place; None if the heuristic itself must be evaluated.
    #[inline]
    fn sum_at(&mut self, at: u32) -> Result<Option<u64>> {
        let (m, Stack { keys, sums, path, .. }) = (&*self.machine, &mut self.stack);
        let near = path.last().filter(|&end| sums[end as usize] != UNKNOWN);
        let near = near.map(|end| (sums[end as usize], K::words(m, keys.get(end))));
        let new = K::words(m, keys.get(at));
        let sum = summed(&mut self.sums, (m, &mut self.worker), near, new)?;
        if let Some(sum) = sum {
            sums[at as usize] = sum;
        }
        Ok(sum.and_then(|sum| u64::try_from(sum).ok()))
    }
}

impl<K: StateCodec> PathStack for StateSpace<K> {
    fn begin(&mut self) -> Result<()> {
        self.store.keep_numbers()?;
        let stack = &mut self.stack;
        stack.truncate(0);
        stack.path.clear();
        stack.keys.push(self.store.key(0))?;
        stack.sums.grow_push(UNKNOWN)?;
        if let Some(tables) = self.machine.tables() {
            let words = K::words(&self.machine, self.store.key(0));
            tables.value(words, &mut stack.probes_of_made)?;
            stack.probes.grow_slice(&stack.probes_of_made)?;
        }
        Ok(())
    }

    #[inline]
    fn height(&self) -> u32 {
        self.stack.keys.len() as u32
    }

    #[inline]
    fn truncate(&mut self, len: u32) {
        self.stack.truncate(len as usize);
    }

    #[inline]
    fn make_successors(&mut self, at: u32, counted: bool) -> Result<()> {
        let (m, Stack { keys, path, made, costs, .. }) = (&*self.machine, &mut self.stack);
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
        done.map_err(|error| self.failed(error, at))
    }

    #[inline]
    fn made(&self) -> u32 {
        self.stack.made.len() as u32
    }

    #[inline]
    fn made_cost(&self, number: u32) -> u64 {
        self.stack.costs[number as usize]
    }

    #[inline]
    fn made_is_on_path(&self, number: u32) -> bool {
        let key = self.stack.made.get(number);
        self.stack.is_on_path(key, self.store.hash(key))
    }

    #[inline]
    fn made_estimate(&mut self, number: u32) -> Option<Estimate> {
        let (m, stack) = (&*self.machine, &mut self.stack);
        let end = stack.path.last()?;
        let old = K::words(m, stack.keys.get(end));
        let new = K::words(m, stack.made.get(number));
        if let Some(tables) = m.tables() {
            let from = &stack.probes[stack.probes_at(end)];
            return Some(tables.after(from, old, new, &mut stack.probes_of_made));
        }
        stack.sum = UNKNOWN;
        let worth = stack.sums[end as usize];
        stack.sum = self.sums.as_ref()?.known((worth, old), new).filter(|_| worth != UNKNOWN)?;
        u64::try_from(stack.sum).ok().map(Estimate::Whole)
    }

    #[inline]
    fn push_made(&mut self, number: u32) -> Result<()> {
        let Stack { keys, sums, probes, made, sum, probes_of_made, .. } = &mut self.stack;
        keys.push(made.get(number))?;
        sums.grow_push(*sum)?;
        if probes_of_made.is_empty() { Ok(()) } else { probes.grow_slice(probes_of_made) }
    }

    #[inline]
    fn enter(&mut self, at: u32) -> Result<()> {
        let hash = self.store.hash(self.stack.keys.get(at));
        self.stack.path.push(at, hash)
    }

    #[inline]
    fn leave(&mut self) {
        self.stack.path.pop();
    }

    fn estimate_at(&mut self, at: u32) -> Result<Estimate> {
        if self.sums.is_some()
            && let Some(whole) = self.sum_at(at)?
        {
            return Ok(Estimate::Whole(whole));
        }
        let (m, stack) = (&*self.machine, &mut self.stack);
        let key = stack.keys.get(at);
        if let Some(tables) = m.tables() {
            let estimate = tables.value(K::words(m, key), &mut stack.probes_of_made)?;
            let probes = stack.probes_at(at);
            stack.probes[probes].copy_from_slice(&stack.probes_of_made);
            return Ok(estimate);
        }
        valued::<K>(m, &mut self.worker, &mut self.scratch, key)
            .map_err(|error| self.failed(error, at))
    }

    #[inline]
    fn goal_at(&mut self, at: u32) -> Result<bool> {
        let Some(goal) = self.machine.program.goal else { return Ok(false) };
        let m = &*self.machine;
        let result = K::goal(&mut self.worker, m, goal, self.stack.keys.get(at));
        self.count(false);
        result.map_err(|error| self.failed(error, at))
    }

    fn find(&self, at: u32) -> Option<Id> {
        let key = self.stack.keys.get(at);
        self.store.find(key, self.store.hash(key))
    }

    fn keep(&mut self, at: u32) -> Result<Id> {
        let key = self.stack.keys.get(at);
        self.store.insert(key, self.store.hash(key), 0).map(numbered)
    }
}

//! A stack of keys outside the store, for strategies that store only their path.

use std::ops::Range;

use super::path::Path;
use super::steps::{numbered, whole};
use super::{StateSpace, summed, valued};
use crate::codec::{StateCodec, at_state};
use crate::error::{Error, Result};
use crate::estimates::Probe;
use crate::grow::{Grow, GrowCopies};
use crate::search::space::{Estimate, Id, PathStack, Waiting};
use crate::store::List;

/// Stands for a sum that was not calculated.
const UNKNOWN: i64 = i64::MIN;

/// A state on the stack, with its estimate if the heuristic is a sum.
#[derive(Clone, Copy)]
struct Known {
    waiting: Waiting,
    sum: i64,
}

const NOTHING_KNOWN: Known = Known { waiting: Waiting { step: 0, reach: None }, sum: UNKNOWN };

/// The stack, and what is known of the states on it.
#[derive(Default)]
pub struct Stack<K: StateCodec> {
    keys: K::List,
    known: Vec<Known>,
    /// Their probes in pattern databases.
    probes: Vec<Probe>,
    path: Path,
    /// The state whose successors are made, apart from `keys`, which grow meanwhile.
    end: K::List,
    /// The probes of the state that was valued last.
    probes_of_made: Vec<Probe>,
}

impl<K: StateCodec> Stack<K> {
    fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
        self.known.truncate(len);
        self.probes.truncate(len * self.probes_of_made.len());
    }

    /// The probes of the state at a place.
    fn probes_at(&self, at: u32) -> Range<usize> {
        let width = self.probes_of_made.len();
        at as usize * width..(at as usize + 1) * width
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes()
            + self.end.bytes()
            + self.known.capacity() * size_of::<Known>()
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
        let (m, Stack { keys, known, path, .. }) = (&*self.machine, &mut self.stack);
        let near =
            path.last().map(|end| (known[end as usize].sum, K::words(m, keys.get(end as usize))));
        let near = near.filter(|&(sum, _)| sum != UNKNOWN);
        let new = K::words(m, keys.get(at as usize));
        let sum = summed(&mut self.sums, (m, &mut self.worker), near, new)?;
        if let Some(sum) = sum {
            known[at as usize].sum = sum;
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
        stack.known.grow_push(NOTHING_KNOWN)?;
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
    fn enter(&mut self, at: u32) -> Result<()> {
        let hash = self.store.hash(self.stack.keys.get(at as usize));
        self.stack.path.push(at, hash)
    }

    #[inline]
    fn leave(&mut self) {
        self.stack.path.pop();
    }

    #[inline]
    fn push_successors(
        &mut self,
        counted: bool,
        mut sift: impl FnMut(u64, Option<Estimate>, &dyn Fn() -> bool) -> Option<Waiting>,
    ) -> Result<()> {
        let Some(at) = self.stack.path.last() else { return Ok(()) };
        let (m, worker, store, sums) =
            (&*self.machine, &mut self.worker, &self.store, self.sums.as_ref());
        let (from, probes_of_end) = (self.stack.keys.len(), self.stack.probes_at(at));
        let Stack { keys, known, probes, path, end, probes_of_made } = &mut self.stack;
        end.truncate(0);
        end.push(keys.get(at as usize))?;
        let (end, before, worth) = (end.get(0), path.before_last(), known[at as usize].sum);
        let (old, tables) = (K::words(m, end), m.tables());
        let mut push = |cost, key: &K::Key| {
            let step = whole(cost)?;
            if before.is_some_and(|before| K::same(keys.get(before as usize), key)) {
                return Ok(());
            }
            let (new, mut sum) = (K::words(m, key), UNKNOWN);
            let estimate = if let Some(tables) = tables {
                Some(tables.after(&probes[probes_of_end.clone()], old, new, probes_of_made))
            } else {
                let known = sums.filter(|_| worth != UNKNOWN);
                sum = known.and_then(|sums| sums.known((worth, old), new)).unwrap_or(UNKNOWN);
                u64::try_from(sum).ok().map(Estimate::Whole)
            };
            let is_on_path =
                || path.has(store.hash(key), |other| K::same(keys.get(other as usize), key));
            let Some(waiting) = sift(step, estimate, &is_on_path) else { return Ok(()) };
            if let Some(other) = (from..keys.len()).find(|&other| K::same(keys.get(other), key)) {
                let one = &mut known[other].waiting;
                one.step = one.step.min(waiting.step);
                one.reach = one.reach.min(waiting.reach);
                return Ok(());
            }
            keys.push(key)?;
            known.grow_push(Known { waiting, sum })?;
            if probes_of_made.is_empty() { Ok(()) } else { probes.grow_slice(probes_of_made) }
        };
        // by reference: to pass it on by value would copy what it holds, for each state
        let done = K::each(worker, m, m.program.successors, end, &mut push);
        if done.is_err() {
            self.stack.truncate(from);
        }
        self.count(counted && done.is_ok());
        done.map_err(|error| self.failed(error, at))
    }

    #[inline]
    fn waiting(&self, at: u32) -> Waiting {
        self.stack.known[at as usize].waiting
    }

    fn estimate_at(&mut self, at: u32) -> Result<Estimate> {
        if self.sums.is_some()
            && let Some(whole) = self.sum_at(at)?
        {
            return Ok(Estimate::Whole(whole));
        }
        let (m, stack) = (&*self.machine, &mut self.stack);
        let key = stack.keys.get(at as usize);
        if let Some(tables) = m.tables() {
            let estimate = tables.value(K::words(m, key), &mut stack.probes_of_made)?;
            let probes = stack.probes_at(at);
            stack.probes[probes].copy_from_slice(&stack.probes_of_made);
            return Ok(estimate);
        }
        valued::<K>(m, &mut self.worker, key).map_err(|error| self.failed(error, at))
    }

    #[inline]
    fn goal_at(&mut self, at: u32) -> Result<bool> {
        let Some(goal) = self.machine.program.goal else { return Ok(false) };
        let m = &*self.machine;
        let result = K::goal(&mut self.worker, m, goal, self.stack.keys.get(at as usize));
        self.count(false);
        result.map_err(|error| self.failed(error, at))
    }

    fn find(&self, at: u32) -> Option<Id> {
        let key = self.stack.keys.get(at as usize);
        self.store.find(key, self.store.hash(key))
    }

    fn keep(&mut self, at: u32) -> Result<Id> {
        let key = self.stack.keys.get(at as usize);
        self.store.insert(key, self.store.hash(key), 0).map(numbered)
    }
}

//! The states of one puzzle, with the machine that expands, tests and values them.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // what belongs to states grows with them: see `grow`

mod foresight;
mod pace;
mod path;
mod saved;
mod stack;
mod steps;

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use crate::codec::{Act, Expander, StateCodec, at_state, with_key_type};
use crate::error::{Error, Result};
use crate::estimates::{Estimator, Sums};
use crate::grow::{Grow, filled};
use crate::interner::Interner;
use crate::search::record::Record;
use crate::search::savable::SavableSpace;
use crate::search::space::{Batch, Direction, Estimate, Hit, Id, Space, Step};
use crate::search::strategies::{End, IdaStar};
use crate::store::paged_vec::PagedVec;
use crate::store::{Block, Entry, Store, Waves};
use crate::value::Val;
use crate::vm::machine::{Machine, Seen};
use crate::vm::worker::{NONE, Worker};

use foresight::Foresight;
use stack::Stack;
use steps::Maker;

pub struct StateSpace<K: StateCodec> {
    pub(crate) machine: Arc<Machine>,
    store: Store<K>,
    worker: Worker,
    counts: Vec<u64>,
    estimates: PagedVec<Option<Estimate>>,
    foresight: Foresight,
    /// The state that was valued last.
    valued: Option<Id>,
    /// The heuristic, where it is a sum.
    sums: Option<Sums>,
    stack: Stack<K>,
    expander: Expander,
    waves: Waves<K, Worker>,
    maker: Maker<K>,
    /// The memory limit in bytes, growth included.
    budget: Option<usize>,
}

/// The space of a machine, with the keys of its encoding. `first`: the raw keys of the start and of
/// goal states, all different.
pub fn new_state_space(
    machine: Arc<Machine>,
    first: &[Vec<u32>],
    threads: usize,
) -> Result<Box<dyn SavableSpace>> {
    with_key_type!(machine.program.encoding, K => {
        Ok(Box::new(StateSpace::<K>::new(machine, first, threads)?))
    })
}

impl<K: StateCodec> StateSpace<K> {
    /// `first`: raw keys of states, which get the numbers from 0 on; each is its own parent.
    pub fn new(machine: Arc<Machine>, first: &[Vec<u32>], threads: usize) -> Result<StateSpace<K>> {
        let mut store = Store::<K>::with(machine.program.layout)?;
        let expander = Expander::new(machine.clone());
        for (id, raw) in (0..).zip(first) {
            let entry = K::with_raw(raw, |key| store.insert(key, store.hash(key), id))?;
            assert!(matches!(entry, Entry::New(_)), "the start or a goal is given twice");
        }
        let mut worker = Worker::new(&machine, true)?;
        let mut sums = None;
        if let Some(fields) = &machine.program.sum {
            let start = K::words(&machine, store.key(0));
            if let Some(worth) = worth(&machine, &mut worker, start)? {
                sums = Sums::new(fields, start, worth)?;
            }
        }
        Ok(StateSpace {
            worker,
            sums,
            counts: filled(machine.program.counters as usize, 0)?,
            machine,
            estimates: PagedVec::default(),
            foresight: Foresight::default(),
            valued: None,
            stack: Stack::default(),
            waves: Waves::new(threads, &expander)?,
            maker: Maker::default(),
            budget: None,
            store,
            expander,
        })
    }

    fn allot(&mut self) {
        let others = self.bytes() - self.store.bytes();
        self.store.set_budget(self.budget.map(|bytes| bytes.saturating_sub(others)));
    }

    /// Passes each successor of a state to `act`.
    #[inline]
    fn look(
        &mut self,
        id: Id,
        mut act: impl FnMut(&Store<K>, &K::Key) -> Result<()>,
    ) -> Result<()> {
        let (m, store) = (&*self.machine, &self.store);
        let function = m.program.expansion(Direction::Forward);
        let worker = &mut self.worker;
        store
            .with_key(id, |key| {
                let act: Act<'_, K::Key> = &mut |_, made| act(store, made);
                K::each(worker, m, function, key, act)
            })
            .map_err(|error| at_state(error, id))
    }

    pub(crate) fn key(&self, id: Id) -> &K::Key {
        self.store.key(id)
    }

    /// Generates all successors of a state without storing them. Counted.
    pub(crate) fn each(
        &mut self,
        id: Id,
        mut act: impl FnMut(&K::Key) -> Result<()>,
    ) -> Result<()> {
        let done = self.look(id, |_, key| act(key));
        self.count(done.is_ok());
        done
    }

    /// For candidates of this space.
    pub(crate) fn new_block(&self) -> Block<K> {
        Block::new(self.store.hashing())
    }

    /// Looks up candidates and inserts new ones; reports the number of each, and whether it is new.
    pub(crate) fn insert_block(
        &mut self,
        block: &Block<K>,
        mut tell: impl FnMut(usize, Id, bool),
    ) -> Result<()> {
        self.store.keep_numbers()?;
        self.store.insert_block(block, &(0..0), |at, entry| match entry {
            Entry::New(id) => tell(at, id, true),
            Entry::Old(id) => tell(at, id, false),
            Entry::Known => unreachable!("numbers are kept"),
        })
    }

    /// Adds the counts of the worker, or discards them.
    fn count(&mut self, counted: bool) {
        self.worker.take_counts(counted.then_some(&mut self.counts));
    }

    fn value_of(&mut self, function: Option<u16>, id: Id) -> Result<Option<Val>> {
        let Some(function) = function else { return Ok(None) };
        let (m, worker) = (&*self.machine, &mut self.worker);
        match self.store.with_key(id, |key| K::call(worker, m, function, key)) {
            Ok(NONE) => Ok(None),
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(at_state(error, id)),
        }
    }
}

/// What the heuristic gives for a state; None where that is no whole number, or it fails: whoever
/// asks it for a state that there is will say so.
#[cold]
fn worth(m: &Machine, w: &mut Worker, words: &[u64]) -> Result<Option<i64>> {
    let Some(function) = m.program.heuristic else { return Ok(None) };
    match w.call_on_words(m, function, words) {
        Ok(NONE) => Ok(None),
        Ok(value) => Ok(value.as_small()),
        Err(Error::NoValue | Error::Failed { .. } | Error::Unsupported(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// What a heuristic that is a sum gives for a state; None where it must be asked itself.
#[inline]
fn summed(
    sums: &mut Option<Sums>,
    (m, w): (&Machine, &mut Worker),
    near: Option<(i64, &[u64])>,
    words: &[u64],
) -> Result<Option<i64>> {
    let Some(known) = sums else { return Ok(None) };
    let sum = known.value(near, words, |words| worth(m, w, words))?;
    if sum.is_none() {
        *sums = None;
    }
    Ok(sum)
}

/// What the core itself knows of the heuristic in a state.
fn estimated<K: StateCodec>(m: &Machine, w: &mut Worker, key: &K::Key) -> Result<Option<Estimate>> {
    if let Some(estimator) = &m.program.estimate {
        return K::seen(m, key, |seen| match seen {
            Seen::Words(words) => estimator.value(words, &mut w.estimating).map(Some),
            Seen::Groups(_) => Err(Error::Unsupported("an estimate over slots".into())),
        });
    }
    let Some(function) = m.program.heuristic else { return Ok(None) };
    let value = Some(K::call(w, m, function, key)?).filter(|&value| value != NONE);
    let whole = value.and_then(Val::as_small).and_then(|value| u64::try_from(value).ok());
    Ok(whole.map(Estimate::Whole))
}

fn valued<K: StateCodec>(m: &Machine, w: &mut Worker, key: &K::Key) -> Result<Estimate> {
    match estimated::<K>(m, w, key)? {
        Some(estimate) => Ok(estimate),
        // what is wrong with it, or that it is very large, is for outside to say
        None => K::seen(m, key, |seen| m.outside.estimate(seen, &m.interner)),
    }
}

impl<K: StateCodec> Space for StateSpace<K> {
    fn states(&self) -> u32 {
        self.store.len()
    }

    fn grow(&mut self, batch: &Batch) -> Result<Option<Hit>> {
        let ahead = self.store.reload(batch.from, batch.to, batch.ahead)?;
        let batch = &Batch { ahead, ..batch.clone() };
        if self.budget.is_some() {
            self.allot();
        }
        let grown = self.waves.grow(&mut self.store, &self.expander, batch)?;
        for (sum, one) in self.counts.iter_mut().zip(grown.counts) {
            *sum += one;
        }
        Ok(grown.hit)
    }

    fn steps(&mut self, direction: Direction, ids: &[Id], out: &mut Vec<Step>) -> Result<()> {
        self.store.keep_numbers()?;
        let (crew, workers) = self.waves.crew();
        let most = if self.expander.asks_outside { 1 } else { workers.len() };
        let to = (&*self.machine, &mut self.store, direction);
        self.maker.steps((crew, &mut workers[..most]), to, ids, out, &mut self.counts)
    }

    fn peek(&mut self, id: Id, out: &mut Vec<Option<Id>>) -> Result<()> {
        self.store.keep_numbers()?;
        let result = self.look(id, |store, key| out.grow_push(store.find(key, store.hash(key))));
        self.count(false);
        result
    }

    fn leads_on(&mut self, ids: &[Id], to_start: bool) -> Result<bool> {
        self.store.forget_unseen()?;
        let mut leads = false;
        for &id in ids {
            let looked = self.look(id, |store, key| {
                leads |= !store.has(key, store.hash(key)) || (to_start && store.key(0) == key);
                Ok(())
            });
            if let Err(error) = looked {
                self.count(false);
                return Err(error);
            }
            if leads {
                break;
            }
        }
        self.count(!leads);
        Ok(leads)
    }

    fn may_have_goals(&self) -> bool {
        self.machine.may_have_goals()
    }

    fn goal(&mut self, id: Id, counted: bool) -> Result<bool> {
        if !counted && let Some(known) = self.waves.goal(id) {
            return Ok(known);
        }
        let Some(goal) = self.machine.program.goal else { return Ok(false) };
        let (m, worker) = (&*self.machine, &mut self.worker);
        let result = self.store.with_key(id, |key| K::goal(worker, m, goal, key));
        self.count(counted);
        result.map_err(|error| at_state(error, id))
    }

    fn objective(&mut self, id: Id) -> Result<Option<Val>> {
        self.value_of(self.machine.program.objective, id)
    }

    fn compare(&self, a: Val, b: Val) -> Ordering {
        let interner: &Interner = &self.machine.interner;
        interner.cmp(a, b)
    }

    fn estimate(&mut self, id: Id) -> Result<Estimate> {
        let at = id as usize;
        if at < self.estimates.len()
            && let Some(known) = self.estimates[at]
        {
            return Ok(known);
        }
        let (m, w, key) = (&*self.machine, &mut self.worker, self.store.key(id));
        let sum = match self.sums.is_some() {
            true => summed(&mut self.sums, (m, w), None, K::words(m, key))?,
            false => None,
        };
        let found = match sum.and_then(|sum| u64::try_from(sum).ok()) {
            Some(whole) => Estimate::Whole(whole),
            None => valued::<K>(m, w, key).map_err(|one| at_state(one, id))?,
        };
        self.valued = Some(id);
        self.estimates.grow_to(at + 1, None)?;
        self.estimates[at] = Some(found);
        Ok(found)
    }

    /// Not of an expression, however it is reckoned: it expands what the same function would.
    fn estimates_quickly(&self) -> bool {
        self.machine.program.estimate.as_ref().and_then(Estimator::tables).is_some()
    }

    fn foresee(&mut self, ids: Range<Id>) -> Result<()> {
        let (m, store, (crew, workers)) = (&*self.machine, &self.store, self.waves.crew());
        let own = m.program.estimate.is_some()
            || m.program.heuristic.is_some() && self.sums.is_none() && !self.expander.asks_outside;
        if workers.len() == 1 || !own {
            return Ok(());
        }
        let found = self.foresight.estimates((crew, workers), ids.clone(), |id, worker| {
            // one that fails is evaluated again when it is asked for, and fails there
            estimated::<K>(m, worker, store.key(id)).ok().flatten()
        })?;
        self.estimates.grow_to(ids.end as usize, None)?;
        for (id, &one) in ids.zip(found) {
            self.estimates[id as usize] = one;
        }
        Ok(())
    }

    fn helpful(&mut self, id: Id, out: &mut Vec<Id>) -> Result<()> {
        let (m, w, key) = (&*self.machine, &mut self.worker, self.store.key(id));
        let Some(estimator) = m.program.estimate.as_ref().filter(|_| m.program.canon.is_none())
        else {
            return Ok(());
        };
        if self.valued != Some(id) {
            valued::<K>(m, w, key)?;
            self.valued = Some(id);
        }
        let store = &self.store;
        estimator.helpful(K::words(m, key), &mut w.estimating, |halves| {
            let found = K::with_raw(halves, |key| store.find(key, store.hash(key)));
            found.map_or(Ok(()), |id| out.grow_push(id))
        })
    }

    fn rest(&mut self) {
        self.waves.rest();
    }

    fn parent(&self, id: Id) -> Id {
        self.store.parent(id)
    }

    fn any_parent(&self, id: Id) -> Result<Id> {
        self.store.any_parent(id)
    }

    fn set_parent(&mut self, id: Id, parent: Id) {
        self.store.set_parent(id, parent);
    }

    fn deepen(&mut self, strategy: &mut IdaStar, record: &mut Record) -> Result<Option<End>> {
        strategy.follow(self, record)
    }

    fn bytes(&self) -> usize {
        let estimates = self.estimates.bytes();
        let tables = self.stack.bytes()
            + self.sums.as_ref().map_or(0, Sums::bytes)
            + self.machine.program.estimate.as_ref().map_or(0, Estimator::bytes);
        let workers = self.worker.bytes() + self.waves.bytes(&self.expander);
        self.store.bytes()
            + self.machine.bytes()
            + self.maker.bytes()
            + workers
            + estimates
            + tables
    }
}

//! The one search loop: it takes batches of states from a strategy and tests them for the goal.
//!
//! Everything that all strategies share is here: goals, answers, limits, interrupts, progress. The
//! loop can be left and entered again.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // answers and batches grow with the search: see `grow`

pub mod answers;
pub mod limits;
pub mod question;
pub mod record;
mod saved;
pub mod shortest;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::TINY;
use crate::grow::Grow;
use crate::space::{Id, Space};
use crate::strategies::{Nothing, Strategy, strategy_for};
use crate::trouble::{Exhausted, Outcome, Trouble};

use answers::{Answer, Found, Overestimate};
use limits::{Limit, Limits, Stop};
use question::Question;
use record::Record;

const BETWEEN_PULSES: Duration = Duration::from_millis(50);
/// Bytes that are set aside for the way home: handing over what was found takes memory too.
const RESERVE: usize = 4 << 20;
/// New states between two times that states are put away.
const BETWEEN_PUTS: u64 = if TINY { 40 } else { 1 << 20 };

/// A look at a running search.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub states: u64,
    pub depth: u64,
    pub waiting: u64,
    /// Bytes in use.
    pub memory: usize,
}

/// A search under way.
pub struct Search {
    pub record: Record,
    pub answers: Vec<Answer>,
    /// With `minimize`: the first of the states with the lowest value that are no goals.
    pub nearest: Option<Answer>,
    /// Goals (with `minimize`: states) that were passed by, being nearer than `min_depth`.
    pub too_near: u64,
    /// The first that was found.
    pub overestimate: Option<Overestimate>,
    /// The memory of the machine ran out, which ended the search.
    pub out_of_memory: bool,
    asked: Question,
    strategy: Box<dyn Strategy>,
    /// What the strategy gave out last; the first `tested` were tested for the goal.
    batch: Vec<u32>,
    tested: usize,
    /// The place in the order of the last one tested; below 1 where paths end in states seen before.
    order: i64,
    queue: VecDeque<Found>,
    started: bool,
    /// Bytes of the trails of answers.
    trails: usize,
    /// Address space that is given back where the memory of the machine has run out. Never touched.
    reserve: Vec<u8>,
    /// The strategy was stopped in the middle of a batch: that comes before limits are looked at.
    unfinished: bool,
    ended: bool,
    /// So many states are seen when some are to be put away next.
    crowded_at: u64,
}

impl Search {
    pub fn new(asked: Question) -> Outcome<Search> {
        let mut reserve = Vec::new();
        reserve.grow_by(RESERVE)?;
        Ok(Search {
            record: Record::new(asked.min_depth, asked.uses_estimate),
            answers: Vec::new(),
            nearest: None,
            too_near: 0,
            overestimate: None,
            out_of_memory: false,
            strategy: strategy_for(&asked)?,
            asked,
            batch: Vec::new(),
            tested: 0,
            order: 0,
            queue: VecDeque::new(),
            trails: 0,
            reserve,
            started: false,
            unfinished: false,
            ended: false,
            crowded_at: BETWEEN_PUTS,
        })
    }

    /// Goes on until `wanted` answers are there, or the search ends or is stopped.
    ///
    /// `pulse` is called between two batches, at most every 50 ms; true asks to stop. An error
    /// that is not a way of stopping is handed on; the search stands as before what failed.
    pub fn advance(
        &mut self,
        space: &mut dyn Space,
        wanted: Option<usize>,
        limits: &Limits,
        pulse: &mut dyn FnMut(&Progress) -> Outcome<bool>,
    ) -> Outcome<Stop> {
        self.record.limits = *limits;
        let stopped = self.go_on(space, wanted, pulse);
        space.rest();
        match stopped {
            Err(Trouble::Interrupted) => Ok(Stop::Interrupted),
            Err(Trouble::Late) => Ok(Stop::Limit(Limit::MaxSeconds)),
            Err(Trouble::Memory(Exhausted::Budget)) => Ok(Stop::Limit(Limit::MaxMemory)),
            Err(Trouble::Memory(Exhausted::Machine)) => {
                self.give_back();
                Ok(Stop::Exhausted) // of what there was: the result says that it is no proof
            }
            other => other,
        }
    }

    /// Ends the search for lack of memory, and gives back what only going on would need.
    pub fn give_back(&mut self) {
        (self.out_of_memory, self.ended) = (true, true);
        (self.queue, self.batch, self.reserve) = (VecDeque::new(), Vec::new(), Vec::new());
        self.strategy = Box::new(Nothing); // of no size: takes no memory
        self.tested = 0;
    }

    /// The states on the way to a state, the start first.
    pub fn trail(&self, space: &dyn Space, id: Id) -> Outcome<Vec<Id>> {
        self.record.trail(space, id)
    }

    /// Bytes in use, about, those of the space not included.
    pub fn bytes(&self) -> usize {
        self.strategy.bytes()
            + self.queue.capacity() * size_of::<Found>()
            + self.batch.capacity() * size_of::<u32>()
            + self.answers.capacity() * size_of::<Answer>()
            + self.trails
    }

    fn go_on(
        &mut self,
        space: &mut dyn Space,
        wanted: Option<usize>,
        pulse: &mut dyn FnMut(&Progress) -> Outcome<bool>,
    ) -> Outcome<Stop> {
        let mut last_pulse = Instant::now();
        loop {
            self.find_goals(space)?;
            loop {
                if wanted.is_some_and(|wanted| self.answers.len() >= wanted) {
                    return Ok(Stop::Found);
                }
                let Some(&found) = self.queue.front() else {
                    break;
                };
                self.look_at(found, space)?;
                self.queue.pop_front();
            }
            if self.ended {
                return Ok(Stop::Exhausted);
            }
            if self.started && !self.unfinished {
                // the start is looked at under any limit
                let now = Instant::now();
                if let Some(limit) = self.reached(space, now) {
                    return Ok(Stop::Limit(limit));
                }
                if self.record.limits.apart && self.record.states(space) >= self.crowded_at {
                    return Ok(Stop::Crowded);
                }
                if self.asked.eager || now - last_pulse >= BETWEEN_PULSES {
                    last_pulse = now;
                    if pulse(&self.progress(space))? {
                        return Ok(Stop::Interrupted);
                    }
                }
            }
            self.take_batch(space)?;
            if let Some(limit) = self.record.blocked {
                return Ok(Stop::Limit(limit));
            }
        }
    }

    fn progress(&self, space: &dyn Space) -> Progress {
        Progress {
            states: self.record.states(space),
            depth: self.record.depth,
            waiting: self.record.waiting,
            memory: space.bytes() + self.bytes(),
        }
    }

    fn reached(&self, space: &dyn Space, now: Instant) -> Option<Limit> {
        let limits = &self.record.limits;
        if limits.max_states.is_some_and(|most| self.record.states(space) >= most) {
            return Some(Limit::MaxStates);
        }
        if limits.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Limit::MaxSeconds);
        }
        if limits.max_memory.is_some_and(|most| space.bytes() + self.bytes() >= most) {
            return Some(Limit::MaxMemory);
        }
        None
    }

    fn take_batch(&mut self, space: &mut dyn Space) -> Outcome<()> {
        self.record.blocked = None;
        self.batch.clear();
        self.tested = 0;
        self.unfinished = true;
        let more = self.strategy.next(space, &mut self.record, &mut self.batch);
        if more.is_err() {
            self.batch.clear();
        }
        self.ended = !more?;
        (self.started, self.unfinished) = (true, false);
        let again = self.batch.iter().any(|&item| self.is_start_again(item));
        self.order = self.record.states(space) as i64 - self.batch.len() as i64 + i64::from(again);
        Ok(())
    }

    /// Whether an item is the start reached through a cycle, which was counted when it was first
    /// seen. (A path that ends there is an item of its own.)
    fn is_start_again(&self, item: u32) -> bool {
        item == 0
            && self.record.min_depth > 0
            && self.record.start_noted
            && !self.asked.distinct_paths
    }

    /// Puts what of the batch is to be looked at into the queue; with `minimize` that is all.
    fn find_goals(&mut self, space: &mut dyn Space) -> Outcome<()> {
        let asked_for = self.asked.goal && space.may_have_goals();
        if !asked_for && !self.asked.minimize {
            let left = &self.batch[self.tested..];
            let again = left.iter().filter(|&&item| self.is_start_again(item)).count();
            self.order += (left.len() - again) as i64;
            self.tested = self.batch.len();
            return Ok(());
        }
        while let Some(&item) = self.batch.get(self.tested) {
            let good = asked_for && space.goal(self.strategy.state(item), false)?;
            self.queue.grow_by(1)?;
            self.tested += 1;
            self.order += i64::from(!self.is_start_again(item));
            if good || self.asked.minimize {
                self.queue.grow_push(Found { item, order: self.order.max(1) as u64, good })?;
            }
        }
        Ok(())
    }

    /// Turns what was found into an answer, if it is one.
    fn look_at(&mut self, found: Found, space: &mut dyn Space) -> Outcome<()> {
        let Found { item, order, good } = found;
        if self.record.min_depth > 0 {
            let steps = self.strategy.trail(item, space, &self.record)?.len() as u64 - 1;
            if steps < self.record.min_depth {
                self.too_near += u64::from(steps > 0);
                return Ok(());
            }
        }
        let state = self.strategy.state(item);
        let value = if self.asked.minimize { space.objective(state)? } else { None };
        let nearest = self.nearest.as_ref().and_then(|answer| answer.value);
        let nearer = value.is_some_and(|value| {
            nearest.is_none_or(|lowest| space.compare(value, lowest) == Ordering::Less)
        });
        if !good && !nearer {
            return Ok(());
        }
        let trail = self.strategy.trail(item, space, &self.record)?;
        if good {
            self.overestimate = self.find_overestimate(&trail, space)?;
            self.trails += trail.capacity() * size_of::<Id>();
            self.answers.grow_push(Answer { trail, order, value })?;
        } else {
            self.nearest = Some(Answer { trail, order, value });
        }
        Ok(())
    }

    fn find_overestimate(
        &self,
        trail: &[Id],
        space: &mut dyn Space,
    ) -> Outcome<Option<Overestimate>> {
        if !self.asked.uses_estimate || self.overestimate.is_some() {
            return Ok(self.overestimate);
        }
        let Some(whole) = trail.last().and_then(|&goal| self.strategy.cost(goal)) else {
            return Ok(None); // the strategy keeps no costs: nothing to compare estimates with
        };
        for &id in trail {
            let spent = self.strategy.cost(id).unwrap_or(0);
            let left = i128::from(whole) - i128::from(spent);
            let found = Overestimate::find(id, space.estimate(id)?, left);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

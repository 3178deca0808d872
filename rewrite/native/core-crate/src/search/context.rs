//! What a strategy sees of the search: the space, the counts, and where it offers states and pauses.

use std::time::{Duration, Instant};

use super::Progress;
use super::answers::Answers;
use super::limits::{Limit, Stop};
use super::question::Question;
use super::record::Record;
use crate::error::{Error, Result};
use crate::search::space::Space;
use crate::search::strategies::Strategy;

pub const BETWEEN_PULSES: Duration = Duration::from_millis(50);

/// Why a strategy returns before its end; run again, it continues where it was.
pub enum Pause {
    Stop(Stop),
    Error(Error),
}

impl From<Error> for Pause {
    fn from(error: Error) -> Pause {
        Pause::Error(error)
    }
}

pub struct Context<'a> {
    pub space: &'a mut dyn Space,
    pub record: &'a mut Record,
    pub(super) answers: &'a mut Answers,
    pub(super) asked: &'a Question,
    pub(super) wanted: Option<usize>,
    pub(super) crowded_at: u64,
    pub(super) pulse: &'a mut dyn FnMut(&Progress) -> Result<bool>,
    pub(super) last_pulse: Instant,
}

impl Context<'_> {
    /// Tests an item for the goal, and records the answer if it is one.
    pub fn offer(&mut self, way: &dyn Strategy, item: u32) -> Result<()> {
        let order = self.record.states(self.space);
        self.answers.offer(self.space, self.record, self.asked, way, item, order)
    }

    /// Offers the items below `until` that were not offered yet, and the start where a cycle has led
    /// back to it. Pauses as soon as there are answers enough; the rest follows when it goes on.
    pub fn offer_new(&mut self, way: &dyn Strategy, until: u32) -> Result<(), Pause> {
        if !(self.asked.minimize || self.asked.goal && self.space.may_have_goals()) {
            self.record.offered = self.record.offered.max(until);
            self.record.start_returned = false;
        }
        let states = self.record.states(self.space);
        while self.record.offered < until {
            let item = self.record.offered;
            let order = states.saturating_sub(u64::from(until - 1 - item)).max(1);
            self.answers.offer(self.space, self.record, self.asked, way, item, order)?;
            self.record.offered += 1;
            self.stop_if_found()?;
        }
        if self.record.start_returned {
            self.offer(way, 0)?;
            self.record.start_returned = false;
            self.stop_if_found()?;
        }
        Ok(())
    }

    pub fn stop_if_found(&self) -> Result<(), Pause> {
        match self.wanted {
            Some(wanted) if self.answers.fresh().len() >= wanted => Err(Pause::Stop(Stop::Found)),
            _ => Ok(()),
        }
    }

    /// Called between two iterations: pauses if there are enough answers, a limit is reached or a stop
    /// is requested.
    pub fn pause(&mut self, strategy: &dyn Strategy) -> Result<(), Pause> {
        self.stop_if_found()?;
        let (now, limits) = (Instant::now(), &self.record.limits);
        let states = self.record.states(self.space);
        let stop = |limit| Err(Pause::Stop(Stop::Limit(limit)));
        if limits.max_states.is_some_and(|most| states >= most) {
            return stop(Limit::MaxStates);
        }
        if limits.deadline.is_some_and(|deadline| now >= deadline) {
            return stop(Limit::MaxSeconds);
        }
        if limits.max_memory.is_some_and(|most| self.bytes(strategy) >= most) {
            return stop(Limit::MaxMemory);
        }
        if limits.apart && states >= self.crowded_at {
            return Err(Pause::Stop(Stop::Crowded));
        }
        if self.asked.eager || now - self.last_pulse >= BETWEEN_PULSES {
            self.last_pulse = now;
            let Record { depth, waiting, .. } = *self.record;
            let progress = Progress { states, depth, waiting, memory: self.bytes(strategy) };
            if (self.pulse)(&progress)? {
                return Err(Pause::Stop(Stop::Interrupted));
            }
        }
        Ok(())
    }

    fn bytes(&self, strategy: &dyn Strategy) -> usize {
        self.space.bytes() + strategy.bytes() + self.answers.bytes()
    }
}

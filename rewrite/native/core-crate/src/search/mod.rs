//! The search: it runs a strategy until there are answers enough, nothing is left or a limit stops it.
//!
//! A strategy tests states for the goal and pauses between its iterations through a `Context`, which
//! keeps answers and looks at limits and interrupts. A search can be left at a pause and entered again.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // answers grow with the search: see `grow`

pub mod answers;
pub mod context;
pub mod limits;
pub mod question;
pub mod record;
pub mod savable;
mod saved;
pub mod shortest;
pub mod space;
pub mod strategies;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;

use std::time::Instant;

use crate::TINY;
use crate::error::{Error, Exhausted, Result};
use crate::grow::Grow;
use crate::search::space::Space;
use crate::search::strategies::{End, Nothing, Strategy, strategy_for};

use answers::Answers;
use context::{Context, Pause};
use limits::{Limit, Limits, Stop};
use question::Question;
use record::Record;

/// Bytes reserved for returning the answers, which takes memory too.
const RESERVE: usize = 4 << 20;
/// New states between two spills.
const BETWEEN_PUTS: u64 = if TINY { 40 } else { 1 << 20 };

/// A look at a running search.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub states: u64,
    pub depth: u64,
    pub waiting: u64,
    pub memory: usize,
}

pub struct Search {
    pub record: Record,
    pub answers: Answers,
    /// The memory of the machine ran out, which ended the search.
    pub out_of_memory: bool,
    asked: Question,
    strategy: Box<dyn Strategy>,
    /// The strategy has paused: limits are checked before it continues.
    paused: bool,
    ended: bool,
    /// Address space that is freed when the machine runs out of memory. Never touched.
    reserve: Vec<u8>,
    /// The number of states at which to spill next.
    crowded_at: u64,
}

impl Search {
    pub fn new(asked: Question) -> Result<Search> {
        let mut reserve = Vec::new();
        reserve.grow_by(RESERVE)?;
        Ok(Search {
            record: Record::new(asked.min_depth, asked.uses_estimate),
            answers: Answers::default(),
            out_of_memory: false,
            strategy: strategy_for(&asked)?,
            asked,
            paused: false,
            ended: false,
            reserve,
            crowded_at: BETWEEN_PUTS,
        })
    }

    /// Continues until there are `wanted` answers that the caller does not have, or the search ends or
    /// is stopped.
    ///
    /// `pulse` is called between two iterations, at most every 50 ms; true requests a stop. Errors that
    /// are no reason to stop are returned; the search can retry the iteration that failed.
    pub fn advance(
        &mut self,
        space: &mut dyn Space,
        wanted: Option<usize>,
        limits: &Limits,
        pulse: &mut dyn FnMut(&Progress) -> Result<bool>,
    ) -> Result<Stop> {
        self.record.limits = *limits;
        let ended = self.run(space, wanted, pulse);
        space.rest();
        self.paused = !matches!(ended, Err(Pause::Error(_)));
        if !self.paused {
            self.record.part = 1;
        }
        match ended {
            Ok(End::Exhausted) => {
                self.ended = true;
                Ok(Stop::Exhausted)
            }
            Ok(End::Blocked) => Ok(Stop::Limit(Limit::MaxDepth)),
            Err(Pause::Stop(stop)) => Ok(stop),
            Err(Pause::Error(error)) => match error {
                Error::Interrupted => Ok(Stop::Interrupted),
                Error::Late => Ok(Stop::Limit(Limit::MaxSeconds)),
                Error::Memory(Exhausted::Budget) => Ok(Stop::Limit(Limit::MaxMemory)),
                Error::Memory(Exhausted::Machine) => {
                    self.give_back();
                    Ok(Stop::Exhausted) // only of what was reached: the result says that this proves nothing
                }
                other => Err(other),
            },
        }
    }

    fn run(
        &mut self,
        space: &mut dyn Space,
        wanted: Option<usize>,
        pulse: &mut dyn FnMut(&Progress) -> Result<bool>,
    ) -> Result<End, Pause> {
        let mut cx = Context {
            space,
            record: &mut self.record,
            answers: &mut self.answers,
            asked: &self.asked,
            wanted,
            crowded_at: self.crowded_at,
            pulse,
            last_pulse: Instant::now(),
        };
        if self.ended {
            return Ok(End::Exhausted);
        }
        if self.paused {
            cx.pause(&*self.strategy)?;
        }
        self.strategy.run(&mut cx)
    }

    /// The caller has all answers now. There may be millions, so they are kept only to be saved.
    pub fn hand_over(&mut self) {
        self.answers.handed_over = self.answers.found.len();
        if self.strategy.saved().is_none() {
            self.answers.found.clear();
            (self.answers.handed_over, self.answers.trails) = (0, 0);
        }
    }

    /// Ends the search for lack of memory, and frees what only continuing would need.
    pub fn give_back(&mut self) {
        (self.out_of_memory, self.ended) = (true, true);
        self.reserve = Vec::new();
        self.strategy = Box::new(Nothing); // of no size: takes no memory
    }

    /// Bytes in use, about, those of the space not included.
    pub fn bytes(&self) -> usize {
        self.strategy.bytes() + self.answers.bytes()
    }
}

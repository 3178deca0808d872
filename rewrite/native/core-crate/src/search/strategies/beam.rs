//! Beam search: breadth-first, but each level keeps only the best `width` states (Lowerre 1976).

use std::collections::BinaryHeap;

use super::priority::Number;
use super::{End, Strategy};
use crate::error::Result;
use crate::grow::{Grow, copied};
use crate::search::context::{Context, Pause};
use crate::search::record::Record;
use crate::search::space::{Direction, Id, Space, Step};

/// Incomplete: proves nothing absent. States from `at` on wait in `level`; `best` holds the best
/// successors of those before.
#[derive(Default)]
pub struct Beam {
    width: usize,
    level: Vec<Id>,
    /// The next of the level to expand.
    at: usize,
    /// The best of the next level, the worst on top: estimate, order of discovery, state.
    best: BinaryHeap<(Number, u64, Id)>,
    order: u64,
    /// States below this number were reached before.
    noted: Id,
    successors: Vec<Step>,
}

impl Beam {
    pub fn new(width: usize) -> Beam {
        Beam { width, level: vec![0], noted: 1, ..Beam::default() }
    }

    fn close_level(&mut self, record: &mut Record) -> Result<()> {
        let best = std::mem::take(&mut self.best).into_sorted_vec();
        self.level.clear();
        self.level.grow_extend(best.iter().map(|&(_, _, id)| id).filter(|&id| id != 0))?;
        (self.at, self.order) = (0, 0);
        if !self.level.is_empty() {
            record.depth += 1;
            record.levels.grow_push(self.level.len() as u64)?;
        }
        Ok(())
    }

    /// Adds a successor to the next level if it is new and among the best.
    fn meet(&mut self, id: Id, from: Id, space: &mut dyn Space, record: &mut Record) -> Result<()> {
        let again = id == 0 && !record.start_noted;
        if id < self.noted && !again {
            return Ok(());
        }
        let estimate = record.estimate(space, id)?;
        if again {
            record.start_returned = record.start_again(space, from);
        } else {
            self.noted = id + 1;
        }
        let Some(value) = Number::of(estimate) else {
            record.ruled_out += 1;
            return Ok(());
        };
        self.best.grow_push((value, self.order, id))?;
        self.order += 1;
        if self.best.len() > self.width {
            self.best.pop(); // the worst; it counts as seen and is not tried again
            record.dropped += 1;
        }
        Ok(())
    }
}

impl Strategy for Beam {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        loop {
            cx.offer_new(self, cx.space.states())?;
            cx.pause(self)?;
            if self.at == self.level.len() {
                self.close_level(cx.record)?;
                if self.level.is_empty() {
                    return Ok(End::Exhausted);
                }
            }
            if cx.record.too_deep(cx.record.depth) {
                return Ok(cx.record.end_at_depth(cx.space, &self.level[self.at..])?);
            }
            let most = cx.record.most_valued(cx.space);
            let most = cx.record.batch_size(cx.space.states().into()).min(most) as usize;
            let ids = copied(&self.level[self.at..][..most.min(self.level.len() - self.at)])?;
            self.successors.clear();
            cx.space.steps(Direction::Forward, &ids, &mut self.successors)?;
            if cx.record.uses_estimate {
                cx.space.foresee(self.noted..cx.space.states())?;
            }
            for at in 0..self.successors.len() {
                let Step { from, to, .. } = self.successors[at];
                self.meet(to, ids[from as usize], cx.space, cx.record)?;
            }
            self.at += ids.len();
            cx.record.expanded += ids.len() as u64;
            cx.record.waiting = self.best.len() as u64;
        }
    }

    fn bytes(&self) -> usize {
        self.level.capacity() * size_of::<Id>()
            + self.successors.capacity() * size_of::<Step>()
            + self.best.capacity() * size_of::<(Number, u64, Id)>()
    }
}

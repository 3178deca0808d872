//! Beam search: breadth-first, but each level keeps only the best `width` states (Lowerre 1976).

use std::collections::BinaryHeap;

use super::Strategy;
use super::keys::Number;
use crate::grow::{Grow, GrowCopies};
use crate::search::record::Record;
use crate::space::{Id, Space};
use crate::trouble::Outcome;

/// Fast or not at all; proves nothing absent.
pub struct Beam {
    width: usize,
    stage: Stage,
    level: Vec<Id>,
    /// The next of the level to expand.
    at: usize,
    /// The best of the next level, the worst on top: estimate, order of discovery, state.
    best: BinaryHeap<(Number, u64, Id)>,
    order: u64,
    /// States below this number were reached before.
    noted: Id,
    made: Vec<(u64, Id)>,
    fresh: Vec<Id>,
}

enum Stage {
    Begin,
    /// Before a level: `max_depth` may be in the way.
    Before,
    Inside,
    /// A state was expanded; of `made`, so many are done.
    Made(usize),
}

impl Beam {
    pub fn new(width: usize) -> Beam {
        Beam {
            width,
            stage: Stage::Begin,
            level: vec![0],
            at: 0,
            best: BinaryHeap::new(),
            order: 0,
            noted: 1,
            made: Vec::new(),
            fresh: Vec::new(),
        }
    }

    fn close_level(&mut self, record: &mut Record) -> Outcome<()> {
        let best = std::mem::take(&mut self.best).into_sorted_vec();
        self.level.clear();
        self.level.grow_extend(best.iter().map(|&(_, _, id)| id).filter(|&id| id != 0))?;
        (self.at, self.order) = (0, 0);
        if !self.level.is_empty() {
            record.depth += 1;
            record.levels.grow_push(self.level.len() as u64)?;
        }
        self.stage = Stage::Before;
        Ok(())
    }

    /// Keeps a successor in mind if it is new and among the best.
    fn meet(&mut self, id: Id, space: &mut dyn Space, record: &mut Record) -> Outcome<()> {
        let again = id == 0 && !record.start_noted;
        if id < self.noted && !again {
            return Ok(());
        }
        let estimate = record.estimate(space, id)?;
        if again {
            record.start_again(space, self.level[self.at]);
        } else {
            self.noted = id + 1;
        }
        self.fresh.grow_push(id)?;
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
    fn next(
        &mut self,
        space: &mut dyn Space,
        record: &mut Record,
        batch: &mut Vec<u32>,
    ) -> Outcome<bool> {
        loop {
            match self.stage {
                Stage::Begin => {
                    self.stage = Stage::Before;
                    batch.grow_push(0)?;
                    return Ok(true);
                }
                Stage::Before => {
                    if self.level.is_empty() {
                        return Ok(false);
                    }
                    if record.too_deep(record.depth) {
                        return record.block(space, &self.level);
                    }
                    self.stage = Stage::Inside;
                }
                Stage::Inside if self.at == self.level.len() => self.close_level(record)?,
                Stage::Inside => {
                    self.made.clear();
                    space.successors(self.level[self.at], &mut self.made)?;
                    record.expanded += 1;
                    self.stage = Stage::Made(0);
                }
                Stage::Made(done) => {
                    for at in done..self.made.len() {
                        self.stage = Stage::Made(at);
                        self.meet(self.made[at].1, space, record)?;
                    }
                    self.at += 1;
                    self.stage = Stage::Inside;
                    record.waiting = self.best.len() as u64;
                    batch.grow_slice(&self.fresh)?;
                    self.fresh.clear();
                    return Ok(true);
                }
            }
        }
    }

    fn bytes(&self) -> usize {
        (self.level.capacity() + self.fresh.capacity()) * size_of::<Id>()
            + self.made.capacity() * size_of::<(u64, Id)>()
            + self.best.capacity() * size_of::<(Number, u64, Id)>()
    }
}

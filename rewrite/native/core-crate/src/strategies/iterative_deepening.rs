//! Iterative deepening: depth-first with a bound that grows by one (Korf 1985).
//!
//! Each round keeps the least depth at which it met a state, so a round costs no more than the
//! states within its bound; the first answer has the fewest steps.

use super::Strategy;
use crate::grow::{Grow, GrowCopies};
use crate::search::record::Record;
use crate::space::{Id, Space};
use crate::trouble::Outcome;

pub struct IterativeDeepening {
    stage: Stage,
    /// Of the round; it also tells rounds apart.
    bound: u32,
    /// By state: the last round that met it, and its least depth in that round.
    met: Vec<(u32, u32)>,
    stack: Vec<(Id, u32)>,
    /// The states at the bound, in order.
    edge: Vec<Id>,
    /// States below this number were reached before.
    noted: Id,
    fresh_in_round: u64,
    made: Vec<(u64, Id)>,
}

enum Stage {
    Begin,
    /// Before a round: `max_depth` may be in the way.
    Before,
    Round,
}

impl IterativeDeepening {
    pub fn new() -> IterativeDeepening {
        IterativeDeepening {
            stage: Stage::Begin,
            bound: 0,
            met: vec![(0, 0)],
            stack: Vec::new(),
            edge: vec![0],
            noted: 1,
            fresh_in_round: 0,
            made: Vec::new(),
        }
    }

    fn begin_round(&mut self) -> Outcome<()> {
        self.bound += 1;
        self.met[0] = (self.bound, 0);
        self.stack.grow_push((0, 0))?;
        self.edge.clear();
        self.fresh_in_round = 0;
        self.stage = Stage::Round;
        Ok(())
    }

    /// Takes the made successors of a state over: what is new to the batch, what is to be expanded
    /// in this round to the stack.
    fn note(
        &mut self,
        (id, depth): (Id, u32),
        space: &mut dyn Space,
        record: &mut Record,
        batch: &mut Vec<u32>,
    ) -> Outcome<()> {
        self.met.grow_resize(space.states() as usize, (0, 0))?;
        let first = self.stack.len();
        for &(_, successor) in &self.made {
            if successor == 0 {
                if record.start_again(space, id) {
                    batch.grow_push(0)?;
                }
                continue;
            }
            let (round, least) = &mut self.met[successor as usize];
            if *round == self.bound && depth + 1 >= *least {
                continue;
            }
            (*round, *least) = (self.bound, depth + 1);
            if successor >= self.noted {
                // rounds grow by one step, so this is the shortest way to the state
                self.noted = successor + 1;
                self.fresh_in_round += 1;
                batch.grow_push(successor)?;
            }
            self.stack.grow_push((successor, depth + 1))?;
        }
        self.stack[first..].reverse();
        Ok(())
    }
}

impl Strategy for IterativeDeepening {
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
                    if record.too_deep(u64::from(self.bound)) {
                        return record.block(space, &self.edge);
                    }
                    self.begin_round()?;
                }
                Stage::Round => {}
            }
            while let Some(&(id, depth)) = self.stack.last() {
                if depth > self.met[id as usize].1 {
                    self.stack.pop();
                    continue;
                }
                if depth == self.bound {
                    self.stack.pop();
                    self.edge.grow_push(id)?;
                    continue;
                }
                self.made.clear();
                space.successors(id, &mut self.made)?;
                self.stack.pop();
                record.expanded += 1;
                self.note((id, depth), space, record, batch)?;
                record.waiting = self.stack.len() as u64;
                return Ok(true);
            }
            if self.fresh_in_round == 0 {
                return Ok(false);
            }
            record.levels.grow_push(self.fresh_in_round)?;
            record.depth = u64::from(self.bound);
            self.stage = Stage::Before;
        }
    }

    fn bytes(&self) -> usize {
        self.met.capacity() * size_of::<(u32, u32)>()
            + self.stack.capacity() * size_of::<(Id, u32)>()
            + self.edge.capacity() * size_of::<Id>()
            + self.made.capacity() * size_of::<(u64, Id)>()
    }
}

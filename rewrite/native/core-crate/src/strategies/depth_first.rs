//! Depth-first search: the newest state first (Lucas 1882, Tarjan 1972).

use super::Strategy;
use super::cut::Cut;
use crate::grow::{Grow, GrowCopies};
use crate::random::Random;
use crate::search::record::Record;
use crate::space::{Id, Space};
use crate::trouble::Outcome;

const UNSEEN: u32 = u32::MAX;

/// With `max_depth` a state reached again nearer is expanded again.
pub struct DepthFirst {
    begun: bool,
    /// By state: the least depth at which it was reached.
    depths: Vec<u32>,
    stack: Vec<(Id, u32)>,
    cut: Cut<u32>,
    /// Shuffles the successors of a state.
    random: Option<Random>,
    made: Vec<(u64, Id)>,
    following: Vec<(Id, u32)>,
}

impl DepthFirst {
    pub fn new(seed: Option<u64>) -> DepthFirst {
        DepthFirst {
            begun: false,
            depths: vec![0],
            stack: vec![(0, 0)],
            cut: Cut::new(),
            random: seed.map(Random::new),
            made: Vec::new(),
            following: Vec::new(),
        }
    }

    /// Takes the made successors of a state over: what is new to the batch, what is to be expanded
    /// to the stack.
    fn note(
        &mut self,
        (id, depth): (Id, u32),
        space: &mut dyn Space,
        record: &mut Record,
        batch: &mut Vec<u32>,
    ) -> Outcome<()> {
        let bounded = record.limits.max_depth.is_some();
        self.depths.grow_resize(space.states() as usize, UNSEEN)?;
        self.following.clear();
        for &(_, successor) in &self.made {
            if successor == 0 {
                if record.start_again(space, id) {
                    batch.grow_push(0)?;
                }
                continue;
            }
            let known = &mut self.depths[successor as usize];
            let fresh = *known == UNSEEN;
            if fresh || bounded && depth + 1 < *known {
                *known = depth + 1;
                space.set_parent(successor, id);
                if fresh {
                    batch.grow_push(successor)?;
                }
                self.following.grow_push((successor, depth + 1))?;
            }
        }
        if let Some(random) = &mut self.random {
            random.shuffle(&mut self.following);
        }
        self.stack.grow_extend(self.following.iter().rev().copied())
    }
}

impl Strategy for DepthFirst {
    fn next(
        &mut self,
        space: &mut dyn Space,
        record: &mut Record,
        batch: &mut Vec<u32>,
    ) -> Outcome<bool> {
        if !self.begun {
            self.begun = true;
            batch.grow_push(0)?;
            return Ok(true);
        }
        loop {
            while let Some(&(id, depth)) = self.stack.last() {
                if depth > self.depths[id as usize] {
                    self.stack.pop();
                    continue;
                }
                record.waiting = self.stack.len() as u64 - 1;
                record.depth = record.depth.max(u64::from(depth));
                if record.too_deep(u64::from(depth)) {
                    self.stack.pop();
                    self.cut.set(id, depth)?;
                    continue;
                }
                self.made.clear();
                space.successors(id, &mut self.made)?;
                self.stack.pop();
                record.expanded += 1;
                self.note((id, depth), space, record, batch)?;
                return Ok(true);
            }
            let again = self.cut.those(|depth| !record.too_deep(u64::from(depth)))?;
            if again.is_empty() {
                return record.block(space, &self.cut.ids()?);
            }
            self.cut.remove(|depth| !record.too_deep(u64::from(depth)));
            self.stack.grow_extend(again.iter().rev().copied())?;
        }
    }

    fn bytes(&self) -> usize {
        self.depths.capacity() * size_of::<u32>()
            + (self.stack.capacity() + self.following.capacity()) * size_of::<(Id, u32)>()
            + self.made.capacity() * size_of::<(u64, Id)>()
            + self.cut.bytes()
    }
}

//! Depth-first search: the newest state first (Lucas 1882, Tarjan 1972).

use super::{End, Strategy};
use crate::error::Result;
use crate::grow::{Grow, GrowCopies, listed};
use crate::random::Random;
use crate::search::context::{Context, Pause};
use crate::search::record::Record;
use crate::search::space::{Id, Space, Step};

const UNSEEN: u32 = u32::MAX;

/// The stack holds states with the depth at which they were reached; an entry is stale if its state
/// was since reached at a lesser depth. With `max_depth` a state reached at a lesser depth is
/// expanded again.
#[derive(Default)]
pub struct DepthFirst {
    /// By state: the least depth at which it was reached.
    depths: Vec<u32>,
    stack: Vec<(Id, u32)>,
    /// States held back by `max_depth`, with their depths.
    cut: Vec<(Id, u32)>,
    /// Shuffles the successors of a state.
    random: Option<Random>,
    successors: Vec<Step>,
    following: Vec<(Id, u32)>,
}

impl DepthFirst {
    pub fn new(seed: Option<u64>) -> DepthFirst {
        let random = seed.map(Random::new);
        DepthFirst { depths: vec![0], stack: vec![(0, 0)], random, ..DepthFirst::default() }
    }

    /// The next state to expand, which stays on the stack.
    fn top(&mut self, record: &mut Record) -> Result<Option<(Id, u32)>> {
        while let Some(&(id, depth)) = self.stack.last() {
            record.waiting = self.stack.len() as u64 - 1;
            if depth <= self.depths[id as usize] {
                record.depth = record.depth.max(u64::from(depth));
                if !record.too_deep(u64::from(depth)) {
                    return Ok(Some((id, depth)));
                }
                self.cut.grow_push((id, depth))?;
            }
            self.stack.pop();
        }
        Ok(None)
    }

    /// Pushes the successors of a state that need expanding.
    fn note(
        &mut self,
        (id, depth): (Id, u32),
        space: &mut dyn Space,
        record: &mut Record,
    ) -> Result<()> {
        let bounded = record.limits.max_depth.is_some();
        self.depths.grow_resize(space.states() as usize, UNSEEN)?;
        self.following.clear();
        for &Step { to: successor, .. } in &self.successors {
            if successor == 0 {
                record.start_returned |= record.start_again(space, id);
                continue;
            }
            let known = &mut self.depths[successor as usize];
            if *known == UNSEEN || bounded && depth + 1 < *known {
                *known = depth + 1;
                space.set_parent(successor, id);
                self.following.grow_push((successor, depth + 1))?;
            }
        }
        if let Some(random) = &mut self.random {
            random.shuffle(&mut self.following);
        }
        self.stack.grow_extend(self.following.iter().rev().copied())
    }

    /// Returns states to the stack that a raised depth limit no longer holds back.
    fn release(&mut self, record: &Record) -> Result<()> {
        // without those since reached at a lesser depth
        self.cut.retain(|&(id, depth)| depth <= self.depths[id as usize]);
        let free = |&&(_, depth): &&(Id, u32)| !record.too_deep(u64::from(depth));
        self.stack.grow_extend(self.cut.iter().rev().filter(free).copied())?;
        self.cut.retain(|one| !free(&one));
        Ok(())
    }
}

impl Strategy for DepthFirst {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        loop {
            cx.offer_new(self, cx.space.states())?;
            cx.pause(self)?;
            let Some((id, depth)) = self.top(cx.record)? else {
                self.release(cx.record)?;
                if !self.stack.is_empty() {
                    continue;
                }
                let cut = listed(self.cut.iter().map(|one| one.0))?;
                return Ok(cx.record.end_at_depth(cx.space, &cut)?);
            };
            self.successors.clear();
            cx.space.successors(id, &mut self.successors)?;
            self.stack.pop();
            cx.record.expanded += 1;
            self.note((id, depth), cx.space, cx.record)?;
        }
    }

    fn bytes(&self) -> usize {
        self.depths.capacity() * size_of::<u32>()
            + (self.stack.capacity() + self.following.capacity() + self.cut.capacity())
                * size_of::<(Id, u32)>()
            + self.successors.capacity() * size_of::<Step>()
    }
}

//! Breadth-first search: level by level, states in order of discovery (Moore 1959).

use super::{End, Strategy};
use crate::checkpoint::{Archived, archived};
use crate::error::Result;
use crate::grow::{Grow, listed};
use crate::search::context::{Context, Pause};
use crate::search::record::{LARGEST_BATCH, Record};
use crate::search::savable::Parents;
use crate::search::space::{Batch, Direction, Id};

/// States are numbered in order of discovery, so a level is a range of numbers: those below `at` have
/// been expanded, those from `at` to `end` are the rest of the level, and those after are the next
/// level. Every state is offered before the next batch is expanded, so the first goal is nearest.
pub struct BreadthFirst {
    at: Id,
    end: Id,
    /// Whether a cycle has led back to the start from this level.
    came_back: bool,
}

archived!(BreadthFirst: at, end, came_back);

impl BreadthFirst {
    pub fn new() -> BreadthFirst {
        BreadthFirst { at: 0, end: 1, came_back: false }
    }

    /// Moves on to the next level, which may be empty.
    fn close_level(&mut self, states: Id, record: &mut Record) -> Result<()> {
        record.depth += u64::from(states > self.end || self.came_back);
        (self.end, self.came_back) = (states, false);
        if self.end > self.at {
            record.levels.grow_push(u64::from(self.end - self.at))?;
        }
        Ok(())
    }

    /// Expands the next states of the level, up to the next check of limits.
    fn expand(&mut self, cx: &mut Context) -> Result<()> {
        let usual = cx.record.batch_size(u64::from(cx.space.states()));
        let size = usual.min(u64::from(self.end - self.at));
        let (from, to) = (self.at, self.at + size as Id);
        // Do not precompute batches that shrink towards `max_states`: none would be used.
        let ahead = if usual < LARGEST_BATCH { to } else { self.end };
        // with `min_depth`, a cycle may lead back to the start
        let watch = 0..Id::from(cx.record.min_depth > 0);
        let hit =
            cx.space.grow(&Batch { direction: Direction::Forward, from, to, ahead, watch })?;
        if let Some(hit) = hit
            && cx.record.start_again(cx.space, hit.parent)
        {
            (cx.record.start_returned, self.came_back) = (true, true);
        }
        self.at = to;
        cx.record.expanded += size;
        cx.record.waiting = u64::from(cx.space.states() - self.at);
        Ok(())
    }
}

impl Strategy for BreadthFirst {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        loop {
            cx.offer_new(self, cx.space.states())?;
            cx.pause(self)?;
            if self.at == self.end {
                self.close_level(cx.space.states(), cx.record)?;
                if self.at == self.end {
                    return Ok(End::Exhausted);
                }
            }
            if cx.record.too_deep(cx.record.depth) {
                let level = listed(self.at..self.end)?;
                return Ok(cx.record.end_at_depth(cx.space, &level)?);
            }
            self.expand(cx)?;
        }
    }

    fn bytes(&self) -> usize {
        0
    }

    fn done(&self) -> Id {
        self.at
    }

    fn saved(&mut self) -> Option<(Parents, &mut dyn Archived)> {
        Some((Parents::Settled, self))
    }
}

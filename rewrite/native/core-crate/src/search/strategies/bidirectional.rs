//! Bidirectional breadth-first search: whole levels from the start and from the goals, the smaller
//! frontier first, until they meet (Pohl 1971).
//!
//! The first meeting is a shortest way: the frontiers hold all states at their distances, so one
//! level before it they were apart.

use std::ops::Range;

use super::{End, Keep, Strategy};
use crate::checkpoint::{Done, Reader, Writer};
use crate::error::Result;
use crate::grow::{Grow, copied, listed};
use crate::search::context::{Context, Pause};
use crate::search::record::{LARGEST_BATCH, Record};
use crate::search::space::{Batch, Direction, Id, Space};

/// The items that are offered: the start, and the way that was found.
pub const START: u32 = 0;
pub const WAY: u32 = 1;

/// A level is a range of numbers, because nothing else is discovered while it is expanded.
pub struct Bidirectional {
    /// The level last reached from the start, and from the goals.
    forward: Range<Id>,
    backward: Range<Id>,
    /// The one that is being expanded.
    level: Option<Level>,
    /// From the start to a goal; empty as long as the sides have not met.
    trail: Vec<Id>,
}

#[derive(Clone, Copy)]
struct Level {
    direction: Direction,
    /// The next state to expand.
    at: Id,
    /// Where the states that are made from this level begin.
    following: Id,
}

impl Bidirectional {
    /// `goals`: how many are given.
    pub fn new(goals: u32) -> Bidirectional {
        Bidirectional { forward: 0..1, backward: 1..1 + goals, level: None, trail: Vec::new() }
    }

    /// The frontier of this side, and of the other one.
    fn sides(&self, direction: Direction) -> (&Range<Id>, &Range<Id>) {
        match direction {
            Direction::Forward => (&self.forward, &self.backward),
            Direction::Backward => (&self.backward, &self.forward),
        }
    }

    /// The side to go on with; None where one of them has come to its end.
    fn chosen(&self) -> Option<Direction> {
        let (forward, backward) = (self.forward.len(), self.backward.len());
        let smaller = if forward <= backward { Direction::Forward } else { Direction::Backward };
        (forward.min(backward) > 0).then_some(smaller)
    }

    fn close(&mut self, level: Level, states: Id, record: &mut Record) -> Result<()> {
        let following = level.following..states;
        record.depth += 1;
        if !following.is_empty() {
            record.levels.grow_push(following.len() as u64)?;
        }
        match level.direction {
            Direction::Forward => self.forward = following,
            Direction::Backward => self.backward = following,
        }
        self.level = None;
        Ok(())
    }

    /// Expands the next batch of a level; returns a step from one side to the other, if it has one.
    fn expand(&mut self, level: Level, cx: &mut Context) -> Result<Option<(Id, Id)>> {
        let (own, other) = self.sides(level.direction);
        let usual = cx.record.batch_size(u64::from(cx.space.states()));
        let size = usual.min(u64::from(own.end - level.at));
        let to = level.at + size as Id;
        // Batches that shrink towards `max_states` are not made ahead: none would be asked for.
        let ahead = if usual < LARGEST_BATCH { to } else { own.end };
        let (direction, from, watch) = (level.direction, level.at, other.clone());
        let hit = cx.space.grow(&Batch { direction, from, to, ahead, watch })?;
        let new = cx.space.states() - level.following;
        cx.record.waiting = u64::from(own.end - to) + u64::from(new) + other.len() as u64;
        cx.record.expanded += size;
        self.level = Some(Level { at: to, ..level });
        Ok(hit.map(|hit| match direction {
            Direction::Forward => (hit.parent, hit.state),
            Direction::Backward => (hit.state, hit.parent),
        }))
    }
}

/// From a state to the one that is its own parent, both included.
fn chain(space: &dyn Space, from: Id) -> impl Iterator<Item = Id> {
    std::iter::successors(Some(from), |&id| Some(space.parent(id)).filter(|&next| next != id))
}

impl Strategy for Bidirectional {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        if cx.record.levels.len() == 1 {
            cx.record.levels.grow_push(self.backward.len() as u64)?;
        }
        cx.offer_new(self, START + 1)?;
        while self.trail.is_empty() {
            cx.pause(self)?;
            let level = match self.level {
                Some(level) => level,
                None => {
                    let Some(direction) = self.chosen() else { return Ok(End::Exhausted) };
                    if cx.record.too_deep(cx.record.depth) {
                        return Ok(End::Blocked);
                    }
                    let (at, following) = (self.sides(direction).0.start, cx.space.states());
                    *self.level.insert(Level { direction, at, following })
                }
            };
            if level.at == self.sides(level.direction).0.end {
                self.close(level, cx.space.states(), cx.record)?;
            } else if let Some((near, far)) = self.expand(level, cx)? {
                self.trail = listed(chain(cx.space, near))?;
                self.trail.reverse();
                self.trail.grow_extend(chain(cx.space, far))?;
            }
        }
        cx.offer_new(self, WAY + 1)?;
        Ok(End::Exhausted)
    }

    fn state(&self, item: u32) -> Id {
        if item == WAY { self.trail.last().copied().unwrap_or(0) } else { 0 }
    }

    fn trail(&self, item: u32, _space: &dyn Space, _record: &Record) -> Result<Vec<Id>> {
        if item == WAY { copied(&self.trail) } else { copied(&[0]) }
    }

    fn bytes(&self) -> usize {
        self.trail.capacity() * size_of::<Id>()
    }

    fn kept(&mut self) -> Option<&mut dyn Keep> {
        Some(self)
    }
}

impl Keep for Bidirectional {
    fn moves_parents(&self) -> bool {
        false
    }

    fn save(&self, out: &mut Writer) -> Done<()> {
        out.truth(self.level.is_some())?;
        if let Some(Level { direction, at, following }) = self.level {
            out.truth(direction == Direction::Backward)?;
            out.words([at, following])?;
        }
        for side in [&self.forward, &self.backward] {
            out.words([side.start, side.end])?;
        }
        out.count(self.trail.len())?;
        out.words(self.trail.iter().copied())
    }

    fn load(&mut self, from: &mut Reader, states: Id) -> Done<()> {
        if from.truth()? {
            let backward = from.truth()?;
            let direction = if backward { Direction::Backward } else { Direction::Forward };
            self.level = Some(Level { direction, at: from.word()?, following: from.word()? });
        }
        for side in [&mut self.forward, &mut self.backward] {
            *side = from.word()?..from.word()?;
            if side.start > side.end || side.end > states {
                return Err(from.damaged("a level of states that are not there"));
            }
        }
        self.trail = from.list(1, |from| from.state(states))?;
        Ok(())
    }
}

//! Bidirectional breadth-first search: whole levels from the start and from the goals, the smaller
//! frontier first, until they meet (Pohl 1971).
//!
//! The first meeting gives a shortest path: the frontiers hold all states at their distances, and one
//! level earlier they were disjoint. An end that has seen far more states than the other waits, as it
//! may be infinite while the other is not.

use std::ops::Range;

use super::{End, Strategy};
use crate::checkpoint::{Archived, archived};
use crate::error::Result;
use crate::grow::{Grow, listed};
use crate::search::context::{Context, Pause};
use crate::search::record::{LARGEST_BATCH, Record};
use crate::search::savable::Parents;
use crate::search::space::{Batch, Direction, Id, Space};

/// The items offered: the start, and the goal once the sides have met.
pub const START: u32 = 0;
pub const GOAL: u32 = 1;

/// An end has seen far more states than the other: more than this many times as many and `FEW`.
const FAR_MORE: u64 = 4;
const FEW: u64 = 100;

/// Whether the search goes on from the goals, which is preferred or not.
pub fn turn(backward: bool, seen: [u64; 2]) -> bool {
    let [own, other] = [backward, !backward].map(|end| seen[usize::from(end)]);
    backward != (own > other.saturating_mul(FAR_MORE).saturating_add(FEW))
}

/// A level is a range of numbers, because nothing else is discovered while it is expanded.
pub struct Bidirectional {
    /// The latest levels, from the start and from the goals.
    frontiers: [Range<Id>; 2],
    seen: [u64; 2],
    level: Option<Level>,
    /// The start alone, until the sides have met.
    path: Vec<Id>,
}

#[derive(Clone, Copy, Default)]
struct Level {
    backward: bool,
    /// The next state to expand.
    at: Id,
    /// Where the states generated from this level begin.
    following: Id,
}

archived!(Level: backward, at, following);
archived!(Bidirectional: frontiers, seen, level, path);

impl Bidirectional {
    /// `goals`: how many follow the start in the space.
    pub fn new(goals: u32) -> Bidirectional {
        let seen = [1, u64::from(goals)];
        Bidirectional { frontiers: [0..1, 1..1 + goals], seen, level: None, path: vec![0] }
    }

    fn close(&mut self, level: Level, states: Id, record: &mut Record) -> Result<()> {
        let following = level.following..states;
        record.depth += 1;
        if !following.is_empty() {
            record.levels.grow_push(following.len() as u64)?;
        }
        self.seen[usize::from(level.backward)] += following.len() as u64;
        self.frontiers[usize::from(level.backward)] = following;
        self.level = None;
        Ok(())
    }

    /// Expands the next batch of a level; records the path if the sides meet.
    fn expand(&mut self, level: Level, cx: &mut Context) -> Result<()> {
        let [own, other] = [level.backward, !level.backward].map(usize::from);
        let [own, other] = [own, other].map(|side| self.frontiers[side].clone());
        let usual = cx.record.batch_size(u64::from(cx.space.states()));
        let size = usual.min(u64::from(own.end - level.at));
        let (from, to) = (level.at, level.at + size as Id);
        // Do not precompute batches that shrink towards `max_states`: none would be used.
        let ahead = if usual < LARGEST_BATCH { to } else { own.end };
        let direction = if level.backward { Direction::Backward } else { Direction::Forward };
        let (waiting, watch) = (own.end - to + other.len() as Id, other);
        let hit = cx.space.grow(&Batch { direction, from, to, ahead, watch })?;
        cx.record.waiting = u64::from(waiting + cx.space.states() - level.following);
        cx.record.expanded += size;
        self.level = Some(Level { at: to, ..level });
        if let Some(hit) = hit {
            let mut ends = [hit.parent, hit.state];
            if level.backward {
                ends.reverse();
            }
            self.path = listed(chain(cx.space, ends[0]))?;
            self.path.reverse();
            self.path.grow_extend(chain(cx.space, ends[1]))?;
        }
        Ok(())
    }
}

/// The states from `from` to the one that is its own parent, inclusive.
fn chain(space: &dyn Space, from: Id) -> impl Iterator<Item = Id> {
    std::iter::successors(Some(from), |&id| Some(space.parent(id)).filter(|&next| next != id))
}

impl Strategy for Bidirectional {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        if cx.record.levels.len() == 1 {
            cx.record.levels.grow_push(self.frontiers[1].len() as u64)?;
        }
        cx.offer_new(self, START + 1)?;
        while self.path.len() == 1 {
            cx.pause(self)?;
            let level = match self.level {
                Some(level) => level,
                None => {
                    let [forward, backward] = self.frontiers.each_ref().map(|side| side.len());
                    if forward == 0 || backward == 0 {
                        return Ok(End::Exhausted);
                    }
                    if cx.record.too_deep(cx.record.depth) {
                        return Ok(End::Blocked);
                    }
                    let backward = turn(backward < forward, self.seen);
                    let (at, following) =
                        (self.frontiers[usize::from(backward)].start, cx.space.states());
                    *self.level.insert(Level { backward, at, following })
                }
            };
            if level.at == self.frontiers[usize::from(level.backward)].end {
                self.close(level, cx.space.states(), cx.record)?;
            } else {
                self.expand(level, cx)?;
            }
        }
        cx.offer_new(self, GOAL + 1)?;
        Ok(End::Exhausted)
    }

    fn path(&self) -> Option<&[Id]> {
        Some(&self.path)
    }

    fn bytes(&self) -> usize {
        self.path.capacity() * size_of::<Id>()
    }

    fn saved(&mut self) -> Option<(Parents, &mut dyn Archived)> {
        Some((Parents::Settled, self))
    }
}

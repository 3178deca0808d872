//! Breadth-first search: level by level, states in order of discovery (Moore 1959).

use super::{Keep, Strategy};
use crate::checkpoint::{Done, Reader, Writer};
use crate::grow::{Grow, listed};
use crate::search::record::{LARGEST_BATCH, Record};
use crate::space::{Batch, Direction, Id, Space};
use crate::trouble::Outcome;

/// A level is a range of numbers, because states are numbered as they are discovered.
///
/// The start made again through a cycle is given out once more, but is part of level 0 only.
pub struct BreadthFirst {
    stage: Stage,
    /// The next state to expand.
    at: Id,
    /// The end of the level.
    end: Id,
    /// So many states have been given out.
    told: Id,
    /// How many states were made from this level, the start included where it came again.
    following: u64,
}

#[derive(Clone, Copy)]
enum Stage {
    Begin,
    /// Before a level: `max_depth` may be in the way.
    Before,
    Inside,
}

impl BreadthFirst {
    pub fn new() -> BreadthFirst {
        BreadthFirst { stage: Stage::Begin, at: 0, end: 1, told: 1, following: 0 }
    }

    fn close_level(&mut self, states: Id, record: &mut Record) -> Outcome<()> {
        record.depth += u64::from(self.following > 0);
        self.end = states;
        if self.end > self.at {
            record.levels.grow_push(u64::from(self.end - self.at))?;
        }
        self.following = 0;
        self.stage = Stage::Before;
        Ok(())
    }
}

impl Strategy for BreadthFirst {
    fn next(
        &mut self,
        space: &mut dyn Space,
        record: &mut Record,
        batch: &mut Vec<u32>,
    ) -> Outcome<bool> {
        if let Stage::Begin = self.stage {
            self.stage = Stage::Before;
            batch.grow_push(0)?;
            return Ok(true);
        }
        if matches!(self.stage, Stage::Inside) && self.at == self.end {
            self.close_level(space.states(), record)?;
        }
        if let Stage::Before = self.stage {
            if self.at == self.end {
                return Ok(false);
            }
            if record.too_deep(record.depth) {
                return record.block(space, &listed(self.at..self.end)?);
            }
            self.stage = Stage::Inside;
        }
        let usual = record.batch_size(u64::from(space.states()));
        let size = usual.min(u64::from(self.end - self.at));
        let to = self.at + size as Id;
        // Batches that shrink towards `max_states` are not made ahead: none would be asked for.
        let ahead = if usual < LARGEST_BATCH { to } else { self.end };
        // with `min_depth`, a cycle may lead back to the start
        let watch = 0..Id::from(record.min_depth > 0);
        let asked = Batch { direction: Direction::Forward, from: self.at, to, ahead, watch };
        let before = space.states();
        let hit = space.grow(&asked)?;
        // those that were made before the memory ran out are given out now
        batch.grow_extend(self.told..space.states())?;
        if let Some(hit) = hit
            && record.start_again(space, hit.parent)
        {
            let place = (before - self.told + hit.before) as usize;
            batch.grow_push(0)?;
            batch[place..].rotate_right(1);
        }
        self.told = space.states();
        self.at = to;
        self.following += batch.len() as u64;
        record.expanded += size;
        record.waiting = u64::from(self.end - self.at) + self.following;
        Ok(true)
    }

    fn bytes(&self) -> usize {
        0
    }

    fn done(&self) -> Id {
        self.at
    }

    fn kept(&mut self) -> Option<&mut dyn Keep> {
        Some(self)
    }
}

impl Keep for BreadthFirst {
    fn moves_parents(&self) -> bool {
        false
    }

    fn save(&self, out: &mut Writer) -> Done<()> {
        out.word(self.stage as u32)?;
        out.words([self.at, self.end, self.told])?;
        out.long(self.following)
    }

    fn load(&mut self, from: &mut Reader, states: Id) -> Done<()> {
        self.stage = match from.word()? {
            0 => Stage::Begin,
            1 => Stage::Before,
            2 => Stage::Inside,
            other => return Err(from.damaged(format!("no stage {other}"))),
        };
        (self.at, self.end, self.told) = (from.word()?, from.word()?, from.word()?);
        if self.at > self.end || self.end > states || self.told > states {
            return Err(from.damaged("a level of states that are not there"));
        }
        self.following = from.long()?;
        Ok(())
    }
}

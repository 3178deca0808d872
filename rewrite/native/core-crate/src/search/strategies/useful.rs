//! The states from which a goal can be reached, found by searching the space once, breadth first.

use crate::error::Result;
use crate::grow::{Grow, GrowCopies, filled};
use crate::search::record::Record;
use crate::search::space::{Id, Space};

const UNSEEN: u32 = u32::MAX;

/// Which states lead to a goal, each with its distance from the start.
pub struct Useful {
    distances: Vec<u32>,
}

impl Useful {
    /// None where no goal can be reached.
    pub fn distance(&self, id: Id) -> Option<u32> {
        self.distances.get(id as usize).copied().filter(|&distance| distance != UNSEEN)
    }

    pub fn bytes(&self) -> usize {
        self.distances.capacity() * size_of::<u32>()
    }
}

/// The search for them, which is left now and then so that limits are looked at.
pub struct Survey {
    has_goal: bool,
    distances: Vec<u32>,
    /// States that were met.
    met: usize,
    /// Steps as (to, from), each once.
    steps: Vec<(Id, Id)>,
    goals: Vec<Id>,
    level: Vec<Id>,
    following: Vec<Id>,
    at: usize,
    /// Whether it was left at this place of the level already.
    left: bool,
    /// Whether the state at this place is a goal, once that is known.
    good: Option<bool>,
    made: Vec<(u64, Id)>,
}

/// How a survey goes on.
pub enum Course {
    /// Asks to look at the limits.
    Pause,
    Done(Useful),
    /// There are too many states.
    TooLarge,
}

impl Survey {
    pub fn new(has_goal: bool) -> Survey {
        Survey {
            has_goal,
            distances: vec![0],
            met: 1,
            steps: Vec::new(),
            goals: Vec::new(),
            level: vec![0],
            following: Vec::new(),
            at: 0,
            left: false,
            good: None,
            made: Vec::new(),
        }
    }

    /// Goes on; gives up after a level with which there are more than `most` states.
    pub fn go_on(
        &mut self,
        space: &mut dyn Space,
        record: &mut Record,
        most: usize,
    ) -> Result<Course> {
        loop {
            if self.at == self.level.len() {
                if self.met > most {
                    return Ok(Course::TooLarge);
                }
                self.level = std::mem::take(&mut self.following);
                self.at = 0;
                if self.level.is_empty() {
                    return Ok(Course::Done(self.conclude()?));
                }
            }
            if self.at.is_multiple_of(1000) && !self.left {
                self.left = true;
                record.waiting = self.level.len() as u64;
                return Ok(Course::Pause);
            }
            self.expand(self.level[self.at], space)?;
            self.left = false;
            self.at += 1;
        }
    }

    fn expand(&mut self, id: Id, space: &mut dyn Space) -> Result<()> {
        if self.good.is_none() {
            self.good = Some(self.has_goal && space.goal(id, true)?);
        }
        self.made.clear();
        space.successors(id, &mut self.made)?;
        if self.good.take() == Some(true) {
            self.goals.grow_push(id)?;
        }
        self.distances.grow_resize(space.states() as usize, UNSEEN)?;
        let distance = self.distances[id as usize] + 1;
        let first = self.steps.len();
        for &(_, successor) in &self.made {
            let known = &mut self.distances[successor as usize];
            if *known == UNSEEN {
                *known = distance;
                self.met += 1;
                self.following.grow_push(successor)?;
            }
            self.steps.grow_push((successor, id))?;
        }
        self.steps[first..].sort_unstable();
        let mut kept = first;
        for index in first..self.steps.len() {
            if kept == first || self.steps[index] != self.steps[kept - 1] {
                self.steps[kept] = self.steps[index];
                kept += 1;
            }
        }
        self.steps.truncate(kept);
        Ok(())
    }

    /// Follows the steps back from the goals.
    fn conclude(&mut self) -> Result<Useful> {
        self.steps.sort_unstable();
        let (steps, mut stack) = (&self.steps, std::mem::take(&mut self.goals));
        let mut kept = filled(self.distances.len(), UNSEEN)?;
        for &id in &stack {
            kept[id as usize] = self.distances[id as usize];
        }
        while let Some(id) = stack.pop() {
            let first = steps.partition_point(|&(to, _)| to < id);
            for &(_, from) in steps[first..].iter().take_while(|&&(to, _)| to == id) {
                if kept[from as usize] == UNSEEN {
                    kept[from as usize] = self.distances[from as usize];
                    stack.grow_push(from)?;
                }
            }
        }
        Ok(Useful { distances: kept })
    }

    pub fn bytes(&self) -> usize {
        self.distances.capacity() * size_of::<u32>()
            + self.steps.capacity() * size_of::<(Id, Id)>()
            + (self.level.capacity() + self.following.capacity() + self.goals.capacity())
                * size_of::<Id>()
            + self.made.capacity() * size_of::<(u64, Id)>()
    }
}

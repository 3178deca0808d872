//! IDA*: A* in rounds of depth-first search, with increasing bounds on cost plus estimate (Korf,
//! *Depth-first iterative-deepening*, AIJ 1985).
//!
//! It stores only the current path and the untried successors of the states on it. Paths are simple.
//! The least value beyond a round's bound is the bound of the next.
//!
//! If a successor's estimate follows from its parent's, only successors within the bound are kept.
//! Others are evaluated only when their turn comes, so that no notes or errors appear early. Without
//! a heuristic every estimate is 0.

use std::collections::HashSet;

use super::priority::{Number, Priority, TooDear};
use super::{End, Strategy};
use crate::error::Result;
use crate::grow::{Grow, grow_set, listed, table_bytes};
use crate::search::context::{Context, Pause};
use crate::search::question::Amount;
use crate::search::record::Record;
use crate::search::space::{Estimate, Id, PathStack, Waiting};

/// Expansions between two checks of limits.
const BETWEEN_LOOKS: u64 = 256;

#[derive(Clone, Copy)]
struct Frame {
    /// The position of the state on the stack.
    at: u32,
    cost: u64,
    /// The greatest cost plus estimate on the path to it.
    reach: Number,
    /// Its successors on the stack: the next one to try, and the end.
    next: u32,
    end: u32,
}

/// Within a round, the next successor of the last state on the path is tried; `next` is the state to
/// expand. A round is over when the path is empty.
#[derive(Default)]
pub struct IdaStar {
    priority: Priority,
    begun: bool,
    bound: Number,
    /// The bound of the last round: everything within it has been tested.
    done: Option<Number>,
    /// The least value beyond the bound.
    above: Option<Number>,
    /// The `max_depth` that kept a state with successors off the path from being expanded.
    cut: Option<u64>,
    path: Vec<Frame>,
    next: Option<Frame>,
    answered: HashSet<Id>,
    ruled_out: HashSet<Id>,
    /// The number of paths to goals, and the last one, with the cost of each state on it.
    found: u32,
    goal_path: Vec<Id>,
    costs: Vec<u64>,
}

impl IdaStar {
    pub fn new(weight: Amount) -> IdaStar {
        IdaStar { priority: Priority::Sum(weight), ..IdaStar::default() }
    }

    /// Cost plus estimate of the state at a position; None if no goal is reachable from it.
    fn reach(
        &mut self,
        at: u32,
        cost: u64,
        stack: &mut impl PathStack,
        record: &mut Record,
    ) -> Result<Option<Number>> {
        let estimate =
            if record.uses_estimate { stack.estimate_at(at)? } else { Estimate::Whole(0) };
        let key = self.priority.key(cost, estimate)?;
        if key.is_none() {
            let fresh = grow_set(&mut self.ruled_out, stack.keep(at)?)?;
            record.ruled_out += u64::from(fresh);
        }
        Ok(key.map(|key| key.major))
    }

    /// Records the path to a state if it is a goal not reached before.
    fn test(&mut self, last: Frame, stack: &mut impl PathStack) -> Result<()> {
        let known = !self.answered.is_empty()
            && stack.find(last.at).is_some_and(|id| self.answered.contains(&id));
        if known || !stack.goal_at(last.at)? {
            return Ok(());
        }
        let frames = || self.path.iter().chain([&last]);
        let (mut goal_path, costs) = (Vec::new(), listed(frames().map(|frame| frame.cost))?);
        for frame in frames() {
            goal_path.grow_push(stack.keep(frame.at)?)?;
        }
        grow_set(&mut self.answered, goal_path[self.path.len()])?;
        (self.goal_path, self.costs) = (goal_path, costs);
        self.found += 1;
        Ok(())
    }

    fn expand(
        &mut self,
        frame: Frame,
        stack: &mut impl PathStack,
        record: &mut Record,
    ) -> Result<()> {
        let (from, deep) = (stack.height(), record.too_deep(self.path.len() as u64));
        self.path.grow_by(1)?;
        stack.enter(frame.at)?;
        let done = if deep { self.look(stack, record) } else { self.sift(frame, stack, record) };
        if done.is_err() {
            stack.leave();
            return done;
        }
        record.expanded += u64::from(!deep);
        self.path.grow_push(Frame { next: from, end: stack.height(), ..frame })?;
        record.waiting = self.path.len() as u64;
        Ok(())
    }

    /// Notes where `max_depth` keeps a state with successors from being expanded.
    fn look(&mut self, stack: &mut impl PathStack, record: &Record) -> Result<()> {
        if self.cut.is_none() {
            let mut leads_on = false;
            stack.push_successors(false, |_, _, is_on_path| {
                leads_on |= !is_on_path();
                None
            })?;
            self.cut = record.limits.max_depth.filter(|_| leads_on);
        }
        Ok(())
    }

    /// Pushes the successors of a state that may have to be tried.
    #[inline]
    fn sift(&mut self, from: Frame, stack: &mut impl PathStack, record: &Record) -> Result<()> {
        let (priority, bound, above) = (self.priority, self.bound, &mut self.above);
        stack.push_successors(true, |step, estimate, is_on_path| {
            let estimate = if record.uses_estimate { estimate } else { Some(Estimate::Whole(0)) };
            let reach = reach_after(priority, from, step, estimate);
            let beyond = reach.is_some_and(|reach| reach > bound);
            // most successors beyond the bound do not lower `above`: skip the check of the path
            if beyond && above.is_some_and(|above| reach >= Some(above)) || is_on_path() {
                return None;
            }
            if beyond {
                *above = reach;
                return None;
            }
            Some(Waiting { step, reach })
        })
    }

    /// Tries the next successor of the last state on the path.
    fn walk(
        &mut self,
        frame: Frame,
        stack: &mut impl PathStack,
        record: &mut Record,
    ) -> Result<()> {
        if frame.next == frame.end {
            self.path.pop();
            stack.leave();
            // everything above the parent's successors belongs to this state
            let end = self.path.last().map_or(1, |before| before.end);
            stack.truncate(end);
            return Ok(());
        }
        let at = frame.next;
        let Waiting { step, reach } = stack.waiting(at);
        let cost = frame.cost.checked_add(step).ok_or(TooDear)?;
        let reach = match reach {
            None => self.reach(at, cost, stack, record)?.map(|reach| reach.max(frame.reach)),
            known => known,
        };
        match reach {
            Some(reach) if reach <= self.bound => {
                let next = Frame { at, cost, reach, next: 0, end: 0 };
                if self.done.is_none_or(|done| reach > done) {
                    self.test(next, stack)?;
                }
                record.depth = record.depth.max(self.path.len() as u64);
                record.longest = record.depth + 1;
                self.next = Some(next);
            }
            Some(reach) => self.above = Some(self.above.map_or(reach, |above| above.min(reach))),
            None => {}
        }
        if let Some(last) = self.path.last_mut() {
            last.next += 1;
        }
        Ok(())
    }

    /// Begins the next round; if there is none, returns how the search ends.
    fn begin_round(
        &mut self,
        stack: &mut impl PathStack,
        record: &mut Record,
    ) -> Result<Option<End>> {
        stack.begin()?;
        let most = record.limits.max_depth;
        let (done, bound) = match (self.above, self.cut) {
            (Some(above), _) => (Some(self.bound), above),
            (None, None) if self.begun => return Ok(Some(End::Exhausted)),
            (None, Some(cut)) if most.is_some_and(|most| most <= cut) => {
                return Ok(Some(End::Blocked));
            }
            // the first round, or a fresh start under a higher `max_depth`
            (None, _) => match self.reach(0, 0, stack, record)? {
                Some(lowest) => (None, lowest),
                None => return Ok(Some(End::Exhausted)),
            },
        };
        let start = Frame { at: 0, cost: 0, reach: bound, next: 0, end: 0 };
        self.test(start, stack)?;
        if self.above.is_none() {
            self.cut = None;
        }
        (self.begun, self.done, self.bound, self.above) = (true, done, bound, None);
        record.longest = record.depth + 1;
        self.next = Some(start);
        Ok(None)
    }

    /// Continues for some expansions, or to the next path to a goal; None if there is more to do.
    pub fn follow(
        &mut self,
        stack: &mut impl PathStack,
        record: &mut Record,
    ) -> Result<Option<End>> {
        let found = self.found;
        while self.found == found {
            if let Some(frame) = self.next {
                self.expand(frame, stack, record)?;
                self.next = None;
                if frame.at > 0 && record.expanded.is_multiple_of(BETWEEN_LOOKS) {
                    break;
                }
            } else if let Some(&frame) = self.path.last() {
                self.walk(frame, stack, record)?;
            } else {
                return self.begin_round(stack, record);
            }
        }
        Ok(None)
    }
}

/// The future result of `reach` for a successor, if already known.
#[inline]
fn reach_after(
    priority: Priority,
    from: Frame,
    step: u64,
    estimate: Option<Estimate>,
) -> Option<Number> {
    let cost = from.cost.checked_add(step)?;
    let key = priority.key(cost, estimate?).ok()??;
    Some(key.major.max(from.reach))
}

impl Strategy for IdaStar {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        cx.offer_new(self, self.found)?; // offers an answer that an error held back
        loop {
            if let Some(end) = cx.space.deepen(self, cx.record)? {
                return Ok(end);
            }
            cx.offer_new(self, self.found)?;
            cx.pause(self)?;
        }
    }

    fn path(&self) -> Option<&[Id]> {
        Some(&self.goal_path)
    }

    fn cost(&self, id: Id) -> Option<u64> {
        let at = self.goal_path.iter().position(|&one| one == id);
        Some(at.map_or(0, |at| self.costs[at]))
    }

    fn bytes(&self) -> usize {
        self.path.capacity() * size_of::<Frame>()
            + table_bytes::<Id>(self.answered.capacity() + self.ruled_out.capacity())
            + self.goal_path.capacity() * size_of::<Id>()
            + self.costs.capacity() * size_of::<u64>()
    }
}

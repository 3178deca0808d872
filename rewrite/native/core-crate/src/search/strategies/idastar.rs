//! IDA*: A* in rounds of depth-first search, within ever higher bounds on cost plus estimate (Korf,
//! *Depth-first iterative-deepening*, AIJ 1985).
//!
//! Only the path that is followed is kept, and the successors of the states on it that were not
//! tried yet. A path does not come back to a state it has been in. What a round meets first beyond
//! its bound is the bound of the next.
//!
//! Where the estimate for a successor follows from the one for the state before it, only successors
//! within the bound are kept. The others wait for their turn, and are valued then: what their
//! estimates say or do, they would else do too early. Without a heuristic every estimate is 0.

use std::collections::HashSet;

use super::keys::{Number, Priority, too_dear};
use super::{End, Strategy};
use crate::error::Result;
use crate::grow::{Grow, copied, grow_set, listed, table_bytes};
use crate::search::context::{Context, Pause};
use crate::search::question::Amount;
use crate::search::record::Record;
use crate::search::space::{Estimate, Id, PathStack, Space};

/// Expansions after which limits are looked at.
const BETWEEN_LOOKS: u64 = 256;

#[derive(Clone, Copy)]
struct Frame {
    /// Where the state stands on the stack.
    at: u32,
    cost: u64,
    /// The greatest of cost plus estimate on the way here.
    reach: Number,
    /// Its successors on the stack: the next one to be tried, and the end.
    next: u32,
    end: u32,
}

/// A state on the stack that was not tried yet.
#[derive(Clone, Copy)]
struct Waiting {
    /// The cost of the step to it.
    step: u64,
    /// Like that of a frame, and within the bound; None where its estimate was not asked for.
    reach: Option<Number>,
}

#[derive(Clone, Copy)]
enum Stage {
    Begin,
    /// All rounds from the first on.
    Rounds,
    Round,
    Expand(Frame),
    Walk,
    /// `max_depth`, of this size, kept the search from going on.
    Blocked(u64),
}

pub struct IdaStar {
    priority: Priority,
    stage: Stage,
    lowest: Number,
    bound: Number,
    /// The bound of the last round: what is within it was tested then.
    done: Option<Number>,
    /// The least beyond the bound.
    above: Option<Number>,
    /// Whether `max_depth` kept a state from being expanded that leads on.
    cut: bool,
    path: Vec<Frame>,
    /// By place on the stack.
    waiting: Vec<Waiting>,
    /// Whether the state that was expanded last has a successor that is not on the path.
    leads_on: bool,
    answered: HashSet<Id>,
    ruled_out: HashSet<Id>,
    /// Paths to goals; what is offered are their numbers.
    ways: Vec<Vec<Id>>,
    /// The bytes of all of them.
    ways_bytes: usize,
    /// The cost of each state on the last of them.
    costs: Vec<(Id, u64)>,
}

impl IdaStar {
    pub fn new(weight: Amount) -> IdaStar {
        IdaStar {
            priority: Priority::Sum(weight),
            stage: Stage::Begin,
            lowest: Number::default(),
            bound: Number::default(),
            done: None,
            above: None,
            cut: false,
            path: Vec::new(),
            waiting: Vec::new(),
            leads_on: false,
            answered: HashSet::new(),
            ruled_out: HashSet::new(),
            ways: Vec::new(),
            ways_bytes: 0,
            costs: Vec::new(),
        }
    }

    /// Cost plus estimate of the state at a place; None where no goal can be reached from it.
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

    /// Keeps the path to a state if that is a goal which was not reached yet.
    fn test(&mut self, last: Frame, stack: &mut impl PathStack) -> Result<()> {
        let known = !self.answered.is_empty()
            && stack.find(last.at).is_some_and(|id| self.answered.contains(&id));
        if known || !stack.goal_at(last.at)? {
            return Ok(());
        }
        let mut costs = Vec::new();
        costs.grow_by(self.path.len() + 1)?;
        for frame in self.path.iter().chain([&last]) {
            costs.grow_push((stack.keep(frame.at)?, frame.cost))?;
        }
        let way = listed(costs.iter().map(|one| one.0))?;
        if let Some(&goal) = way.last() {
            grow_set(&mut self.answered, goal)?;
        }
        self.ways_bytes += way.capacity() * size_of::<Id>();
        self.ways.grow_push(way)?;
        self.costs = costs;
        Ok(())
    }

    fn expand(
        &mut self,
        frame: Frame,
        stack: &mut impl PathStack,
        record: &mut Record,
    ) -> Result<()> {
        let (from, deep) = (stack.len(), record.too_deep(self.path.len() as u64));
        let asked = !(deep && self.cut);
        if asked {
            stack.make_successors(frame.at, !deep)?;
        }
        self.path.grow_by(1)?;
        stack.enter(frame.at)?;
        if !deep {
            record.expanded += 1;
            self.sift(frame, stack, record)?;
        } else if asked {
            self.cut = (0..stack.made()).any(|number| !stack.made_is_on_path(number));
        }
        self.path.grow_push(Frame { next: from, end: stack.len(), ..frame })?;
        record.waiting = self.path.len() as u64;
        Ok(())
    }

    /// Puts those successors on the stack that may have to be tried.
    #[inline]
    fn sift(&mut self, from: Frame, stack: &mut impl PathStack, record: &Record) -> Result<()> {
        // the path has one state more than when these are tried
        self.leads_on = record.longest > self.path.len() as u64 + 1; // nothing new
        for number in 0..stack.made() {
            let step = stack.made_cost(number);
            let estimate = if record.uses_estimate {
                stack.made_estimate(number)
            } else {
                Some(Estimate::Whole(0))
            };
            let reach = self.reach_after(from, step, estimate);
            let beyond = reach.is_some_and(|reach| reach > self.bound);
            // nothing is learnt from a state on the path; mostly there is nothing to learn at all
            let matters =
                !beyond || !self.leads_on || self.above.is_none_or(|above| reach < Some(above));
            if !matters || stack.made_is_on_path(number) {
                continue;
            }
            self.leads_on = true;
            if !beyond {
                stack.push_made(number)?;
                self.waiting.grow_push(Waiting { step, reach })?;
            } else if self.above.is_none_or(|above| reach < Some(above)) {
                self.above = reach;
            }
        }
        Ok(())
    }

    /// What `reach` will say of a successor, where that is known already.
    #[inline]
    fn reach_after(&self, from: Frame, step: u64, estimate: Option<Estimate>) -> Option<Number> {
        let cost = from.cost.checked_add(step)?;
        let key = self.priority.key(cost, estimate?).ok()??;
        Some(key.major.max(from.reach))
    }

    fn forget(&mut self, len: u32, stack: &mut impl PathStack) {
        stack.truncate(len);
        self.waiting.truncate(len as usize);
    }

    /// Tries the next successor.
    fn walk(&mut self, stack: &mut impl PathStack, record: &mut Record) -> Result<()> {
        if std::mem::take(&mut self.leads_on) {
            record.longest = record.longest.max(self.path.len() as u64 + 1);
        }
        let Some(&frame) = self.path.last() else {
            self.done = Some(self.bound);
            self.stage = match self.above {
                Some(above) => {
                    self.bound = above;
                    Stage::Round
                }
                None => Stage::Blocked(record.limits.max_depth.unwrap_or(0)),
            };
            return Ok(());
        };
        if frame.next == frame.end {
            self.path.pop();
            stack.leave();
            // what stands above the successors of the state before are those of this one
            let end = self.path.last().map_or(1, |before| before.end);
            self.forget(end, stack);
            return Ok(());
        }
        let (at, Waiting { step, reach }) = (frame.next, self.waiting[frame.next as usize]);
        let cost = frame.cost.checked_add(step).ok_or_else(too_dear)?;
        let reach = match reach {
            None => self.reach(at, cost, stack, record)?.map(|reach| reach.max(frame.reach)),
            known => known,
        };
        let mut following = None;
        if let Some(reach) = reach {
            if reach > self.bound {
                self.above = Some(self.above.map_or(reach, |above| above.min(reach)));
            } else {
                let next = Frame { at, cost, reach, next: 0, end: 0 };
                if self.done.is_none_or(|done| reach > done) {
                    self.test(next, stack)?;
                }
                record.depth = record.depth.max(self.path.len() as u64);
                following = Some(next);
            }
        }
        if let Some(last) = self.path.last_mut() {
            last.next += 1;
        }
        if let Some(next) = following {
            self.stage = Stage::Expand(next);
        }
        Ok(())
    }

    /// Goes on for some expansions, or to the next path to a goal; None where more is left.
    pub fn follow(
        &mut self,
        stack: &mut impl PathStack,
        record: &mut Record,
    ) -> Result<Option<End>> {
        let found = self.ways.len();
        loop {
            match self.stage {
                Stage::Begin => {
                    record.longest = 1;
                    stack.begin()?;
                    let Some(lowest) = self.reach(0, 0, stack, record)? else {
                        return Ok(Some(End::Exhausted));
                    };
                    self.lowest = lowest;
                    self.stage = Stage::Rounds;
                }
                Stage::Rounds => {
                    (self.done, self.cut, self.bound) = (None, false, self.lowest);
                    self.stage = Stage::Round;
                }
                Stage::Round => {
                    self.path.clear();
                    stack.begin()?;
                    self.waiting.clear();
                    self.waiting.grow_push(Waiting { step: 0, reach: None })?;
                    let start = Frame { at: 0, cost: 0, reach: self.bound, next: 0, end: 0 };
                    self.test(start, stack)?;
                    self.above = None;
                    self.stage = Stage::Expand(start);
                    return Ok(None);
                }
                Stage::Expand(frame) => {
                    self.expand(frame, stack, record)?;
                    self.stage = Stage::Walk;
                    if frame.at > 0 && record.expanded.is_multiple_of(BETWEEN_LOOKS) {
                        return Ok(None);
                    }
                }
                Stage::Walk => {
                    self.walk(stack, record)?;
                    if self.ways.len() > found {
                        return Ok(None);
                    }
                }
                Stage::Blocked(_) if !self.cut => return Ok(Some(End::Exhausted)),
                Stage::Blocked(reached) => {
                    if record.limits.max_depth.is_some_and(|most| most <= reached) {
                        return Ok(Some(End::Blocked));
                    }
                    self.stage = Stage::Rounds;
                }
            }
        }
    }
}

impl Strategy for IdaStar {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        loop {
            if let Some(end) = cx.space.deepen(self, cx.record)? {
                return Ok(end);
            }
            cx.offer_new(self, self.ways.len() as u32)?;
            cx.pause(self)?;
        }
    }

    fn state(&self, item: u32) -> Id {
        self.ways[item as usize].last().copied().unwrap_or(0)
    }

    fn trail(&self, item: u32, _: &dyn Space, _: &Record) -> Result<Vec<Id>> {
        copied(&self.ways[item as usize])
    }

    fn cost(&self, id: Id) -> Option<u64> {
        Some(self.costs.iter().find(|one| one.0 == id).map_or(0, |one| one.1))
    }

    fn bytes(&self) -> usize {
        self.path.capacity() * size_of::<Frame>()
            + self.waiting.capacity() * size_of::<Waiting>()
            + table_bytes::<Id>(self.answered.capacity() + self.ruled_out.capacity())
            + self.ways.capacity() * size_of::<Vec<Id>>()
            + self.ways_bytes
            + self.costs.capacity() * size_of::<(Id, u64)>()
    }
}

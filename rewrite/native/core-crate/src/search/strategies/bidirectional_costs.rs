//! Bidirectional search by costs: Dijkstra's algorithm from the start and, over predecessors, from
//! the goals (Pohl 1971). The side with the cheaper state goes first, until the least costs in both
//! queues add up to the best path known (Nicholson 1966). Which side goes on does not matter for that.

use super::bidirectional::{GOAL, START, turn};
use super::priority::{Key, Number, TooDear};
use super::queue::{Entry, Queue};
use super::{End, Strategy};
use crate::checkpoint::{Archived, archived};
use crate::error::Result;
use crate::grow::{Grow, GrowCopies, listed};
use crate::search::context::{Context, Pause};
use crate::search::savable::Parents;
use crate::search::space::{Direction, Id, Space, Step};

const UNSEEN: u64 = u64::MAX;

/// Each side expands its cheapest state, so its unexpanded states cost at least as much as the first
/// in its queue: a path not yet found costs no less than both of these together.
#[derive(Default)]
pub struct BidirectionalCosts {
    goals: u32,
    /// From the start, and from the goals.
    sides: [Side; 2],
    /// By state: the next one on the cheapest path to a goal. (The space has the path to the start.)
    following: Vec<Id>,
    /// The cost of the best path known, and a state on it.
    best: u64,
    meeting: Id,
    /// The start alone, until the best path is proved cheapest.
    path: Vec<Id>,
    successors: Vec<Step>,
}

#[derive(Default)]
struct Side {
    queue: Queue,
    /// By state: the least cost of a path to it from this side.
    costs: Vec<u64>,
    /// How many states this side has reached.
    seen: u64,
    /// The greatest depth of an expanded state.
    depth: u32,
}

archived!(Side: queue, costs, seen, depth);
archived!(BidirectionalCosts: sides, following, best, meeting, path);

impl Side {
    fn reach(&mut self, entry: Entry) -> Result<()> {
        let known = std::mem::replace(&mut self.costs[entry.id as usize], entry.cost);
        self.seen += u64::from(known == UNSEEN);
        let major = Number { whole: entry.cost, part: 0 };
        self.queue.push(Key { major, ..Key::default() }, entry)
    }

    /// The next state to expand; drops entries that were since reached at a lower cost.
    fn top(&mut self) -> Result<Option<Entry>> {
        while let Some(entry) = self.queue.first() {
            if entry.cost == self.costs[entry.id as usize] {
                return Ok(Some(entry));
            }
            self.queue.pop()?;
        }
        Ok(None)
    }
}

impl BidirectionalCosts {
    /// `goals`: how many follow the start in the space.
    pub fn new(goals: u32) -> BidirectionalCosts {
        BidirectionalCosts { goals, best: UNSEEN, path: vec![0], ..BidirectionalCosts::default() }
    }

    fn begin(&mut self, states: usize) -> Result<()> {
        self.make_room(states)?;
        self.sides[0].reach(Entry { cost: 0, depth: 0, id: 0 })?;
        for id in 1..=self.goals {
            self.following[id as usize] = id;
            self.sides[1].reach(Entry { cost: 0, depth: 0, id })?;
        }
        Ok(())
    }

    fn make_room(&mut self, states: usize) -> Result<()> {
        for side in &mut self.sides {
            side.costs.grow_resize(states, UNSEEN)?;
        }
        self.following.grow_resize(states, 0)
    }

    /// The next state to expand and whether it is from the goals; None if no better path can exist.
    fn choose(&mut self) -> Result<Option<(bool, Entry)>> {
        let seen = self.sides.each_ref().map(|side| side.seen);
        let [forward, backward] = &mut self.sides;
        let (Some(forward), Some(backward)) = (forward.top()?, backward.top()?) else {
            return Ok(None);
        };
        if forward.cost.saturating_add(backward.cost) >= self.best {
            return Ok(None);
        }
        let back = turn(backward.cost < forward.cost, seen);
        Ok(Some((back, if back { backward } else { forward })))
    }

    fn note(&mut self, backward: bool, from: Entry, space: &mut dyn Space) -> Result<()> {
        self.make_room(space.states() as usize)?;
        let [forward_side, backward_side] = &mut self.sides;
        let (own, other) = match backward {
            false => (forward_side, backward_side),
            true => (backward_side, forward_side),
        };
        own.queue.pop()?;
        own.depth = own.depth.max(from.depth);
        for &Step { cost: step, to: id, .. } in &self.successors {
            let cost = from.cost.checked_add(step).filter(|&cost| cost < UNSEEN);
            let cost = cost.ok_or(TooDear)?;
            if cost >= own.costs[id as usize] {
                continue;
            }
            if backward {
                self.following[id as usize] = from.id;
            } else {
                space.set_parent(id, from.id);
            }
            own.reach(Entry { cost, depth: from.depth + 1, id })?;
            let whole = cost.saturating_add(other.costs[id as usize]);
            if whole < self.best {
                (self.best, self.meeting) = (whole, id);
            }
        }
        Ok(())
    }

    fn best_path(&self, space: &dyn Space) -> Result<Vec<Id>> {
        let before = |&id: &Id| (id != 0).then(|| space.parent(id));
        let mut path = listed(std::iter::successors(Some(self.meeting), before))?;
        path.reverse();
        let after = |&id: &Id| Some(self.following[id as usize]).filter(|&next| next != id);
        path.grow_extend(std::iter::successors(Some(self.meeting), after).skip(1))?;
        Ok(path)
    }
}

impl Strategy for BidirectionalCosts {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        if self.following.is_empty() {
            self.begin(cx.space.states() as usize)?;
        }
        cx.offer_new(self, START + 1)?;
        loop {
            cx.pause(self)?;
            let Some((backward, entry)) = self.choose()? else {
                if self.best < UNSEEN {
                    self.path = self.best_path(cx.space)?;
                    cx.offer_new(self, GOAL + 1)?;
                }
                return Ok(End::Exhausted);
            };
            self.successors.clear();
            let direction = if backward { Direction::Backward } else { Direction::Forward };
            cx.space.steps(direction, &[entry.id], &mut self.successors)?;
            self.note(backward, entry, cx.space)?;
            cx.record.expanded += 1;
            cx.record.depth = self.sides.iter().map(|side| u64::from(side.depth)).sum();
            cx.record.waiting = self.sides.iter().map(|side| side.queue.keys() as u64).sum();
        }
    }

    fn path(&self) -> Option<&[Id]> {
        Some(&self.path)
    }

    fn bytes(&self) -> usize {
        let side = |side: &Side| side.queue.bytes() + side.costs.capacity() * size_of::<u64>();
        self.sides.iter().map(side).sum::<usize>()
            + (self.following.capacity() + self.path.capacity()) * size_of::<Id>()
            + self.successors.capacity() * size_of::<Step>()
    }

    fn saved(&mut self) -> Option<(Parents, &mut dyn Archived)> {
        Some((Parents::Moving, self))
    }
}

//! Bidirectional search by costs: Dijkstra's from the start and, over predecessors, from the goals
//! (Pohl 1971), the side with the cheaper state first, until what waits on both sides costs together
//! as much as the best way known (Nicholson 1966).

use super::bidirectional::{START, WAY};
use super::keys::{Key, Number, too_dear};
use super::queue::{Entry, Queue};
use super::{End, Keep, Strategy};
use crate::checkpoint::{Done, Reader, Writer};
use crate::error::Result;
use crate::grow::{Grow, GrowCopies, copied, listed};
use crate::search::context::{Context, Pause};
use crate::search::record::Record;
use crate::search::space::{Direction, Id, Space};

const UNSEEN: u64 = u64::MAX;

/// Each side expands its cheapest state, so all that it has not expanded costs at least as much as
/// the first in its queue: a way not met so far costs no less than both of these together.
pub struct BidirectionalCosts {
    goals: u32,
    forward: Side,
    backward: Side,
    /// What the best way known costs, and a state on it.
    best: u64,
    meeting: Id,
    trail: Vec<Id>,
    successors: Vec<(u64, Id)>,
}

/// A search from one side.
#[derive(Default)]
struct Side {
    queue: Queue,
    /// By state: the least cost of a way to it, from this side.
    costs: Vec<u64>,
    /// By state: the next one on that way, towards this side; for the backward side only, because
    /// for the other one it is in the space.
    parents: Vec<Id>,
    /// The most steps of a state that was expanded.
    depth: u32,
}

impl Side {
    fn reach(&mut self, entry: Entry) -> Result<()> {
        self.costs[entry.id as usize] = entry.cost;
        let major = Number { whole: entry.cost, part: 0 };
        self.queue.push(Key { major, ..Key::default() }, entry)
    }

    /// The next state to expand, after those that were reached cheaper meanwhile are dropped.
    fn top(&mut self) -> Result<Option<Entry>> {
        loop {
            let Some(entry) = self.queue.first() else { return Ok(None) };
            if entry.cost == self.costs[entry.id as usize] {
                return Ok(Some(entry));
            }
            self.queue.pop()?;
        }
    }

    fn bytes(&self) -> usize {
        self.queue.bytes()
            + self.costs.capacity() * size_of::<u64>()
            + self.parents.capacity() * size_of::<Id>()
    }
}

impl BidirectionalCosts {
    /// `goals`: how many are given.
    pub fn new(goals: u32) -> BidirectionalCosts {
        BidirectionalCosts {
            goals,
            forward: Side::default(),
            backward: Side::default(),
            best: UNSEEN,
            meeting: 0,
            trail: Vec::new(),
            successors: Vec::new(),
        }
    }

    fn begin(&mut self, states: usize) -> Result<()> {
        self.make_room(states)?;
        self.forward.reach(Entry { cost: 0, depth: 0, id: 0 })?;
        for id in 1..=self.goals {
            self.backward.parents[id as usize] = id;
            self.backward.reach(Entry { cost: 0, depth: 0, id })?;
        }
        Ok(())
    }

    fn make_room(&mut self, states: usize) -> Result<()> {
        self.forward.costs.grow_resize(states, UNSEEN)?;
        self.backward.costs.grow_resize(states, UNSEEN)?;
        self.backward.parents.grow_resize(states, 0)
    }

    /// The side to go on with and its next state; None where no better way can be found.
    fn chosen(&mut self) -> Result<Option<(Direction, Entry)>> {
        let (Some(forward), Some(backward)) = (self.forward.top()?, self.backward.top()?) else {
            return Ok(None);
        };
        Ok(if forward.cost.saturating_add(backward.cost) >= self.best {
            None
        } else if forward.cost <= backward.cost {
            Some((Direction::Forward, forward))
        } else {
            Some((Direction::Backward, backward))
        })
    }

    /// Takes over what the expansion of a state has made.
    fn note(&mut self, direction: Direction, from: Entry, space: &mut dyn Space) -> Result<()> {
        self.make_room(space.states() as usize)?;
        let (own, other) = match direction {
            Direction::Forward => (&mut self.forward, &self.backward),
            Direction::Backward => (&mut self.backward, &self.forward),
        };
        own.queue.pop()?;
        own.depth = own.depth.max(from.depth);
        for &(step, id) in &self.successors {
            let cost = from.cost.checked_add(step).filter(|&cost| cost < UNSEEN);
            let cost = cost.ok_or_else(too_dear)?;
            if cost >= own.costs[id as usize] {
                continue;
            }
            match direction {
                Direction::Forward => space.set_parent(id, from.id),
                Direction::Backward => own.parents[id as usize] = from.id,
            }
            own.reach(Entry { cost, depth: from.depth + 1, id })?;
            let whole = cost.saturating_add(other.costs[id as usize]);
            if whole < self.best {
                (self.best, self.meeting) = (whole, id);
            }
        }
        Ok(())
    }

    /// The states on the best way known.
    fn way(&self, space: &dyn Space) -> Result<Vec<Id>> {
        let before = |&id: &Id| (id != 0).then(|| space.parent(id));
        let mut trail = listed(std::iter::successors(Some(self.meeting), before))?;
        trail.reverse();
        let mut at = self.meeting;
        while self.backward.parents[at as usize] != at {
            at = self.backward.parents[at as usize];
            trail.grow_push(at)?;
        }
        Ok(trail)
    }
}

impl Strategy for BidirectionalCosts {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        if self.forward.costs.is_empty() {
            self.begin(cx.space.states() as usize)?;
        }
        cx.offer_new(self, START + 1)?;
        loop {
            cx.pause(self)?;
            let Some((direction, entry)) = self.chosen()? else {
                if self.best < UNSEEN {
                    self.trail = self.way(cx.space)?;
                    cx.offer_new(self, WAY + 1)?;
                }
                return Ok(End::Exhausted);
            };
            self.successors.clear();
            cx.space.steps(direction, entry.id, &mut self.successors)?;
            self.note(direction, entry, cx.space)?;
            cx.record.expanded += 1;
            cx.record.depth = u64::from(self.forward.depth) + u64::from(self.backward.depth);
            cx.record.waiting = (self.forward.queue.keys() + self.backward.queue.keys()) as u64;
        }
    }

    fn state(&self, item: u32) -> Id {
        if item == WAY { self.trail.last().copied().unwrap_or(0) } else { 0 }
    }

    fn trail(&self, item: u32, _space: &dyn Space, _record: &Record) -> Result<Vec<Id>> {
        if item == WAY { copied(&self.trail) } else { copied(&[0]) }
    }

    fn bytes(&self) -> usize {
        self.forward.bytes()
            + self.backward.bytes()
            + self.trail.capacity() * size_of::<Id>()
            + self.successors.capacity() * size_of::<(u64, Id)>()
    }

    fn kept(&mut self) -> Option<&mut dyn Keep> {
        Some(self)
    }
}

impl Side {
    fn save(&self, out: &mut Writer) -> Done<()> {
        self.queue.save(out)?;
        out.count(self.costs.len())?;
        out.longs(self.costs.iter().copied())?;
        out.count(self.parents.len())?;
        out.words(self.parents.iter().copied())?;
        out.word(self.depth)
    }

    fn load(&mut self, from: &mut Reader, states: Id) -> Done<()> {
        self.queue.load(from, states)?;
        self.costs = from.list(2, Reader::long)?;
        self.parents = from.list(1, |from| from.state(states))?;
        self.depth = from.word()?;
        Ok(())
    }
}

impl Keep for BidirectionalCosts {
    fn moves_parents(&self) -> bool {
        true
    }

    fn save(&self, out: &mut Writer) -> Done<()> {
        self.forward.save(out)?;
        self.backward.save(out)?;
        out.long(self.best)?;
        out.word(self.meeting)?;
        out.count(self.trail.len())?;
        out.words(self.trail.iter().copied())
    }

    fn load(&mut self, from: &mut Reader, states: Id) -> Done<()> {
        self.forward.load(from, states)?;
        self.backward.load(from, states)?;
        let lengths = [self.forward.costs.len(), self.backward.costs.len()];
        if lengths.iter().any(|&length| length > states as usize) {
            return Err(from.damaged("costs of states that are not there"));
        }
        (self.best, self.meeting) = (from.long()?, from.state(states)?);
        self.trail = from.list(1, |from| from.state(states))?;
        Ok(())
    }
}

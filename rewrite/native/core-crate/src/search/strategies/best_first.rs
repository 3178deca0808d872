//! Best-first search with a bucket queue: uniform cost (Dijkstra 1959), A* (Hart, Nilsson, Raphael
//! 1968) and greedy search differ only in the bucket key and in what they reopen.
//!
//! States are offered when they are popped, so the first answer is the cheapest (for A*: with an
//! admissible heuristic).

use super::priority::{Key, Priority, TooDear, falls};
use super::queue::{Entry, Queue};
use super::{End, Strategy};
use crate::checkpoint::{Archive, Archived, Done, archived};
use crate::error::Result;
use crate::grow::{Grow, listed};
use crate::search::context::{Context, Pause};
use crate::search::record::Record;
use crate::search::savable::Parents;
use crate::search::space::{Id, Space};
use crate::store::paged_vec::PagedVec;

const UNSEEN: u64 = u64::MAX;
const EXPANDED: u8 = 1;
const RULED_OUT: u8 = 2;
const OFFERED: u8 = 4;

/// When to reopen an expanded state that is reached at a lower cost; under `max_depth` always,
/// because a cheaper path may have fewer steps.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Reopening {
    #[default]
    Always,
    /// Once the record shows that the heuristic is inconsistent.
    WhenInconsistent,
    Never,
}

/// Every state reached is queued with its least known cost, current, held back, or was expanded at
/// that cost. Entries with a greater cost are stale and skipped.
#[derive(Default)]
pub struct BestFirst {
    priority: Priority,
    reopening: Reopening,
    queue: Queue,
    /// Popped, but not expanded yet.
    current: Option<Entry>,
    /// By state: the least cost at which it was reached.
    costs: PagedVec<u64>,
    flags: PagedVec<u8>,
    /// States held back by `max_depth`, and cheaper paths to expanded states that were not reopened.
    held: Vec<Entry>,
    successors: Vec<(u64, Id)>,
}

archived!(BestFirst: queue, current, costs, flags, held);

impl<T: Archived + Default + Copy> Archived for PagedVec<T> {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Done<()> {
        for at in 0..archive.count(self.len())? {
            self.grow_to(at + 1, T::default())?;
            self[at].archive(archive)?;
        }
        Ok(())
    }
}

impl BestFirst {
    pub fn new(priority: Priority, reopening: Reopening) -> BestFirst {
        let queue = Queue::new(priority.first());
        BestFirst { priority, reopening, queue, ..BestFirst::default() }
    }

    fn begin(&mut self, space: &mut dyn Space, record: &mut Record) -> Result<()> {
        let start = Entry { cost: 0, depth: 0, id: 0 };
        let key = self.key(start, space, record)?;
        self.make_room(space)?;
        if record.min_depth == 0 {
            self.costs[0] = 0; // else a cycle may lead back to it
        }
        self.open(key, start, record)
    }

    /// One entry for every state.
    fn make_room(&mut self, space: &dyn Space) -> Result<()> {
        self.costs.grow_to(space.states() as usize, UNSEEN)?;
        self.flags.grow_to(space.states() as usize, 0)
    }

    fn known_cost(&self, id: Id) -> u64 {
        let cost = self.costs[id as usize];
        if cost == UNSEEN { 0 } else { cost } // only the start can be queued unseen
    }

    fn is(&self, id: Id, flag: u8) -> bool {
        self.flags[id as usize] & flag != 0
    }

    /// The queue key of an entry; None if no goal is reachable from its state.
    fn key(&self, entry: Entry, space: &mut dyn Space, record: &Record) -> Result<Option<Key>> {
        let estimate = record.estimate(space, entry.id)?;
        Ok(self.priority.key(entry.cost, estimate)?)
    }

    /// Queues a state that may have been expanded before.
    fn open(&mut self, key: Option<Key>, entry: Entry, record: &mut Record) -> Result<()> {
        let flags = &mut self.flags[entry.id as usize];
        record.reopened += u64::from(*flags & EXPANDED != 0);
        *flags &= !EXPANDED;
        if let Some(key) = key {
            return self.queue.push(key, entry);
        }
        record.ruled_out += u64::from(*flags & RULED_OUT == 0);
        *flags |= RULED_OUT;
        Ok(())
    }

    fn choose(&mut self) -> Result<Option<Entry>> {
        while let Some(entry) = self.queue.pop()? {
            if entry.cost == self.known_cost(entry.id) {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    fn reopens(&self, record: &Record) -> bool {
        let needed = match self.reopening {
            Reopening::Always => true,
            Reopening::WhenInconsistent => record.inconsistent,
            Reopening::Never => false,
        };
        needed || record.limits.max_depth.is_some()
    }

    /// Requeues states no longer held back; returns whether any are queued.
    fn release(&mut self, space: &mut dyn Space, record: &mut Record) -> Result<bool> {
        for entry in std::mem::take(&mut self.held) {
            let free = match self.is(entry.id, EXPANDED) {
                true => self.reopens(record),
                false => !record.too_deep(u64::from(entry.depth)),
            };
            if entry.cost != self.known_cost(entry.id) {
                continue; // since reached at a lower cost
            }
            if free {
                let key = self.key(entry, space, record)?;
                self.open(key, entry, record)?;
            } else {
                self.held.grow_push(entry)?;
            }
        }
        Ok(self.queue.keys() > 0)
    }

    fn reach(
        &mut self,
        from: Entry,
        (step, id): (u64, Id),
        space: &mut dyn Space,
        record: &mut Record,
    ) -> Result<()> {
        let cost = from.cost.checked_add(step).filter(|&cost| cost < UNSEEN).ok_or(TooDear)?;
        if cost >= self.costs[id as usize] {
            return Ok(());
        }
        let entry = Entry { cost, depth: from.depth + 1, id };
        let key = self.key(entry, space, record)?;
        self.costs[id as usize] = cost;
        let flags = &mut self.flags[id as usize];
        *flags &= !OFFERED;
        let expanded = *flags & EXPANDED != 0;
        record.start_noted |= id == 0;
        space.set_parent(id, from.id);
        if expanded && !self.reopens(record) {
            self.held.grow_push(entry)
        } else {
            self.open(key, entry, record)
        }
    }

    fn expand(&mut self, entry: Entry, space: &mut dyn Space, record: &mut Record) -> Result<()> {
        self.successors.clear();
        space.successors(entry.id, &mut self.successors)?;
        self.make_room(space)?;
        let watched = self.reopening == Reopening::WhenInconsistent && !record.inconsistent;
        let mut inconsistent = false;
        for at in 0..self.successors.len() {
            let (step, id) = self.successors[at];
            self.reach(entry, (step, id), space, record)?;
            if watched && !inconsistent {
                let before = record.estimate(space, entry.id)?;
                inconsistent = falls(before, step, record.estimate(space, id)?);
            }
        }
        if inconsistent {
            record.inconsistent = true;
            self.release(space, record)?;
        }
        record.expanded += 1;
        Ok(())
    }
}

impl Strategy for BestFirst {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        if self.costs.len() == 0 {
            self.begin(cx.space, cx.record)?;
        }
        loop {
            let entry = match self.current {
                Some(entry) => entry,
                None => match self.choose()? {
                    Some(entry) => *self.current.insert(entry),
                    None if self.release(cx.space, cx.record)? => continue,
                    None => {
                        let cut = self.held.iter().map(|entry| entry.id);
                        let cut = listed(cut.filter(|&id| !self.is(id, EXPANDED)))?;
                        return Ok(cx.record.end_at_depth(cx.space, &cut)?);
                    }
                },
            };
            if !self.is(entry.id, OFFERED) {
                cx.record.depth = cx.record.depth.max(u64::from(entry.depth));
                cx.record.waiting = self.queue.keys() as u64;
                cx.offer(self, entry.id)?;
                self.flags[entry.id as usize] |= OFFERED;
                cx.pause(self)?;
            }
            // a start reached again through a cycle was expanded when the search began
            let fresh = entry.id > 0 || cx.record.expanded == 0;
            if fresh && cx.record.too_deep(u64::from(entry.depth)) {
                self.held.grow_push(entry)?;
            } else {
                if fresh {
                    self.expand(entry, cx.space, cx.record)?;
                }
                let reached = self.costs[entry.id as usize] < UNSEEN;
                self.flags[entry.id as usize] |= if reached { EXPANDED } else { 0 };
            }
            self.current = None;
        }
    }

    fn cost(&self, id: Id) -> Option<u64> {
        Some(self.known_cost(id))
    }

    fn bytes(&self) -> usize {
        self.costs.bytes()
            + self.flags.bytes()
            + self.successors.capacity() * size_of::<(u64, Id)>()
            + self.held.capacity() * size_of::<Entry>()
            + self.queue.bytes()
    }

    fn saved(&mut self) -> Option<(Parents, &mut dyn Archived)> {
        Some((Parents::Moving, self))
    }
}

//! Best-first search with a bucket queue: uniform cost (Dijkstra 1959), A* (Hart, Nilsson, Raphael
//! 1968) and greedy search differ only in the bucket key and in what they reopen.
//!
//! States are offered when they are popped, so the first answer is the cheapest (for A*: with an
//! admissible heuristic).

use super::priority::{Key, Number, Priority, TooDear, falls};
use super::queue::{Entry, Queue};
use super::{End, Strategy};
use crate::checkpoint::{Archive, Archived, archived};
use crate::error::Result;
use crate::grow::{Grow, listed};
use crate::search::context::{Context, Pause};
use crate::search::record::Record;
use crate::search::savable::Parents;
use crate::search::space::{Direction, Id, Space, Step};
use crate::store::paged_vec::PagedVec;

const UNSEEN: u64 = u64::MAX;
const EXPANDED: u8 = 1;
const RULED_OUT: u8 = 2;
const OFFERED: u8 = 4;
/// One state is expanded along with others for so many before it.
const FEW: u64 = if cfg!(test) { 1 } else { 32 };

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
    /// Popped, all of one key, but not expanded yet.
    batch: Vec<Entry>,
    /// What comes first of the key of the batch, and how many states with that were expanded.
    layer: (Number, u64),
    /// By state: the least cost at which it was reached.
    costs: PagedVec<u64>,
    flags: PagedVec<u8>,
    /// States held back by `max_depth`, and cheaper paths to expanded states that were not reopened.
    held: Vec<Entry>,
    successors: Vec<Step>,
}

archived!(BestFirst: queue, batch, layer, costs, flags, held);

impl<T: Archived + Default + Copy> Archived for PagedVec<T> {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
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

    /// Pops the next states to expand, all of one key; none if nothing waits.
    ///
    /// Together they take less time than one by one: look-ups wait for memory at the same time. But a
    /// goal to which one of them leads comes later for it, so they are few beside the states with the
    /// same sum that were expanded before. By estimate alone it is always one.
    fn choose(&mut self, largest: u64) -> Result<()> {
        let (mut chosen, mut most) = (None, 1);
        while let Some(key) = self.queue.first_key() {
            if chosen.is_some_and(|chosen| chosen != key) || self.batch.len() == most {
                break;
            }
            self.batch.grow_by(1)?;
            let Some(entry) = self.queue.pop()? else { break };
            if entry.cost != self.known_cost(entry.id) {
                continue;
            }
            if chosen.is_none() {
                chosen = Some(key);
                if self.layer.0 != key.major {
                    self.layer = (key.major, 0);
                }
                if !matches!(self.priority, Priority::Estimate) {
                    most = (self.layer.1 / FEW).clamp(1, largest) as usize;
                }
            }
            self.batch.grow_push(entry)?;
        }
        Ok(())
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
        Step { cost: step, to: id, .. }: Step,
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

    /// Whether a state of the batch is to be expanded; None if `max_depth` holds it back.
    fn expands(entry: &Entry, record: &Record) -> Option<bool> {
        // a start reached again through a cycle was expanded when the search began
        let fresh = entry.id > 0 || record.expanded == 0;
        (!fresh || !record.too_deep(u64::from(entry.depth))).then_some(fresh)
    }

    /// Expands the first states of the batch, and takes those off it that are done.
    fn expand(&mut self, count: usize, space: &mut dyn Space, record: &mut Record) -> Result<()> {
        let first = self.batch[..count].iter();
        let expanded = first.filter(|entry| BestFirst::expands(entry, record) == Some(true));
        let ids = listed(expanded.map(|entry| entry.id))?;
        let known = space.states();
        self.successors.clear();
        space.steps(Direction::Forward, &ids, &mut self.successors)?;
        if record.uses_estimate {
            space.foresee(known..space.states())?;
        }
        self.make_room(space)?;
        let mut done = 0;
        let result = self.follow(count, &mut done, space, record);
        self.batch.drain(..done);
        result
    }

    /// Follows the steps from the first states of the batch, and counts those that are done.
    fn follow(
        &mut self,
        count: usize,
        done: &mut usize,
        space: &mut dyn Space,
        record: &mut Record,
    ) -> Result<()> {
        let (mut at, mut from) = (0, 0);
        while *done < count {
            let entry = self.batch[*done];
            let expands = BestFirst::expands(&entry, record);
            if expands == Some(true) {
                let watched = self.reopening == Reopening::WhenInconsistent && !record.inconsistent;
                let mut inconsistent = false;
                while let Some(&step) = self.successors.get(at).filter(|step| step.from == from) {
                    self.reach(entry, step, space, record)?;
                    if watched && !inconsistent {
                        let before = record.estimate(space, entry.id)?;
                        inconsistent = falls(before, step.cost, record.estimate(space, step.to)?);
                    }
                    at += 1;
                }
                from += 1;
                if inconsistent {
                    record.inconsistent = true;
                    self.release(space, record)?;
                }
                record.expanded += 1;
                self.layer.1 += 1;
            }
            if expands.is_none() {
                self.held.grow_push(entry)?;
            } else if self.costs[entry.id as usize] < UNSEEN {
                self.flags[entry.id as usize] |= EXPANDED;
            }
            *done += 1;
        }
        Ok(())
    }
}

impl Strategy for BestFirst {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        if self.costs.len() == 0 {
            self.begin(cx.space, cx.record)?;
        }
        loop {
            if self.batch.is_empty() {
                self.choose(cx.record.most_valued(cx.space))?;
            }
            if self.batch.is_empty() {
                if self.release(cx.space, cx.record)? {
                    continue;
                }
                let cut = self.held.iter().map(|entry| entry.id);
                let cut = listed(cut.filter(|&id| !self.is(id, EXPANDED)))?;
                return Ok(cx.record.end_at_depth(cx.space, &cut)?);
            }
            for at in 0..self.batch.len() {
                let Entry { id, depth, .. } = self.batch[at];
                if !self.is(id, OFFERED) {
                    cx.record.depth = cx.record.depth.max(u64::from(depth));
                    cx.offer(self, id)?;
                    self.flags[id as usize] |= OFFERED;
                    cx.stop_if_found()?;
                }
            }
            cx.record.waiting = self.queue.keys() as u64;
            cx.pause(self)?;
            let count = cx.record.batch_size(cx.space.states().into()) as usize;
            self.expand(count.min(self.batch.len()), cx.space, cx.record)?;
        }
    }

    fn cost(&self, id: Id) -> Option<u64> {
        Some(self.known_cost(id))
    }

    fn bytes(&self) -> usize {
        self.costs.bytes()
            + self.flags.bytes()
            + self.successors.capacity() * size_of::<Step>()
            + (self.held.capacity() + self.batch.capacity()) * size_of::<Entry>()
            + self.queue.bytes()
    }

    fn saved(&mut self) -> Option<(Parents, &mut dyn Archived)> {
        Some((Parents::Moving, self))
    }
}

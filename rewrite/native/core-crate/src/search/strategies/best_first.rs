//! Best-first search with a bucket queue: uniform cost (Dijkstra 1959), A* (Hart, Nilsson, Raphael
//! 1968) and greedy search differ in nothing but the key of the bucket, and in what they open again.
//!
//! States are offered when they are taken out of the queue, so the first answer is the cheapest (for
//! A*: with a heuristic that never overestimates).

use std::collections::VecDeque;

use super::cut::Cut;
use super::keys::{Key, Priority, falls, too_dear};
use super::queue::{Entry, Queue};
use super::{End, Keep, Strategy};
use crate::checkpoint::{Done, Reader, Writer};
use crate::error::Result;
use crate::grow::Grow;
use crate::search::context::{Context, Pause};
use crate::search::record::Record;
use crate::search::space::{Id, Space};
use crate::store::paged_vec::PagedVec;

const UNSEEN: u64 = u64::MAX;
const CLOSED: u8 = 1;
const RULED_OUT: u8 = 2;

/// When a state that is reached cheaper after it was expanded is opened again; under `max_depth` it
/// always is, because a cheaper way may have fewer steps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reopening {
    Always,
    /// From the first step on of which the record says that the heuristic is not consistent.
    WhenInconsistent,
    Never,
}

/// Every state that was reached is closed, waits in the queue with its least cost known, or is the
/// current one. What waits with a greater cost than is known by now is stale, and passed by.
pub struct BestFirst {
    priority: Priority,
    reopening: Reopening,
    begun: bool,
    queue: Queue,
    /// What was taken out of the queue and not expanded yet, and whether it was offered.
    current: Option<(Entry, bool)>,
    /// By state: the least cost at which it was reached.
    costs: PagedVec<u64>,
    flags: PagedVec<u8>,
    /// States that `max_depth` keeps from being expanded, with cost and depth.
    cut: Cut<(u64, u32)>,
    /// Cheaper ways to closed states that were not opened again.
    late: VecDeque<Entry>,
    successors: Vec<(u64, Id)>,
}

impl BestFirst {
    pub fn new(priority: Priority, reopening: Reopening) -> BestFirst {
        BestFirst {
            priority,
            reopening,
            begun: false,
            queue: Queue::new(priority.first()),
            current: None,
            costs: PagedVec::default(),
            flags: PagedVec::default(),
            cut: Cut::new(),
            late: VecDeque::new(),
            successors: Vec::new(),
        }
    }

    fn begin(&mut self, space: &mut dyn Space, record: &mut Record) -> Result<()> {
        self.make_room(space)?;
        let start = Entry { cost: 0, depth: 0, id: 0 };
        let key = self.key(start, space, record)?;
        if record.min_depth == 0 {
            self.costs[0] = 0; // else it may be reached again, through a cycle
        }
        self.push(key, start, record)?;
        self.begun = true;
        Ok(())
    }

    /// For every state that there is.
    fn make_room(&mut self, space: &dyn Space) -> Result<()> {
        self.costs.grow_to(space.states() as usize, UNSEEN)?;
        self.flags.grow_to(space.states() as usize, 0)
    }

    /// The key by which an entry waits; None where no goal can be reached from its state.
    fn key(&self, entry: Entry, space: &mut dyn Space, record: &Record) -> Result<Option<Key>> {
        let estimate = record.estimate(space, entry.id)?;
        self.priority.key(entry.cost, estimate)
    }

    fn push(&mut self, key: Option<Key>, entry: Entry, record: &mut Record) -> Result<()> {
        match key {
            Some(key) => self.queue.push(key, entry)?,
            None => {
                let flags = &mut self.flags[entry.id as usize];
                record.ruled_out += u64::from(*flags & RULED_OUT == 0);
                *flags |= RULED_OUT;
            }
        }
        Ok(())
    }

    /// Takes the next state that is worth expanding; None where nothing waits.
    fn choose(&mut self) -> Result<Option<Entry>> {
        loop {
            let Some(entry) = self.queue.pop()? else { return Ok(None) };
            let (known, flags) =
                (self.costs[entry.id as usize], &mut self.flags[entry.id as usize]);
            if known == UNSEEN {
                return Ok(Some(entry));
            }
            if entry.cost <= known && *flags & CLOSED == 0 {
                *flags |= CLOSED;
                return Ok(Some(entry));
            }
        }
    }

    /// Makes those wait again that the limit of depth, which was raised, does not keep any more.
    fn release(&mut self, space: &mut dyn Space, record: &mut Record) -> Result<bool> {
        let free = |(_, depth): (u64, u32)| !record.too_deep(u64::from(depth));
        let again = self.cut.those(free)?;
        let mut keys = Vec::new();
        for &(id, (cost, depth)) in &again {
            keys.grow_push(self.key(Entry { cost, depth, id }, space, record)?)?;
        }
        self.cut.remove(free);
        for (&(id, (cost, depth)), &key) in again.iter().zip(&keys) {
            self.flags[id as usize] &= !CLOSED;
            self.push(key, Entry { cost, depth, id }, record)?;
        }
        Ok(!again.is_empty())
    }

    fn reach(
        &mut self,
        from: Entry,
        (step, id): (u64, Id),
        space: &mut dyn Space,
        record: &mut Record,
    ) -> Result<()> {
        let cost =
            from.cost.checked_add(step).filter(|&cost| cost < UNSEEN).ok_or_else(too_dear)?;
        if cost >= self.costs[id as usize] {
            return Ok(());
        }
        let entry = Entry { cost, depth: from.depth + 1, id };
        let key = self.key(entry, space, record)?;
        self.costs[id as usize] = cost;
        if !(id == 0 && record.start_again(space, from.id)) {
            space.set_parent(id, from.id);
        }
        if self.flags[id as usize] & CLOSED == 0 {
            self.push(key, entry, record)
        } else if self.opens(record) || self.cut.contains(id) {
            self.open(key, entry, record)
        } else {
            self.late.grow_push(entry)
        }
    }

    fn opens(&self, record: &Record) -> bool {
        let needed = match self.reopening {
            Reopening::Always => true,
            Reopening::WhenInconsistent => record.inconsistent,
            Reopening::Never => false,
        };
        needed || record.limits.max_depth.is_some()
    }

    /// Lets a state wait that may have been expanded.
    fn open(&mut self, key: Option<Key>, entry: Entry, record: &mut Record) -> Result<()> {
        let flags = &mut self.flags[entry.id as usize];
        record.reopened += u64::from(*flags & CLOSED != 0);
        *flags &= !CLOSED;
        self.push(key, entry, record)
    }

    /// Opens what was not opened when it was reached cheaper, where that is needed by now.
    fn open_late(&mut self, space: &mut dyn Space, record: &mut Record) -> Result<()> {
        if !self.late.is_empty() && self.opens(record) {
            while let Some(&entry) = self.late.front() {
                if entry.cost == self.costs[entry.id as usize] {
                    let key = self.key(entry, space, record)?;
                    self.open(key, entry, record)?;
                }
                self.late.pop_front();
            }
        }
        Ok(())
    }

    fn expand(&mut self, entry: Entry, space: &mut dyn Space, record: &mut Record) -> Result<()> {
        self.successors.clear();
        space.successors(entry.id, &mut self.successors)?;
        self.make_room(space)?;
        for at in 0..self.successors.len() {
            let (step, id) = self.successors[at];
            self.reach(entry, (step, id), space, record)?;
            if self.reopening == Reopening::WhenInconsistent && !record.inconsistent {
                let before = record.estimate(space, entry.id)?;
                record.inconsistent = falls(before, step, record.estimate(space, id)?);
            }
        }
        record.expanded += 1;
        Ok(())
    }
}

impl Strategy for BestFirst {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        if !self.begun {
            self.begin(cx.space, cx.record)?;
        }
        loop {
            let (entry, offered) = match self.current {
                Some(current) => current,
                None => {
                    self.open_late(cx.space, cx.record)?;
                    let Some(entry) = self.choose()? else {
                        if self.release(cx.space, cx.record)? {
                            continue;
                        }
                        return Ok(cx.record.end_at_depth(cx.space, &self.cut.ids()?)?);
                    };
                    *self.current.insert((entry, false))
                }
            };
            if !offered {
                cx.record.depth = cx.record.depth.max(u64::from(entry.depth));
                cx.record.waiting = self.queue.keys() as u64;
                cx.offer(self, entry.id)?;
                self.current = Some((entry, true));
                cx.pause(self)?;
            }
            // the start that a cycle led back to was expanded when the search began
            if entry.id > 0 || cx.record.expanded == 0 {
                if cx.record.too_deep(u64::from(entry.depth)) {
                    self.cut.set(entry.id, (entry.cost, entry.depth))?;
                } else {
                    self.expand(entry, cx.space, cx.record)?;
                }
            }
            self.current = None;
        }
    }

    fn cost(&self, id: Id) -> Option<u64> {
        let cost = self.costs[id as usize];
        Some(if cost == UNSEEN { 0 } else { cost })
    }

    fn bytes(&self) -> usize {
        self.costs.bytes()
            + self.flags.bytes()
            + self.successors.capacity() * size_of::<(u64, Id)>()
            + self.late.capacity() * size_of::<Entry>()
            + self.queue.bytes()
            + self.cut.bytes()
    }

    fn kept(&mut self) -> Option<&mut dyn Keep> {
        Some(self)
    }
}

impl Keep for BestFirst {
    fn moves_parents(&self) -> bool {
        true
    }

    fn save(&self, out: &mut Writer) -> Done<()> {
        out.truth(self.begun)?;
        out.truth(self.current.is_some())?;
        if let Some((entry, offered)) = self.current {
            entry.save(out)?;
            out.truth(offered)?;
        }
        self.queue.save(out)?;
        out.count(self.costs.len())?;
        out.longs((0..self.costs.len()).map(|at| self.costs[at]))?;
        out.words((0..self.flags.len()).map(|at| u32::from(self.flags[at])))?;
        self.cut.save(out, |out, (cost, depth)| {
            out.long(cost)?;
            out.word(depth)
        })?;
        out.count(self.late.len())?;
        self.late.iter().try_for_each(|entry| entry.save(out))
    }

    fn load(&mut self, from: &mut Reader, states: Id) -> Done<()> {
        self.begun = from.truth()?;
        self.current =
            if from.truth()? { Some((Entry::load(from, states)?, from.truth()?)) } else { None };
        self.queue.load(from, states)?;
        let count = from.count(3)?;
        if count > states as usize {
            return Err(from.damaged("costs of states that are not there"));
        }
        for _ in 0..count {
            self.costs.push(from.long()?)?;
        }
        for _ in 0..count {
            self.flags.push(from.word()? as u8)?;
        }
        self.cut.load(from, states, |from| Ok((from.long()?, from.word()?)))?;
        self.late.grow_extend(from.list(4, |from| Entry::load(from, states))?)?;
        Ok(())
    }
}

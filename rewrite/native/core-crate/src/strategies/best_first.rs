//! Best-first search with a bucket queue: uniform cost (Dijkstra 1959), A* (Hart, Nilsson, Raphael
//! 1968) and greedy search differ in nothing but the key of the bucket.
//!
//! States are tested for the goal when they are taken out, so the first answer is the cheapest (for
//! A*: with a heuristic that never overestimates). A state reached cheaper after it was expanded is
//! opened again, so an inconsistent heuristic costs time, never the answer.

use super::Strategy;
use super::cut::Cut;
use super::keys::{Key, Priority, too_dear};
use super::queue::{Entry, Queue};
use crate::grow::{Grow, GrowCopies};
use crate::search::record::Record;
use crate::space::{Id, Space};
use crate::trouble::Outcome;

const UNSEEN: u64 = u64::MAX;
const CLOSED: u8 = 1;
const RULED_OUT: u8 = 2;

pub struct BestFirst {
    priority: Priority,
    stage: Stage,
    queue: Queue,
    /// By state: the least cost at which it was reached.
    costs: Vec<u64>,
    flags: Vec<u8>,
    /// States that `max_depth` keeps from being expanded, with cost and depth.
    cut: Cut<(u64, u32)>,
    made: Vec<(u64, Id)>,
}

enum Stage {
    Begin,
    Choose,
    /// Was given out to be tested, and is to be expanded.
    Chosen(Entry),
    /// Was expanded; of `made`, so many are done.
    Made(Entry, usize),
}

impl BestFirst {
    pub fn new(priority: Priority) -> BestFirst {
        BestFirst {
            priority,
            stage: Stage::Begin,
            queue: Queue::default(),
            costs: vec![UNSEEN],
            flags: vec![0],
            cut: Cut::new(),
            made: Vec::new(),
        }
    }

    /// The key by which an entry waits; None where no goal can be reached from its state.
    fn key(&self, entry: Entry, space: &mut dyn Space, record: &Record) -> Outcome<Option<Key>> {
        let estimate = record.estimate(space, entry.id)?;
        self.priority.key(entry.cost, estimate)
    }

    fn push(&mut self, key: Option<Key>, entry: Entry, record: &mut Record) -> Outcome<()> {
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
    fn choose(&mut self) -> Outcome<Option<Entry>> {
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
    fn release(&mut self, space: &mut dyn Space, record: &mut Record) -> Outcome<bool> {
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
    ) -> Outcome<()> {
        let cost =
            from.cost.checked_add(step).filter(|&cost| cost < UNSEEN).ok_or_else(too_dear)?;
        if cost >= self.costs[id as usize] {
            return Ok(());
        }
        let entry = Entry { cost, depth: from.depth + 1, id };
        let key = self.key(entry, space, record)?;
        let flags = &mut self.flags[id as usize];
        record.reopened += u64::from(*flags & CLOSED != 0);
        *flags &= !CLOSED;
        self.costs[id as usize] = cost;
        if !(id == 0 && record.start_again(space, from.id)) {
            space.set_parent(id, from.id);
        }
        self.push(key, entry, record)
    }
}

impl Strategy for BestFirst {
    fn next(
        &mut self,
        space: &mut dyn Space,
        record: &mut Record,
        batch: &mut Vec<u32>,
    ) -> Outcome<bool> {
        loop {
            match self.stage {
                Stage::Begin => {
                    let start = Entry { cost: 0, depth: 0, id: 0 };
                    let key = self.key(start, space, record)?;
                    if record.min_depth == 0 {
                        self.costs[0] = 0; // else it may be reached again, through a cycle
                    }
                    self.push(key, start, record)?;
                    self.stage = Stage::Choose;
                }
                Stage::Choose => {
                    let Some(entry) = self.choose()? else {
                        if self.release(space, record)? {
                            continue;
                        }
                        return record.block(space, &self.cut.ids()?);
                    };
                    batch.grow_push(entry.id)?;
                    if entry.id == 0 && record.expanded > 0 {
                        return Ok(true); // through a cycle: it was expanded when the search began
                    }
                    record.depth = record.depth.max(u64::from(entry.depth));
                    record.waiting = self.queue.keys() as u64;
                    self.stage = Stage::Chosen(entry);
                    return Ok(true);
                }
                Stage::Chosen(entry) => {
                    if record.too_deep(u64::from(entry.depth)) {
                        self.cut.set(entry.id, (entry.cost, entry.depth))?;
                        self.stage = Stage::Choose;
                        continue;
                    }
                    self.made.clear();
                    space.successors(entry.id, &mut self.made)?;
                    record.expanded += 1;
                    self.costs.grow_resize(space.states() as usize, UNSEEN)?;
                    self.flags.grow_resize(space.states() as usize, 0)?;
                    self.stage = Stage::Made(entry, 0);
                }
                Stage::Made(entry, done) => {
                    for at in done..self.made.len() {
                        self.stage = Stage::Made(entry, at);
                        self.reach(entry, self.made[at], space, record)?;
                    }
                    self.stage = Stage::Choose;
                }
            }
        }
    }

    fn cost(&self, id: Id) -> Option<u64> {
        let cost = self.costs[id as usize];
        Some(if cost == UNSEEN { 0 } else { cost })
    }

    fn bytes(&self) -> usize {
        self.costs.capacity() * size_of::<u64>()
            + self.flags.capacity()
            + self.made.capacity() * size_of::<(u64, Id)>()
            + self.queue.bytes()
            + self.cut.bytes()
    }
}

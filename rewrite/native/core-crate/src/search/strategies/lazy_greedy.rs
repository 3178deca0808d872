//! Lazy greedy best-first search with preferred successors, as the first iteration of LAMA (Richter and
//! Westphal, JAIR 2010): a state is valued when it is expanded, and waits by the estimate of its
//! parent. A second queue holds those to which the relaxed plan of the parent leads; it comes first
//! as long as estimates fall.

use super::priority::{Key, Number};
use super::queue::{Entry, Queue};
use super::{End, Strategy};
use crate::error::Result;
use crate::grow::{Grow, listed};
use crate::search::context::{Context, Pause};
use crate::search::record::Record;
use crate::search::space::{Id, Space, Step};
use crate::store::paged_vec::PagedVec;

const UNSEEN: u64 = u64::MAX;
/// Turns of the preferred successors for every new least estimate.
const BOOST: i64 = 1000;
const EXPANDED: u8 = 1;
const OFFERED: u8 = 2;
const DONE: u8 = EXPANDED | OFFERED;

#[derive(Default)]
pub struct LazyGreedy {
    /// All states that wait, and preferred ones; some of them several times.
    queues: [Queue; 2],
    /// How often each was asked, less the boosts.
    turns: [i64; 2],
    best: Option<Number>,
    /// Popped, but not expanded yet.
    current: Option<Entry>,
    /// By state: what the path costs on which it was reached first, and its steps.
    costs: PagedVec<u64>,
    depths: PagedVec<u32>,
    flags: PagedVec<u8>,
    /// States held back by `max_depth`.
    held: Vec<Entry>,
    successors: Vec<Step>,
    preferred: Vec<Id>,
}

impl LazyGreedy {
    pub fn new() -> LazyGreedy {
        LazyGreedy { current: Some(Entry::default()), ..LazyGreedy::default() }
    }

    /// One entry for every state.
    fn make_room(&mut self, space: &dyn Space) -> Result<()> {
        let states = space.states() as usize;
        self.costs.grow_to(states, UNSEEN)?;
        self.depths.grow_to(states, 0)?;
        self.flags.grow_to(states, 0)
    }

    fn is(&self, id: Id, flags: u8) -> bool {
        self.flags[id as usize] & flags == flags
    }

    fn choose(&mut self, record: &Record) -> Result<Option<Entry>> {
        if self.held.last().is_some_and(|last| !record.too_deep(u64::from(last.depth))) {
            return Ok(self.held.pop()); // `max_depth` was raised
        }
        loop {
            let [all, preferred] = &self.queues;
            let few = all.keys() == 0 || self.turns[1] <= self.turns[0];
            let from = usize::from(preferred.keys() > 0 && few);
            self.turns[from] += 1;
            match self.queues[from].pop()? {
                Some(entry) if self.is(entry.id, DONE) => {}
                found => return Ok(found),
            }
        }
    }

    fn expand(&mut self, entry: Entry, space: &mut dyn Space, record: &mut Record) -> Result<()> {
        let Some(estimate) = Number::of(record.estimate(space, entry.id)?) else {
            record.ruled_out += 1;
            return Ok(());
        };
        self.successors.clear();
        self.preferred.clear();
        space.successors(entry.id, &mut self.successors)?;
        space.helpful(entry.id, &mut self.preferred)?;
        self.make_room(space)?;
        if self.best.is_none_or(|best| estimate < best) {
            self.best = Some(estimate);
            self.turns[1] -= BOOST;
        }
        let key = Key { major: estimate, ..Key::default() };
        for at in 0..self.successors.len() {
            let Step { cost: step, to: id, .. } = self.successors[at];
            if id == 0 && record.start_again(space, entry.id) {
                self.flags[0] &= !OFFERED; // a way back to the start, which was expanded
                self.costs[0] = UNSEEN;
            }
            if self.is(id, DONE) {
                continue;
            }
            let cost = entry.cost.saturating_add(step);
            let first = self.costs[id as usize] == UNSEEN;
            if first || (space.parent(id) == entry.id && cost < self.costs[id as usize]) {
                self.costs[id as usize] = cost;
                self.depths[id as usize] = entry.depth + 1;
            }
            let (cost, depth) = (self.costs[id as usize], self.depths[id as usize]);
            let next = Entry { cost, depth, id };
            self.queues[0].push(key, next)?;
            if self.preferred.contains(&id) {
                self.queues[1].push(key, next)?;
            }
        }
        record.expanded += 1;
        Ok(())
    }
}

impl Strategy for LazyGreedy {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        if self.costs.len() == 0 {
            self.make_room(cx.space)?;
            self.costs[0] = 0;
        }
        loop {
            let entry = match self.current {
                Some(entry) => entry,
                None => match self.choose(cx.record)? {
                    Some(entry) => *self.current.insert(entry),
                    None => {
                        let cut = listed(self.held.iter().map(|entry| entry.id))?;
                        return Ok(cx.record.end_at_depth(cx.space, &cut)?);
                    }
                },
            };
            if !self.is(entry.id, OFFERED) {
                cx.record.depth = cx.record.depth.max(u64::from(entry.depth));
                cx.record.waiting = self.queues.iter().map(|one| one.keys() as u64).sum();
                cx.offer(self, entry.id)?;
                self.flags[entry.id as usize] |= OFFERED;
                cx.pause(self)?;
            }
            if cx.record.too_deep(u64::from(entry.depth)) {
                self.held.grow_push(entry)?;
            } else if !self.is(entry.id, EXPANDED) {
                // before its successors, one of which may be the state itself
                self.flags[entry.id as usize] |= EXPANDED;
                if let Err(error) = self.expand(entry, cx.space, cx.record) {
                    self.flags[entry.id as usize] &= !EXPANDED;
                    return Err(error.into());
                }
            }
            self.current = None;
        }
    }

    fn cost(&self, id: Id) -> Option<u64> {
        Some(self.costs[id as usize])
    }

    fn bytes(&self) -> usize {
        self.costs.bytes()
            + self.depths.bytes()
            + self.flags.bytes()
            + self.successors.capacity() * size_of::<Step>()
            + self.preferred.capacity() * size_of::<Id>()
            + self.held.capacity() * size_of::<Entry>()
            + self.queues.iter().map(Queue::bytes).sum::<usize>()
    }
}

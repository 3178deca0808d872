//! A part of the states of a breadth-first search that is spread over processes.
//!
//! Each state belongs to one part, its home, which depends on its key alone. A part expands its
//! states of a level and packs their successors into *parcels*, one for each part, where they are
//! looked up and stored. A parcel means the same in every process, and may be delivered twice. Of
//! several parents in the last level the one of the least *rank* counts, so the path to a state
//! depends neither on the number of parts nor on the order of delivery.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // all of this grows with the search: see `grow`

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::checkpoint::{Files, LAYOUT, Lengths, Reader, Writer};
use crate::codec::{StateCodec, with_key_type};
use crate::error::Result;
use crate::grow::{Grow, listed};
use crate::search::savable::{Parents, SavableSpace};
use crate::search::space::{Id, Space};
use crate::state_space::StateSpace;
use crate::store::Block;
use crate::store::paged_vec::PagedVec;
use crate::vm::machine::Machine;

use crate::parcel::{Parcel, Sender, Unpacking, rank_of};

/// "part", as the first word of a file.
const MAGIC: u32 = 0x7472_6170;

/// A part, whatever its keys.
pub trait Part: Send + Sync {
    /// Expands states of the level from `from` on, one at least, until the parcels hold `most` words; the
    /// state to go on with.
    fn expand(&mut self, from: Id, most: usize) -> Result<Id>;
    /// What has been packed for each part since the last call.
    fn parcels(&mut self) -> &mut [Parcel];
    /// Receives a parcel of part `from`; returns the number of new states.
    fn deliver(&mut self, from: u16, parcel: &[u32]) -> Result<u32>;
    /// Turns the delivered states into the next level; returns their number.
    fn close(&mut self) -> u32;
    /// The states of the level that are goals, with their ranks.
    fn goals(&mut self) -> Result<Vec<(u64, Id)>>;
    /// The parent of a state: its home, and its number there.
    fn origin(&self, id: Id) -> Result<(u16, Id)>;
    fn level(&self) -> std::ops::Range<Id>;
    fn kept(&self) -> &dyn SavableSpace;
    fn bytes(&self) -> usize;
    /// Called between two levels; `scarce`: evicts what can be reloaded.
    fn save(&mut self, files: &mut Files, number: u32, scarce: bool) -> Result<Lengths>;
    fn load(&mut self, files: &mut Files, number: u32) -> Result<()>;
}

/// The part `me` of `parts`. The start, a raw key, is stored in its home.
pub fn new_part(
    machine: Arc<Machine>,
    start: &[u32],
    me: u16,
    parts: usize,
) -> Result<Box<dyn Part>> {
    with_key_type!(machine.program.encoding, K => {
        Ok(Box::new(Own::<K>::new(machine, start, me, parts)?))
    })
}

struct Own<K: StateCodec> {
    me: u16,
    space: StateSpace<K>,
    sender: Sender,
    /// By state: the home of its parent. (The number there is its parent in the store.)
    homes: PagedVec<u16>,
    /// The ranks of the parents of those that were delivered since the last level.
    ranks: Vec<u64>,
    block: Block<K>,
    /// For the candidates in the block: rank and number of the parent.
    senders: Vec<(u64, Id)>,
    level: std::ops::Range<Id>,
}

/// Candidates that are looked up at a time.
const BATCH: usize = 1024;

impl<K: StateCodec> Own<K> {
    fn new(machine: Arc<Machine>, start: &[u32], me: u16, parts: usize) -> Result<Own<K>> {
        let mut sender = Sender::new(parts)?;
        let rank = K::with_raw(start, |key| rank_of::<K>(&machine, key, &mut sender.spelling))?;
        let is_home = sender.home(rank) == me;
        let first = if is_home { std::slice::from_ref(&start) } else { &[] };
        let first = listed(first.iter().map(|raw| raw.to_vec()))?;
        let space = StateSpace::<K>::new(machine, &first, 1)?;
        let mut homes = PagedVec::default();
        if is_home {
            homes.push(me)?;
        }
        let mut own = Own {
            me,
            block: space.new_block(),
            space,
            sender,
            homes,
            ranks: Vec::new(),
            senders: Vec::new(),
            level: 0..u32::from(is_home),
        };
        own.enter(me)?; // numbers are kept from the beginning: they cannot be once states are spilled
        Ok(own)
    }

    /// Looks up the candidates in the block.
    fn enter(&mut self, from: u16) -> Result<u32> {
        let (first, mut fresh) = (self.level.end, 0);
        let Own { space, block, senders, homes, ranks, .. } = self;
        let (mut found, mut done) = (Vec::new(), Ok(()));
        let entered = space.insert_block(block, |at, id, new| {
            fresh += u32::from(new);
            // of states of earlier levels no parent is wanted
            if id >= first && done.is_ok() {
                done = found.grow_push((id, senders[at]));
            }
        });
        for (id, (rank, parent)) in found {
            let at = (id - first) as usize;
            if at < ranks.len() {
                if rank >= ranks[at] {
                    continue;
                }
                ranks[at] = rank;
                homes[id as usize] = from;
            } else {
                ranks.grow_push(rank)?;
                homes.push(from)?;
            }
            space.set_parent(id, parent);
        }
        self.block.clear();
        self.senders.clear();
        entered.and(done).map(|()| fresh)
    }
}

impl<K: StateCodec> Part for Own<K> {
    fn expand(&mut self, from: Id, most: usize) -> Result<Id> {
        let (machine, sender) = (self.space.machine.clone(), &mut self.sender);
        let mut at = from.max(self.level.start);
        let first = at;
        while at < self.level.end && (at == first || sender.words() < most) {
            let parent = (rank_of::<K>(&machine, self.space.key(at), &mut sender.spelling)?, at);
            self.space.each(at, |key| {
                let rank = rank_of::<K>(&machine, key, &mut sender.spelling)?;
                sender.push(sender.home(rank), parent)
            })?;
            at += 1;
        }
        Ok(at)
    }

    fn parcels(&mut self) -> &mut [Parcel] {
        self.sender.parcels()
    }

    fn deliver(&mut self, from: u16, parcel: &[u32]) -> Result<u32> {
        let machine = self.space.machine.clone();
        let (mut fresh, mut raw, mut rest) = (0, Vec::new(), Unpacking::new(parcel));
        while let Some(parent) = rest.next() {
            self.senders.grow_push(parent)?;
            rest.key::<K>(&machine, &mut raw, |key| self.block.push(key, 0))?;
            if self.senders.len() == BATCH {
                fresh += self.enter(from)?;
            }
        }
        Ok(fresh + self.enter(from)?)
    }

    fn close(&mut self) -> u32 {
        self.level = self.level.end..self.space.states();
        self.ranks.clear();
        self.level.end - self.level.start
    }

    fn goals(&mut self) -> Result<Vec<(u64, Id)>> {
        let mut found = Vec::new();
        if !self.space.may_have_goals() {
            return Ok(found);
        }
        for id in self.level.clone() {
            if self.space.goal(id, false)? {
                let (machine, key) = (self.space.machine.clone(), self.space.key(id));
                let rank = rank_of::<K>(&machine, key, &mut self.sender.spelling)?;
                found.grow_push((rank, id))?;
            }
        }
        Ok(found)
    }

    fn origin(&self, id: Id) -> Result<(u16, Id)> {
        Ok((self.homes[id as usize], self.space.any_parent(id)?))
    }

    fn level(&self) -> std::ops::Range<Id> {
        self.level.clone()
    }

    fn kept(&self) -> &dyn SavableSpace {
        &self.space
    }

    fn bytes(&self) -> usize {
        self.space.bytes()
            + self.homes.bytes()
            + self.sender.bytes()
            + 8 * self.ranks.capacity()
            + 16 * self.senders.capacity()
            + self.block.bytes()
    }

    fn save(&mut self, files: &mut Files, number: u32, scarce: bool) -> Result<Lengths> {
        let mut out: Writer = files.writer(number)?;
        out.words([MAGIC, LAYOUT, u32::from(self.me), self.sender.parts() as u32])?;
        self.space.save(files, &mut out, Parents::Settled, 0)?;
        out.words((0..self.homes.len()).map(|at| u32::from(self.homes[at])))?;
        out.words([self.level.start, self.level.end])?;
        let needed = files.finish(out)?;
        if scarce {
            // parents: their tables ask for the keys
            self.space.spill(files, self.level.end, false)?;
        }
        Ok(needed)
    }

    fn load(&mut self, files: &mut Files, number: u32) -> Result<()> {
        let mut from: Reader = files.reader(number)?;
        let mine = [MAGIC, LAYOUT, u32::from(self.me), self.sender.parts() as u32];
        for word in mine {
            if from.word()? != word {
                return Err(from.damaged("no part of a search, or another one"));
            }
        }
        self.space.load(files, &mut from, false)?;
        let states = self.space.states();
        self.homes.truncate(0);
        for _ in 0..states {
            self.homes.push(from.word()? as u16)?;
        }
        self.level = from.word()?..from.word()?;
        if self.level.start > self.level.end || self.level.end != states {
            return Err(from.damaged("a level of states that are not there"));
        }
        from.end()
    }
}

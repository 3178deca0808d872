//! The steps from states that a strategy chooses, made by several threads at once.
//!
//! Only making is shared, which is most where states have many symmetries, free moves or terms; what
//! is made is looked up and numbered in turn, so the states are those of one thread.

use std::time::Instant;

use super::pace::Pace;
use crate::codec::{StateCodec, at_state};
use crate::error::{Error, Result};
use crate::grow::{Grow, GrowCopies, listed};
use crate::search::space::{Direction, Id, Step};
use crate::store::{Apart, Block, Crew, Entry, Store, share};
use crate::value::Val;
use crate::vm::machine::Machine;
use crate::vm::worker::Worker;

/// What is made of some states that follow each other.
struct Portion<K: StateCodec> {
    steps: Vec<Step>,
    block: Block<K>,
    error: Option<Error>,
}

impl<K: StateCodec> Portion<K> {
    fn make(
        &mut self,
        worker: &mut Worker,
        (m, store, direction): (&Machine, &Store<K>, Direction),
        from: u32,
        ids: &[Id],
    ) -> Result<()> {
        let Portion { steps, block, .. } = self;
        (steps.clear(), block.clear());
        let function = m.program.expansion(direction);
        for (from, &id) in (from..).zip(ids) {
            K::each(worker, m, function, store.key(id), |cost, key| {
                steps.grow_push(Step { from, cost: whole(cost)?, to: 0 })?;
                block.push(key, id)
            })
            .map_err(|error| at_state(error, id))?;
        }
        Ok(())
    }
}

/// The cost of a step, as strategies reckon with it.
pub fn whole(cost: Val) -> Result<u64> {
    let whole = cost.as_small().and_then(|cost| u64::try_from(cost).ok());
    whole.ok_or_else(|| Error::Unsupported("a cost beyond 64 bits".into()))
}

/// Makes steps.
pub struct Maker<K: StateCodec> {
    portions: Vec<Portion<K>>,
    pace: Pace,
}

impl<K: StateCodec> Default for Maker<K> {
    fn default() -> Maker<K> {
        Maker { portions: Vec::new(), pace: Pace::default() }
    }
}

impl<K: StateCodec> Maker<K> {
    /// Appends the steps from all of the states, with where they lead. After an error, nothing that a
    /// worker has counted is to count, but some successors may be in the store.
    pub fn steps(
        &mut self,
        (crew, workers): (&mut Crew, &mut [Apart<Worker>]),
        (m, store, direction): (&Machine, &mut Store<K>, Direction),
        ids: &[Id],
        out: &mut Vec<Step>,
    ) -> Result<()> {
        let timed = workers.len() > 1 && ids.len() > 1;
        let (used, together) = match timed {
            true => self.pace.plan(workers.len(), ids.len()),
            false => (1, ids.len().max(1)),
        };
        let together = if used == 1 { ids.len().max(1) } else { together };
        let count = ids.len().div_ceil(together);
        let hashing = store.hashing();
        let portion = || Portion { steps: Vec::new(), block: Block::new(hashing), error: None };
        self.portions.grow_extend((self.portions.len()..count).map(|_| portion()))?;
        let begun = timed.then(Instant::now);
        let kept = &*store;
        let mut tasks = listed(self.portions.iter_mut().zip(ids.chunks(together)))?;
        share(crew, &mut workers[..used], &mut tasks, |worker, at, (portion, ids)| {
            let from = (at * together) as u32;
            portion.error = portion.make(&mut worker.0, (m, kept, direction), from, ids).err();
        });
        if let Some(begun) = begun {
            self.pace.note(begun, used, ids.len());
        }
        let portions = &mut self.portions[..count];
        if let Some(error) = portions.iter_mut().find_map(|portion| portion.error.take()) {
            return Err(error);
        }
        for Portion { steps, block, .. } in portions {
            store.insert_block(block, &(0..0), |at, entry| steps[at].to = numbered(entry))?;
            out.grow_slice(steps)?;
        }
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        let steps = |one: &Portion<K>| one.steps.capacity() * size_of::<Step>();
        self.portions.iter().map(|one| one.block.bytes() + steps(one)).sum()
    }
}

/// The number of a state in a store with numbers.
pub fn numbered(entry: Entry) -> Id {
    match entry {
        Entry::New(id) | Entry::Old(id) => id,
        Entry::Known => unreachable!("numbers are not kept"),
    }
}

//! The steps from states that a strategy chooses, made by several threads at once.
//!
//! Only making is shared, which is most where states have many symmetries, free moves or terms; what
//! is made is looked up and numbered in turn, so the states are those of one thread.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
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
        steps.clear();
        block.clear();
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

#[derive(Default)]
pub struct Maker<K: StateCodec> {
    portions: Vec<Portion<K>>,
    pace: Pace,
}

impl<K: StateCodec> Maker<K> {
    /// Appends the steps from all of the states, with where they lead, and adds what was counted.
    ///
    /// After an error nothing was counted, but some successors may be in the store.
    pub fn steps(
        &mut self,
        (crew, workers): (&mut Crew, &mut [Apart<Worker>]),
        (m, store, direction): (&Machine, &mut Store<K>, Direction),
        ids: &[Id],
        out: &mut Vec<Step>,
        counts: &mut Vec<u64>,
    ) -> Result<()> {
        let (used, together) = self.pace.plan(workers.len(), ids.len());
        let (count, hashing) = (ids.len().div_ceil(together), store.hashing());
        let portion = || Portion { steps: Vec::new(), block: Block::new(hashing), error: None };
        self.portions.grow_extend((self.portions.len()..count).map(|_| portion()))?;
        let begun = (workers.len() > 1).then(Instant::now);
        let (portions, known) = (&mut self.portions[..count], &*store);
        let mut tasks = listed(portions.iter_mut().zip(ids.chunks(together)))?;
        let failed = AtomicUsize::new(usize::MAX);
        share(crew, &mut workers[..used], &mut tasks, |worker, at, (portion, ids)| {
            // all before the first that fails are made: the error is that of one thread
            if failed.load(Relaxed) < at {
                return;
            }
            let from = (at * together) as u32;
            portion.error = portion.make(&mut worker.0, (m, known, direction), from, ids).err();
            if portion.error.is_some() {
                failed.fetch_min(at, Relaxed);
            }
        });
        if let Some(begun) = begun {
            self.pace.note(begun, used, ids.len());
        }
        let error = portions.iter_mut().find_map(|portion| portion.error.take());
        let mut done = error.map_or(Ok(()), Err);
        for Portion { steps, block, .. } in portions {
            done = done.and_then(|()| {
                store.insert_block(block, &(0..0), |at, entry| steps[at].to = numbered(entry))?;
                out.grow_slice(steps)
            });
        }
        for worker in &mut workers[..used] {
            worker.0.take_counts(done.is_ok().then_some(&mut *counts));
        }
        done
    }

    pub fn bytes(&self) -> usize {
        let steps = |one: &Portion<K>| one.steps.capacity() * size_of::<Step>();
        self.portions.iter().map(|one| one.block.bytes() + steps(one)).sum()
    }
}

pub fn numbered(entry: Entry) -> Id {
    match entry {
        Entry::New(id) | Entry::Old(id) => id,
        Entry::Known => unreachable!("numbers are not kept"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{Effect, GroundRule, Rules};
    use crate::program::{BitTest, Form};
    use crate::store::{Fixed, Layout};
    use crate::vm::machine::testing::of_rules;

    const BITS: u32 = 9;

    /// Each rule flips a bit where another one is clear; one more fails in a state.
    fn machine(fails: Option<u64>) -> Machine {
        let test = |mask: u64, value| BitTest { word: 0, mask, value };
        let rule = |number: u32, tests: Vec<BitTest>, guard: Vec<BitTest>| GroundRule {
            fired: number as u16,
            tests,
            guard,
            cost: Some(Val::from_small(i64::from(number) + 1)),
            effect: Effect::Form(Form {
                changes: vec![(0, u64::MAX, 1 << number)],
                ..Form::default()
            }),
            ..GroundRule::default()
        };
        let flips = |number| rule(number, vec![test(1 << ((number + 2) % BITS), 0)], Vec::new());
        let fails =
            fails.map(|state| rule(0, vec![test(u64::MAX, state)], vec![test(1, !state & 1)]));
        let rules = (0..BITS).map(flips).chain(fails).collect();
        of_rules(1, Rules { rules, ..Rules::default() }, BITS as u16, None)
    }

    type Outcome = (Vec<(u32, u64, Id)>, Vec<u64>, Vec<u64>, bool);

    /// Searches breadth-first, many states at a time: steps, keys, counts, and whether it failed.
    fn search(m: &Machine, threads: usize) -> Outcome {
        let mut store = Store::<Fixed<1>>::with(Layout::default()).unwrap();
        store.insert(&[0], store.hash(&[0]), 0).unwrap();
        store.keep_numbers().unwrap();
        let mut workers: Vec<_> =
            (0..threads).map(|at| Apart(Worker::new(m, at == 0).unwrap())).collect();
        let (mut crew, mut maker) = (Crew::default(), Maker::default());
        let (mut out, mut counts, mut at) = (Vec::new(), vec![0; BITS as usize], 0);
        let mut failed = false;
        while at < store.len() && !failed {
            maker.pace = Pace(1.0); // always shared
            let ids: Vec<Id> = (at..store.len()).rev().collect();
            at = store.len();
            let to = (m, &mut store, Direction::Forward);
            let done = maker.steps((&mut crew, &mut workers), to, &ids, &mut out, &mut counts);
            failed = done.is_err();
        }
        assert!(workers.iter().all(|one| one.0.counts.iter().all(|&count| count == 0)));
        let steps = out.iter().map(|step| (step.from, step.cost, step.to)).collect();
        let keys = (0..store.len()).map(|id| store.key(id)[0]).collect();
        (steps, keys, counts, failed)
    }

    #[test]
    fn threads_make_the_steps_of_one_in_its_order() {
        let (one, fails) = (search(&machine(None), 1), |state| machine(Some(state)));
        assert!(one.0.len() > 500 && one.1.len() > 200 && !one.3, "{}", one.1.len());
        let failing = fails(one.1[150]);
        let failed = search(&failing, 1);
        assert!(failed.3 && (20..one.0.len()).contains(&failed.0.len()), "{}", failed.0.len());
        for threads in [2, 3, 7] {
            assert!(search(&machine(None), threads) == one, "{threads}");
            assert!(search(&failing, threads) == failed, "{threads}");
        }
    }
}

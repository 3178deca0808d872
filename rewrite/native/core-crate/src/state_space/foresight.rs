//! Estimates of states that are about to be asked for, by several threads at once.
//!
//! Best-first search needs the estimate of each new state at once, one expansion after the other; it
//! stays in that order, and only the evaluations are shared. What dear heuristics cost is nearly all
//! of such a search.

use std::ops::Range;
use std::time::Instant;

use super::pace::Pace;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::grow::{Grow, listed};
use crate::search::space::Id;
use crate::store::{Apart, Crew, share};

#[derive(Default)]
pub struct Foresight {
    found: Vec<Option<Estimate>>,
    pace: Pace,
}

impl Foresight {
    /// Returns what `value` returns for each of the states.
    pub fn estimates<W: Send>(
        &mut self,
        (crew, workers): (&mut Crew, &mut [Apart<W>]),
        ids: Range<Id>,
        value: impl Fn(Id, &mut W) -> Option<Estimate> + Sync,
    ) -> Result<&[Option<Estimate>]> {
        self.found.clear();
        if ids.is_empty() {
            return Ok(&[]);
        }
        self.found.grow_extend(ids.clone().map(|_| None))?;
        let (used, together) = self.pace.plan(workers.len(), ids.len());
        let begun = Instant::now();
        let mut portions = listed(self.found.chunks_mut(together))?;
        share(crew, &mut workers[..used], &mut portions, |worker, at, found| {
            let first = ids.start + (at * together) as Id;
            for (id, found) in (first..).zip(found.iter_mut()) {
                *found = value(id, &mut worker.0);
            }
        });
        self.pace.note(begun, used, ids.len());
        Ok(&self.found)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::thread::{ThreadId, current, sleep};
    use std::time::Duration;

    use super::Foresight;
    use crate::estimate::Estimate;
    use crate::grow::listed;
    use crate::store::{Apart, Crew};

    /// Each state is its own estimate, but for those that fail; what takes long is shared.
    #[test]
    fn every_state_gets_what_it_is_worth_whoever_evaluates_it() {
        let (mut foresight, mut crew) = (Foresight::default(), Crew::default());
        let found = foresight.estimates((&mut crew, &mut [Apart(())]), 3..3, |_, _| unreachable!());
        assert!(found.unwrap().is_empty());
        for (round, threads) in [2, 3, 2].into_iter().enumerate() {
            let seen: Mutex<Vec<ThreadId>> = Mutex::default();
            let mut workers = listed((0..threads).map(|_| Apart(()))).unwrap();
            let value = |id: u32, _: &mut ()| {
                seen.lock().unwrap().push(current().id());
                sleep(Duration::from_micros(200));
                (!id.is_multiple_of(5)).then_some(Estimate::Whole(id.into()))
            };
            let found = foresight.estimates((&mut crew, &mut workers), 7..47, value).unwrap();
            let naive =
                (7..47_u32).map(|id| (!id.is_multiple_of(5)).then_some(Estimate::Whole(id.into())));
            assert!(found.iter().copied().eq(naive));
            let seen = seen.into_inner().unwrap();
            let shared = seen.iter().any(|&one| one != seen[0]);
            assert_eq!(shared, round > 0, "what it takes is known after the first");
        }
    }
}

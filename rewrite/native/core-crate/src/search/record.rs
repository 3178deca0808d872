//! The counts of a search, and how states were reached.

use crate::error::Result;
use crate::grow::Grow;
use crate::search::limits::Limits;
use crate::search::space::{Estimate, Id, Space};
use crate::search::strategies::End;

/// The most states to expand between two checks of limits.
pub const LARGEST_BATCH: u64 = 1024;
/// The same where a heuristic that is not quick values what they lead to, for it does not look at
/// limits.
const LARGEST_VALUED_BATCH: u64 = 64;

/// A strategy counts here, and appends the sizes of complete levels.
///
/// The states themselves and their parents are in the space, in order of discovery.
#[derive(Default)]
pub struct Record {
    pub limits: Limits,
    pub min_depth: u64,
    pub levels: Vec<u64>,
    pub depth: u64,
    pub expanded: u64,
    /// States (or keys, or stack places) that wait to be expanded.
    pub waiting: u64,
    /// States discarded by a bounded frontier: if there are any, "no solution" is not proved.
    pub dropped: u64,
    /// Distinct states with an infinite estimate, which were not expanded.
    pub ruled_out: u64,
    /// States expanded again because a cheaper path was found.
    pub reopened: u64,
    /// Whether a step was seen on which the estimate falls by more than the step costs; only weighted
    /// A* looks for one.
    pub inconsistent: bool,
    /// Whether a path was not followed because it came back to a state it had been in.
    pub came_back: bool,
    /// Whether the start counts as seen. With `min_depth` it does not before a cycle leads back to
    /// it; its parent is then the state before it.
    pub start_noted: bool,
    /// Whether the start, to which a cycle has led back, is to be offered again.
    pub start_returned: bool,
    pub offered: u32,
    /// States of a batch, at most.
    pub part: u64,
    /// The length of the longest path, for strategies that store only a path; else 0.
    pub longest: u64,
    pub uses_estimate: bool,
}

impl Record {
    pub fn new(min_depth: u64, uses_estimate: bool) -> Record {
        Record {
            min_depth,
            levels: vec![1],
            waiting: 1,
            start_noted: min_depth == 0,
            part: LARGEST_BATCH,
            uses_estimate,
            ..Record::default()
        }
    }

    /// How many states count as seen.
    pub fn states(&self, space: &dyn Space) -> u64 {
        if self.longest > 0 { self.longest } else { u64::from(space.states()) }
    }

    /// Whether `max_depth` keeps states of this depth from being expanded.
    pub fn too_deep(&self, depth: u64) -> bool {
        self.limits.max_depth.is_some_and(|most| depth >= most)
    }

    /// The number of states to expand before limits are checked again.
    ///
    /// Grows with the search, shrinks near `max_states`. After a batch that was stopped it is one, and
    /// then twice as many each time: so in any time that is enough for one state some are done.
    pub fn batch_size(&mut self, states: u64) -> u64 {
        let size = self.expanded.clamp(16, LARGEST_BATCH).min(self.part);
        self.part = LARGEST_BATCH.min(2 * self.part);
        match self.limits.max_states {
            Some(most) => size.min((most.saturating_sub(states) / 8).max(1)),
            None => size,
        }
    }

    /// The most states to expand at a time where what they lead to is valued.
    pub fn most_valued(&self, space: &dyn Space) -> u64 {
        let quick = !self.uses_estimate || space.estimates_quickly();
        if quick { LARGEST_BATCH } else { LARGEST_VALUED_BATCH }
    }

    /// How a search ends that may expand none of these states for `max_depth`: where one of them has
    /// a successor that was not seen, more can be found deeper.
    ///
    /// Where none has, they have been expanded hereby, and are counted as that.
    pub fn end_at_depth(&mut self, space: &mut dyn Space, ids: &[Id]) -> Result<End> {
        if !ids.is_empty() && space.leads_on(ids, !self.start_noted)? {
            return Ok(End::Blocked);
        }
        self.expanded += ids.len() as u64;
        Ok(End::Exhausted)
    }

    /// Whether the start was made again for the first time just now, by `parent`.
    pub fn start_again(&mut self, space: &mut dyn Space, parent: Id) -> bool {
        if self.start_noted {
            return false;
        }
        self.start_noted = true;
        space.set_parent(0, parent);
        true
    }

    pub fn estimate(&self, space: &mut dyn Space, id: Id) -> Result<Estimate> {
        if self.uses_estimate { space.estimate(id) } else { Ok(Estimate::Whole(0)) }
    }

    /// The states from the start to `id`, following parents.
    pub fn trail(&self, space: &dyn Space, id: Id) -> Result<Vec<Id>> {
        let mut out = Vec::new();
        out.grow_push(id)?;
        if id == 0 && (self.min_depth == 0 || !self.start_noted) {
            return Ok(out);
        }
        let mut at = id;
        loop {
            at = space.any_parent(at)?;
            out.grow_push(at)?;
            if at == 0 {
                out.reverse();
                return Ok(out);
            }
        }
    }
}

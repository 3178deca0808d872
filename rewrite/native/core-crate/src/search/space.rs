//! A puzzle as a strategy sees it: states are numbers.

use std::ops::Range;

use crate::error::{Error, Result};
pub use crate::estimate::Estimate;
pub use crate::id::Id;
use crate::search::record::Record;
use crate::search::strategies::{End, IdaStar, Number};
pub use crate::store::{Batch, Direction, Hit};
use crate::value::Val;

#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where it begins, as a place among the states that were expanded together.
    pub from: u32,
    pub cost: u64,
    pub to: Id,
}

/// The states seen so far, and how to expand, test and value them.
///
/// "Counted" means that what rules do is added to their counts.
pub trait Space {
    /// The number of distinct states in the store, the start included.
    fn states(&self) -> u32;

    /// Expands the states of a batch in order. New states get the next numbers, and their parent is
    /// noted. Tells which of the states that are watched was made first. Counted.
    ///
    /// Where memory has run out, some of the new states are in the store already; asked again, the
    /// rest follows.
    fn grow(&mut self, batch: &Batch) -> Result<Option<Hit>>;

    /// All successors (or predecessors) of some states, those of one after those of the other, each in
    /// the order in which rules make them, the same one perhaps several times. New ones get numbers;
    /// their parent is the first that made them, until it is changed. Counted; after an error not.
    fn steps(&mut self, direction: Direction, ids: &[Id], out: &mut Vec<Step>) -> Result<()>;

    fn successors(&mut self, id: Id, out: &mut Vec<Step>) -> Result<()> {
        self.steps(Direction::Forward, &[id], out)
    }

    /// The successors without noting anything: None for those not in the store. Not counted.
    fn peek(&mut self, id: Id, out: &mut Vec<Option<Id>>) -> Result<()>;

    /// Whether one of the states has a successor that is not in the store. Where none has, what the
    /// rules did is counted (the states have been expanded hereby), else not.
    ///
    /// `to_start`: a way back to the start leads on too (it was not made again yet, and a search with
    /// `min_depth` waits for that).
    fn leads_on(&mut self, ids: &[Id], to_start: bool) -> Result<bool>;

    /// Whether any state may meet the goal; if not, none needs to be tested.
    fn may_have_goals(&self) -> bool {
        true
    }

    /// Whether the state meets the goal. Where the goal looks at successors, what rules do for that
    /// is counted only with `counted`.
    fn goal(&mut self, id: Id, counted: bool) -> Result<bool>;

    /// The value of the expression to minimize in a state; None where it has none.
    fn objective(&mut self, id: Id) -> Result<Option<Val>>;

    /// The canonical order of two such values.
    fn compare(&self, a: Val, b: Val) -> std::cmp::Ordering;

    /// The estimate for a state; remembered.
    fn estimate(&mut self, id: Id) -> Result<Estimate>;

    /// Whether an estimate is a matter of looking up a few numbers.
    fn estimates_quickly(&self) -> bool {
        false
    }

    /// Estimates states that are about to be asked for, with all threads where that pays.
    fn foresee(&mut self, _ids: Range<Id>) -> Result<()> {
        Ok(())
    }

    /// Pushes the successors to which the first steps of the estimate's plan lead; of a state that was
    /// expanded before.
    fn helpful(&mut self, _id: Id, _out: &mut Vec<Id>) -> Result<()> {
        Ok(())
    }

    /// The space will not be used for a while: threads need not wait for work.
    fn rest(&mut self) {}

    /// Of a state that was not spilled.
    fn parent(&self, id: Id) -> Id;

    /// Of any state.
    fn any_parent(&self, id: Id) -> Result<Id> {
        Ok(self.parent(id))
    }

    fn set_parent(&mut self, id: Id, parent: Id);

    /// Lets IDA* follow paths over states off the store, where the space has such, until it has
    /// something to tell: a method so that its loop is compiled for each kind of key.
    fn deepen(&mut self, _: &mut IdaStar, _: &mut Record) -> Result<Option<End>> {
        Err(Error::Unsupported("states off the store".into()))
    }

    /// Bytes in use by states and what belongs to them.
    fn bytes(&self) -> usize;
}

/// A state on the stack that has not been tried yet.
#[derive(Clone, Copy, Default)]
pub struct Waiting {
    /// The cost of the step to it.
    pub step: u64,
    /// The greatest cost plus estimate on the path to it; None if not evaluated yet.
    pub reach: Option<Number>,
}

/// A stack of states that are not in the store, by their places; the start stands at 0.
pub trait PathStack {
    /// Empties stack and path, and puts the start on the stack.
    fn begin(&mut self) -> Result<()>;
    /// How many states stand on it.
    fn height(&self) -> u32;
    fn truncate(&mut self, len: u32);

    /// Makes a state the end of the path that is followed.
    fn enter(&mut self, at: u32) -> Result<()>;

    /// Takes the end of the path off it.
    fn leave(&mut self);

    /// Pushes those successors of the end of the path that `sift` returns something for; equal ones
    /// once. It is given the cost of the step, the estimate where it follows from what is known of
    /// the end of the path, and a check of whether the successor is on the path. The state before
    /// the end is left out. After an error none is pushed.
    fn push_successors(
        &mut self,
        counted: bool,
        sift: impl FnMut(u64, Option<Estimate>, &dyn Fn() -> bool) -> Option<Waiting>,
    ) -> Result<()>;

    /// What was returned for a state when it was pushed; of equal ones the least.
    fn waiting(&self, at: u32) -> Waiting;

    /// The estimate for a successor of the end of the path, or any state where there is no path.
    fn estimate_at(&mut self, at: u32) -> Result<Estimate>;

    /// Whether the state meets the goal; not counted.
    fn goal_at(&mut self, at: u32) -> Result<bool>;

    /// The number of a state that is in the store.
    fn find(&self, at: u32) -> Option<Id>;

    /// Puts a state into the store, if it is not there; returns its number.
    fn keep(&mut self, at: u32) -> Result<Id>;
}

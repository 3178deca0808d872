//! What a search found: goal states with the way to them, and the lowest where none is a goal.

use crate::space::{Estimate, Id};
use crate::value::Val;

/// A goal state (or path) that was found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The states on the way, the start first.
    pub trail: Vec<Id>,
    /// How many states had been seen when it was found, itself included.
    pub order: u64,
    /// Of the expression to minimize.
    pub value: Option<Val>,
}

/// An estimate on the way to an answer that was too high: then nothing is proved cheapest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overestimate {
    pub state: Id,
    pub estimate: Estimate,
    /// What the way from there to the goal costs.
    pub left: i128,
}

impl Overestimate {
    /// The finding for a state, if its estimate is more than what is left.
    pub fn find(state: Id, estimate: Estimate, left: i128) -> Option<Overestimate> {
        let over = match estimate {
            Estimate::Whole(whole) => i128::from(whole) > left,
            // no whole number, so it is above `left` from there on where its whole part is
            Estimate::Real(real) => real.floor() as i128 >= left,
            Estimate::Infinite => true,
        };
        over.then_some(Overestimate { state, estimate, left })
    }
}

/// What of a batch is to be looked at: an item, its place in the order, whether it is a goal.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub item: u32,
    pub order: u64,
    pub good: bool,
}

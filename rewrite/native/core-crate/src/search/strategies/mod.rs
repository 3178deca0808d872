//! The strategies: the order in which states are expanded and tested for the goal.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // grows with the search: see `grow`

mod all_paths;
mod beam;
mod best_first;
mod bidirectional;
mod bidirectional_costs;
mod breadth_first;
mod depth_first;
mod idastar;
mod lazy_greedy;
mod priority;
mod queue;

use crate::checkpoint::Archived;
use crate::error::{Error, Result};
use crate::grow::copied;
use crate::search::context::{Context, Pause};
use crate::search::question::{Amount, Question};
use crate::search::record::Record;
use crate::search::savable::Parents;
use crate::search::space::{Id, Space};

use best_first::Reopening;
pub use idastar::IdaStar;
pub use priority::Number;
use priority::Priority;

/// The strategies by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    BreadthFirst,
    UniformCost,
    Astar,
    Greedy,
    LazyGreedy,
    Beam,
    DepthFirst,
    Bidirectional,
    IdaStar,
}

impl Kind {
    /// All of them; custom strategies run in Python.
    pub const ALL: [(&'static str, Kind); 9] = [
        ("breadth_first", Kind::BreadthFirst),
        ("uniform_cost", Kind::UniformCost),
        ("astar", Kind::Astar),
        ("greedy", Kind::Greedy),
        ("lazy_greedy", Kind::LazyGreedy),
        ("beam", Kind::Beam),
        ("depth_first", Kind::DepthFirst),
        ("bidirectional", Kind::Bidirectional),
        ("idastar", Kind::IdaStar),
    ];

    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.iter().find(|one| one.0 == name).map(|one| one.1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exhausted,
    /// Stopped by `max_depth`; can continue with a greater one.
    Blocked,
}

/// A search order. It offers items: states, or ends of paths.
pub trait Strategy: Send + Sync {
    /// Iterates until nothing is left, pausing between iterations.
    ///
    /// A failed iteration can be run again: the part already done then makes no difference, except to
    /// the counts of rules. (It is not run again when the machine is out of memory.)
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause>;

    /// The path to the offered item, unless it follows from parents.
    fn path(&self) -> Option<&[Id]> {
        None
    }

    fn state(&self, item: u32) -> Id {
        self.path().and_then(|path| path.last().copied()).unwrap_or(item)
    }

    /// The states from the start to the item.
    fn trail(&self, item: u32, space: &dyn Space, record: &Record) -> Result<Vec<Id>> {
        self.path().map_or_else(|| record.trail(space, item), copied)
    }

    /// The cost of the path to a state; None if the strategy has no costs.
    fn cost(&self, _id: Id) -> Option<u64> {
        None
    }

    fn bytes(&self) -> usize;

    /// States below this number, except the start, will not be expanded, tested or reparented.
    fn done(&self) -> Id {
        0
    }

    /// Its checkpoint data, and how parents are written; None if it cannot be saved.
    fn saved(&mut self) -> Option<(Parents, &mut dyn Archived)> {
        None
    }
}

/// Replaces the strategy of a search that ran out of memory: there is nothing left to do.
pub struct Nothing;

impl Strategy for Nothing {
    fn run(&mut self, _: &mut Context) -> Result<End, Pause> {
        Ok(End::Exhausted)
    }

    fn bytes(&self) -> usize {
        0
    }
}

pub fn strategy_for(asked: &Question) -> Result<Box<dyn Strategy>> {
    if asked.distinct_paths {
        return Ok(Box::new(all_paths::AllPaths::new(asked.goal)?));
    }
    Ok(match asked.strategy {
        Kind::BreadthFirst => Box::new(breadth_first::BreadthFirst::new()),
        Kind::UniformCost => {
            Box::new(best_first::BestFirst::new(Priority::Cost, Reopening::Always))
        }
        Kind::Greedy => Box::new(best_first::BestFirst::new(Priority::Estimate, Reopening::Never)),
        Kind::LazyGreedy => Box::new(lazy_greedy::LazyGreedy::new()),
        Kind::Astar => {
            let weight = finite(asked.weight())?;
            let opens =
                if weight.is_one() { Reopening::Always } else { Reopening::WhenInconsistent };
            Box::new(best_first::BestFirst::new(Priority::Sum(weight), opens))
        }
        Kind::IdaStar => Box::new(idastar::IdaStar::new(finite(asked.weight())?)),
        Kind::Beam => Box::new(beam::Beam::new(asked.whole("width").unwrap_or(1000) as usize)),
        Kind::DepthFirst => Box::new(depth_first::DepthFirst::new(asked.whole("seed"))),
        Kind::Bidirectional if asked.weighted => {
            Box::new(bidirectional_costs::BidirectionalCosts::new(asked.goals))
        }
        Kind::Bidirectional => Box::new(bidirectional::Bidirectional::new(asked.goals)),
    })
}

/// Rejects infinite weights: their keys are NaN, which has no order.
fn finite(weight: Amount) -> Result<Amount> {
    match weight {
        Amount::Real(factor) if !factor.is_finite() => {
            Err(Error::Unsupported(format!("weight {factor}")))
        }
        _ => Ok(weight),
    }
}

//! The question of a search; the caller has checked all arguments.

use std::collections::HashMap;

pub use super::strategies::Kind;

/// A number among the arguments. Whole numbers are exact, others are doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    Whole(u64),
    Real(f64),
}

impl Amount {
    pub fn is_one(self) -> bool {
        match self {
            Amount::Whole(number) => number == 1,
            Amount::Real(number) => number == 1.0,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Question {
    pub strategy: Kind,
    /// Options of single strategies, by name; missing ones have their default.
    pub options: HashMap<String, Amount>,
    /// Every path once, not every state; goes with `BreadthFirst`.
    pub distinct_paths: bool,
    pub minimize: bool,
    pub goal: bool,
    /// Answers of fewer steps do not count.
    pub min_depth: u64,
    pub uses_estimate: bool,
    /// The number of goal states, which follow the start in the space. For `Bidirectional`.
    pub goals: u32,
    /// Whether steps have costs, which `Bidirectional` must know.
    pub weighted: bool,
    /// Check for a stop after every batch, because code outside is called for states anyway.
    pub eager: bool,
}

impl Question {
    /// The question for a goal state, with default options.
    pub fn new(strategy: Kind) -> Question {
        Question { strategy, goal: true, ..Question::default() }
    }

    pub fn whole(&self, name: &str) -> Option<u64> {
        match self.options.get(name) {
            Some(&Amount::Whole(number)) => Some(number),
            _ => None,
        }
    }

    /// The factor of the estimate.
    pub fn weight(&self) -> Amount {
        self.options.get("weight").copied().unwrap_or(Amount::Whole(1))
    }
}

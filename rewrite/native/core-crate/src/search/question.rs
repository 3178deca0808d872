//! What is asked of a search; every argument has been checked by the asker.

use std::collections::HashMap;

pub use super::strategies::Kind;

/// A number that is given. Whole ones are calculated with exactly, real ones in doubles.
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

/// A search that is asked for.
#[derive(Clone, Debug, Default)]
pub struct Question {
    pub strategy: Kind,
    /// What only some strategies understand, by name; what is left out is as usual.
    pub options: HashMap<String, Amount>,
    /// Every path once, not every state; goes with `BreadthFirst`.
    pub distinct_paths: bool,
    /// Whether there is an expression to minimize.
    pub minimize: bool,
    /// Whether there is a goal.
    pub goal: bool,
    /// Answers of fewer steps do not count.
    pub min_depth: u64,
    pub uses_estimate: bool,
    /// How many goals are given as states: they follow the start in the space. For `Bidirectional`.
    pub goals: u32,
    /// Whether steps have costs, which `Bidirectional` must know.
    pub weighted: bool,
    /// Ask after every batch whether to stop: something outside is called for states anyway.
    pub eager: bool,
}

impl Question {
    /// The question for a state that meets the goal, with every option as usual.
    pub fn new(strategy: Kind) -> Question {
        Question { strategy, goal: true, ..Question::default() }
    }

    /// A whole number among the options.
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

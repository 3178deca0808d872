//! The answers of a search: goal states with their paths, or with `minimize` the lowest state.

use std::cmp::Ordering;

use super::question::Question;
use super::record::Record;
use crate::error::Result;
use crate::grow::Grow;
use crate::search::space::{Estimate, Id, Space};
use crate::search::strategies::Strategy;
use crate::value::Val;

/// A goal state, or a path to one.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The states on the way, the start first.
    pub trail: Vec<Id>,
    /// The number of states seen up to it, itself included.
    pub order: u64,
    /// The value of the expression to minimize.
    pub value: Option<Val>,
}

/// An estimate on the way to an answer that was too high: then nothing is proved cheapest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overestimate {
    pub state: Id,
    pub estimate: Estimate,
    /// The cost from there to the goal.
    pub left: i128,
}

impl Overestimate {
    /// The first on a trail, as far as the strategy knows costs.
    fn on_trail(
        trail: &[Id],
        way: &dyn Strategy,
        space: &mut dyn Space,
    ) -> Result<Option<Overestimate>> {
        let Some(whole) = trail.last().and_then(|&goal| way.cost(goal)) else { return Ok(None) };
        for &state in trail {
            let left = i128::from(whole) - i128::from(way.cost(state).unwrap_or(0));
            let estimate = space.estimate(state)?;
            let over = match estimate {
                Estimate::Whole(whole) => i128::from(whole) > left,
                // no whole number, so it is above `left` from there on where its whole part is
                Estimate::Real(real) => real.floor() as i128 >= left,
                Estimate::Infinite => true,
            };
            if over {
                return Ok(Some(Overestimate { state, estimate, left }));
            }
        }
        Ok(None)
    }
}

#[derive(Default)]
pub struct Answers {
    pub found: Vec<Answer>,
    /// How many of these the caller has; they are kept to be saved.
    pub(super) handed_over: usize,
    /// With `minimize`: the first of the states with the lowest value that are no goals.
    pub nearest: Option<Answer>,
    /// Goals (with `minimize`: states) ignored because they are nearer than `min_depth`.
    pub too_near: u64,
    /// The first that was found.
    pub overestimate: Option<Overestimate>,
    /// Bytes of the trails.
    pub(super) trails: usize,
}

impl Answers {
    /// Tests an item for the goal, and records it if it is an answer, or the nearest so far.
    pub(super) fn offer(
        &mut self,
        space: &mut dyn Space,
        record: &Record,
        asked: &Question,
        way: &dyn Strategy,
        item: u32,
        order: u64,
    ) -> Result<()> {
        let state = way.state(item);
        let good = asked.goal && space.may_have_goals() && space.goal(state, false)?;
        if !good && !asked.minimize {
            return Ok(());
        }
        if record.min_depth > 0 {
            let steps = way.trail(item, space, record)?.len() as u64 - 1;
            if steps < record.min_depth {
                self.too_near += u64::from(steps > 0);
                return Ok(());
            }
        }
        let value = if asked.minimize { space.objective(state)? } else { None };
        if good {
            let trail = way.trail(item, space, record)?;
            if asked.uses_estimate && self.overestimate.is_none() {
                self.overestimate = Overestimate::on_trail(&trail, way, space)?;
            }
            self.trails += trail.capacity() * size_of::<Id>();
            return self.found.grow_push(Answer { trail, order, value });
        }
        let lowest = self.nearest.as_ref().and_then(|answer| answer.value);
        let nearer = |value| lowest.is_none_or(|low| space.compare(value, low) == Ordering::Less);
        if value.is_some_and(nearer) {
            let trail = way.trail(item, space, record)?;
            self.nearest = Some(Answer { trail, order, value });
        }
        Ok(())
    }

    /// Those that the caller does not have yet.
    pub fn fresh(&self) -> &[Answer] {
        &self.found[self.handed_over..]
    }

    pub fn bytes(&self) -> usize {
        self.found.capacity() * size_of::<Answer>() + self.trails
    }
}

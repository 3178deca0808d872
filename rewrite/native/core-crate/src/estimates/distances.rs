//! The table of a pattern: exact distances of all abstract states to the abstract goals.
//!
//! Dijkstra's algorithm backwards from the goals, with a bucket for each distance.

use crate::grow::{Grow, filled, listed};
use crate::trouble::{Outcome, Trouble};

pub const FARTHEST: u8 = 254;
pub const NO_WAY: u8 = 255;

/// (variable, number) or (variable, variable).
pub type Pairs = Vec<(u32, u32)>;

/// From an abstract state after a transition to the one before; see `reasoning/patterns/projections.py`.
#[derive(Debug, Clone, Default)]
pub struct Step {
    pub cost: u64,
    pub tests: Pairs,
    pub misses: Pairs,
    pub sets: Pairs,
    pub copies: Pairs,
    pub shifts: Pairs,
}

#[derive(Debug)]
pub struct Pattern {
    pub sizes: Vec<u32>,
    /// A step costs something where one of so many variables, the first ones, changes.
    pub counted: usize,
    /// No two variables have the same number.
    pub distinct: bool,
    pub steps: Vec<Step>,
    pub goals: Vec<Vec<Vec<u32>>>,
}

/// A step with what is worked out of it once.
struct Backwards<'a> {
    step: &'a Step,
    cost: u8,
    /// From the number after to the number before; empty: they stay.
    shifted: Vec<u32>,
}

impl Pattern {
    /// How many entries the table has; an error where that is too many, or a number points nowhere.
    fn entries(&self) -> Outcome<usize> {
        let wrong = |why: &str| Trouble::Internal(why.into());
        let whole = self.sizes.iter().try_fold(1_u32, |all, &size| all.checked_mul(size));
        let whole = whole.filter(|&whole| whole > 0);
        let whole = whole.ok_or_else(|| wrong("a pattern of more than 2^32 states"))?;
        let variables = self.sizes.len();
        let pair = |&(variable, number): &(u32, u32)| {
            self.sizes.get(variable as usize).is_some_and(|&size| number < size)
        };
        let sound = self.counted <= variables
            && self.steps.iter().all(|one| {
                let both = |&(a, b): &(u32, u32)| {
                    (a as usize) < variables
                        && (b as usize) < variables
                        && self.sizes[a as usize] >= self.sizes[b as usize]
                };
                let place = |&(a, b): &(u32, u32)| self.sizes.iter().all(|&n| a < n && b < n);
                [&one.tests, &one.misses, &one.sets].into_iter().flatten().all(pair)
                    && one.copies.iter().all(both)
                    && one.shifts.iter().all(place)
            })
            && self.goals.iter().all(|goal| {
                goal.len() == variables
                    && goal
                        .iter()
                        .zip(&self.sizes)
                        .all(|(all, &size)| all.iter().all(|&n| n < size))
            });
        if sound { Ok(whole as usize) } else { Err(wrong("a pattern with numbers out of range")) }
    }

    /// The distance of each abstract state; the number of the first variable counts least.
    pub fn distances(&self) -> Outcome<Vec<u8>> {
        let mut work = Work {
            found: filled(self.entries()?, NO_WAY)?,
            buckets: listed((0..=FARTHEST).map(|_| Vec::new()))?,
            pattern: self,
        };
        for goal in &self.goals {
            work.begin(goal)?;
        }
        let backwards: Vec<Backwards<'_>> =
            self.steps.iter().map(|one| self.prepared(one)).collect();
        let (variable, by_number) = self.sorted(&backwards);
        let mut state = vec![0; self.sizes.len()];
        for distance in 0..=FARTHEST {
            let mut at = 0;
            while at < work.buckets[distance as usize].len() {
                let index = work.buckets[distance as usize][at];
                at += 1;
                if work.found[index as usize] < distance {
                    continue;
                }
                self.read(index, &mut state);
                for step in &by_number[state[variable] as usize] {
                    work.undo(step, &state, distance)?;
                }
            }
            work.buckets[distance as usize] = Vec::new();
        }
        Ok(work.found)
    }

    fn prepared<'a>(&self, step: &'a Step) -> Backwards<'a> {
        let mut shifted = Vec::new();
        if !step.shifts.is_empty() {
            shifted = (0..self.sizes.iter().copied().max().unwrap_or(0)).collect();
            for &(after, before) in &step.shifts {
                shifted[after as usize] = before;
            }
        }
        Backwards { step, cost: step.cost.min(u64::from(FARTHEST)) as u8, shifted }
    }

    /// The variable that most steps test, and by its number the steps that may apply.
    fn sorted<'a>(&self, all: &'a [Backwards<'a>]) -> (usize, Vec<Vec<&'a Backwards<'a>>>) {
        let tests = |one: &Backwards<'_>, variable: usize| {
            one.step.tests.iter().find(|test| test.0 as usize == variable).map(|test| test.1)
        };
        let best = (0..self.sizes.len())
            .max_by_key(|&v| all.iter().filter(|one| tests(one, v).is_some()).count())
            .unwrap_or(0);
        let numbers = 0..self.sizes.get(best).copied().unwrap_or(1);
        let able =
            |number| move |one: &&Backwards<'_>| tests(one, best).is_none_or(|n| n == number);
        (best, numbers.map(|number| all.iter().filter(able(number)).collect()).collect())
    }

    fn read(&self, mut index: u32, state: &mut [u32]) {
        for (number, &size) in state.iter_mut().zip(&self.sizes) {
            *number = index % size;
            index /= size;
        }
    }
}

struct Work<'a> {
    pattern: &'a Pattern,
    found: Vec<u8>,
    buckets: Vec<Vec<u32>>,
}

impl Work<'_> {
    fn reach(&mut self, index: u32, distance: u8) -> Outcome<()> {
        let known = &mut self.found[index as usize];
        if distance < *known {
            *known = distance;
            self.buckets[distance as usize].grow_push(index)?;
        }
        Ok(())
    }

    /// Reaches every abstract state that takes one of the numbers allowed for each variable.
    fn begin(&mut self, goal: &[Vec<u32>]) -> Outcome<()> {
        if goal.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let mut turn = vec![0; goal.len()];
        loop {
            let state: Vec<u32> = turn.iter().zip(goal).map(|(&at, all)| all[at]).collect();
            let again = |at: usize| state[..at].contains(&state[at]);
            if !(self.pattern.distinct && (0..state.len()).any(again)) {
                let index = (0..state.len())
                    .rev()
                    .fold(0, |index, at| index * self.pattern.sizes[at] + state[at]);
                self.reach(index, 0)?;
            }
            let Some(at) = (0..turn.len()).find(|&at| turn[at] + 1 < goal[at].len()) else {
                return Ok(());
            };
            turn[at] += 1;
            turn[..at].fill(0);
        }
    }

    fn undo(&mut self, one: &Backwards<'_>, state: &[u32], distance: u8) -> Outcome<()> {
        let step = one.step;
        let holds = |&(variable, number): &(u32, u32)| state[variable as usize] == number;
        if !step.tests.iter().all(holds) || step.misses.iter().any(holds) {
            return Ok(());
        }
        let (mut index, mut stride, mut costs) = (0, 1, false);
        for (variable, &after) in state.iter().enumerate() {
            let mut before =
                if one.shifted.is_empty() { after } else { one.shifted[after as usize] };
            for &(target, source) in &step.copies {
                if target as usize == variable {
                    before = state[source as usize];
                }
            }
            for &(target, number) in &step.sets {
                if target as usize == variable {
                    before = number;
                }
            }
            costs |= before != after && variable < self.pattern.counted;
            index += before * stride;
            stride *= self.pattern.sizes[variable];
        }
        let cost = if costs { one.cost } else { 0 };
        self.reach(index, FARTHEST.min(distance.saturating_add(cost)))
    }
}

#[cfg(test)]
mod tests {
    use super::{NO_WAY, Pattern, Step};

    /// A walk 0 -> 1 -> 2 -> 3 at a cost of 2 a step, and a flag that a step of cost 1 sets.
    fn walk(counted: usize) -> Pattern {
        let mut steps: Vec<Step> = (0..3)
            .map(|at| Step {
                cost: 2,
                tests: vec![(0, at + 1)],
                sets: vec![(0, at)],
                ..Step::default()
            })
            .collect();
        steps.push(Step { cost: 1, tests: vec![(1, 1)], sets: vec![(1, 0)], ..Step::default() });
        let goals = vec![vec![vec![2], vec![1]]];
        Pattern { sizes: vec![4, 2], counted, distinct: false, steps, goals }
    }

    #[test]
    fn distances_are_those_of_the_way_to_the_goal() {
        assert_eq!(walk(2).distances().unwrap(), [5, 3, 1, NO_WAY, 4, 2, 0, NO_WAY]);
    }

    #[test]
    fn changes_of_variables_that_only_help_cost_nothing() {
        assert_eq!(walk(1).distances().unwrap(), [4, 2, 0, NO_WAY, 4, 2, 0, NO_WAY]);
    }

    #[test]
    fn long_ways_count_as_254_and_are_still_ways() {
        let mut far = walk(2);
        far.steps.iter_mut().for_each(|one| one.cost = 200);
        assert_eq!(far.distances().unwrap(), [254, 254, 200, NO_WAY, 254, 200, 0, NO_WAY]);
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let mut wrong = walk(2);
        wrong.steps[0].tests[0].1 = 4;
        assert!(wrong.distances().is_err());
        assert!(Pattern { sizes: vec![1 << 31, 4], ..walk(2) }.distances().is_err());
    }
}

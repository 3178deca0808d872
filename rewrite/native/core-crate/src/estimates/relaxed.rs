//! hmax and FF: estimates from the delete relaxation, in which facts stay true. See
//! `search/heuristics/relaxed.py` for definitions and sources.

use std::iter::repeat_n;

use super::lists::Lists;
use super::task::{Queue, Task};
use crate::error::Result;
use crate::estimate::Estimate;
use crate::grow::{Grow, GrowCopies};

/// Costs and their sums are capped here.
const DEAREST: u64 = 1 << 40;
const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub struct Relaxed {
    task: Task,
    /// FF if true, else hmax.
    plans: bool,
    /// By transition: the fields that it sets, each with the value; none where it does more.
    sets: Lists,
}

/// What is known of a fact, or how many facts an operator waits for and what the others cost, in one
/// evaluation: the one of this number.
#[derive(Debug, Clone, Copy, Default)]
struct Fact {
    cost: u64,
    by: u32,
    of: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Waiting {
    sum: u64,
    left: u32,
    of: u32,
}

/// The facts reached from one state; nothing is reset for the next, but the number goes up.
#[derive(Debug, Default)]
pub struct Reached {
    now: u32,
    facts: Vec<Fact>,
    waiting: Vec<Waiting>,
    seen: Vec<u32>,
    queue: Queue,
    stack: Vec<u32>,
    chosen: Vec<(u32, u64)>,
    /// The transitions of the plan that apply in the state.
    helpful: Vec<u32>,
}

impl Reached {
    pub fn helpful(&self) -> &[u32] {
        &self.helpful
    }

    /// Begins the next evaluation.
    fn renew(&mut self, of: &Task) -> Result<()> {
        self.queue.clear();
        self.helpful.clear();
        self.now = self.now.wrapping_add(1);
        if self.now == 0 || (of.facts, of.costs.len()) != (self.facts.len(), self.waiting.len()) {
            self.now = 1;
            self.facts.refill(repeat_n(Fact::default(), of.facts))?;
            self.waiting.refill(repeat_n(Waiting::default(), of.costs.len()))?;
            self.seen.refill(repeat_n(0, of.facts))?;
        }
        Ok(())
    }

    #[inline]
    fn offer(&mut self, fact: u32, cost: u64, by: u32) -> Result<()> {
        let known = &mut self.facts[fact as usize];
        if known.of == self.now && known.cost <= cost {
            return Ok(());
        }
        *known = Fact { cost, by, of: self.now };
        self.queue.push(cost, fact)
    }
}

impl Relaxed {
    /// `sets`: see the field.
    pub fn new(task: Task, plans: bool, sets: &[Vec<u32>]) -> Relaxed {
        let sets = sets.iter().take(task.free as usize).collect();
        Relaxed { task, plans, sets }
    }

    pub fn value(&self, held: &[u32], r: &mut Reached) -> Result<Estimate> {
        self.reach(held, r)?;
        let goal = r.facts[self.task.goal as usize];
        if goal.of != r.now {
            return Ok(Estimate::Infinite);
        }
        if self.plans { self.plan(r) } else { Ok(Estimate::Whole(goal.cost)) }
    }

    /// What a transition sets, as pairs of a field and a value; nothing where it does more than that.
    pub fn sets(&self, transition: u32) -> &[u32] {
        self.sets.get(transition as usize)
    }

    /// Spreads out from a state to the goal.
    fn reach(&self, held: &[u32], r: &mut Reached) -> Result<()> {
        let Task { goal, needs, needed_by, .. } = &self.task;
        r.renew(&self.task)?;
        self.task.held(held).try_for_each(|fact| r.offer(fact, 0, NONE))?;
        while let Some((cost, fact)) = r.queue.pop() {
            if cost > r.facts[fact as usize].cost {
                continue;
            }
            if fact == *goal {
                break;
            }
            for &number in needed_by.get(fact as usize) {
                let (now, one) = (r.now, &mut r.waiting[number as usize]);
                if one.of != now {
                    let left = needs.get(number as usize).len() as u32;
                    *one = Waiting { sum: 0, left, of: now };
                }
                one.left -= 1;
                one.sum += cost;
                if one.left == 0 {
                    let waited = if self.plans { one.sum } else { cost };
                    self.apply(number, waited, r)?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn apply(&self, number: u32, waited: u64, r: &mut Reached) -> Result<()> {
        let total = (waited + self.task.costs[number as usize]).min(DEAREST);
        let gives = self.task.gives.get(number as usize);
        gives.iter().try_for_each(|&fact| r.offer(fact, total, number))
    }

    /// The cost of a plan: what leads to the goal, and to what that needs.
    fn plan(&self, r: &mut Reached) -> Result<Estimate> {
        let Task { goal, needs, costs, transitions, .. } = &self.task;
        let mut stack = std::mem::take(&mut r.stack);
        stack.refill([*goal])?;
        r.chosen.clear();
        while let Some(fact) = stack.pop() {
            let by = r.facts[fact as usize].by;
            if by == NONE || std::mem::replace(&mut r.seen[fact as usize], r.now) == r.now {
                continue;
            }
            let (needs, transition) = (needs.get(by as usize), transitions[by as usize]);
            r.chosen.grow_push((transition, costs[by as usize]))?;
            let holds = |&need: &u32| r.facts[need as usize].by == NONE;
            let simple = (transition as usize) < self.sets.len();
            if simple && !self.sets(transition).is_empty() && needs.iter().all(holds) {
                r.helpful.grow_push(transition)?;
            }
            stack.grow_slice(needs)?;
        }
        r.stack = stack;
        r.chosen.sort_unstable();
        r.chosen.dedup_by_key(|one| one.0);
        Ok(Estimate::Whole(r.chosen.iter().map(|&(_, cost)| cost).sum()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::task::testing::{Drawn, FIELDS, VALUES, state};
    use super::super::{Needs, Operator};
    use super::{Reached, Relaxed, Task};
    use crate::estimate::Estimate;
    use crate::random::Random;

    fn operator(transition: u32, cost: u64, needs: Vec<u32>, gives: Vec<u32>) -> Operator {
        Operator { transition, cost, needs, gives }
    }

    #[test]
    fn steps_of_the_plan_that_apply_at_once_are_helpful() {
        let operators = vec![
            operator(0, 1, vec![0], vec![1]),
            operator(1, 1, vec![1], vec![3]),
            operator(2, 1, vec![2], vec![5]),
        ];
        let sets = [vec![0, 1], vec![1, 1], vec![]];
        let goals = vec![vec![(1, vec![1]), (2, vec![1])]];
        let task = Relaxed::new(Task::new(vec![0, 2, 4], 6, operators, &goals), true, &sets);
        let mut reached = Reached::default();
        // the second waits for the first, and of the third it is not known what it sets
        assert_eq!(task.value(&[0, 0, 0], &mut reached).unwrap(), Estimate::Whole(3));
        assert_eq!(reached.helpful(), [0]);
        assert_eq!(task.sets(0), [0, 1]);
        task.value(&[1, 0, 0], &mut reached).unwrap();
        assert_eq!(reached.helpful(), [1]);
        task.value(&[1, 1, 1], &mut reached).unwrap();
        assert!(reached.helpful().is_empty());
    }

    /// The costs of facts by definition: as long as something becomes cheaper.
    fn costs(held: &[u32], operators: &[Operator], add: bool) -> Vec<Option<u64>> {
        let mut costs = vec![None; (FIELDS * VALUES) as usize];
        for (field, value) in (0..).zip(held) {
            costs[(field * VALUES + value) as usize] = Some(0);
        }
        loop {
            let before = costs.clone();
            for one in operators {
                let needs: Option<Vec<u64>> =
                    one.needs.iter().map(|&need| costs[need as usize]).collect();
                let Some(needs) = needs else { continue };
                let waited: u64 =
                    if add { needs.iter().sum() } else { needs.into_iter().max().unwrap_or(0) };
                for &fact in &one.gives {
                    let known: &mut Option<u64> = &mut costs[fact as usize];
                    *known = Some(known.map_or(waited + one.cost, |c| c.min(waited + one.cost)));
                }
            }
            if costs == before {
                return costs;
            }
        }
    }

    /// hmax is what it is by definition; FF costs no more than the cheapest goal by sums, and there is
    /// a plan wherever there is one. What is left of other states makes no difference.
    #[test]
    fn estimates_of_random_tasks_are_what_they_are_by_definition() {
        let (mut finite, mut infinite) = (0, 0);
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let drawn = Drawn::new(&mut random);
            let made = |plans| Relaxed::new(drawn.task(), plans, &[]);
            let (hmax, ff) = (made(false), made(true));
            let (mut of_hmax, mut of_ff) = (Reached::default(), Reached::default());
            for _ in 0..10 {
                let held = state(&mut random);
                let cheapest = |add: bool| {
                    let costs = costs(&held, &drawn.operators, add);
                    let total = |needs: &Needs| {
                        let least = |(field, values): &(u32, Vec<u32>)| {
                            values.iter().filter_map(|v| costs[(field * VALUES + v) as usize]).min()
                        };
                        let all: Option<Vec<u64>> = needs.iter().map(least).collect();
                        all.map(
                            |all| if add { all.iter().sum() } else { *all.iter().max().unwrap() },
                        )
                    };
                    drawn.goals.iter().filter_map(total).min()
                };
                let wanted = cheapest(false).map_or(Estimate::Infinite, Estimate::Whole);
                assert_eq!(hmax.value(&held, &mut of_hmax).unwrap(), wanted);
                let found = ff.value(&held, &mut of_ff).unwrap();
                assert_eq!(found, ff.value(&held, &mut Reached::default()).unwrap());
                match (found, cheapest(true)) {
                    (Estimate::Whole(found), Some(most)) => {
                        assert!(found <= most, "{found} {most}");
                        finite += 1;
                    }
                    (found, most) => {
                        assert_eq!((found, most), (Estimate::Infinite, None));
                        infinite += 1;
                    }
                }
            }
        }
        assert!(finite > 100 && infinite > 100, "{finite} {infinite}");
    }
}

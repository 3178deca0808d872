//! hmax and FF: estimates from the delete relaxation, in which facts stay true. See
//! `search/heuristics/relaxed.py` for definitions and sources.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Needs;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::grow::{Grow, GrowCopies};

/// Costs and their sums are capped here.
const DEAREST: u64 = 1 << 40;
const UNREACHED: u64 = 1 << 62;
const NONE: u32 = u32::MAX;

/// A relaxed operator: once all needed facts are true, it adds one more, at a cost.
#[derive(Debug, Clone)]
pub struct Operator {
    pub transition: u32,
    pub cost: u64,
    pub needs: Vec<u32>,
    pub gives: u32,
}

#[derive(Debug)]
pub struct Relaxed {
    /// The first fact of each field: that it holds its first value.
    first: Vec<u32>,
    facts: usize,
    operators: Vec<Operator>,
    pub goals: Vec<Needs>,
    /// FF if true, else hmax.
    plans: bool,
    /// The operators that need each fact.
    needed_by: Vec<Vec<u32>>,
    waiting: Vec<u32>,
}

/// The facts reached from one state; the buffers are reused for the next.
#[derive(Debug, Default)]
pub struct Reached {
    costs: Vec<u64>,
    by: Vec<u32>,
    left: Vec<u32>,
    sums: Vec<u64>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    stack: Vec<u32>,
    seen: Vec<bool>,
    chosen: Vec<(u32, u64)>,
}

impl Relaxed {
    pub fn new(
        first: Vec<u32>,
        facts: usize,
        operators: Vec<Operator>,
        goals: Vec<Needs>,
        plans: bool,
    ) -> Relaxed {
        let mut needed_by: Vec<Vec<u32>> = vec![Vec::new(); facts];
        for (number, one) in (0..).zip(&operators) {
            for &fact in &one.needs {
                needed_by[fact as usize].push(number);
            }
        }
        let waiting = operators.iter().map(|one| one.needs.len() as u32).collect();
        Relaxed { first, facts, operators, goals, plans, needed_by, waiting }
    }

    pub fn value(&self, held: &[u32], reached: &mut Reached) -> Result<Estimate> {
        self.reach(held, reached)?;
        if self.plans { self.plan(reached) } else { Ok(self.dearest(reached)) }
    }

    fn reach(&self, held: &[u32], r: &mut Reached) -> Result<()> {
        refill(&mut r.costs, self.facts, UNREACHED)?;
        refill(&mut r.by, self.facts, NONE)?;
        r.left.clear();
        r.left.grow_slice(&self.waiting)?;
        refill(&mut r.sums, self.operators.len(), 0)?;
        r.queue.clear();
        for (&first, &value) in self.first.iter().zip(held) {
            r.costs[(first + value) as usize] = 0;
            r.queue.grow_push(Reverse((0, first + value)))?;
        }
        for (number, _) in self.waiting.iter().enumerate().filter(|&(_, &left)| left == 0) {
            self.offer(number, 0, r)?;
        }
        while let Some(Reverse((cost, fact))) = r.queue.pop() {
            if cost > r.costs[fact as usize] {
                continue;
            }
            for &number in &self.needed_by[fact as usize] {
                let number = number as usize;
                r.left[number] -= 1;
                r.sums[number] += cost;
                if r.left[number] == 0 {
                    let waited = if self.plans { r.sums[number] } else { cost };
                    self.offer(number, waited, r)?;
                }
            }
        }
        Ok(())
    }

    fn offer(&self, number: usize, cost: u64, r: &mut Reached) -> Result<()> {
        let one = &self.operators[number];
        let (total, known) = ((cost + one.cost).min(DEAREST), &mut r.costs[one.gives as usize]);
        if total < *known {
            *known = total;
            r.by[one.gives as usize] = number as u32;
            r.queue.grow_push(Reverse((total, one.gives)))?;
        }
        Ok(())
    }

    /// (cost, fact) of the cheapest allowed value of each field; the first on ties.
    fn facts<'a>(
        &'a self,
        needs: &'a Needs,
        r: &'a Reached,
    ) -> impl Iterator<Item = (u64, u32)> + 'a {
        needs.iter().map(|(field, values)| {
            let fact = |&value: &u32| self.first[*field as usize] + value;
            let all = values.iter().map(|value| (r.costs[fact(value) as usize], fact(value)));
            all.min().unwrap_or((UNREACHED, 0))
        })
    }

    fn dearest(&self, r: &Reached) -> Estimate {
        let dearest = |needs| self.facts(needs, r).map(|(cost, _)| cost).max().unwrap_or(0);
        match self.goals.iter().map(dearest).min() {
            None | Some(UNREACHED) => Estimate::Infinite,
            Some(cost) => Estimate::Whole(cost),
        }
    }

    fn plan(&self, r: &mut Reached) -> Result<Estimate> {
        let mut best: Option<(u64, &Needs)> = None;
        for needs in &self.goals {
            if self.facts(needs, r).any(|(cost, _)| cost == UNREACHED) {
                continue;
            }
            let total = self.facts(needs, r).map(|(cost, _)| cost).sum();
            if best.is_none_or(|(least, _)| total < least) {
                best = Some((total, needs));
            }
        }
        let Some((_, needs)) = best else { return Ok(Estimate::Infinite) };
        let mut stack = std::mem::take(&mut r.stack);
        stack.clear();
        stack.grow_extend(self.facts(needs, r).map(|(_, fact)| fact))?;
        refill(&mut r.seen, self.facts, false)?;
        r.chosen.clear();
        while let Some(fact) = stack.pop() {
            let by = r.by[fact as usize];
            if by == NONE || std::mem::replace(&mut r.seen[fact as usize], true) {
                continue;
            }
            let one = &self.operators[by as usize];
            r.chosen.grow_push((one.transition, one.cost))?;
            stack.grow_slice(&one.needs)?;
        }
        r.stack = stack;
        r.chosen.sort_unstable();
        r.chosen.dedup_by_key(|one| one.0);
        Ok(Estimate::Whole(r.chosen.iter().map(|&(_, cost)| cost).sum()))
    }
}

fn refill<T: Copy>(list: &mut Vec<T>, len: usize, value: T) -> Result<()> {
    list.clear();
    list.grow_resize(len, value)
}

#[cfg(test)]
mod tests {
    use super::{Operator, Reached, Relaxed};
    use crate::estimate::Estimate;

    /// Facts 0 1 | 2 3 | 4 5; 1 costs 2, 3 costs 3, and 5 needs both and costs 1.
    fn task(plans: bool, goal: u32) -> Relaxed {
        let operator = |transition, cost, needs, gives| Operator { transition, cost, needs, gives };
        let operators = vec![
            operator(0, 2, vec![0], 1),
            operator(1, 3, vec![2], 3),
            operator(2, 1, vec![1, 3], 5),
        ];
        Relaxed::new(vec![0, 2, 4], 6, operators, vec![vec![(2, vec![goal])]], plans)
    }

    #[test]
    fn hmax_waits_for_the_dearest_need_and_ff_pays_for_all() {
        let mut reached = Reached::default();
        assert_eq!(task(false, 1).value(&[0, 0, 0], &mut reached).unwrap(), Estimate::Whole(4));
        assert_eq!(task(true, 1).value(&[0, 0, 0], &mut reached).unwrap(), Estimate::Whole(6));
        assert_eq!(task(true, 1).value(&[1, 0, 0], &mut reached).unwrap(), Estimate::Whole(4));
        assert_eq!(task(true, 1).value(&[0, 0, 1], &mut reached).unwrap(), Estimate::Whole(0));
    }

    #[test]
    fn a_fact_that_nothing_gives_is_infinitely_far() {
        let mut reached = Reached::default();
        let mut one = task(true, 1);
        one.operators[1].needs = vec![4];
        one = Relaxed::new(one.first, 6, one.operators, one.goals, false);
        assert_eq!(one.value(&[0, 0, 1], &mut reached).unwrap(), Estimate::Whole(0));
        assert_eq!(one.value(&[1, 0, 1], &mut reached).unwrap(), Estimate::Whole(0));
        let lost = Relaxed::new(vec![0], 2, Vec::new(), vec![vec![(0, vec![1])]], false);
        assert_eq!(lost.value(&[0], &mut reached).unwrap(), Estimate::Infinite);
    }
}

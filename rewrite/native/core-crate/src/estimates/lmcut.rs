//! LM-cut: a sum of costs of disjunctive landmarks of the delete relaxation (Helmert and Domshlak,
//! *Landmarks, critical paths and abstractions*, ICAPS 2009). Admissible.
//!
//! A landmark is a set of operators of which every plan uses one: a cut between the state and the
//! facts from which the goal costs nothing. Its cost is the least of its operators; all of them become
//! cheaper by that, and the next cut is looked for. Operators of one transition share their cost.

use std::iter::repeat_n;

use super::lists::Lists;
use super::task::{Queue, Task};
use crate::error::Result;
use crate::estimate::Estimate;
use crate::grow::{Grow, GrowCopies};

const UNREACHED: u64 = u64::MAX;
const NONE: u32 = u32::MAX;
/// Of a fact in one cut: the goal costs nothing from it, or it is on the side of the state.
const NEAR_GOAL: u8 = 1;
const NEAR_STATE: u8 = 2;

#[derive(Debug)]
pub struct LmCut {
    task: Task,
    given_by: Lists,
    /// By transition: its cost and operators.
    costs: Vec<u64>,
    operators_of: Lists,
}

/// Buffers of one evaluation.
#[derive(Debug, Default)]
pub struct Cuts {
    costs: Vec<u64>,
    /// By fact: the hmax cost under the costs that are left, and its side in a cut.
    facts: Vec<u64>,
    sides: Vec<u8>,
    /// By operator: the needs not reached yet, the dearest need, and what that costs.
    waiting: Vec<u32>,
    supporter: Vec<u32>,
    supported_at: Vec<u64>,
    queue: Queue,
    stack: Vec<u32>,
    cut: Vec<u32>,
}

impl LmCut {
    pub fn new(task: Task) -> LmCut {
        let mut costs = vec![0; task.free as usize + 1];
        for (&transition, &cost) in task.transitions.iter().zip(&task.costs) {
            costs[transition as usize] = cost;
        }
        let transitions: Lists = task.transitions.iter().map(|&one| [one]).collect();
        LmCut {
            given_by: task.gives.inverse(task.facts),
            operators_of: transitions.inverse(costs.len()),
            costs,
            task,
        }
    }

    pub fn value(&self, held: &[u32], c: &mut Cuts) -> Result<Estimate> {
        self.reach(held, c)?;
        if c.facts[self.task.goal as usize] == UNREACHED {
            return Ok(Estimate::Infinite);
        }
        let mut total = 0;
        while c.facts[self.task.goal as usize] > 0 {
            self.find_cut(held, c)?;
            let cost = |&number: &u32| self.task.transitions[number as usize] as usize;
            let least = c.cut.iter().map(|one| c.costs[cost(one)]).min().unwrap_or(0);
            total += least;
            self.reduce(least, c)?;
        }
        Ok(Estimate::Whole(total))
    }

    /// The hmax costs of all facts, from the state.
    fn reach(&self, held: &[u32], c: &mut Cuts) -> Result<()> {
        let (facts, needs) = (self.task.facts, &self.task.needs);
        c.facts.refill(repeat_n(UNREACHED, facts))?;
        c.sides.refill(repeat_n(0, facts))?;
        c.waiting.refill((0..needs.len()).map(|at| needs.get(at).len() as u32))?;
        c.supporter.refill(repeat_n(NONE, needs.len()))?;
        c.supported_at.refill(repeat_n(UNREACHED, needs.len()))?;
        c.costs.refill(self.costs.iter().copied())?;
        c.queue.clear();
        self.task.held(held).try_for_each(|fact| self.offer(fact, 0, c))?;
        while let Some((cost, fact)) = c.queue.pop() {
            if cost > c.facts[fact as usize] {
                continue;
            }
            for &number in self.task.needed_by.get(fact as usize) {
                let left = &mut c.waiting[number as usize];
                *left -= 1;
                if *left == 0 {
                    c.supporter[number as usize] = self.dearest(number, &c.facts);
                    c.supported_at[number as usize] = cost;
                    self.apply(number, c)?;
                }
            }
        }
        Ok(())
    }

    /// The dearest need of an operator. Of equal ones always the first: cuts that agree on one are
    /// fewer operators each, and there are more of them (in FreeCell 13 for 6 with any of them).
    fn dearest(&self, number: u32, costs: &[u64]) -> u32 {
        let needs = self.task.needs.get(number as usize);
        let mut dearest = needs[0];
        for &one in &needs[1..] {
            if costs[one as usize] > costs[dearest as usize] {
                dearest = one;
            }
        }
        dearest
    }

    fn offer(&self, fact: u32, cost: u64, c: &mut Cuts) -> Result<()> {
        let known = &mut c.facts[fact as usize];
        if *known <= cost {
            return Ok(());
        }
        *known = cost;
        c.queue.push(cost, fact)
    }

    fn apply(&self, number: u32, c: &mut Cuts) -> Result<()> {
        let cost = c.costs[self.task.transitions[number as usize] as usize];
        let total = c.supported_at[number as usize] + cost;
        self.task.gives.get(number as usize).iter().try_for_each(|&fact| self.offer(fact, total, c))
    }

    /// Fills `cut` with the operators that lead from the side of the state to that of the goal, in the
    /// graph in which an operator leads from its dearest need to what it gives.
    fn find_cut(&self, held: &[u32], c: &mut Cuts) -> Result<()> {
        c.sides.fill(0);
        c.cut.clear();
        c.stack.clear();
        self.mark(self.task.goal, NEAR_GOAL, c)?;
        while let Some(fact) = c.stack.pop() {
            for &number in self.given_by.get(fact as usize) {
                let from = c.supporter[number as usize];
                if from != NONE && c.costs[self.task.transitions[number as usize] as usize] == 0 {
                    self.mark(from, NEAR_GOAL, c)?;
                }
            }
        }
        self.task.held(held).try_for_each(|fact| self.mark(fact, NEAR_STATE, c))?;
        while let Some(fact) = c.stack.pop() {
            for &number in self.task.needed_by.get(fact as usize) {
                if c.supporter[number as usize] != fact {
                    continue;
                }
                let gives = self.task.gives.get(number as usize);
                if gives.iter().any(|&one| c.sides[one as usize] == NEAR_GOAL) {
                    c.cut.grow_push(number)?;
                    continue;
                }
                for &one in gives {
                    self.mark(one, NEAR_STATE, c)?;
                }
            }
        }
        Ok(())
    }

    fn mark(&self, fact: u32, side: u8, c: &mut Cuts) -> Result<()> {
        let known = &mut c.sides[fact as usize];
        if *known != 0 {
            return Ok(());
        }
        *known = side;
        c.stack.grow_push(fact)
    }

    /// Makes the transitions of the cut cheaper, and what follows from that.
    fn reduce(&self, by: u64, c: &mut Cuts) -> Result<()> {
        let mut cut = std::mem::take(&mut c.cut);
        cut.iter_mut().for_each(|one| *one = self.task.transitions[*one as usize]);
        cut.sort_unstable();
        cut.dedup();
        c.queue.clear();
        for &transition in &cut {
            c.costs[transition as usize] -= by;
            for &number in self.operators_of.get(transition as usize) {
                if c.supporter[number as usize] != NONE {
                    self.apply(number, c)?;
                }
            }
        }
        c.cut = cut;
        while let Some((cost, fact)) = c.queue.pop() {
            if cost > c.facts[fact as usize] {
                continue;
            }
            for &number in self.task.needed_by.get(fact as usize) {
                let at = number as usize;
                if c.supporter[at] != fact || c.supported_at[at] <= cost {
                    continue;
                }
                let dearest = self.dearest(number, &c.facts);
                c.supporter[at] = dearest;
                c.supported_at[at] = c.facts[dearest as usize];
                self.apply(number, c)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::task::{
        Operator,
        testing::{Drawn, FIELDS, VALUES, state},
    };
    use super::{Cuts, LmCut};
    use crate::estimate::Estimate;
    use crate::random::Random;

    /// The cost of the cheapest relaxed plan: by all sets of transitions.
    fn cheapest(held: &[u32], Drawn { operators, goals }: &Drawn) -> Option<u64> {
        let mut best = None;
        for chosen in 0..1_u32 << 10 {
            let of = |one: &&Operator| chosen >> one.transition & 1 != 0;
            let mut facts: Vec<bool> = vec![false; (FIELDS * VALUES) as usize];
            for (field, value) in (0..).zip(held) {
                facts[(field * VALUES + value) as usize] = true;
            }
            loop {
                let before = facts.clone();
                for one in operators.iter().filter(of) {
                    if one.needs.iter().all(|&need| facts[need as usize]) {
                        one.gives.iter().for_each(|&fact| facts[fact as usize] = true);
                    }
                }
                if before == facts {
                    break;
                }
            }
            let met = |(field, values): &(u32, Vec<u32>)| {
                values.iter().any(|value| facts[(field * VALUES + value) as usize])
            };
            if goals.iter().any(|needs| needs.iter().all(met)) {
                let paid = (0..10).filter(|at| chosen >> at & 1 != 0);
                let cost =
                    |at| operators.iter().find(|one| one.transition == at).map_or(0, |o| o.cost);
                let total = paid.map(cost).sum::<u64>();
                best = Some(best.map_or(total, |least: u64| least.min(total)));
            }
        }
        best
    }

    #[test]
    fn it_never_exceeds_the_cheapest_relaxed_plan_and_is_infinite_where_there_is_none() {
        let (mut exact, mut infinite, mut finite) = (0, 0, 0);
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let drawn = Drawn::new(&mut random);
            let (cut, mut cuts) = (LmCut::new(drawn.task()), Cuts::default());
            for _ in 0..3 {
                let held = state(&mut random);
                let found = cut.value(&held, &mut cuts).unwrap();
                assert_eq!(found, cut.value(&held, &mut Cuts::default()).unwrap());
                match (found, cheapest(&held, &drawn)) {
                    (Estimate::Whole(found), Some(most)) => {
                        assert!(found <= most, "{found} {most} {seed}");
                        assert!((found > 0) == (most > 0));
                        finite += 1;
                        exact += u32::from(found == most);
                    }
                    (found, most) => {
                        assert_eq!((found, most), (Estimate::Infinite, None));
                        infinite += 1;
                    }
                }
            }
        }
        assert!(
            exact * 10 > finite * 8 && finite > 80 && infinite > 10,
            "{exact} {finite} {infinite}"
        );
    }
}

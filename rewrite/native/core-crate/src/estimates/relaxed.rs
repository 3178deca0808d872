//! hmax and FF: estimates from the delete relaxation, in which facts stay true. See
//! `search/heuristics/relaxed.py` for definitions and sources.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::repeat_n;

use super::Needs;
use super::lists::Lists;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::grow::{Grow, GrowCopies};

/// Costs and their sums are capped here.
const DEAREST: u64 = 1 << 40;
const UNREACHED: u64 = 1 << 62;
const NONE: u32 = u32::MAX;

/// A relaxed operator: once all needed facts are true, it adds others, at a cost.
#[derive(Debug, Clone)]
pub struct Operator {
    pub transition: u32,
    pub cost: u64,
    pub needs: Vec<u32>,
    pub gives: Vec<u32>,
}

#[derive(Debug)]
pub struct Relaxed {
    /// The first fact of each field: that it holds its first value.
    first: Vec<u32>,
    facts: usize,
    /// The number of the transition, and the cost, of each operator.
    operators: Vec<(u32, u64)>,
    needs: Lists,
    gives: Lists,
    pub goals: Vec<Needs>,
    /// FF if true, else hmax.
    plans: bool,
    /// The operators that need each fact, and those that need none.
    needed_by: Lists,
    ready: Vec<u32>,
    /// By transition: the fields that it sets, each with the value; none where it does more.
    sets: Lists,
    /// (fact, goal, need) for each fact that meets a need of a goal, sorted; needs are numbered over
    /// all goals.
    goals_of: Vec<(u32, u32, u32)>,
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
    /// For each need whether it was met, for each goal the needs that are open.
    met: Vec<u32>,
    open: Vec<Waiting>,
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
    fn renew(&mut self, of: &Relaxed) -> Result<()> {
        self.queue.clear();
        self.now = self.now.wrapping_add(1);
        let sizes = (of.facts, of.operators.len(), of.goals.len());
        if self.now == 0 || sizes != (self.facts.len(), self.waiting.len(), self.open.len()) {
            self.now = 1;
            self.facts.refill(repeat_n(Fact::default(), of.facts))?;
            self.waiting.refill(repeat_n(Waiting::default(), of.operators.len()))?;
            self.seen.refill(repeat_n(0, of.facts))?;
            self.met.refill(repeat_n(0, of.goals.iter().map(Vec::len).sum()))?;
            self.open.refill(repeat_n(Waiting::default(), of.goals.len()))?;
        }
        Ok(())
    }

    /// Notes what a fact costs; returns what a goal costs all of whose needs are met now.
    fn meet(&mut self, of: &Relaxed, fact: u32, cost: u64) -> Option<u64> {
        let from = of.goals_of.partition_point(|one| one.0 < fact);
        let mut least = None;
        for &(_, goal, need) in of.goals_of[from..].iter().take_while(|one| one.0 == fact) {
            if std::mem::replace(&mut self.met[need as usize], self.now) == self.now {
                continue;
            }
            let open = &mut self.open[goal as usize];
            if open.of != self.now {
                let left = of.goals[goal as usize].len() as u32;
                *open = Waiting { sum: 0, left, of: self.now };
            }
            open.left -= 1;
            open.sum += cost;
            if open.left == 0 {
                let cost = if of.plans { open.sum } else { cost };
                least = Some(least.map_or(cost, |least: u64| least.min(cost)));
            }
        }
        least
    }

    fn cost(&self, fact: u32) -> u64 {
        let one = &self.facts[fact as usize];
        if one.of == self.now { one.cost } else { UNREACHED }
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

/// Facts by cost: small costs have lists of their own.
#[derive(Debug, Default)]
pub(super) struct Queue {
    lists: Vec<Vec<u32>>,
    at: usize,
    others: BinaryHeap<Reverse<(u64, u32)>>,
}

const LISTS: u64 = 1 << 12;

impl Queue {
    pub(super) fn clear(&mut self) {
        self.at = 0;
        self.lists.iter_mut().for_each(Vec::clear);
        self.others.clear();
    }

    #[inline]
    pub(super) fn push(&mut self, cost: u64, fact: u32) -> Result<()> {
        if cost >= LISTS {
            return self.others.grow_push(Reverse((cost, fact)));
        }
        while self.lists.len() <= cost as usize {
            self.lists.grow_push(Vec::new())?;
        }
        self.lists[cost as usize].grow_push(fact)
    }

    /// The cheapest; nothing cheaper is pushed later.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u64, u32)> {
        while let Some(list) = self.lists.get_mut(self.at) {
            if let Some(fact) = list.pop() {
                return Some((self.at as u64, fact));
            }
            self.at += 1;
        }
        self.others.pop().map(|Reverse(one)| one)
    }
}

impl Relaxed {
    pub fn new(
        first: Vec<u32>,
        facts: usize,
        operators: Vec<Operator>,
        goals: Vec<Needs>,
        plans: bool,
        transitions: &[Vec<u32>],
    ) -> Relaxed {
        let needs: Lists = operators.iter().map(|one| &one.needs).collect();
        let ready = (0..operators.len() as u32).filter(|&one| needs.get(one as usize).is_empty());
        let (mut goals_of, mut number) = (Vec::new(), 0);
        for (goal, needs) in (0..).zip(&goals) {
            for (field, values) in needs {
                let fact = |value: &u32| first[*field as usize] + value;
                goals_of.extend(values.iter().map(|value| (fact(value), goal, number)));
                number += 1;
            }
        }
        goals_of.sort_unstable();
        Relaxed {
            first,
            facts,
            operators: operators.iter().map(|one| (one.transition, one.cost)).collect(),
            gives: operators.iter().map(|one| &one.gives).collect(),
            goals,
            plans,
            needed_by: needs.inverse(facts),
            ready: ready.collect(),
            needs,
            sets: transitions.iter().collect(),
            goals_of,
        }
    }

    pub fn value(&self, held: &[u32], reached: &mut Reached) -> Result<Estimate> {
        self.reach(held, reached)?;
        if self.plans { self.plan(reached) } else { Ok(self.dearest(reached)) }
    }

    /// What a transition sets, as pairs of a field and a value; nothing where it does more than that.
    pub fn sets(&self, transition: u32) -> &[u32] {
        self.sets.get(transition as usize)
    }

    /// Spreads out from a state until it is known what the cheapest goal costs.
    fn reach(&self, held: &[u32], r: &mut Reached) -> Result<()> {
        r.renew(self)?;
        for (&first, &value) in self.first.iter().zip(held) {
            r.offer(first + value, 0, NONE)?;
        }
        for &number in &self.ready {
            self.apply(number, 0, r)?;
        }
        let mut cheapest = UNREACHED;
        while let Some((cost, fact)) = r.queue.pop() {
            if cost > r.facts[fact as usize].cost {
                continue;
            }
            if cost > cheapest {
                break; // no other goal costs less
            }
            cheapest = r.meet(self, fact, cost).map_or(cheapest, |found| found.min(cheapest));
            for &number in self.needed_by.get(fact as usize) {
                let (now, one) = (r.now, &mut r.waiting[number as usize]);
                if one.of != now {
                    let left = self.needs.get(number as usize).len() as u32;
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
        let total = (waited + self.operators[number as usize].1).min(DEAREST);
        self.gives.get(number as usize).iter().try_for_each(|&fact| r.offer(fact, total, number))
    }

    /// (cost, fact) of the cheapest allowed value of each field; the first on ties.
    fn facts<'a>(
        &'a self,
        needs: &'a Needs,
        r: &'a Reached,
    ) -> impl Iterator<Item = (u64, u32)> + 'a {
        needs.iter().map(|(field, values)| {
            let fact = |&value: &u32| self.first[*field as usize] + value;
            let all = values.iter().map(|value| (r.cost(fact(value)), fact(value)));
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
        let Some((_, needs)) = best else {
            r.helpful.clear();
            return Ok(Estimate::Infinite);
        };
        let mut stack = std::mem::take(&mut r.stack);
        stack.refill(self.facts(needs, r).map(|(_, fact)| fact))?;
        r.chosen.clear();
        r.helpful.clear();
        while let Some(fact) = stack.pop() {
            let by = r.facts[fact as usize].by;
            if by == NONE || std::mem::replace(&mut r.seen[fact as usize], r.now) == r.now {
                continue;
            }
            let (transition, cost) = self.operators[by as usize];
            r.chosen.grow_push((transition, cost))?;
            let holds = |&need: &u32| r.facts[need as usize].by == NONE;
            let simple = (transition as usize) < self.sets.len();
            if simple
                && !self.sets(transition).is_empty()
                && self.needs.get(by as usize).iter().all(holds)
            {
                r.helpful.grow_push(transition)?;
            }
            stack.grow_slice(self.needs.get(by as usize))?;
        }
        r.stack = stack;
        r.chosen.sort_unstable();
        r.chosen.dedup_by_key(|one| one.0);
        Ok(Estimate::Whole(r.chosen.iter().map(|&(_, cost)| cost).sum()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Needs, Operator, Reached, Relaxed};
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
        let task = Relaxed::new(vec![0, 2, 4], 6, operators, goals, true, &sets);
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

    const FIELDS: u32 = 5;
    const VALUES: u32 = 4;

    fn drawn(random: &mut Random) -> (Vec<Operator>, Vec<Needs>) {
        let mut below = |most: u32| random.word() % most;
        let mut operators = Vec::new();
        for number in 0..12 {
            let cost = u64::from(below(4)) * if below(9) == 0 { 5_000 } else { 1 };
            let mut facts = |most| (0..below(most)).map(|_| below(FIELDS * VALUES)).collect();
            let (mut needs, gives): (Vec<u32>, Vec<u32>) = (facts(4), facts(3));
            needs.sort_unstable();
            needs.dedup();
            operators.push(operator(number, cost, needs, gives));
        }
        let mut need = |field| (field, vec![below(VALUES)]);
        let goals = (0..3).map(|goal| (goal..3 + goal).map(&mut need).collect()).collect();
        (operators, goals)
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
            let (operators, goals) = drawn(&mut random);
            let first: Vec<u32> = (0..FIELDS).map(|field| field * VALUES).collect();
            let made = |plans| {
                let facts = (FIELDS * VALUES) as usize;
                Relaxed::new(first.clone(), facts, operators.clone(), goals.clone(), plans, &[])
            };
            let (hmax, ff) = (made(false), made(true));
            let (mut of_hmax, mut of_ff) = (Reached::default(), Reached::default());
            for _ in 0..10 {
                let held: Vec<u32> = first.iter().map(|_| random.word() % VALUES).collect();
                let cheapest = |add: bool| {
                    let costs = costs(&held, &operators, add);
                    let total = |needs: &Needs| {
                        let all = needs.iter().map(|(f, v)| costs[(f * VALUES + v[0]) as usize]);
                        let all: Option<Vec<u64>> = all.collect();
                        all.map(
                            |all| if add { all.iter().sum() } else { *all.iter().max().unwrap() },
                        )
                    };
                    goals.iter().filter_map(total).min()
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

//! The delete relaxation, in which facts stay true; and its facts in order of cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::once;

use super::Needs;
use super::lists::Lists;
use crate::error::Result;
use crate::grow::Grow;

/// A relaxed operator: once all needed facts are true, it adds others, at a cost.
#[derive(Debug, Clone)]
pub struct Operator {
    pub transition: u32,
    pub cost: u64,
    pub needs: Vec<u32>,
    pub gives: Vec<u32>,
}

#[derive(Debug)]
pub struct Task {
    /// The first fact of each field: that it holds its first value.
    first: Vec<u32>,
    /// Those of fields; then one that always holds, the goal, and conditions with several values.
    pub(super) facts: usize,
    pub(super) always: u32,
    pub(super) goal: u32,
    pub(super) needs: Lists,
    pub(super) gives: Lists,
    pub(super) needed_by: Lists,
    /// By operator: its cost and the number of its transition; that of those that lead to the goal,
    /// which are free, is behind all others.
    pub(super) costs: Vec<u64>,
    pub(super) transitions: Vec<u32>,
    pub(super) free: u32,
}

impl Task {
    /// `fields`: the number of facts of fields.
    pub fn new(
        first: Vec<u32>,
        fields: usize,
        mut operators: Vec<Operator>,
        goals: &[Needs],
    ) -> Task {
        let (always, goal) = (fields as u32, fields as u32 + 1);
        let mut facts = fields + 2;
        let free = operators.iter().map(|one| one.transition + 1).max().unwrap_or(0);
        let zero = |needs, gives| Operator { transition: free, cost: 0, needs, gives };
        let mut ends = Vec::new();
        for needs in goals {
            let mut all = Vec::new();
            for (field, values) in needs {
                let fact = |value: &u32| first[*field as usize] + value;
                if let [value] = &values[..] {
                    all.push(fact(value));
                    continue;
                }
                ends.extend(values.iter().map(|value| zero(vec![fact(value)], vec![facts as u32])));
                all.push(facts as u32);
                facts += 1;
            }
            ends.push(zero(all, vec![goal]));
        }
        operators.append(&mut ends);
        for one in &mut operators {
            if one.needs.is_empty() {
                one.needs.push(always);
            }
            one.needs.sort_unstable();
        }
        let needs: Lists = operators.iter().map(|one| &one.needs).collect();
        Task {
            first,
            facts,
            always,
            goal,
            needed_by: needs.inverse(facts),
            needs,
            gives: operators.iter().map(|one| &one.gives).collect(),
            costs: operators.iter().map(|one| one.cost).collect(),
            transitions: operators.iter().map(|one| one.transition).collect(),
            free,
        }
    }

    /// The facts that are true in a state.
    pub(super) fn held<'a>(&'a self, held: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        let of_fields = self.first.iter().zip(held).map(|(first, value)| first + value);
        once(self.always).chain(of_fields)
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

#[cfg(test)]
pub(super) mod testing {
    use super::{Needs, Operator, Task};
    use crate::random::Random;

    pub const FIELDS: u32 = 4;
    pub const VALUES: u32 = 3;

    pub struct Drawn {
        pub operators: Vec<Operator>,
        pub goals: Vec<Needs>,
    }

    impl Drawn {
        /// Ten operators, of which some share a transition, and two goals.
        pub fn new(random: &mut Random) -> Drawn {
            let mut below = |most: u32| random.word() % most;
            let mut operators = Vec::new();
            for number in 0..10 {
                let mut facts = |least, most| {
                    (0..least + below(most)).map(|_| below(FIELDS * VALUES)).collect::<Vec<u32>>()
                };
                let (mut needs, gives) = (facts(0, 3), facts(1, 3));
                needs.sort_unstable();
                needs.dedup();
                let transition = number - number % 2 * (number % 3 / 2);
                let cost = u64::from(transition % 4) * if transition == 7 { 5_000 } else { 1 };
                operators.push(Operator { transition, cost, needs, gives });
            }
            let mut need = |field| (field, (0..1 + below(2)).map(|_| below(VALUES)).collect());
            let goals = (0..2).map(|goal| (goal..3 + goal).map(&mut need).collect()).collect();
            Drawn { operators, goals }
        }

        pub fn task(&self) -> Task {
            let first = (0..FIELDS).map(|field| field * VALUES).collect();
            Task::new(first, (FIELDS * VALUES) as usize, self.operators.clone(), &self.goals)
        }
    }

    pub fn state(random: &mut Random) -> Vec<u32> {
        (0..FIELDS).map(|_| random.word() % VALUES).collect()
    }
}

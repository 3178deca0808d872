//! The table of a pattern: exact distances of all abstract states to the abstract goals.
//!
//! Dijkstra's algorithm backwards from the goals, with a bucket for each distance, which threads
//! share. The distances are the same whoever is first.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::error::{Error, Result};
use crate::grow::{Grow, filled, listed};
use crate::store::{Apart, Crew, share};

pub const FARTHEST: u8 = 254;
pub const NO_WAY: u8 = 255;

/// (variable, number) or (variable, variable).
pub type Pairs = Vec<(u32, u32)>;

/// A backward transition between abstract states; see `analysis/patterns/projections.py`.
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
    /// A step has a cost if it changes one of this many leading variables.
    pub counted: usize,
    /// No two variables have the same number.
    pub distinct: bool,
    pub steps: Vec<Step>,
    pub goals: Vec<Vec<Vec<u32>>>,
}

const NOBODY: u32 = u32::MAX;

/// Abstract states that a thread takes at a time.
const PORTION: usize = if cfg!(test) { 2 } else { 4096 };

/// A step with its precomputed parts.
struct Backwards<'a> {
    step: &'a Step,
    cost: u8,
    /// Tests except that of the variable by which steps are sorted.
    tests: Pairs,
    /// If the same in every state that passes the tests: the (wrapping) change of the index, and
    /// whether the step has a cost.
    set: Option<(u32, bool)>,
}

impl Pattern {
    fn entries(&self) -> usize {
        let whole = self.sizes.iter().try_fold(1_u32, |all, &size| all.checked_mul(size));
        whole.expect("a pattern of less than 2^32 states") as usize
    }

    /// The distance of each abstract state; the last variable is the least significant.
    ///
    /// So states that differ in an auxiliary variable, such as the blank, are neighbours in memory,
    /// and most steps stay among them.
    pub fn distances(&self, threads: usize) -> Result<Vec<u8>> {
        let strides = self.strides();
        let variable = self.most_tested();
        let mut backwards = Vec::new();
        for step in &self.steps {
            backwards.grow_push(self.prepared(step, variable, &strides)?)?;
        }
        let all = strides.iter();
        let map = Map {
            pattern: self,
            found: filled(self.entries(), NO_WAY)?.into_iter().map(AtomicU8::new).collect(), // in place
            alone: threads <= 1,
            variable,
            by_number: self.sorted(&backwards, variable),
            divisors: all.map(|&one| Divisor::new(one.into(), u32::MAX.into())).collect(),
            strides,
        };
        let (mut crew, mut workers) = (Crew::default(), Vec::new());
        for _ in 0..threads.max(1) {
            workers.grow_push(Apart(Worker::new(self)?))?;
        }
        for goal in &self.goals {
            map.begin(goal, &mut workers[0].0)?;
        }
        for distance in 0..=FARTHEST {
            let of_all = workers.iter_mut().map(|one| &mut one.0.buckets[usize::from(distance)]);
            let level = listed(of_all.map(std::mem::take))?;
            let mut portions = listed(level.iter().flat_map(|bucket| bucket.chunks(PORTION)))?;
            share(&mut crew, &mut workers, &mut portions, |worker, _, portion| {
                worker.0.visit(&map, portion, distance);
            });
            if let Some(error) = workers.iter_mut().find_map(|one| one.0.error.take()) {
                return Err(error);
            }
        }
        Ok(map.found.into_iter().map(AtomicU8::into_inner).collect()) // in place
    }

    fn strides(&self) -> Vec<u32> {
        let mut strides: Vec<u32> = self.sizes.clone();
        let mut stride = 1;
        for size in strides.iter_mut().rev() {
            (*size, stride) = (stride, stride * *size);
        }
        strides
    }

    fn prepared<'a>(
        &self,
        step: &'a Step,
        sorted_by: usize,
        strides: &[u32],
    ) -> Result<Backwards<'a>> {
        let mut tests = Vec::new();
        for &test in step.tests.iter().filter(|test| test.0 as usize != sorted_by) {
            tests.grow_push(test)?;
        }
        let plain = step.copies.is_empty() && (step.shifts.is_empty() || self.distinct);
        let mut set = plain.then_some((0_u32, false));
        for &(variable, before) in &step.sets {
            let after = step.tests.iter().find(|test| test.0 == variable);
            set = set.zip(after).map(|((more, costs), &(_, after))| {
                let stride = strides[variable as usize];
                let moves = before != after && (variable as usize) < self.counted;
                let by = before.wrapping_sub(after).wrapping_mul(stride);
                (more.wrapping_add(by), costs || moves)
            });
        }
        Ok(Backwards { step, cost: step.cost.min(u64::from(FARTHEST)) as u8, tests, set })
    }

    fn most_tested(&self) -> usize {
        let tested =
            |v: usize| move |one: &&Step| one.tests.iter().any(|test| test.0 as usize == v);
        (0..self.sizes.len())
            .max_by_key(|&v| self.steps.iter().filter(tested(v)).count())
            .unwrap_or(0)
    }

    /// The steps that may apply, by the number of a variable.
    fn sorted<'a>(&self, all: &'a [Backwards<'a>], variable: usize) -> Vec<Vec<&'a Backwards<'a>>> {
        let numbers = 0..self.sizes.get(variable).copied().unwrap_or(1);
        let able = |number| {
            move |one: &&Backwards<'_>| {
                let test = one.step.tests.iter().find(|test| test.0 as usize == variable);
                test.is_none_or(|test| test.1 == number)
            }
        };
        numbers.map(|number| all.iter().filter(able(number)).collect()).collect()
    }
}

/// Exact division without the slow division instruction: Lemire, Kaser and Kurz, *Faster remainder
/// by direct computation* (2019).
#[derive(Clone, Copy)]
pub struct Divisor {
    pub by: u64,
    /// 0: divide plainly.
    inverse: u64,
}

impl Divisor {
    /// For numbers up to `most`.
    pub fn new(by: u64, most: u64) -> Divisor {
        // the inverse of 1 would take 65 bits; that of more is exact while the product takes 64
        let exact = by > 1 && u128::from(by) * u128::from(most) < 1 << 64;
        Divisor { by, inverse: if exact { u64::MAX / by + 1 } else { 0 } }
    }

    #[inline(always)]
    pub fn divide(self, number: u64) -> u64 {
        if self.inverse == 0 {
            return number / self.by;
        }
        ((u128::from(self.inverse) * u128::from(number)) >> 64) as u64
    }
}

/// What threads share.
struct Map<'a> {
    pattern: &'a Pattern,
    found: Vec<AtomicU8>,
    /// There is one thread, which need not lock.
    alone: bool,
    strides: Vec<u32>,
    divisors: Vec<Divisor>,
    /// The steps that may apply, by the number of this variable.
    variable: usize,
    by_number: Vec<Vec<&'a Backwards<'a>>>,
}

/// What a thread has of its own.
struct Worker {
    /// States that it has reached, by distance, …
    buckets: Vec<Vec<u32>>,
    /// … and at the distance it is at.
    near: Vec<u32>,
    distance: u8,
    /// The number of each variable, and the variable that holds each number, the last if several do.
    state: Vec<u32>,
    stands: Vec<u32>,
    error: Option<Error>,
}

impl Worker {
    fn new(pattern: &Pattern) -> Result<Worker> {
        let numbers = pattern.sizes.iter().copied().max().unwrap_or(0) as usize;
        Ok(Worker {
            buckets: listed((0..=FARTHEST).map(|_| Vec::new()))?,
            near: Vec::new(),
            distance: 0,
            state: filled(pattern.sizes.len(), 0)?,
            stands: filled(numbers, NOBODY)?,
            error: None,
        })
    }

    /// Undoes all steps to some states at a distance.
    fn visit(&mut self, map: &Map<'_>, states: &[u32], distance: u8) {
        self.distance = distance;
        // newest first: zero-cost steps lead to neighbours in memory
        for &state in states.iter().rev() {
            let mut next = Some(state);
            while let Some(index) = next {
                if let Err(error) = self.expand(map, index) {
                    self.error = Some(error);
                    return;
                }
                next = self.near.pop();
            }
        }
    }

    fn expand(&mut self, map: &Map<'_>, index: u32) -> Result<()> {
        if map.found[index as usize].load(Relaxed) < self.distance {
            return Ok(());
        }
        let mut above = 0;
        let sizes = map.divisors.iter().zip(&map.pattern.sizes);
        for (number, (divisor, &size)) in self.state.iter_mut().zip(sizes) {
            let whole = divisor.divide(index.into()) as u32;
            *number = whole - above * size;
            above = whole;
        }
        for (variable, &number) in (0..).zip(&self.state) {
            self.stands[number as usize] = variable;
        }
        let number = self.state.get(map.variable).map_or(0, |&number| number as usize);
        for step in &map.by_number[number] {
            if let Some((before, cost)) = map.undo(step, index, &self.state, &self.stands) {
                self.reach(map, before, FARTHEST.min(self.distance.saturating_add(cost)))?;
            }
        }
        for &number in &self.state {
            self.stands[number as usize] = NOBODY;
        }
        Ok(())
    }

    #[inline]
    fn reach(&mut self, map: &Map<'_>, index: u32, distance: u8) -> Result<()> {
        let known = &map.found[index as usize];
        if distance >= known.load(Relaxed) {
            return Ok(());
        }
        if map.alone {
            known.store(distance, Relaxed);
        } else if distance >= known.fetch_min(distance, Relaxed) {
            return Ok(());
        }
        match distance == self.distance {
            true => self.near.grow_push(index),
            false => self.buckets[usize::from(distance)].grow_push(index),
        }
    }
}

impl Map<'_> {
    /// Marks as reached every abstract state that satisfies the goal's allowed numbers.
    fn begin(&self, goal: &[Vec<u32>], worker: &mut Worker) -> Result<()> {
        if goal.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let mut turn = vec![0; goal.len()];
        loop {
            let state: Vec<u32> = turn.iter().zip(goal).map(|(&at, all)| all[at]).collect();
            let again = |at: usize| state[..at].contains(&state[at]);
            if !(self.pattern.distinct && (0..state.len()).any(again)) {
                let index = state.iter().zip(&self.pattern.sizes);
                let index = index.fold(0, |index, (&number, &size)| index * size + number);
                if self.found[index as usize].swap(0, Relaxed) != 0 {
                    worker.buckets[0].grow_push(index)?;
                }
            }
            let Some(at) = (0..turn.len()).find(|&at| turn[at] + 1 < goal[at].len()) else {
                return Ok(());
            };
            turn[at] += 1;
            turn[..at].fill(0);
        }
    }

    /// The state before the step, and its cost; None if the step does not lead to the state.
    /// `index`: that of the state.
    #[inline]
    fn undo(
        &self,
        one: &Backwards<'_>,
        index: u32,
        state: &[u32],
        stands: &[u32],
    ) -> Option<(u32, u8)> {
        let holds = |&(variable, number): &(u32, u32)| state[variable as usize] == number;
        if !one.tests.iter().all(holds) || one.step.misses.iter().any(holds) {
            return None;
        }
        let (mut before, mut costs);
        if let Some((more, costly)) = one.set {
            (before, costs) = (index.wrapping_add(more), costly);
            for &(after, number) in &one.step.shifts {
                let variable = stands[after as usize];
                if variable != NOBODY && one.step.sets.iter().all(|set| set.0 != variable) {
                    let stride = self.strides[variable as usize];
                    before = before.wrapping_add(number.wrapping_sub(after).wrapping_mul(stride));
                    costs |= number != after && (variable as usize) < self.pattern.counted;
                }
            }
        } else {
            (before, costs) = self.moved(one.step, state);
        }
        Some((before, if costs { one.cost } else { 0 }))
    }

    /// The state before the step, and whether the step has a cost.
    fn moved(&self, step: &Step, state: &[u32]) -> (u32, bool) {
        let of = |pairs: &Pairs, key| pairs.iter().find(|one| one.0 == key).map(|one| one.1);
        let (mut index, mut costs) = (0, false);
        for ((variable, &after), &stride) in (0..).zip(state).zip(&self.strides) {
            let copied = || of(&step.copies, variable).map(|source| state[source as usize]);
            let before = of(&step.sets, variable).or_else(copied);
            let before = before.or_else(|| of(&step.shifts, after)).unwrap_or(after);
            costs |= before != after && (variable as usize) < self.pattern.counted;
            index += before * stride;
        }
        (index, costs)
    }
}

#[cfg(test)]
mod tests {
    use super::{FARTHEST, NO_WAY, Pairs, Pattern, Step};
    use crate::random::Random;

    /// Random numbers of random variables, at most one each.
    fn pairs(sizes: &[u32], random: &mut Random) -> Pairs {
        let all = (0..).zip(sizes).filter(|_| random.word().is_multiple_of(2)).collect::<Vec<_>>();
        all.into_iter().map(|(at, &size)| (at, random.word() % size)).collect()
    }

    fn random_pattern(random: &mut Random) -> Pattern {
        let sizes: Vec<u32> = (0..4).map(|_| 2 + random.word() % 4).collect();
        let far = if random.word().is_multiple_of(4) { 60 } else { 1 };
        let step = |random: &mut Random| Step {
            cost: u64::from(random.word() % 4) * far,
            tests: pairs(&sizes, random),
            misses: pairs(&sizes, random).into_iter().take(1).collect(),
            sets: pairs(&sizes, random),
            ..Step::default()
        };
        let steps = (0..30).map(|_| step(random)).collect();
        let goals = vec![sizes.iter().map(|&size| vec![random.word() % size, 0]).collect()];
        Pattern { sizes, counted: 3, distinct: false, steps, goals }
    }

    /// The distances by trying all steps until nothing gets nearer.
    fn plainly(pattern: &Pattern) -> Vec<u8> {
        let numbers = |mut index: u32| {
            let mut state: Vec<u32> = pattern
                .sizes
                .iter()
                .rev()
                .map(|size| {
                    let number = index % size;
                    index /= size;
                    number
                })
                .collect();
            state.reverse();
            state
        };
        let place = |state: &[u32]| {
            let all = state.iter().zip(&pattern.sizes);
            all.fold(0, |index, (number, size)| index * size + number) as usize
        };
        let count: u32 = pattern.sizes.iter().product();
        let goal =
            |state: &[u32]| state.iter().zip(&pattern.goals[0]).all(|(n, all)| all.contains(n));
        let begin = |index| if goal(&numbers(index)) { 0 } else { NO_WAY };
        let mut found: Vec<u8> = (0..count).map(begin).collect();
        for _ in 0..count {
            for index in 0..count {
                let (state, known) = (numbers(index), found[index as usize]);
                for step in pattern.steps.iter().filter(|_| known < NO_WAY) {
                    let holds =
                        |&(variable, number): &(u32, u32)| state[variable as usize] == number;
                    if !step.tests.iter().all(holds) || step.misses.iter().any(holds) {
                        continue;
                    }
                    let mut before = state.clone();
                    step.sets.iter().for_each(|&(at, number)| before[at as usize] = number);
                    let costs = before[..pattern.counted] != state[..pattern.counted];
                    let cost = if costs { step.cost as u8 } else { 0 };
                    let farther = FARTHEST.min(known.saturating_add(cost));
                    let nearest = &mut found[place(&before)];
                    *nearest = farther.min(*nearest);
                }
            }
        }
        found
    }

    #[test]
    fn threads_find_the_distances_of_one_and_of_the_plain_way() {
        let (mut random, mut several, mut far) = (Random::new(3), 0, 0);
        for _ in 0..60 {
            let pattern = random_pattern(&mut random);
            let plain = plainly(&pattern);
            several += usize::from(plain.iter().filter(|&&one| one < NO_WAY).count() > 20);
            far += usize::from(plain.contains(&FARTHEST));
            for threads in [1, 2, 4] {
                assert_eq!(pattern.distances(threads).unwrap(), plain, "{threads} {pattern:?}");
            }
        }
        assert!(several > 20 && far > 2, "{several} {far}");
    }
}

//! Classes: states connected by free moves are stored as one.
//!
//! The class of a state is what free moves reach from it. Free moves write few fields; their values
//! together form a number, so the states of a class are bits of a set. A class is represented by its
//! least state, field by field; with symmetries, by the least image of any of its states.

mod build;
mod graph;
#[cfg(test)]
mod tests;

pub use build::{Given, MoveGiven};

use graph::{Graph, each, least};

use crate::bits::{BitTest, Place};
use crate::canon::{Symmetries, SymmetriesScratch};
use crate::error::{Error, Result};
use crate::grow::{Grow, GrowCopies};

#[derive(Debug, Default)]
pub struct Classes {
    /// All fields, in the order in which states are compared.
    fields: Vec<Place>,
    moved: Vec<Moved>,
    /// For each value of each field that moves, the edges that begin there.
    edges: Vec<Vec<Edge>>,
    /// Mutexes with a value of a field that moves, indexed like `edges`, …
    excluded: Vec<Vec<BitTest>>,
    /// … and other pairs.
    pairs: Vec<[BitTest; 2]>,
    /// In how many ways the fields that move can be filled.
    ways: usize,
    /// Whether it is checked that moves can be taken back.
    checked: bool,
    /// The moves, where they are a graph.
    graph: Option<Graph>,
}

/// A field that free moves write.
#[derive(Debug)]
struct Moved {
    place: Place,
    values: u64,
    /// The weight of its value in the number of a state; the first field is the most significant.
    stride: u64,
    /// Where its edges begin.
    first: usize,
}

impl Moved {
    /// Its value in the state of this number.
    #[inline]
    fn value(&self, number: u32) -> u64 {
        let number = u64::from(number);
        if self.stride == 1 && number < self.values {
            return number;
        }
        number / self.stride % self.values
    }
}

/// A free move: its conditions beyond the value where it begins, and where it leads.
#[derive(Debug)]
struct Edge {
    test: BitTest,
    /// Tests of other words, and bits that must be absent.
    more: Option<Box<[Vec<BitTest>; 2]>>,
    counter: u16,
    /// The difference it makes to the number of a state.
    turn: i64,
}

impl Edge {
    #[inline]
    fn allows(&self, key: &[u64]) -> bool {
        self.test.holds(key)
            && self.more.as_ref().is_none_or(|more| {
                let [tests, misses] = &**more;
                tests.iter().all(|one| one.holds(key)) && !misses.iter().any(|one| one.holds(key))
            })
    }
}

/// Buffers for flooding a class. Reused.
#[derive(Debug, Default)]
pub struct Scratch {
    seen: Vec<u64>,
    /// The numbers of the states of a class, nearest first.
    numbers: Vec<u32>,
    /// Moves seen, from number to number, if they are checked.
    made: Vec<(u32, u32)>,
    /// By number: its place among the numbers, while they are checked.
    places: Vec<u32>,
    canon: SymmetriesScratch,
}

impl Scratch {
    /// The number of states in the class flooded last.
    pub fn states(&self) -> usize {
        self.numbers.len()
    }

    pub fn bytes(&self) -> usize {
        8 * (self.seen.capacity() + self.made.capacity())
            + 4 * (self.numbers.capacity() + self.places.capacity())
    }
}

impl Classes {
    /// Finds all states of a class, nearest first, of equally near ones the least.
    ///
    /// `counts`: where moves are counted, if they are.
    ///
    /// Fails where moves are checked and one has no way back.
    #[inline]
    pub fn flood<const N: usize>(
        &self,
        key: &[u64; N],
        scratch: &mut Scratch,
        counts: Option<&mut [u64]>,
    ) -> Result<()> {
        scratch.numbers.clear();
        match &self.graph {
            Some(graph) if graph.words == 1 => self.walk::<N, 1>(graph, key, scratch, counts),
            Some(graph) if graph.words == 2 => self.walk::<N, 2>(graph, key, scratch, counts),
            Some(graph) => self.walk::<N, 4>(graph, key, scratch, counts),
            None => self.make_moves(key, scratch, counts),
        }
    }

    fn walk<const N: usize, const W: usize>(
        &self,
        graph: &Graph,
        key: &[u64; N],
        scratch: &mut Scratch,
        counts: Option<&mut [u64]>,
    ) -> Result<()> {
        let open = graph.open::<W>(key);
        scratch.numbers.grow_resize(64 * W, 0)?;
        let (numbers, mut len) = (&mut scratch.numbers, 0);
        let found = graph.reach(&open, self.number(key), |level| {
            each(level, |place| {
                numbers[len] = place as u32;
                len += 1;
            });
        });
        numbers.truncate(len);
        if let Some(counts) = counts {
            graph.count(&found, &open, counts);
        }
        Ok(())
    }

    fn make_moves<const N: usize>(
        &self,
        key: &[u64; N],
        scratch: &mut Scratch,
        mut counts: Option<&mut [u64]>,
    ) -> Result<()> {
        scratch.seen.grow_resize(self.ways.div_ceil(64), 0)?;
        let done = self.spread(key, scratch, &mut counts);
        for &number in &scratch.numbers {
            scratch.seen[number as usize / 64] = 0;
        }
        done?;
        if self.checked { self.check(scratch) } else { Ok(()) }
    }

    #[inline]
    fn spread<const N: usize>(
        &self,
        key: &[u64; N],
        scratch: &mut Scratch,
        counts: &mut Option<&mut [u64]>,
    ) -> Result<()> {
        let first = self.number(key);
        scratch.numbers.grow_push(first as u32)?;
        scratch.seen[first / 64] |= 1 << (first % 64);
        scratch.made.clear();
        let (mut at, mut level) = (0, 1);
        while at < scratch.numbers.len() {
            if at == level {
                scratch.numbers[at..].sort_unstable();
                level = scratch.numbers.len();
            }
            let here = scratch.numbers[at];
            // what one field alone does not change is the same in all states of the class
            let alone = self.moved.len() == 1;
            let state = if alone { *key } else { self.state(key, here) };
            for moved in &self.moved {
                let value = moved.value(here);
                for edge in &self.edges[moved.first + value as usize] {
                    if !edge.allows(&state) {
                        continue;
                    }
                    if let Some(counts) = counts {
                        counts[edge.counter as usize] += 1;
                    }
                    let there = (i64::from(here) + edge.turn) as usize;
                    let bit = 1 << (there % 64);
                    if scratch.seen[there / 64] & bit == 0 {
                        scratch.numbers.grow_push(there as u32)?;
                        scratch.seen[there / 64] |= bit;
                    }
                    if self.checked {
                        scratch.made.grow_push((here, there as u32))?;
                    }
                }
            }
            at += 1;
        }
        Ok(())
    }

    #[inline]
    fn state<const N: usize>(&self, key: &[u64; N], number: u32) -> [u64; N] {
        let mut state = *key;
        for moved in &self.moved {
            moved.place.put(&mut state, moved.value(number));
        }
        state
    }

    /// A state of the class flooded last; `key`: any state of it.
    #[inline]
    pub fn member<const N: usize>(&self, key: &[u64; N], scratch: &Scratch, at: usize) -> [u64; N] {
        self.state(key, scratch.numbers[at])
    }

    /// The number formed by the fields that move.
    #[inline]
    fn number(&self, key: &[u64]) -> usize {
        let mut number = 0;
        for moved in &self.moved {
            let value = moved.place.held(key);
            assert!(value < moved.values, "a field that moves holds a value that it never does");
            number += value * moved.stride;
        }
        number as usize
    }

    /// Whether all states lead back to the first: from it on, every move is followed backwards.
    fn check(&self, scratch: &mut Scratch) -> Result<()> {
        let mut back = Vec::new();
        back.grow_resize(scratch.numbers.len(), false)?;
        back[0] = true;
        scratch.places.grow_resize(self.ways, 0)?;
        for (at, &number) in scratch.numbers.iter().enumerate() {
            scratch.places[number as usize] = at as u32;
        }
        let mut grown = true;
        while grown {
            grown = false;
            for &(here, there) in scratch.made.iter().rev() {
                let place = |number: u32| scratch.places[number as usize] as usize;
                if back[place(there)] && !back[place(here)] {
                    back[place(here)] = true;
                    grown = true;
                }
            }
        }
        if back.iter().all(|&one| one) {
            return Ok(());
        }
        Err(Error::Failed { why: "a free move cannot be taken back".into(), state: None })
    }

    /// The key of the state that represents the class of a state.
    #[inline]
    pub fn canonical<const N: usize>(
        &self,
        key: &[u64; N],
        scratch: &mut Scratch,
        canon: Option<&Symmetries>,
    ) -> Result<[u64; N]> {
        if let (Some(graph), None) = (&self.graph, canon) {
            let from = self.number(key);
            let least = match graph.words {
                1 => least(&graph.reach(&graph.open::<1>(key), from, |_| ())),
                2 => least(&graph.reach(&graph.open::<2>(key), from, |_| ())),
                _ => least(&graph.reach(&graph.open::<4>(key), from, |_| ())),
            };
            return Ok(self.state(key, least as u32));
        }
        self.flood(key, scratch, None)?;
        let Some(canon) = canon else {
            return Ok(self.state(key, scratch.numbers.iter().copied().min().unwrap_or(0)));
        };
        let mut best: Option<[u64; N]> = None;
        for at in 0..scratch.states() {
            let mut image = self.member(key, scratch, at);
            canon.apply(&mut image, &mut scratch.canon)?;
            if best.is_none_or(|best| self.is_less(&image, &best)) {
                best = Some(image);
            }
        }
        Ok(best.unwrap_or(*key))
    }

    fn is_less(&self, one: &[u64], other: &[u64]) -> bool {
        let values = |key| self.fields.iter().map(move |place| place.held(key));
        values(one).lt(values(other))
    }

    /// Whether a state violates a mutex that the proofs rely on.
    pub fn excludes(&self, key: &[u64]) -> bool {
        let beside = self.moved.iter().any(|moved| {
            let beside = &self.excluded[moved.first + moved.place.held(key) as usize];
            beside.iter().any(|one| one.holds(key))
        });
        beside || self.pairs.iter().any(|pair| pair.iter().all(|one| one.holds(key)))
    }

    /// The bits that free moves write, by word.
    pub fn written(&self) -> impl Iterator<Item = (u16, u64)> {
        self.moved.iter().map(|one| (one.place.word, one.place.mask << one.place.shift))
    }
}

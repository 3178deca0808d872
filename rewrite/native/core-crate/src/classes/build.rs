//! Builds `Classes` from the description of free moves that comes from Python.

use super::graph::Graph;
use super::{Classes, Edge, Moved};
use crate::bits::{BitTest, Place};

type Pairs = Vec<(u32, u64)>;

/// A free move: its counter, and (field, number) pairs that it tests, misses and sets.
pub type MoveGiven = (u16, Pairs, Pairs, Pairs);

/// Free moves over fields; a field is identified by its index.
pub struct Given {
    /// (offset, bits, values), in the order in which states are compared.
    pub fields: Vec<(u32, u32, u64)>,
    /// The fields that moves write.
    pub moved: Vec<u32>,
    pub edges: Vec<MoveGiven>,
    /// Mutexes: two (field, number) pairs that no reachable state contains together.
    pub excluded: Vec<((u32, u64), (u32, u64))>,
    pub checked: bool,
}

impl Classes {
    pub fn new(given: &Given) -> Classes {
        let mut made = Classes { checked: given.checked, ..Classes::default() };
        made.fields.extend(given.fields.iter().map(|one| Place::new(one.0, one.1)));
        let mut ways = 1_u64;
        for &field in given.moved.iter().rev() {
            let values = given.fields[field as usize].2;
            let place = made.fields[field as usize];
            made.moved.push(Moved { place, values, stride: ways, first: 0 });
            ways *= values;
        }
        made.ways = ways as usize;
        made.moved.reverse();
        let mut values = 0;
        for moved in &mut made.moved {
            moved.first = values;
            values += 1 << moved.place.bits();
        }
        made.edges.resize_with(values, Vec::new);
        made.excluded.resize_with(values, Vec::new);
        made.fill(given);
        made.graph = Graph::of(&made);
        made
    }

    fn fill(&mut self, given: &Given) {
        for one in &given.edges {
            let (from, edge) = self.edge(one, given);
            self.edges[from].push(edge);
        }
        for &(one, other) in &given.excluded {
            let bits = [self.bits_of(one), self.bits_of(other)];
            let place = |(field, _)| given.moved.iter().position(|&moved| moved == field);
            let (at, value, rest) = match (place(one), place(other)) {
                (Some(at), _) => (at, one.1, bits[1]),
                (None, Some(at)) => (at, other.1, bits[0]),
                (None, None) => {
                    self.pairs.push(bits);
                    continue;
                }
            };
            self.excluded[self.moved[at].first + value as usize].push(rest);
        }
    }

    fn bits_of(&self, (field, number): (u32, u64)) -> BitTest {
        let place = self.fields[field as usize];
        let (mask, value) = (place.mask << place.shift, number << place.shift);
        BitTest { word: place.word, mask, value }
    }

    /// A move, and where it belongs among the edges.
    fn edge(&self, (counter, tests, misses, sets): &MoveGiven, given: &Given) -> (usize, Edge) {
        let held = |field| tests.iter().find(|one| one.0 == field).map(|one| one.1);
        let (mut turn, mut from) = (0, None);
        for &(field, number) in sets {
            let at = given.moved.iter().position(|&moved| moved == field);
            let at = at.expect("only fields that move are written");
            let before = held(field).expect("what is written is tested");
            let moved = &self.moved[at];
            turn += (number as i64 - before as i64) * moved.stride as i64;
            if from.is_none_or(|(first, _, _)| at < first) {
                from = Some((at, moved.first + before as usize, field));
            }
        }
        let (_, from, known) = from.expect("a move writes something");
        let mut tested: Vec<BitTest> = Vec::new();
        for &one in tests.iter().filter(|one| one.0 != known) {
            let bits = self.bits_of(one);
            match tested.iter_mut().find(|other| other.word == bits.word) {
                Some(other) => {
                    other.mask |= bits.mask;
                    other.value |= bits.value;
                }
                None => tested.push(bits),
            }
        }
        let missed: Vec<BitTest> = misses.iter().map(|&one| self.bits_of(one)).collect();
        let test = tested.pop().unwrap_or(BitTest { word: 0, mask: 0, value: 0 });
        let asks_more = !tested.is_empty() || !missed.is_empty();
        let more = asks_more.then(|| Box::new([tested, missed]));
        (from, Edge { test, more, counter: *counter, turn })
    }
}

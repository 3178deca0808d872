//! Builds `Classes` from the description of free moves that comes from Python.

use super::graph::Graph;
use super::{Bits, Classes, Edge, Moved, Place, Range};

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
        for &(offset, bits, _) in &given.fields {
            let (word, shift, mask) = ((offset / 64) as u16, offset % 64, (1 << bits) - 1);
            made.fields.push(Place { word, shift, mask });
        }
        let mut ways = 1_u64;
        let mut groups = 0;
        for &field in given.moved.iter().rev() {
            let values = given.fields[field as usize].2;
            let place = made.fields[field as usize];
            made.moved.push(Moved { place, values, stride: ways, groups: 0 });
            ways *= values;
        }
        made.ways = ways as usize;
        made.moved.reverse();
        for moved in &mut made.moved {
            moved.groups = groups;
            groups += 1 << moved.place.mask.count_ones();
        }
        made.fill(groups as usize, given);
        made.graph = Graph::of(&made);
        made
    }

    fn fill(&mut self, groups: usize, given: &Given) {
        let mut edges: Vec<Vec<Edge>> = (0..groups).map(|_| Vec::new()).collect();
        for one in &given.edges {
            let (group, edge) = self.edge(one, given);
            edges[group].push(edge);
        }
        for group in edges {
            let from = self.edges.len() as u32;
            self.edges.extend(group);
            self.groups.push((from, self.edges.len() as u32));
        }
        let mut beside: Vec<Vec<Bits>> = (0..groups).map(|_| Vec::new()).collect();
        for &(one, other) in &given.excluded {
            let bits = [self.bits_of(one), self.bits_of(other)];
            let place = |(field, _)| given.moved.iter().position(|&moved| moved == field);
            let (at, value, rest) = match (place(one), place(other)) {
                (Some(at), _) => (at, one.1, bits[1]),
                (None, Some(at)) => (at, other.1, bits[0]),
                (None, None) => {
                    self.pairs.extend(bits);
                    continue;
                }
            };
            beside[self.moved[at].groups as usize + value as usize].push(rest);
        }
        for group in beside {
            let range = self.ranged(group);
            self.excluded.push(range);
        }
    }

    fn bits_of(&self, (field, number): (u32, u64)) -> Bits {
        let place = self.fields[field as usize];
        let (mask, value) = (place.mask << place.shift, number << place.shift);
        Bits { word: place.word, mask, value }
    }

    fn ranged(&mut self, bits: Vec<Bits>) -> Range {
        let from = self.bits.len() as u32;
        self.bits.extend(bits);
        (from, self.bits.len() as u32)
    }

    fn edge(&mut self, (counter, tests, misses, sets): &MoveGiven, given: &Given) -> (usize, Edge) {
        let held = |field| tests.iter().find(|one| one.0 == field).map(|one| one.1);
        let (mut turn, mut group) = (0, None);
        for &(field, number) in sets {
            let at = given.moved.iter().position(|&moved| moved == field);
            let at = at.expect("only fields that move are written");
            let before = held(field).expect("what is written is tested");
            let moved = &self.moved[at];
            turn += (number as i64 - before as i64) * moved.stride as i64;
            if group.is_none_or(|(first, _, _)| at < first) {
                group = Some((at, moved.groups as usize + before as usize, field));
            }
        }
        let (_, group, known) = group.expect("a move writes something");
        let mut tested: Vec<Bits> = Vec::new();
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
        let missed: Vec<Bits> = misses.iter().map(|&one| self.bits_of(one)).collect();
        let test = tested.pop().unwrap_or(Bits { word: 0, mask: 0, value: 0 });
        let asks_more = !tested.is_empty() || !missed.is_empty();
        let (more, misses) = (self.ranged(tested), self.ranged(missed));
        (group, Edge { test, asks_more, counter: *counter, more, misses, turn })
    }
}

//! Free moves as they are handed over, checked and laid out.

use super::graph::Graph;
use super::{Bits, Classes, Edge, Moved, Place, Range};

/// So many ways to fill the fields that move, at most: a set of so many bits is kept.
const MOST_WAYS: u64 = 1 << 16;

type Pairs = Vec<(u32, u64)>;

/// A free move: its counter, and (field, number) pairs that it tests, misses and sets.
pub type MoveGiven = (u16, Pairs, Pairs, Pairs);

/// Free moves over fields, which are named by their numbers.
pub struct Given {
    /// (offset, bits, values), in the order in which states are compared.
    pub fields: Vec<(u32, u32, u64)>,
    /// Those that moves write.
    pub moved: Vec<u32>,
    pub edges: Vec<MoveGiven>,
    /// Two (field, number) pairs each that never hold together.
    pub excluded: Vec<((u32, u64), (u32, u64))>,
    pub checked: bool,
}

impl Classes {
    /// What is wrong comes back in words. `words`: the length of a state; `counters`: how many.
    pub fn new(words: u16, counters: u16, given: &Given) -> Result<Classes, String> {
        let mut made = Classes {
            fields: Vec::new(),
            moved: Vec::new(),
            groups: Vec::new(),
            edges: Vec::new(),
            bits: Vec::new(),
            excluded: Vec::new(),
            pairs: Vec::new(),
            ways: 0,
            checked: given.checked,
            graph: None,
        };
        for (number, &(offset, bits, values)) in given.fields.iter().enumerate() {
            let (word, shift) = (offset / 64, offset % 64);
            let fits = (1..64).contains(&bits) && shift + bits <= 64 && word < u32::from(words);
            if !fits || values == 0 || values > 1 << bits {
                return Err(format!("field {number}: {values} values in {bits} bits at {offset}"));
            }
            let mask = (1 << bits) - 1;
            made.fields.push(Place { word: word as u16, shift, mask });
        }
        let mut ways = 1_u64;
        let mut groups = 0;
        for &field in given.moved.iter().rev() {
            let values = given.fields.get(field as usize).ok_or("no such field")?.2;
            let place = made.fields[field as usize];
            made.moved.push(Moved { place, values, stride: ways, groups: 0 });
            ways = ways.saturating_mul(values);
        }
        if ways > MOST_WAYS {
            return Err(format!("there are {ways} ways to fill the fields that move"));
        }
        made.ways = ways as usize;
        made.moved.reverse();
        for moved in &mut made.moved {
            moved.groups = groups;
            groups += 1 << moved.place.mask.count_ones();
        }
        if groups > 1 << 20 {
            return Err("the fields that move are too wide".into());
        }
        made.fill(counters, groups as usize, given)?;
        made.graph = Graph::of(&made);
        Ok(made)
    }

    fn fill(&mut self, counters: u16, groups: usize, given: &Given) -> Result<(), String> {
        let mut edges: Vec<Vec<Edge>> = (0..groups).map(|_| Vec::new()).collect();
        for (number, one) in given.edges.iter().enumerate() {
            let told = |why: String| format!("move {number}: {why}");
            if one.0 >= counters {
                return Err(told(format!("counter {} of {counters}", one.0)));
            }
            let (group, edge) = self.edge(one, given).map_err(told)?;
            edges[group].push(edge);
        }
        for group in edges {
            let from = self.edges.len() as u32;
            self.edges.extend(group);
            self.groups.push((from, self.edges.len() as u32));
        }
        let mut beside: Vec<Vec<Bits>> = (0..groups).map(|_| Vec::new()).collect();
        for &(one, other) in &given.excluded {
            let bits = [self.bits_of(one)?, self.bits_of(other)?];
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
        Ok(())
    }

    fn bits_of(&self, (field, number): (u32, u64)) -> Result<Bits, String> {
        let place = self.fields.get(field as usize).ok_or(format!("no field {field}"))?;
        if number > place.mask {
            return Err(format!("{number} does not fit field {field}"));
        }
        let (mask, value) = (place.mask << place.shift, number << place.shift);
        Ok(Bits { word: place.word, mask, value })
    }

    fn ranged(&mut self, bits: Vec<Bits>) -> Range {
        let from = self.bits.len() as u32;
        self.bits.extend(bits);
        (from, self.bits.len() as u32)
    }

    fn edge(
        &mut self,
        (counter, tests, misses, sets): &MoveGiven,
        given: &Given,
    ) -> Result<(usize, Edge), String> {
        let held = |field| tests.iter().find(|one| one.0 == field).map(|one| one.1);
        let (mut turn, mut group) = (0, None);
        for &(field, number) in sets {
            let at = given.moved.iter().position(|&moved| moved == field);
            let at = at.ok_or(format!("it writes field {field}, which does not move"))?;
            let before = held(field).ok_or(format!("it does not test field {field}"))?;
            let moved = &self.moved[at];
            if before >= moved.values || number >= moved.values {
                return Err(format!("field {field} holds no {}", before.max(number)));
            }
            turn += (number as i64 - before as i64) * moved.stride as i64;
            if group.is_none_or(|(first, _, _)| at < first) {
                group = Some((at, moved.groups as usize + before as usize, field));
            }
        }
        let (_, group, known) = group.ok_or("it writes nothing")?;
        let mut tested: Vec<Bits> = Vec::new();
        for &one in tests.iter().filter(|one| one.0 != known) {
            let bits = self.bits_of(one)?;
            match tested.iter_mut().find(|other| other.word == bits.word) {
                Some(other) => {
                    other.mask |= bits.mask;
                    other.value |= bits.value;
                }
                None => tested.push(bits),
            }
        }
        let missed = misses.iter().map(|&one| self.bits_of(one)).collect::<Result<Vec<_>, _>>()?;
        let test = tested.pop().unwrap_or(Bits { word: 0, mask: 0, value: 0 });
        let asks_more = !tested.is_empty() || !missed.is_empty();
        let (more, misses) = (self.ranged(tested), self.ranged(missed));
        Ok((group, Edge { test, asks_more, counter: *counter, more, misses, turn }))
    }
}

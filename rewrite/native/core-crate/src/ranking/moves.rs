//! Ground rules on the unpacked fields of a state.

use super::index::{Index, Part};
use crate::estimates::lists::Lists;

/// A ground rule: if all tests and no misses hold, it sets and copies fields.
#[derive(Clone, Debug, Default)]
pub struct Move {
    /// (field, value)
    pub tests: Vec<(usize, u8)>,
    pub misses: Vec<(usize, u8)>,
    pub sets: Vec<(usize, u8)>,
    /// (field, the field whose value it receives)
    pub copies: Vec<(usize, usize)>,
}

/// Generates the successors of a numbered state, possibly with duplicates.
pub trait Expander {
    fn each(&mut self, index: u32, act: &mut impl FnMut(u32));
}

/// Moves that test the same fields, indexed by the values tested.
struct Group {
    /// Each field and its stride in the place.
    fields: Vec<(usize, usize)>,
    radix: u8,
    /// The moves by place.
    moves: Lists,
}

/// The most places of a group; a larger group gets a single place, and every move is tried.
const MOST_PLACES: usize = 1 << 16;

impl Group {
    /// `chosen`: the moves of the group, by number.
    fn new(moves: &[Move], chosen: &[u32]) -> Group {
        let tests = |number: u32| moves[number as usize].tests.iter();
        let most = chosen.iter().flat_map(|&one| tests(one)).map(|&(_, value)| value).max();
        let radix = most.unwrap_or(0).saturating_add(1);
        let count = moves[chosen[0] as usize].tests.len() as u32;
        let places = usize::from(radix).checked_pow(count).filter(|&size| size <= MOST_PLACES);
        let fields: Vec<(usize, usize)> = match places {
            None => Vec::new(),
            Some(_) => {
                let stride = |at: usize| usize::from(radix).pow(at as u32);
                tests(chosen[0]).enumerate().map(|(at, &(field, _))| (field, stride(at))).collect()
            }
        };
        let mut listed = vec![Vec::new(); places.unwrap_or(1)];
        for &one in chosen {
            let values = tests(one).zip(&fields);
            let place: usize = values.map(|(&(_, v), &(_, by))| usize::from(v) * by).sum();
            listed[place].push(one);
        }
        Group { fields, radix, moves: listed.iter().collect() }
    }

    fn all(moves: &[Move]) -> Vec<Group> {
        let mut chosen: Vec<(Vec<usize>, Vec<u32>)> = Vec::new();
        for (number, one) in moves.iter().enumerate() {
            let fields: Vec<usize> = one.tests.iter().map(|&(field, _)| field).collect();
            match chosen.iter_mut().find(|(known, _)| *known == fields) {
                Some((_, numbers)) => numbers.push(number as u32),
                None => chosen.push((fields, vec![number as u32])),
            }
        }
        chosen.iter().map(|(_, numbers)| Group::new(moves, numbers)).collect()
    }

    #[inline]
    fn fitting(&self, held: &[u8]) -> &[u32] {
        let mut place = 0;
        for &(field, stride) in &self.fields {
            if held[field] >= self.radix {
                return &[];
            }
            place += usize::from(held[field]) * stride;
        }
        self.moves.get(place)
    }
}

/// Unpacks every state and repacks what a rule changes: works for all rules.
pub struct Unpacking<'a> {
    index: &'a Index,
    moves: &'a [Move],
    held: Vec<u8>,
    made: Vec<u8>,
    /// By move: the permutations it changes.
    permuted: Vec<Vec<usize>>,
    groups: Vec<Group>,
    /// By move: what it adds to the index, if that is the same in all states.
    fixed: Vec<Option<u32>>,
    /// By field: what each value adds to the index; None for permuted fields.
    digits: Vec<Option<Box<[u32; 256]>>>,
}

impl<'a> Unpacking<'a> {
    /// The size of the index is below 2^32.
    pub fn new(index: &'a Index, moves: &'a [Move]) -> Unpacking<'a> {
        let mut digits: Vec<Option<Box<[u32; 256]>>> = vec![None; index.held.len()];
        for (number, part) in index.parts.iter().enumerate() {
            if let Part::Digit { field, values } = part {
                let mut adds = Box::new([0; 256]);
                for (at, &value) in values.iter().enumerate() {
                    adds[value as usize] = at as u32 * index.stride(number) as u32;
                }
                digits[*field] = Some(adds);
            }
        }
        let changed = |one: &Move| {
            let touched = |fields: &[usize]| one.written().any(|field| fields.contains(&field));
            let parts = index.parts.iter().enumerate();
            parts
                .filter(
                    |(_, part)| matches!(part, Part::Permuted { fields, .. } if touched(fields)),
                )
                .map(|(number, _)| number)
                .collect()
        };
        let permuted = moves.iter().map(changed).collect();
        let (held, made) = (index.held.clone(), index.held.clone());
        let groups = Group::all(moves);
        let fixed = moves.iter().map(|one| one.adds(&digits)).collect();
        Unpacking { index, moves, held, made, permuted, groups, fixed, digits }
    }
}

impl Move {
    fn written(&self) -> impl Iterator<Item = usize> {
        let sets = self.sets.iter().map(|&(field, _)| field);
        sets.chain(self.copies.iter().map(|&(field, _)| field))
    }

    /// What it adds to a state's index: known if it sets only digits that it tests.
    fn adds(&self, digits: &[Option<Box<[u32; 256]>>]) -> Option<u32> {
        let add = |&(field, new): &(usize, u8)| {
            let (_, old) = self.tests.iter().find(|(tested, _)| *tested == field)?;
            let adds = digits[field].as_ref()?;
            Some(adds[new as usize].wrapping_sub(adds[*old as usize]))
        };
        let adds: Option<Vec<u32>> = self.sets.iter().map(add).collect();
        adds.filter(|_| self.copies.is_empty())
            .map(|all| all.into_iter().fold(0, |sum: u32, one| sum.wrapping_add(one)))
    }

    pub fn applies(&self, held: &[u8]) -> bool {
        self.tests.iter().all(|&(field, value)| held[field] == value)
            && self.misses.iter().all(|&(field, value)| held[field] != value)
    }

    pub fn made(&self, held: &[u8]) -> Vec<u8> {
        let mut made = held.to_vec();
        self.make(held, &mut made);
        made
    }

    fn make(&self, held: &[u8], made: &mut [u8]) {
        for &(field, value) in &self.sets {
            made[field] = value;
        }
        for &(field, from) in &self.copies {
            made[field] = held[from];
        }
    }
}

impl Expander for Unpacking<'_> {
    fn each(&mut self, index: u32, act: &mut impl FnMut(u32)) {
        self.index.unpack(index.into(), &mut self.held);
        self.made.copy_from_slice(&self.held);
        for &number in self.groups.iter().flat_map(|group| group.fitting(&self.held)) {
            let (one, permuted) = (&self.moves[number as usize], &self.permuted[number as usize]);
            if !one.applies(&self.held) {
                continue;
            }
            if let Some(by) = self.fixed[number as usize] {
                act(index.wrapping_add(by));
                continue;
            }
            one.make(&self.held, &mut self.made);
            let mut made = index;
            for field in one.written() {
                if let Some(adds) = &self.digits[field] {
                    let (new, old) = (self.made[field], self.held[field]);
                    let by = adds[new as usize].wrapping_sub(adds[old as usize]);
                    made = made.wrapping_add(by);
                }
            }
            for &part in permuted {
                let (new, old) = (&self.made, &self.held);
                let by = self.index.part(part, new).wrapping_sub(self.index.part(part, old));
                made = made.wrapping_add(by.wrapping_mul(self.index.stride(part)) as u32);
            }
            act(made);
            for field in one.written() {
                self.made[field] = self.held[field];
            }
        }
    }
}

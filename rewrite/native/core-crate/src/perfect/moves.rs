//! Ground rules on the unpacked fields of a state.

use super::index::Index;

/// One ground rule: it applies where tests hold and misses do not, and then sets and copies fields.
#[derive(Clone, Debug, Default)]
pub struct Move {
    /// (field, value)
    pub tests: Vec<(usize, u8)>,
    pub misses: Vec<(usize, u8)>,
    pub sets: Vec<(usize, u8)>,
    /// (field, the field whose value it gets)
    pub copies: Vec<(usize, usize)>,
}

/// Gives the successors of a state by number, in the order of the rules, perhaps one several times.
pub trait Expander {
    fn each(&mut self, index: u32, act: &mut impl FnMut(u32));
}

/// Unpacks every state, and packs every successor: for rules of any kind.
pub struct Unpacking<'a> {
    index: &'a Index,
    moves: &'a [Move],
    held: Vec<u8>,
    made: Vec<u8>,
}

impl<'a> Unpacking<'a> {
    pub fn new(index: &'a Index, moves: &'a [Move]) -> Unpacking<'a> {
        Unpacking { index, moves, held: index.held.clone(), made: index.held.clone() }
    }
}

impl Move {
    pub fn applies(&self, held: &[u8]) -> bool {
        self.tests.iter().all(|&(field, value)| held[field] == value)
            && self.misses.iter().all(|&(field, value)| held[field] != value)
    }

    pub fn make(&self, held: &[u8], made: &mut [u8]) {
        made.copy_from_slice(held);
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
        self.index.unpack(u64::from(index), &mut self.held);
        for one in self.moves {
            if one.applies(&self.held) {
                one.make(&self.held, &mut self.made);
                act(self.index.pack(&self.made) as u32);
            }
        }
    }
}

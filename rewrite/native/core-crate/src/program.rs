//! A program: instructions and the tables they refer to. Only the project's own compiler writes
//! programs, so nothing is checked: a number out of range causes a panic, which ends the search.

use std::collections::HashMap;

use crate::canon::{Canon, Symmetries};
use crate::classes::Classes;
use crate::estimates::{Estimator, Place};
pub use crate::ground::{BitTest, Form};
use crate::ground::{Ranks, Source};
pub use crate::instr::*;
use crate::store::{Direction, Layout};
use crate::value::{Kind, Val};

/// Rounds of `simplify` before giving up.
pub const MOST_ROUNDS: usize = 10_000;
/// No position in the code.
pub const NOWHERE: Pc = Pc::MAX;

#[derive(Debug, Clone, Default)]
pub struct Function {
    pub entry: Pc,
    /// The registers, parameters first; the constants follow them.
    pub registers: u16,
    pub constants: Vec<Val>,
    pub lists: u16,
}

/// Maps a tuple of values to rows of (place, value).
#[derive(Debug, Default)]
pub struct Index {
    pub rows: Vec<(u32, Val)>,
    pub by_key: HashMap<Box<[Val]>, (u32, u32)>,
}

/// The slots of one family, with the value of each slot number.
#[derive(Debug, Clone)]
pub struct Family {
    pub bits: u32,
    pub closed: bool,
    /// By number, from 0.
    pub values: Vec<Val>,
}

/// A change that depends on the values of slots; see `compile/slots/changes.py`.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// (family, offset of the slot in the state, if any)
    pub slots_read: Vec<(u16, Option<u32>)>,
    /// For each value put, the index in `slots_read` of the slot it is written to.
    pub targets: Vec<u16>,
    /// What changing single bits adds to each word.
    pub atoms: Vec<(u16, u64)>,
    /// Values of the ground variables, the first arguments of the residual function.
    pub ground: Vec<Val>,
}

#[derive(Debug, Clone)]
pub struct Table {
    pub lookups: Vec<Lookup>,
    /// The bits read, as (word, bits).
    pub reads: Vec<(u16, u64)>,
    pub residual: u16,
    /// Equal outcomes count separately.
    pub every: bool,
}

#[derive(Debug, Clone)]
pub enum Encoding {
    /// Groups of sorted values, with the kind of value in each. `nibbles`: whether a group of ints
    /// below 16 is written out as a short tuple if others follow. This pays where most groups of
    /// ints are such: keys of different lengths take a word more.
    Groups { kinds: Vec<Kind>, nibbles: bool },
    /// Slots and bits, in this many words.
    Slots(usize),
}

impl Default for Encoding {
    fn default() -> Encoding {
        Encoding::Groups { kinds: Vec::new(), nibbles: false }
    }
}

impl Encoding {
    /// The kinds of a state's groups; empty with slots.
    #[inline]
    pub fn groups(&self) -> &[Kind] {
        match self {
            Encoding::Groups { kinds, .. } => kinds,
            Encoding::Slots(_) => &[],
        }
    }

    /// The number of words in a state's slots; 0 with groups.
    #[inline]
    pub fn words(&self) -> usize {
        match *self {
            Encoding::Groups { .. } => 0,
            Encoding::Slots(words) => words,
        }
    }

    #[inline]
    pub fn nibbles(&self) -> bool {
        matches!(self, Encoding::Groups { nibbles: true, .. })
    }

    /// Identifies the key format in a checkpoint.
    pub fn form(&self) -> [u32; 2] {
        match self {
            Encoding::Groups { kinds, nibbles } => [u32::from(*nibbles) << 1, kinds.len() as u32],
            Encoding::Slots(words) => [1, *words as u32],
        }
    }
}

#[derive(Debug, Default)]
pub struct Program {
    pub encoding: Encoding,
    pub code: Code,
    pub functions: Vec<Function>,
    /// (from, to, handler), inner ones first.
    pub handlers: Vec<(Pc, Pc, Pc)>,
    pub sets: Vec<std::collections::HashSet<Val>>,
    pub states: Vec<std::collections::HashSet<Box<[u32]>>>,
    pub indexes: Vec<Index>,
    pub families: Vec<Family>,
    pub tables: Vec<Table>,
    pub counters: u16,
    /// Numbers of the special functions.
    pub successors: u16,
    pub predecessors: Option<u16>,
    pub goal: Option<u16>,
    pub objective: Option<u16>,
    pub heuristic: Option<u16>,
    /// Derived from the rules alone; takes precedence over an external one.
    pub estimate: Option<Estimator>,
    /// If the heuristic is a sum over some fields: these fields.
    pub sum: Option<Vec<Place>>,
    pub simplify: Vec<u16>,
    /// What decides between the results of its rules; only with slots.
    pub ranks: Ranks,
    /// The symmetries whose states are identified; only with slots.
    pub canon: Option<Symmetries>,
    /// The free moves that join states into classes; only with slots.
    pub classes: Option<Classes>,
    /// The functions that run as kernels on states in slots, by number.
    pub kernels: Vec<(u16, Source)>,
    /// The layout of its state tables. Changes no answer.
    pub layout: Layout,
}

impl Program {
    pub fn empty(encoding: Encoding) -> Program {
        Program { encoding, ..Program::default() }
    }

    #[inline]
    pub fn tests(&self, tests: Tests) -> &[BitTest] {
        &self.code.bits[tests.first as usize..][..usize::from(tests.len)]
    }

    #[inline]
    pub fn list(&self, list: List) -> &[Reg] {
        &self.code.lists[list.range()]
    }

    /// Whether a function depends on its arguments alone, not on the state. Calling a function counts
    /// as depending on the state.
    pub fn is_stateless(&self, function: u16) -> bool {
        use Instr::*;
        let entry = self.functions[usize::from(function)].entry as usize;
        let others = self.functions.iter().map(|one| one.entry as usize);
        let end = others.filter(|&other| other > entry).min().unwrap_or(self.code.instrs.len());
        !self.code.instrs[entry..end].iter().any(|one| {
            matches!(
                one,
                Bits { .. }
                    | BitCount { .. }
                    | TableInit { .. }
                    | TableNext { .. }
                    | TableAny { .. }
                    | Call { .. }
                    | OutsideSlots { .. }
                    | OutsideState { .. }
                    | AnySuccessor { .. }
                    | InStates { .. }
            )
        })
    }

    /// The value a function returns for every state, if it does nothing else.
    pub fn constant(&self, function: u16) -> Option<Val> {
        let function = &self.functions[usize::from(function)];
        match self.code.instrs.get(function.entry as usize) {
            Some(&Instr::Return { a }) => {
                let number = usize::from(a.checked_sub(function.registers)?);
                function.constants.get(number).copied()
            }
            _ => None,
        }
    }

    /// For each position in the code, where to continue when arithmetic has no value, or `NOWHERE`.
    pub fn handler_places(&self) -> Vec<Pc> {
        let mut places = vec![NOWHERE; self.code.instrs.len()];
        for &(from, to, handler) in &self.handlers {
            for one in &mut places[from as usize..to as usize] {
                if *one == NOWHERE {
                    *one = handler; // inner ones come first
                }
            }
        }
        places
    }

    /// The symmetries whose states are identified, if they are listed.
    pub fn listed(&self) -> Option<&Canon> {
        match &self.canon {
            Some(Symmetries::Listed(canon)) => Some(canon),
            _ => None,
        }
    }

    /// The function that generates all successors of a state.
    #[inline]
    pub fn expansion(&self, direction: Direction) -> u16 {
        match direction {
            Direction::Forward => self.successors,
            Direction::Backward => self.predecessors.expect("rules that go backwards"),
        }
    }
}

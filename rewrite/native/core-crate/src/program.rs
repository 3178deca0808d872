//! A program: instructions and what they refer to. Only the project's own compiler writes programs, and
//! nothing checks them: a number that points nowhere ends in a panic, which ends the search.

use std::collections::HashMap;

use crate::canon::Symmetries;
use crate::classes::Classes;
use crate::estimates::{Estimator, Place};
use crate::ground::Source;
pub use crate::ground::{BitTest, Form};
pub use crate::instr::*;
use crate::store::{Direction, Layout};
use crate::value::{Kind, Val};

/// No place in the code.
pub const NOWHERE: Pc = Pc::MAX;

#[derive(Debug, Clone, Default)]
pub struct Function {
    pub entry: Pc,
    /// Registers of its own, the parameters first; behind them stand its constants.
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

/// The slots of one family: the values of their numbers.
#[derive(Debug, Clone)]
pub struct Family {
    pub bits: u32,
    pub closed: bool,
    /// Numbers begin at 0.
    pub values: Vec<Val>,
}

/// A change that depends on what slots hold; see `compile/slots/changes.py`.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// (family, offset of the slot in the state, or none)
    pub slots_read: Vec<(u16, Option<u32>)>,
    /// For each value put, which of the slots_read it is written to.
    pub targets: Vec<u16>,
    /// What the change of single bits adds to each word.
    pub atoms: Vec<(u16, u64)>,
    /// Values of the ground variables that the residual function takes first.
    pub ground: Vec<Val>,
}

#[derive(Debug, Clone)]
pub struct Table {
    pub lookups: Vec<Lookup>,
    /// The bits that are read, as (word, bits).
    pub reads: Vec<(u16, u64)>,
    pub residual: u16,
    /// Equal outcomes count one by one.
    pub every: bool,
}

/// How states are stored.
#[derive(Debug, Clone)]
pub enum Encoding {
    /// Groups of sorted values; the kind of value that each holds.
    Groups(Vec<Kind>),
    /// Slots and bits, in this many words.
    Slots(usize),
}

impl Default for Encoding {
    fn default() -> Encoding {
        Encoding::Groups(Vec::new())
    }
}

impl Encoding {
    /// The kinds of the groups of a state; none with slots.
    #[inline]
    pub fn groups(&self) -> &[Kind] {
        match self {
            Encoding::Groups(kinds) => kinds,
            Encoding::Slots(_) => &[],
        }
    }

    /// How many words the slots of a state take; 0 with groups.
    #[inline]
    pub fn words(&self) -> usize {
        match *self {
            Encoding::Groups(_) => 0,
            Encoding::Slots(words) => words,
        }
    }

    /// Identifies the form of keys in a checkpoint.
    pub fn form(&self) -> [u32; 2] {
        match self {
            Encoding::Groups(kinds) => [0, kinds.len() as u32],
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
    /// Numbers of the functions that play a part.
    pub successors: u16,
    pub predecessors: Option<u16>,
    pub goal: Option<u16>,
    pub objective: Option<u16>,
    pub heuristic: Option<u16>,
    /// Derived from the rules alone; takes precedence over one outside.
    pub estimate: Option<Estimator>,
    /// Where the heuristic is a sum of what each of some fields adds: these fields.
    pub sum: Option<Vec<Place>>,
    pub simplify: Vec<u16>,
    /// The symmetries under which states are one; only with slots.
    pub canon: Option<Symmetries>,
    /// The free moves that join states to classes; only with slots.
    pub classes: Option<Classes>,
    /// The functions that are run on states in slots as kernels, by number.
    pub kernels: Vec<(u16, Source)>,
    /// How the tables of its states are laid out. Changes no answer.
    pub layout: Layout,
}

impl Program {
    /// A program without code, to be filled.
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

    /// Whether what a function does depends on its arguments alone, and not on its state. Functions
    /// that it calls count as asking for the state.
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

    /// What a function of the machine returns for every state, where it does nothing else.
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

    /// For each place in the code, where to continue when arithmetic has no value; or `NOWHERE`.
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

    /// The function that takes one step from a state in all ways.
    #[inline]
    pub fn expansion(&self, direction: Direction) -> u16 {
        match direction {
            Direction::Forward => self.successors,
            Direction::Backward => self.predecessors.expect("rules that go backwards"),
        }
    }
}

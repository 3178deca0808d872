//! Checks a program once it is read, so that the machine can trust every number in it.
//!
//! What a program does depends on the values in its registers, too; that is not checked. But whatever
//! they are, it wrote them itself, it stays inside its tables, calls come to an end, and no loop runs on
//! without spending fuel, so that limits and interrupts end every run.

mod calls;
mod code;
mod parts;
mod registers;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::instr::Pc;
use crate::program::{Encoding, Program, Table};

/// What cannot be run, or not here.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// A bug of whoever wrote the program.
    Malformed(String),
    /// The other engine can.
    TooLarge(String),
}

impl From<String> for Refused {
    fn from(why: String) -> Refused {
        Refused::Malformed(why)
    }
}

type Check = Result<(), String>;

/// Words of a state in slots, at most.
const MOST_WORDS: u16 = 64;
/// Groups of a multiset, at most.
const MOST_GROUPS: usize = 64;

/// Checks a program. What is wrong comes back in words.
pub fn verify(p: &Program) -> Result<(), Refused> {
    let places = p.code.len();
    Verifier {
        p,
        owner: vec![NOBODY; places],
        visits: vec![Visit::Never; places],
        handlers: Vec::new(),
        left: Vec::with_capacity(places),
    }
    .run()
}

const NOBODY: u32 = u32::MAX;

struct Verifier<'a> {
    p: &'a Program,
    /// By place in the code: the function to which it belongs.
    owner: Vec<u32>,
    visits: Vec<Visit>,
    /// By place in the code: see `Program::handler_places`.
    handlers: Vec<Pc>,
    /// The places of one function after the other, each when all that follows it was looked at.
    left: Vec<Pc>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Never,
    /// What follows it is being looked at.
    Open,
    Done,
}

impl Verifier<'_> {
    fn run(mut self) -> Result<(), Refused> {
        self.encoding()?;
        self.tables()?;
        self.check_handlers()?;
        self.handlers = self.p.handler_places();
        let mut calls = Vec::with_capacity(self.p.functions.len());
        for number in 0..self.p.functions.len() {
            calls.push(self.function(number)?);
        }
        self.roots()?;
        self.depths(&calls)?;
        Ok(self.registers(&calls)?)
    }

    fn slots(&self) -> Option<u16> {
        match self.p.encoding {
            Encoding::Slots(words) => Some(words),
            Encoding::Groups(_) => None,
        }
    }

    fn groups(&self) -> Option<usize> {
        match &self.p.encoding {
            Encoding::Slots(_) => None,
            Encoding::Groups(heads) => Some(heads.len()),
        }
    }

    fn encoding(&self) -> Check {
        let sound = match &self.p.encoding {
            Encoding::Slots(words) => (1..=MOST_WORDS).contains(words),
            Encoding::Groups(heads) => (1..=MOST_GROUPS).contains(&heads.len()),
        };
        let functions = self.p.functions.len();
        if functions > usize::from(u16::MAX) || self.p.code.len() >= NOBODY as usize {
            return Err(format!("{functions} functions are too many"));
        }
        if sound { Ok(()) } else { Err("states of no size, or too large".into()) }
    }

    fn word(&self, word: u16) -> Check {
        let fits = self.slots().is_some_and(|words| word < words);
        if fits { Ok(()) } else { Err(format!("there is no word {word} in a state")) }
    }

    // -- what instructions refer to --------------------------------------------------------

    fn tables(&self) -> Check {
        let p = self.p;
        p.bits.iter().try_for_each(|test| self.word(test.word))?;
        for form in &p.forms {
            form.changes.iter().try_for_each(|&(word, _, _)| self.word(word))?;
            for &(from, to, _, shift) in &form.moves {
                self.word(from)?;
                self.word(to)?;
                if shift.unsigned_abs() >= 64 {
                    return Err(format!("a field is moved by {shift} bits"));
                }
            }
        }
        if let Some(family) = p.families.iter().find(|family| family.bits > 64) {
            return Err(format!("a slot of {} bits", family.bits));
        }
        p.tables.iter().enumerate().try_for_each(|(number, table)| {
            self.table(table).map_err(|why| format!("table {number}: {why}"))
        })
    }

    fn table(&self, table: &Table) -> Check {
        table.reads.iter().try_for_each(|&(word, _)| self.word(word))?;
        let Some(residual) = self.p.functions.get(usize::from(table.residual)) else {
            return Err(format!("there is no function {}", table.residual));
        };
        for lookup in &table.lookups {
            lookup.atoms.iter().try_for_each(|&(word, _)| self.word(word))?;
            for &(family, offset) in &lookup.spots {
                let Some(family) = self.p.families.get(usize::from(family)) else {
                    return Err(format!("there are no slots of family {family}"));
                };
                let Some(offset) = offset else { continue };
                self.word(u16::try_from(offset / 64).unwrap_or(u16::MAX))?;
                if offset % 64 + family.bits > 64 {
                    return Err(format!("a slot at {offset} crosses the border of a word"));
                }
            }
            if lookup.targets.iter().any(|&one| usize::from(one) >= lookup.spots.len()) {
                return Err("a value is written to no spot".into());
            }
            let given = lookup.ground.len() + lookup.spots.len();
            if given > usize::from(residual.registers) {
                return Err(format!("{given} values for function {}", residual.name));
            }
        }
        Ok(())
    }

    fn check_handlers(&self) -> Check {
        let end = self.p.code.len() as Pc;
        let sound = |&(from, to, handler): &(Pc, Pc, Pc)| from <= to && to <= end && handler < end;
        if self.p.handlers.iter().all(sound) {
            return Ok(());
        }
        Err("a handler is outside the code".into())
    }

    fn root_numbers(&self) -> impl Iterator<Item = u16> {
        self.p.roots().chain(self.p.simplify.iter().copied())
    }

    /// Checks the functions that are run on states.
    fn roots(&self) -> Check {
        for number in self.root_numbers() {
            let Some(function) = self.p.functions.get(usize::from(number)) else {
                return Err(format!("there is no function {number}"));
            };
            if self.groups().is_some_and(|groups| groups > usize::from(function.registers)) {
                return Err(format!("function {} takes no state", function.name));
            }
        }
        Ok(())
    }
}

/// A call of a function.
struct Called {
    function: u16,
    /// How many states further it is run: 1 on the successor.
    next: usize,
    /// With how many arguments, at least; none if it never comes to be called.
    given: Option<usize>,
}

/// What a function calls, and how many states its own instructions need.
#[derive(Default)]
struct Calls {
    all: Vec<Called>,
    states: usize,
    /// Its places in `Verifier::left`.
    left: Range<usize>,
}

impl Calls {
    fn add(&mut self, function: u16, next: bool, given: Option<usize>) {
        self.all.push(Called { function, next: next.into(), given });
    }
}

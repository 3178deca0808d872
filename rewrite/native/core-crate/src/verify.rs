//! Checks a program once it is read, so that the machine can trust every number in it.
//!
//! What a program does depends on the values in its registers, too; that is not checked. But whatever
//! they are, it stays inside its tables, calls come to an end, and no loop runs on without spending
//! fuel, so that limits and interrupts end every run.

use crate::instr::*;
use crate::program::{Encoding, Function, NOWHERE, Program, Table};

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

/// Calls inside calls, at most: each takes about 1 KiB of the stack of a thread, which has 2 MiB.
const MOST_CALLS: usize = 256;
/// Words of a state in slots, at most.
const MOST_WORDS: u16 = 64;
/// Groups of a multiset, at most.
const MOST_GROUPS: usize = 64;

/// A number in an instruction, by what it points to.
enum Part {
    Reg(Reg),
    Regs(List),
    /// Pairs of which the second is a register.
    Splices(List),
    To(Pc),
    /// A list of the function.
    Local(u16),
    Set(u16),
    States(u16),
    Index(u16),
    Table(u16),
    Counter(u16),
    Form(u32),
    Bits(u32, usize),
}

/// Hands over all numbers of an instruction.
fn parts(one: Instr, act: &mut dyn FnMut(Part) -> Check) -> Check {
    use Instr::*;
    use Part::*;
    macro_rules! are {
        ($($part:expr),*) => {{
            $(act($part)?;)*
            Ok(())
        }};
    }
    match one {
        Jump { to } => are!(To(to)),
        Instr::Count { counter } => are!(Counter(counter)),
        Move { into, from } => are!(Reg(into), Reg(from)),
        Equal { a, b, to, .. } | Compare { a, b, to, .. } => are!(Reg(a), Reg(b), To(to)),
        IsKind { a, to, .. } | HasCtor { a, to, .. } | Truthy { a, to, .. } => are!(Reg(a), To(to)),
        MustBeTruth { a } | Return { a } => are!(Reg(a)),
        In { a, tuple, to, .. } => are!(Reg(a), Reg(tuple), To(to)),
        InSet { a, set, to, .. } => are!(Reg(a), Set(set), To(to)),
        FirstOfRun { place, pool, value, to } => are!(Reg(place), Reg(pool), Reg(value), To(to)),
        Arithmetic { into, a, b, .. } => are!(Reg(into), Reg(a), Reg(b)),
        Neg { into, a } | Abs { into, a } | Len { into, a } | Spread { into, a } => {
            are!(Reg(into), Reg(a))
        }
        Tuple { into, parts } => are!(Reg(into), Splices(parts)),
        Instr::Index { into, a, at } => are!(Reg(into), Reg(a), Reg(at)),
        Slice { into, a, from, to } => {
            are!(Reg(into), Reg(a), Reg(from), Reg(to.unwrap_or(from)))
        }
        Unpack { a, into } => are!(Reg(a), Regs(into)),
        Without { into, a, places } => are!(Reg(into), Reg(a), Regs(places)),
        Insert { into, a, values } => are!(Reg(into), Reg(a), Regs(values)),
        Find { into, a, value, used } => are!(Reg(into), Reg(a), Reg(value), Regs(used)),
        Builtin { into, args, .. } | Outside { into, args, .. } | Call { into, args, .. } => {
            are!(Reg(into), Regs(args))
        }
        OutsideState { into, groups, .. } | AnySuccessor { into, groups } => {
            are!(Reg(into), Regs(groups))
        }
        OutsideSlots { into, .. } => are!(Reg(into)),
        NoValue | Twice => Ok(()),
        RangeInit { index, from, mark } => are!(Reg(index), Reg(from), Reg(mark)),
        RangeNext { index, end, mark, to } => are!(Reg(index), Reg(end), Reg(mark), To(to)),
        ItemsNext { index, value, pool, mark, to } => {
            are!(Reg(index), Reg(value), Reg(pool), Reg(mark), To(to))
        }
        ChoicesNext { index, value, more, to } => are!(Reg(index), Reg(value), Regs(more), To(to)),
        RowInit { row, mark, index, key } => {
            are!(Reg(row), Reg(mark), Part::Index(index), Regs(key))
        }
        RowNext { row, index, more, to } => are!(Reg(row), Part::Index(index), Regs(more), To(to)),
        Splits { ways, a, .. } => are!(Local(ways), Reg(a)),
        SplitsNext { index, ways, more, to } => are!(Reg(index), Local(ways), Regs(more), To(to)),
        ListNew { list } => are!(Local(list)),
        ListPush { list, value } => are!(Local(list), Reg(value)),
        ListAny { list, to, .. } => are!(Local(list), To(to)),
        ListHas { list, value, to, .. } => are!(Local(list), Reg(value), To(to)),
        ListFold { into, list, .. } => are!(Reg(into), Local(list)),
        Emit { cost, counter, groups } => are!(Reg(cost), Counter(counter), Regs(groups)),
        EmitWith { cost, counter, group, value } => {
            are!(Reg(cost), Counter(counter), Reg(group), Reg(value))
        }
        Place { operands, .. } | Normal { operands, .. } => are!(Regs(operands)),
        InStates { set, groups, to, .. } => are!(States(set), Regs(groups), To(to)),
        CheckCost { cost } => are!(Reg(cost)),
        Put { cost, values } => are!(Reg(cost), Reg(values)),
        Bit { test, to, .. } => are!(Part::Bits(test, 1), To(to)),
        Instr::Bits { first, len, to, .. } => are!(Part::Bits(first, len.into()), To(to)),
        Make { form } => are!(Form(form)),
        TableInit { row, table } => are!(Reg(row), Part::Table(table)),
        TableNext { row, cost, table, to, .. } => {
            are!(Reg(row), Reg(cost), Part::Table(table), To(to))
        }
        TableAny { table, to, .. } => are!(Part::Table(table), To(to)),
        EmitX { cost, counter } => are!(Reg(cost), Counter(counter)),
        MakeOut { cost, counter, form } => are!(Reg(cost), Counter(counter), Form(form)),
        BitCount { into, first, len } => are!(Reg(into), Part::Bits(first, len.into())),
    }
}

/// Whether an instruction is the turn of a loop, which spends fuel.
fn is_turn(one: Instr) -> bool {
    use Instr::*;
    matches!(
        one,
        RangeNext { .. }
            | ItemsNext { .. }
            | ChoicesNext { .. }
            | RowNext { .. }
            | SplitsNext { .. }
            | TableNext { .. }
    )
}

/// Whether what follows is not the next instruction.
fn ends(one: Instr) -> bool {
    matches!(one, Instr::Jump { .. } | Instr::Return { .. } | Instr::NoValue | Instr::Twice)
}

/// Checks a program. What is wrong comes back in words.
pub fn verify(p: &Program) -> Result<(), Refused> {
    Verifier { p, owner: Vec::new(), visits: Vec::new(), handlers: Vec::new() }.run()
}

const NOBODY: u32 = u32::MAX;

struct Verifier<'a> {
    p: &'a Program,
    /// By place in the code: the function to which it belongs.
    owner: Vec<u32>,
    visits: Vec<Visit>,
    /// By place in the code: see `Program::handler_places`.
    handlers: Vec<Pc>,
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
        let places = self.p.code.len();
        (self.owner, self.visits) = (vec![NOBODY; places], vec![Visit::Never; places]);
        self.handlers = self.p.handler_places();
        let mut calls = Vec::with_capacity(self.p.functions.len());
        for number in 0..self.p.functions.len() {
            calls.push(self.function(number)?);
        }
        self.roots()?;
        self.depths(&calls)
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

    // -- functions -------------------------------------------------------------------------

    /// Checks what can be reached from the entry of a function; returns what it calls.
    fn function(&mut self, number: usize) -> Result<Calls, String> {
        let function = &self.p.functions[number];
        let named = |why: String| format!("function {}: {why}", function.name);
        if function.entry as usize >= self.p.code.len() {
            return Err(named("it has no code".into()));
        }
        let mut calls = Calls::default();
        // Depth first; a place stands on the stack a second time to be left.
        let mut stack = vec![(function.entry, false)];
        while let Some((at, left)) = stack.pop() {
            let Some(&one) = self.p.code.get(at as usize) else {
                return Err(named("the code does not end".into()));
            };
            let place = at as usize;
            if left {
                self.visits[place] = Visit::Done;
                continue;
            }
            if self.owner[place] != NOBODY && self.owner[place] != number as u32 {
                return Err(named(format!("it goes on at {at}, in another function")));
            }
            match self.visits[place] {
                Visit::Done => continue,
                Visit::Open => return Err(named(format!("a loop at {at} that spends no fuel"))),
                Visit::Never => {}
            }
            self.owner[place] = number as u32;
            self.instruction(number, one, &mut calls)
                .map_err(|why| named(format!("{at}: {why}")))?;
            // The turn of a loop may be come back to.
            self.visits[place] = if is_turn(one) { Visit::Done } else { Visit::Open };
            stack.push((at, true));
            if !ends(one) {
                stack.push((at + 1, false));
            }
            parts(one, &mut |part| {
                if let Part::To(to) = part {
                    stack.push((to, false));
                }
                Ok(())
            })?;
            if self.handlers[place] != NOWHERE {
                stack.push((self.handlers[place], false));
            }
        }
        Ok(calls)
    }

    fn instruction(&self, function: usize, one: Instr, calls: &mut Calls) -> Check {
        parts(one, &mut |part| self.part(function, part))?;
        self.shape(one)?;
        self.state(one, calls)?;
        let p = self.p;
        match one {
            Instr::Call { function, next, args, .. } => {
                let Some(called) = p.functions.get(usize::from(function)) else {
                    return Err(format!("there is no function {function}"));
                };
                if args.range().len() > usize::from(called.registers) {
                    return Err(format!("too many arguments for function {}", called.name));
                }
                calls.functions.push((function, usize::from(next)));
            }
            Instr::Normal { .. } => calls.functions.extend(p.simplify.iter().map(|&one| (one, 0))),
            Instr::AnySuccessor { groups, .. } => {
                let called = p.functions.get(usize::from(p.successors));
                let fits =
                    |called: &Function| groups.range().len() <= usize::from(called.registers);
                if self.groups().is_some() && !called.is_some_and(fits) {
                    return Err("too many groups for the successors".into());
                }
                calls.functions.push((p.successors, 0));
            }
            Instr::TableInit { table, .. } | Instr::TableAny { table, .. } => {
                calls.functions.push((p.tables[usize::from(table)].residual, 0));
            }
            _ => {}
        }
        Ok(())
    }

    fn part(&self, function: usize, part: Part) -> Check {
        let (p, function) = (self.p, &self.p.functions[function]);
        let below = |what: &str, number: usize, len: usize| {
            if number < len { Ok(()) } else { Err(format!("there is no {what} {number}")) }
        };
        let registers = usize::from(function.registers) + function.constants.len();
        let register = |one: Reg| below("register", one.into(), registers);
        match part {
            Part::Reg(one) => register(one),
            Part::Regs(all) => p.list(all).iter().try_for_each(|&one| register(one)),
            Part::Splices(all) => match p.list(all).chunks_exact(2) {
                pairs if pairs.remainder().is_empty() => {
                    pairs.into_iter().try_for_each(|pair| register(pair[1]))
                }
                _ => Err("half a pair".into()),
            },
            Part::To(to) => below("place", to as usize, p.code.len()),
            Part::Local(list) => below("list", list.into(), function.lists.into()),
            Part::Set(set) => below("set", set.into(), p.sets.len()),
            Part::States(set) => below("set of states", set.into(), p.states.len()),
            Part::Index(index) => below("index", index.into(), p.indexes.len()),
            Part::Table(table) => below("table", table.into(), p.tables.len()),
            Part::Counter(NOTHING) => Ok(()),
            Part::Counter(counter) => below("counter", counter.into(), p.counters.into()),
            Part::Form(form) => below("form", form as usize, p.forms.len()),
            Part::Bits(first, len) => {
                let end = first as usize + len;
                if end <= p.bits.len() { Ok(()) } else { Err(format!("there are no {end} bits")) }
            }
        }
    }

    /// Checks how many operands an instruction has.
    fn shape(&self, one: Instr) -> Check {
        let len = |list: List| list.range().len();
        let all = self.groups();
        let state = |groups: List| all.is_none_or(|all| len(groups) == all);
        let sound = match one {
            Instr::Builtin { function, args, .. } => function.arity().contains(&len(args)),
            Instr::Count { counter } => counter != NOTHING,
            Instr::Splits { parts, .. } => parts > 0,
            Instr::SplitsNext { more, .. } => len(more) > 1,
            Instr::Emit { groups, .. } => all == Some(len(groups)),
            Instr::EmitWith { .. } => all == Some(1),
            Instr::Place { groups, operands } => {
                all == Some(groups.into()) && len(operands) >= 2 * usize::from(groups)
            }
            Instr::Normal { groups, operands } => {
                all == Some(groups.into()) && len(operands) == 2 * usize::from(groups)
            }
            Instr::OutsideState { groups, .. }
            | Instr::AnySuccessor { groups, .. }
            | Instr::InStates { groups, .. } => state(groups),
            _ => true,
        };
        if sound { Ok(()) } else { Err(format!("{one:?} has a wrong number of operands")) }
    }

    /// Checks that it works on states of this encoding; notes how many states it needs: that of its
    /// frame, and the successor behind it.
    fn state(&self, one: Instr, calls: &mut Calls) -> Check {
        use Instr::*;
        let states = match one {
            Bit { .. } | Bits { .. } | BitCount { .. } | TableInit { .. } | TableAny { .. } => 1,
            OutsideSlots { next, .. } => 1 + usize::from(next),
            Make { .. } | MakeOut { .. } | EmitX { .. } | TableNext { .. } => 2,
            _ => return Ok(()),
        };
        calls.states = calls.states.max(states);
        if self.slots().is_some() { Ok(()) } else { Err(format!("{one:?} is for slots only")) }
    }

    /// The functions that are run on states.
    fn roots(&self) -> Check {
        let p = self.p;
        for number in p.roots().chain(p.simplify.iter().copied()) {
            let Some(function) = p.functions.get(usize::from(number)) else {
                return Err(format!("there is no function {number}"));
            };
            if self.groups().is_some_and(|groups| groups > usize::from(function.registers)) {
                return Err(format!("function {} takes no state", function.name));
            }
        }
        Ok(())
    }

    /// Checks that no call comes back to its function, how deep calls go, and how many states stand
    /// one behind the other.
    fn depths(&self, calls: &[Calls]) -> Result<(), Refused> {
        // of each function, once known: calls inside each other, and states
        let mut known: Vec<Option<(usize, usize)>> = vec![None; calls.len()];
        let mut open = vec![false; calls.len()];
        for first in 0..calls.len() {
            let mut stack = vec![first];
            while let Some(&at) = stack.last() {
                if known[at].is_some() {
                    stack.pop();
                    continue;
                }
                open[at] = true;
                let (mut depth, mut states, mut waits) = (1, calls[at].states, false);
                for &(called, next) in &calls[at].functions {
                    let called = usize::from(called);
                    match known.get(called).copied().flatten() {
                        Some((below, needed)) => {
                            (depth, states) = (depth.max(1 + below), states.max(next + needed));
                        }
                        None if open.get(called) == Some(&true) => {
                            let name = &self.p.functions[called].name;
                            return Err(format!("function {name} calls itself").into());
                        }
                        None if called >= calls.len() => {
                            return Err(format!("there is no function {called}").into());
                        }
                        None => {
                            stack.push(called);
                            waits = true;
                            break;
                        }
                    }
                }
                if waits {
                    continue;
                }
                if depth > MOST_CALLS {
                    return Err(Refused::TooLarge(format!("conditions {depth} deep")));
                }
                if states > 3 {
                    return Err("successors of successors of successors".to_string().into());
                }
                (known[at], open[at]) = (Some((depth, states)), false);
                stack.pop();
            }
        }
        Ok(())
    }
}

/// What a function calls, each with whether that is run on the successor; and how many states its
/// own instructions need.
#[derive(Default)]
struct Calls {
    functions: Vec<(u16, usize)>,
    states: usize,
}

//! The code of each function: what its instructions point to, and that it ends and no loop is free.

use super::parts::{Part, Parts, ends, is_turn, parts};
use super::{Calls, Check, NOBODY, Verifier, Visit};
use crate::instr::*;
use crate::program::{Function, NOWHERE};

impl Verifier<'_> {
    /// Checks what can be reached from the entry of a function; returns what it calls.
    pub(super) fn function(&mut self, number: usize) -> Result<Calls, String> {
        let function = &self.p.functions[number];
        let named = |why: String| format!("function {}: {why}", function.name);
        if function.entry as usize >= self.p.code.len() {
            return Err(named("it has no code".into()));
        }
        let from = self.left.len();
        let mut calls = Calls { left: from..from, ..Calls::default() };
        // Depth first; a place stands on the stack a second time to be left.
        let mut stack = vec![(function.entry, false)];
        while let Some((at, left)) = stack.pop() {
            let Some(&one) = self.p.code.get(at as usize) else {
                return Err(named("the code does not end".into()));
            };
            let place = at as usize;
            if left {
                self.visits[place] = Visit::Done;
                self.left.push(at);
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
            let parts = parts(one);
            self.instruction(number, one, &parts, &mut calls)
                .map_err(|why| named(format!("{at}: {why}")))?;
            // The turn of a loop may be come back to.
            self.visits[place] = if is_turn(one) { Visit::Done } else { Visit::Open };
            stack.push((at, true));
            if !ends(one) {
                stack.push((at + 1, false));
            }
            for &part in &parts[..] {
                if let Part::To(to) = part {
                    stack.push((to, false));
                }
            }
            if self.handlers[place] != NOWHERE {
                stack.push((self.handlers[place], false));
            }
        }
        calls.left.end = self.left.len();
        Ok(calls)
    }

    fn instruction(&self, function: usize, one: Instr, parts: &Parts, calls: &mut Calls) -> Check {
        parts.iter().try_for_each(|&part| self.part(function, part))?;
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
                calls.add(function, next, Some(args.range().len()));
            }
            Instr::Normal { .. } => {
                p.simplify.iter().for_each(|&one| calls.add(one, false, self.groups()));
            }
            Instr::AnySuccessor { groups, .. } => {
                let called = p.functions.get(usize::from(p.successors));
                let fits =
                    |called: &Function| groups.range().len() <= usize::from(called.registers);
                if self.groups().is_some() && !called.is_some_and(fits) {
                    return Err("too many groups for the successors".into());
                }
                calls.add(p.successors, false, Some(self.groups().unwrap_or(0)));
            }
            Instr::TableInit { table, .. } | Instr::TableAny { table, .. } => {
                let table = &p.tables[usize::from(table)];
                let given = table.lookups.iter().map(|one| one.ground.len() + one.spots.len());
                calls.add(table.residual, false, given.min());
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
            Part::Reg(_, one) => register(one),
            Part::Regs(_, all) | Part::State(all) => {
                p.list(all).iter().try_for_each(|&one| register(one))
            }
            Part::Splices(all) => match p.list(all).chunks_exact(2) {
                pairs if pairs.remainder().is_empty() => {
                    pairs.into_iter().try_for_each(|pair| register(pair[1]))
                }
                _ => Err("half a pair".into()),
            },
            Part::To(to) => below("place", to as usize, p.code.len()),
            Part::Local(_, list) => below("list", list.into(), function.lists.into()),
            Part::Next(_) => Ok(()),
            Part::Set(set) => below("set", set.into(), p.sets.len()),
            Part::States(set) => below("set of states", set.into(), p.states.len()),
            Part::Index(index) => below("index", index.into(), p.indexes.len()),
            Part::Table(table) => below("table", table.into(), p.tables.len()),
            Part::Counter(NOTHING) => Ok(()),
            Part::Counter(counter) => below("counter", counter.into(), p.counters.into()),
            Part::Form(form) => below("form", form as usize, p.forms.len()),
            Part::Bits(first, len) => {
                let end = first as usize + usize::from(len);
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
            Instr::RowNext { more, .. } => len(more) == 3,
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
}

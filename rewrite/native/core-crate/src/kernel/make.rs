//! From instructions of the machine to steps of a kernel: the function is run beforehand, as far as
//! what it does is the same for all states.

use std::collections::HashMap;

use super::choice::with_choices;
use super::switch::with_switches;
use super::{FOUND, Kernel, Op};
use crate::program::{BitTest, Encoding, Form, Function, Instr, NOWHERE, Pc, Program, Reg};
use crate::value::Val;

/// What is known of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Known {
    Value(Val),
    /// How many of these bits are set: a part of `Program::bits`.
    Ones(u32, u16),
    /// The entries that were looked up last, …
    Found,
    /// … and the cost of the one at hand.
    FoundCost,
}

/// Where a function goes on when the one that it called returns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Caller {
    at: Pc,
    frame: Frame,
    into: Reg,
}

/// A function at work. `of_next`: on the successor at hand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Frame {
    function: u16,
    of_next: bool,
    /// Registers that hold something, in order.
    known: Vec<(Reg, Known)>,
}

/// A place in the code with all that what follows depends on, but for the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Point {
    at: Pc,
    frame: Frame,
    callers: Vec<Caller>,
}

/// Returns a function as a kernel, where it can be one. `handlers`: see `Program::handler_places`.
///
/// Of multisets that is one that returns the same for all states.
pub fn kernel(p: &Program, handlers: &[Pc], function: u16) -> Option<Kernel> {
    let entry = p.functions.get(usize::from(function))?.entry;
    let frame = Frame { function, of_next: false, known: Vec::new() };
    let mut maker = Maker {
        p,
        handlers,
        made: Kernel::default(),
        labels: HashMap::new(),
        starts: Vec::new(),
        todo: Vec::new(),
    };
    maker.label(Point { at: entry, frame, callers: Vec::new() });
    while let Some(point) = maker.todo.pop() {
        if !maker.is_made(&point) {
            maker.run_from(point)?;
        }
    }
    let kernel = maker.finished();
    let fits = matches!(p.encoding, Encoding::Slots(_)) || kernel.constant().is_some();
    fits.then_some(kernel)
}

struct Maker<'a> {
    p: &'a Program,
    handlers: &'a [Pc],
    made: Kernel,
    /// Points that something goes to, by number; and where their steps begin.
    labels: HashMap<Point, u32>,
    starts: Vec<u32>,
    todo: Vec<Point>,
}

/// Whether what follows is the next instruction, another place, or nothing.
enum Then {
    Next,
    To(Pc),
    End,
}

impl Maker<'_> {
    fn label(&mut self, point: Point) -> u32 {
        if let Some(&known) = self.labels.get(&point) {
            return known;
        }
        let number = self.starts.len() as u32;
        self.starts.push(NOWHERE);
        self.labels.insert(point.clone(), number);
        self.todo.push(point);
        number
    }

    fn is_made(&self, point: &Point) -> bool {
        self.labels.get(point).is_some_and(|&number| self.starts[number as usize] != NOWHERE)
    }

    /// Makes the steps from a point on, until they end or go on with steps that were made before.
    fn run_from(&mut self, mut point: Point) -> Option<()> {
        loop {
            if self.labels.contains_key(&point) && self.jumps_back(&point) {
                return Some(());
            }
            if self.made.ops.len() > 256 + 4 * self.p.code.len() {
                return None; // the same code again and again: not worth it
            }
            match self.instruction(&mut point)? {
                Then::Next => point.at += 1,
                Then::To(to) => point.at = to,
                Then::End => return Some(()),
            }
        }
    }

    fn finished(mut self) -> Kernel {
        use Op::*;
        for op in &mut self.made.ops {
            if let Need { to, .. }
            | Leave { to, .. }
            | NeedOfNext { to, .. }
            | LeaveOfNext { to, .. }
            | Ones { to, .. }
            | NextFound { to, .. }
            | Jump { to } = op
            {
                *to = self.starts[*to as usize];
            }
        }
        with_switches(&mut self.made);
        with_choices(&mut self.made);
        self.made
    }

    /// Jumps to the steps from this point on, where they were made before; else notes that those
    /// that come now are these.
    fn jumps_back(&mut self, point: &Point) -> bool {
        let known = self.labels.get(point).copied();
        if let Some(to) = known.filter(|_| self.is_made(point)) {
            self.made.ops.push(Op::Jump { to });
            return true;
        }
        let number = known.unwrap_or_else(|| {
            self.starts.push(NOWHERE);
            self.starts.len() as u32 - 1
        });
        self.labels.insert(point.clone(), number);
        self.starts[number as usize] = self.made.ops.len() as u32;
        false
    }

    /// The label of another place in the function at work.
    fn there(&mut self, point: &Point, at: Pc) -> u32 {
        self.label(Point { at, ..point.clone() })
    }

    fn instruction(&mut self, point: &mut Point) -> Option<Then> {
        let next = point.at + 1;
        match self.p.code[point.at as usize] {
            Instr::Jump { to } => return Some(Then::To(to)),
            Instr::Count { counter } => self.made.ops.push(Op::Count { counter }),
            Instr::Move { into, from } => {
                let held = self.held(&point.frame, from)?;
                point.frame.note(into, held);
            }
            Instr::Truthy { a, on, to } => {
                let value = self.value(&mut point.frame, a)?;
                let truth = value.as_small().map_or(value == Val::TRUE, |small| small != 0);
                return Some(Then::To(if truth == on { to } else { next }));
            }
            Instr::Equal { a, b, on, to } => return self.equal(point, (a, b), on, to),
            Instr::Bit { test, on, to } => return self.tests(point, (test, 1), on, to),
            Instr::Bits { first, len, on, to } => return self.tests(point, (first, len), on, to),
            Instr::BitCount { into, first, len } => point.frame.note(into, Known::Ones(first, len)),
            Instr::Make { form } => {
                let form = self.form(&point.frame, form)?;
                self.made.ops.push(Op::Make { form });
            }
            Instr::MakeOut { cost, counter, form } => {
                let cost = self.cost(&mut point.frame, cost)?;
                self.make_out(&point.frame, form, counter, cost)?;
            }
            Instr::EmitX { cost, counter } => {
                let cost = self.cost(&mut point.frame, cost)?;
                self.made.ops.push(Op::OutNext { counter, cost });
            }
            Instr::TableInit { row, table } => {
                let busy = point.frame.known.iter().any(|&(_, one)| one == Known::Found);
                let handled = self.handlers[point.at as usize] != NOWHERE;
                if busy || handled || point.frame.of_next || !point.callers.is_empty() {
                    return None;
                }
                point.frame.note(row, Known::Found);
                self.made.looks_up = true;
                self.made.ops.push(Op::Find { table });
            }
            Instr::TableNext { row, cost, table, add, to } => {
                if self.held(&point.frame, row)? != Known::Found {
                    return None;
                }
                point.frame.forget(cost); // of the entry before
                if self.jumps_back(point) {
                    return Some(Then::End);
                }
                let mut after = point.clone();
                after.frame.forget(row);
                let to = self.there(&after, to);
                self.made.ops.push(Op::NextFound { add, table, to });
                point.frame.note(cost, Known::FoundCost);
            }
            Instr::Call { into, function, next: of_next, args } => {
                if !args.range().is_empty() || of_next && point.frame.of_next {
                    return None;
                }
                let of_next = of_next || point.frame.of_next;
                let called = Frame { function, of_next, known: Vec::new() };
                let frame = std::mem::replace(&mut point.frame, called);
                point.callers.push(Caller { at: next, frame, into });
                return Some(Then::To(self.function(function).entry));
            }
            Instr::Return { a } => {
                let value = self.value(&mut point.frame, a)?;
                let Some(caller) = point.callers.pop() else {
                    self.made.ops.push(Op::Return { value });
                    return Some(Then::End);
                };
                point.frame = caller.frame;
                point.frame.note(caller.into, Known::Value(value));
                return Some(Then::To(caller.at));
            }
            Instr::Twice => {
                self.made.ops.push(Op::Twice);
                return Some(Then::End);
            }
            _ => return None,
        }
        Some(Then::Next)
    }

    fn function(&self, number: u16) -> &Function {
        &self.p.functions[usize::from(number)]
    }

    fn held(&self, frame: &Frame, reg: Reg) -> Option<Known> {
        let function = self.function(frame.function);
        match reg.checked_sub(function.registers) {
            Some(constant) => Some(Known::Value(function.constants[usize::from(constant)])),
            None => frame.known.iter().find(|&&(one, _)| one == reg).map(|&(_, held)| held),
        }
    }

    /// The value of a register, which is not asked for again: what follows depends on less.
    fn value(&self, frame: &mut Frame, reg: Reg) -> Option<Val> {
        match self.taken(frame, reg)? {
            Known::Value(value) => Some(value),
            _ => None,
        }
    }

    fn taken(&self, frame: &mut Frame, reg: Reg) -> Option<Known> {
        let held = self.held(frame, reg);
        frame.forget(reg);
        held
    }

    fn equal(&mut self, point: &mut Point, (a, b): (Reg, Reg), on: bool, to: Pc) -> Option<Then> {
        let pair = (self.taken(&mut point.frame, a)?, self.taken(&mut point.frame, b)?);
        let ((first, len), value) = match pair {
            (Known::Value(a), Known::Value(b)) => {
                return Some(Then::To(if (a == b) == on { to } else { point.at + 1 }));
            }
            (Known::Ones(first, len), Known::Value(value))
            | (Known::Value(value), Known::Ones(first, len)) => ((first, len), value),
            _ => return None,
        };
        let of_next = point.frame.of_next;
        let ones = u32::try_from(value.as_small()?).ok()?;
        let to = self.there(point, to);
        let bits = &self.p.bits[first as usize..first as usize + usize::from(len)];
        let first = self.made.bits.len() as u32;
        self.made.bits.extend_from_slice(bits);
        self.made.ops.push(Op::Ones { on, of_next, len, to, first, ones });
        Some(Then::Next)
    }

    fn tests(
        &mut self,
        point: &mut Point,
        (first, len): (u32, u16),
        on: bool,
        to: Pc,
    ) -> Option<Then> {
        let bits = &self.p.bits[first as usize..first as usize + usize::from(len)];
        let Some((last, others)) = bits.split_last() else {
            return Some(Then::To(if on { to } else { point.at + 1 }));
        };
        let of_next = point.frame.of_next;
        let to = self.there(point, to);
        // with `on`, the first that does not fit leads past all
        let out = if on && !others.is_empty() { self.there(point, point.at + 1) } else { to };
        for test in others {
            self.made.ops.push(need(test, out, of_next));
        }
        self.made.ops.push(if on { leave(last, to, of_next) } else { need(last, to, of_next) });
        Some(Then::Next)
    }

    fn cost(&mut self, frame: &mut Frame, reg: Reg) -> Option<u16> {
        let cost = match self.taken(frame, reg)? {
            Known::FoundCost => return Some(FOUND),
            Known::Value(cost) => cost,
            _ => return None,
        };
        let costs = &mut self.made.costs;
        let at = costs.iter().position(|&one| one == cost).unwrap_or(costs.len());
        if at == costs.len() {
            costs.push(cost);
        }
        u16::try_from(at).ok().filter(|&at| at != FOUND)
    }

    fn form(&mut self, frame: &Frame, form: u32) -> Option<u32> {
        if frame.of_next {
            return None; // a successor of the successor
        }
        self.made.forms.push(self.p.forms[form as usize].clone());
        Some(self.made.forms.len() as u32 - 1)
    }

    fn make_out(&mut self, frame: &Frame, form: u32, counter: u16, cost: u16) -> Option<()> {
        let one_word = matches!(self.p.encoding, Encoding::Slots(1)) && !frame.of_next;
        let simple = one_word.then(|| moved(&self.p.forms[form as usize])).flatten();
        let op = match simple {
            Some((keep, flip, field, turn)) => Op::Out { counter, cost, turn, keep, flip, field },
            None => Op::OutForm { counter, cost, form: self.form(frame, form)? },
        };
        self.made.ops.push(op);
        Some(())
    }
}

impl Frame {
    fn note(&mut self, reg: Reg, held: Known) {
        self.forget(reg);
        let at = self.known.partition_point(|&(one, _)| one < reg);
        self.known.insert(at, (reg, held));
    }

    fn forget(&mut self, reg: Reg) {
        self.known.retain(|&(one, _)| one != reg);
    }
}

fn need(test: &BitTest, to: u32, of_next: bool) -> Op {
    let &BitTest { word, mask, value } = test;
    match of_next {
        false => Op::Need { word, to, mask, value },
        true => Op::NeedOfNext { word, to, mask, value },
    }
}

fn leave(test: &BitTest, to: u32, of_next: bool) -> Op {
    let &BitTest { word, mask, value } = test;
    match of_next {
        false => Op::Leave { word, to, mask, value },
        true => Op::LeaveOfNext { word, to, mask, value },
    }
}

/// What a form does to a state of one word, where it moves at most one field: what is kept, what is
/// flipped, the field, and by how much it is turned to the left.
fn moved(form: &Form) -> Option<(u64, u64, u64, u32)> {
    let (mut keep, mut flip) = (u64::MAX, 0);
    for &(_, kept, flipped) in &form.changes {
        (keep, flip) = (keep & kept, (flip & kept) ^ flipped);
    }
    match form.moves[..] {
        [] => Some((keep, flip, 0, 0)),
        [(_, _, field, shift)] => {
            let turn = shift.rem_euclid(64) as u32;
            let by = u32::from(shift.unsigned_abs());
            let stays = if shift >= 0 { field << by >> by } else { field >> by << by };
            (stays == field).then_some((keep, flip, field, turn)) // none of it is lost
        }
        _ => None,
    }
}

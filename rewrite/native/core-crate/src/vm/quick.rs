//! The instructions as the machine runs them: what is common in a short form, one for each place in
//! the code.
//!
//! A short form does its work on small ints and temporary tuples in place. Whatever else it meets,
//! the instruction itself is run, which stands at the same place: so a short form need not know all
//! cases, and a jump, a handler and an error mean the same place in both.

use crate::program::{Builtin, Cmp, Instr, Is, List, Op, Pc, Program, Reg};

pub use self::fused::quick;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quick {
    /// The instruction itself.
    Other,
    Jump {
        to: Pc,
    },
    Count {
        counter: u16,
    },
    Move {
        into: Reg,
        from: Reg,
    },
    Equal {
        a: Reg,
        b: Reg,
        on: bool,
        to: Pc,
    },
    /// All comparisons: `a >= b` is not `a < b`, and so on.
    Less {
        a: Reg,
        b: Reg,
        on: bool,
        to: Pc,
    },
    IsInt {
        a: Reg,
        on: bool,
        to: Pc,
    },
    FirstOfRun {
        place: Reg,
        pool: Reg,
        value: Reg,
        to: Pc,
    },
    Add {
        into: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        into: Reg,
        a: Reg,
        b: Reg,
    },
    Mul {
        into: Reg,
        a: Reg,
        b: Reg,
    },
    FloorDiv {
        into: Reg,
        a: Reg,
        b: Reg,
    },
    Mod {
        into: Reg,
        a: Reg,
        b: Reg,
    },
    Len {
        into: Reg,
        a: Reg,
    },
    Index {
        into: Reg,
        a: Reg,
        at: Reg,
    },
    Cut {
        into: Reg,
        a: Reg,
        from: Reg,
        to: Reg,
    },
    /// Of a tuple that is laid out already.
    Spread {
        into: Reg,
        a: Reg,
    },
    In {
        a: Reg,
        tuple: Reg,
        on: bool,
        to: Pc,
    },
    Number {
        into: Reg,
        a: Reg,
    },
    RangeInit {
        index: Reg,
        from: Reg,
        mark: Reg,
    },
    /// The turns of loops; `body`: what a turn begins with. `first`: it stands where the loop begins,
    /// with place 0.
    RangeNext {
        first: bool,
        index: Reg,
        end: Reg,
        mark: Reg,
        body: Pc,
        to: Pc,
    },
    ItemsNext {
        first: bool,
        index: Reg,
        value: Reg,
        pool: Reg,
        mark: Reg,
        body: Pc,
        to: Pc,
    },
    /// Equal values in a row once.
    RunsNext {
        first: bool,
        index: Reg,
        value: Reg,
        pool: Reg,
        mark: Reg,
        body: Pc,
        to: Pc,
    },
    // several instructions in one, which are done one by one where the first is all that is quick
    /// A turn of `RunsNext`, counted, and on to the next one unless the value is `wanted`.
    Seek {
        first: bool,
        index: Reg,
        value: Reg,
        pool: Reg,
        mark: Reg,
        wanted: Reg,
        counter: u16,
        body: Pc,
        to: Pc,
    },
    /// A turn of `RangeNext`, and the item at that place.
    RangeItem {
        first: bool,
        index: Reg,
        end: Reg,
        mark: Reg,
        into: Reg,
        a: Reg,
        body: Pc,
        to: Pc,
    },
    /// Turns of `RangeNext` up to one where the item so far behind (`NOTHING`: at that place) is
    /// `wanted`; then on with that turn.
    RangeSeek {
        first: bool,
        index: Reg,
        end: Reg,
        mark: Reg,
        a: Reg,
        behind: Reg,
        wanted: Reg,
        body: Pc,
        to: Pc,
    },
    /// Counted, and on if two are equal.
    CountEqual {
        counter: u16,
        a: Reg,
        b: Reg,
        to: Pc,
    },
    /// A sum, and the item at that place.
    AddItem {
        at: Reg,
        a: Reg,
        b: Reg,
        into: Reg,
        pool: Reg,
    },
    /// A turn of `RangeNext`, and the number of the digits from that place on.
    RangeNumber {
        first: bool,
        index: Reg,
        end: Reg,
        mark: Reg,
        cut: Reg,
        a: Reg,
        last: Reg,
        number: Reg,
        body: Pc,
        to: Pc,
    },
    /// A sum, difference, product or quotient, and its rest.
    OfMod {
        op: Op,
        into: Reg,
        a: Reg,
        b: Reg,
        rest: Reg,
        by: Reg,
    },
    CutNumber {
        into: Reg,
        a: Reg,
        from: Reg,
        to: Reg,
        number: Reg,
    },
    EmitWithCount {
        cost: Reg,
        counter: u16,
        group: Reg,
        value: Reg,
        then: u16,
    },
    Tuple {
        into: Reg,
        parts: List,
    },
    Without {
        into: Reg,
        a: Reg,
        places: List,
    },
    Emit {
        cost: Reg,
        counter: u16,
        groups: List,
    },
    EmitWith {
        cost: Reg,
        counter: u16,
        group: Reg,
        value: Reg,
    },
    Return {
        a: Reg,
    },
    Bit {
        test: u32,
        on: bool,
        to: Pc,
    },
}

/// The short form of one instruction.
fn short(p: &Program, at: Pc, one: Instr) -> Quick {
    let body = at + 1;
    match one {
        Instr::Jump { to } => Quick::Jump { to },
        Instr::Count { counter } => Quick::Count { counter },
        Instr::Move { into, from } => Quick::Move { into, from },
        Instr::Equal { a, b, on, to } => Quick::Equal { a, b, on, to },
        Instr::Compare { op: Cmp::Lt, a, b, on, to } => Quick::Less { a, b, on, to },
        Instr::Compare { op: Cmp::Gt, a, b, on, to } => Quick::Less { a: b, b: a, on, to },
        Instr::Compare { op: Cmp::Ge, a, b, on, to } => Quick::Less { a, b, on: !on, to },
        Instr::Compare { op: Cmp::Le, a, b, on, to } => Quick::Less { a: b, b: a, on: !on, to },
        Instr::IsKind { a, kind: Is::Int, on, to } => Quick::IsInt { a, on, to },
        Instr::FirstOfRun { place, pool, value, to } => {
            Quick::FirstOfRun { place, pool, value, to }
        }
        Instr::Arithmetic { op: Op::Add, into, a, b } => Quick::Add { into, a, b },
        Instr::Arithmetic { op: Op::Sub, into, a, b } => Quick::Sub { into, a, b },
        Instr::Arithmetic { op: Op::Mul, into, a, b } => Quick::Mul { into, a, b },
        Instr::Arithmetic { op: Op::FloorDiv, into, a, b } => Quick::FloorDiv { into, a, b },
        Instr::Arithmetic { op: Op::Mod, into, a, b } => Quick::Mod { into, a, b },
        Instr::Len { into, a } => Quick::Len { into, a },
        Instr::Index { into, a, at } => Quick::Index { into, a, at },
        Instr::Slice { into, a, from, to: Some(to) } => Quick::Cut { into, a, from, to },
        Instr::Spread { into, a } => Quick::Spread { into, a },
        Instr::In { a, tuple, on, to } => Quick::In { a, tuple, on, to },
        Instr::Builtin { into, function: Builtin::Number, args } => {
            Quick::Number { into, a: p.list(args)[0] }
        }
        Instr::RangeInit { index, from, mark } => Quick::RangeInit { index, from, mark },
        Instr::RangeNext { index, end, mark, to } => {
            Quick::RangeNext { first: false, index, end, mark, body, to }
        }
        Instr::ItemsNext { index, value, pool, mark, to } => {
            Quick::ItemsNext { first: false, index, value, pool, mark, body, to }
        }
        Instr::ChoicesNext { index, value, more, to } => match *p.list(more) {
            [pool, mark] => Quick::RunsNext { first: false, index, value, pool, mark, body, to },
            _ => Quick::Other,
        },
        Instr::Tuple { into, parts } => Quick::Tuple { into, parts },
        Instr::Without { into, a, places } => Quick::Without { into, a, places },
        Instr::Emit { cost, counter, groups } => Quick::Emit { cost, counter, groups },
        Instr::EmitWith { cost, counter, group, value } => {
            Quick::EmitWith { cost, counter, group, value }
        }
        Instr::Return { a } => Quick::Return { a },
        Instr::Bit { test, on, to } => Quick::Bit { test, on, to },
        _ => Quick::Other,
    }
}

mod fused;
pub mod work;

#[cfg(test)]
mod tests;

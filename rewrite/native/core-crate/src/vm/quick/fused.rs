//! Which short forms stand for several instructions, and where loops go on.

use super::{Quick, short};
use crate::program::{Instr, NOTHING, Op, Pc, Program, Reg};
use crate::value::Val;

/// The short forms of a program's code.
pub fn quick(p: &Program) -> Vec<Quick> {
    let made: Vec<Quick> = (0..).zip(&p.code).map(|(at, &one)| short(p, at, one)).collect();
    let made: Vec<Quick> = (0..made.len()).map(|at| fused(&made[at..], at as Pc)).collect();
    let placed = |at: usize| match p.code[at] {
        // a jump to the turn of a loop is that turn
        Instr::Jump { to } => {
            let mut next = made[to as usize];
            if turn(&mut next).is_some() { next } else { made[at] }
        }
        // and so is what comes before the first one, at place 0
        Instr::RangeInit { index, from, mark } if is_zero(p, at as Pc, from) => {
            let mut next = made.get(at + 1).copied().unwrap_or(made[at]);
            match turn(&mut next) {
                Some((first, its_index, its_mark)) if (its_index, its_mark) == (index, mark) => {
                    *first = true;
                    next
                }
                _ => made[at],
            }
        }
        _ => made[at],
    };
    (0..made.len()).map(placed).collect()
}

/// Of the turn of a loop: whether it is the first one, its place, and its mark.
fn turn(one: &mut Quick) -> Option<(&mut bool, Reg, Reg)> {
    match one {
        Quick::RangeNext { first, index, mark, .. }
        | Quick::RangeItem { first, index, mark, .. }
        | Quick::RangeSeek { first, index, mark, .. }
        | Quick::RangeNumber { first, index, mark, .. }
        | Quick::ItemsNext { first, index, mark, .. }
        | Quick::RunsNext { first, index, mark, .. }
        | Quick::Seek { first, index, mark, .. } => Some((first, *index, *mark)),
        _ => None,
    }
}

/// Whether a register of the code at a place is the constant 0.
fn is_zero(p: &Program, at: Pc, r: Reg) -> bool {
    let begun = p.functions.iter().filter(|one| one.entry <= at);
    let own = begun.max_by_key(|one| one.entry);
    let constant = own.and_then(|own| own.constants.get(r.checked_sub(own.registers)? as usize));
    constant == Some(&Val::from_small(0))
}

fn arithmetic(one: Quick) -> Option<(Op, Reg, Reg, Reg)> {
    match one {
        Quick::Add { into, a, b } => Some((Op::Add, into, a, b)),
        Quick::Sub { into, a, b } => Some((Op::Sub, into, a, b)),
        Quick::Mul { into, a, b } => Some((Op::Mul, into, a, b)),
        Quick::FloorDiv { into, a, b } => Some((Op::FloorDiv, into, a, b)),
        _ => None,
    }
}

/// The first of these, or what stands for it and those behind it.
fn fused(code: &[Quick], at: Pc) -> Quick {
    match *code {
        [
            Quick::RunsNext { first, index, value, pool, mark, to, .. },
            Quick::Count { counter },
            Quick::Equal { a, b, on: false, to: again },
            ..,
        ] if again == at && (a == value) != (b == value) && a != index && b != index => {
            let (wanted, body) = (if a == value { b } else { a }, at + 3);
            Quick::Seek { first, index, value, pool, mark, wanted, counter, body, to }
        }
        [
            Quick::RangeNext { first, index, end, mark, to, body },
            Quick::Index { into, a, at: place },
            Quick::Equal { a: item, b: wanted, on: false, to: again },
            ..,
        ] if place == index && item == into && again == at && ![index, into].contains(&wanted) => {
            Quick::RangeSeek { first, index, end, mark, a, behind: NOTHING, wanted, body, to }
        }
        [
            Quick::RangeNext { first, index, end, mark, to, body },
            Quick::Add { into: sum, a: from, b: behind },
            Quick::Index { into, a, at: place },
            Quick::Equal { a: item, b: wanted, on: false, to: again },
            ..,
        ] if from == index
            && place == sum
            && item == into
            && again == at
            && ![index, sum, into].contains(&wanted)
            && ![index, sum].contains(&a)
            && ![index, sum, into].contains(&behind) =>
        {
            Quick::RangeSeek { first, index, end, mark, a, behind, wanted, body, to }
        }
        [Quick::Count { counter }, Quick::Equal { a, b, on: false, to }, ..] => {
            Quick::CountEqual { counter, a, b, to }
        }
        [
            Quick::RangeNext { first, index, end, mark, to, .. },
            Quick::Index { into, a, at: place },
            ..,
        ] if place == index => {
            Quick::RangeItem { first, index, end, mark, into, a, body: at + 2, to }
        }
        [
            Quick::RangeNext { first, index, end, mark, to, body },
            Quick::Cut { into: cut, a, from, to: last },
            Quick::Number { into: number, a: digits },
            ..,
        ] if from == index && digits == cut && ![a, last].contains(&index) => {
            Quick::RangeNumber { first, index, end, mark, cut, a, last, number, body, to }
        }
        [one, Quick::Mod { into: rest, a: value, b: by }, ..]
            if let Some((op, into, a, b)) = arithmetic(one)
                && value == into
                && by != into =>
        {
            Quick::OfMod { op, into, a, b, rest, by }
        }
        [Quick::Add { into: at, a, b }, Quick::Index { into, a: pool, at: place }, ..]
            if place == at =>
        {
            Quick::AddItem { at, a, b, into, pool }
        }
        [Quick::Cut { into, a, from, to }, Quick::Number { into: number, a: cut }, ..]
            if cut == into =>
        {
            Quick::CutNumber { into, a, from, to, number }
        }
        [Quick::EmitWith { cost, counter, group, value }, Quick::Count { counter: then }, ..] => {
            Quick::EmitWithCount { cost, counter, group, value, then }
        }
        [one, ..] => one,
        [] => Quick::Other,
    }
}

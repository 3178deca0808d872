//! Superinstructions: which instructions run as one, and where loops continue.
//!
//! A superinstruction replaces the first of its instructions and handles small ints and temporary
//! tuples. For anything else the original instruction runs, which the program keeps at the same
//! position: so jumps, handlers and errors refer to the same position in both.

use crate::program::{Instr, NOTHING, Pc, Program, Reg};
use crate::value::Val;

#[cfg(test)]
mod tests;

pub fn fused(p: &Program) -> Vec<Instr> {
    let code: Vec<Instr> =
        (0..p.code.instrs.len()).map(|at| first_of(&p.code.instrs[at..], at as Pc)).collect();
    let placed = |at: usize| match p.code.instrs[at] {
        // a jump to a loop's next iteration becomes that iteration
        Instr::Jump { to } => {
            let mut next = code[to as usize];
            if turn(&mut next).is_some() { next } else { code[at] }
        }
        // and so does the set-up of the first one, at index 0
        Instr::RangeInit { index, from, mark } if is_zero(p, at as Pc, from) => {
            let mut next = code.get(at + 1).copied().unwrap_or(code[at]);
            match turn(&mut next) {
                Some((first, its_index, its_mark)) if (its_index, its_mark) == (index, mark) => {
                    *first = true;
                    next
                }
                _ => code[at],
            }
        }
        _ => code[at],
    };
    (0..code.len()).map(placed).collect()
}

/// The parts of a loop instruction: whether it is the first iteration, its index, and its mark.
fn turn(one: &mut Instr) -> Option<(&mut bool, Reg, Reg)> {
    match one {
        Instr::RangeNext { first, index, mark, .. }
        | Instr::RangeSeek { first, index, mark, .. }
        | Instr::RangeNumber { first, index, mark, .. }
        | Instr::ItemsNext { first, index, mark, .. }
        | Instr::RunsNext { first, index, mark, .. }
        | Instr::Seek { first, index, mark, .. } => Some((first, *index, *mark)),
        _ => None,
    }
}

/// Whether a register holds the constant 0 at a position in the code.
fn is_zero(p: &Program, at: Pc, r: Reg) -> bool {
    let begun = p.functions.iter().filter(|one| one.entry <= at);
    let own = begun.max_by_key(|one| one.entry);
    let constant = own.and_then(|own| own.constants.get(r.checked_sub(own.registers)? as usize));
    constant == Some(&Val::from_small(0))
}

/// The first of these instructions, or the superinstruction for it and its successors.
fn first_of(code: &[Instr], at: Pc) -> Instr {
    match *code {
        [
            Instr::RunsNext { first, index, value, pool, mark, to, .. },
            Instr::Count { counter },
            Instr::Equal { a, b, on: false, to: again },
            ..,
        ] if again == at && (a == value) != (b == value) && a != index && b != index => {
            let (wanted, body) = (if a == value { b } else { a }, at + 3);
            Instr::Seek { first, index, value, pool, mark, wanted, counter, body, to }
        }
        [
            Instr::RangeNext { first, index, end, mark, to, body },
            Instr::Index { into, a, at: place },
            Instr::Equal { a: item, b: wanted, on: false, to: again },
            ..,
        ] if place == index && item == into && again == at && ![index, into].contains(&wanted) => {
            Instr::RangeSeek { first, index, end, mark, a, behind: NOTHING, wanted, body, to }
        }
        [
            Instr::RangeNext { first, index, end, mark, to, body },
            Instr::Add { into: sum, a: from, b: behind },
            Instr::Index { into, a, at: place },
            Instr::Equal { a: item, b: wanted, on: false, to: again },
            ..,
        ] if from == index
            && place == sum
            && item == into
            && again == at
            && ![index, sum, into].contains(&wanted)
            && ![index, sum].contains(&a)
            && ![index, sum, into].contains(&behind) =>
        {
            Instr::RangeSeek { first, index, end, mark, a, behind, wanted, body, to }
        }
        [
            Instr::RangeNext { first, index, end, mark, to, body },
            Instr::Slice { into: cut, a, from, to: Some(last) },
            Instr::Number { into: number, a: digits },
            ..,
        ] if from == index && digits == cut && ![a, last].contains(&index) => {
            Instr::RangeNumber { first, index, end, mark, cut, a, last, number, body, to }
        }
        [
            Instr::Slice { into, a, from, to: Some(to) },
            Instr::Number { into: number, a: cut },
            ..,
        ] if cut == into => Instr::CutNumber { into, a, from, to, number },
        [one, ..] => one,
        [] => unreachable!("there is a first one"),
    }
}

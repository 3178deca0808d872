//! Functions that do nothing but test and change bits of a state, run on the state itself.
//!
//! Most boards are searched with such functions alone. The machine would run them too, one state
//! after the other through its registers and windows; here the state stays where it is.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use crate::grow::Grow;
use crate::program::{BitTest, Form, Function, Instr, NOWHERE, Pc, Program, Reg};
use crate::trouble::Outcome;
use crate::value::Val;

#[derive(Debug, Clone, Copy)]
enum Step {
    /// Goes to `to` where the outcome of the test is `on`.
    Bit {
        word: u16,
        on: bool,
        to: Pc,
        mask: u64,
        value: u64,
    },
    Bits {
        first: u32,
        len: u16,
        on: bool,
        to: Pc,
    },
    /// Goes where the first test of a chain leads that holds; see `Seek`.
    Seek {
        at: u32,
    },
    Jump {
        to: Pc,
    },
    Count {
        counter: u16,
    },
    Out {
        cost: u64,
        counter: u16,
        form: u32,
    },
    /// A register of truth values gets one.
    Set {
        bit: u64,
        truth: bool,
    },
    Return {
        truth: bool,
    },
    ReturnOf {
        bit: u64,
    },
}

/// A test of a chain, in which one follows where the one before does not hold.
#[derive(Debug, Clone, Copy)]
struct Seek {
    mask: u64,
    value: u64,
    word: u16,
    /// Where to go if it holds; if not, `NOWHERE` stands for the next of the chain.
    holds: Pc,
    fails: Pc,
}

/// A function of a program that can be run so.
#[derive(Debug)]
pub struct Direct {
    steps: Vec<Step>,
    seeks: Vec<Seek>,
}

/// What comes out of a state.
pub enum Out<const N: usize> {
    /// A rule was counted.
    Count(u16),
    /// A successor: its cost, its counter and itself.
    Made(u64, u16, [u64; N]),
}

impl Direct {
    /// None where the function does anything else.
    pub fn of(program: &Program, function: u16) -> Outcome<Option<Direct>> {
        let Some(f) = program.functions.get(function as usize) else { return Ok(None) };
        let ends = program.functions.iter().map(|one| one.entry).filter(|&entry| entry > f.entry);
        let end = ends.min().unwrap_or(program.code.len() as Pc);
        let mut steps = Vec::new();
        for pc in f.entry..end {
            match step(program, f, pc) {
                Some(step) => steps.grow_push(step)?,
                None => return Ok(None),
            }
        }
        let inside = |to: Pc, at: usize| (to as usize) > at && (to as usize) < steps.len();
        let forward = steps.iter().enumerate().all(|(at, step)| match *step {
            Step::Bit { to, .. } | Step::Bits { to, .. } | Step::Jump { to } => inside(to, at),
            _ => true,
        });
        let ends = matches!(steps.last(), Some(Step::Return { .. } | Step::ReturnOf { .. }));
        if !(forward && ends) {
            return Ok(None);
        }
        let seeks = chained(&mut steps)?;
        Ok(Some(Direct { steps, seeks }))
    }

    /// Runs it; what it hands out goes to `out`. Returns its truth value.
    ///
    /// `bits`, `forms`: those of its program.
    #[inline]
    pub fn run<const N: usize>(
        &self,
        bits: &[BitTest],
        forms: &[Form],
        state: &[u64; N],
        mut out: impl FnMut(Out<N>) -> Outcome<()>,
    ) -> Outcome<bool> {
        let (mut pc, mut truths) = (0, 0_u64);
        while let Some(&step) = self.steps.get(pc) {
            pc += 1;
            match step {
                Step::Bit { word, on, to, mask, value } => {
                    if (state[word as usize] & mask == value) == on {
                        pc = to as usize;
                    }
                }
                Step::Bits { first, len, on, to } => {
                    let tests = &bits[first as usize..first as usize + len as usize];
                    if tests.iter().all(|t| state[t.word as usize] & t.mask == t.value) == on {
                        pc = to as usize;
                    }
                }
                Step::Seek { at } => {
                    for one in &self.seeks[at as usize..] {
                        if state[one.word as usize] & one.mask == one.value {
                            pc = one.holds as usize;
                            break;
                        }
                        if one.fails != NOWHERE {
                            pc = one.fails as usize;
                            break;
                        }
                    }
                }
                Step::Jump { to } => pc = to as usize,
                Step::Count { counter } => out(Out::Count(counter))?,
                Step::Out { cost, counter, form } => {
                    let next = made(state, &forms[form as usize]);
                    out(Out::Made(cost, counter, next))?;
                }
                Step::Set { bit, truth } => {
                    truths = if truth { truths | bit } else { truths & !bit };
                }
                Step::Return { truth } => return Ok(truth),
                Step::ReturnOf { bit } => return Ok(truths & bit != 0),
            }
        }
        Ok(false)
    }

    pub fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<Step>() + self.seeks.capacity() * size_of::<Seek>()
    }
}

/// Puts tests that follow one another where they do not hold side by side: most of a search without
/// look-ups is such tests, and few of them hold.
fn chained(steps: &mut [Step]) -> Outcome<Vec<Seek>> {
    let mut seeks = Vec::new();
    for begin in 0..steps.len() {
        let mut pc = begin;
        while let Some(&Step::Bit { word, on: false, to, mask, value }) = steps.get(pc) {
            steps[pc] = Step::Seek { at: seeks.len() as u32 };
            let goes_on = matches!(steps[to as usize], Step::Bit { on: false, .. });
            let fails = if goes_on { NOWHERE } else { to };
            seeks.grow_push(Seek { mask, value, word, holds: pc as Pc + 1, fails })?;
            pc = to as usize;
        }
    }
    Ok(seeks)
}

#[inline]
fn made<const N: usize>(state: &[u64; N], form: &Form) -> [u64; N] {
    let mut next = *state;
    for &(word, keep, flip) in &form.changes {
        let word = &mut next[word as usize];
        *word = (*word & keep) ^ flip;
    }
    for &(from, to, bits, shift) in &form.moves {
        let field = state[from as usize] & bits;
        next[to as usize] |= if shift >= 0 { field << shift } else { field >> -shift };
    }
    next
}

/// The step that an instruction is; places count from the beginning of the function.
fn step(program: &Program, f: &Function, pc: Pc) -> Option<Step> {
    let place = |to: Pc| to.checked_sub(f.entry);
    let constant = |reg: Reg| -> Option<Val> {
        f.constants.get((reg as usize).checked_sub(f.registers as usize)?).copied()
    };
    let truth = |reg: Reg| constant(reg).map(|value| value == Val::TRUE);
    let bit = |reg: Reg| (reg < f.registers).then(|| 1_u64.checked_shl(u32::from(reg)))?;
    Some(match program.code[pc as usize] {
        Instr::Bit { test, on, to } => {
            let one = program.bits[test as usize];
            Step::Bit { word: one.word, on, to: place(to)?, mask: one.mask, value: one.value }
        }
        Instr::Bits { first, len, on, to } => Step::Bits { first, len, on, to: place(to)? },
        Instr::Jump { to } => Step::Jump { to: place(to)? },
        Instr::Count { counter } => Step::Count { counter },
        Instr::MakeOut { cost, counter, form } => {
            let cost = u64::try_from(constant(cost)?.as_small()?).ok()?;
            Step::Out { cost, counter, form }
        }
        Instr::Move { into, from } => Step::Set { bit: bit(into)?, truth: truth(from)? },
        Instr::Return { a } => match truth(a) {
            Some(truth) => Step::Return { truth },
            None => Step::ReturnOf { bit: bit(a)? },
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Direct, Out, Step, chained};
    use crate::program::NOWHERE;

    #[test]
    fn a_chain_of_tests_goes_where_the_tests_one_by_one_would() {
        let bit = |mask, to| Step::Bit { word: 0, on: false, to, mask, value: mask };
        let count = |counter| Step::Count { counter };
        let truth = Step::Return { truth: true };
        let steps = vec![
            bit(1, 4),
            count(1),
            bit(8, 4), // inside of the first, and on to the second of its chain
            count(8),
            bit(2, 6),
            count(2),
            bit(4, 9),
            count(4),
            Step::Jump { to: 10 },
            Step::Return { truth: false },
            truth,
        ];
        let mut chain = steps.clone();
        let seeks = chained(&mut chain).unwrap();
        assert_eq!(seeks.len(), 4);
        assert_eq!(seeks.iter().filter(|one| one.fails == NOWHERE).count(), 2);
        let (plain, chain) = (Direct { steps, seeks: Vec::new() }, Direct { steps: chain, seeks });
        for state in 0..16_u64 {
            let told = |direct: &Direct| {
                let mut counted = Vec::new();
                let truth = direct.run(&[], &[], &[state], |one| {
                    let Out::Count(counter) = one else { panic!("nothing is made") };
                    counted.push(counter);
                    Ok(())
                });
                (truth.unwrap(), counted)
            };
            assert_eq!(told(&chain), told(&plain));
            assert_eq!(told(&plain).0, state & 4 != 0);
        }
    }
}

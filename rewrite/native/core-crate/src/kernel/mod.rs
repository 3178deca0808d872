//! Functions of states in slots that need no registers: they test bits of a state, and make
//! successors that differ from it in bits and fields.
//!
//! Most boards come to nothing but such functions. Their instructions are rewritten for it when a
//! program is loaded (`make`): constants are put in their places, calls and what is known beforehand
//! are gone. What cannot be said so is left to `steps`, which does the same, slower.

mod choice;
mod make;
mod switch;
#[cfg(test)]
mod tests;

pub use make::kernel;

use choice::Choice;
use switch::Switch;

use crate::machine::Machine;
use crate::program::{BitTest, Form, NOTHING};
use crate::trouble::{Change, Outcome, Trouble};
use crate::value::Val;
use crate::worker::Worker;

/// One step; those with `to` go on there, or with the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Op {
    /// To `to` unless these bits of the state are as said.
    Need {
        word: u16,
        to: u32,
        mask: u64,
        value: u64,
    },
    /// To `to` where they are.
    Leave {
        word: u16,
        to: u32,
        mask: u64,
        value: u64,
    },
    /// The same, of the successor.
    NeedOfNext {
        word: u16,
        to: u32,
        mask: u64,
        value: u64,
    },
    LeaveOfNext {
        word: u16,
        to: u32,
        mask: u64,
        value: u64,
    },
    /// To `to` where so many of some bits are set (or, `on` being false, where not so many are).
    Ones {
        on: bool,
        of_next: bool,
        len: u16,
        to: u32,
        first: u32,
        ones: u32,
    },
    Jump {
        to: u32,
    },
    /// To where the fields that are compared lead.
    Choose {
        among: u32,
    },
    /// To where the number that a field holds leads.
    Switch {
        among: u32,
    },
    Count {
        counter: u16,
    },
    /// Hands out a successor of one word, of which one field has moved.
    Out {
        counter: u16,
        cost: u16,
        turn: u32,
        keep: u64,
        flip: u64,
        field: u64,
    },
    /// Hands out a successor.
    OutForm {
        counter: u16,
        cost: u16,
        form: u32,
    },
    /// Makes a successor and keeps it at hand.
    Make {
        form: u32,
    },
    /// Hands out the successor at hand; `cost` is `FOUND` where it comes from a table.
    OutNext {
        counter: u16,
        cost: u16,
    },
    /// Looks up the changes that a table holds for the state.
    Find {
        table: u16,
    },
    /// Makes a successor by the next of them, or goes to `to` where none is left.
    NextFound {
        add: bool,
        table: u16,
        to: u32,
    },
    Return {
        value: Val,
    },
    /// A term would stand twice in a state: another encoding is needed.
    Twice,
}

/// Stands for the cost of the change that was looked up.
const FOUND: u16 = u16::MAX;

/// A function as such steps.
#[derive(Debug, Default)]
pub struct Kernel {
    ops: Vec<Op>,
    costs: Vec<Val>,
    forms: Vec<Form>,
    bits: Vec<BitTest>,
    choices: Vec<Choice>,
    switches: Vec<Switch>,
    looks_up: bool,
}

impl Kernel {
    /// What it returns for every state, where that is known and it does nothing else.
    pub fn constant(&self) -> Option<Val> {
        match self.ops[..] {
            [Op::Return { value }, ..] => Some(value),
            _ => None,
        }
    }

    /// Whether what it does may depend on some bits of a word.
    pub fn reads(&self, (wanted, bits): (u16, u64)) -> bool {
        self.looks_up
            || self.ops.iter().any(|op| match *op {
                Op::Need { word, mask, .. } | Op::Leave { word, mask, .. } => {
                    word == wanted && mask & bits != 0
                }
                Op::Ones { first, len, .. } => {
                    let tests = &self.bits[first as usize..first as usize + len as usize];
                    tests.iter().any(|test| test.word == wanted && test.mask & bits != 0)
                }
                Op::Jump { .. } | Op::Count { .. } | Op::Return { .. } | Op::Twice => false,
                _ => true,
            })
    }

    /// Runs the function on a state; hands every successor over with its cost.
    #[inline]
    pub fn run<const N: usize>(
        &self,
        w: &mut Worker,
        m: &Machine,
        s: &[u64; N],
        out: &mut impl FnMut(Val, &[u64; N]) -> Outcome<()>,
    ) -> Outcome<Val> {
        if !self.looks_up {
            return self.steps(w, m, s, 0, out);
        }
        let width = w.width(m);
        w.held(&s[..width], |w, state| self.steps(w, m, s, state, out))
    }

    /// `state`: where the state stands among the words of the worker, for look-ups.
    #[inline]
    fn steps<const N: usize>(
        &self,
        w: &mut Worker,
        m: &Machine,
        s: &[u64; N],
        state: usize,
        out: &mut impl FnMut(Val, &[u64; N]) -> Outcome<()>,
    ) -> Outcome<Val> {
        let mut x = [0; N]; // the successor at hand
        let mut found = (0, 0); // entries of a table that are left: the first, and their number
        let mut found_cost = Val::FALSE;
        let mut at = 0;
        loop {
            let op = &self.ops[at];
            at += 1;
            match *op {
                Op::Need { word, to, mask, value } => {
                    if s[word as usize] & mask != value {
                        at = to as usize;
                    }
                }
                Op::Leave { word, to, mask, value } => {
                    if s[word as usize] & mask == value {
                        at = to as usize;
                    }
                }
                Op::NeedOfNext { word, to, mask, value } => {
                    if x[word as usize] & mask != value {
                        at = to as usize;
                    }
                }
                Op::LeaveOfNext { word, to, mask, value } => {
                    if x[word as usize] & mask == value {
                        at = to as usize;
                    }
                }
                Op::Ones { on, of_next, len, to, first, ones } => {
                    let state = if of_next { &x } else { s };
                    let tests = &self.bits[first as usize..first as usize + len as usize];
                    let set = tests.iter().map(|t| (state[t.word as usize] & t.mask).count_ones());
                    if (set.sum::<u32>() == ones) == on {
                        at = to as usize;
                    }
                }
                Op::Jump { to } => at = to as usize,
                Op::Choose { among } => at = self.choices[among as usize].to(s) as usize,
                Op::Switch { among } => at = self.switches[among as usize].to(s) as usize,
                Op::Count { counter } => w.counts[counter as usize] += 1,
                Op::Out { counter, cost, turn, keep, flip, field } => {
                    tick(w, counter);
                    let mut made = [0; N];
                    made[0] = ((s[0] & keep) ^ flip) | (s[0] & field).rotate_left(turn);
                    out(self.costs[cost as usize], &made)?;
                }
                Op::OutForm { counter, cost, form } => {
                    tick(w, counter);
                    x = made(s, &self.forms[form as usize]);
                    out(self.costs[cost as usize], &x)?;
                }
                Op::Make { form } => x = made(s, &self.forms[form as usize]),
                Op::OutNext { counter, cost } => {
                    tick(w, counter);
                    let known = self.costs.get(cost as usize);
                    out(known.copied().unwrap_or(found_cost), &x)?;
                }
                Op::Find { table } => found = w.look_up(m, state, table)?,
                Op::NextFound { add, table, to } => {
                    w.turn(m)?;
                    if found.1 == 0 {
                        at = to as usize;
                        continue;
                    }
                    let cache = &w.tables[table as usize];
                    if add {
                        x = *s;
                        cache.add_to(found.0, &mut x);
                    }
                    found_cost = cache.cost(found.0);
                    found = (found.0 + 1, found.1 - 1);
                }
                Op::Return { value } => return Ok(value),
                Op::Twice => {
                    return Err(Trouble::Change(Change::Multiset("a term can stand twice")));
                }
            }
        }
    }
}

#[inline(always)]
fn tick(w: &mut Worker, counter: u16) {
    if counter != NOTHING {
        w.counts[counter as usize] += 1;
    }
}

#[inline]
fn made<const N: usize>(s: &[u64; N], form: &Form) -> [u64; N] {
    let mut x = *s;
    form.apply(s, &mut x);
    x
}

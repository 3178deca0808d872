//! Functions of states in slots: they test bits of a state, and make successors that differ from it in
//! bits and fields.
//!
//! They are built from ground rules and conditions as they are. What depends on what slots hold is
//! looked up in tables; a condition that needs the machine calls a function of the program.

mod build;
mod choice;
mod switch;
#[cfg(test)]
mod tests;

use choice::Choice;
use switch::Switch;

use crate::error::{Change, Error, Result};
use crate::program::{BitTest, Form, Is, NOTHING};
use crate::value::Val;
use crate::vm::machine::Machine;
use crate::vm::worker::Worker;

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
    /// To `to` where a function says `on` of the state or the successor.
    Call {
        on: bool,
        of_next: bool,
        function: u16,
        to: u32,
    },
    /// To `to` where that some rule applies is `on`.
    AnySuccessor {
        on: bool,
        of_next: bool,
        to: u32,
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
        table: u16,
        to: u32,
    },
    /// Fails where the cost that was looked up is no number of 0 or more.
    CheckFoundCost,
    Return {
        value: Val,
    },
    /// A term would stand twice in a state: another encoding is needed.
    Twice,
}

impl Op {
    fn target(&self) -> Option<u32> {
        let mut op = *self;
        op.target_mut().copied()
    }

    fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Op::Need { to, .. }
            | Op::Leave { to, .. }
            | Op::NeedOfNext { to, .. }
            | Op::LeaveOfNext { to, .. }
            | Op::Ones { to, .. }
            | Op::Call { to, .. }
            | Op::AnySuccessor { to, .. }
            | Op::NextFound { to, .. }
            | Op::Jump { to } => Some(to),
            _ => None,
        }
    }
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
        out: &mut impl FnMut(Val, &[u64; N]) -> Result<()>,
    ) -> Result<Val> {
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
        out: &mut impl FnMut(Val, &[u64; N]) -> Result<()>,
    ) -> Result<Val> {
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
                Op::Call { on, of_next, function, to } => {
                    let state = if of_next { &x } else { s };
                    let value = w.call_on_words(m, function, &state[..w.width(m)])?;
                    if (value == Val::TRUE) == on {
                        at = to as usize;
                    }
                }
                Op::AnySuccessor { on, of_next, to } => {
                    if has_successor(w, m, if of_next { &x } else { s })? == on {
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
                Op::NextFound { table, to } => {
                    w.turn(m)?;
                    if found.1 == 0 {
                        at = to as usize;
                        continue;
                    }
                    let cache = &w.tables[table as usize];
                    x = *s;
                    cache.add_to(found.0, &mut x);
                    found_cost = cache.cost(found.0);
                    found = (found.0 + 1, found.1 - 1);
                }
                Op::CheckFoundCost => {
                    let zero = Val::from_small(0);
                    let is_number = w.is_kind(m, found_cost, Is::Int);
                    if !is_number || m.interner.cmp(found_cost, zero).is_lt() {
                        return Err(Error::failed("a cost is no number of 0 or more"));
                    }
                }
                Op::Return { value } => return Ok(value),
                Op::Twice => {
                    return Err(Error::Change(Change::Multiset("a term can stand twice")));
                }
            }
        }
    }
}

/// Whether some rule leads on from a state.
fn has_successor<const N: usize>(w: &mut Worker, m: &Machine, s: &[u64; N]) -> Result<bool> {
    let mut any = false;
    if let Some(kernel) = m.kernel(m.program.successors) {
        kernel.run(w, m, s, &mut |_, _| {
            any = true;
            Ok(())
        })?;
    }
    Ok(any)
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

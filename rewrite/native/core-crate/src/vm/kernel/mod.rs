//! Functions of states in slots: they test bits of a state, and make successors that differ in bits
//! and fields.
//!
//! They are built directly from ground rules and conditions. Changes that depend on the values of
//! slots are looked up in tables; a condition that needs the machine calls a function of the program.

mod build;
mod choice;
mod commuting;
mod simplify;
mod switch;
#[cfg(test)]
mod tests;

use choice::Choice;
pub use commuting::Skips;
use switch::Switch;

use crate::error::{Change, Error, Result};
use crate::ground::{GroundRule, Rules};
use crate::program::{BitTest, Form};
use crate::value::Val;
use crate::vm::machine::Machine;
use crate::vm::worker::Worker;

/// One step; those with a target go there or to the next step.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Op {
    /// Jumps unless a test holds for the state.
    Need(BitTest, u32),
    /// Jumps if the test holds.
    Leave(BitTest, u32),
    /// Jumps if a test of the successor has this outcome.
    OfNext(BitTest, bool, u32),
    /// Jumps if the question about the state or the successor has the outcome `on`.
    Ask(Question, Asked, u32),
    Jump(u32),
    /// Jumps to where the compared fields lead.
    Choose(u32),
    /// Jumps by what a field holds.
    Switch(u32),
    Count(u16),
    /// Emits a one-word successor with one field moved.
    Out(Counted, Moved),
    /// Emits a successor by a form.
    OutForm(Counted, u32),
    /// Makes a successor by a form and holds on to it.
    Make(u32),
    /// Brings the current successor to its normal form.
    Simplify,
    /// Emits the current successor; its cost is `FOUND` if it comes from a table.
    OutNext(Counted),
    /// Looks up a table's changes for the state.
    Find(u16),
    /// Makes a successor by the next of them, or jumps if none is left.
    NextFound(u16, u32),
    /// Fails unless the cost looked up is a number ≥ 0.
    CheckFoundCost,
    Return(Val),
    /// A term would occur twice in a state: another encoding is needed.
    Twice,
}

/// The counter of a successor, the index of its cost, and the number of the step that makes it: in the
/// order in which steps are made; `UNKNOWN` for those that are looked up or may be forbidden.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Counted {
    counter: u16,
    cost: u16,
    step: u16,
}

/// What is known of a successor beside its key.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub cost: Val,
    pub number: u16,
}

/// How a one-word state changes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Moved {
    keep: u64,
    flip: u64,
    field: u64,
    /// By how many bits the field is rotated left.
    turn: u32,
}

/// Questions beyond a bit test.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Question {
    /// Whether `ones` bits are set in the masks of `Kernel::bits`, `len` of them from `first` on.
    Ones { first: u32, len: u16, ones: u32 },
    /// The result of a function.
    Call(u16),
    /// Whether some rule applies.
    AnySuccessor,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Asked {
    on: bool,
    of_next: bool,
}

impl Op {
    fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Op::Need(_, to) | Op::Leave(_, to) | Op::OfNext(_, _, to) => Some(to),
            Op::Ask(_, _, to) | Op::NextFound(_, to) | Op::Jump(to) => Some(to),
            _ => None,
        }
    }
}

/// The cost of the change looked up.
const FOUND: u16 = u16::MAX;

/// A function as a list of steps.
#[derive(Debug, Default)]
pub struct Kernel {
    ops: Vec<Op>,
    costs: Vec<Val>,
    forms: Vec<Form>,
    bits: Vec<BitTest>,
    choices: Vec<Choice>,
    switches: Vec<Switch>,
    looks_up: bool,
    /// A test without which it returns false.
    needed: Option<BitTest>,
    /// By number of the step, that of its rule.
    step_rules: Vec<usize>,
}

impl Kernel {
    /// The value it returns for every state, if known and if it does nothing else.
    pub fn constant(&self) -> Option<Val> {
        match self.ops[..] {
            [Op::Return(value), ..] => Some(value),
            _ => None,
        }
    }

    /// Whether a test says that it returns false for a state; most states fail a goal's first one.
    #[inline]
    pub fn refuses(&self, state: &[u64]) -> bool {
        self.needed.is_some_and(|test| !test.holds(state))
    }

    /// The rules of its steps, by number.
    pub fn steps_of<'a>(&self, rules: &'a Rules) -> Vec<&'a GroundRule> {
        self.step_rules.iter().map(|&rule| &rules.rules[rule]).collect()
    }

    /// Whether it may depend on some bits of a word.
    pub fn reads(&self, (wanted, bits): (u16, u64)) -> bool {
        let reads = |test: &BitTest| test.word == wanted && test.mask & bits != 0;
        self.looks_up
            || self.ops.iter().any(|op| match op {
                Op::Need(test, _) | Op::Leave(test, _) => reads(test),
                &Op::Ask(Question::Ones { first, len, .. }, ..) => {
                    self.tests(first, len).iter().any(reads)
                }
                Op::Jump(_) | Op::Count(_) | Op::Return(_) | Op::Twice => false,
                _ => true,
            })
    }

    fn tests(&self, first: u32, len: u16) -> &[BitTest] {
        &self.bits[first as usize..][..usize::from(len)]
    }

    /// Runs the function on a state; passes on every successor with its cost.
    #[inline]
    pub fn run<const N: usize>(
        &self,
        w: &mut Worker,
        m: &Machine,
        s: &[u64; N],
        out: &mut impl FnMut(Step, &[u64; N]) -> Result<()>,
    ) -> Result<Val> {
        self.run_without(&[], w, m, s, out)
    }

    /// The same; but the steps whose bits are set in `skipped` are counted and not made.
    #[inline]
    pub fn run_without<const N: usize>(
        &self,
        skipped: &[u64],
        w: &mut Worker,
        m: &Machine,
        s: &[u64; N],
        out: &mut impl FnMut(Step, &[u64; N]) -> Result<()>,
    ) -> Result<Val> {
        if !self.looks_up {
            return self.steps(skipped, w, m, s, 0, out);
        }
        let width = m.program.encoding.words();
        w.held(&s[..width], |w, state| self.steps(skipped, w, m, s, state, out))
    }

    /// `state`: the position of the state among the worker's words, for look-ups.
    #[inline]
    fn steps<const N: usize>(
        &self,
        skipped: &[u64],
        w: &mut Worker,
        m: &Machine,
        s: &[u64; N],
        state: usize,
        out: &mut impl FnMut(Step, &[u64; N]) -> Result<()>,
    ) -> Result<Val> {
        let skips = |step: u16| {
            let word = skipped.get(usize::from(step) / 64);
            word.is_some_and(|word| word >> (step % 64) & 1 != 0)
        };
        let mut x = [0; N]; // the current successor
        let mut found = (0, 0); // table entries left: the first, and their number
        let mut found_cost = Val::FALSE;
        let mut at = 0;
        loop {
            let op = &self.ops[at];
            at += 1;
            match *op {
                Op::Need(ref test, to) => {
                    if !test.holds(s) {
                        at = to as usize;
                    }
                }
                Op::Leave(ref test, to) => {
                    if test.holds(s) {
                        at = to as usize;
                    }
                }
                Op::OfNext(ref test, on, to) => {
                    if test.holds(&x) == on {
                        at = to as usize;
                    }
                }
                Op::Ask(question, Asked { on, of_next }, to) => {
                    if self.holds(w, m, question, if of_next { &x } else { s })? == on {
                        at = to as usize;
                    }
                }
                Op::Jump(to) => at = to as usize,
                Op::Switch(among) => at = self.switches[among as usize].to(s) as usize,
                Op::Choose(among) => at = self.choices[among as usize].to(s) as usize,
                Op::Count(counter) => w.counts[counter as usize] += 1,
                Op::Out(Counted { counter, cost, step }, Moved { keep, flip, field, turn }) => {
                    w.tick(counter);
                    if skips(step) {
                        w.skipped = true;
                        continue;
                    }
                    let mut made = [0; N];
                    made[0] = ((s[0] & keep) ^ flip) | (s[0] & field).rotate_left(turn);
                    out(Step { cost: self.costs[cost as usize], number: step }, &made)?;
                }
                Op::OutForm(Counted { counter, cost, step }, form) => {
                    w.tick(counter);
                    if skips(step) {
                        w.skipped = true;
                        continue;
                    }
                    x = made(s, &self.forms[form as usize]);
                    out(Step { cost: self.costs[cost as usize], number: step }, &x)?;
                }
                Op::Make(form) => x = made(s, &self.forms[form as usize]),
                Op::Simplify => simplify::simplify(w, m, &mut x)?,
                Op::OutNext(Counted { counter, cost, step }) => {
                    w.tick(counter);
                    let known = self.costs.get(cost as usize);
                    out(Step { cost: known.copied().unwrap_or(found_cost), number: step }, &x)?;
                }
                Op::Find(table) => found = w.look_up(m, state, table)?,
                Op::NextFound(table, to) => {
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
                Op::CheckFoundCost => w.check_cost(m, found_cost)?,
                Op::Return(value) => return Ok(value),
                Op::Twice => {
                    return Err(Error::Change(Change::Multiset("a term can stand twice")));
                }
            }
        }
    }

    fn holds<const N: usize>(
        &self,
        w: &mut Worker,
        m: &Machine,
        question: Question,
        s: &[u64; N],
    ) -> Result<bool> {
        Ok(match question {
            Question::Ones { first, len, ones } => {
                let set = self.tests(first, len).iter().map(|mask| mask.ones(s));
                set.sum::<u32>() == ones
            }
            Question::Call(function) => {
                w.call_on_words(m, function, &s[..m.program.encoding.words()])? == Val::TRUE
            }
            Question::AnySuccessor => has_successor(w, m, s)?,
        })
    }
}

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

#[inline]
fn made<const N: usize>(s: &[u64; N], form: &Form) -> [u64; N] {
    let mut x = *s;
    form.apply(s, &mut x);
    x
}

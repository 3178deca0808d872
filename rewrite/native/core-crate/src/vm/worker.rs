//! A worker runs functions of a program on one state after the other.
//!
//! Values in registers are canonical, or *temporary tuples*: windows of `scratch` (see `windows`),
//! which is freed after each turn of a loop. Only what outlives that is interned.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use std::collections::HashMap;
use std::mem::take;

use crate::canon::TermsScratch;
use crate::classes::Scratch;
use crate::error::{Error, Result};
use crate::estimates;
use crate::grow::{Grow, GrowCopies, copied, filled, listed};
use crate::program::*;
use crate::store::{List, Words};
use crate::value::{Kind, Val};
use crate::vm::machine::Machine;
use crate::vm::tables::{Cache, Outcomes};

/// Turns of loops between two looks at the clock: well below a millisecond.
pub(crate) const FUEL: u32 = 1 << 12;
/// The most nested calls: each takes about 1 KiB of the stack of a thread, which has 2 MiB.
const MOST_CALLS: u32 = 256;
/// Stands for "no value" where Python has None.
pub const NONE: Val = Val::ctor(u32::MAX);

/// The successors of a multiset, in the order in which they are generated.
#[derive(Debug, Default)]
pub struct Made {
    pub keys: Words,
    pub costs: Vec<Val>,
    /// The key of a successor to skip.
    known: Option<Vec<u32>>,
}

impl Made {
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// Clears the list; successors equal to `known` will be skipped.
    pub fn begin(&mut self, known: Option<&[u32]>) -> Result<()> {
        self.keys.truncate(0);
        self.costs.clear();
        match (&mut self.known, known) {
            (Some(old), Some(key)) => {
                old.clear();
                old.grow_slice(key)?;
            }
            (old, key) => *old = key.map(copied).transpose()?,
        }
        Ok(())
    }

    /// Adds a successor, the words of whose key were appended to `keys`.
    #[inline]
    pub fn close(&mut self, cost: Val) -> Result<()> {
        self.keys.close()?;
        let last = self.keys.len() - 1;
        if self.known.as_ref().is_some_and(|known| self.keys.get(last) == known) {
            self.keys.truncate(last);
            return Ok(());
        }
        self.costs.grow_push(cost)
    }

    fn bytes(&self) -> usize {
        self.keys.bytes() + 8 * self.costs.capacity()
    }
}

#[derive(Default)]
pub struct Worker {
    /// By number of the function: its registers, and behind them its constants. They are taken out
    /// while it runs; no function calls itself.
    frames: Vec<Vec<Val>>,
    frames_len: usize,
    pub(crate) scratch: Vec<Val>,
    pub(crate) lists: Vec<Vec<Val>>,
    lists_top: usize,
    /// States in slots: windows of two each, the state of a frame and the successor it makes.
    pub(crate) words: Vec<u64>,
    pub(crate) words_top: usize,
    /// The key of the current look-up in a table.
    pub(crate) key: Vec<u64>,
    pub counts: Vec<u64>,
    pub made: Made,
    pub(crate) skipped: bool,
    /// The results of residual rules: cost and values for the slots.
    pub(crate) puts: Vec<(Val, Val)>,
    pub(crate) tables: Vec<Cache>,
    pub(crate) outcomes: Outcomes,
    /// Of tuples with others inside: how many levels deep they nest.
    pub(crate) levels: HashMap<Val, u32>,
    /// What terms are without the values that are exchanged.
    pub(crate) exchanged: TermsScratch,
    pub(crate) estimating: estimates::Scratch,
    pub(crate) fuel: u32,
    calls: u32,
    /// For flooding a class, and for those that its steps lead to.
    pub(crate) floods: (Scratch, Scratch),
    /// Whether this worker runs on the thread that began the search.
    pub first: bool,
}

/// What a function works on beside its registers: its lists begin here, its state stands there.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub lists: usize,
    pub state: usize,
}

impl Worker {
    pub fn new(machine: &Machine, first: bool) -> Result<Worker> {
        Ok(Worker {
            frames: listed(machine.program.functions.iter().map(|_| Vec::new()))?,
            counts: filled(machine.program.counters as usize, 0)?,
            tables: listed(machine.program.tables.iter().map(|_| Cache::default()))?,
            fuel: FUEL,
            first,
            ..Worker::default()
        })
    }

    /// Forgets what was counted, and adds it to `sums` if it is to count.
    pub fn take_counts(&mut self, sums: Option<&mut Vec<u64>>) {
        let Some(sums) = sums else { return self.counts.fill(0) };
        for (sum, one) in sums.iter_mut().zip(&mut self.counts) {
            *sum += take(one);
        }
    }

    pub fn bytes(&self) -> usize {
        let vals = self.frames_len + self.scratch.capacity();
        8 * (vals + self.words.capacity() + self.counts.capacity())
            + self.made.bytes()
            + self.tables.iter().map(Cache::bytes).sum::<usize>()
            + self.outcomes.bytes()
            + self.levels.capacity() * size_of::<(Val, u32)>()
            + self.floods.0.bytes()
            + self.floods.1.bytes()
    }

    /// One more turn of a loop: now and then, looks at the clock.
    #[inline]
    pub(crate) fn turn(&mut self, m: &Machine) -> Result<()> {
        self.fuel -= 1;
        if self.fuel == 0 { self.spent(m) } else { Ok(()) }
    }

    #[cold]
    pub(crate) fn spent(&mut self, m: &Machine) -> Result<()> {
        self.fuel = FUEL;
        m.pulse(self.first)
    }

    // -- calls -----------------------------------------------------------------------------

    /// Takes out the registers of a function, for `run`.
    #[inline]
    pub(crate) fn frame(&mut self, m: &Machine, function: u16) -> Result<Vec<Val>> {
        let mut regs = take(&mut self.frames[function as usize]);
        if regs.is_empty() {
            let f = &m.program.functions[function as usize];
            regs.grow_resize(f.registers as usize, Val::FALSE)?;
            regs.grow_slice(&f.constants)?;
            self.frames_len += regs.capacity();
        }
        Ok(regs)
    }

    pub(crate) fn call(
        &mut self,
        m: &Machine,
        function: u16,
        state: usize,
        args: &[Val],
    ) -> Result<Val> {
        let mut regs = self.frame(m, function)?;
        regs[..args.len()].copy_from_slice(args);
        self.run(m, function, state, regs)
    }

    /// Runs a function on its registers, the first of which hold the arguments.
    pub(crate) fn run(
        &mut self,
        m: &Machine,
        function: u16,
        state: usize,
        mut regs: Vec<Val>,
    ) -> Result<Val> {
        if self.calls == MOST_CALLS {
            let deep = format!("expressions and conditions that take more than {MOST_CALLS} calls");
            return Err(Error::Unsupported(deep + " inside each other"));
        }
        let f = &m.program.functions[function as usize];
        let frame = Frame { lists: self.lists_top, state };
        let mark = self.scratch.len();
        let lists_top = frame.lists + f.lists as usize;
        while self.lists.len() < lists_top {
            self.lists.grow_push(Vec::new())?;
        }
        self.lists_top = lists_top;
        self.calls += 1;
        let result = self.steps(m, f.entry as usize, frame, &mut regs);
        self.calls -= 1;
        self.lists_top = frame.lists;
        self.frames[function as usize] = regs;
        let result = match result {
            Ok(value) => self.canon(m, value),
            Err(error) => Err(error),
        };
        self.scratch.truncate(mark);
        result
    }

    #[inline]
    pub(crate) fn tick(&mut self, counter: u16) {
        if counter != NOTHING {
            self.counts[counter as usize] += 1;
        }
    }

    pub(crate) fn check_cost(&self, m: &Machine, cost: Val) -> Result<()> {
        let zero = Val::from_small(0);
        if self.kind(m, cost) != Kind::Int || m.interner.cmp(cost, zero).is_lt() {
            return Err(Error::failed("a cost is no number of 0 or more"));
        }
        Ok(())
    }

    pub(crate) fn is_used(regs: &[Val], used: &[Reg], place: usize) -> bool {
        used.iter().any(|&r| regs[r as usize].as_small() == Some(place as i64))
    }

    pub(crate) fn without(
        &mut self,
        m: &Machine,
        regs: &[Val],
        tuple: Val,
        used: &[Reg],
    ) -> Result<Val> {
        let start = self.scratch.len();
        for i in 0..self.len(m, tuple) {
            if !Worker::is_used(regs, used, i) {
                let item = self.item(m, tuple, i);
                self.scratch.grow_push(item)?;
            }
        }
        Ok(self.tmp_from(start))
    }

    /// The next place from `next` on that is not used, equal values in a row once.
    pub(crate) fn choice(
        &self,
        m: &Machine,
        regs: &[Val],
        pool: Val,
        next: usize,
        used: &[Reg],
    ) -> Option<usize> {
        (next..self.len(m, pool)).find(|&i| {
            let again = || {
                self.item(m, pool, i - 1) == self.item(m, pool, i)
                    && !Worker::is_used(regs, used, i - 1)
            };
            !(Worker::is_used(regs, used, i) || i > 0 && again())
        })
    }
}

/// Words as pairs of halves, low half first: the common form of keys outside the store.
pub(crate) fn halves(words: &[u64]) -> Result<Vec<u32>> {
    listed(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]))
}

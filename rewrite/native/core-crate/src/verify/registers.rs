//! Whether everything is written before it is read: registers, lists, and the next state.
//!
//! Forward through each function: what may not have been written where an instruction begins is the
//! union of that over all ways that lead there. Places are looked at in an order in which those that
//! lead to them come first; and as nothing that was written is taken back, a loop that is entered at
//! its top only, as are all that the project writes, is gone through once.

use std::collections::BinaryHeap;

use super::parts::{Does, Part, ends, parts};
use super::{Calls, Check, Verifier};
use crate::instr::*;
use crate::program::NOWHERE;

/// What may not have been written, of `AT_ONCE` things in a row.
type Missing = u128;
/// As many are looked at in one go. More than a function of the gallery has, and sets stay small.
const AT_ONCE: usize = 128;

impl Verifier<'_> {
    /// Checks that functions read nothing that was not written, given as many arguments as they get
    /// from the call that has the fewest. What is never called is never run.
    pub(super) fn registers(&self, calls: &[Calls]) -> Check {
        let mut round = Round {
            missing: vec![0; self.p.code.len()],
            ranks: vec![0; self.p.code.len()],
            work: BinaryHeap::new(),
        };
        for (number, given) in self.least_given(calls).into_iter().enumerate() {
            let Some(given) = given else { continue };
            let function = &self.p.functions[number];
            let registers = usize::from(function.registers);
            let lists = registers + usize::from(function.lists);
            let left = &self.left[calls[number].left.clone()];
            for from in (0..=lists).step_by(AT_ONCE) {
                let slots = self.slots().is_some();
                let seen = Seen { lists: &self.p.lists, slots, registers, next: lists, from };
                self.round(&mut round, &seen, left, given)
                    .map_err(|why| format!("function {}: {why}", function.name))?;
            }
        }
        Ok(())
    }

    /// For each function, the fewest arguments that it is called with; none if nothing calls it.
    fn least_given(&self, calls: &[Calls]) -> Vec<Option<usize>> {
        let mut least: Vec<Option<usize>> = vec![None; calls.len()];
        let on_states = self.root_numbers().map(|one| (one, self.groups().unwrap_or(0)));
        let called = calls.iter().flat_map(|one| &one.all);
        let given = called.filter_map(|one| Some((one.function, one.given?)));
        for (function, given) in on_states.chain(given) {
            let known = &mut least[usize::from(function)];
            *known = Some(known.map_or(given, |known| known.min(given)));
        }
        least
    }

    /// Goes through a function, for some of its registers; `left`: its places, its entry at the end.
    fn round(&self, round: &mut Round, seen: &Seen, left: &[Pc], given: usize) -> Check {
        let Some(&entry) = left.last() else { return Ok(()) };
        for (rank, &at) in (0..).zip(left) {
            (round.ranks[at as usize], round.missing[at as usize]) = (rank, 0);
        }
        round.reach(entry, seen.unwritten(given));
        while let Some(rank) = round.work.pop() {
            while round.work.peek() == Some(&rank) {
                round.work.pop();
            }
            let at = left[rank as usize];
            let (one, before) = (self.p.code[at as usize], round.missing[at as usize]);
            let effect = seen.effect(one);
            let read = effect.read & before;
            if read != 0 {
                return Err(format!("{at}: {} may be read before it is written", seen.name(read)));
            }
            let after = before & !effect.written;
            if let Some(to) = effect.to {
                round.reach(to, after);
            }
            if !ends(one) {
                round.reach(at + 1, after & !effect.turned);
            }
            let handler = self.handlers[at as usize];
            if handler != NOWHERE {
                round.reach(handler, before);
            }
        }
        Ok(())
    }
}

/// What is known in a round through a function.
struct Round {
    /// By place in the code: what may not have been written when it is come to.
    missing: Vec<Missing>,
    /// By place in the code: where it stands among those of its function.
    ranks: Vec<u32>,
    /// The ranks of places to look at; those that come before all others have the highest.
    work: BinaryHeap<u32>,
}

impl Round {
    /// Notes a way to a place. Where nothing can be missing nothing has to be looked at.
    fn reach(&mut self, at: Pc, missing: Missing) {
        let known = &mut self.missing[at as usize];
        if missing & !*known != 0 {
            *known |= missing;
            self.work.push(self.ranks[at as usize]);
        }
    }
}

/// What an instruction does with the things that are looked at.
#[derive(Default)]
struct Effect {
    read: Missing,
    written: Missing,
    turned: Missing,
    to: Option<Pc>,
}

/// The things of a function that are looked at: from a number on. Numbered are first its registers,
/// then its lists, and last the next state. Constants are always there.
struct Seen<'a> {
    lists: &'a [Reg],
    slots: bool,
    registers: usize,
    next: usize,
    from: usize,
}

impl Seen<'_> {
    fn thing(&self, number: usize) -> Missing {
        match number.checked_sub(self.from) {
            Some(place) if place < AT_ONCE => 1 << place,
            _ => 0,
        }
    }

    fn register(&self, one: Reg) -> Missing {
        if usize::from(one) < self.registers { self.thing(one.into()) } else { 0 }
    }

    fn all(&self, some: List) -> Missing {
        self.lists[some.range()].iter().fold(0, |all, &one| all | self.register(one))
    }

    /// What is not there at the entry of a function that is called with so many arguments.
    fn unwritten(&self, given: usize) -> Missing {
        let below = |end: usize| match end.saturating_sub(self.from) {
            len if len < AT_ONCE => (1 << len) - 1,
            _ => Missing::MAX,
        };
        below(self.next + 1) & !below(given)
    }

    #[inline]
    fn effect(&self, one: Instr) -> Effect {
        let mut effect = Effect::default();
        for &part in &parts(one)[..] {
            let (does, things) = match part {
                Part::Reg(does, one) => (does, self.register(one)),
                Part::Regs(does, some) => (does, self.all(some)),
                Part::State(groups) if !self.slots => (Does::Read, self.all(groups)),
                Part::Splices(pairs) => {
                    let pairs = self.lists[pairs.range()].chunks_exact(2);
                    (Does::Read, pairs.fold(0, |all, pair| all | self.register(pair[1])))
                }
                Part::Local(does, list) => (does, self.thing(self.registers + usize::from(list))),
                Part::Next(does) => (does, self.thing(self.next)),
                Part::To(to) => {
                    effect.to = Some(to);
                    continue;
                }
                _ => continue,
            };
            match does {
                Does::Read => effect.read |= things,
                Does::Write => effect.written |= things,
                Does::Turn => effect.turned |= things,
            }
        }
        effect
    }

    /// The first of some things, in words.
    fn name(&self, some: Missing) -> String {
        let number = self.from + some.trailing_zeros() as usize;
        if number < self.registers {
            format!("register {number}")
        } else if number < self.next {
            format!("list {}", number - self.registers)
        } else {
            "the next state".into()
        }
    }
}

//! The loop that runs instructions. It handles the common ones, superinstructions (see `fused`)
//! included, on small ints and temporary tuples; `slow_path` does the rest.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use crate::error::{Error, Result};
use crate::numbers;
use crate::program::{Instr, NOTHING, NOWHERE};
use crate::value::{Kind, Val};
use crate::vm::machine::Machine;
use crate::vm::worker::{Frame, Worker};

impl Worker {
    /// Runs until a return or an error; where arithmetic has no value, it continues at the handler.
    pub(crate) fn steps(
        &mut self,
        m: &Machine,
        from: usize,
        frame: Frame,
        regs: &mut [Val],
    ) -> Result<Val> {
        let (p, code) = (&m.program, &m.code[..]);
        let mut pc = from;
        macro_rules! reg {
            ($r:expr) => {
                regs[$r as usize]
            };
        }
        macro_rules! place {
            ($r:expr) => {
                reg!($r).as_small().unwrap_or(0)
            };
        }
        macro_rules! attempt {
            ($e:expr) => {
                match $e {
                    Ok(value) => value,
                    Err(Error::NoValue) if m.handlers[pc] != NOWHERE => {
                        pc = m.handlers[pc] as usize;
                        continue;
                    }
                    Err(error) => return Err(error),
                }
            };
        }
        // Each case continues by one of these, or falls back to `slow_path`.
        macro_rules! next {
            () => {{
                pc += 1;
                continue;
            }};
        }
        macro_rules! set {
            ($r:expr, $v:expr) => {{
                let value = $v;
                reg!($r) = value;
                next!();
            }};
        }
        macro_rules! branch {
            ($outcome:expr, $on:expr, $to:expr) => {{
                if ($outcome) == $on {
                    apart();
                    pc = $to as usize;
                    continue;
                }
                next!();
            }};
        }
        // The result of an operation on two small ints, if it has one that is small.
        macro_rules! smalls {
            ($into:expr, $a:expr, $b:expr, $f:expr) => {
                if let Some((a, b)) = Val::as_smalls(reg!($a), reg!($b))
                    && let Some(value) = $f(a, b)
                {
                    set!($into, value);
                }
            };
        }
        // Begins a turn of a loop; its place.
        macro_rules! turn {
            ($first:expr, $index:expr, $mark:expr) => {{
                attempt!(self.turn(m));
                if $first {
                    reg!($index) = Val::from_small(-1);
                    reg!($mark) = Val::from_small(self.scratch.len() as i64);
                    0
                } else {
                    self.scratch.truncate(place!($mark) as usize);
                    place!($index) + 1
                }
            }};
        }
        macro_rules! run {
            ($index:expr, $value:expr, $pool:expr, $next:expr, $body:expr, $to:expr) => {{
                let pool = reg!($pool);
                let found = match pool.as_tmp() {
                    Some(window) => {
                        let items = self.window(window);
                        run_from(items, $next).map(|at| (at, items[at]))
                    }
                    None => {
                        let at = self.choice(m, regs, pool, $next, &[]);
                        at.map(|at| (at, m.interner.get(pool, at)))
                    }
                };
                pc = $to as usize;
                if let Some((at, item)) = found {
                    reg!($index) = Val::from_small(at as i64);
                    reg!($value) = item;
                    pc = $body;
                }
                continue;
            }};
        }
        loop {
            match code[pc] {
                Instr::Jump { to } => {
                    pc = to as usize;
                    continue;
                }
                Instr::Count { counter } => {
                    self.counts[counter as usize] += 1;
                    next!();
                }
                Instr::Move { into, from } => set!(into, reg!(from)),
                Instr::Equal { a, b, on, to } => {
                    let (a, b) = (reg!(a), reg!(b));
                    if a == b {
                        branch!(true, on, to);
                    }
                    if !a.is_tmp() && !b.is_tmp() {
                        branch!(false, on, to);
                    }
                }
                Instr::Less { a, b, on, to } => {
                    if let Some((a, b)) = Val::as_smalls(reg!(a), reg!(b)) {
                        branch!(a < b, on, to);
                    }
                }
                Instr::IsKind { a, kind: Kind::Int, on, to } if reg!(a).is_small() => {
                    branch!(true, on, to);
                }
                Instr::FirstOfRun { place, pool, value, to } => {
                    let place = place!(place) as usize;
                    if place == 0 {
                        next!();
                    }
                    if let Some((from, _)) = reg!(pool).as_tmp() {
                        let before = self.scratch[from as usize + place - 1];
                        branch!(before == reg!(value), true, to);
                    }
                }
                Instr::Add { into, a, b } => smalls!(into, a, b, |a, b| Val::small(a + b)),
                Instr::Sub { into, a, b } => smalls!(into, a, b, |a, b| Val::small(a - b)),
                Instr::Mul { into, a, b } => {
                    smalls!(into, a, b, |a: i64, b| a.checked_mul(b).and_then(Val::small));
                }
                Instr::FloorDiv { into, a, b } => {
                    // neither overflows nor rounds; `slow_path` handles negative ints
                    smalls!(into, a, b, |a, b| (a >= 0 && b > 0).then(|| Val::from_small(a / b)));
                }
                Instr::Mod { into, a, b } => {
                    smalls!(into, a, b, |a, b| (a >= 0 && b > 0).then(|| Val::from_small(a % b)));
                }
                Instr::Len { into, a } => {
                    set!(into, Val::from_small(self.len(m, reg!(a)) as i64));
                }
                Instr::Index { into, a, at } => {
                    let at = reg!(at).as_small();
                    if let (Some((from, len)), Some(at)) = (reg!(a).as_tmp(), at) {
                        let at = if at < 0 { at + i64::from(len) } else { at };
                        if 0 <= at && at < i64::from(len) {
                            set!(into, self.scratch[from as usize + at as usize]);
                        }
                    }
                }
                Instr::Slice { into, a, from, to: Some(to) } => {
                    if let (Some(whole), Some((from, to))) =
                        (reg!(a).as_tmp(), Val::as_smalls(reg!(from), reg!(to)))
                    {
                        let (start, len) = part(whole, from, to);
                        set!(into, Val::tmp(start, len));
                    }
                }
                Instr::Spread { into, a } if reg!(a).is_tmp() => set!(into, reg!(a)),
                Instr::In { a, tuple, on, to } => {
                    let wanted = reg!(a);
                    if let Some(window) = reg!(tuple).as_tmp() {
                        let mut items = self.window(window).iter();
                        branch!(items.any(|&item| self.equal(m, item, wanted)), on, to);
                    }
                }
                Instr::RangeInit { index, from, mark } => {
                    reg!(index) = Val::from_small(place!(from) - 1);
                    set!(mark, Val::from_small(self.scratch.len() as i64));
                }
                Instr::RangeNext { first, index, end, mark, body, to } => {
                    let next = turn!(first, index, mark);
                    if next >= place!(end) {
                        pc = to as usize;
                        continue;
                    }
                    reg!(index) = Val::from_small(next);
                    pc = body as usize;
                    continue;
                }
                Instr::ItemsNext { first, index, value, pool, mark, body, to } => {
                    let (next, pool) = (turn!(first, index, mark), reg!(pool));
                    if next as usize >= self.len(m, pool) {
                        pc = to as usize;
                        continue;
                    }
                    reg!(index) = Val::from_small(next);
                    reg!(value) = self.item(m, pool, next as usize);
                    pc = body as usize;
                    continue;
                }
                Instr::RunsNext { first, index, value, pool, mark, body, to } => {
                    let next = turn!(first, index, mark) as usize;
                    run!(index, value, pool, next, body as usize, to);
                }
                Instr::Seek { first, index, value, pool, mark, wanted, counter, body, to } => {
                    let (mut next, wanted) = (turn!(first, index, mark) as usize, reg!(wanted));
                    if let Some((from, len)) = reg!(pool).as_tmp()
                        && wanted.is_small()
                    {
                        let items = &self.scratch[from as usize..][..len as usize];
                        pc = to as usize;
                        while let Some(at) = run_from(items, next) {
                            self.counts[counter as usize] += 1;
                            if items[at] == wanted {
                                reg!(index) = Val::from_small(at as i64);
                                reg!(value) = wanted;
                                pc = body as usize;
                                break;
                            }
                            next = at + 1;
                        }
                        continue;
                    }
                    // turn by turn: the body begins with the counter and the test
                    run!(index, value, pool, next, body as usize - 2, to);
                }
                Instr::RangeSeek { first, index, end, mark, a, behind, wanted, body, to } => {
                    let (next, last) = (turn!(first, index, mark), place!(end));
                    if next >= last {
                        pc = to as usize;
                        continue;
                    }
                    let behind = if behind == NOTHING { Some(0) } else { reg!(behind).as_small() };
                    let items = reg!(a).as_tmp().map(|window| self.window(window));
                    let found = match (items, behind, reg!(wanted)) {
                        (Some(items), Some(behind), wanted) if wanted.is_small() => {
                            place_before(items, next, last, behind, wanted)
                        }
                        _ => Some(next), // without a fast path: turn by turn
                    };
                    pc = to as usize;
                    if let Some(at) = found {
                        reg!(index) = Val::from_small(at);
                        pc = body as usize;
                    }
                    continue;
                }
                Instr::RangeNumber { first, index, end, mark, cut, a, last, number, body, to } => {
                    let next = turn!(first, index, mark);
                    if next >= place!(end) {
                        pc = to as usize;
                        continue;
                    }
                    reg!(index) = Val::from_small(next);
                    pc = body as usize;
                    if let (Some(whole), Some(last)) = (reg!(a).as_tmp(), reg!(last).as_small()) {
                        let digits = part(whole, next, last);
                        reg!(cut) = Val::tmp(digits.0, digits.1);
                        pc += 1;
                        set!(number, attempt!(numbers::number(&m.interner, self.window(digits))));
                    }
                    continue;
                }
                Instr::CutNumber { into, a, from, to, number } => {
                    if let (Some(whole), Some((from, to))) =
                        (reg!(a).as_tmp(), Val::as_smalls(reg!(from), reg!(to)))
                    {
                        let digits = part(whole, from, to);
                        reg!(into) = Val::tmp(digits.0, digits.1);
                        pc += 1;
                        set!(number, attempt!(numbers::number(&m.interner, self.window(digits))));
                    }
                }
                Instr::Tuple { into, parts } => {
                    set!(into, attempt!(self.tuple(m, regs, p.list(parts))));
                }
                Instr::Without { into, a, places } => {
                    set!(into, attempt!(self.without(m, regs, reg!(a), p.list(places))));
                }
                Instr::Emit { cost, counter, groups } => {
                    self.tick(counter);
                    attempt!(self.emit(m, regs, reg!(cost), p.list(groups)));
                    next!();
                }
                Instr::EmitWith { cost, counter, group, value } => {
                    self.tick(counter);
                    attempt!(self.emit_with(m, reg!(cost), reg!(group), reg!(value)));
                    next!();
                }
                Instr::Return { a } => return Ok(reg!(a)),
                Instr::Bits { on, to, tests } => {
                    let s = &self.words[frame.state..];
                    branch!(p.tests(tests).iter().all(|test| test.holds(s)), on, to);
                }
                _ => {}
            }
            pc = match attempt!(self.other(m, pc, frame, regs)) {
                NOWHERE => pc + 1,
                to => to as usize,
            };
        }
    }
}

/// Forces a branch: with a conditional move, the next place would be known only after the test, and be
/// harder to predict.
#[cold]
#[inline(always)]
fn apart() {}

/// The part of a window from one place to another.
#[inline]
fn part((start, len): (u32, u32), from: i64, to: i64) -> (u32, u32) {
    let to = to.clamp(0, i64::from(len)) as u32;
    let from = from.clamp(0, i64::from(to)) as u32;
    (start + from, to - from)
}

/// The first place from `next` on where a run of equal items begins.
#[inline]
fn run_from(items: &[Val], next: usize) -> Option<usize> {
    (next..items.len()).find(|&at| at == 0 || items[at - 1] != items[at])
}

/// The first place from `next` up to, without, `last` behind which, so far on, a small int stands.
/// Where a place to look at is beyond the end, it is `next`, for the instructions to say.
#[inline]
fn place_before(items: &[Val], next: i64, last: i64, behind: i64, wanted: Val) -> Option<i64> {
    let len = items.len() as i64;
    if next < 0 || behind < 0 || behind > len || last > len - behind {
        return Some(next);
    }
    let looked_at = &items[(next + behind) as usize..(last + behind) as usize];
    let at = looked_at.iter().position(|&item| item == wanted);
    at.map(|at| next + at as i64)
}

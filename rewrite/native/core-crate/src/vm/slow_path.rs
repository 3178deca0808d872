//! The full form of every instruction, except those that `fast_path` always handles.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use crate::error::{Error, Result};
use crate::grow::{Grow, listed};
use crate::numbers;
use crate::program::{Builtin, Instr, NOWHERE, Pc};
use crate::value::Val;
use crate::vm::machine::{Machine, Seen};
use crate::vm::multisets::{Groups, pack};
use crate::vm::worker::{Frame, Worker, halves};

impl Worker {
    /// Runs one instruction; returns where to continue, unless with the next one. The value at the end of
    /// a function is left to `steps`.
    #[inline(never)]
    pub(crate) fn other(
        &mut self,
        m: &Machine,
        pc: usize,
        frame: Frame,
        regs: &mut [Val],
    ) -> Result<Pc> {
        let p = &m.program;
        macro_rules! reg {
            ($r:expr) => {
                regs[$r as usize]
            };
        }
        macro_rules! set {
            ($r:expr, $v:expr) => {{
                let value = $v;
                regs[$r as usize] = value;
            }};
        }
        macro_rules! branch {
            ($outcome:expr, $on:expr, $to:expr) => {
                if ($outcome) == $on {
                    return Ok($to);
                }
            };
        }
        macro_rules! place {
            ($r:expr) => {
                reg!($r).as_small().unwrap_or(0)
            };
        }
        match p.code.instrs[pc] {
            Instr::Equal { a, b, on, to } => {
                branch!(self.equal(m, reg!(a), reg!(b)), on, to);
            }
            Instr::Less { a, b, on, to } => {
                branch!(self.cmp(m, reg!(a), reg!(b)).is_lt(), on, to);
            }
            Instr::IsKind { a, kind, on, to } => {
                branch!(self.kind(m, reg!(a)) == kind, on, to);
            }
            Instr::HasCtor { a, ctor, on, to } => {
                branch!(self.ctor(m, reg!(a)) == Some(ctor.0), on, to);
            }
            Instr::Truthy { a, on, to } => {
                let v = reg!(a);
                let truth = match v.as_small() {
                    Some(small) => small != 0,
                    None => v == Val::TRUE || v.as_tmp().is_some_and(|(_, len)| len > 0),
                };
                branch!(truth, on, to);
            }
            Instr::MustBeTruth { a } => {
                let v = reg!(a);
                if v != Val::TRUE && v != Val::FALSE {
                    return Err(Error::failed("True or False was needed"));
                }
            }
            Instr::In { a, tuple, on, to } => {
                let (v, tuple) = (reg!(a), reg!(tuple));
                let mut places = 0..self.len(m, tuple);
                branch!(places.any(|at| self.equal(m, self.item(m, tuple, at), v)), on, to);
            }
            Instr::InSet { a, set, on, to } => {
                let v = self.canon(m, reg!(a))?;
                branch!(p.sets[set as usize].contains(&v), on, to);
            }
            Instr::FirstOfRun { place, pool, value, to } => {
                let place = place!(place) as usize;
                if place > 0 && self.item(m, reg!(pool), place - 1) == reg!(value) {
                    return Ok(to);
                }
            }
            Instr::Add { into, a, b } => {
                let (a, b) = (reg!(a), reg!(b));
                let is_number = a.as_small().is_some();
                set!(
                    into,
                    if is_number { numbers::add(&m.interner, a, b) } else { self.joined(m, a, b) }?
                );
            }
            Instr::Sub { into, a, b } => set!(into, numbers::sub(&m.interner, reg!(a), reg!(b))?),
            Instr::Mul { into, a, b } => set!(into, numbers::mul(&m.interner, reg!(a), reg!(b))?),
            Instr::FloorDiv { into, a, b } => {
                set!(into, numbers::floor_div(&m.interner, reg!(a), reg!(b))?);
            }
            Instr::Mod { into, a, b } => {
                set!(into, numbers::modulo(&m.interner, reg!(a), reg!(b))?)
            }
            Instr::Neg { into, a } => set!(into, numbers::neg(&m.interner, reg!(a))?),
            Instr::Abs { into, a } => set!(into, numbers::abs(&m.interner, reg!(a))?),
            Instr::Index { into, a, at } => {
                let (tuple, at) = (reg!(a), place!(at));
                let len = self.len(m, tuple) as i64;
                let at = if at < 0 { at + len } else { at };
                if !(0..len).contains(&at) {
                    return Err(Error::failed("an index is out of range"));
                }
                set!(into, self.item(m, tuple, at as usize));
            }
            Instr::Slice { into, a, from, to } => {
                let tuple = reg!(a);
                let len = self.len(m, tuple) as i64;
                let end = to.map_or(len, |to| place!(to)).clamp(0, len);
                let from = place!(from).clamp(0, end);
                set!(into, self.slice(m, tuple, from as usize, end as usize)?);
            }
            Instr::Spread { into, a } => {
                let tuple = self.spread(m, reg!(a))?;
                set!(into, tuple);
            }
            Instr::Unpack { a, into } => {
                let tuple = reg!(a);
                for (i, &target) in p.list(into).iter().enumerate() {
                    set!(target, self.item(m, tuple, i));
                }
            }
            Instr::Insert { into, a, values } => {
                let mut tuple = reg!(a);
                for &one in p.list(values) {
                    tuple = self.inserted(m, tuple, reg!(one))?;
                }
                set!(into, tuple);
            }
            Instr::Find { into, a, value, used } => {
                let (pool, value, used) = (reg!(a), reg!(value), p.list(used));
                let found = (0..self.len(m, pool)).find(|&at| {
                    self.equal(m, self.item(m, pool, at), value) && !Worker::is_used(regs, used, at)
                });
                set!(into, Val::from_small(found.map_or(-1, |at| at as i64)));
            }
            Instr::Builtin { into, function, args } => {
                let value = self.builtin(m, function, regs, p.list(args))?;
                set!(into, value);
            }
            Instr::Number { into, a } => {
                let value = self.builtin(m, Builtin::Number, regs, &[a])?;
                set!(into, value);
            }
            Instr::Outside { into, function, args } => {
                let mut values = Vec::new();
                values.grow_by(args.range().len())?;
                for &one in p.list(args) {
                    values.grow_push(self.canon(m, reg!(one))?)?;
                }
                set!(into, m.call_outside(function, &values)?);
            }
            Instr::OutsideState { into, test, groups } => {
                let mut held = Groups::new();
                for &r in p.list(groups) {
                    held.grow_push(self.items(m, reg!(r))?)?;
                }
                set!(into, m.outside.state(test, Seen::Groups(&held), &m.interner)?);
            }
            Instr::OutsideSlots { into, test } => {
                let words = &self.words[frame.state..frame.state + p.encoding.words()];
                let seen = Seen::Words(words);
                set!(into, m.outside.state(test, seen, &m.interner)?);
            }
            Instr::Call { into, function, args } => {
                let mut given = self.frame(m, function)?;
                for (one, &r) in given.iter_mut().zip(p.list(args)) {
                    *one = reg!(r);
                }
                set!(into, self.run(m, function, frame.state, given)?);
            }
            Instr::NoValue {} => return Err(Error::NoValue),
            Instr::ChoicesNext { index, value, more, to } => {
                self.turn(m)?;
                let more = p.list(more);
                let (pool, next) = (reg!(more[0]), place!(index) + 1);
                self.scratch.truncate(place!(more[1]) as usize);
                let Some(found) = self.choice(m, regs, pool, next as usize, &more[2..]) else {
                    return Ok(to);
                };
                set!(index, Val::from_small(found as i64));
                set!(value, self.item(m, pool, found));
            }
            Instr::RowInit { row, mark, index, key } => {
                let mut wanted = Vec::new();
                wanted.grow_by(key.range().len())?;
                for &one in p.list(key) {
                    wanted.grow_push(self.canon(m, reg!(one))?)?;
                }
                let index = &p.indexes[index as usize];
                let &(from, len) = index.by_key.get(&wanted[..]).unwrap_or(&(0, 0));
                set!(row, Val::tmp(from, len));
                set!(mark, Val::from_small(self.scratch.len() as i64));
            }
            Instr::RowNext { row, index, more, to } => {
                self.turn(m)?;
                let more = p.list(more);
                self.scratch.truncate(place!(more[2]) as usize);
                let (from, len) = reg!(row).as_tmp().unwrap_or((0, 0));
                if len == 0 {
                    return Ok(to);
                }
                let (place, value) = p.indexes[index as usize].rows[from as usize];
                set!(more[0], Val::from_small(place as i64));
                set!(more[1], value);
                set!(row, Val::tmp(from + 1, len - 1));
            }
            Instr::Splits { ways, a, parts } => {
                let made = self.splits(m, reg!(a), parts as usize)?;
                self.lists[frame.lists + ways as usize] = made;
            }
            Instr::SplitsNext { index, ways, more, to } => {
                self.turn(m)?;
                let (mark, into) = (p.list(more)[0], &p.list(more)[1..]);
                self.scratch.truncate(place!(mark) as usize);
                let next = (place!(index) + 1) as usize;
                let at = next * into.len();
                let list = frame.lists + ways as usize;
                if at >= self.lists[list].len() {
                    return Ok(to);
                }
                set!(index, Val::from_small(next as i64));
                for (i, &target) in into.iter().enumerate() {
                    set!(target, self.lists[list][at + i]);
                }
            }
            Instr::ListNew { list } => self.lists[frame.lists + list as usize].clear(),
            Instr::ListPush { list, value } => {
                let value = self.canon(m, reg!(value))?;
                self.lists[frame.lists + list as usize].grow_push(value)?;
            }
            Instr::ListAny { list, on, to } => {
                branch!(!self.lists[frame.lists + list as usize].is_empty(), on, to);
            }
            Instr::ListHas { list, value, on, to } => {
                let value = self.canon(m, reg!(value))?;
                branch!(self.lists[frame.lists + list as usize].contains(&value), on, to);
            }
            Instr::ListFold { into, list, how } => {
                let value = self.fold(m, frame.lists + list as usize, how)?;
                set!(into, value);
            }
            Instr::Place { groups, operands } => {
                self.place(m, regs, groups as usize, p.list(operands))?;
            }
            Instr::Normal { groups, operands } => {
                let (made, given) = p.list(operands).split_at(groups as usize);
                self.normal(m, regs, made, given)?;
            }
            Instr::AnySuccessor { into, groups } => {
                let args = listed(p.list(groups).iter().map(|&r| reg!(r)))?;
                let (_, made) = self.apart(|worker| worker.call(m, p.successors, 0, &args))?;
                set!(into, Val::truth(!made.is_empty()));
            }
            Instr::InStates { set, on, groups, to } => {
                let mut key = Vec::new();
                match p.encoding.words() {
                    0 => pack(m, &self.scratch, regs, p.list(groups), &mut key)?,
                    words => key = halves(&self.words[frame.state..][..words])?,
                }
                branch!(p.states[set as usize].contains(&key[..]), on, to);
            }
            Instr::CheckCost { cost } => self.check_cost(m, reg!(cost))?,
            Instr::Put { cost, values } => {
                let cost = self.canon(m, reg!(cost))?;
                let values = self.canon(m, reg!(values))?;
                self.puts.grow_push((cost, values))?;
            }
            Instr::TableInit { row, table } => {
                let (from, len) = self.look_up(m, frame.state, table)?;
                set!(row, Val::tmp(from, len));
            }
            Instr::TableNext { row, cost, table, to } => {
                self.turn(m)?;
                let (from, len) = reg!(row).as_tmp().unwrap_or((0, 0));
                if len == 0 {
                    return Ok(to);
                }
                set!(row, Val::tmp(from + 1, len - 1));
                set!(cost, self.tables[table as usize].cost(from));
            }
            Instr::TableAny { table, on, to } => {
                let (_, len) = self.look_up(m, frame.state, table)?;
                branch!(len > 0, on, to);
            }
            Instr::BitCount { into, masks } => {
                let s = &self.words[frame.state..];
                let ones = p.tests(masks).iter().map(|mask| mask.ones(s));
                set!(into, Val::from_small(i64::from(ones.sum::<u32>())));
            }
            other => unreachable!("`steps` does it: {other:?}"),
        }
        Ok(NOWHERE)
    }
}

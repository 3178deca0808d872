//! Functions on values that programs call; the Python versions are in `engine/runtime.py`.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use crate::error::{Error, Result};
use crate::grow::{Grow, GrowCopies, grow_map, listed, no_memory, probe};
use crate::interner::Kind;
use crate::numbers;
use crate::program::{Builtin, Fold, Reg};
use crate::value::Val;
use crate::vm::machine::Machine;
use crate::vm::worker::Worker;

const MOST_KNOWN: usize = 1 << 18;

fn wrong<T>(wanted: &str) -> Result<T> {
    Err(Error::failed(format!("{wanted} was needed")))
}

impl Worker {
    /// `a + b` of two tuples, two texts, or large numbers.
    pub(crate) fn joined(&mut self, m: &Machine, a: Val, b: Val) -> Result<Val> {
        if self.is_seq(m, a) && self.is_seq(m, b) {
            let start = self.scratch.len();
            self.push_items(m, a, 0, self.len(m, a))?;
            self.push_items(m, b, 0, self.len(m, b))?;
            return Ok(self.tmp_from(start));
        }
        if let (Some(mut left), Some(right)) = (self.text(m, a)?, self.text(m, b)?) {
            left.try_reserve(right.len()).map_err(no_memory)?;
            left.push_str(&right);
            return m.interner.text(&left);
        }
        numbers::add(&m.interner, a, b)
    }

    /// A tuple of (splice?, register) pairs; with a constructor in front, a term.
    pub(crate) fn tuple(&mut self, m: &Machine, regs: &[Val], parts: &[Reg]) -> Result<Val> {
        let start = self.scratch.len();
        for part in parts.chunks_exact(2) {
            let v = regs[part[1] as usize];
            if part[0] != 0 {
                let len = self.len(m, v);
                self.push_items(m, v, 0, len)?;
            } else {
                let v = self.canon(m, v)?;
                self.scratch.grow_push(v)?;
            }
        }
        Ok(self.tmp_from(start))
    }

    pub(crate) fn slice(&mut self, m: &Machine, tuple: Val, from: usize, to: usize) -> Result<Val> {
        if let Some((at, _)) = tuple.as_tmp() {
            return Ok(Val::tmp(at + from as u32, (to - from) as u32));
        }
        let start = self.scratch.len();
        self.push_items(m, tuple, from, to)?;
        Ok(self.tmp_from(start))
    }

    pub(crate) fn is_seq(&self, m: &Machine, v: Val) -> bool {
        self.kind(m, v) == Kind::Seq
    }

    fn text(&self, m: &Machine, v: Val) -> Result<Option<String>> {
        if v.is_ref() { m.interner.str(v) } else { Ok(None) }
    }

    fn is_text(&self, m: &Machine, v: Val) -> bool {
        v.is_ref() && m.interner.is_text(v)
    }

    fn whole(&self, m: &Machine, v: Val) -> Result<Val> {
        let is_int = v.as_small().is_some() || (v.is_ref() && m.interner.kind(v) == Kind::Int);
        if is_int { Ok(v) } else { wrong("a whole number") }
    }

    /// The items of a sequence or nested bag as a tuple.
    fn elements(&mut self, m: &Machine, v: Val) -> Result<Val> {
        match self.kind(m, v) {
            Kind::Seq => Ok(v),
            Kind::Bag => self.slice(m, v, 1, self.len(m, v)),
            _ => wrong("a sequence or nested bag"),
        }
    }

    /// A text and its length, or None and the length of a sequence.
    fn sequence(&self, m: &Machine, v: Val) -> Result<(Option<String>, i64)> {
        let text = self.text(m, v)?;
        if text.is_none() && !self.is_seq(m, v) {
            return wrong("a sequence");
        }
        let len = text.as_ref().map_or_else(|| self.len(m, v), |text| text.chars().count());
        Ok((text, len as i64))
    }

    fn item_of(&mut self, m: &Machine, values: Val, at: Val) -> Result<Val> {
        let at = self.whole(m, at)?.as_small(); // None: far out of range
        let (text, len) = self.sequence(m, values)?;
        let place = at.map(|at| if at < 0 { at + len } else { at });
        let Some(place) = place.filter(|place| (0..len).contains(place)) else {
            return Err(Error::NoValue);
        };
        match text {
            Some(text) => {
                let letter = text.chars().nth(place as usize).unwrap_or_default();
                m.interner.text(letter.encode_utf8(&mut [0; 4]))
            }
            None => Ok(self.item(m, values, place as usize)),
        }
    }

    fn cut(&mut self, m: &Machine, values: Val, first: Val, last: Option<Val>) -> Result<Val> {
        let (text, len) = self.sequence(m, values)?;
        let clamped = |v: Val| -> Result<i64> {
            let given = self.whole(m, v)?;
            let zero = Val::from_small(0);
            let at = given.as_small().unwrap_or_else(|| {
                if m.interner.cmp(given, zero).is_lt() { -len - 1 } else { len }
            });
            Ok(if at < 0 { at + len } else { at }.clamp(0, len))
        };
        let from = clamped(first)?;
        let to = last.map_or(Ok(len), clamped)?.max(from);
        match text {
            Some(text) => {
                let place = |at: i64| text.char_indices().nth(at as usize).map(|(place, _)| place);
                let (from, to) = (place(from), place(to).unwrap_or(text.len()));
                m.interner.text(from.map_or("", |from| &text[from..to]))
            }
            None => self.slice(m, values, from as usize, to as usize),
        }
    }

    fn extreme(&self, m: &Machine, values: &[Val], greatest: bool) -> Result<Val> {
        let mut best: Option<Val> = None;
        for &one in values {
            let one = self.canon(m, one)?;
            let better = best.is_none_or(|best| {
                let order = m.interner.cmp(one, best);
                if greatest { order.is_gt() } else { order.is_lt() }
            });
            if better {
                best = Some(one);
            }
        }
        best.ok_or(Error::NoValue)
    }

    fn sum(&self, m: &Machine, values: &[Val]) -> Result<Val> {
        let mut sum = Val::from_small(0);
        for &one in values {
            sum = numbers::add(&m.interner, sum, self.whole(m, one)?)?;
        }
        Ok(sum)
    }

    pub(crate) fn fold(&mut self, m: &Machine, list: usize, how: Fold) -> Result<Val> {
        let values = std::mem::take(&mut self.lists[list]);
        let result = match how {
            Fold::Least => self.extreme(m, &values, false),
            Fold::Greatest => self.extreme(m, &values, true),
            Fold::Sum => self.sum(m, &values),
        };
        self.lists[list] = values;
        result
    }

    fn cased(&mut self, m: &Machine, v: Val, upper: bool) -> Result<Val> {
        let Some(mut text) = self.text(m, v)? else { return wrong("a text") };
        if !text.is_ascii() {
            // the tables of letters differ between versions of Unicode: Python's are authoritative
            let why = "upper and lower of letters beyond ASCII are left to Python";
            return Err(Error::Unsupported(why.into()));
        }
        if upper {
            text.make_ascii_uppercase();
        } else {
            text.make_ascii_lowercase();
        }
        m.interner.text(&text)
    }

    /// Whether a text contains a text, or a collection contains a value.
    fn within(&mut self, m: &Machine, value: Val, values: Val) -> Result<bool> {
        if let Some(whole) = self.text(m, values)? {
            let Some(part) = self.text(m, value)? else { return wrong("a text") };
            return Ok(whole.contains(&part));
        }
        let elements = self.elements(m, values)?;
        Ok(self.first_place(m, value, elements).is_some())
    }

    fn first_place(&self, m: &Machine, value: Val, tuple: Val) -> Option<usize> {
        (0..self.len(m, tuple)).find(|&place| self.equal(m, self.item(m, tuple, place), value))
    }

    fn position(&self, m: &Machine, value: Val, values: Val) -> Result<Val> {
        let place = if let Some(whole) = self.text(m, values)? {
            let Some(part) = self.text(m, value)? else { return wrong("a text") };
            // positions count characters, as in Python
            whole.find(&part).map(|byte| whole[..byte].chars().count())
        } else if self.is_seq(m, values) {
            self.first_place(m, value, values)
        } else {
            return wrong("a sequence or a text");
        };
        place.map_or(Err(Error::NoValue), |place| Ok(Val::from_small(place as i64)))
    }

    /// A number in decimal digits, the joined texts of a sequence, or the text itself.
    fn written(&self, m: &Machine, v: Val) -> Result<Val> {
        if self.is_text(m, v) {
            return Ok(v);
        }
        if !self.is_seq(m, v) {
            let Some(number) = m.interner.big(self.whole(m, v)?)? else {
                return wrong("a whole number");
            };
            // formatting takes up to three times the bytes of the number, and as much again meanwhile
            probe(8 * number.bits().div_ceil(8) as usize)?;
            return m.interner.text(&number.to_string());
        }
        let mut joined = String::new();
        for place in 0..self.len(m, v) {
            let Some(part) = self.text(m, self.item(m, v, place))? else { return wrong("a text") };
            joined.try_reserve(part.len()).map_err(no_memory)?;
            joined.push_str(&part);
        }
        m.interner.text(&joined)
    }

    fn letters(&mut self, m: &Machine, v: Val) -> Result<Val> {
        let Some(text) = self.text(m, v)? else { return wrong("a text") };
        let start = self.scratch.len();
        for letter in text.chars() {
            self.scratch.grow_push(m.interner.text(letter.encode_utf8(&mut [0; 4]))?)?;
        }
        Ok(self.tmp_from(start))
    }

    fn reversed(&mut self, m: &Machine, v: Val) -> Result<Val> {
        if let Some(text) = self.text(m, v)? {
            let mut turned = String::new();
            turned.try_reserve(text.len()).map_err(no_memory)?;
            for letter in text.chars().rev() {
                turned.push(letter);
            }
            return m.interner.text(&turned);
        }
        if !self.is_seq(m, v) {
            return wrong("a sequence or a text");
        }
        let start = self.scratch.len();
        self.push_items(m, v, 0, self.len(m, v))?;
        self.scratch[start..].reverse();
        Ok(self.tmp_from(start))
    }

    fn levels(&mut self, m: &Machine, v: Val) -> Result<u32> {
        if !self.is_tuple(m, v) {
            return Ok(0);
        }
        if let Some(&known) = self.levels.get(&v) {
            return Ok(known);
        }
        let mut levels = 1;
        for at in 0..self.len(m, v) {
            levels = levels.max(1 + self.levels(m, self.item(m, v, at))?);
        }
        if levels > 1 && !v.is_tmp() {
            if self.levels.len() >= MOST_KNOWN {
                self.levels.clear();
            }
            grow_map(&mut self.levels, v, levels)?;
        }
        Ok(levels)
    }

    pub(crate) fn builtin(
        &mut self,
        m: &Machine,
        function: Builtin,
        regs: &[Val],
        args: &[Reg],
    ) -> Result<Val> {
        let arg = |i: usize| regs[args[i] as usize];
        let a = arg(0);
        match function {
            Builtin::Integer => self.whole(m, a),
            Builtin::Truth if a == Val::TRUE || a == Val::FALSE => Ok(a),
            Builtin::Truth => wrong("True or False"),
            Builtin::Text if self.is_text(m, a) => Ok(a),
            Builtin::Text => wrong("a text"),
            Builtin::Elements => self.elements(m, a),
            Builtin::Sequence if self.is_seq(m, a) || self.is_text(m, a) => Ok(a),
            Builtin::Sequence => wrong("a sequence"),
            Builtin::MakeBag => {
                let mut items = Vec::new();
                items.grow_push(Val::ctor(0))?;
                items.grow_slice(&self.items(m, a)?)?;
                items[1..].sort_unstable_by(|&a, &b| m.interner.cmp(a, b));
                m.interner.tuple(&items)
            }
            Builtin::Power => numbers::power(&m.interner, a, arg(1)),
            Builtin::Concat => {
                let b = arg(1);
                let texts = self.is_text(m, a) && self.is_text(m, b);
                let sequences = self.is_seq(m, a) && self.is_seq(m, b);
                if !(texts || sequences) {
                    return wrong("two texts or two sequences");
                }
                self.joined(m, a, b)
            }
            Builtin::Item => self.item_of(m, a, arg(1)),
            Builtin::Cut => {
                let last = (args.len() > 2).then(|| arg(2));
                self.cut(m, a, arg(1), last)
            }
            Builtin::Digits => {
                let start = self.scratch.len();
                numbers::digits(&m.interner, a, &mut self.scratch)?;
                Ok(self.tmp_from(start))
            }
            Builtin::Number => {
                if !self.is_seq(m, a) {
                    return wrong("a sequence of digits");
                }
                match a.as_tmp() {
                    Some(digits) => numbers::number(&m.interner, self.window(digits)),
                    None => numbers::number(&m.interner, &self.items(m, a)?),
                }
            }
            Builtin::Length => {
                if self.is_text(m, a) {
                    return Ok(Val::from_small(m.interner.len(a) as i64));
                }
                let elements = self.elements(m, a)?;
                Ok(Val::from_small(self.len(m, elements) as i64))
            }
            Builtin::Total => {
                let elements = self.elements(m, a)?;
                self.sum(m, &self.items(m, elements)?)
            }
            Builtin::Least | Builtin::Greatest | Builtin::Min | Builtin::Max => {
                let greatest = matches!(function, Builtin::Greatest | Builtin::Max);
                let values = listed((0..args.len()).map(arg))?;
                self.extreme(m, &values, greatest)
            }
            Builtin::Divides => {
                let (d, zero) = (self.whole(m, a)?, Val::from_small(0));
                if d == zero {
                    return Ok(Val::FALSE);
                }
                let n = self.whole(m, arg(1))?;
                Ok(Val::truth(numbers::modulo(&m.interner, n, d)? == zero))
            }
            Builtin::Between => {
                let low = self.canon(m, a)?;
                let (x, high) = (self.canon(m, arg(1))?, self.canon(m, arg(2))?);
                let inside = m.interner.cmp(low, x).is_le() && m.interner.cmp(x, high).is_le();
                Ok(Val::truth(inside))
            }
            Builtin::Upper => self.cased(m, a, true),
            Builtin::Lower => self.cased(m, a, false),
            Builtin::Within => Ok(Val::truth(self.within(m, a, arg(1))?)),
            Builtin::Written => self.written(m, a),
            Builtin::Letters => self.letters(m, a),
            Builtin::Reverse => self.reversed(m, a),
            Builtin::Bounded => {
                let deep = i64::from(self.levels(m, a)?) > arg(1).as_small().unwrap_or(0);
                if deep { Err(Error::failed("a term nests too deep")) } else { Ok(a) }
            }
            Builtin::Position => self.position(m, a, arg(1)),
        }
    }

    /// All ways to split a sorted tuple into sub-bags, without duplicates, as the tuples of one way
    /// after another.
    ///
    /// Each run of equal items is shared among the parts. The first run's shares vary fastest.
    pub(crate) fn splits(&mut self, m: &Machine, tuple: Val, parts: usize) -> Result<Vec<Val>> {
        let items = self.items(m, tuple)?;
        let mut shares = Vec::new(); // for each run, one share per part
        for run in items.chunk_by(|a, b| a == b) {
            shares.grow_extend(std::iter::repeat_n(0, parts))?;
            if let Some(last) = shares.last_mut() {
                *last = run.len();
            }
        }
        let (mut made, mut bag) = (Vec::new(), Vec::new());
        loop {
            for part in 0..parts {
                self.turn(m)?;
                bag.clear();
                for (number, run) in items.chunk_by(|a, b| a == b).enumerate() {
                    bag.grow_slice(&run[..shares[number * parts + part]])?;
                }
                made.grow_push(m.interner.tuple(&bag)?)?;
            }
            if !shares.chunks_exact_mut(parts).any(next_shares) {
                return Ok(made);
            }
        }
    }
}

/// The next way to share a number, in lexicographic order; after the last, the first, and false.
fn next_shares(shares: &mut [usize]) -> bool {
    let last = shares.len() - 1;
    let Some(filled) = shares.iter().rposition(|&share| share > 0) else { return false };
    let rest = std::mem::take(&mut shares[filled]);
    if filled == 0 {
        shares[last] = rest;
        return false;
    }
    shares[filled - 1] += 1;
    shares[last] = rest - 1;
    true
}

#[cfg(test)]
mod tests {
    use super::next_shares;

    #[test]
    fn every_way_to_share_comes_once_in_order_and_then_the_first_again() {
        let mut shares = [0, 0, 2];
        let mut all = vec![shares];
        while next_shares(&mut shares) {
            all.push(shares);
        }
        let expected = [[0, 0, 2], [0, 1, 1], [0, 2, 0], [1, 0, 1], [1, 1, 0], [2, 0, 0]];
        assert_eq!((all, shares), (expected.to_vec(), [0, 0, 2]));
        let mut one = [3];
        assert!(!next_shares(&mut one) && one == [3]);
        assert!(!next_shares(&mut [0, 0]));
    }
}

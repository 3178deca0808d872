//! Steps as changes of the rank alone.
//!
//! A step that permutes elements inside a window of the sequence leaves the Lehmer digits outside it
//! alone: those before the window, because the same elements follow; those behind it, because the
//! same elements are left. The window's new digits depend on its old ones alone and come from a
//! table. If parity makes a digit redundant, a window that reaches the end also needs the parity of
//! the sum of the digits before it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::index::{Index, Part};
use super::moves::{Expander, Move};
use super::permutation::{Permutation, nth};
use crate::estimates::distances::Divisor;
use crate::grow::probe;

/// The most entries of a table.
const LARGEST: u64 = 1 << 20;
/// The most elements of a window.
const MOST: usize = 64;

/// A step that moves the mover, if there is one, and permutes the others.
pub struct Step {
    pub from: usize,
    pub to: usize,
    /// The place that each of the others comes from, the mover left out.
    pub sources: Vec<usize>,
}

impl Step {
    /// All steps; None if the index is not a single permutation, or a rule tests more than the mover.
    pub fn all(index: &Index, moves: &[Move]) -> Option<Vec<Step>> {
        let [Part::Permuted { fields, values, order }] = &index.parts[..] else { return None };
        let mover = order.mover.map(|mover| values[mover as usize]);
        let place_of = |field: usize| fields.iter().position(|&one| one == field);
        let mut steps = Vec::new();
        for one in moves {
            let from = match (&one.tests[..], mover) {
                ([], None) => 0,
                (&[(field, value)], Some(mover)) if value == mover => place_of(field)?,
                _ => return None,
            };
            // the place each element comes from
            let mut sources: Vec<usize> = (0..order.n).collect();
            for &(field, value) in &one.sets {
                if Some(value) != mover {
                    return None;
                }
                sources[place_of(field)?] = from;
            }
            for &(field, source) in &one.copies {
                sources[place_of(field)?] = place_of(source)?;
            }
            if !one.misses.is_empty() {
                return None;
            }
            let moves = mover.is_some();
            let to = if moves { sources.iter().position(|&source| source == from)? } else { 0 };
            let others = (0..order.n)
                .filter(|&place| !moves || place != to)
                .map(|place| sources[place] - usize::from(moves && sources[place] > from))
                .collect();
            steps.push(Step { from, to, sources: others });
        }
        Some(steps)
    }

    /// The least window with all elements of the first `counted` places that change; if its end is
    /// beyond them, it is that of the sequence. None if parity determines the change.
    pub fn window(&self, counted: usize) -> Option<Range<usize>> {
        let moved = |at: &usize| self.sources[*at] != *at;
        let begin = (0..counted).find(moved)?;
        let end = (0..self.sources.len()).rfind(moved)? + 1;
        Some(begin..if end > counted { self.sources.len() } else { end })
    }
}

type Odd = Arc<[u64]>;

/// The effect of a step on the rank of the others: new values for the digits of a window.
#[derive(Clone)]
pub struct Window {
    /// The stride of its last digit.
    pub stride: Divisor,
    size: Divisor,
    /// The number of the new digits, by that of the old; for each parity, if it matters.
    pub table: Arc<[u32]>,
    /// By the number the preceding digits form: whether their sum is odd.
    odd: Option<Odd>,
}

impl Window {
    /// What the step adds to a rank.
    #[inline(always)]
    pub fn change(&self, rank: u64) -> u64 {
        let high = self.stride.divide(rank);
        let before = self.size.divide(high);
        let key = high - before * self.size.by;
        let new = match &self.odd {
            None => self.table[key as usize],
            Some(_) => self.table[2 * key as usize + usize::from(self.is_odd(before))],
        };
        u64::from(new).wrapping_sub(key).wrapping_mul(self.stride.by)
    }

    /// Whether the parity of the digits before the window counts, and is odd.
    #[inline(always)]
    pub fn is_odd(&self, before: u64) -> bool {
        self.odd.as_ref().is_some_and(|odd| odd[before as usize >> 6] >> (before & 63) & 1 == 1)
    }
}

/// All steps of a permutation without a mover.
pub struct Windows {
    steps: Vec<Option<Window>>,
}

impl Expander for &Windows {
    #[inline]
    fn each(&mut self, index: u32, act: &mut impl FnMut(u32)) {
        for step in &self.steps {
            let by = step.as_ref().map_or(0, |window| window.change(index.into()));
            act(index.wrapping_add(by as u32));
        }
    }
}

impl Windows {
    /// None if there is a mover, or the steps are not such steps.
    pub fn new(index: &Index, moves: &[Move]) -> Option<Windows> {
        let [Part::Permuted { order, .. }] = &index.parts[..] else { return None };
        if order.mover.is_some() {
            return None;
        }
        let (mut making, counted) = (Making::new(order), order.digits());
        let made = |step: Step| match step.window(counted) {
            None => Some(None),
            Some(range) => making.window(&step, range).map(Some),
        };
        let steps: Option<_> = Step::all(index, moves)?.into_iter().map(made).collect();
        Some(Windows { steps: steps? })
    }
}

/// What a window is made of: the places that elements come from, parity, and the range.
type Made = (Vec<usize>, Option<bool>, Range<usize>);

/// Makes windows, each once.
pub struct Making<'a> {
    order: &'a Permutation,
    tables: HashMap<Made, Window>,
    odd: HashMap<usize, Odd>,
}

impl Making<'_> {
    pub fn new(order: &Permutation) -> Making<'_> {
        Making { order, tables: HashMap::new(), odd: HashMap::new() }
    }

    /// The effect of a step on the digits of a range, outside of which it changes nothing; it ends
    /// at the end of the sequence, or where all digits count. None if its table would be too large.
    pub fn window(&mut self, step: &Step, range: Range<usize>) -> Option<Window> {
        let to_end = range.end > self.order.digits();
        let odd = self.order.odd.as_ref().filter(|_| to_end).map(|odd| odd[step.from]);
        let key = (step.sources.clone(), odd, range.clone());
        if !self.tables.contains_key(&key) {
            let window = self.made(&step.sources, range, odd)?;
            self.tables.insert(key.clone(), window);
        }
        self.tables.get(&key).cloned()
    }

    fn made(
        &mut self,
        sources: &[usize],
        range: Range<usize>,
        odd: Option<bool>,
    ) -> Option<Window> {
        let (m, counted) = (self.order.others(), self.order.digits());
        let (begin, end) = (range.start, range.end);
        let sizes: Vec<u64> = (begin..end.min(counted)).map(|digit| (m - digit) as u64).collect();
        let size = sizes.iter().try_fold(1_u64, |product, &one| product.checked_mul(one))?;
        let ways = if odd.is_some() { 2 } else { 1 };
        if size.checked_mul(ways)? > LARGEST {
            return None;
        }
        // built, then copied; without memory for it, use the slower way
        probe(8 * (size * ways) as usize).ok()?;
        let mut table = Vec::with_capacity((size * ways) as usize);
        let (mut digits, mut elements) = ([0; MOST], [0; MOST]);
        let all: u64 = (1 << (m - begin)) - 1;
        for key in 0..size {
            let mut left = key;
            for (digit, size) in digits.iter_mut().zip(&sizes).rev() {
                *digit = left % size;
                left /= size;
            }
            for before in 0..ways {
                if odd.is_some() {
                    let sum = digits[..sizes.len()].iter().sum::<u64>() + before;
                    digits[sizes.len()] = u64::from(odd == Some(sum.is_multiple_of(2)));
                    digits[sizes.len() + 1] = 0;
                }
                let mut left = all;
                for (element, &digit) in elements.iter_mut().zip(&digits[..end - begin]) {
                    *element = nth(left, digit);
                    left &= !(1 << *element);
                }
                let (mut left, mut new) = (all, 0);
                for (at, size) in sizes.iter().enumerate() {
                    let element = elements[sources[begin + at] - begin];
                    new = new * size + u64::from((left & ((1 << element) - 1)).count_ones());
                    left &= !(1 << element);
                }
                table.push(new as u32);
            }
        }
        let odd = if odd.is_some() { Some(self.odd_before(begin)?) } else { None };
        let last = (begin + sizes.len()).checked_sub(1)?;
        let (stride, most) = (self.order.strides[last], self.order.rest);
        Some(Window {
            stride: Divisor::new(stride, most),
            size: Divisor::new(size, most / stride),
            table: table.into(),
            odd,
        })
    }

    /// Whether the sum of the first `digits` digits is odd, for each number they form.
    fn odd_before(&mut self, digits: usize) -> Option<Odd> {
        if let Some(known) = self.odd.get(&digits) {
            return Some(known.clone());
        }
        let m = self.order.others() as u64;
        let size: u64 = (0..digits as u64).map(|digit| m - digit).product();
        if size > LARGEST * 64 {
            return None;
        }
        probe(size as usize / 4 + 64).ok()?;
        let mut bits = vec![0; size as usize / 64 + 1];
        for number in 0..size {
            let (mut left, mut sum) = (number, 0);
            for digit in (0..digits as u64).rev() {
                sum += left % (m - digit);
                left /= m - digit;
            }
            bits[number as usize / 64] |= (sum & 1) << (number % 64);
        }
        let made: Odd = bits.into();
        self.odd.insert(digits, made.clone());
        Some(made)
    }
}

//! Successors of permutations without unpacking them.
//!
//! A step that permutes elements inside a window of the sequence leaves the Lehmer digits outside it
//! alone: those before the window, because the same elements follow; those behind it, because the
//! same elements are left. The window's new digits depend on its old ones alone and come from a
//! table. If parity makes a digit redundant, a window that reaches the end also needs the parity of
//! the sum of the digits before it.

use std::collections::HashMap;
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

/// The effect of a step on the rank of the others: new values for the digits of a window.
#[derive(Clone)]
struct Window {
    end: Divisor,
    size: Divisor,
    table: Arc<[u32]>,
    /// By the number the preceding digits form: whether their sum is odd.
    odd: Option<Arc<[u64]>>,
}

struct Step {
    /// What the mover's step adds to the index.
    add: u32,
    window: Option<Window>,
}

/// All steps, by place of the mover.
pub struct Windows {
    rest: Divisor,
    steps: Vec<Vec<Step>>,
}

impl Expander for &Windows {
    #[inline]
    fn each(&mut self, index: u32, act: &mut impl FnMut(u32)) {
        let place = self.rest.divide(index);
        let rank = index - place * self.rest.by;
        for step in &self.steps[place as usize] {
            let by = step.window.as_ref().map_or(0, |window| window.change(rank));
            act(index.wrapping_add(step.add).wrapping_add(by));
        }
    }
}

impl Window {
    #[inline(always)]
    fn change(&self, rank: u32) -> u32 {
        let high = self.end.divide(rank);
        let before = self.size.divide(high);
        let key = high - before * self.size.by;
        let new = match &self.odd {
            None => self.table[key as usize],
            Some(odd) => {
                let bit = odd[before as usize >> 6] >> (before & 63) & 1;
                self.table[2 * key as usize + bit as usize]
            }
        };
        new.wrapping_sub(key).wrapping_mul(self.end.by)
    }
}

impl Windows {
    /// None if the index is not a single permutation, or a rule tests more than the mover.
    pub fn new(index: &Index, moves: &[Move]) -> Option<Windows> {
        let [Part::Permuted { fields, values, order }] = &index.parts[..] else { return None };
        let mut making = Making { order, tables: HashMap::new(), odd: HashMap::new() };
        let places = if order.mover.is_some() { order.n } else { 1 };
        let mut steps: Vec<Vec<Step>> = (0..places).map(|_| Vec::new()).collect();
        let mover = order.mover.map(|mover| values[mover as usize]);
        let place_of = |field: usize| fields.iter().position(|&one| one == field);
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
            steps[from].push(making.step(from, &sources)?);
        }
        Some(Windows { rest: Divisor::new(order.rest as u32), steps })
    }
}

type Odd = Arc<[u64]>;

struct Making<'a> {
    order: &'a Permutation,
    tables: HashMap<(Vec<usize>, Option<bool>), Window>,
    odd: HashMap<usize, Odd>,
}

impl Making<'_> {
    fn step(&mut self, from: usize, sources: &[usize]) -> Option<Step> {
        let moves = self.order.mover.is_some();
        let to = if moves { sources.iter().position(|&source| source == from)? } else { 0 };
        let less = |place: usize, hole: usize| place - usize::from(moves && place > hole);
        let others: Vec<usize> = (0..self.order.n)
            .filter(|&place| !moves || place != to)
            .map(|place| less(sources[place], from))
            .collect();
        let add = (to as u64 * self.order.rest).wrapping_sub(from as u64 * self.order.rest) as u32;
        let counted = self.order.digits();
        let Some(begin) = (0..counted).find(|&at| others[at] != at) else {
            return Some(Step { add, window: None }); // parity determines the rest
        };
        let end = others.len()
            - others
                .iter()
                .rev()
                .zip((0..others.len()).rev())
                .position(|(&source, at)| source != at)?;
        let odd = self.order.odd.as_ref().map(|odd| odd[from]);
        let key = (others.clone(), odd);
        if !self.tables.contains_key(&key) {
            let window = self.window(&others, begin, end, odd)?;
            self.tables.insert(key.clone(), window);
        }
        Some(Step { add, window: self.tables.get(&key).cloned() })
    }

    fn window(
        &mut self,
        sources: &[usize],
        begin: usize,
        end: usize,
        odd: Option<bool>,
    ) -> Option<Window> {
        let (m, counted) = (self.order.others(), self.order.digits());
        let to_end = odd.is_some() && end > counted;
        let end = if to_end { m } else { end };
        let sizes: Vec<u64> = (begin..end.min(counted)).map(|digit| (m - digit) as u64).collect();
        let size: u64 = sizes.iter().product();
        let ways = if to_end { 2 } else { 1 };
        if size * ways > LARGEST {
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
                if to_end {
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
        let odd = if to_end { Some(self.odd_before(begin)?) } else { None };
        let last = (begin + sizes.len()).checked_sub(1)?;
        Some(Window {
            end: Divisor::new(self.order.strides[last] as u32),
            size: Divisor::new(size as u32),
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

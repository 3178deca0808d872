//! Spaces written by hand, to be searched breadth-first.

use std::sync::atomic::{AtomicU32, Ordering};

use super::super::keys::Hashing;
use super::super::{Block, Direction, Expand, Fixed, Keys, Varied};
use crate::error::{Error, Result};
use crate::random::Random;

/// How often something was counted, for a few things.
pub type Counted = [u64; 8];

/// What a state leads to, with its number as parent; counts what it does.
type Step<'a, K> =
    dyn Fn(&mut Counted, u32, &<K as Keys>::Key, &mut Block<K>) -> Result<()> + Sync + 'a;

pub struct Space<'a, K: Keys> {
    pub start: fn() -> Box<K::Key>,
    pub keep: fn(&K::Key) -> Box<K::Key>,
    step: Box<Step<'a, K>>,
}

/// One state in eight is a goal, by chance but always the same; a few cannot be tested.
pub fn goal<K: Keys>(key: &K::Key) -> Result<bool> {
    let chance = K::hash(key, Hashing::default()) >> 20;
    if chance.is_multiple_of(10_007) { Err(Error::failed("bad")) } else { Ok(chance % 8 == 3) }
}

impl<K: Keys> Expand<K> for Space<'_, K> {
    type Worker = Counted;

    fn worker(&self) -> Result<Counted> {
        Ok(Counted::default())
    }

    fn expand(
        &self,
        counted: &mut Counted,
        _: Direction,
        (id, key, _): (u32, &K::Key, u16),
        known: Option<&K::Key>,
        out: &mut Block<K>,
    ) -> Result<()> {
        let mut made = Block::<K>::default();
        (self.step)(counted, id, key, &mut made)?;
        let mut others = (0..made.len()).filter(|&at| Some(made.key(at)) != known);
        others.try_for_each(|at| out.push(made.key(at), id))
    }

    fn goal(&self, _: &mut Counted, key: &K::Key) -> Result<bool> {
        goal::<K>(key)
    }

    fn foresees(&self) -> bool {
        true
    }

    fn bytes(&self, _: &Counted) -> usize {
        0
    }

    fn take_counts(&self, counted: &mut Counted, counts: &mut Vec<u64>) -> Result<()> {
        counts.clear();
        counts.extend_from_slice(&std::mem::take(counted));
        Ok(())
    }
}

/// For each square those beside it.
const BESIDE: [&[usize]; 9] = [
    &[1, 3],
    &[0, 2, 4],
    &[1, 5],
    &[0, 4, 6],
    &[1, 3, 5, 7],
    &[2, 4, 8],
    &[3, 7],
    &[4, 6, 8],
    &[5, 7],
];

fn moves(
    counted: &mut Counted,
    digit: impl Fn(usize) -> u32,
    mut out: impl FnMut([u32; 9]) -> Result<()>,
) -> Result<()> {
    let blank = (0..9).find(|&at| digit(at) == 0).unwrap();
    for (turn, &other) in BESIDE[blank].iter().enumerate() {
        let mut digits = std::array::from_fn(&digit);
        digits.swap(blank, other);
        counted[turn] += 1;
        out(digits)?;
    }
    Ok(())
}

/// The 8-puzzle: 181,440 states, the farthest 31 moves away (OEIS A089473). A nibble a square.
pub fn eight_puzzle() -> Space<'static, Fixed<1>> {
    let step = |counted: &mut Counted, id, key: &[u64; 1], out: &mut Block<Fixed<1>>| {
        let digit = |at| (key[0] >> (4 * at)) as u32 & 15;
        moves(counted, digit, |digits| {
            let word = digits.iter().rev().fold(0, |word, &digit| word << 4 | u64::from(digit));
            out.push(&[word], id)
        })
    };
    Space { start: || [0x8_7654_3210].into(), keep: |key| (*key).into(), step: Box::new(step) }
}

/// The same, a word a square.
pub fn eight_puzzle_in_words() -> Space<'static, Varied> {
    let step = |counted: &mut Counted, id, key: &[u32], out: &mut Block<Varied>| {
        moves(counted, |at| key[at], |digits| out.push(&digits, id))
    };
    Space { start: || (0..9).collect(), keep: |key| key.into(), step: Box::new(step) }
}

/// A tree of sixteen children each, cut at so many nodes: its last level is nearly all of it.
pub fn fan(nodes: u64) -> Space<'static, Fixed<1>> {
    let step = move |counted: &mut Counted, id, key: &[u64; 1], out: &mut Block<Fixed<1>>| {
        counted[0] += 1;
        let mut children = (16 * key[0] + 1..16 * key[0] + 17).filter(|&child| child < nodes);
        children.try_for_each(|child| out.push(&[child], id))
    };
    Space { start: || [0].into(), keep: |key| (*key).into(), step: Box::new(step) }
}

/// Multisets of numbers below `bound`: two of them become one or three others, by chance but always
/// the same. Many ways lead to a state, also from a batch into itself and back to the start.
///
/// `bad`: expanding this state fails (`u32::MAX`: none does).
pub fn soup(bound: u64, bad: &AtomicU32) -> Space<'_, Varied> {
    let step = move |counted: &mut Counted, id, key: &[u32], out: &mut Block<Varied>| {
        let seed = key.iter().fold(1, |seed, &word| Random::new(seed ^ u64::from(word)).next());
        let mut random = Random::new(seed);
        for _ in 0..random.below(7) {
            let mut next = key.to_vec();
            let taken = (2 + random.below(2) as usize).min(next.len());
            for _ in 0..taken {
                next.swap_remove(random.below(next.len() as u64) as usize);
            }
            for _ in 0..(1 + random.below(4)).min(7 - next.len() as u64) {
                next.push(random.below(bound) as u32);
            }
            if random.below(50) == 0 {
                next = vec![1, 2, 3, 4];
            }
            next.sort_unstable();
            counted[next.len()] += 1;
            out.push(&next, id)?;
        }
        let fails = id == bad.load(Ordering::Relaxed);
        if fails { Err(Error::failed("bad")) } else { Ok(()) }
    };
    Space { start: || [1, 2, 3, 4].into(), keep: |key| key.into(), step: Box::new(step) }
}

/// A soup in which no state fails.
pub fn good_soup(bound: u64) -> Space<'static, Varied> {
    static NONE: AtomicU32 = AtomicU32::new(u32::MAX);
    soup(bound, &NONE)
}

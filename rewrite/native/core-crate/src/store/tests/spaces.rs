//! Spaces written by hand, to be searched breadth-first.

use std::sync::atomic::{AtomicU32, Ordering};

use super::super::keys::Hashing;
use super::super::{Block, Direction, Expand, Fixed, Keys, Varied};
use crate::error::{Error, Result};
use crate::random::Random;

/// How often something was counted, for a few things.
pub type Counted = [u64; 8];

/// Something to start from and to expand; counts what it does in a few counters.
pub trait Space<K: Keys>: Expand<K> {
    fn start(&self) -> Box<K::Key>;
    fn keep(&self, key: &K::Key) -> Box<K::Key>;
    fn step(&self, counted: &mut Counted, id: u32, key: &K::Key, out: &mut Block<K>) -> Result<()>;
}

/// One state in eight is a goal, by chance but always the same; a few cannot be tested.
pub fn goal<K: Keys>(key: &K::Key) -> Result<bool> {
    let chance = K::hash(key, Hashing::default()) >> 20;
    if chance.is_multiple_of(10_007) { Err(Error::failed("bad")) } else { Ok(chance % 8 == 3) }
}

/// Expands a space by its steps. (Said for each: for all at once, it could be `Expander` too.)
macro_rules! by_steps {
    ($space:ty, $keys:ty) => {
        impl Expand<$keys> for $space {
            type Worker = Counted;

            fn worker(&self) -> Result<Counted> {
                Ok(Counted::default())
            }

            fn expand(
                &self,
                counted: &mut Counted,
                _: Direction,
                (id, key, _): (u32, &<$keys as Keys>::Key, u16),
                known: Option<&<$keys as Keys>::Key>,
                out: &mut Block<$keys>,
            ) -> Result<()> {
                let mut made = Block::<$keys>::default();
                self.step(counted, id, key, &mut made)?;
                let others = (0..made.len()).filter(|&at| Some(made.key(at)) != known);
                others.into_iter().try_for_each(|at| out.push(made.key(at), id))
            }

            fn goal(&self, _: &mut Counted, key: &<$keys as Keys>::Key) -> Result<bool> {
                goal::<$keys>(key)
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
    };
}

by_steps!(EightPuzzle, Fixed<1>);
by_steps!(EightPuzzle, Varied);
by_steps!(Fan, Fixed<1>);
by_steps!(Soup, Varied);

/// The 8-puzzle: 181,440 states, the farthest 31 moves away (OEIS A089473). A nibble a square.
pub struct EightPuzzle;

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

impl EightPuzzle {
    fn moves(counted: &mut Counted, digit: impl Fn(usize) -> u32, mut out: impl FnMut([u32; 9])) {
        let blank = (0..9).find(|&at| digit(at) == 0).unwrap();
        for (turn, &other) in BESIDE[blank].iter().enumerate() {
            let mut digits = std::array::from_fn(&digit);
            digits.swap(blank, other);
            counted[turn] += 1;
            out(digits);
        }
    }
}

impl Space<Fixed<1>> for EightPuzzle {
    fn start(&self) -> Box<[u64; 1]> {
        Box::new([0x8_7654_3210])
    }

    fn keep(&self, key: &[u64; 1]) -> Box<[u64; 1]> {
        Box::new(*key)
    }

    fn step(
        &self,
        counted: &mut Counted,
        id: u32,
        key: &[u64; 1],
        out: &mut Block<Fixed<1>>,
    ) -> Result<()> {
        EightPuzzle::moves(
            counted,
            |at| (key[0] >> (4 * at)) as u32 & 15,
            |digits| {
                let word = digits.iter().rev().fold(0, |word, &digit| word << 4 | u64::from(digit));
                out.push(&[word], id).unwrap();
            },
        );
        Ok(())
    }
}

impl Space<Varied> for EightPuzzle {
    fn start(&self) -> Box<[u32]> {
        (0..9).collect()
    }

    fn keep(&self, key: &[u32]) -> Box<[u32]> {
        key.into()
    }

    fn step(
        &self,
        counted: &mut Counted,
        id: u32,
        key: &[u32],
        out: &mut Block<Varied>,
    ) -> Result<()> {
        EightPuzzle::moves(counted, |at| key[at], |digits| out.push(&digits, id).unwrap());
        Ok(())
    }
}

/// A tree of sixteen children each, cut at so many nodes: its last level is nearly all of it.
pub struct Fan(pub u64);

impl Space<Fixed<1>> for Fan {
    fn start(&self) -> Box<[u64; 1]> {
        Box::new([0])
    }

    fn keep(&self, key: &[u64; 1]) -> Box<[u64; 1]> {
        Box::new(*key)
    }

    fn step(
        &self,
        counted: &mut Counted,
        id: u32,
        key: &[u64; 1],
        out: &mut Block<Fixed<1>>,
    ) -> Result<()> {
        counted[0] += 1;
        let children = 16 * key[0] + 1..16 * key[0] + 17;
        children.filter(|&child| child < self.0).try_for_each(|child| out.push(&[child], id))
    }
}

/// Multisets of numbers below `bound`: two of them become one or three others, by chance but always
/// the same. Many ways lead to a state, also from a batch into itself and back to the start.
pub struct Soup {
    pub bound: u64,
    /// Expanding this state fails (`u32::MAX`: none does).
    pub bad: AtomicU32,
}

impl Soup {
    pub fn new(bound: u64) -> Soup {
        Soup { bound, bad: AtomicU32::new(u32::MAX) }
    }
}

impl Space<Varied> for Soup {
    fn start(&self) -> Box<[u32]> {
        [1, 2, 3, 4].into()
    }

    fn keep(&self, key: &[u32]) -> Box<[u32]> {
        key.into()
    }

    fn step(
        &self,
        counted: &mut Counted,
        id: u32,
        key: &[u32],
        out: &mut Block<Varied>,
    ) -> Result<()> {
        let seed = key.iter().fold(1, |seed, &word| Random::new(seed ^ u64::from(word)).next());
        let mut random = Random::new(seed);
        for _ in 0..random.below(7) {
            let mut next = key.to_vec();
            let taken = (2 + random.below(2) as usize).min(next.len());
            for _ in 0..taken {
                next.swap_remove(random.below(next.len() as u64) as usize);
            }
            for _ in 0..(1 + random.below(4)).min(7 - next.len() as u64) {
                next.push(random.below(self.bound) as u32);
            }
            if random.below(50) == 0 {
                next = self.start().into_vec();
            }
            next.sort_unstable();
            counted[next.len()] += 1;
            out.push(&next, id)?;
        }
        if id == self.bad.load(Ordering::Relaxed) {
            return Err(Error::failed("bad"));
        }
        Ok(())
    }
}

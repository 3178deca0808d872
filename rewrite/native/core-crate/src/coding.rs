//! How a machine works on the keys that the store keeps: packed multisets, or words of slots.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::canon::Room;
use crate::direct::{Direct, Out};
use crate::grow::{Grow, GrowCopies};
use crate::interner::Interner;
use crate::machine::{Machine, Seen};
use crate::multisets::unpacked;
use crate::program::{Encoding, Program};
use crate::store::{Block, Direction, Expand, Fixed, Keys, Varied};
use crate::trouble::{Outcome, Trouble};
use crate::value::Val;
use crate::worker::{Made, Worker};

/// Keys of states that a machine can work on.
pub trait Coding: Keys + 'static {
    /// Runs a function on a state.
    fn call(w: &mut Worker, m: &Machine, function: u16, key: &Self::Key) -> Outcome<Val>;

    /// Hands over what was made, in canonical form, with the number of each successor.
    fn each(
        m: &Machine,
        made: &Made,
        act: &mut dyn FnMut(usize, &Self::Key) -> Outcome<()>,
    ) -> Outcome<()>;

    /// Hands a state to something outside.
    fn seen<T>(
        m: &Machine,
        key: &Self::Key,
        act: impl FnOnce(Seen<'_>) -> Outcome<T>,
    ) -> Outcome<T>;

    /// The words of a state in slots.
    fn words<'a>(m: &Machine, key: &'a Self::Key) -> &'a [u64];

    /// Runs a function that needs no machine on a key. What it hands out goes to `out`: its counter,
    /// and for a successor its cost and itself. Only with slots.
    fn run(
        p: &Program,
        function: &Direct,
        keys: &mut Self,
        at: u32,
        out: &mut impl FnMut(&mut Self, u16, Option<(u64, &Self::Key)>) -> Outcome<()>,
    ) -> Outcome<()>;

    /// The truth value of a function that needs no machine. Only with slots.
    fn holds(p: &Program, function: &Direct, key: &Self::Key) -> Outcome<bool>;

    /// The key of a state that comes from outside: packed, or as halves of words.
    fn with_raw<T>(raw: &[u32], act: impl FnOnce(&Self::Key) -> T) -> T;
}

impl Coding for Varied {
    #[inline]
    fn call(w: &mut Worker, m: &Machine, function: u16, key: &[u32]) -> Outcome<Val> {
        w.call_on_key(m, function, key)
    }

    #[inline]
    fn each(
        _: &Machine,
        made: &Made,
        act: &mut dyn FnMut(usize, &[u32]) -> Outcome<()>,
    ) -> Outcome<()> {
        let mut from = 0;
        for (i, &end) in made.ends.iter().enumerate() {
            act(i, &made.packed[from..end as usize])?;
            from = end as usize;
        }
        Ok(())
    }

    fn seen<T>(m: &Machine, key: &[u32], act: impl FnOnce(Seen<'_>) -> Outcome<T>) -> Outcome<T> {
        let groups = match &m.program.encoding {
            Encoding::Groups(heads) => heads.len(),
            Encoding::Slots(_) => 1,
        };
        act(Seen::Groups(&unpacked(m, groups, key)?))
    }

    fn words<'a>(_: &Machine, _: &'a [u32]) -> &'a [u64] {
        &[]
    }

    fn run(
        _: &Program,
        _: &Direct,
        _: &mut Varied,
        _: u32,
        _: &mut impl FnMut(&mut Varied, u16, Option<(u64, &[u32])>) -> Outcome<()>,
    ) -> Outcome<()> {
        Err(Trouble::Internal("tests of bits in a multiset".into()))
    }

    fn holds(_: &Program, _: &Direct, _: &[u32]) -> Outcome<bool> {
        Err(Trouble::Internal("tests of bits in a multiset".into()))
    }

    fn with_raw<T>(raw: &[u32], act: impl FnOnce(&[u32]) -> T) -> T {
        act(raw)
    }
}

impl<const N: usize> Coding for Fixed<N> {
    #[inline]
    fn call(w: &mut Worker, m: &Machine, function: u16, key: &[u64; N]) -> Outcome<Val> {
        let width = w.width(m);
        w.call_on_words(m, function, &key[..width])
    }

    #[inline]
    fn each(
        m: &Machine,
        made: &Made,
        act: &mut dyn FnMut(usize, &[u64; N]) -> Outcome<()>,
    ) -> Outcome<()> {
        let width = made.words.len() / made.len().max(1);
        let mut room = Room::default();
        for (i, words) in made.words.chunks_exact(width.max(1)).enumerate() {
            let mut key = [0; N];
            key[..width].copy_from_slice(words);
            if let Some(canon) = &m.program.canon {
                canon.apply(&mut key, &mut room)?;
            }
            act(i, &key)?;
        }
        Ok(())
    }

    fn seen<T>(
        m: &Machine,
        key: &[u64; N],
        act: impl FnOnce(Seen<'_>) -> Outcome<T>,
    ) -> Outcome<T> {
        act(Seen::Words(Self::words(m, key)))
    }

    #[inline]
    fn words<'a>(m: &Machine, key: &'a [u64; N]) -> &'a [u64] {
        match m.program.encoding {
            Encoding::Slots(words) => &key[..words as usize],
            Encoding::Groups(_) => &[],
        }
    }

    #[inline]
    fn run(
        p: &Program,
        function: &Direct,
        keys: &mut Fixed<N>,
        at: u32,
        out: &mut impl FnMut(&mut Fixed<N>, u16, Option<(u64, &[u64; N])>) -> Outcome<()>,
    ) -> Outcome<()> {
        let state = *keys.get(at);
        let done = function.run(&p.bits, &p.forms, &state, |one| match one {
            Out::Count(counter) => out(keys, counter, None),
            Out::Made(cost, counter, next) => out(keys, counter, Some((cost, &next))),
        });
        done.map(|_| ())
    }

    #[inline]
    fn holds(p: &Program, function: &Direct, key: &[u64; N]) -> Outcome<bool> {
        function.run(&p.bits, &p.forms, key, |_| Ok(()))
    }

    fn with_raw<T>(raw: &[u32], act: impl FnOnce(&[u64; N]) -> T) -> T {
        let mut key = [0; N];
        for (word, pair) in key.iter_mut().zip(raw.chunks(2)) {
            let high = pair.get(1).copied().unwrap_or(0);
            *word = u64::from(pair[0]) | u64::from(high) << 32;
        }
        act(&key)
    }
}

/// The packed key of groups of sorted values.
pub fn packed_key(interner: &Interner, groups: &[Vec<Val>]) -> Outcome<Vec<u32>> {
    let others = &groups[..groups.len().saturating_sub(1)];
    let mut key = Vec::new();
    key.grow_extend(others.iter().map(|one| one.len() as u32))?;
    for &value in groups.iter().flatten() {
        key.grow_push(interner.pack(value)?)?;
    }
    Ok(key)
}

/// Makes the successors and predecessors of states, on any number of threads.
pub struct Expander {
    machine: Arc<Machine>,
    /// Whether a worker was made already: the first one runs on the thread of the caller.
    begun: AtomicBool,
}

impl Expander {
    pub fn new(machine: Arc<Machine>) -> Expander {
        Expander { machine, begun: AtomicBool::new(false) }
    }
}

impl<K: Coding> Expand<K> for Expander {
    type Worker = Worker;

    fn worker(&self) -> Outcome<Worker> {
        Worker::new(&self.machine, !self.begun.swap(true, Ordering::Relaxed))
    }

    fn expand(
        &self,
        worker: &mut Worker,
        direction: Direction,
        id: u32,
        key: &K::Key,
        out: &mut Block<K>,
    ) -> Outcome<()> {
        let m = &*self.machine;
        worker.made.clear();
        K::call(worker, m, m.program.expansion(direction)?, key)
            .map_err(|trouble| at_state(trouble, id))?;
        let made = std::mem::take(&mut worker.made);
        let result = K::each(m, &made, &mut |_, key| out.push(key, id));
        worker.made = made;
        result
    }

    fn take_counts(&self, worker: &mut Worker, counts: &mut Vec<u64>) -> Outcome<()> {
        counts.clear();
        counts.grow_slice(&worker.counts)?;
        worker.counts.fill(0);
        Ok(())
    }

    fn bytes(&self, worker: &Worker) -> usize {
        worker.bytes()
    }
}

/// Trouble, with the state in which it came up.
pub fn at_state(trouble: Trouble, id: u32) -> Trouble {
    match trouble {
        Trouble::Failed { why, state: None } => Trouble::Failed { why, state: Some(id) },
        other => other,
    }
}

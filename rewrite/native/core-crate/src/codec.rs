//! Running a machine on the keys of the store: packed multisets, or words of slots.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use std::mem::{swap, take};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::canon::{Scratch, Symmetries, SymmetriesScratch};
use crate::classes::Classes;
use crate::error::{Error, Result};
use crate::grow::{Grow, GrowCopies};
use crate::instr::Instr;
use crate::interner::Interner;
use crate::store::{Block, Direction, Expand, Fixed, Keys, List, UNKNOWN, Varied};
use crate::value::Val;
use crate::vm::kernel::{Kernel, Step};
use crate::vm::machine::{Machine, Seen};
use crate::vm::multisets::unpacked;
use crate::vm::worker::Worker;

/// Evaluates an expression with `$K` as the key type of an encoding.
macro_rules! with_key_type {
    ($encoding:expr, $K:ident => $then:expr) => {{
        use $crate::{program::Encoding, store};
        macro_rules! with {
            ($key_type:ty) => {{
                type $K = $key_type;
                $then
            }};
        }
        match $encoding {
            Encoding::Groups { .. } => with!(store::Varied),
            Encoding::Slots(0..=1) => with!(store::Fixed<1>),
            Encoding::Slots(2) => with!(store::Fixed<2>),
            Encoding::Slots(3..=4) => with!(store::Fixed<4>),
            Encoding::Slots(5..=8) => with!(store::Fixed<8>),
            Encoding::Slots(9..=16) => with!(store::Fixed<16>),
            Encoding::Slots(17..=32) => with!(store::Fixed<32>),
            Encoding::Slots(_) => with!(store::Fixed<64>),
        }
    }};
}
pub(crate) use with_key_type;

/// Keys of states that a machine can work on.
pub trait StateCodec: Keys + 'static {
    fn call(w: &mut Worker, m: &Machine, function: u16, key: &Self::Key) -> Result<Val>;

    /// Whether a state, or any state of its class, meets the goal.
    #[inline]
    fn goal(w: &mut Worker, m: &Machine, function: u16, key: &Self::Key) -> Result<bool> {
        Ok(Self::call(w, m, function, key)? == Val::TRUE)
    }

    /// Passes each successor by a function to `act`, in canonical form, with the cost of the step.
    ///
    /// After an error, some may have been passed already.
    fn each(
        w: &mut Worker,
        m: &Machine,
        function: u16,
        key: &Self::Key,
        act: impl FnMut(Val, &Self::Key) -> Result<()>,
    ) -> Result<()>;

    /// Pushes what one step makes of a state to `out`, except the state `known`; steps may be left out
    /// as `Expand` says. `state`: its number, its key, and how it was reached.
    ///
    /// After an error, some may have been pushed already.
    fn expand(
        w: &mut Worker,
        m: &Machine,
        direction: Direction,
        state: (u32, &Self::Key, u16),
        known: Option<&Self::Key>,
        out: &mut Block<Self>,
    ) -> Result<()>;

    /// Passes a state to code outside the core.
    fn seen<T>(m: &Machine, key: &Self::Key, act: impl FnOnce(Seen<'_>) -> Result<T>) -> Result<T>;

    /// The words of a state in slots.
    fn words<'a>(m: &Machine, key: &'a Self::Key) -> &'a [u64];

    /// The key of a state that comes from outside: packed, or as halves of words.
    fn with_raw<T>(raw: &[u32], act: impl FnOnce(&Self::Key) -> T) -> T;

    /// Appends a key in a form that means the same in every process.
    fn spell(m: &Machine, key: &Self::Key, out: &mut Vec<u32>) -> Result<()>;

    /// Replaces `raw` by the raw key that `spell` wrote.
    fn read_spelled(m: &Machine, word: impl FnMut() -> u32, raw: &mut Vec<u32>) -> Result<()>;
}

impl StateCodec for Varied {
    #[inline]
    fn call(w: &mut Worker, m: &Machine, function: u16, key: &[u32]) -> Result<Val> {
        w.call_on_key(m, function, key)
    }

    #[inline]
    fn each(
        w: &mut Worker,
        m: &Machine,
        function: u16,
        key: &[u32],
        mut act: impl FnMut(Val, &[u32]) -> Result<()>,
    ) -> Result<()> {
        w.made.begin(None)?;
        w.call_on_key(m, function, key)?;
        if let Some(Symmetries::Terms(terms)) = &m.program.canon {
            let (Worker { made, exchanged, .. }, nibbles) = (w, m.program.encoding.nibbles());
            for (at, &cost) in made.costs.iter().enumerate() {
                let key = made.keys.get(at);
                terms.apply(&m.interner, (unpacked(m, key)?, key, nibbles), exchanged)?;
                act(cost, &exchanged.key)?;
            }
            return Ok(());
        }
        for (at, &cost) in w.made.costs.iter().enumerate() {
            act(cost, w.made.keys.get(at))?;
        }
        Ok(())
    }

    /// Writes successors directly into `out`.
    #[inline]
    fn expand(
        w: &mut Worker,
        m: &Machine,
        direction: Direction,
        (id, key, _): (u32, &[u32], u16),
        known: Option<&[u32]>,
        out: &mut Block<Varied>,
    ) -> Result<()> {
        let function = m.program.expansion(direction);
        if m.program.canon.is_some() {
            return Self::each(w, m, function, key, |_, made| {
                push_new(made, known, (id, UNKNOWN), out)
            });
        }
        w.made.begin(known)?;
        out.push_made(id, |keys| {
            swap(keys, &mut w.made.keys);
            let done = w.call_on_key(m, function, key);
            swap(keys, &mut w.made.keys);
            done.map(drop)
        })
    }

    fn seen<T>(m: &Machine, key: &[u32], act: impl FnOnce(Seen<'_>) -> Result<T>) -> Result<T> {
        act(Seen::Groups(&unpacked(m, key)?))
    }

    fn words<'a>(_: &Machine, _: &'a [u32]) -> &'a [u64] {
        &[]
    }

    fn with_raw<T>(raw: &[u32], act: impl FnOnce(&[u32]) -> T) -> T {
        act(raw)
    }

    fn spell(m: &Machine, key: &[u32], out: &mut Vec<u32>) -> Result<()> {
        for group in unpacked(m, key)? {
            out.grow_push(group.len() as u32)?;
            group.iter().try_for_each(|&value| m.interner.spell(value, out))?;
        }
        Ok(())
    }

    fn read_spelled(m: &Machine, mut word: impl FnMut() -> u32, raw: &mut Vec<u32>) -> Result<()> {
        let mut groups = Vec::new();
        for _ in m.program.encoding.groups() {
            let mut group = Vec::new();
            for _ in 0..word() {
                group.grow_push(m.interner.spelled(&mut word)?)?;
            }
            groups.grow_push(group)?;
        }
        *raw = packed_key(&m.interner, m.program.encoding.nibbles(), &groups)?;
        Ok(())
    }
}

impl<const N: usize> StateCodec for Fixed<N> {
    #[inline]
    fn call(w: &mut Worker, m: &Machine, function: u16, key: &[u64; N]) -> Result<Val> {
        if let Some(kernel) = m.kernel(function) {
            return kernel.run(w, m, key, &mut |_, _| Ok(()));
        }
        w.call_on_words(m, function, Self::words(m, key))
    }

    #[inline]
    fn goal(w: &mut Worker, m: &Machine, function: u16, key: &[u64; N]) -> Result<bool> {
        let Some(classes) = m.program.classes.as_ref().filter(|_| m.goal_sees_moves) else {
            let refused = m.kernel(function).is_some_and(|kernel| kernel.refuses(key));
            return Ok(!refused && Self::call(w, m, function, key)? == Val::TRUE);
        };
        let mut scratch = take(&mut w.floods.0);
        let mut found = classes.flood(key, &mut scratch, None).map(|()| false);
        for at in 0..scratch.states() {
            if !matches!(found, Ok(false)) {
                break;
            }
            found = Self::call(w, m, function, &classes.member(key, &scratch, at))
                .map(|value| value == Val::TRUE);
        }
        w.floods.0 = scratch;
        found
    }

    #[inline]
    fn each(
        w: &mut Worker,
        m: &Machine,
        function: u16,
        key: &[u64; N],
        mut act: impl FnMut(Val, &[u64; N]) -> Result<()>,
    ) -> Result<()> {
        if let Some(classes) = &m.program.classes {
            return each_of_class(w, m, classes, function, key, &mut act);
        }
        let Some(canon) = &m.program.canon else { return each_as_made(w, m, function, key, act) };
        let mut scratch = SymmetriesScratch::default();
        let canonical: Act<'_, [u64; N]> = &mut |cost, made| {
            let mut key = *made;
            canon.apply(&mut key, &mut scratch)?;
            act(cost, &key)
        };
        each_as_made(w, m, function, key, canonical)
    }

    #[inline]
    fn expand(
        w: &mut Worker,
        m: &Machine,
        direction: Direction,
        (id, key, reached): (u32, &[u64; N], u16),
        known: Option<&[u64; N]>,
        out: &mut Block<Self>,
    ) -> Result<()> {
        let (function, skips) = (m.program.expansion(direction), m.skips(direction));
        if !skips.any() {
            return Self::each(w, m, function, key, |_, made| {
                push_new(made, known, (id, UNKNOWN), out)
            });
        }
        expand_skipping(w, m, direction, (id, key, reached), known, out)
    }

    fn seen<T>(m: &Machine, key: &[u64; N], act: impl FnOnce(Seen<'_>) -> Result<T>) -> Result<T> {
        act(Seen::Words(Self::words(m, key)))
    }

    #[inline]
    fn words<'a>(m: &Machine, key: &'a [u64; N]) -> &'a [u64] {
        &key[..m.program.encoding.words()]
    }

    fn with_raw<T>(raw: &[u32], act: impl FnOnce(&[u64; N]) -> T) -> T {
        let mut key = [0; N];
        for (word, pair) in key.iter_mut().zip(raw.chunks(2)) {
            let high = pair.get(1).copied().unwrap_or(0);
            *word = u64::from(pair[0]) | u64::from(high) << 32;
        }
        act(&key)
    }

    fn spell(m: &Machine, key: &[u64; N], out: &mut Vec<u32>) -> Result<()> {
        let halves = |&word: &u64| [word as u32, (word >> 32) as u32];
        out.grow_extend(Self::words(m, key).iter().flat_map(halves))
    }

    fn read_spelled(m: &Machine, mut word: impl FnMut() -> u32, raw: &mut Vec<u32>) -> Result<()> {
        raw.clear();
        raw.grow_extend((0..2 * m.program.encoding.words()).map(|_| word()))
    }
}

#[inline]
fn push_new<K: Keys>(
    made: &K::Key,
    known: Option<&K::Key>,
    from: (u32, u16),
    out: &mut Block<K>,
) -> Result<()> {
    if known == Some(made) { Ok(()) } else { out.push_reached(made, from) }
}

/// What to do with a successor, where an indirect call costs little in comparison: each closure type
/// would compile another copy of the loop that runs kernels.
pub type Act<'a, Key> = &'a mut dyn FnMut(Val, &Key) -> Result<()>;

/// Passes the classes that a function reaches from a class to `act`.
fn each_of_class<const N: usize>(
    w: &mut Worker,
    m: &Machine,
    classes: &Classes,
    function: u16,
    key: &[u64; N],
    act: Act<'_, [u64; N]>,
) -> Result<()> {
    // backwards, unreachable states may appear
    let backwards = m.program.predecessors == Some(function);
    let (mut here, mut there) = take(&mut w.floods);
    let canon = m.program.canon.as_ref();
    let mut done = classes.flood(key, &mut here, Some(&mut w.counts));
    for at in 0..here.states() {
        if done.is_err() {
            break;
        }
        let into_class: Act<'_, [u64; N]> = &mut |cost, made| {
            if backwards && classes.excludes(made) {
                return Ok(());
            }
            act(cost, &classes.canonical(made, &mut there, canon)?)
        };
        done = each_as_made(w, m, function, &classes.member(key, &here, at), into_class);
    }
    w.floods = (here, there);
    done
}

/// Passes the successors of a state in slots to `act` as they are.
#[inline]
fn each_as_made<const N: usize>(
    w: &mut Worker,
    m: &Machine,
    function: u16,
    key: &[u64; N],
    mut act: impl FnMut(Val, &[u64; N]) -> Result<()>,
) -> Result<()> {
    let mut act = |step: Step, made: &[u64; N]| act(step.cost, made);
    slots_kernel(m, function).run(w, m, key, &mut act).map(drop)
}

/// Pushes the successors of a state in slots, without the steps that may be skipped.
#[inline(never)]
fn expand_skipping<const N: usize>(
    w: &mut Worker,
    m: &Machine,
    direction: Direction,
    (id, key, reached): (u32, &[u64; N], u16),
    known: Option<&[u64; N]>,
    out: &mut Block<Fixed<N>>,
) -> Result<()> {
    let (skips, canon) = (m.skips(direction), m.program.listed());
    let (row, mut scratch) = (skips.row(reached), Scratch::default());
    let mut push = |step: Step, made: &[u64; N]| {
        let how = |symmetry| (id, skips.reached(step.number, symmetry));
        let Some(canon) = canon else { return push_new(made, known, how(0), out) };
        let mut image = *made;
        let symmetry = canon.apply(&mut image, &mut scratch)?;
        push_new(&image, known, how(symmetry), out)
    };
    let kernel = slots_kernel(m, m.program.expansion(direction));
    w.skipped = false;
    let done = kernel.run_without(row, w, m, key, &mut push);
    skips.note(row, w.skipped);
    done.map(drop)
}

#[inline]
fn slots_kernel(m: &Machine, function: u16) -> &Kernel {
    m.kernel(function).expect("states in slots have kernels that make successors")
}

pub fn packed_key(interner: &Interner, nibbles: bool, groups: &[Vec<Val>]) -> Result<Vec<u32>> {
    let mut key = Vec::new();
    interner.push_groups(nibbles, groups, &mut key)?;
    Ok(key)
}

/// Makes the successors and predecessors of states, on any number of threads.
pub struct Expander {
    machine: Arc<Machine>,
    /// Whether a worker exists already: the first one runs on the thread of the caller.
    begun: AtomicBool,
    /// Whether Python code may be called, which would notice calls ahead of their turn.
    pub asks_outside: bool,
}

impl Expander {
    pub fn new(machine: Arc<Machine>) -> Expander {
        let asks_outside = machine.program.code.instrs.iter().any(Instr::asks_outside);
        Expander { machine, begun: AtomicBool::new(false), asks_outside }
    }
}

impl<K: StateCodec> Expand<K> for Expander {
    type Worker = Worker;

    fn worker(&self) -> Result<Worker> {
        Worker::new(&self.machine, !self.begun.swap(true, Ordering::Relaxed))
    }

    fn expand(
        &self,
        worker: &mut Worker,
        direction: Direction,
        (id, key, reached): (u32, &K::Key, u16),
        known: Option<&K::Key>,
        out: &mut Block<K>,
    ) -> Result<()> {
        let m = &*self.machine;
        let before = out.len();
        K::expand(worker, m, direction, (id, key, reached), known, out).map_err(|error| {
            out.truncate(before);
            at_state(error, id)
        })
    }

    fn skips(&self) -> bool {
        let m = &self.machine;
        let backward = || m.program.predecessors.is_some() && m.skips(Direction::Backward).any();
        m.skips(Direction::Forward).any() || backward()
    }

    fn goal(&self, worker: &mut Worker, key: &K::Key) -> Result<bool> {
        let Some(goal) = self.machine.program.goal else { return Ok(false) };
        let found = K::goal(worker, &self.machine, goal, key);
        worker.counts.fill(0);
        found
    }

    fn foresees(&self) -> bool {
        self.machine.may_have_goals() && !self.asks_outside
    }

    fn take_counts(&self, worker: &mut Worker, counts: &mut Vec<u64>) -> Result<()> {
        counts.clear();
        counts.grow_slice(&worker.counts)?;
        worker.counts.fill(0);
        Ok(())
    }

    fn bytes(&self, worker: &Worker) -> usize {
        worker.bytes()
    }
}

pub fn at_state(error: Error, id: u32) -> Error {
    match error {
        Error::Failed { why, state: None } => Error::Failed { why, state: Some(id) },
        other => other,
    }
}

#[cfg(test)]
mod tests;

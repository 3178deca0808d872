//! Steps that a breadth-first search need not make, because others lead to the same states.
//!
//! Where neither of two rules touches what the other reads or writes, both orders lead to the same
//! state, and the one that begins with the rule of the lower number suffices: a state is found by the
//! first of its shortest paths, in the order in which steps are made, and no step of such a path is
//! skipped (Burch and Holte, *Automatic move pruning in general single-player games*, SoCS 2011). So
//! states, their numbers and their parents stay the same.
//!
//! Under symmetry the path continues in the image of the state: then the rules that are skipped are
//! the images of those that would be.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use crate::canon::Canon;
use crate::ground::{Effect, Form, GroundRule};
use crate::program::BitTest;
use crate::store::UNKNOWN;

/// So many states show whether any step is ever skipped: two moves of the blank of a board touch
/// different cells, but are never possible in one state. Looking in vain costs a tenth of the time.
const TRIAL: u32 = 10_000;

/// The most bytes of rows.
const MOST_BYTES: usize = 1 << 17;

/// For each step that may have led to a state, the steps to be skipped there, as bits.
#[derive(Debug, Default)]
pub struct Skips {
    rows: Vec<u64>,
    /// Words of a row.
    width: usize,
    symmetries: usize,
    /// A step was skipped.
    used: AtomicBool,
    /// States in which steps were to be skipped, until one was.
    tried: AtomicU32,
}

impl Skips {
    /// `steps`: the rules that make successors, in the order of their numbers. Without any rows if no
    /// step can be skipped, or if that would take too much memory. Takes time by the square of the
    /// number of rules, times that of the symmetries.
    pub fn new(steps: &[&GroundRule], words: usize, canon: Option<&Canon>) -> Skips {
        let symmetries = canon.map_or(1, Canon::elements);
        let (width, count) = (steps.len().div_ceil(64), steps.len() * symmetries);
        if count >= usize::from(UNKNOWN) || 8 * count * width > MOST_BYTES {
            return Skips::default();
        }
        let touched: Vec<_> = steps.iter().map(|rule| Touched::by(rule, words)).collect();
        let commute = |a: &Option<Touched>, b: &Option<Touched>| {
            a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| a.is_apart_from(b))
        };
        let skipped: Vec<Vec<usize>> = (0..steps.len())
            .map(|last| (0..last).filter(|&one| commute(&touched[one], &touched[last])).collect())
            .collect();
        if skipped.iter().all(Vec::is_empty) {
            return Skips::default();
        }
        let images = match canon {
            None => Some(vec![(0..steps.len()).collect()]),
            Some(canon) => images(steps, canon),
        };
        let Some(images) = images else { return Skips::default() };
        let mut rows = vec![0; count * width];
        for (row, at) in rows.chunks_exact_mut(width).zip(0..) {
            let (last, symmetry) = (at / symmetries, at % symmetries);
            for &one in &skipped[last] {
                let image: usize = images[symmetry][one];
                row[image / 64] |= 1 << (image % 64);
            }
        }
        Skips { rows, width, symmetries, ..Skips::default() }
    }

    /// Whether steps may be skipped; not where none was during the trial.
    #[inline]
    pub fn any(&self) -> bool {
        !self.rows.is_empty() && (self.used.load(Relaxed) || self.tried.load(Relaxed) < TRIAL)
    }

    /// Notes whether a step of a row was skipped in a state.
    #[inline]
    pub fn note(&self, row: &[u64], skipped: bool) {
        if self.used.load(Relaxed) {
            return;
        }
        if skipped {
            self.used.store(true, Relaxed);
        }
        self.tried.fetch_add(u32::from(row.iter().any(|&word| word != 0)), Relaxed);
    }

    /// How a state was reached: by a step, and a symmetry that maps what it made to the state.
    #[inline]
    pub fn reached(&self, step: u16, symmetry: usize) -> u16 {
        if self.any() && step != UNKNOWN {
            step * self.symmetries as u16 + symmetry as u16
        } else {
            UNKNOWN
        }
    }

    /// The steps to be skipped in a state that was reached like this.
    #[inline]
    pub fn row(&self, reached: u16) -> &[u64] {
        let from = usize::from(reached) * self.width;
        self.rows.get(from..from + self.width).unwrap_or(&[])
    }
}

/// The bits that a rule touches, for each word.
struct Touched {
    read: Vec<u64>,
    written: Vec<u64>,
    /// Flipped, whatever they are: two rules may flip the same.
    flipped: Vec<u64>,
}

impl Touched {
    /// None for a rule whose changes are looked up.
    fn by(rule: &GroundRule, words: usize) -> Option<Touched> {
        let Effect::Form(form) = &rule.effect else { return None };
        let none = || vec![0; words];
        let mut made = Touched { read: none(), written: none(), flipped: none() };
        let effects = form.effects.iter().flat_map(|one| one.tests.iter().chain(&one.misses));
        for test in rule.tests.iter().chain(&rule.misses).chain(&rule.guard).chain(effects) {
            made.read[usize::from(test.word)] |= test.mask;
        }
        for &(word, keep, flip) in &form.changes {
            made.written[usize::from(word)] |= !keep;
            made.flipped[usize::from(word)] |= flip & keep;
        }
        for &(word, clear, fill) in form.effects.iter().flat_map(|one| &one.bits) {
            made.written[usize::from(word)] |= clear | fill;
        }
        for &(from, to, bits, shift) in &form.moves {
            made.read[usize::from(from)] |= bits;
            made.written[usize::from(to)] |= shifted(bits, shift);
        }
        for one in &form.maps {
            made.read[usize::from(one.from)] |= one.mask << one.shift;
            made.written[usize::from(one.to)] |= one.table.iter().fold(0, |all, bits| all | bits);
        }
        Some(made)
    }

    fn is_apart_from(&self, other: &Touched) -> bool {
        let meet = |a: &[u64], b: &[u64]| a.iter().zip(b).any(|(a, b)| a & b != 0);
        let disturbs = |one: &Touched, other: &Touched| {
            meet(&one.written, &other.read)
                || meet(&one.written, &other.written)
                || meet(&one.written, &other.flipped)
                || meet(&one.flipped, &other.read)
        };
        !disturbs(self, other) && !disturbs(other, self)
    }
}

fn shifted(bits: u64, shift: i8) -> u64 {
    if shift >= 0 { bits << shift } else { bits >> -shift }
}

/// For each symmetry, what it makes of each rule; None if that is not known of all.
fn images(steps: &[&GroundRule], canon: &Canon) -> Option<Vec<Vec<usize>>> {
    let fields = Fields(canon);
    let shapes: Vec<Shape> = steps.iter().map(|rule| fields.shape(rule)).collect::<Option<_>>()?;
    let numbers: HashMap<&Shape, usize> = shapes.iter().zip(0..).collect();
    let image =
        |shape: &Shape, symmetry: usize| numbers.get(&fields.image(shape, symmetry)?).copied();
    (0..canon.elements())
        .map(|symmetry| shapes.iter().map(|shape| image(shape, symmetry)).collect())
        .collect()
}

/// A field, and a number in it.
type Held = (usize, u64);

/// A rule by the fields it reads and writes.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Shape {
    tests: BTreeSet<Held>,
    misses: BTreeSet<BTreeSet<Held>>,
    guard: BTreeSet<Held>,
    written: BTreeMap<usize, Written>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Written {
    Number(u64),
    /// What the other field holds.
    Copy(usize),
}

struct Fields<'a>(&'a Canon);

impl Fields<'_> {
    /// None for a rule that touches parts of a field, or bits of none.
    fn shape(&self, rule: &GroundRule) -> Option<Shape> {
        let Effect::Form(form) = &rule.effect else { return None };
        let all = |tests: &[BitTest]| -> Option<BTreeSet<Held>> {
            let held: Option<Vec<_>> = tests.iter().map(|test| self.held(test)).collect();
            Some(held?.into_iter().flatten().collect())
        };
        let misses: Option<_> = rule.misses.iter().map(|&test| all(&[test])).collect();
        Some(Shape {
            tests: all(&rule.tests)?,
            misses: misses?,
            guard: all(&rule.guard)?,
            written: self.written(form)?,
        })
    }

    /// The numbers that whole fields are compared with.
    fn held(&self, test: &BitTest) -> Option<Vec<Held>> {
        let fields = self.0.fields_of(test.word, test.mask)?;
        Some(fields.into_iter().map(|field| (field, self.0.number(field, test.value))).collect())
    }

    fn written(&self, form: &Form) -> Option<BTreeMap<usize, Written>> {
        let mut written = BTreeMap::new();
        if !form.maps.is_empty() || !form.effects.is_empty() {
            return None;
        }
        for &(word, keep, flip) in &form.changes {
            if flip & keep != 0 {
                return None;
            }
            for field in self.0.fields_of(word, !keep)? {
                let number = Written::Number(self.0.number(field, flip));
                if written.insert(field, number).is_some() {
                    return None;
                }
            }
        }
        for &(from, to, bits, shift) in &form.moves {
            let (sources, targets) =
                (self.0.fields_of(from, bits)?, self.0.fields_of(to, shifted(bits, shift))?);
            if sources.len() != targets.len() {
                return None;
            }
            for (source, target) in sources.into_iter().zip(targets) {
                // what comes is added to bits that were cleared
                if written.insert(target, Written::Copy(source)) != Some(Written::Number(0)) {
                    return None;
                }
            }
        }
        Some(written)
    }

    fn image(&self, shape: &Shape, symmetry: usize) -> Option<Shape> {
        let one = |&(field, number): &Held| {
            let (place, map) = self.0.image_of(field, symmetry)?;
            Some((place, u64::from(*map.get(number as usize)?)))
        };
        let all = |held: &BTreeSet<Held>| held.iter().map(one).collect::<Option<BTreeSet<Held>>>();
        let written = |(&field, written): (&usize, &Written)| {
            let (place, map) = self.0.image_of(field, symmetry)?;
            Some(match *written {
                Written::Number(number) => {
                    (place, Written::Number(u64::from(*map.get(number as usize)?)))
                }
                Written::Copy(source) => {
                    let (from, other) = self.0.image_of(source, symmetry)?;
                    // both fields mean the same by their numbers, before and after
                    return (map == other).then_some((place, Written::Copy(from)));
                }
            })
        };
        Some(Shape {
            tests: all(&shape.tests)?,
            misses: shape.misses.iter().map(all).collect::<Option<_>>()?,
            guard: all(&shape.guard)?,
            written: shape.written.iter().map(written).collect::<Option<_>>()?,
        })
    }
}

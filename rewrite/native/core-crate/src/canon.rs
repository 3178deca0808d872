//! Canonical forms: the least image of a state under a group of symmetries.
//!
//! A state is a tuple of field numbers. An element of the group moves fields and maps what they
//! hold: place i of the image is `maps[i][state[sources[i]]]`. Images are compared place by place,
//! the first place first. Images are not built: at each place only the elements that reach the least
//! value there remain, as sets of bits, until few are left. Tables say how an element maps a field.

mod build;
mod exchanges;
mod labelling;
mod terms;
#[cfg(test)]
mod tests;

pub use build::Element;
pub use exchanges::Exchanges;
pub use terms::{ExchangedTerms, TermsScratch};

use crate::bits::{Place, ones};
use crate::error::Result;
use crate::grow::GrowCopies;
use exchanges::ExchangesScratch;

/// How a state is brought to its canonical form.
#[derive(Debug)]
pub enum Symmetries {
    /// By a group whose elements are all listed.
    Listed(Canon),
    /// By renaming values that are interchangeable.
    Exchanges(Exchanges),
    /// By renaming values within terms of multisets.
    Terms(ExchangedTerms),
}

/// Buffers, reused from state to state.
#[derive(Debug, Default)]
pub struct SymmetriesScratch {
    listed: Scratch,
    exchanges: ExchangesScratch,
}

impl Symmetries {
    /// Replaces a state in slots by its canonical form.
    #[inline]
    pub fn apply(&self, key: &mut [u64], scratch: &mut SymmetriesScratch) -> Result<()> {
        match self {
            Symmetries::Listed(canon) => canon.apply(key, &mut scratch.listed).map(drop),
            Symmetries::Exchanges(exchanges) => exchanges.apply(key, &mut scratch.exchanges),
            Symmetries::Terms(_) => unreachable!("these are of multisets"),
        }
    }
}

/// At most so many elements are compared pairwise: cheaper than another place for all.
const FEW: u32 = 4;

/// A group of symmetries, ready to be applied.
#[derive(Debug)]
pub struct Canon {
    fields: Vec<Field>,
    /// For each word, the bits that belong to no field.
    others: Vec<u64>,
    /// For each element, where each place of its image comes from; one element after the other.
    parts: Vec<Part>,
    /// All maps, one after the other.
    maps: Vec<u32>,
    /// The first places, without those where all elements agree.
    stages: Vec<Stage>,
    /// The place from which on elements that are left are compared one by one.
    rest: usize,
    /// For each row of a stage, where its picks begin; ends with their number.
    rows: Vec<u32>,
    /// What a place of an image may become, …
    picks: Vec<u32>,
    /// … and by which elements; `width` words each.
    sets: Vec<u64>,
    everyone: Vec<u64>,
    width: usize,
}

#[derive(Debug)]
struct Field {
    place: Place,
    /// Every map knows the values below this.
    values: u64,
}

/// From which field a place comes, and where the map of its values begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Part {
    source: u32,
    map: u32,
}

/// A place of the images, as table: for each field that it may come from, the row of its value 0.
/// The picks of a row are in order.
#[derive(Debug)]
struct Stage {
    place: usize,
    sources: Vec<(u32, u32)>,
}

/// Buffers for applying a group. Reused.
#[derive(Debug, Default)]
pub struct Scratch {
    values: Vec<u32>,
    alive: Vec<u64>,
    next: Vec<u64>,
}

impl Canon {
    /// Replaces a state by the least of its images; returns the number of the symmetry.
    pub fn apply(&self, key: &mut [u64], scratch: &mut Scratch) -> Result<usize> {
        scratch.values.grow_resize(self.fields.len(), 0)?;
        let mut known = true;
        for (value, field) in scratch.values.iter_mut().zip(&self.fields) {
            let held = field.place.held(key);
            known &= held < field.values;
            *value = held as u32;
        }
        assert!(known, "a field holds a value of which the symmetries know no image");
        // the same code twice: where all sets are one word, it is much faster when it knows
        let least = if self.width == 1 {
            self.least(1, scratch)?
        } else {
            self.least(self.width, scratch)?
        };
        key.iter_mut().zip(&self.others).for_each(|(word, others)| *word &= others);
        let parts = self.element(least);
        // a word is written once: to read it again at once would wait for the memory each time
        let (mut at, mut word) = (0, 0);
        for (field, part) in self.fields.iter().zip(parts) {
            let place = field.place;
            if usize::from(place.word) != at {
                key[at] |= word;
                (at, word) = (usize::from(place.word), 0);
            }
            word |= u64::from(self.image(*part, &scratch.values)) << place.shift;
        }
        key[at] |= word;
        Ok(least)
    }

    /// How many symmetries it has.
    pub fn elements(&self) -> usize {
        self.everyone.iter().map(|set| set.count_ones() as usize).sum()
    }

    /// The fields that these bits of a word are, in order; None if they are not whole fields.
    pub fn fields_of(&self, word: u16, bits: u64) -> Option<Vec<usize>> {
        let whole_bits = |at: usize| self.fields[at].place.mask << self.fields[at].place.shift;
        let inside =
            |&at: &usize| self.fields[at].place.word == word && whole_bits(at) & !bits == 0;
        let mut found: Vec<usize> = (0..self.fields.len()).filter(inside).collect();
        found.sort_unstable_by_key(|&at| self.fields[at].place.shift);
        let all = found.iter().fold(0, |all, &at| all | whole_bits(at));
        (all == bits).then_some(found)
    }

    /// What stands in a field of a word.
    pub fn number(&self, field: usize, word: u64) -> u64 {
        let place = &self.fields[field].place;
        word >> place.shift & place.mask
    }

    /// Where a symmetry moves a field, and what it makes of each number in it.
    pub fn image_of(&self, field: usize, symmetry: usize) -> Option<(usize, &[u32])> {
        let parts = self.element(symmetry);
        let place = parts.iter().position(|part| part.source as usize == field)?;
        let map = &self.maps[parts[place].map as usize..];
        Some((place, &map[..self.fields[field].values as usize]))
    }

    pub fn bytes(&self) -> usize {
        8 * (self.parts.len() + self.sets.len())
            + 4 * (self.maps.len() + self.rows.len() + self.picks.len())
    }

    #[inline]
    fn element(&self, number: usize) -> &[Part] {
        &self.parts[number * self.fields.len()..][..self.fields.len()]
    }

    #[inline]
    fn image(&self, part: Part, values: &[u32]) -> u32 {
        self.maps[(part.map + values[part.source as usize]) as usize]
    }

    /// An element that maps `scratch.values` to the least image.
    #[inline(always)]
    fn least(&self, width: usize, scratch: &mut Scratch) -> Result<usize> {
        scratch.alive.clear();
        scratch.alive.grow_slice(&self.everyone)?;
        scratch.next.clear();
        scratch.next.grow_resize(width, 0)?;
        let mut from = self.rest;
        let mut stages = self.stages.iter();
        if width == 1
            && let Some(first) = stages.next()
        {
            scratch.alive[0] = self.first_least(first, &scratch.values);
        }
        for stage in stages {
            let left: u32 = scratch.alive[..width].iter().map(|word| word.count_ones()).sum();
            if left <= FEW {
                from = stage.place;
                break;
            }
            self.keep_least(width, stage, scratch);
            std::mem::swap(&mut scratch.alive, &mut scratch.next);
        }
        Ok(self.compare(from, scratch))
    }

    /// The elements with the least value at a place, where sets are one word. Without branches, which
    /// could not be predicted.
    #[inline]
    fn first_least(&self, stage: &Stage, values: &[u32]) -> u64 {
        let (mut least, mut left) = (u32::MAX, 0);
        for &(source, base) in &stage.sources {
            let at = self.rows[(base + values[source as usize]) as usize] as usize;
            let (image, set) = (self.picks[at], self.sets[at]);
            let (old, new) =
                (if image < least { 0 } else { left }, if image > least { 0 } else { set });
            left = old | new;
            least = least.min(image);
        }
        left
    }

    /// Puts the elements of `alive` with the least value at a place into `next`.
    #[inline(always)]
    fn keep_least(&self, width: usize, stage: &Stage, scratch: &mut Scratch) {
        let Scratch { values, alive, next } = scratch;
        let (alive, next) = (&alive[..width], &mut next[..width]);
        let mut least = u32::MAX;
        for &(source, base) in &stage.sources {
            let row = (base + values[source as usize]) as usize;
            for at in self.rows[row] as usize..self.rows[row + 1] as usize {
                let image = self.picks[at];
                if image > least {
                    break;
                }
                let set = &self.sets[at * width..][..width];
                let both = |(&a, &b): (&u64, &u64)| a & b;
                if alive.iter().zip(set).all(|pair| both(pair) == 0) {
                    continue;
                }
                for (word, pair) in next.iter_mut().zip(alive.iter().zip(set)) {
                    *word = both(pair) | if image < least { 0 } else { *word };
                }
                least = image;
                break;
            }
        }
    }

    /// Compares the images of the elements of `alive` from a place on, one by one.
    #[inline(always)]
    fn compare(&self, from: usize, scratch: &Scratch) -> usize {
        let alive = scratch.alive.iter().enumerate();
        let mut alive = alive.flat_map(|(at, &word)| ones(word).map(move |bit| 64 * at + bit));
        let mut least = alive.next().unwrap_or(0);
        for other in alive {
            let pairs = self.element(other)[from..].iter().zip(&self.element(least)[from..]);
            for (&a, &b) in pairs {
                let (a, b) = (self.image(a, &scratch.values), self.image(b, &scratch.values));
                if a != b {
                    least = if a < b { other } else { least };
                    break;
                }
            }
        }
        least
    }
}

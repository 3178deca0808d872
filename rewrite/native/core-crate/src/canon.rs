//! Canonical forms: the least image of a state under a group of symmetries.
//!
//! A state is a tuple of field numbers. An element of the group moves fields and maps what they
//! hold: place i of the image is `maps[i][state[sources[i]]]`. Images are compared as numbers, so
//! the last place counts most. In a small group, the highest places of all images, their *tops*, are
//! made at once from tables, for which no branch needs to be predicted. In a larger one, at each place
//! only the elements that reach the least value there remain, as sets of bits. The images of the few
//! that are left come from tables, which say what an element makes of several fields at once.

mod build;
mod exchanges;
mod labelling;
mod terms;
#[cfg(test)]
mod tests;

pub use build::Element;
pub use exchanges::Exchanges;
pub use terms::{ExchangedTerms, TermsScratch};

use std::iter::repeat_n;
use std::mem::swap;

use crate::bits::{Place, ones};
use crate::cpu::places_of_word;
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

/// Of at most so many elements the images are compared: cheaper than another place for all.
const FEW: u32 = 4;

/// The top of the image of an unknown value; no top is higher.
const UNKNOWN: u32 = i32::MAX as u32;

/// Elements whose tops are compared in one go.
const LANES: usize = 16;

/// The most chunks of a state.
const MOST_CHUNKS: usize = 32;

/// The longest states, in words, whose images are made from tables.
const MOST_WORDS: usize = 4;

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
    /// Neighbouring fields that images are made from at once; none if tables would be too large.
    chunks: Vec<Place>,
    /// For each element and chunk, which is the first of its images, …
    starts: Vec<u32>,
    /// … which are as long as a state: of each value of the chunk, all ones if it is unknown.
    images: Vec<u64>,
    /// The last places, the last first, without those where all elements agree.
    stages: Vec<Stage>,
    /// The places below this one are in no stage.
    rest: usize,
    /// For each row of a stage, where its picks begin; ends with their number.
    rows: Vec<u32>,
    /// What a place of an image may become, …
    picks: Vec<u32>,
    /// … and by which elements; `width` words each.
    sets: Vec<u64>,
    /// For each chunk and value, what it adds to the tops of the images under all elements; none if
    /// the group is large.
    tops: Vec<[u32; LANES]>,
    /// How many rows of `tops` have all elements.
    blocks: usize,
    /// For each chunk where its values begin in `tops`, in so many rows.
    firsts: Vec<u32>,
    everyone: Vec<u64>,
    width: usize,
}

#[derive(Debug)]
struct Field {
    place: Place,
    /// Every map knows the values below this.
    values: u64,
}

/// From which field a place comes, where that is, and where the map of its values begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Part {
    source: u32,
    map: u32,
    from: Place,
}

/// A place of the images, as table: for each field that it may come from, the row of its value 0.
/// The picks of a row are in order.
#[derive(Debug)]
struct Stage {
    place: usize,
    sources: Vec<(Place, u32)>,
}

/// Buffers for applying a group. Reused.
#[derive(Debug, Default)]
pub struct Scratch {
    alive: Vec<u64>,
    next: Vec<u64>,
    before: Vec<u64>,
}

impl Canon {
    /// Replaces a state by the least of its images; returns the number of the symmetry.
    pub fn apply(&self, key: &mut [u64], scratch: &mut Scratch) -> Result<usize> {
        if self.chunks.is_empty() {
            return self.apply_by_fields(key, scratch);
        }
        let mut held = [0; MOST_CHUNKS];
        for (held, chunk) in held.iter_mut().zip(&self.chunks) {
            *held = chunk.held(key) as u32;
        }
        let few = match self.tops.len() {
            0 => {
                self.narrow(key, scratch)?;
                &scratch.alive[..]
            }
            _ if self.blocks == 1 => &[self.with_least_top::<1>(&held)],
            _ if self.blocks == 2 => &[self.with_least_top::<2>(&held)],
            _ => &[self.with_least_top::<4>(&held)],
        };
        Ok(match key.len() {
            1 => self.replace::<1>(few, &held, key),
            2 => self.replace::<2>(few, &held, key),
            3 => self.replace::<3>(few, &held, key),
            _ => self.replace::<MOST_WORDS>(few, &held, key),
        })
    }

    /// Replaces a state by the least of its images under some elements, by tables. `held`: the values
    /// of the chunks.
    fn replace<const N: usize>(
        &self,
        alive: &[u64],
        held: &[u32; MOST_CHUNKS],
        key: &mut [u64],
    ) -> usize {
        let (images, _) = self.images.as_chunks::<N>();
        let (mut best, mut least) = ([u64::MAX; N], 0);
        for (at, &word) in alive.iter().enumerate() {
            for bit in ones(word) {
                let element = 64 * at + bit;
                let starts = &self.starts[element * self.chunks.len()..][..self.chunks.len()];
                let mut image = [0; N];
                for (start, held) in starts.iter().zip(held) {
                    let part = &images[(start + held) as usize];
                    (0..N).for_each(|at| image[at] |= part[at]);
                }
                if image.iter().rev().lt(best.iter().rev()) {
                    (best, least) = (image, element);
                }
            }
        }
        if best[0] == u64::MAX {
            // perhaps because a value is unknown
            (0..self.fields.len()).for_each(|field| self.check(field, key));
        }
        (0..N).for_each(|at| key[at] = key[at] & self.others[at] | best[at]);
        least
    }

    fn apply_by_fields(&self, key: &mut [u64], scratch: &mut Scratch) -> Result<usize> {
        let from = self.narrow(key, scratch)?;
        let element = self.compare(from, key, &scratch.alive);
        scratch.before.refill(key.iter().copied())?;
        for (field, part) in self.fields.iter().zip(self.element(element)) {
            self.check(part.source as usize, &scratch.before);
            field.place.put(key, self.image(*part, &scratch.before).into());
        }
        Ok(element)
    }

    fn check(&self, field: usize, key: &[u64]) {
        let Field { place, values } = &self.fields[field];
        assert!(
            place.held(key) < *values,
            "a field holds a value of which the symmetries know no image"
        );
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

    fn table_bytes(&self) -> usize {
        8 * (self.sets.len() + self.images.len())
            + 4 * LANES * self.tops.len()
            + 4 * (self.maps.len() + self.rows.len() + self.picks.len() + self.starts.len())
    }

    #[inline]
    fn element(&self, number: usize) -> &[Part] {
        &self.parts[number * self.fields.len()..][..self.fields.len()]
    }

    #[inline]
    fn image(&self, part: Part, key: &[u64]) -> u32 {
        self.maps[part.map as usize + part.from.held(key) as usize]
    }

    /// The elements whose images have the least top.
    #[inline]
    fn with_least_top<const BLOCKS: usize>(&self, held: &[u32; MOST_CHUNKS]) -> u64 {
        let (rows, _) = self.tops.as_chunks::<BLOCKS>();
        let mut tops = [[0; LANES]; BLOCKS];
        for (first, held) in self.firsts.iter().zip(held) {
            let row = &rows[(first + held) as usize];
            for block in 0..BLOCKS {
                for lane in 0..LANES {
                    tops[block][lane] |= row[block][lane];
                }
            }
        }
        // as signed numbers, which are compared faster
        let all = tops.as_flattened().iter().map(|&top| top as i32);
        let least = all.fold(i32::MAX, Ord::min) as u32;
        let places = tops.iter().map(|block| u64::from(places_of_word(least, block)));
        let found = places.zip(0..).fold(0, |all, (found, block)| all | found << (LANES * block));
        found & self.everyone[0]
    }

    /// Leaves in `scratch.alive` those elements with the least images as far as they were compared;
    /// returns the place from which on these agree.
    fn narrow(&self, key: &[u64], scratch: &mut Scratch) -> Result<usize> {
        scratch.alive.refill(self.everyone.iter().copied())?;
        for stage in &self.stages {
            let left: u32 = scratch.alive.iter().map(|word| word.count_ones()).sum();
            if left <= FEW {
                return Ok(stage.place + 1);
            }
            scratch.next.refill(repeat_n(0, self.width))?;
            self.keep_least(stage, key, &scratch.alive, &mut scratch.next);
            swap(&mut scratch.alive, &mut scratch.next);
        }
        Ok(self.rest)
    }

    /// Puts the elements of `alive` with the least value at a place into `next`.
    fn keep_least(&self, stage: &Stage, key: &[u64], alive: &[u64], next: &mut [u64]) {
        let mut least = u32::MAX;
        for &(source, base) in &stage.sources {
            let row = base as usize + source.held(key) as usize;
            for at in self.rows[row] as usize..self.rows[row + 1] as usize {
                let image = self.picks[at];
                if image > least {
                    break;
                }
                let set = &self.sets[at * self.width..][..self.width];
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

    /// The element of `alive` with the least image, of images that agree from a place on.
    fn compare(&self, from: usize, key: &[u64], alive: &[u64]) -> usize {
        let alive = alive.iter().enumerate();
        let mut alive = alive.flat_map(|(at, &word)| ones(word).map(move |bit| 64 * at + bit));
        let mut least = alive.next().unwrap_or(0);
        for other in alive {
            let pairs = self.element(other)[..from].iter().zip(&self.element(least)[..from]);
            for (&a, &b) in pairs.rev() {
                let (a, b) = (self.image(a, key), self.image(b, key));
                if a != b {
                    least = if a < b { other } else { least };
                    break;
                }
            }
        }
        least
    }
}

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
    /// Where sets are one word: the first pick of each row of the first stage, and its set.
    first: Vec<(u32, u64)>,
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
        // the same code twice: where all sets are one word, it is much faster when it knows
        let least = if self.width == 1 {
            self.least(1, key, scratch)?
        } else {
            self.least(self.width, key, scratch)?
        };
        match key.len() {
            _ if self.chunks.is_empty() => {
                self.replace_by_fields(least, key, &mut scratch.before)?
            }
            1 => self.replace::<1>(least, key),
            2 => self.replace::<2>(least, key),
            3 => self.replace::<3>(least, key),
            _ => self.replace::<MOST_WORDS>(least, key),
        }
        Ok(least)
    }

    /// Replaces a state by its image under an element, by tables.
    fn replace<const N: usize>(&self, element: usize, key: &mut [u64]) {
        let (images, _) = self.images.as_chunks::<N>();
        let mut image = [0; N];
        let starts = &self.starts[element * self.chunks.len()..];
        for (chunk, &start) in self.chunks.iter().zip(starts) {
            let part = images[start as usize + chunk.held(key) as usize];
            (0..N).for_each(|at| image[at] |= part[at]);
        }
        if image[0] == u64::MAX {
            // perhaps because a value is unknown
            (0..self.fields.len()).for_each(|field| self.check(field, key));
        }
        (0..N).for_each(|at| key[at] = key[at] & self.others[at] | image[at]);
    }

    fn replace_by_fields(
        &self,
        element: usize,
        key: &mut [u64],
        before: &mut Vec<u64>,
    ) -> Result<()> {
        before.refill(key.iter().copied())?;
        for (field, part) in self.fields.iter().zip(self.element(element)) {
            self.check(part.source as usize, before);
            field.place.put(key, self.image(*part, before).into());
        }
        Ok(())
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
        8 * (self.sets.len() + 2 * self.first.len() + self.images.len())
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

    /// An element that maps a state to the least image.
    #[inline(always)]
    fn least(&self, width: usize, key: &[u64], scratch: &mut Scratch) -> Result<usize> {
        scratch.alive.clear();
        scratch.alive.grow_slice(&self.everyone)?;
        scratch.next.clear();
        scratch.next.grow_resize(width, 0)?;
        let mut from = self.rest;
        let mut stages = self.stages.iter();
        if width == 1
            && let Some(first) = stages.next()
        {
            scratch.alive[0] = self.first_least(first, key);
        }
        for stage in stages {
            let left: u32 = scratch.alive[..width].iter().map(|word| word.count_ones()).sum();
            if left <= FEW {
                from = stage.place;
                break;
            }
            self.keep_least(width, stage, key, scratch);
            std::mem::swap(&mut scratch.alive, &mut scratch.next);
        }
        Ok(self.compare(from, key, &scratch.alive))
    }

    /// The elements with the least value at a place, where sets are one word. Without branches, which
    /// could not be predicted.
    #[inline]
    fn first_least(&self, stage: &Stage, key: &[u64]) -> u64 {
        let (mut least, mut left) = (u32::MAX, 0);
        for &(source, base) in &stage.sources {
            let (image, set) = self.first[base as usize + source.held(key) as usize];
            let (old, new) =
                (if image < least { 0 } else { left }, if image > least { 0 } else { set });
            left = old | new;
            least = least.min(image);
        }
        left
    }

    /// Puts the elements of `alive` with the least value at a place into `next`.
    #[inline(always)]
    fn keep_least(&self, width: usize, stage: &Stage, key: &[u64], scratch: &mut Scratch) {
        let Scratch { alive, next, .. } = scratch;
        let (alive, next) = (&alive[..width], &mut next[..width]);
        let mut least = u32::MAX;
        for &(source, base) in &stage.sources {
            let row = base as usize + source.held(key) as usize;
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
    fn compare(&self, from: usize, key: &[u64], alive: &[u64]) -> usize {
        let alive = alive.iter().enumerate();
        let mut alive = alive.flat_map(|(at, &word)| ones(word).map(move |bit| 64 * at + bit));
        let mut least = alive.next().unwrap_or(0);
        for other in alive {
            let pairs = self.element(other)[from..].iter().zip(&self.element(least)[from..]);
            for (&a, &b) in pairs {
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

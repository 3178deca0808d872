//! Builds the tables of a group of symmetries.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::exchanges::{Exchanges, NOWHERE, PLAIN, Touched};
use super::labelling::Occurrence;
use super::terms::ExchangedTerms;
use super::{Canon, Field, LANES, MOST_CHUNKS, MOST_WORDS, Part, Stage, UNKNOWN};
use crate::bits::Place;
use crate::value::Val;

/// The most bytes that tables may take; places beyond that are compared one by one.
const MOST_BYTES: usize = 4 << 20;
/// The most bits of several fields whose images are in one table.
const CHUNK_BITS: u32 = 8;
/// The bits of a top at most.
const TOP_BITS: u32 = UNKNOWN.count_ones();

/// An element of the group: for each place of the image, the field it comes from, and the map of
/// that field's values.
pub type Element = (Vec<u32>, Vec<Vec<u32>>);

/// By field and number, the template and values of the term, if it contains any.
pub type Held = Vec<Vec<Option<(u32, Vec<u8>)>>>;
/// By template and tuple of values, in order, the field and number of the term, if it exists.
pub type Targets = Vec<Vec<Option<(u32, u32)>>>;

impl Canon {
    /// The group of these elements, which must include the identity.
    ///
    /// `words`: the length of a state; `fields`: (offset, bits), ascending. Takes time by the number
    /// of elements, fields and values.
    pub fn new(words: usize, fields: &[(u32, u32)], elements: &[Element]) -> Canon {
        debug_assert!(fields.is_sorted(), "images are compared as numbers");
        let mut canon = Canon {
            fields: laid_out(fields),
            others: vec![u64::MAX; words],
            parts: Vec::new(),
            maps: Vec::new(),
            chunks: Vec::new(),
            starts: Vec::new(),
            images: Vec::new(),
            stages: Vec::new(),
            rest: 0,
            rows: vec![0],
            picks: Vec::new(),
            sets: Vec::new(),
            tops: Vec::new(),
            blocks: elements.len().div_ceil(LANES).next_power_of_two(),
            firsts: Vec::new(),
            everyone: vec![u64::MAX; elements.len().div_ceil(64)],
            width: elements.len().div_ceil(64),
        };
        for Field { place, .. } in &canon.fields {
            place.put(&mut canon.others, 0);
        }
        if let Some(last) = canon.everyone.last_mut() {
            *last = u64::MAX >> ((64 - elements.len() % 64) % 64);
        }
        let mut known = HashMap::new();
        for element in elements {
            canon.add(element, &mut known);
        }
        canon.fill_tables();
        if canon.fill_images(words).is_none() {
            (canon.chunks, canon.starts, canon.images) = (Vec::new(), Vec::new(), Vec::new());
        }
        canon.fill_tops();
        canon
    }

    /// Adds an element; equal maps are stored once.
    fn add<'a>(&mut self, (sources, maps): &'a Element, known: &mut HashMap<&'a [u32], u32>) {
        for (&source, map) in sources.iter().zip(maps) {
            let field = &mut self.fields[source as usize];
            field.values = field.values.min(map.len() as u64);
            let maps = &mut self.maps;
            let map = *known.entry(map).or_insert_with(|| {
                maps.extend(map);
                (maps.len() - map.len()) as u32
            });
            self.parts.push(Part { source, map, from: self.fields[source as usize].place });
        }
    }

    /// Builds tables for as many places as the limit allows.
    fn fill_tables(&mut self) {
        for place in (0..self.fields.len()).rev() {
            let mut by_part: BTreeMap<Part, Vec<u64>> = BTreeMap::new();
            for (number, parts) in self.parts.chunks_exact(self.fields.len()).enumerate() {
                let set = by_part.entry(parts[place]).or_insert_with(|| vec![0; self.width]);
                set[number / 64] |= 1 << (number % 64);
            }
            self.rest = place + 1;
            let values = |part: &Part| self.fields[part.source as usize].values as usize;
            let most = by_part.keys().map(values).sum::<usize>() * (8 * self.width + 8);
            if self.table_bytes() + most > MOST_BYTES {
                return;
            }
            if by_part.len() > 1 {
                self.add_stage(place, &by_part);
            }
        }
        self.rest = 0;
    }

    /// Builds tables of what elements make of chunks, each once; None if they would be too large.
    fn fill_images(&mut self, words: usize) -> Option<()> {
        let chunks = (words <= MOST_WORDS).then(|| chunked(&self.fields))?;
        if chunks.len() > MOST_CHUNKS {
            return None;
        }
        let mut known = HashMap::new();
        for parts in self.parts.chunks_exact(self.fields.len()) {
            let mut targets = vec![(0, 0); self.fields.len()];
            for (place, part) in parts.iter().enumerate() {
                targets[part.source as usize] = (place, part.map as usize);
            }
            for (chunk, fields) in &chunks {
                let own: Vec<_> = fields.iter().map(|&field| (field, targets[field])).collect();
                let start = *known.entry(own.clone()).or_insert((self.images.len() / words) as u32);
                self.starts.push(start);
                if (start as usize) < self.images.len() / words {
                    continue;
                }
                let fits = chunk.bits() < MOST_BYTES.ilog2();
                if !fits || self.table_bytes() + 8 * (words << chunk.bits()) > MOST_BYTES {
                    return None;
                }
                let begin = self.images.len();
                self.images.resize(begin + (words << chunk.bits()), 0);
                for &(field, (place, map)) in &own {
                    let Field { place: from, values } = &self.fields[field];
                    let Place { word, shift, .. } = self.fields[place].place;
                    let images = self.images[begin..].chunks_exact_mut(words);
                    for (value, image) in images.enumerate() {
                        let held = value as u64 >> (from.shift - chunk.shift) & from.mask;
                        if held < *values {
                            let put = self.maps[map + held as usize];
                            image[usize::from(word)] |= u64::from(put) << shift;
                        } else {
                            image.fill(u64::MAX);
                        }
                    }
                }
            }
        }
        self.chunks = chunks.into_iter().map(|(chunk, _)| chunk).collect();
        Some(())
    }

    /// Builds tables of the tops of images, if the group is small enough for them.
    fn fill_tops(&mut self) {
        let mut tops = Vec::new(); // the highest places: which, and by how much each is shifted
        let mut bits = TOP_BITS;
        for (place, field) in self.fields.iter().enumerate().rev() {
            let Some(left) = bits.checked_sub(field.place.bits()) else { break };
            bits = left;
            tops.push((place, bits));
        }
        let elements = self.elements();
        let blocks = self.blocks;
        let rows: usize = self.chunks.iter().map(|chunk| blocks << chunk.bits()).sum();
        let bytes = self.table_bytes() + 4 * LANES * rows;
        if self.width > 1 || tops.is_empty() || bytes > MOST_BYTES {
            return;
        }
        for chunk in &self.chunks {
            let mut own = Vec::new();
            for (element, parts) in self.parts.chunks(self.fields.len()).enumerate() {
                let all = tops.iter().map(|&(place, shift)| (element, parts[place], shift));
                own.extend(all.filter(|(_, part, _)| part.from.is_in(chunk)));
            }
            self.firsts.push((self.tops.len() / blocks) as u32);
            for value in 0..1_u64 << chunk.bits() {
                let begin = self.tops.len();
                self.tops.resize(begin + blocks, [UNKNOWN; LANES]);
                let row = self.tops[begin..].as_flattened_mut();
                row[..elements].fill(0);
                for &(element, part, shift) in &own {
                    let held = value >> (part.from.shift - chunk.shift) & part.from.mask;
                    let known = held < self.fields[part.source as usize].values;
                    let image = || self.maps[part.map as usize + held as usize] << shift;
                    row[element] |= if known { image() } else { UNKNOWN };
                }
            }
        }
    }

    fn add_stage(&mut self, place: usize, by_part: &BTreeMap<Part, Vec<u64>>) {
        let mut stage = Stage { place, sources: Vec::new() };
        let sources: BTreeSet<u32> = by_part.keys().map(|part| part.source).collect();
        for source in sources {
            let place = self.fields[source as usize].place;
            stage.sources.push((place, self.rows.len() as u32 - 1));
            for value in 0..self.fields[source as usize].values as u32 {
                let mut row: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
                for (part, set) in by_part.iter().filter(|(part, _)| part.source == source) {
                    let image = self.maps[(part.map + value) as usize];
                    let sum = row.entry(image).or_insert_with(|| vec![0; self.width]);
                    sum.iter_mut().zip(set).for_each(|(sum, one)| *sum |= one);
                }
                for (image, set) in row {
                    self.picks.push(image);
                    self.sets.extend(set);
                }
                self.rows.push(self.picks.len() as u32);
            }
        }
        self.stages.push(stage);
    }
}

/// Fields that stand side by side, as one.
fn chunked(fields: &[Field]) -> Vec<(Place, Vec<usize>)> {
    let mut order: Vec<(usize, Place)> =
        fields.iter().map(|field| field.place).enumerate().collect();
    order.sort_unstable_by_key(|(_, place)| (place.word, place.shift));
    let mut chunks: Vec<(Place, Vec<usize>)> = Vec::new();
    for (field, place) in order {
        match chunks.last_mut() {
            Some((chunk, fields))
                if chunk.word == place.word
                    && u32::from(chunk.shift) + chunk.bits() == place.shift.into()
                    && chunk.bits() + place.bits() <= CHUNK_BITS =>
            {
                chunk.mask = chunk.mask << place.bits() | place.mask;
                fields.push(field);
            }
            _ => chunks.push((place, vec![field])),
        }
    }
    chunks
}

fn laid_out(fields: &[(u32, u32)]) -> Vec<Field> {
    let field = |&(offset, bits): &(u32, u32)| Field {
        place: Place::new(offset, bits),
        values: u64::from(u32::MAX),
    };
    fields.iter().map(field).collect()
}

impl Exchanges {
    /// Exchanges of values.
    ///
    /// `words`: the length of a state; `fields`: (offset, bits); `firsts`: for each value the first
    /// one of its set.
    pub fn new(
        words: usize,
        fields: &[(u32, u32)],
        firsts: Vec<u8>,
        held: &Held,
        targets: &Targets,
    ) -> Exchanges {
        let mut made = Exchanges {
            fields: laid_out(fields),
            touched: Vec::new(),
            held: Vec::new(),
            others: vec![u64::MAX; words],
            firsts,
            templates: Vec::new(),
            targets: Vec::new(),
        };
        for (place, numbers) in held.iter().enumerate() {
            made.touch(place, numbers);
        }
        for rows in targets {
            made.templates.push(made.targets.len() as u32);
            made.targets.extend(rows.iter().map(|row| row.unwrap_or((NOWHERE, 0))));
        }
        made
    }

    fn touch(&mut self, place: usize, numbers: &[Option<(u32, Vec<u8>)>]) {
        if numbers.iter().all(Option::is_none) {
            return;
        }
        let field = &mut self.fields[place];
        field.values = numbers.len() as u64;
        field.place.put(&mut self.others, 0);
        self.touched.push(Touched { field: place as u32, held: self.held.len() as u32 });
        for number in numbers {
            let mut one = Occurrence { template: PLAIN, ..Occurrence::default() };
            if let Some((template, values)) = number {
                one.template = *template;
                one.count = values.len() as u8;
                one.values[..values.len()].copy_from_slice(values);
            }
            self.held.push(one);
        }
    }
}

impl ExchangedTerms {
    /// Values to be exchanged; `firsts`: for each the first one of its set.
    pub fn new(values: Vec<Val>, firsts: Vec<u8>) -> ExchangedTerms {
        let numbers = values.iter().enumerate().map(|(at, &value)| (value, at as u8)).collect();
        ExchangedTerms { values, numbers, firsts }
    }
}

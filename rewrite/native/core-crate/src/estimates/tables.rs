//! Pattern databases: distances in projections of the puzzle, looked up.
//!
//! A state has a spot in each database: an index, to which every field adds something for what it
//! holds, and the distance there. After a step only the fields that changed are looked at, and only
//! the databases in which that leads elsewhere.

use super::Place;
use super::distances::NO_WAY;
use super::fields::Fields;
use crate::grow::{Grow, GrowCopies, filled, listed};
use crate::space::Estimate;
use crate::trouble::{Outcome, Trouble};

/// The distances of one pattern, and how an abstract state is found in them.
#[derive(Debug)]
pub struct Table {
    /// (field, what each number that it can hold adds to the index)
    parts: Vec<(u32, Vec<u32>)>,
    entries: Vec<u8>,
}

impl Table {
    /// Of what fields hold: (field, what its number is multiplied by), with how many numbers each has.
    pub fn of_fields(strides: &[(u32, u32)], sizes: &[u32], entries: Vec<u8>) -> Outcome<Table> {
        let mut parts = Vec::new();
        for (&(field, stride), &size) in strides.iter().zip(sizes) {
            check(entries.len(), size, stride)?;
            parts.grow_push((field, listed((0..size).map(|at| at * stride))?))?;
        }
        Ok(Table { parts, entries })
    }

    /// Of where values are: among `places`, (value, what the number of its place is multiplied by).
    pub fn of_places(places: &[u32], strides: &[(u32, u32)], entries: Vec<u8>) -> Outcome<Table> {
        let values = strides.iter().map(|one| one.0 as usize + 1).max().unwrap_or(0);
        for &(_, stride) in strides {
            check(entries.len(), places.len() as u32, stride)?;
        }
        let mut parts = Vec::new();
        for (at, &field) in (0..).zip(places) {
            let mut adds = filled(values, 0)?;
            for &(value, stride) in strides {
                adds[value as usize] = at * stride;
            }
            parts.grow_push((field, adds))?;
        }
        Ok(Table { parts, entries })
    }
}

/// That so many numbers, so far apart, stay inside the table.
fn check(entries: usize, size: u32, stride: u32) -> Outcome<()> {
    let last = u64::from(size.saturating_sub(1)) * u64::from(stride);
    if last < entries.max(1) as u64 {
        return Ok(());
    }
    Err(Trouble::Internal(format!("a table of {entries} entries has none at {last}")))
}

/// Where a state is in a database, and what is written there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spot {
    index: u32,
    entry: u8,
}

/// Databases in groups: an estimate is the sum over groups of the greatest in each.
#[derive(Debug)]
pub struct Tables {
    fields: Fields,
    words: usize,
    /// For each field where its numbers begin in `adds`; and where those of the last one end.
    begins: Vec<u32>,
    /// For each number that a field may hold where its part of `parts` begins; and its end.
    adds: Vec<u32>,
    /// (database, what is added to the index)
    parts: Vec<(u32, u32)>,
    entries: Vec<Vec<u8>>,
    /// Where each group ends among the databases.
    ends: Vec<u32>,
}

impl Tables {
    pub fn new(places: &[Place], groups: Vec<Vec<Table>>, words: usize) -> Outcome<Tables> {
        let wrong = || Trouble::Internal("databases of fields that are not there".into());
        let fields = Fields::new(places, words)?.ok_or_else(wrong)?;
        let (mut begins, mut adds, mut parts) = (filled(1, 0)?, filled(1, 0)?, Vec::new());
        let all = || groups.iter().flatten();
        if all().flat_map(|one| &one.parts).any(|part| part.0 as usize >= places.len()) {
            return Err(wrong());
        }
        for field in 0..places.len() as u32 {
            let of_field = || {
                let tables = (0..).zip(all());
                tables
                    .flat_map(|(number, one)| one.parts.iter().map(move |part| (number, part)))
                    .filter(|(_, part)| part.0 == field)
                    .map(|(number, part)| (number, &part.1))
            };
            for held in 0..of_field().map(|one| one.1.len()).max().unwrap_or(0) {
                for (number, added) in of_field() {
                    let added = added.get(held).copied().unwrap_or(0);
                    if added > 0 {
                        parts.grow_push((number, added))?;
                    }
                }
                adds.grow_push(parts.len() as u32)?;
            }
            begins.grow_push(adds.len() as u32 - 1)?;
        }
        let (mut entries, mut ends) = (Vec::new(), Vec::new());
        for group in groups {
            for one in group {
                entries.grow_push(one.entries)?;
            }
            ends.grow_push(entries.len() as u32)?;
        }
        Ok(Tables { fields, words, begins, adds, parts, entries, ends })
    }

    /// How many databases there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// What the number in a field adds, by database.
    #[inline]
    fn added(&self, field: usize, held: u64) -> &[(u32, u32)] {
        let (from, to) = (self.begins[field] as u64, self.begins[field + 1] as u64);
        if held >= to - from {
            return &[]; // of no variable
        }
        let at = (from + held) as usize;
        &self.parts[self.adds[at] as usize..self.adds[at + 1] as usize]
    }

    /// The estimate of a state, and where it is.
    pub fn value(&self, words: &[u64], spots: &mut Vec<Spot>) -> Outcome<Estimate> {
        spots.clear();
        spots.grow_resize(self.len(), Spot::default())?;
        for (field, one) in self.fields.places().iter().enumerate() {
            for &(table, added) in self.added(field, one.held(words)) {
                spots[table as usize].index += added;
            }
        }
        for (spot, entries) in spots.iter_mut().zip(&self.entries) {
            spot.entry = entries[spot.index as usize];
        }
        Ok(self.whole(spots))
    }

    /// The same, from where another state is.
    #[inline]
    pub fn after(&self, from: &[Spot], old: &[u64], new: &[u64], spots: &mut [Spot]) -> Estimate {
        spots.copy_from_slice(from);
        let _: Result<(), ()> = self.fields.changes(old, new, |field, before, after| {
            for &(table, added) in self.added(field, before) {
                let index = &mut spots[table as usize].index;
                *index = index.wrapping_sub(added); // what another field adds may come first
            }
            for &(table, added) in self.added(field, after) {
                let index = &mut spots[table as usize].index;
                *index = index.wrapping_add(added);
            }
            Ok(())
        });
        for ((spot, entries), before) in spots.iter_mut().zip(&self.entries).zip(from) {
            if spot.index != before.index {
                spot.entry = entries[spot.index as usize];
            }
        }
        self.whole(spots)
    }

    /// Infinite where there is no way in some database.
    #[inline]
    fn whole(&self, spots: &[Spot]) -> Estimate {
        let (mut whole, mut from) = (0, 0);
        for &end in &self.ends {
            let group = &spots[from..end as usize];
            let farthest = group.iter().map(|one| one.entry).max().unwrap_or(0);
            if farthest == NO_WAY {
                return Estimate::Infinite;
            }
            whole += u64::from(farthest);
            from = end as usize;
        }
        Estimate::Whole(whole)
    }

    pub fn bytes(&self) -> usize {
        self.entries.iter().map(Vec::capacity).sum::<usize>()
            + 8 * self.parts.capacity()
            + 4 * (self.begins.capacity() + self.adds.capacity() + self.ends.capacity())
            + self.fields.bytes()
    }
}

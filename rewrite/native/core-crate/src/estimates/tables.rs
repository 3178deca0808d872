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

#[cfg(test)]
mod tests {
    use super::super::{Estimator, Kind, Scratch};
    use super::{Place, Spot, Table, Tables};
    use crate::random::Random;
    use crate::space::Estimate;

    const FIELDS: u32 = 6;

    fn places() -> Vec<Place> {
        (0..FIELDS as u8).map(|at| Place { word: at as u16 / 3, shift: 8 * at, bits: 3 }).collect()
    }

    /// Entries that differ, some of them ways that there are not.
    fn entries(random: &mut Random, len: u32) -> Vec<u8> {
        (0..len)
            .map(|_| if random.word().is_multiple_of(9) { 255 } else { random.word() as u8 / 2 })
            .collect()
    }

    /// What each database says, reckoned anew; two of three fields, three of values 1 to 7.
    struct Naive {
        fields: [([u32; 3], Vec<u8>); 2],
        values: [([u32; 2], Vec<u8>); 3],
    }

    impl Naive {
        fn new(random: &mut Random) -> Naive {
            Naive {
                fields: [[0, 1, 2], [1, 3, 5]].map(|held| (held, entries(random, 512))),
                values: [[1, 2], [3, 7], [4, 5]].map(|held| (held, entries(random, 36))),
            }
        }

        fn tables(&self) -> Tables {
            let of_fields = |(held, all): &([u32; 3], Vec<u8>)| {
                let strides = [(held[0], 1), (held[1], 8), (held[2], 64)];
                Table::of_fields(&strides, &[8; 3], all.clone()).unwrap()
            };
            let of_places = |(held, all): &([u32; 2], Vec<u8>)| {
                let strides = [(held[0], 1), (held[1], FIELDS)];
                Table::of_places(&[0, 1, 2, 3, 4, 5], &strides, all.clone()).unwrap()
            };
            let mut groups = vec![self.fields.iter().map(of_fields).collect::<Vec<_>>()];
            groups.extend(self.values.iter().map(|one| vec![of_places(one)]));
            Tables::new(&places(), groups, 2).unwrap()
        }

        fn value(&self, held: &[u32]) -> Estimate {
            let of_fields = self.fields.iter().map(|(fields, all)| {
                let [a, b, c] = fields.map(|field| held[field as usize] as usize);
                all[a + 8 * b + 64 * c]
            });
            let of_places = self.values.iter().map(|(values, all)| {
                let at = values.map(|value| held.iter().position(|&one| one == value).unwrap());
                all[at[0] + FIELDS as usize * at[1]]
            });
            let parts: Vec<u8> = of_fields.max().into_iter().chain(of_places).collect();
            match parts.contains(&255) {
                true => Estimate::Infinite,
                false => Estimate::Whole(parts.into_iter().map(u64::from).sum()),
            }
        }
    }

    #[test]
    fn step_by_step_it_is_what_it_is_anew() {
        let mut random = Random::new(&[3]);
        let naive = Naive::new(&mut random);
        let tables = naive.tables();
        let estimator = Estimator::new(places(), Kind::Tables(naive.tables()), 2).unwrap();
        let (mut scratch, mut infinite) = (Scratch::default(), 0);
        // a permutation without 6, of which two change places at each step, or more
        let mut held = vec![1, 2, 3, 4, 5, 7];
        let words = |held: &[u32]| {
            let mut words = [0; 2];
            for (one, &number) in places().iter().zip(held) {
                words[one.word as usize] |= u64::from(number) << one.shift;
            }
            words
        };
        let (mut old, mut spots) = (words(&held), Vec::new());
        tables.value(&old, &mut spots).unwrap();
        for _ in 0..2000 {
            for _ in 0..random.word() % 3 {
                held.swap((random.word() % FIELDS) as usize, (random.word() % FIELDS) as usize);
            }
            let (new, from) = (words(&held), spots.clone());
            let mut after = vec![Spot::default(); tables.len()];
            let found = tables.after(&from, &old, &new, &mut after);
            assert_eq!(found, naive.value(&held));
            assert_eq!(estimator.value(&new, &mut scratch).unwrap(), found);
            assert_eq!(tables.value(&new, &mut spots).unwrap(), found);
            assert_eq!(after, spots);
            infinite += u32::from(found == Estimate::Infinite);
            old = new;
        }
        assert!((200..1800).contains(&infinite), "{infinite}");
    }

    #[test]
    fn fields_that_are_not_there_are_refused() {
        let table = || Table::of_fields(&[(6, 1)], &[8], vec![0; 8]).unwrap();
        assert!(Tables::new(&places(), vec![vec![table()]], 2).is_err());
        assert!(Tables::new(&places(), Vec::new(), 1).is_err());
        assert!(Table::of_fields(&[(5, 2)], &[8], vec![0; 8]).is_err());
    }
}

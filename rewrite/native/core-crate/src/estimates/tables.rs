//! Pattern databases: look-ups of distances in projections of the puzzle.
//!
//! A state has a probe per look-up: an index, the sum of what each field's value adds, and the
//! distance there. After a step only the changed fields are examined, and only the look-ups whose
//! index changes.

use std::iter::repeat_n;

use super::Place;
use super::distances::NO_WAY;
use super::fields::Fields;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::grow::{Grow, GrowCopies, filled};

/// How to find a state in a database: the state itself, or its image under a symmetry.
#[derive(Debug)]
pub struct Look {
    /// (field, what each of its numbers adds to the index)
    pub parts: Vec<(u32, Vec<u32>)>,
    /// The number of the database.
    pub of: u32,
}

/// Groups of look-ups: the maximum within each group, summed over groups.
pub type Set = Vec<Vec<Look>>;

/// The index of a state in a database, and the entry there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Probe {
    index: u32,
    entry: u8,
}

/// Databases, and sets of look-ups: the estimate is the maximum over sets.
#[derive(Debug)]
pub struct Tables {
    fields: Fields,
    /// For each field, where its numbers begin in `adds`; plus the end of the last.
    begins: Vec<u32>,
    /// For each number of a field, where its part of `parts` begins; plus the end.
    adds: Vec<u32>,
    /// (look-up, what is added to the index)
    parts: Vec<(u32, u32)>,
    /// The distances of each database.
    entries: Vec<Vec<u8>>,
    /// The database of each look-up.
    of: Vec<u32>,
    /// Where each group ends among the look-ups, and each set among the groups.
    ends: Vec<u32>,
    sets: Vec<u32>,
}

impl Tables {
    pub fn new(
        places: &[Place],
        entries: Vec<Vec<u8>>,
        given: &[Set],
        words: usize,
    ) -> Result<Tables> {
        let fields = Fields::new(places, words)?;
        let all = || given.iter().flatten().flatten();
        let (mut begins, mut adds, mut parts) = (filled(1, 0)?, filled(1, 0)?, Vec::new());
        for field in 0..places.len() as u32 {
            let of_field = || {
                let looks = (0..).zip(all());
                looks
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
        let (mut of, mut ends, mut sets) = (Vec::new(), Vec::new(), Vec::new());
        for set in given {
            for group in set {
                of.grow_extend(group.iter().map(|one| one.of))?;
                ends.grow_push(of.len() as u32)?;
            }
            sets.grow_push(ends.len() as u32)?;
        }
        Ok(Tables { fields, begins, adds, parts, entries, of, ends, sets })
    }

    fn len(&self) -> usize {
        self.of.len()
    }

    /// What a field's number adds, by look-up.
    #[inline]
    fn added(&self, field: usize, held: u64) -> &[(u32, u32)] {
        let (from, to) = (self.begins[field] as u64, self.begins[field + 1] as u64);
        if held >= to - from {
            return &[]; // in no pattern
        }
        let at = (from + held) as usize;
        &self.parts[self.adds[at] as usize..self.adds[at + 1] as usize]
    }

    /// The estimate of a state, and its probes.
    pub fn value(&self, words: &[u64], probes: &mut Vec<Probe>) -> Result<Estimate> {
        probes.refill(repeat_n(Probe::default(), self.len()))?;
        for (field, one) in self.fields.places().iter().enumerate() {
            for &(table, added) in self.added(field, one.held(words)) {
                probes[table as usize].index += added;
            }
        }
        for (probe, &of) in probes.iter_mut().zip(&self.of) {
            probe.entry = self.entries[of as usize][probe.index as usize];
        }
        Ok(self.whole(probes))
    }

    /// The same, from the probes of another state.
    #[inline]
    pub fn after(
        &self,
        from: &[Probe],
        old: &[u64],
        new: &[u64],
        probes: &mut [Probe],
    ) -> Estimate {
        probes.copy_from_slice(from);
        let _: Result<(), ()> = self.fields.changes(old, new, |field, before, after| {
            for &(table, added) in self.added(field, before) {
                let index = &mut probes[table as usize].index;
                *index = index.wrapping_sub(added); // wraps: another field's increase may come later
            }
            for &(table, added) in self.added(field, after) {
                let index = &mut probes[table as usize].index;
                *index = index.wrapping_add(added);
            }
            Ok(())
        });
        for ((probe, &of), before) in probes.iter_mut().zip(&self.of).zip(from) {
            if probe.index != before.index {
                probe.entry = self.entries[of as usize][probe.index as usize];
            }
        }
        self.whole(probes)
    }

    /// Infinite if some database has no path.
    #[inline]
    fn whole(&self, probes: &[Probe]) -> Estimate {
        let (mut greatest, mut group, mut from) = (0, 0, 0);
        for &last in &self.sets {
            let mut whole = 0;
            for &end in &self.ends[group..last as usize] {
                let looks = &probes[from..end as usize];
                let farthest = looks.iter().map(|one| one.entry).max().unwrap_or(0);
                if farthest == NO_WAY {
                    return Estimate::Infinite;
                }
                whole += u64::from(farthest);
                from = end as usize;
            }
            greatest = greatest.max(whole);
            group = last as usize;
        }
        Estimate::Whole(greatest)
    }

    pub fn bytes(&self) -> usize {
        self.entries.iter().map(Vec::capacity).sum::<usize>()
            + 8 * self.parts.capacity()
            + 4 * (self.begins.capacity() + self.adds.capacity() + self.of.capacity())
            + 4 * (self.ends.capacity() + self.sets.capacity())
            + self.fields.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Estimator, Kind, Scratch};
    use super::{Look, NO_WAY, Place, Probe, Set, Tables};
    use crate::estimate::Estimate;
    use crate::random::Random;

    const FIELDS: u32 = 6;

    fn places() -> Vec<Place> {
        (0..FIELDS).map(|at| Place::new(at / 3 * 64 + 8 * at, 3)).collect()
    }

    /// Looks up three fields of three bits each, in some order.
    fn look(random: &mut Random, of: u32) -> Look {
        let mut fields: Vec<u32> = (0..FIELDS).collect();
        random.shuffle(&mut fields);
        let mut part = |(at, &field)| {
            let mut numbers: Vec<u32> = (0..8).collect();
            random.shuffle(&mut numbers);
            (field, numbers.iter().map(|number| number << (3 * at)).collect())
        };
        Look { parts: (0..3).zip(&fields).map(&mut part).collect(), of }
    }

    fn naive(entries: &[Vec<u8>], sets: &[Set], held: &[u32]) -> Estimate {
        let entry = |look: &Look| {
            let added = |(field, adds): &(u32, Vec<u32>)| adds[held[*field as usize] as usize];
            entries[look.of as usize][look.parts.iter().map(added).sum::<u32>() as usize]
        };
        if sets.iter().flatten().flatten().any(|look| entry(look) == NO_WAY) {
            return Estimate::Infinite;
        }
        let group = |looks: &Vec<Look>| looks.iter().map(entry).max().map_or(0, u64::from);
        let set = |groups: &Set| groups.iter().map(group).sum();
        Estimate::Whole(sets.iter().map(set).max().unwrap_or(0))
    }

    #[test]
    fn step_by_step_it_is_what_it_is_anew() {
        let mut random = Random::new(3);
        let mut entry = || {
            let word = random.word();
            if word.is_multiple_of(29) { NO_WAY } else { (word >> 8) as u8 / 2 }
        };
        let entries: Vec<Vec<u8>> = (0..4).map(|_| (0..512).map(|_| entry()).collect()).collect();
        let mut group = |looks| (0..looks).map(|of| look(&mut random, of)).collect();
        let sets: [Set; 2] = [[1, 2, 1], [3, 1, 2]].map(|set| set.map(&mut group).into());
        let tables = || Tables::new(&places(), entries.clone(), &sets, 2).unwrap();
        let estimator = Estimator::new(places(), Kind::Tables(tables()));
        let (tables, mut scratch, mut infinite) = (tables(), Scratch::default(), 0);
        let mut held = vec![1, 2, 3, 4, 5, 7];
        let words = |held: &[u32]| {
            let mut words = [0; 2];
            for (one, &number) in places().iter().zip(held) {
                words[one.word as usize] |= u64::from(number) << one.shift;
            }
            words
        };
        let (mut old, mut probes) = (words(&held), Vec::new());
        tables.value(&old, &mut probes).unwrap();
        for _ in 0..2000 {
            for _ in 0..random.word() % 3 {
                held[(random.word() % FIELDS) as usize] = random.word() % 8;
            }
            let (new, from) = (words(&held), probes.clone());
            let mut after = vec![Probe::default(); tables.len()];
            let found = tables.after(&from, &old, &new, &mut after);
            assert_eq!(found, naive(&entries, &sets, &held));
            assert_eq!(estimator.value(&new, &mut scratch).unwrap(), found);
            assert_eq!(tables.value(&new, &mut probes).unwrap(), found);
            assert_eq!(after, probes);
            infinite += u32::from(found == Estimate::Infinite);
            old = new;
        }
        assert!((200..1800).contains(&infinite), "{infinite}");
    }
}

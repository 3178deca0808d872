//! Pattern databases: distances in projections of the puzzle, looked up.

use super::distances::NO_WAY;
use crate::grow::{Grow, filled, listed};
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

    pub fn is_sound(&self, fields: usize) -> bool {
        self.parts.iter().all(|&(field, _)| (field as usize) < fields)
    }

    fn entry(&self, held: &[u32]) -> u8 {
        let adds = self.parts.iter().map(|(field, adds)| {
            adds.get(held[*field as usize] as usize).copied().unwrap_or(0) // of no variable
        });
        self.entries[adds.sum::<u32>() as usize]
    }

    pub fn bytes(&self) -> usize {
        self.entries.len()
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

/// The sum over groups of the greatest in each; infinite where there is no way in one.
pub fn value(groups: &[Vec<Table>], held: &[u32]) -> Estimate {
    let mut whole = 0;
    for group in groups {
        let farthest = group.iter().map(|one| one.entry(held)).max().unwrap_or(0);
        if farthest == NO_WAY {
            return Estimate::Infinite;
        }
        whole += u64::from(farthest);
    }
    Estimate::Whole(whole)
}

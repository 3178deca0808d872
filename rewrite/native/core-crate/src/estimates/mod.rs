//! Estimates derived from the rules alone, for states in slots; `search/heuristics` defines them.

mod assignment;
pub mod distances;
mod fields;
pub(crate) mod lists;
mod lmcut;
mod pieces;
mod relaxed;
mod sums;
mod tables;
mod task;

pub use lmcut::LmCut;
pub use pieces::{Given, Pieces};
pub use relaxed::Relaxed;
pub use sums::Sums;
pub use tables::{Look, Probe, Set, Tables};
pub use task::{Operator, Task};

pub use crate::bits::Place;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::grow::GrowCopies;
use lmcut::Cuts;
use pieces::Moved;
use relaxed::Reached;

/// The goal's conditions on fields: (field, allowed values) for each.
pub type Needs = Vec<(u32, Vec<u32>)>;

#[derive(Debug)]
pub enum Kind {
    GoalCount(Vec<Needs>),
    Relaxed(Relaxed),
    LmCut(LmCut),
    Tables(Tables),
    Pieces(Pieces),
}

#[derive(Debug)]
pub struct Estimator {
    places: Vec<Place>,
    kind: Kind,
}

/// Buffers, reused from state to state.
#[derive(Debug, Default)]
pub struct Scratch {
    held: Vec<u32>,
    next: Vec<u64>,
    halves: Vec<u32>,
    reached: Reached,
    cuts: Cuts,
    probes: Vec<Probe>,
    moved: Moved,
}

impl Estimator {
    pub fn new(places: Vec<Place>, kind: Kind) -> Estimator {
        Estimator { places, kind }
    }

    pub fn value(&self, words: &[u64], scratch: &mut Scratch) -> Result<Estimate> {
        if let Kind::GoalCount(_) | Kind::Relaxed(_) | Kind::LmCut(_) = &self.kind {
            scratch.held.refill(self.places.iter().map(|one| one.held(words) as u32))?;
        }
        let held = &scratch.held;
        match &self.kind {
            Kind::GoalCount(goals) => Ok(goals
                .iter()
                .map(|needs| needs.iter().filter(|need| !meets(held, need)).count() as u64)
                .min()
                .map_or(Estimate::Infinite, Estimate::Whole)),
            Kind::Relaxed(relaxed) => relaxed.value(held, &mut scratch.reached),
            Kind::LmCut(lmcut) => lmcut.value(held, &mut scratch.cuts),
            Kind::Tables(tables) => tables.value(words, &mut scratch.probes),
            Kind::Pieces(pieces) => pieces.value(words, &mut scratch.moved),
        }
    }

    /// Passes the states to which the plan of the state that was valued last leads by one step, as
    /// halves of words.
    pub fn helpful(
        &self,
        words: &[u64],
        scratch: &mut Scratch,
        mut act: impl FnMut(&[u32]) -> Result<()>,
    ) -> Result<()> {
        let Kind::Relaxed(relaxed) = &self.kind else { return Ok(()) };
        for &transition in scratch.reached.helpful() {
            scratch.next.refill(words.iter().copied())?;
            for set in relaxed.sets(transition).chunks_exact(2) {
                self.places[set[0] as usize].put(&mut scratch.next, u64::from(set[1]));
            }
            let halves = scratch.next.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
            scratch.halves.refill(halves)?;
            act(&scratch.halves)?;
        }
        Ok(())
    }

    pub fn tables(&self) -> Option<&Tables> {
        match &self.kind {
            Kind::Tables(tables) => Some(tables),
            _ => None,
        }
    }

    pub fn bytes(&self) -> usize {
        match &self.kind {
            Kind::Tables(tables) => tables.bytes(),
            Kind::Pieces(pieces) => pieces.bytes(),
            _ => 0,
        }
    }
}

fn meets(held: &[u32], (field, values): &(u32, Vec<u32>)) -> bool {
    values.contains(&held[*field as usize])
}

#[cfg(test)]
mod tests {
    use super::{Estimator, Kind, Place, Scratch};
    use crate::estimate::Estimate;

    fn places() -> Vec<Place> {
        vec![Place::new(62, 2), Place::new(64, 64)]
    }

    #[test]
    fn of_alternative_goals_the_one_with_the_fewest_open_conditions_counts() {
        let goals = vec![vec![(0, vec![1, 2]), (1, vec![7])], vec![(0, vec![3])]];
        let one = Estimator::new(places(), Kind::GoalCount(goals));
        let mut scratch = Scratch::default();
        let mut value =
            |first: u64, second| one.value(&[first << 62, second], &mut scratch).unwrap();
        assert_eq!(value(2, 7), Estimate::Whole(0));
        assert_eq!(value(0, 0), Estimate::Whole(1));
        let none = Estimator::new(places(), Kind::GoalCount(Vec::new()));
        assert_eq!(none.value(&[0, 0], &mut scratch).unwrap(), Estimate::Infinite);
    }
}

//! What a heuristic returns for a state.

use crate::checkpoint::{Archive, Archived};
use crate::error::Result;

/// An estimate of the cost from a state to a goal.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Estimate {
    Whole(u64),
    /// A finite, non-integral value ≥ 0.
    Real(f64),
    /// No goal is reachable from here.
    #[default]
    Infinite,
}

impl Archived for Estimate {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        let mut bits = match *self {
            Estimate::Whole(whole) => (0, whole),
            Estimate::Real(real) => (1_u32, real.to_bits()),
            Estimate::Infinite => (2, 0),
        };
        bits.archive(archive)?;
        *self = match bits {
            (0, whole) => Estimate::Whole(whole),
            (1, real) => Estimate::Real(f64::from_bits(real)),
            _ => Estimate::Infinite,
        };
        Ok(())
    }
}

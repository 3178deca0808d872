//! What a heuristic says of a state.

use crate::checkpoint::{Done, Reader, Writer};

/// An estimate of the cost from a state to a goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Estimate {
    Whole(u64),
    /// A finite fraction ≥ 0 that is no whole number.
    Real(f64),
    /// No goal can be reached from here.
    Infinite,
}

impl Estimate {
    pub fn save(self, out: &mut Writer) -> Done<()> {
        let (kind, bits) = match self {
            Estimate::Whole(whole) => (0, whole),
            Estimate::Real(real) => (1, real.to_bits()),
            Estimate::Infinite => (2, 0),
        };
        out.word(kind)?;
        out.long(bits)
    }

    pub fn load(from: &mut Reader) -> Done<Estimate> {
        Ok(match (from.word()?, from.long()?) {
            (0, whole) => Estimate::Whole(whole),
            (1, real) => Estimate::Real(f64::from_bits(real)),
            (2, _) => Estimate::Infinite,
            (other, _) => return Err(from.damaged(format!("no estimate of kind {other}"))),
        })
    }
}

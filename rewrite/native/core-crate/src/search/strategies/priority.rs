//! Keys of best-first search.

use super::queue::First;
use crate::checkpoint::archived;
use crate::error::Error;
use crate::search::question::Amount;
use crate::search::space::Estimate;

/// A number ≥ 0: a whole part and the bits of a fraction below 1 (the bits of non-negative doubles
/// sort like the doubles). Exact, like `int + Fraction` in Python.
///
/// Or a double as its bits in `whole`; the two never meet in one queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Number {
    pub whole: u64,
    pub part: u64,
}

archived!(Number: whole, part);

impl Number {
    /// None for infinity.
    #[inline]
    pub fn of(estimate: Estimate) -> Option<Number> {
        match estimate {
            Estimate::Whole(whole) => Some(Number { whole, part: 0 }),
            Estimate::Real(real) => {
                let whole = real.floor(); // exact: a double beyond 2^53 is a whole number
                Some(Number { whole: whole as u64, part: (real - whole).to_bits() })
            }
            Estimate::Infinite => None,
        }
    }
}

/// Whether an estimate falls by more than the cost of the step. Exact.
pub fn falls(before: Estimate, step: u64, after: Estimate) -> bool {
    match (Number::of(before), Number::of(after)) {
        (Some(before), Some(after)) => {
            let whole = u128::from(after.whole) + u128::from(step);
            (u128::from(before.whole), before.part) > (whole, after.part)
        }
        _ => false, // infinite: nothing beyond is expanded
    }
}

/// Smaller comes first; ties are broken by order of discovery: see `Priority::first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Key {
    pub major: Number,
    pub minor: Number,
}

archived!(Key: major, minor);

/// What distinguishes the cost-based strategies.
#[derive(Clone, Copy, Debug, Default)]
pub enum Priority {
    #[default]
    Cost,
    Estimate,
    /// Cost plus weighted estimate; ties prefer the lower estimate, then the latest discovery: so the
    /// last layer of A* is searched depth-first.
    Sum(Amount),
}

impl Priority {
    /// Which of the states with equal keys comes first.
    pub fn first(self) -> First {
        match self {
            Priority::Cost | Priority::Estimate => First::Oldest,
            Priority::Sum(_) => First::Newest,
        }
    }

    /// The key of a state; None where the estimate is infinite.
    #[inline]
    pub fn key(self, cost: u64, estimate: Estimate) -> Result<Option<Key>, TooDear> {
        let Some(minor) = Number::of(estimate) else {
            return Ok(None);
        };
        Ok(Some(match self {
            Priority::Cost => Key { major: Number { whole: cost, part: 0 }, ..Key::default() },
            Priority::Estimate => Key { major: minor, ..Key::default() },
            Priority::Sum(weight) => Key { major: sum(cost, weight, estimate, minor)?, minor },
        }))
    }
}

#[inline]
fn sum(cost: u64, weight: Amount, estimate: Estimate, exact: Number) -> Result<Number, TooDear> {
    let factor = match weight {
        Amount::Real(factor) => {
            let value = match estimate {
                Estimate::Whole(whole) => whole as f64,
                Estimate::Real(real) => real,
                Estimate::Infinite => f64::INFINITY,
            };
            return Ok(Number { whole: (cost as f64 + factor * value).to_bits(), part: 0 });
        }
        Amount::Whole(factor) => factor,
    };
    let (mut carried, mut part) = (0, exact.part);
    if factor != 1 && part != 0 {
        let scaled = f64::from_bits(part) * factor as f64; // rounded
        carried = scaled.floor() as u64;
        part = (scaled - scaled.floor()).to_bits();
    }
    let whole = exact.whole.checked_mul(factor).and_then(|more| more.checked_add(carried));
    let whole = whole.and_then(|more| more.checked_add(cost)).ok_or(TooDear)?;
    Ok(Number { whole, part })
}

/// Costs that do not fit a machine word.
#[derive(Debug)]
pub struct TooDear;

impl From<TooDear> for Error {
    fn from(_: TooDear) -> Error {
        Error::Unsupported("costs beyond 64 bits".into())
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Priority};
    use crate::search::question::Amount;
    use crate::search::space::Estimate::{Infinite, Real, Whole};

    fn key(weight: Amount, cost: u64, estimate: crate::search::space::Estimate) -> Key {
        Priority::Sum(weight).key(cost, estimate).unwrap().unwrap()
    }

    #[test]
    fn a_sum_with_a_fraction_is_exact_where_doubles_would_be_equal() {
        let (one, large) = (Amount::Whole(1), 1 << 60);
        assert!(key(one, large, Real(0.25)) < key(one, large, Real(0.5)));
        assert!(key(one, large, Real(0.5)) < key(one, large + 1, Whole(0)));
        assert!(
            key(one, 2, Real(0.5)) < key(one, 1, Real(1.5)),
            "equal sums: the nearer one first"
        );
    }

    #[test]
    fn a_fraction_is_weighted_too() {
        let major = key(Amount::Whole(3), 4, Real(2.75)).major;
        assert_eq!((major.whole, f64::from_bits(major.part)), (4 + 8, 0.25));
    }

    #[test]
    fn what_does_not_fit_asks_for_the_other_engine() {
        let weight = |w| Priority::Sum(Amount::Whole(w));
        assert!(weight(1).key(u64::MAX, Whole(1)).is_err());
        assert!(weight(3).key(0, Whole(u64::MAX / 2)).is_err());
        assert!(weight(2).key(0, Infinite).unwrap().is_none());
    }
}

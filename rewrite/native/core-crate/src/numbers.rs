//! Integer arithmetic: in registers while it fits, else with big integers.
//!
//! The semantics are Python's: division rounds down, the remainder has the sign of the divisor, and
//! if there is no value the rule does not apply.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::error::{Error, Result};
use crate::grow::{Grow, probe};
use crate::interner::Interner;
use crate::value::Val;

/// The same limit as in the Python engine: 1.25 MB, computed in a fraction of a second.
const LARGEST_POWER_BITS: u64 = 10_000_000;

/// Any int as a big integer.
fn big(terms: &Interner, value: Val) -> Result<BigInt> {
    terms.big(value)?.ok_or_else(|| no_int(terms, value))
}

/// Big integers allocate memory that cannot fail. So this first checks for the memory that a result
/// of so many bits may need, intermediates included (Karatsuba and Toom-Cook products have several).
fn room_for(bits: u64) -> Result<()> {
    probe(usize::try_from(bits.saturating_add(1 << 10)).unwrap_or(usize::MAX >> 1))
}

#[cold]
fn no_int(terms: &Interner, value: Val) -> Error {
    let found = if value.is_tmp() { "a tuple".into() } else { terms.kind(value).to_string() };
    Error::failed(format!("a whole number was needed, found {found}"))
}

#[cold]
fn with_big(
    terms: &Interner,
    a: Val,
    b: Val,
    work: impl FnOnce(&BigInt, &BigInt) -> Result<BigInt>,
) -> Result<Val> {
    let (a, b) = (big(terms, a)?, big(terms, b)?);
    room_for(a.bits().saturating_add(b.bits()))?;
    terms.int(&work(&a, &b)?)
}

#[inline]
pub fn add(terms: &Interner, a: Val, b: Val) -> Result<Val> {
    match Val::as_smalls(a, b) {
        Some((a, b)) => terms.whole(i128::from(a + b)),
        None => with_big(terms, a, b, |a, b| Ok(a + b)),
    }
}

#[inline]
pub fn sub(terms: &Interner, a: Val, b: Val) -> Result<Val> {
    match Val::as_smalls(a, b) {
        Some((a, b)) => terms.whole(i128::from(a - b)),
        None => with_big(terms, a, b, |a, b| Ok(a - b)),
    }
}

#[inline]
pub fn mul(terms: &Interner, a: Val, b: Val) -> Result<Val> {
    match Val::as_smalls(a, b) {
        Some((a, b)) => terms.whole(i128::from(a) * i128::from(b)),
        None => with_big(terms, a, b, |a, b| Ok(a * b)),
    }
}

#[inline]
pub fn floor_div(terms: &Interner, a: Val, b: Val) -> Result<Val> {
    match Val::as_smalls(a, b) {
        Some((_, 0)) => Err(Error::NoValue),
        // Small ints have 62 bits: even the least divided by -1 fits in 64.
        Some((a, b)) => terms.whole(i128::from(Integer::div_floor(&a, &b))),
        None => with_big(terms, a, b, |a, b| divisor(b).map(|b| a.div_floor(b))),
    }
}

/// The remainder of that division; it has the sign of the divisor.
#[inline]
pub fn modulo(terms: &Interner, a: Val, b: Val) -> Result<Val> {
    match Val::as_smalls(a, b) {
        Some((_, 0)) => Err(Error::NoValue),
        Some((a, b)) => Ok(Val::from_small(Integer::mod_floor(&a, &b))),
        None => with_big(terms, a, b, |a, b| divisor(b).map(|b| a.mod_floor(b))),
    }
}

fn divisor(b: &BigInt) -> Result<&BigInt> {
    if b.is_zero() { Err(Error::NoValue) } else { Ok(b) }
}

#[inline]
pub fn neg(terms: &Interner, a: Val) -> Result<Val> {
    match a.as_small() {
        Some(a) => terms.whole(-i128::from(a)),
        None => terms.int(&-big(terms, a)?), // in place
    }
}

#[inline]
pub fn abs(terms: &Interner, a: Val) -> Result<Val> {
    match a.as_small() {
        Some(a) => terms.whole(i128::from(a).abs()),
        None => {
            let a = big(terms, a)?;
            room_for(a.bits())?;
            terms.int(&a.abs())
        }
    }
}

/// The power; no value for a negative exponent, an error for a result that is too large.
#[inline]
pub fn power(terms: &Interner, a: Val, b: Val) -> Result<Val> {
    match Val::as_smalls(a, b) {
        Some((a, 2)) => terms.whole(i128::from(a) * i128::from(a)),
        Some((a, b)) => power_small(terms, a, b),
        None => with_big(terms, a, b, power_big),
    }
}

fn power_small(terms: &Interner, a: i64, b: i64) -> Result<Val> {
    match u32::try_from(b).ok().and_then(|b| a.checked_pow(b)) {
        Some(value) => terms.whole(i128::from(value)),
        None => {
            probe(1 << 10)?;
            terms.int(&power_big(&BigInt::from(a), &BigInt::from(b))?)
        }
    }
}

fn power_big(a: &BigInt, b: &BigInt) -> Result<BigInt> {
    if b.is_negative() {
        return Err(Error::NoValue);
    }
    if a.magnitude().bits() <= 1 {
        // 0, 1 or -1, to any power
        let odd = b.is_odd();
        return Ok(if b.is_zero() || a.is_negative() && !odd { BigInt::one() } else { a.clone() });
    }
    let fits = |b: &u32| a.bits().saturating_mul(u64::from(*b)) <= LARGEST_POWER_BITS;
    match b.to_u32().filter(fits) {
        Some(b) => {
            room_for(a.bits().saturating_mul(u64::from(b)))?;
            Ok(a.pow(b))
        }
        None => Err(Error::failed("a power is too large")),
    }
}

/// Appends the decimal digits, highest first; a negative int has no value.
pub fn digits(terms: &Interner, n: Val, out: &mut Vec<Val>) -> Result<()> {
    match n.as_small() {
        Some(n) if n < 0 => Err(Error::NoValue),
        Some(mut n) => {
            let start = out.len();
            while n >= 10 {
                out.grow_push(Val::from_small(n % 10))?;
                n /= 10;
            }
            out.grow_push(Val::from_small(n))?;
            out[start..].reverse();
            Ok(())
        }
        None => {
            let n = big(terms, n)?;
            if n.is_negative() {
                return Err(Error::NoValue);
            }
            room_for(n.bits())?;
            let (_, digits) = n.to_radix_be(10);
            out.grow_extend(digits.into_iter().map(|digit| Val::from_small(i64::from(digit))))
        }
    }
}

/// The int with these decimal digits; no value if there are none or one is not a digit.
pub fn number(terms: &Interner, digits: &[Val]) -> Result<Val> {
    /// This many digits always fit a small int.
    const SHORT: usize = 18;
    let digit = |value: &Val| match value.as_small() {
        Some(digit @ 0..=9) => Ok(digit),
        _ => Err(Error::NoValue),
    };
    if digits.is_empty() {
        return Err(Error::NoValue);
    }
    if digits.len() <= SHORT {
        let mut result = 0;
        for value in digits {
            result = result * 10 + digit(value)?;
        }
        return Ok(Val::from_small(result));
    }
    let mut bytes = Vec::new();
    bytes.grow_by(digits.len())?;
    for value in digits {
        bytes.grow_push(digit(value)? as u8)?;
    }
    room_for(4 * bytes.len() as u64)?;
    let result = BigInt::from_radix_be(Sign::Plus, &bytes, 10).expect("only digits");
    terms.int(&result)
}

#[cfg(test)]
mod tests;

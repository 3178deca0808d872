//! What short forms work out.

use crate::program::Op;
use crate::value::Val;

/// The first place from `next` on where a run of equal items begins.
#[inline]
pub fn run_from(items: &[Val], next: usize) -> Option<usize> {
    (next..items.len()).find(|&at| at == 0 || items[at - 1] != items[at])
}

/// The first place from `next` up to, without, `last` behind which, so far on, a small int stands.
/// Where a place to look at is beyond the end, it is `next`, for the instructions to say.
#[inline]
pub fn place_before(items: &[Val], next: i64, last: i64, behind: i64, wanted: Val) -> Option<i64> {
    let len = items.len() as i64;
    if next < 0 || behind < 0 || behind > len || last > len - behind {
        return Some(next);
    }
    let looked_at = &items[(next + behind) as usize..(last + behind) as usize];
    let at = looked_at.iter().position(|&item| item == wanted);
    at.map(|at| next + at as i64)
}

/// The result of an operation and its rest, where both are small ints that need no care.
#[inline]
pub fn with_rest(op: Op, a: i64, b: i64, by: i64) -> Option<(Val, Val)> {
    let value = match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a.checked_mul(b)?,
        Op::FloorDiv if a >= 0 && b > 0 => a / b,
        _ => return None,
    };
    if value < 0 || by <= 0 {
        return None;
    }
    Some((Val::small(value)?, Val::from_small(value % by)))
}

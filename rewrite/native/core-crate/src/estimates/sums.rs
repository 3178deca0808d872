//! Estimates that are sums of one number per field: `total(…)` over single terms.
//!
//! The compiler recognises such expressions; here the numbers are learnt from the expression, each
//! when a state first needs it: its value at the start with one field changed shows what the new
//! field value adds. From then on an estimate is one look-up per field, and after a step one per
//! changed field.

use super::Place;
use super::fields::Fields;
use crate::error::Result;
use crate::grow::{Grow, GrowCopies, copied};

/// Wider fields get no table.
const MOST_BITS: u32 = 12;
/// Larger numbers are left to the expression itself, so that no sum overflows.
const MOST: i64 = 1 << 40;
const UNKNOWN: i64 = i64::MIN;

#[derive(Debug)]
pub struct Sums {
    fields: Fields,
    /// Where each field's numbers begin in `added`.
    begins: Vec<u32>,
    added: Vec<i64>,
    /// The state from which numbers are learnt, and the expression's value there.
    first: Vec<u64>,
    worth: i64,
}

impl Sums {
    /// None if a field is too wide or the first state's value too large.
    pub fn new(fields: &[Place], first: &[u64], worth: i64) -> Result<Option<Sums>> {
        if fields.iter().any(|one| one.bits() > MOST_BITS) || worth.abs() > MOST {
            return Ok(None);
        }
        let fields = Fields::new(fields, first.len())?;
        let (mut begins, mut added) = (Vec::new(), Vec::new());
        for one in fields.places() {
            let begin = added.len();
            begins.grow_push(begin as u32)?;
            added.grow_resize(begin + (1 << one.bits()), UNKNOWN)?;
            added[begin + one.held(first) as usize] = 0;
        }
        Ok(Some(Sums { fields, begins, added, first: copied(first)?, worth }))
    }

    /// The expression's value in a state; None if it does not fit a table.
    ///
    /// `near`: the value in another state; `ask` evaluates the expression for missing numbers.
    #[inline]
    pub fn value(
        &mut self,
        near: Option<(i64, &[u64])>,
        words: &[u64],
        mut ask: impl FnMut(&[u64]) -> Result<Option<i64>>,
    ) -> Result<Option<i64>> {
        loop {
            let (field, held) = match self.sum(near.unwrap_or((self.worth, &self.first)), words) {
                Ok(sum) => return Ok(Some(sum)),
                Err(missing) => missing,
            };
            let mut other = copied(&self.first)?;
            self.fields.places()[field].put(&mut other, held);
            let Some(worth) = ask(&other)?.filter(|worth| worth.abs() <= MOST) else {
                return Ok(None);
            };
            self.added[self.begins[field] as usize + held as usize] = worth - self.worth;
        }
    }

    /// The value in a state if no number is missing.
    #[inline]
    pub fn known(&self, near: (i64, &[u64]), words: &[u64]) -> Option<i64> {
        self.sum(near, words).ok()
    }

    /// Fails with a field and its value if its contribution is unknown.
    #[inline]
    fn sum(&self, (worth, old): (i64, &[u64]), new: &[u64]) -> Result<i64, (usize, u64)> {
        let mut sum = worth;
        self.fields.changes(old, new, |field, before, after| {
            let begin = self.begins[field] as usize;
            let [less, more] = [before, after].map(|held| self.added[begin + held as usize]);
            if more == UNKNOWN || less == UNKNOWN {
                return Err((field, if more == UNKNOWN { after } else { before }));
            }
            sum += more - less;
            Ok(())
        })?;
        Ok(sum)
    }

    pub fn bytes(&self) -> usize {
        8 * (self.added.capacity() + self.first.capacity())
            + 4 * self.begins.capacity()
            + self.fields.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Sums};

    /// Two fields with an unused bit between them; 10 times the first plus the second squared.
    fn worth(words: &[u64]) -> i64 {
        let (a, b) = (words[0] & 7, words[1] >> 60);
        10 * a as i64 - (b * b) as i64
    }

    fn sums(first: &[u64]) -> Sums {
        let fields = [Place::new(0, 3), Place::new(124, 4)];
        Sums::new(&fields, first, worth(first)).unwrap().unwrap()
    }

    #[test]
    fn what_changed_is_learnt_once_and_looked_up_then() {
        let mut sums = sums(&[5, 3 << 60]);
        let (old, new) = ([2, 7 << 60], [9, 15 << 60]);
        assert_eq!(sums.known((worth(&old), &old), &new), None);
        let mut asked = 0;
        for state in [&old, &new, &old] {
            let ask = |words: &[u64]| {
                asked += 1;
                Ok(Some(worth(words)))
            };
            assert_eq!(sums.value(None, state, ask).unwrap(), Some(worth(state)));
        }
        assert_eq!(asked, 4);
        assert_eq!(sums.known((worth(&old), &old), &new), Some(worth(&new)));
    }

    #[test]
    fn what_is_no_number_for_a_table_is_not_learnt() {
        let mut sums = sums(&[0, 0]);
        for no_number in [None, Some(1 << 50)] {
            let ask = |words: &[u64]| {
                assert_eq!(words, [1, 0]);
                Ok(no_number)
            };
            assert_eq!(sums.value(None, &[1, 0], ask).unwrap(), None);
        }
        let wide = [Place::new(0, 40)];
        assert!(Sums::new(&wide, &[0], 0).unwrap().is_none());
        assert!(Sums::new(&[], &[0], 1 << 50).unwrap().is_none());
    }
}

//! Estimates that are sums, one number for what each field holds: `total(…)` over single terms.
//!
//! That an expression is such a sum is found out where it is compiled; here the numbers are learnt
//! from it, each when a state needs it for the first time: what the expression is worth where one
//! field of the start holds another value tells what that value adds. From then on an estimate is a
//! look-up for each field, and after a step one for each field that changed.

use super::Place;
use super::fields::Fields;
use crate::error::Result;
use crate::grow::{Grow, GrowCopies, copied};

/// Wider fields are not for tables.
const MOST_BITS: u8 = 12;
/// Numbers beyond are left to the expression itself, so that no sum overflows.
const MOST: i64 = 1 << 40;
const UNKNOWN: i64 = i64::MIN;

#[derive(Debug)]
pub struct Sums {
    fields: Fields,
    /// Where the numbers of each field begin in `added`.
    begins: Vec<u32>,
    added: Vec<i64>,
    /// The state from which numbers are learnt, and what the expression is worth there.
    first: Vec<u64>,
    worth: i64,
}

/// What a sum needs to know first: what the expression is worth in this state. Then `learn` it.
#[derive(Debug, PartialEq, Eq)]
pub struct Wanted {
    pub words: Vec<u64>,
    place: usize,
}

/// A sum, or what is wanted for it.
pub type Sum = Result<i64, Wanted>;

impl Sums {
    /// None where fields are too wide, or the first state is worth too much.
    pub fn new(fields: &[Place], first: &[u64], worth: i64) -> Result<Option<Sums>> {
        if fields.iter().any(|one| one.bits > MOST_BITS) || worth.abs() > MOST {
            return Ok(None);
        }
        let fields = Fields::new(fields, first.len())?;
        let (mut begins, mut added) = (Vec::new(), Vec::new());
        for one in fields.places() {
            let begin = added.len();
            begins.grow_push(begin as u32)?;
            added.grow_resize(begin + (1 << one.bits), UNKNOWN)?;
            added[begin + one.held(first) as usize] = 0;
        }
        Ok(Some(Sums { fields, begins, added, first: copied(first)?, worth }))
    }

    /// What the expression is worth in a state.
    pub fn value(&self, words: &[u64]) -> Result<Sum> {
        self.after(self.worth, &self.first, words)
    }

    /// What the expression is worth in a state, from what it is worth in another.
    #[inline]
    pub fn after(&self, before: i64, old: &[u64], new: &[u64]) -> Result<Sum> {
        let mut sum = before;
        let done = self.fields.changes(old, new, |field, before, after| {
            let begin = self.begins[field] as usize;
            let (from, to) = (begin + before as usize, begin + after as usize);
            let (less, more) = (self.added[from], self.added[to]);
            if more == UNKNOWN || less == UNKNOWN {
                let (place, words) = if more == UNKNOWN { (to, new) } else { (from, old) };
                return Err(self.wanted(field, place, words));
            }
            sum += more - less;
            Ok(())
        });
        match done {
            Ok(()) => Ok(Ok(sum)),
            Err(wanted) => wanted.map(Err),
        }
    }

    #[cold]
    fn wanted(&self, field: usize, place: usize, from: &[u64]) -> Result<Wanted> {
        let (field, mut words) = (&self.fields.places()[field], copied(&self.first)?);
        let mask = field.mask() << field.shift;
        let word = &mut words[field.word as usize];
        *word = *word & !mask | from[field.word as usize] & mask;
        Ok(Wanted { words, place })
    }

    /// Notes what was wanted; false where that is no number for a table.
    pub fn learn(&mut self, wanted: &Wanted, worth: Option<i64>) -> bool {
        match worth.filter(|worth| worth.abs() <= MOST) {
            Some(worth) => {
                self.added[wanted.place] = worth - self.worth;
                true
            }
            None => false,
        }
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

    /// Two fields and a bit between them that is in none; 10 times the first, the second squared.
    fn worth(words: &[u64]) -> i64 {
        let (a, b) = (words[0] & 7, words[1] >> 60);
        10 * a as i64 - (b * b) as i64
    }

    fn sums(first: &[u64]) -> Sums {
        let fields = [Place { word: 0, shift: 0, bits: 3 }, Place { word: 1, shift: 60, bits: 4 }];
        Sums::new(&fields, first, worth(first)).unwrap().unwrap()
    }

    #[test]
    fn what_changed_is_learnt_once_and_looked_up_then() {
        let mut sums = sums(&[5, 3 << 60]);
        let (old, new) = ([2, 7 << 60], [9, 15 << 60]);
        let mut asked = 0;
        for state in [&old, &new, &old] {
            loop {
                match sums.value(state).unwrap() {
                    Ok(found) => break assert_eq!(found, worth(state)),
                    Err(wanted) => {
                        asked += 1;
                        assert!(sums.learn(&wanted, Some(worth(&wanted.words))));
                    }
                }
            }
        }
        assert_eq!(asked, 4);
        assert_eq!(sums.after(worth(&old), &old, &new).unwrap(), Ok(worth(&new)));
    }

    #[test]
    fn what_is_no_number_for_a_table_is_not_learnt() {
        let mut sums = sums(&[0, 0]);
        let wanted = sums.value(&[1, 0]).unwrap().unwrap_err();
        assert_eq!(wanted.words, [1, 0]);
        assert!(!sums.learn(&wanted, None) && !sums.learn(&wanted, Some(1 << 50)));
        assert!(sums.learn(&wanted, Some(4)));
        let wide = [Place { word: 0, shift: 0, bits: 40 }];
        assert!(Sums::new(&wide, &[0], 0).unwrap().is_none());
        assert!(Sums::new(&[], &[0], 1 << 50).unwrap().is_none());
    }
}

//! A heuristic that is a sum over fields, as far as it was learnt; see `estimates/sums.rs`.

use crate::error::{Error, Result};
use crate::estimates::Sums;
use crate::vm::machine::Machine;
use crate::vm::worker::{NONE, Worker};

#[derive(Default)]
pub struct Adding {
    sums: Option<Sums>,
    begun: bool,
}

impl Adding {
    /// What the heuristic is worth in a state; None where it must be asked itself.
    ///
    /// `first`: the start. `old`: a state near this one, and what it is worth there.
    #[inline]
    pub fn value(
        &mut self,
        m: &Machine,
        w: &mut Worker,
        first: &[u64],
        old: Option<(i64, &[u64])>,
        new: &[u64],
    ) -> Result<Option<i64>> {
        if !self.begun {
            self.begin(m, w, first)?;
        }
        while let Some(sums) = &mut self.sums {
            let sum = match old {
                Some((worth, old)) => sums.after(worth, old, new)?,
                None => sums.value(new)?,
            };
            let wanted = match sum {
                Ok(sum) => return Ok(Some(sum)),
                Err(wanted) => wanted,
            };
            let worth = worth(m, w, &wanted.words)?;
            if !sums.learn(&wanted, worth) {
                self.sums = None;
            }
        }
        Ok(None)
    }

    /// The same from a state near this one, where no number is missing for it.
    #[inline]
    pub fn known(&self, (worth, old): (i64, &[u64]), new: &[u64]) -> Option<i64> {
        self.sums.as_ref()?.after(worth, old, new).ok()?.ok()
    }

    #[cold]
    fn begin(&mut self, m: &Machine, w: &mut Worker, first: &[u64]) -> Result<()> {
        if let Some(fields) = &m.program.sum
            && let Some(worth) = worth(m, w, first)?
        {
            self.sums = Sums::new(fields, first, worth)?;
        }
        self.begun = true;
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        self.sums.as_ref().map_or(0, Sums::bytes)
    }
}

/// What the heuristic gives for a state; None where that is no whole number, or it fails: whoever
/// asks it for a state that there is will say so.
#[cold]
fn worth(m: &Machine, w: &mut Worker, words: &[u64]) -> Result<Option<i64>> {
    let Some(function) = m.program.heuristic else { return Ok(None) };
    match w.call_on_words(m, function, words) {
        Ok(NONE) => Ok(None),
        Ok(value) => Ok(value.as_small()),
        Err(Error::NoValue | Error::Failed { .. } | Error::Unsupported(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

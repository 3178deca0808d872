//! Normal forms of states in slots under `simplify`.

use super::Step;
use crate::error::{Error, Result};
use crate::program::MOST_ROUNDS;
use crate::vm::machine::Machine;
use crate::vm::worker::Worker;

/// An indirect call: the loop that runs kernels is compiled once for all that are run here.
type Act<'a, const N: usize> = &'a mut dyn FnMut(Step, &[u64; N]) -> Result<()>;

/// Brings a state to its normal form: applies the first rule that applies, until none does. Of several
/// results it goes on with the least.
pub(super) fn simplify<const N: usize>(
    w: &mut Worker,
    m: &Machine,
    x: &mut [u64; N],
) -> Result<()> {
    for _ in 0..MOST_ROUNDS {
        w.turn(m)?;
        let mut least: Option<[u64; N]> = None;
        for kernel in m.program.simplify.iter().filter_map(|&rule| m.kernel(rule)) {
            let mut act: Act<'_, N> = &mut |_, made| {
                if least.as_ref().is_none_or(|known| m.program.ranks.less(made, known)) {
                    least = Some(*made);
                }
                Ok(())
            };
            kernel.run(w, m, x, &mut act)?;
            if least.is_some() {
                break;
            }
        }
        match least {
            Some(next) => *x = next,
            None => return Ok(()),
        }
    }
    Err(Error::failed("simplify does not end"))
}

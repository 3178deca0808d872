//! How deep calls go.

use super::{Called, Calls, Refused, Verifier};

/// Calls inside calls, at most: each takes about 1 KiB of the stack of a thread, which has 2 MiB.
const MOST_CALLS: usize = 256;

impl Verifier<'_> {
    /// Checks that no call comes back to its function, how deep calls go, and how many states stand
    /// one behind the other.
    pub(super) fn depths(&self, calls: &[Calls]) -> Result<(), Refused> {
        // of each function, once known: calls inside each other, and states
        let mut known: Vec<Option<(usize, usize)>> = vec![None; calls.len()];
        let mut open = vec![false; calls.len()];
        for first in 0..calls.len() {
            let mut stack = vec![first];
            while let Some(&at) = stack.last() {
                if known[at].is_some() {
                    stack.pop();
                    continue;
                }
                open[at] = true;
                let (mut depth, mut states, mut waits) = (1, calls[at].states, false);
                for &Called { function, next, .. } in &calls[at].all {
                    let called = usize::from(function);
                    match known.get(called).copied().flatten() {
                        Some((below, needed)) => {
                            (depth, states) = (depth.max(1 + below), states.max(next + needed));
                        }
                        None if open.get(called) == Some(&true) => {
                            let name = &self.p.functions[called].name;
                            return Err(format!("function {name} calls itself").into());
                        }
                        None if called >= calls.len() => {
                            return Err(format!("there is no function {called}").into());
                        }
                        None => {
                            stack.push(called);
                            waits = true;
                            break;
                        }
                    }
                }
                if waits {
                    continue;
                }
                if depth > MOST_CALLS {
                    return Err(Refused::TooLarge(format!("conditions {depth} deep")));
                }
                if states > 3 {
                    return Err("successors of successors of successors".to_string().into());
                }
                (known[at], open[at]) = (Some((depth, states)), false);
                stack.pop();
            }
        }
        Ok(())
    }
}

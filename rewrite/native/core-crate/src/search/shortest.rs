//! The states on shortest paths, found backwards over the levels of a breadth-first search.

use std::time::Instant;

use super::context::BETWEEN_PULSES;
use crate::error::{Error, Result};
use crate::grow::{Grow, GrowCopies, copied, filled};
use crate::search::space::{Id, Space};

const USELESS: u32 = u32::MAX;
/// States expanded between two looks at the clock.
const BETWEEN_LOOKS: usize = 1024;

/// The states of one level that lie on shortest paths, in order of discovery.
#[derive(Default)]
pub struct Layer {
    pub states: Vec<Id>,
    /// For each of them, the places in the next layer to which a step leads, ascending: one state
    /// after the other, …
    pub steps: Vec<u32>,
    /// … and where those of each end.
    pub ends: Vec<u32>,
}

/// The layers from the start to the goals, which lie on one level, ascending.
///
/// `levels`: the sizes of all levels up to that of the goals; states are numbered level by level.
/// Expands every state before the goals' level once more; `stop` is asked at most every 50 ms.
pub fn layers(
    space: &mut dyn Space,
    levels: &[u64],
    goals: &[Id],
    stop: &mut dyn FnMut() -> Result<bool>,
) -> Result<Vec<Layer>> {
    let mut begins = copied(&[0 as Id])?;
    for &size in levels {
        begins.grow_push(begins[begins.len() - 1] + size as Id)?;
    }
    let mut last = Instant::now();
    let mut after =
        Layer { states: copied(goals)?, steps: Vec::new(), ends: filled(goals.len(), 0)? };
    let mut found = Vec::new();
    let (mut made, mut steps) = (Vec::new(), Vec::new());
    for depth in (0..levels.len() - 1).rev() {
        let (begin, end, beyond) = (begins[depth], begins[depth + 1], begins[depth + 2]);
        let mut places = filled((beyond - end) as usize, USELESS)?;
        for (place, &id) in after.states.iter().enumerate() {
            places[(id - end) as usize] = place as u32;
        }
        let mut layer = Layer::default();
        for id in begin..end {
            if (id as usize).is_multiple_of(BETWEEN_LOOKS) && last.elapsed() >= BETWEEN_PULSES {
                last = Instant::now();
                if stop()? {
                    return Err(Error::Interrupted);
                }
            }
            made.clear();
            space.peek(id, &mut made)?;
            let next = made.iter().flatten().filter(|&&to| end <= to && to < beyond);
            let next = next.map(|to| places[(to - end) as usize]).filter(|&at| at != USELESS);
            steps.clear();
            steps.grow_extend(next)?;
            if !steps.is_empty() {
                steps.sort_unstable();
                steps.dedup();
                layer.states.grow_push(id)?;
                layer.steps.grow_slice(&steps)?;
                layer.ends.grow_push(layer.steps.len() as u32)?;
            }
        }
        found.grow_push(std::mem::replace(&mut after, layer))?;
    }
    found.grow_push(after)?;
    found.reverse();
    Ok(found)
}

//! What lies on shortest ways: found backwards over the levels of a breadth-first search.

use std::time::Instant;

use super::context::BETWEEN_PULSES;
use crate::error::{Error, Result};
use crate::grow::{Grow, GrowCopies, copied, filled};
use crate::search::space::{Id, Space};

const USELESS: u32 = u32::MAX;
/// States that are expanded between two looks at the clock.
const BETWEEN_LOOKS: usize = 1024;

/// The states of one level that lie on shortest ways, in order of discovery.
#[derive(Debug, Default, PartialEq)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::space::{Batch, Direction};
    use crate::search::toy::{Graph, Toy};

    /// 0 → 1, 2; 1 → 3, 4; 2 → 4, 4, 0; 3 → 5; 4 → 6.
    fn toy() -> Toy {
        let edges: [&[usize]; 7] = [&[1, 2], &[3, 4], &[4, 4, 0], &[5], &[6], &[], &[]];
        let costly = |out: &&[usize]| out.iter().map(|&to| (1, to)).collect();
        let mut toy =
            Toy::new(Graph { edges: edges.iter().map(costly).collect(), ..Graph::default() });
        for (from, to) in [(0, 1), (1, 3), (3, 5)] {
            let direction = Direction::Forward;
            toy.grow(&Batch { direction, from, to, ahead: to, watch: 0..0 }).unwrap();
        }
        toy
    }

    #[test]
    fn only_what_leads_to_the_goals_is_kept_and_every_step_once() {
        let found = layers(&mut toy(), &[1, 2, 2, 2], &[6], &mut || Ok(false)).unwrap();
        let states: Vec<_> = found.iter().map(|layer| layer.states.clone()).collect();
        assert_eq!(states, [vec![0], vec![1, 2], vec![4], vec![6]]);
        let steps: Vec<_> =
            found.iter().map(|layer| (layer.steps.clone(), layer.ends.clone())).collect();
        let expected = [
            (vec![0, 1], vec![2]),
            (vec![0, 0], vec![1, 2]),
            (vec![0], vec![1]),
            (vec![], vec![0]),
        ];
        assert_eq!(steps, expected);
    }

    #[test]
    fn a_goal_at_the_start_is_a_layer_alone() {
        let found = layers(&mut toy(), &[1], &[0], &mut || Ok(false)).unwrap();
        assert_eq!(found, [Layer { states: vec![0], steps: vec![], ends: vec![0] }]);
    }
}

//! What lies on shortest ways: found backwards over the levels of a breadth-first search.

use std::time::Instant;

use super::BETWEEN_PULSES;
use crate::space::{Id, Space};
use crate::trouble::{Outcome, Trouble};

const USELESS: u32 = u32::MAX;
/// States that are expanded between two looks at the clock.
const BETWEEN_LOOKS: usize = 1024;

/// The states of one level that lie on shortest ways, in order of discovery.
#[derive(Debug, Default, PartialEq)]
pub struct Layer {
    pub states: Vec<Id>,
    /// For each of them, the places in the next layer to which a step leads, ascending.
    pub steps: Vec<Vec<u32>>,
}

/// The layers from the start to the goals, which lie on one level, ascending.
///
/// `levels`: the sizes of all levels up to that of the goals; states are numbered level by level.
/// Expands every state before the goals' level once more; `stop` is asked at most every 50 ms.
pub fn layers(
    space: &mut dyn Space,
    levels: &[u64],
    goals: &[Id],
    stop: &mut dyn FnMut() -> Outcome<bool>,
) -> Outcome<Vec<Layer>> {
    let mut begins = vec![0 as Id];
    begins.extend(levels.iter().scan(0, |end, &size| {
        *end += size as Id;
        Some(*end)
    }));
    let mut last = Instant::now();
    let mut after = Layer { states: goals.to_vec(), steps: vec![Vec::new(); goals.len()] };
    let mut found = Vec::with_capacity(levels.len());
    let mut made = Vec::new();
    for depth in (0..levels.len() - 1).rev() {
        let (begin, end, beyond) = (begins[depth], begins[depth + 1], begins[depth + 2]);
        let mut places = vec![USELESS; (beyond - end) as usize];
        for (place, &id) in after.states.iter().enumerate() {
            places[(id - end) as usize] = place as u32;
        }
        let mut layer = Layer::default();
        for id in begin..end {
            if (id as usize).is_multiple_of(BETWEEN_LOOKS) && last.elapsed() >= BETWEEN_PULSES {
                last = Instant::now();
                if stop()? {
                    return Err(Trouble::Interrupted);
                }
            }
            made.clear();
            space.peek(id, &mut made)?;
            let next = made.iter().flatten().filter(|&&to| end <= to && to < beyond);
            let mut steps: Vec<u32> =
                next.map(|to| places[(to - end) as usize]).filter(|&at| at != USELESS).collect();
            if !steps.is_empty() {
                steps.sort_unstable();
                steps.dedup();
                layer.states.push(id);
                layer.steps.push(steps);
            }
        }
        found.push(std::mem::replace(&mut after, layer));
    }
    found.push(after);
    found.reverse();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::toy::{Graph, Toy};
    use crate::space::{Batch, Direction};

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
        let steps: Vec<_> = found.iter().map(|layer| layer.steps.clone()).collect();
        let expected = [vec![vec![0, 1]], vec![vec![0], vec![0]], vec![vec![0]], vec![vec![]]];
        assert_eq!(steps, expected);
    }

    #[test]
    fn a_goal_at_the_start_is_a_layer_alone() {
        let found = layers(&mut toy(), &[1], &[0], &mut || Ok(false)).unwrap();
        assert_eq!(found, [Layer { states: vec![0], steps: vec![vec![]] }]);
    }
}

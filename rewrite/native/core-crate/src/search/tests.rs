//! The loop with every strategy, on graphs small enough to be searched by hand.

use super::limits::{Limits, Stop};
use super::question::{Amount, Kind, Question};
use super::record::Record;
use super::toy::{Graph, Toy};
use super::{Progress, Search};
use crate::error::Error;
use crate::random::Random;
use crate::search::space::Estimate;
use crate::search::space::Estimate::{Real, Whole};

const KINDS: [Kind; 6] = [
    Kind::BreadthFirst,
    Kind::UniformCost,
    Kind::Astar,
    Kind::Greedy,
    Kind::Beam,
    Kind::DepthFirst,
];

/// A graph with steps of cost 1, without goals.
fn graph(edges: &[&[usize]]) -> Graph {
    Graph {
        edges: edges.iter().map(|out| out.iter().map(|&to| (1, to)).collect()).collect(),
        goals: vec![false; edges.len()],
        estimates: vec![Whole(0); edges.len()],
    }
}

/// A square of four states with a way on: 0 → 1, 2 → 3 → 4 → 0.
fn square() -> Graph {
    graph(&[&[1, 2], &[3], &[3], &[4], &[0]])
}

fn with_goals(mut given: Graph, goals: &[usize]) -> Graph {
    for &node in goals {
        given.goals[node] = true;
    }
    given
}

fn quiet(_: &Progress) -> crate::error::Result<bool> {
    Ok(false)
}

fn advance(search: &mut Search, toy: &mut Toy, wanted: Option<usize>, limits: Limits) -> Stop {
    search.advance(toy, wanted, &limits, &mut quiet).unwrap()
}

fn no_limits() -> Limits {
    Limits::default()
}

fn trails(search: &Search, toy: &Toy) -> Vec<Vec<usize>> {
    let node = |&id: &u32| toy.nodes[id as usize];
    search.answers.found.iter().map(|answer| answer.trail.iter().map(node).collect()).collect()
}

#[test]
fn every_call_expands_something_where_there_is_time_for_one_state() {
    let wide: Vec<usize> = (1..40).collect();
    let edges: Vec<&[usize]> =
        (0..40).map(|node| if node == 0 { &wide[..] } else { &[] }).collect();
    for most in [1, 5] {
        let mut toy = Toy::new(graph(&edges));
        toy.most = most;
        let mut search = Search::new(Question::new(Kind::BreadthFirst)).unwrap();
        let (mut expanded, mut calls) = (0, 0);
        while advance(&mut search, &mut toy, None, no_limits()) != Stop::Exhausted {
            assert!(toy.counted.0 > expanded, "{expanded} after {calls} calls");
            (expanded, calls) = (toy.counted.0, calls + 1);
        }
        assert_eq!((toy.counted, search.record.expanded), ((40, 39), 40));
        // after a stop, batches of 1, 2, 4 … states
        assert_eq!(calls, if most == 1 { 38 } else { 5 });
    }
}

#[test]
fn a_large_tree_of_paths_is_pruned_to_what_leads_to_a_goal() {
    // 2^13 paths lead through a ladder of 13 rungs into a dead end, one to the goal beside it
    let mut edges: Vec<Vec<usize>> = vec![vec![1, 2, 29]];
    for rung in 0..13 {
        let next = 1 + 2 * (rung + 1);
        edges.extend([vec![next, next + 1], vec![next, next + 1]]);
    }
    edges.resize(29, Vec::new());
    edges.extend((30..46).map(|next| vec![next]));
    edges.push(Vec::new());
    let borrowed: Vec<&[usize]> = edges.iter().map(Vec::as_slice).collect();
    let mut toy = Toy::new(with_goals(graph(&borrowed), &[45]));
    let asked = Question { distinct_paths: true, ..Question::new(Kind::BreadthFirst) };
    let mut search = Search::new(asked).unwrap();
    assert_eq!(advance(&mut search, &mut toy, None, no_limits()), Stop::Exhausted);
    assert_eq!(search.answers.found.len(), 1);
    assert_eq!(search.answers.found[0].trail.len(), 18);
    assert_eq!(search.record.levels[11..15], [2049, 4097, 1, 1]);
}

/// 0 → 1 costs 5, 0 → 2 costs 1, 2 → 1 costs 1, 1 → 3 costs 1; 3 is the goal.
fn detour(estimates: [Estimate; 4]) -> Graph {
    let mut given = with_goals(graph(&[&[], &[], &[], &[]]), &[3]);
    given.edges = vec![vec![(5, 1), (1, 2)], vec![(1, 3)], vec![(1, 1)], vec![]];
    given.estimates = estimates.to_vec();
    given
}

fn estimated(kind: Kind, weight: Amount) -> Question {
    let options = [("weight".into(), weight)].into();
    Question { uses_estimate: true, options, ..Question::new(kind) }
}

#[test]
fn a_fraction_above_what_is_left_is_an_overestimate() {
    for (estimate, over) in [(Real(1.5), false), (Real(2.5), true)] {
        let mut toy = Toy::new(detour([Whole(0), Whole(0), estimate, Whole(0)]));
        let mut search = Search::new(estimated(Kind::Astar, Amount::Whole(1))).unwrap();
        assert_eq!(advance(&mut search, &mut toy, Some(1), no_limits()), Stop::Found);
        assert_eq!(search.answers.overestimate.is_some(), over);
    }
}

#[test]
fn a_search_interrupted_in_the_middle_of_anything_ends_as_if_it_had_not_been() {
    let facts = |kind, failing: Option<u64>| {
        let mut toy = Toy::new(with_goals(square(), &[0, 3]));
        toy.failing = failing.map(Random::new);
        let mut search = Search::new(Question { min_depth: 1, ..Question::new(kind) }).unwrap();
        while advance(&mut search, &mut toy, None, no_limits()) != Stop::Exhausted {}
        let found = trails(&search, &toy);
        let record = &search.record;
        let counts = (record.expanded, record.waiting, record.levels.clone(), toy.counted);
        ((found, counts, toy.nodes), toy.stumbled)
    };
    for kind in KINDS {
        let (smooth, _) = facts(kind, None);
        let shaken: Vec<_> = (1..20).map(|error| facts(kind, Some(error))).collect();
        assert!(shaken.iter().all(|(found, _)| *found == smooth), "{kind:?}");
        assert!(shaken.iter().any(|&(_, stumbled)| stumbled > 3), "{kind:?}");
    }
}

#[test]
fn costs_beyond_a_machine_word_ask_for_the_other_engine() {
    let chain = |first, second| {
        let edges = vec![vec![(first, 1)], vec![(second, 2)], vec![]];
        Graph { edges, ..graph(&[&[], &[], &[]]) }
    };
    let alone = Search::new(Question::new(Kind::UniformCost)).unwrap();
    let alone = (alone, Toy::new(chain(u64::MAX - 1, 1)));
    for (mut search, mut toy) in [alone, both_ends(&chain(u64::MAX, 1), &[2], true)] {
        let found = search.advance(&mut toy, None, &no_limits(), &mut quiet);
        assert!(matches!(found, Err(Error::Unsupported(why)) if why == "costs beyond 64 bits"));
    }
    let asked = estimated(Kind::Astar, Amount::Real(f64::INFINITY));
    assert!(matches!(Search::new(asked), Err(Error::Unsupported(_))));
}

fn both_ends(given: &Graph, goals: &[usize], weighted: bool) -> (Search, Toy) {
    let asked =
        Question { goals: goals.len() as u32, weighted, ..Question::new(Kind::Bidirectional) };
    let toy = Toy::new(with_goals(given.clone(), goals)).with_goals(goals);
    (Search::new(asked).unwrap(), toy)
}

/// Up to 60 nodes with up to four edges each, which cost 0 to 5, and up to three goals.
fn random_graph(random: &mut Random) -> (Graph, Vec<usize>) {
    let mut below = |bound: usize| random.below(bound as u64) as usize;
    let count = 2 + below(59);
    let mut given = graph(&vec![&[][..]; count]);
    let most = 1 + below(4);
    for edges in &mut given.edges {
        edges.extend((0..below(most + 1)).map(|_| (below(6) as u64, below(count))));
    }
    let mut goals: Vec<usize> = (0..below(4)).map(|_| 1 + below(count - 1)).collect();
    goals.sort_unstable();
    goals.dedup();
    (given, goals)
}

#[test]
fn a_search_from_both_ends_interrupted_anywhere_ends_as_if_it_had_not_been() {
    let facts = |given: &Graph, goals: &[usize], weighted, failing: Option<u64>| {
        let (mut search, mut toy) = both_ends(given, goals, weighted);
        toy.failing = failing.map(Random::new);
        while advance(&mut search, &mut toy, None, no_limits()) != Stop::Exhausted {}
        // not how much was expanded: after an interruption batches are small, and the meeting is
        // seen before all of a large one would have been expanded
        let Record { depth, ref levels, .. } = search.record;
        ((trails(&search, &toy), depth, levels.clone()), toy.stumbled)
    };
    let mut random = Random::new(3);
    let mut stumbled = 0;
    for weighted in [false, true] {
        for error in 1..200 {
            let (given, goals) = random_graph(&mut random);
            let (smooth, _) = facts(&given, &goals, weighted, None);
            let (shaken, often) = facts(&given, &goals, weighted, Some(error));
            assert_eq!(shaken, smooth);
            stumbled += often;
        }
    }
    assert!(stumbled > 500, "{stumbled}");
}

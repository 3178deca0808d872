//! Search from both ends against search from the start alone.

use super::{advance, graph, no_limits, quiet, trails, with_goals};
use crate::error::Error;
use crate::random::Random;
use crate::search::Search;
use crate::search::limits::{Limit, Limits, Stop};
use crate::search::question::{Kind, Question};
use crate::search::record::Record;
use crate::search::space::Space;
use crate::search::toy::{Graph, Toy};

fn asked(goals: &[usize], weighted: bool) -> Question {
    let goals = goals.len() as u32;
    Question { goals, weighted, ..Question::new(Kind::Bidirectional) }
}

/// A search for these goals, with its space.
fn begun(given: &Graph, goals: &[usize], weighted: bool) -> (Search, Toy) {
    let toy = Toy::new(with_goals(given.clone(), goals)).with_goals(goals);
    (Search::new(asked(goals, weighted)).unwrap(), toy)
}

/// Up to 60 nodes with up to four edges each, which cost 0 to 5, and up to three goals.
fn random_graph(random: &mut Random) -> (Graph, Vec<usize>) {
    let mut below = |bound: usize| random.word() as usize % bound;
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

/// What the cheapest of parallel steps costs in sum.
fn cost(given: &Graph, trail: &[usize]) -> u64 {
    let step = |pair: &[usize]| {
        let edges = given.edges[pair[0]].iter().filter(|edge| edge.1 == pair[1]);
        edges.map(|edge| edge.0).min().expect("every step is an edge")
    };
    trail.windows(2).map(step).sum()
}

#[test]
fn both_ends_together_find_a_way_as_short_and_as_cheap_as_the_start_alone() {
    let mut random = Random::new(1971);
    let (mut found, mut none, mut backward) = (0, 0, 0);
    for _ in 0..2000 {
        let (given, goals) = random_graph(&mut random);
        for (weighted, alone) in [(false, Kind::BreadthFirst), (true, Kind::UniformCost)] {
            let mut toy = Toy::new(with_goals(given.clone(), &goals));
            let mut truth = Search::new(Question::new(alone)).unwrap();
            let stop = advance(&mut truth, &mut toy, Some(1), no_limits());
            let wanted = trails(&truth, &toy);
            let (mut search, mut toy) = begun(&given, &goals, weighted);
            assert_eq!(advance(&mut search, &mut toy, Some(1), no_limits()), stop);
            let ways = trails(&search, &toy);
            assert_eq!(ways.len(), wanted.len());
            none += usize::from(ways.is_empty());
            let (Some(way), Some(wanted)) = (ways.first(), wanted.first()) else { continue };
            assert_eq!((way[0], goals.contains(way.last().unwrap())), (0, true));
            let measure = |way: &[usize]| {
                let whole = cost(&given, way); // and every step is an edge
                if weighted { whole } else { way.len() as u64 }
            };
            assert_eq!(measure(way), measure(wanted), "{given:?} {goals:?} {way:?} {wanted:?}");
            assert_eq!(search.answers.found[0].order, toy.nodes.len() as u64);
            assert_eq!(advance(&mut search, &mut toy, None, no_limits()), Stop::Exhausted);
            found += 1;
            backward += usize::from(search.answers.found[0].trail[1..].contains(&1));
        }
    }
    assert!(found > 500 && none > 500 && backward > 100, "{found} {none} {backward}");
}

#[test]
fn whole_levels_of_the_smaller_side_are_counted_as_they_are_made() {
    // 0 → 1, 2, 3; 1 → 4 → 5 → 6 → 7; 7 is the goal, and 8 leads to it too
    let given = graph(&[&[1, 2, 3], &[4], &[], &[], &[5], &[6], &[7], &[], &[7]]);
    let (mut search, mut toy) = begun(&given, &[7], false);
    assert_eq!(advance(&mut search, &mut toy, Some(1), no_limits()), Stop::Found);
    assert_eq!(trails(&search, &toy), [[0, 1, 4, 5, 6, 7]]);
    // from 0 (a tie): 1 2 3; back from 7: 6 8; back from those: 5; from that: 4; from that, met
    assert_eq!(toy.nodes, [0, 7, 1, 2, 3, 6, 8, 5, 4]);
    let record = &search.record;
    assert_eq!(record.levels, [1, 1, 3, 2, 1, 1]);
    assert_eq!((record.depth, record.expanded, record.waiting), (4, 6, 3));
    assert_eq!(search.answers.found[0].order, 9);
}

#[test]
fn the_start_is_tested_and_without_goals_nothing_else_is() {
    for weighted in [false, true] {
        let given = with_goals(graph(&[&[1], &[0]]), &[0]);
        let (mut search, mut toy) = begun(&given, &[1], weighted);
        assert_eq!(advance(&mut search, &mut toy, Some(1), no_limits()), Stop::Found);
        assert_eq!((trails(&search, &toy), search.answers.found[0].order), (vec![vec![0]], 2));
        let (mut search, mut toy) = begun(&graph(&[&[1], &[0]]), &[], weighted);
        assert_eq!(advance(&mut search, &mut toy, None, no_limits()), Stop::Exhausted);
        assert_eq!((search.record.expanded, toy.states()), (0, 1));
    }
}

#[test]
fn depth_limits_a_search_from_both_ends_and_can_be_raised() {
    let given = graph(&[&[1], &[2], &[3], &[4], &[]]);
    let (mut search, mut toy) = begun(&given, &[4], false);
    for depth in 0..4 {
        let limits = Limits { max_depth: Some(depth), ..no_limits() };
        for _ in 0..2 {
            let stop = advance(&mut search, &mut toy, Some(1), limits);
            assert_eq!(stop, Stop::Limit(Limit::MaxDepth));
        }
    }
    let limits = Limits { max_depth: Some(4), ..no_limits() };
    assert_eq!(advance(&mut search, &mut toy, Some(1), limits), Stop::Found);
    assert_eq!(trails(&search, &toy), [[0, 1, 2, 3, 4]]);
}

#[test]
fn costs_stop_only_where_no_cheaper_way_is_left() {
    // the first meeting is at 1 (10 + 10); the way over 2 and 3 costs 4 + 4 + 4
    let mut given = graph(&[&[], &[], &[], &[], &[]]);
    given.edges[0] = vec![(10, 1), (4, 2)];
    given.edges[1] = vec![(10, 4)];
    given.edges[2] = vec![(4, 3)];
    given.edges[3] = vec![(4, 4)];
    let (mut search, mut toy) = begun(&given, &[4], true);
    assert_eq!(advance(&mut search, &mut toy, Some(1), no_limits()), Stop::Found);
    assert_eq!(trails(&search, &toy), [[0, 2, 3, 4]]);
    let record = &search.record;
    assert_eq!(record.levels, [1]);
    // expanded: 0, 4, and 2, from which 3 is met; 3 and 1 wait on both sides
    assert_eq!((record.expanded, record.depth, record.waiting), (3, 1, 4));
}

#[test]
fn costs_from_both_ends_beyond_a_machine_word_ask_for_the_other_engine() {
    let mut given = graph(&[&[], &[], &[]]);
    given.edges[0] = vec![(u64::MAX, 1)];
    given.edges[1] = vec![(1, 2)];
    let (mut search, mut toy) = begun(&given, &[2], true);
    let found = search.advance(&mut toy, None, &no_limits(), &mut quiet);
    assert!(matches!(found, Err(Error::Unsupported(why)) if why == "costs beyond 64 bits"));
}

#[test]
fn a_search_from_both_ends_interrupted_anywhere_ends_as_if_it_had_not_been() {
    let facts = |given: &Graph, goals: &[usize], weighted, failing| {
        let (mut search, mut toy) = begun(given, goals, weighted);
        toy.failing = failing;
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
            let (smooth, _) = facts(&given, &goals, weighted, 0);
            let (shaken, often) = facts(&given, &goals, weighted, error);
            assert_eq!(shaken, smooth);
            stumbled += often;
        }
    }
    assert!(stumbled > 500, "{stumbled}");
}

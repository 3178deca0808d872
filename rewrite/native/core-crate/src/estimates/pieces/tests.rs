//! Compared with brute force, state by state.

use super::{Given, NO_WAY, Pieces, Place};
use crate::estimate::Estimate;
use crate::estimates::{Estimator, Kind, Scratch};
use crate::random::Random;

/// Places: seven one-bit fields, and two numbers of an eighth, including 0.
const PLACES: usize = 9;
const MOVED_BY: usize = 4;
const COUNT: usize = 3;

fn fields() -> Vec<Place> {
    let bits = (0..7).map(|at| Place::new(at / 4 * 64 + 60 + at % 4, 1));
    bits.chain([Place::new(131, 2), Place::new(137, 2)]).collect()
}

fn given(random: &mut Random, columns: usize) -> Given {
    let entry = |random: &mut Random| match random.word() % 4 {
        0 => NO_WAY,
        _ => random.word() as u8 % 9,
    };
    let mut places: Vec<(u32, u32)> = (0..7).map(|at| (at, 1)).collect();
    places.extend([(7, 0), (7, 2)]);
    let mut blanks: Vec<(u32, u32)> = (0..7).map(|at| (at, 0)).collect();
    blanks.push((7, 1));
    let live: Vec<u32> = (0..PLACES as u32).filter(|place| place % 5 != 3).collect();
    let mut column =
        |must: bool| (must, (0..PLACES * MOVED_BY).map(|_| entry(random)).collect::<Vec<u8>>());
    let columns: Vec<_> = (0..columns).map(|at| column(at == 1)).collect();
    let alive = (0..live.len() * live.len() * MOVED_BY).map(|_| (random.word() % 9) as u8);
    let mut alive: Vec<u8> = alive.map(|one| if one == 0 { NO_WAY } else { 0 }).collect();
    for by in 0..MOVED_BY {
        for (a, b) in (0..live.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let at = |a, b| (by * live.len() + a) * live.len() + b;
            alive[at(a, b)] = alive[at(b, a)];
        }
    }
    let movers = vec![(8, 1)];
    let some = |random: &mut Random| {
        (0..live.len() as u32).filter(|_| random.word().is_multiple_of(3)).collect::<Vec<u32>>()
    };
    let moves = live.iter().map(|_| vec![some(random), some(random)]).collect();
    let empty = (0..MOVED_BY as u32).map(|by| if by == 2 { vec![6] } else { Vec::new() });
    let (apart, goals) = (vec![(8, empty.collect())], some(random));
    let count = COUNT as u32;
    Given { places, blanks, movers, count, columns, live, alive, moves, apart, goals }
}

fn naive(given: &Given, there: &[usize], by: usize) -> Estimate {
    let local = |place: usize| given.live.iter().position(|&one| one as usize == place);
    let Some(live) = there.iter().map(|&place| local(place)).collect::<Option<Vec<_>>>() else {
        return Estimate::Infinite;
    };
    let size = given.live.len();
    let dead = |&a: &usize, &b: &usize| given.alive[(by * size + a) * size + b] == NO_WAY;
    if live.iter().any(|a| live.iter().any(|b| a != b && dead(a, b))) {
        return Estimate::Infinite;
    }
    // a deadlocked set of pieces must all be at goals
    let chosen = |set: u32| (0..COUNT).filter(move |at| set >> at & 1 == 1).map(|at| live[at]);
    let inside = |set: u32, place: u32| chosen(set).any(|at| at == place as usize);
    let blocked = |set: u32, needs: &[u32]| needs.iter().any(|&place| inside(set, place));
    let block =
        |set: u32| chosen(set).all(|at| given.moves[at].iter().all(|needs| blocked(set, needs)));
    let astray = |set: u32| chosen(set).any(|at| !given.goals.contains(&(at as u32)));
    let kept = !blocked((1 << COUNT) - 1, &given.apart[0].1[by]);
    if kept && (1..1 << COUNT).any(|set| block(set) && astray(set)) {
        return Estimate::Infinite;
    }
    let columns = 0..given.columns.len();
    let mut least = None;
    for chosen in columns.clone().flat_map(|a| columns.clone().map(move |b| [a, b])) {
        for last in columns.clone() {
            let taken = [chosen[0], chosen[1], last];
            let apart = (0..3).all(|at| !taken[..at].contains(&taken[at]));
            let left_out = |at: usize| given.columns[at].0 && !taken.contains(&at);
            if !apart || columns.clone().any(left_out) {
                continue;
            }
            let ways = there.iter().zip(taken);
            let costs = ways.map(|(place, at)| given.columns[at].1[by * PLACES + place]);
            let costs: Vec<u8> = costs.collect();
            if !costs.contains(&NO_WAY) {
                let sum = costs.into_iter().map(u64::from).sum();
                least = Some(least.map_or(sum, |known: u64| known.min(sum)));
            }
        }
    }
    least.map_or(Estimate::Infinite, Estimate::Whole)
}

fn words(there: &[usize], by: usize) -> [u64; 3] {
    let mut words = [0; 3];
    let fields = fields();
    let mut put = |field: usize, number: u64| {
        words[fields[field].word as usize] |= number << fields[field].shift;
    };
    there.iter().filter(|&&place| place < 7).for_each(|&place| put(place, 1));
    put(7, if there.contains(&7) { 0 } else { 1 + u64::from(there.contains(&8)) });
    put(8, by as u64);
    words
}

#[test]
fn state_by_state_it_is_what_it_is_anew() {
    let mut random = Random::new(5);
    for columns in [3, 4, 6] {
        let one = given(&mut random, columns);
        let naively = one.clone();
        let pieces = Pieces::new(&fields(), vec![one], 3).unwrap();
        let estimator = Estimator::new(fields(), Kind::Pieces(pieces));
        let (mut there, mut by, mut infinite) = (vec![0, 1, 2], 0, 0);
        let mut scratch = Scratch::default();
        for _ in 0..2000 {
            for _ in 0..random.word() % 3 {
                let (piece, place) =
                    (random.word() as usize % COUNT, random.word() as usize % PLACES);
                let taken = there.contains(&place)
                    || place > 6 && there.iter().any(|&one| one > 6 && one != there[piece]);
                if !taken {
                    there[piece] = place;
                }
            }
            by = if random.word().is_multiple_of(3) { random.word() as usize % 4 } else { by };
            let found = estimator.value(&words(&there, by), &mut scratch).unwrap();
            assert_eq!(found, naive(&naively, &there, by), "{there:?} {by}");
            infinite += u32::from(found == Estimate::Infinite);
        }
        assert!((300..1950).contains(&infinite), "{infinite}");
        let few = estimator.value(&words(&there[1..], by), &mut scratch).unwrap();
        assert_eq!(few, Estimate::Whole(0));
    }
}

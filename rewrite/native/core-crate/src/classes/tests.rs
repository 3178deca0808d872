use super::{Classes, Given, Scratch};
use crate::error::Error;
use crate::random::Random;

/// A walker in a row of five cells (three bits), and a bit for each cell: no walking onto a set one.
fn row(one_way: bool) -> Given {
    let mut fields = vec![(0, 3, 5)];
    fields.extend((0..5).map(|cell| (62 + cell, 1, 2)));
    let mut edges = Vec::new();
    for cell in 0..4_u64 {
        let bit = |cell: u64| (cell as u32 + 1, 0);
        edges.push((3, vec![(0, cell), bit(cell + 1)], vec![], vec![(0, cell + 1)]));
        if !one_way {
            edges.push((7, vec![(0, cell + 1)], vec![(cell as u32 + 1, 1)], vec![(0, cell)]));
        }
    }
    let excluded = (0..5).map(|cell| ((cell as u32 + 1, 1), (0, cell))).collect();
    Given { fields, moved: vec![0], edges, excluded, checked: one_way }
}

fn key(walker: u64, boxes: u64) -> [u64; 2] {
    [walker | boxes << 62, boxes >> 2]
}

#[test]
fn a_class_is_what_moves_join_and_the_least_stands_for_it() {
    let classes = Classes::new(&row(false));
    let (mut scratch, mut counts) = (Scratch::default(), [0; 8]);
    let state = key(4, 0b00100);
    classes.flood(&state, &mut scratch, Some(&mut counts)).unwrap();
    let found: Vec<_> = (0..scratch.len()).map(|at| classes.member(&state, &scratch, at)).collect();
    assert_eq!(found, [key(4, 0b00100), key(3, 0b00100)]);
    assert_eq!((counts[3], counts[7]), (1, 1));
    for (walker, least) in [(4, 3), (3, 3), (1, 0), (0, 0)] {
        let made = classes.canonical(&key(walker, 0b00100), &mut scratch, None).unwrap();
        assert_eq!(made, key(least, 0b00100));
    }
    assert_eq!(classes.canonical(&key(4, 0), &mut scratch, None).unwrap(), key(0, 0));
    assert!(classes.excludes(&key(2, 0b00100)) && !classes.excludes(&key(1, 0b00100)));
}

#[test]
fn a_move_without_a_way_back_is_found() {
    let classes = Classes::new(&row(true));
    let mut scratch = Scratch::default();
    let none = classes.flood(&key(4, 0), &mut scratch, None);
    assert!(none.is_ok() && scratch.len() == 1);
    let failed = classes.flood(&key(3, 0), &mut scratch, None);
    assert!(matches!(failed, Err(Error::Failed { .. })));
}

/// One thing that goes along some ways between six cells.
fn graph(ways: &[(u64, u64)]) -> Given {
    let one = |&(here, there)| (0, vec![(0, here)], vec![], vec![(0, there)]);
    let edges = ways.iter().map(one).collect();
    Given { fields: vec![(0, 3, 6)], moved: vec![0], edges, excluded: vec![], checked: true }
}

/// Whether every cell that is reached leads back.
fn leads_back(ways: &[(u64, u64)], from: u64) -> bool {
    let reach = |from: u64| {
        let mut seen = vec![from];
        let mut at = 0;
        while at < seen.len() {
            let next = ways.iter().filter(|way| way.0 == seen[at]).map(|way| way.1);
            let new: Vec<u64> = next.filter(|there| !seen.contains(there)).collect();
            seen.extend(new.iter().copied().collect::<std::collections::BTreeSet<_>>());
            at += 1;
        }
        seen
    };
    reach(from).iter().all(|&cell| reach(cell).contains(&from))
}

#[test]
fn all_graphs_of_one_way_moves_are_judged_as_by_hand() {
    let mut random = Random::new(7);
    let mut counts = [0, 0];
    let mut scratch = Scratch::default();
    for _ in 0..3_000 {
        let mut ways: Vec<(u64, u64)> = Vec::new();
        for _ in 0..4 + random.word() % 12 {
            let way = (u64::from(random.word() % 6), u64::from(random.word() % 6));
            if way.0 != way.1 && !ways.contains(&way) {
                ways.push(way);
            }
        }
        let classes = Classes::new(&graph(&ways));
        for from in 0..6 {
            let found = classes.flood(&[from], &mut scratch, None);
            let wanted = leads_back(&ways, from);
            counts[usize::from(wanted)] += 1;
            assert_eq!(found.is_ok(), wanted, "{ways:?} from {from}");
        }
    }
    assert!(counts[0] > 1_000 && counts[1] > 1_000, "{counts:?}");
}

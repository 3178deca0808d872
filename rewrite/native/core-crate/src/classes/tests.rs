use super::{Classes, Given, Scratch};

/// A walker in a row of five cells (three bits), and a bit for each cell: no walking onto a set one.
fn row() -> Given {
    let mut fields = vec![(0, 3, 5)];
    fields.extend((0..5).map(|cell| (62 + cell, 1, 2)));
    let mut edges = Vec::new();
    for cell in 0..4_u64 {
        let bit = |cell: u64| (cell as u32 + 1, 0);
        edges.push((3, vec![(0, cell), bit(cell + 1)], vec![], vec![(0, cell + 1)]));
        edges.push((7, vec![(0, cell + 1)], vec![(cell as u32 + 1, 1)], vec![(0, cell)]));
    }
    let excluded = (0..5).map(|cell| ((cell as u32 + 1, 1), (0, cell))).collect();
    Given { fields, moved: vec![0], edges, excluded, checked: false }
}

fn key(walker: u64, boxes: u64) -> [u64; 2] {
    [walker | boxes << 62, boxes >> 2]
}

#[test]
fn a_class_is_what_moves_join_and_the_least_stands_for_it() {
    let classes = Classes::new(&row());
    let (mut scratch, mut counts) = (Scratch::default(), [0; 8]);
    let state = key(4, 0b00100);
    classes.flood(&state, &mut scratch, Some(&mut counts)).unwrap();
    let found: Vec<_> =
        (0..scratch.states()).map(|at| classes.member(&state, &scratch, at)).collect();
    assert_eq!(found, [key(4, 0b00100), key(3, 0b00100)]);
    assert_eq!((counts[3], counts[7]), (1, 1));
    for (walker, least) in [(4, 3), (3, 3), (1, 0), (0, 0)] {
        let made = classes.canonical(&key(walker, 0b00100), &mut scratch, None).unwrap();
        assert_eq!(made, key(least, 0b00100));
    }
    assert_eq!(classes.canonical(&key(4, 0), &mut scratch, None).unwrap(), key(0, 0));
    assert!(classes.excludes(&key(2, 0b00100)) && !classes.excludes(&key(1, 0b00100)));
}

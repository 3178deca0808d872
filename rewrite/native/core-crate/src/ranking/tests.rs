use super::blocks::Blocks;
use super::index::{Index, Part};
use super::marks::{Marks, ModThree, Whole};
use super::moves::{Expander, Move, Unpacking};
use super::permutation::Permutation;
use super::table::{Distances, Table, Watch};
use super::windows::Windows;
use crate::checkpoint::{Files, testing::Folder};
use crate::error::Error;
use crate::random::Random;
use crate::search::limits::{Limits, Stop};

fn permutations(n: usize) -> Vec<Vec<u8>> {
    if n == 0 {
        return vec![vec![]];
    }
    let shorter = permutations(n - 1);
    let with = |one: &Vec<u8>, at: usize| {
        let mut longer = one.clone();
        longer.insert(at, n as u8 - 1);
        longer
    };
    shorter.iter().flat_map(|one| (0..n).map(|at| with(one, at)).collect::<Vec<_>>()).collect()
}

/// Whether a permutation, without the mover, is odd.
fn is_odd(held: &[u8], mover: Option<u8>) -> bool {
    let others: Vec<u8> = held.iter().copied().filter(|&value| Some(value) != mover).collect();
    let pairs = (0..others.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    pairs.filter(|&(i, j)| others[i] > others[j]).count() % 2 == 1
}

fn movers(n: usize) -> Vec<Option<u8>> {
    [None, Some(0), Some(n as u8 / 2), Some(n as u8 - 1)].into_iter().take(n.min(2) * 2).collect()
}

#[test]
fn ranks_number_all_permutations_of_a_parity_without_gaps_and_unrank_is_the_inverse() {
    for (n, halved) in (1..=8).flat_map(|n| [(n, false), (n, true)]) {
        for mover in movers(n) {
            let odd: Vec<bool> = (0..n).map(|place| place % 3 == 1).collect();
            let order = Permutation::new(n, mover, halved.then(|| odd.clone()));
            let mut seen = vec![false; order.size() as usize];
            for held in permutations(n) {
                let place = held.iter().position(|&value| Some(value) == mover).unwrap_or(0);
                if order.odd.is_some() && is_odd(&held, mover) != odd[place] {
                    continue;
                }
                let rank = order.rank(&held);
                assert!(!std::mem::replace(&mut seen[rank as usize], true), "{held:?} {mover:?}");
                assert_unranked(&order, rank, &held);
            }
            assert!(seen.iter().all(|&one| one));
        }
    }
}

fn assert_unranked(order: &Permutation, rank: u64, held: &[u8]) {
    let mut back = vec![99; held.len()];
    order.unrank(rank, &mut back);
    assert_eq!(back, held);
}

#[test]
fn long_permutations_come_back_from_their_ranks() {
    let mut random = Random::new(7);
    for n in 12..=20 {
        for _ in 0..200 {
            let mut held: Vec<u8> = (0..n as u8).collect();
            random.shuffle(&mut held);
            for mover in movers(n) {
                let place = held.iter().position(|&value| Some(value) == mover).unwrap_or(0);
                let mut odd = vec![false; n];
                odd[place] = is_odd(&held, mover);
                for order in
                    [Permutation::new(n, mover, None), Permutation::new(n, mover, Some(odd))]
                {
                    let rank = order.rank(&held);
                    assert!(rank < order.size());
                    assert_unranked(&order, rank, &held);
                }
            }
        }
    }
}

#[test]
fn a_product_of_parts_is_numbered_without_gaps() {
    let parts = vec![
        Part::Digit { field: 1, values: vec![0, 2, 5] },
        Part::permuted(vec![0, 3, 4], vec![1, 4, 7], None, None),
        Part::Digit { field: 5, values: vec![3, 1] },
    ];
    let index = Index::new(vec![1, 0, 9, 4, 7, 3], parts);
    assert_eq!(index.size(), 36);
    for number in 0..36 {
        let mut held = index.held.clone();
        index.unpack(number, &mut held);
        assert_eq!((index.pack(&held), index.find(&held)), (number, Some(number)));
    }
    for wrong in [[1, 1, 9, 4, 7, 3], [1, 0, 8, 4, 7, 3], [1, 0, 9, 4, 4, 3]] {
        assert_eq!(index.find(&wrong), None);
    }
    assert_eq!(index.find(&[1]), None);
}

/// Sliding tiles on a board; the fields are the cells, tile 0 is the hole.
fn sliding(wide: usize, high: usize) -> (Index, Vec<Move>) {
    let cells = wide * high;
    let start: Vec<u8> = (0..cells as u8).map(|cell| (cell + 1) % cells as u8).collect();
    let colour = |cell: usize| (cell / wide + cell % wide) % 2 == 1;
    let whole = |held: &[u8], place: usize| is_odd(held, None) ^ colour(place);
    let wanted = whole(&start, cells - 1);
    // the hole adds as many inversions as there are places before it
    let odd: Vec<bool> =
        (0..cells).map(|place| wanted ^ colour(place) ^ (place % 2 == 1)).collect();
    let part = Part::permuted((0..cells).collect(), (0..cells as u8).collect(), Some(0), Some(odd));
    let mut moves = Vec::new();
    for a in 0..cells {
        for b in 0..cells {
            if (a / wide).abs_diff(b / wide) + (a % wide).abs_diff(b % wide) == 1 {
                let (tests, sets, copies) = (vec![(a, 0)], vec![(b, 0)], vec![(a, b)]);
                moves.push(Move { tests, sets, copies, ..Move::default() });
            }
        }
    }
    (Index::new(start, vec![part]), moves)
}

fn fill(table: &mut dyn Distances, limits: Limits, threads: usize) -> Stop {
    table.fill(threads, &mut Watch::new(&limits, &mut |_, _| Ok(false))).unwrap()
}

fn table<M: Marks>(index: &Index, moves: &[Move]) -> Table<M> {
    Table::new(index.clone(), moves.to_vec(), None).unwrap()
}

fn blocks(index: &Index, moves: &[Move]) -> Blocks {
    Blocks::new(index.clone(), moves.to_vec(), None).unwrap()
}

const EIGHT: [u64; 32] = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878,
    16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
];

/// The same with all orders of the others, whether they can be reached or not.
fn without_parity((index, moves): (Index, Vec<Move>)) -> (Index, Vec<Move>) {
    let Part::Permuted { fields, values, order } = index.parts[0].clone() else { unreachable!() };
    (Index::new(index.held, vec![Part::permuted(fields, values, order.mover, None)]), moves)
}

#[test]
fn blocks_find_what_unpacking_finds_level_by_level_with_any_number_of_threads() {
    let boards = [(2, 1), (3, 1), (2, 2), (3, 2), (2, 3), (4, 2), (2, 4), (8, 1), (3, 3), (5, 2)];
    let boards = boards.into_iter().flat_map(|(wide, high)| {
        let board = sliding(wide, high);
        [Some(board.clone()), (wide * high < 9).then(|| without_parity(board))]
    });
    for (index, moves) in boards.flatten() {
        let (mut slow, mut random) = (table::<Whole>(&index, &moves), Random::new(3));
        for threads in 1..=3 {
            let mut fast = blocks(&index, &moves);
            for depth in 0.. {
                let limits = || Limits { max_depth: Some(depth), ..Limits::default() };
                if threads == 1 {
                    fill(&mut slow, limits(), 1);
                }
                let stop = fill(&mut fast, limits(), threads);
                assert_eq!(fast.levels(), &slow.levels()[..fast.levels().len()]);
                if threads == 1 {
                    let listed = slow.deepest().unwrap(); // if there are few
                    assert!(listed.is_none() || fast.deepest().unwrap() == listed, "{depth}");
                    let mut held = index.held.clone();
                    for _ in 0..100 {
                        index.unpack(u64::from(random.word()) % index.size(), &mut held);
                        let known = slow.get(&held);
                        assert_eq!(
                            fast.get(&held),
                            if known > 0 { (known - 1) % 4 + 1 } else { 0 }
                        );
                    }
                }
                if stop == Stop::Exhausted {
                    break;
                }
            }
            assert_eq!(fast.levels(), slow.levels());
        }
    }
}

#[test]
fn a_mover_that_may_pass_its_turn_needs_no_blocks() {
    let (index, mut moves) = sliding(3, 2);
    moves.push(Move { tests: vec![(0, 0)], copies: vec![(1, 2), (2, 1)], ..Move::default() });
    assert!(Blocks::new(index.clone(), moves, None).is_err());
}

fn assert_windows_agree(index: &Index, moves: &[Move]) {
    let windows = Windows::new(index, moves).unwrap();
    let mut slow = Unpacking::new(index, moves);
    for number in 0..index.size() as u32 {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        (&mut &windows).each(number, &mut |one| a.push(one));
        slow.each(number, &mut |one| b.push(one));
        assert_eq!(a, b, "{:?}, {number}", index.held);
    }
}

#[test]
fn windows_make_the_same_successors_as_unpacking() {
    // pancakes: reverse a prefix
    let flip = |k: usize| Move {
        copies: (0..k).map(|at| (at, k - 1 - at)).filter(|(a, b)| a != b).collect(),
        ..Move::default()
    };
    let moves: Vec<Move> = (2..=6).map(flip).collect();
    let part = Part::permuted((0..6).collect(), (0..6).collect(), None, None);
    let index = Index::new((0..6).collect(), vec![part]);
    assert_windows_agree(&index, &moves);
    // OEIS A092113, row 6
    let mut pancakes = table::<ModThree>(&index, &moves);
    fill(&mut pancakes, Limits::default(), 1);
    assert_eq!(pancakes.levels(), [1, 5, 20, 79, 199, 281, 133, 2]);
    // turn three neighbours: all orders are even
    let turn = |at: usize| Move {
        copies: vec![(at, at + 1), (at + 1, at + 2), (at + 2, at)],
        ..Move::default()
    };
    let part = Part::permuted((0..6).collect(), (0..6).collect(), None, Some(vec![false]));
    let moves: Vec<Move> = (0..4).map(turn).collect();
    assert_windows_agree(&Index::new((0..6).collect(), vec![part]), &moves);
}

/// Searches repeatedly with limits that stop it in mid-level, each time from a file.
fn filled_from_files<T: Distances>(new: impl Fn() -> T, step: u64, depth: &mut dyn FnMut(&T)) -> T {
    let (folder, mut table) = (Folder::new(), new());
    for number in 1.. {
        let most = Some(u64::from(number) * step);
        let stop = fill(&mut table, Limits { max_states: most, ..Limits::default() }, 2);
        depth(&table);
        let lengths = table.save(&mut Files::new(&folder.0, 1), number).unwrap();
        table = new();
        table.load(&Files::known(&folder.0, 1, lengths).unwrap(), number).unwrap();
        if stop == Stop::Exhausted {
            break;
        }
    }
    table
}

#[test]
fn the_levels_of_the_eight_puzzle_are_those_known_however_often_a_table_goes_on_from_files() {
    // Reinefeld, Complete Solution of the Eight-Puzzle, IJCAI 1993
    let (index, moves) = sliding(3, 3);
    assert_eq!(index.size(), 181_440);
    let mut whole = table::<Whole>(&index, &moves);
    let stop = fill(&mut whole, Limits::default(), 1);
    assert_eq!((whole.levels(), stop), (&EIGHT[..], Stop::Exhausted));
    let deepest = whole.deepest().unwrap();
    for step in [1_500, 7_000, 50_000] {
        let by_three = filled_from_files(|| table::<ModThree>(&index, &moves), step, &mut |_| ());
        let whole_again = filled_from_files(|| table::<Whole>(&index, &moves), step, &mut |_| ());
        let mut held = index.held.clone();
        // in mid-level too, what is known of a level is right
        let two_bits = filled_from_files(|| blocks(&index, &moves), step, &mut |table: &Blocks| {
            for number in (0..181_440).step_by(7) {
                index.unpack(number, &mut held);
                let (known, found) = ((whole.get(&held) - 1), table.get(&held));
                let seen = known < table.levels().len() as u64;
                assert!(found == 0 && !seen || found == known % 4 + 1, "{known} {found}");
            }
        });
        for one in [&by_three as &dyn Distances, &whole_again, &two_bits] {
            assert_eq!((one.levels(), one.deepest().unwrap()), (&EIGHT[..], deepest.clone()));
        }
        for number in 0..181_440 {
            index.unpack(number, &mut held);
            let known = whole.get(&held);
            let found = [by_three.get(&held), whole_again.get(&held), two_bits.get(&held)];
            assert_eq!(found, [(known - 1) % 3 + 1, known, (known - 1) % 4 + 1]);
            if number % 101 == 0 {
                let tables = [&by_three as &dyn Distances, &whole_again, &two_bits];
                assert_eq!(tables.map(|one| one.level(&held)), [Some(known - 1); 3]);
                for one in [&by_three as &dyn Distances, &two_bits] {
                    let before = one.before(&held).map_or(0, |one| whole.get(&one));
                    assert_eq!(before, known - 1);
                }
            }
        }
    }
}

#[test]
fn a_table_in_a_file_is_the_same_and_leaves_nothing_behind() {
    let (index, moves) = sliding(3, 3);
    let folder = Folder::new();
    let place = Some(&*folder.0);
    let of = || (index.clone(), moves.clone());
    let (first, second, third) = (of(), of(), of());
    let mut tables: Vec<Box<dyn Distances>> = vec![
        Box::new(Blocks::new(first.0, first.1, place).unwrap()),
        Box::new(Table::<ModThree>::new(second.0, second.1, place).unwrap()),
        Box::new(Table::<Whole>::new(third.0, third.1, place).unwrap()),
    ];
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
    for table in &mut tables {
        fill(&mut **table, Limits::default(), 2);
        assert_eq!(table.levels(), &EIGHT[..]);
    }
    let nowhere = folder.0.join("nowhere");
    let refused = Blocks::new(index, moves, Some(&nowhere)).err();
    assert!(matches!(refused, Some(Error::Files(_))));
}

#[test]
fn unpacking_changes_the_numbers_of_digits_and_permutations_alike() {
    let parts = vec![
        Part::Digit { field: 1, values: vec![0, 2, 5] },
        Part::permuted(vec![0, 3, 4], vec![1, 4, 7], None, None),
        Part::Digit { field: 2, values: vec![0, 1, 2, 5] },
    ];
    let index = Index::new(vec![1, 0, 1, 4, 7], parts);
    let swap = Move {
        tests: vec![(1, 2)],
        misses: vec![(2, 1)],
        sets: vec![(2, 1)],
        copies: vec![(0, 3), (3, 0)],
    };
    let copy = Move { copies: vec![(2, 1)], ..Move::default() };
    let set = Move { tests: vec![(1, 5)], sets: vec![(1, 2)], ..Move::default() };
    let moves = [swap, copy, set];
    let mut unpacking = Unpacking::new(&index, &moves);
    for number in 0..72 {
        let mut held = index.held.clone();
        index.unpack(number, &mut held);
        let mut expected = Vec::new();
        if held[1] == 2 && held[2] != 1 {
            let made = [held[3], held[1], 1, held[0], held[4]];
            expected.push(index.find(&made).unwrap() as u32);
        }
        expected.push(index.find(&[held[0], held[1], held[1], held[3], held[4]]).unwrap() as u32);
        if held[1] == 5 {
            let made = [held[0], 2, held[2], held[3], held[4]];
            expected.push(index.find(&made).unwrap() as u32);
        }
        let mut made = Vec::new();
        unpacking.each(number as u32, &mut |one| made.push(one));
        made.sort_unstable();
        expected.sort_unstable();
        assert_eq!(made, expected);
    }
}

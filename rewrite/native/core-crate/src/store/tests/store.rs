use std::collections::HashMap;
use std::hash::Hash;

use super::super::keys::Hashing;
use super::super::{Block, Entry, Fixed, Keys, Layout, Store, Varied};
use super::{find, insert, words};
use crate::random::Random;

/// Inserts keys with many duplicates one by one and in blocks, and compares each answer.
fn agrees<K: Keys>(make: impl Fn(u64) -> Box<K::Key>)
where
    K::Key: Hash + Eq + std::fmt::Debug,
{
    let mut store = Store::<K>::with(Layout::default()).unwrap();
    let mut truth: HashMap<Box<K::Key>, u32> = HashMap::new();
    let mut parents = Vec::new();
    let mut random = Random::new(7);
    let mut block = Block::<K>::default();
    for round in 0..400_u64 {
        let among = 50 * (round + 1) * (round + 1);
        block.clear();
        let drawn: Vec<Box<K::Key>> = (0..1 + random.below(700))
            .map(|_| make(random.below(among).wrapping_mul(0x1_0000_0001)))
            .collect();
        for key in &drawn {
            assert_eq!(find(&store, key), truth.get(key).copied());
            block.push(key, round as u32).unwrap();
        }
        let mut answers = Vec::new();
        if round % 3 == 0 {
            for key in &drawn {
                answers.push(insert(&mut store, key, round as u32).unwrap());
            }
        } else {
            store.insert_block(&block, &(0..0), |_, entry| answers.push(entry)).unwrap();
        }
        for (key, answer) in drawn.into_iter().zip(answers) {
            let next = truth.len() as u32;
            let new = !truth.contains_key(&key);
            let id = *truth.entry(key).or_insert(next);
            assert_eq!(answer, if new { Entry::New(id) } else { Entry::Old(id) });
            if new {
                parents.push(round as u32);
            }
        }
    }
    assert_eq!(store.len() as usize, truth.len());
    assert!(truth.len() > 80_000);
    for (key, &id) in &truth {
        assert_eq!(store.key(id), &**key);
        assert_eq!(find(&store, key), Some(id));
        assert_eq!(store.parent(id), parents[id as usize]);
    }
}

#[test]
fn a_store_answers_like_a_map() {
    agrees::<Fixed<1>>(|value| Box::new([value]));
    agrees::<Fixed<2>>(|value| Box::new([value & 7, value >> 3]));
    agrees::<Varied>(|value| words(value, (value % 23) as usize + 1).into());
}

#[test]
fn the_empty_key_is_a_key() {
    let mut store = Store::<Varied>::with(Layout::default()).unwrap();
    assert_eq!(find(&store, &[]), None);
    assert_eq!(insert(&mut store, &[], 0).unwrap(), Entry::New(0));
    assert_eq!(insert(&mut store, &[0], 0).unwrap(), Entry::New(1));
    assert_eq!(insert(&mut store, &[], 0).unwrap(), Entry::Old(0));
}

/// Counts of 2^16 hashes in 2^10 cells, against what chance gives: chi-square is 1023 ± 45.
fn spread(how: Hashing, keys: impl Iterator<Item = u64>, cell: impl Fn(u64) -> usize) -> f64 {
    let mut counts = vec![0_f64; 1 << 10];
    keys.for_each(|key| counts[cell(Fixed::<1>::hash(&[key], how))] += 1.0);
    let mean = counts.iter().sum::<f64>() / counts.len() as f64;
    counts.iter().map(|count| (count - mean) * (count - mean) / mean).sum()
}

const MOST: f64 = 1023.0 + 6.0 * 45.0;

#[test]
fn hashes_of_similar_keys_spread_over_top_and_low_bits() {
    let kinds: [fn(u64) -> u64; 5] = [
        |i| i,
        |i| i << 48,
        |i| i << 24,
        // One bit here, eight there: boards.
        |i| (i & 0xff) | (i >> 8) << 56,
        // Two bits far apart.
        |i| 1_u64.rotate_left(i as u32) ^ (i << 20),
    ];
    for kind in kinds {
        for cell in [|hash| (hash >> 54) as usize, |hash| (hash & 0x3ff) as usize] {
            let found = spread(Hashing::default(), (0..1 << 16).map(kind), cell);
            assert!(found < MOST, "{found}");
        }
    }
}

/// Arrangements of digits, a nibble each: what boards are.
fn boards(squares: u64) -> impl Iterator<Item = u64> {
    (0..1 << 16).map(move |number| {
        let (mut left, mut number) = ((0..squares).collect::<Vec<_>>(), number);
        let squares = (1..=squares).rev().map(|count| {
            let digit = left.remove((number % count) as usize);
            number /= count;
            digit
        });
        squares.fold(0, |word, digit| word << 4 | digit)
    })
}

#[test]
fn hashes_of_keys_of_fewer_bits_spread_over_their_top_bits() {
    for squares in [9, 10, 12, 16] {
        let how = Hashing::new(4 * squares as u32);
        for shift in [54, 44] {
            let found = spread(how, boards(squares), |hash| (hash >> shift) as usize & 0x3ff);
            assert!(found < MOST, "{squares} {found}");
        }
    }
    for bits in [20, 33, 41, 57] {
        let spread = |cell: fn(u64) -> usize| spread(Hashing::new(bits), 0..1 << 16, cell);
        let (top, low) =
            (spread(|hash| (hash >> 54) as usize), spread(|hash| hash as usize & 0x3ff));
        // Nearly all keys of twenty bits: their top bits are more even than chance.
        assert!(top < MOST && (low < MOST || bits == 20), "{bits} {top} {low}");
    }
}

use std::collections::HashMap;
use std::hash::Hash;

use super::super::{Block, Fixed, Keys, Store, Varied};
use super::{Random, hash, words};

/// Inserts keys with many duplicates one by one and in blocks, and compares each answer.
fn agrees<K: Keys>(shards: u32, make: impl Fn(u64) -> Box<K::Key>)
where
    K::Key: Hash + Eq + std::fmt::Debug,
{
    let mut store = Store::<K>::with_shards(shards).unwrap();
    let mut truth: HashMap<Box<K::Key>, u32> = HashMap::new();
    let mut parents = Vec::new();
    let mut random = Random(7);
    let mut block = Block::<K>::default();
    for round in 0..400_u64 {
        let among = 50 * (round + 1) * (round + 1);
        block.clear();
        let drawn: Vec<Box<K::Key>> = (0..1 + random.below(700))
            .map(|_| make(random.below(among).wrapping_mul(0x1_0000_0001)))
            .collect();
        for key in &drawn {
            assert_eq!(store.find(key, hash::<K>(key)), truth.get(key).copied());
            block.push(key, round as u32).unwrap();
        }
        let mut answers = Vec::new();
        if round % 3 == 0 {
            for key in &drawn {
                answers.push(store.insert(key, hash::<K>(key), round as u32).unwrap());
            }
        } else {
            store.insert_block(&block, |_, id, new| answers.push((id, new))).unwrap();
        }
        for (key, answer) in drawn.into_iter().zip(answers) {
            let next = truth.len() as u32;
            let new = !truth.contains_key(&key);
            let id = *truth.entry(key).or_insert(next);
            assert_eq!(answer, (id, new));
            if new {
                parents.push(round as u32);
            }
        }
    }
    assert_eq!(store.len() as usize, truth.len());
    assert!(truth.len() > 80_000);
    for (key, &id) in &truth {
        assert_eq!(store.key(id), &**key);
        assert_eq!(store.find(key, hash::<K>(key)), Some(id));
        assert_eq!(store.parent(id), parents[id as usize]);
    }
}

#[test]
fn a_store_of_one_word_keys_answers_like_a_map() {
    for shards in [0, 1, 4, 7] {
        agrees::<Fixed<1>>(shards, |value| Box::new([value]));
    }
}

#[test]
fn a_store_of_two_word_keys_answers_like_a_map() {
    agrees::<Fixed<2>>(4, |value| Box::new([value & 7, value >> 3]));
}

#[test]
fn a_store_of_keys_of_differing_length_answers_like_a_map() {
    agrees::<Varied>(4, |value| words(value, (value % 23) as usize + 1).into());
}

#[test]
fn the_empty_key_is_a_key() {
    let mut store = Store::<Varied>::new().unwrap();
    assert_eq!(store.find(&[], hash::<Varied>(&[])), None);
    assert_eq!(store.insert(&[], hash::<Varied>(&[]), 0).unwrap(), (0, true));
    assert_eq!(store.insert(&[0], hash::<Varied>(&[0]), 0).unwrap(), (1, true));
    assert_eq!(store.insert(&[], hash::<Varied>(&[]), 0).unwrap(), (0, false));
}

#[test]
fn a_parent_can_be_changed() {
    let mut store = Store::<Fixed<1>>::new().unwrap();
    store.insert(&[5], hash::<Fixed<1>>(&[5]), 0).unwrap();
    store.set_parent(0, 9);
    assert_eq!(store.parent(0), 9);
}

/// Counts of 2^16 hashes in 2^10 cells, against what chance gives: chi-square is 1023 ± 45.
fn spread(keys: impl Iterator<Item = u64>, cell: impl Fn(u64) -> usize) -> f64 {
    let mut counts = vec![0_f64; 1 << 10];
    keys.for_each(|key| counts[cell(hash::<Fixed<1>>(&[key]))] += 1.0);
    let mean = counts.iter().sum::<f64>() / counts.len() as f64;
    counts.iter().map(|count| (count - mean) * (count - mean) / mean).sum()
}

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
            let found = spread((0..1 << 16).map(kind), cell);
            assert!(found < 1023.0 + 6.0 * 45.0, "{found}");
        }
    }
}

//! Keys of differing length against a plain list of them.

use super::super::{Keys, List, Varied, Words};
use crate::random::Random;

/// A run of keys of one length now and then, so that some pieces have one length and some have not.
fn drawn(random: &mut Random, count: usize) -> Vec<Vec<u32>> {
    let (mut keys, mut left, mut width) = (Vec::new(), 0, 0);
    while keys.len() < count {
        if left == 0 {
            let longest = if random.below(2) == 0 { 2 } else { 9_000 };
            (left, width) = (1 + random.below(longest), random.below(6) as usize);
        }
        left -= 1;
        let other = if random.below(20_000) == 0 { 1 } else { 0 };
        keys.push((0..width + other).map(|_| random.below(9) as u32).collect());
    }
    keys
}

fn hold_the_same(keys: &Varied, plain: &[Vec<u32>]) {
    assert_eq!(keys.len(), plain.len());
    for (id, key) in plain.iter().enumerate() {
        assert_eq!(keys.get(id as u32), key);
    }
}

#[test]
fn keys_stay_what_they_are_whatever_lengths_stand_beside_them() {
    let mut random = Random::new(3);
    let (mut keys, mut plain) = (Varied::default(), Vec::new());
    for _ in 0..12 {
        for key in drawn(&mut random, 30_000) {
            let (free, bytes) = (keys.growth(&key) == 0, keys.bytes());
            keys.reserve(&key).unwrap();
            assert_eq!(free, keys.bytes() == bytes);
            keys.push(&key).unwrap();
            plain.push(key);
        }
        hold_the_same(&keys, &plain);
        (0..plain.len()).step_by(997).for_each(|id| keys.prefetch(id as u32));
        for _ in 0..200 {
            let (id, other) = (random.below(plain.len() as u64) as usize, random.below(30_000));
            let other = &plain[other as usize];
            assert_eq!(keys.is(id as u32, other), plain[id] == *other);
        }
        // back to anywhere: a border of pieces, the middle of one, nothing at all
        let cuts =
            [plain.len(), plain.len() & !0x1fff, random.below(plain.len() as u64) as usize, 0];
        let cut = cuts[random.below(4) as usize];
        keys.truncate(cut);
        plain.truncate(cut);
        hold_the_same(&keys, &plain);
    }
}

#[test]
fn no_ends_are_kept_of_keys_of_one_length() {
    let count = 100_000;
    let bytes = |differs: bool| {
        let mut keys = Varied::default();
        for at in 0..count {
            let key = [1, 2, 3, 4];
            keys.push(if differs && at % 5_000 == 0 { &key[1..] } else { &key }).unwrap();
        }
        keys.bytes() as f64 / f64::from(count)
    };
    let (same, differing) = (bytes(false), bytes(true));
    assert!((16.0..17.5).contains(&same), "{same}");
    assert!((same + 3.5..same + 5.5).contains(&differing), "{differing}");
}

#[test]
fn keys_for_a_while_are_what_was_closed() {
    let mut random = Random::new(5);
    let (mut keys, mut plain) = (Words::default(), Vec::<Vec<u32>>::new());
    for round in 0..50 {
        for key in drawn(&mut random, 60) {
            match round % 2 {
                0 => keys.push(&key).unwrap(),
                _ => {
                    keys.open().extend_from_slice(&key);
                    keys.close().unwrap();
                }
            }
            plain.push(key);
        }
        keys.open().extend_from_slice(&[7, 7]); // given up
        let cut = random.below(plain.len() as u64 + 1) as usize;
        keys.truncate(cut);
        plain.truncate(cut);
        assert_eq!(List::len(&keys), plain.len());
        assert!(plain.iter().enumerate().all(|(at, key)| keys.get(at) == key));
    }
}

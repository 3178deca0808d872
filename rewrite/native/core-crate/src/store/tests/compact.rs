//! The compact table against a set of hashes, and hashes that tell keys apart.

use std::collections::HashSet;

use super::super::compact::Compact;
use super::super::keys::Hashing;
use super::super::table::Found;
use super::super::{Fixed, Keys};
use crate::random::Random;

/// A hash with these bits behind those that are left out; others are as they come.
fn hash(part: u64, skip: u32, bits: u32, random: &mut Random) -> u64 {
    let place = 64 - skip - bits;
    let told = ((1 << bits) - 1) << place;
    random.next() & !told | part << place
}

/// Puts parts in, each perhaps several times, and compares each answer with a set; the table grows
/// when it is full, and now and then before.
fn agrees(
    skip: u32,
    bits: u32,
    homes: usize,
    parts: impl Iterator<Item = u64>,
    seed: u64,
) -> Compact {
    let mut random = Random::new(seed);
    let mut table = Compact::new(skip + bits, skip, homes).unwrap();
    let mut truth = HashSet::new();
    for (turn, part) in parts.enumerate() {
        let hash = hash(part, skip, bits, &mut random);
        let found = table.find(hash);
        assert_eq!(found == Found::Known, !truth.insert(part), "turn {turn}");
        if let Found::Free(bucket) = found {
            if table.full() || random.below(5_000) == 0 {
                let most = (table.homes() + 2) as u64;
                let homes = table.homes() + 1 + random.below(most) as usize;
                table.grow(homes).unwrap();
                table.add(hash).unwrap();
            } else {
                table.put(bucket, hash).unwrap();
            }
        }
        assert_eq!(table.used(), truth.len());
    }
    let others = (0..1000).map(|_| random.next() >> (64 - bits)).collect::<Vec<_>>();
    for part in truth.iter().copied().chain(others) {
        let known = table.find(hash(part, skip, bits, &mut random)) == Found::Known;
        assert_eq!(known, truth.contains(&part));
    }
    table
}

#[test]
fn it_holds_what_was_put_in_and_nothing_else() {
    for (skip, bits, homes) in
        [(0, 1, 1), (0, 5, 3), (4, 9, 1), (0, 17, 2), (3, 28, 1), (4, 36, 300), (0, 40, 6000)]
    {
        for seed in 0..3 {
            let mut random = Random::new(seed);
            let parts = (0..40_000).map(|_| random.next() >> (64 - bits)).collect::<Vec<_>>();
            agrees(skip, bits, homes, parts.into_iter(), seed);
        }
    }
}

#[test]
fn all_hashes_there_are_fit_in() {
    for bits in 1..=14 {
        let table = agrees(4, bits, 1, (0..1 << bits).chain(0..1 << bits), 1);
        assert_eq!(table.used(), 1 << bits);
    }
}

#[test]
fn hashes_may_come_as_alike_as_they_like() {
    for (bits, homes) in [(20, 1), (30, 4), (40, 4096), (44, 80_000)] {
        // many for a few buckets: at the beginning, at the end, in rows, in steps
        let last = (1_u64 << bits) - 1;
        let parts = (0..3_000_u64).flat_map(|at| [at, last - at, last / 3 + 5 * at]);
        agrees(0, bits, homes, parts.chain(0..3_000), 9);
        agrees(2, bits, homes, (0..3_000_u64).rev().map(|at| last / 2 + at), 9);
    }
    // sixteen lanes a bucket, fifteen within reach, and a few late ones
    let table = agrees(0, 30, 1000, (0..16 * 15 + 5).map(|at| (1 << 30) - 1 - at), 5);
    assert_eq!(table.used(), 16 * 15 + 5);
    let table = agrees(0, 44, 80_000, (0..3_000_u64).map(|at| at << 2), 3);
    assert!(table.homes() < 400_000, "it does not grow without end: {}", table.homes());
}

#[test]
fn it_can_be_cleared_and_keeps_its_size() {
    let mut table = agrees(0, 30, 50, 0..500, 5);
    let bytes = table.bytes();
    table.clear();
    assert_eq!((table.bytes(), table.used()), (bytes, 0));
    assert!((0..500).all(|part| table.find(part << 34) != Found::Known));
}

#[test]
fn a_full_table_takes_less_than_five_bytes_a_key() {
    let mut table = Compact::new(40, 0, 10_000).unwrap();
    let mut random = Random::new(3);
    while !table.full() {
        let hash = random.next();
        if let Found::Free(bucket) = table.find(hash) {
            table.put(bucket, hash).unwrap();
        }
    }
    let bytes = table.bytes() as f64 / table.used() as f64;
    println!("{bytes}");
    assert!(bytes < 4.75, "{bytes}");
}

#[test]
fn different_keys_have_different_hashes() {
    for bits in [1, 2, 7, 16, 17] {
        let how = Hashing::new(bits);
        let hashes = (0..1_u64 << bits).map(|key| Fixed::<1>::hash(&[key], how));
        let tops = hashes.map(|hash| hash >> (64 - bits)).collect::<HashSet<_>>();
        assert_eq!(tops.len(), 1 << bits);
    }
    for bits in [36, 40, 48, 63, 64] {
        let (how, mut random) = (Hashing::new(bits), Random::new(2));
        // keys that differ in one bit, anywhere
        let keys = (0..1_000).map(|_| random.next() >> (64 - bits)).collect::<Vec<_>>();
        let near = keys.iter().flat_map(|&key| (0..bits).map(move |bit| key ^ 1 << bit));
        let all = keys.iter().copied().chain(near).collect::<HashSet<_>>();
        let top = |key: &u64| Fixed::<1>::hash(&[*key], how) >> (64 - bits);
        assert_eq!(all.iter().map(top).collect::<HashSet<_>>().len(), all.len());
    }
}

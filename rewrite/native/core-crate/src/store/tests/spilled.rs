//! Searches whose states are spilled all the time, against those whose states stay.

use std::hash::Hash;

use super::super::{Keys, Layout};
use super::spaces::{Space, eight_puzzle, good_soup};
use super::waves::Search;
use crate::checkpoint::Files;
use crate::checkpoint::testing::Folder;
use crate::random::Random;

/// What breadth-first search watches at most.
fn start(_: u32) -> std::ops::Range<u32> {
    0..1
}

/// Threads, batches a wave, states a batch.
type Way = (usize, usize, u32);

/// `turned`: every so many batches, one of another length: what waits unseen is taken out again.
fn spill<K: Keys>(space: &Space<K>, layout: Layout, way: Way, turned: u32) -> (u32, u32)
where
    K::Key: Hash,
{
    let ((threads, wave, step), folder) = (way, Folder::new());
    let mut files = Files::new(&folder.0, 1);
    let mut search = Search::new(space, threads, wave, layout);
    let mut plain = Search::new(space, 1, 1, layout);
    (search.watch, plain.watch) = (start, start);
    let mut random = Random::new(step.into());
    let (mut freed, mut rebuilt) = (0, 0);
    for turn in 1.. {
        let other = turn % turned == 0;
        let step = if other { step / 2 + 1 } else { step };
        let cuts = search.store.cuts;
        assert_eq!(search.batch(step).unwrap(), plain.batch(step).unwrap(), "{way:?} {turn}");
        let spilled = search.store.spilled.is_some() && !search.store.holds_key(search.next / 2);
        rebuilt += u32::from(spilled && search.store.cuts > cuts);
        if !search.open() {
            break;
        }
        if random.below(3) == 0 {
            let scarce = random.below(4) == 0;
            let bytes = search.store.spill(&mut files, search.next, scarce).unwrap();
            freed += u32::from(bytes > 0);
        }
    }
    assert!(search.states() == plain.states(), "{way:?}");
    assert!(search.store.bytes() < plain.store.bytes());
    (freed, rebuilt)
}

const NEVER: u32 = u32::MAX;
const WAYS: [Way; 4] = [(1, 1, 1024), (2, 0, 1024), (2, 8, 700), (3, 30, 100)];

#[test]
fn a_search_that_puts_its_states_away_finds_the_same() {
    let usual = Layout::default();
    let compact = Layout { key_bits: Some(36), ..usual };
    let (early, [one, two, three, four]) = (Layout { split: 0, ..compact }, WAYS);
    let ways = [(compact, one), (early, three), (compact, four), (usual, two)];
    for (layout, way) in ways {
        let (freed, _) = spill(&eight_puzzle(), layout, way, NEVER);
        assert!(freed > 20, "{freed}");
    }
    let soup = good_soup(12);
    for way in [one, four] {
        let (freed, _) = spill(&soup, usual, way, NEVER);
        assert!(freed > 5, "{freed}");
    }
}

#[test]
fn unseen_states_are_taken_out_again_although_older_ones_are_away() {
    let layout = Layout { key_bits: Some(36), ..Layout::default() };
    let (freed, rebuilt) = spill(&eight_puzzle(), layout, (2, 8, 1000), 9);
    assert!(freed > 20 && rebuilt > 5, "{freed} {rebuilt}");
}

#[test]
fn only_what_follows_and_what_it_was_made_from_stays_in_memory() {
    let (folder, layout) = (Folder::new(), Layout { key_bits: Some(36), ..Layout::default() });
    let mut files = Files::new(&folder.0, 1);
    let space = eight_puzzle();
    let mut search = Search::new(&space, 1, 1, layout);
    search.watch = start;
    while search.store.len() < 100_000 {
        search.batch(1024).unwrap();
    }
    let (next, oldest) = (search.next, search.store.parent(search.next));
    let store = &mut search.store;
    let before = store.bytes();
    for (scarce, kept) in [(false, oldest), (true, next)] {
        store.spill(&mut files, next, scarce).unwrap();
        let piece = 256;
        let end = if scarce { next + 4 * piece } else { store.len() };
        assert!((0..piece).chain(kept..end).all(|id| store.holds_key(id)));
        assert!(!(piece..kept - piece).any(|id| store.holds_key(id)), "{kept}");
        assert!((next..end).all(|id| store.holds_parent(id)));
        assert!(!(piece..next - piece).any(|id| store.holds_parent(id)));
        let after = end + piece..(store.len() - 2 * piece).max(end + piece);
        assert!(!after.clone().any(|id| store.holds_key(id) || store.holds_parent(id)));
        assert_eq!(after.is_empty(), !scarce);
    }
    assert!(store.reload(next + 9000, next + 9100, store.len()).unwrap() < store.len());
    assert!((next + 9000..next + 9100).all(|id| store.holds_key(id) && store.holds_parent(id)));
    assert!(store.bytes() + 11 * (next as usize - 1000) < before, "{before} {}", store.bytes());
    assert!(store.keep_numbers().is_err());
}

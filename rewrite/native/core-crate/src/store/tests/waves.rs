use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use super::super::{
    Batch, Block, Direction, Entry, Expand, Hit, Keys, Layout, Store, UNKNOWN, Waves,
};
use super::spaces::{
    Counted, Space, eight_puzzle, eight_puzzle_in_words, fan, goal, good_soup, soup,
};
use super::{find, insert};
use crate::error::{Error, Exhausted};

/// What a caller is told of a batch.
pub type Told = (Range<u32>, Option<Hit>, Vec<u64>);

/// The states in order, each with its parent.
type States<K> = Vec<(Box<<K as Keys>::Key>, u32)>;

/// A search under way, batch by batch, level by level.
pub struct Search<'a, K: Keys> {
    space: &'a Space<'a, K>,
    pub store: Store<K>,
    waves: Waves<K, Counted>,
    pub next: u32,
    level: u32,
    levels: u32,
    pub watch: Watch,
    /// Of so many states it was known whether they are goals.
    foreseen: usize,
}

impl<'a, K: Keys> Search<'a, K> {
    /// `wave`: batches a wave; 0 lets the store judge.
    pub fn new(
        space: &'a Space<'a, K>,
        threads: usize,
        wave: usize,
        layout: Layout,
    ) -> Search<'a, K> {
        let mut store = Store::<K>::with(layout).unwrap();
        insert(&mut store, &*(space.start)(), 0).unwrap();
        let mut waves = Waves::new(threads, space).unwrap();
        if wave > 0 {
            waves.fix_length(wave);
        }
        let watch = watch_of(layout);
        Search { space, store, waves, next: 0, level: 1, levels: 0, watch, foreseen: 0 }
    }

    pub fn batch(&mut self, step: u32) -> Result<Told, Error> {
        let to = self.level.min(self.next + step);
        let ahead = self.store.reload(self.next, to, self.level)?;
        assert!((to..=self.level).contains(&ahead));
        let mut batch = forward(self.next, to, self.level, self.watch);
        batch.ahead = ahead;
        let grown = self.waves.grow(&mut self.store, self.space, &batch)?;
        let told = (grown.fresh, grown.hit, grown.counts.to_vec());
        self.look_for_goals(told.0.clone());
        self.next = to;
        assert_eq!(told.0.end, self.store.len());
        if self.next == self.level {
            self.level = self.store.len();
            self.levels += 1;
        }
        Ok(told)
    }

    /// What is known of goals is right, and nothing is known beside a state that cannot be tested.
    fn look_for_goals(&mut self, fresh: Range<u32>) {
        let truth: Result<Vec<bool>, _> =
            fresh.clone().map(|id| goal::<K>(self.store.key(id))).collect();
        let known: Vec<_> = fresh.clone().map(|id| self.waves.goal(id)).collect();
        match truth {
            Ok(truth) => {
                let same = |(known, truth): (&Option<bool>, &bool)| *known == Some(*truth);
                let foreseen = known.iter().zip(&truth).filter(|&pair| same(pair)).count();
                assert!(known.iter().all(Option::is_none) || foreseen == truth.len());
                self.foreseen += foreseen;
            }
            Err(_) => assert!(known.iter().all(Option::is_none)),
        }
        for other in [fresh.start.checked_sub(1), Some(fresh.end)].into_iter().flatten() {
            assert_eq!(self.waves.goal(other), None);
        }
    }

    pub fn open(&self) -> bool {
        self.next < self.level
    }

    fn run(&mut self, step: u32) -> Vec<Told> {
        let mut all = Vec::new();
        while self.open() {
            all.push(self.batch(step).unwrap());
        }
        all
    }

    pub fn states(&self) -> States<K> {
        let key = |id| self.store.with_key(id, |key| Ok((self.space.keep)(key))).unwrap();
        let state = |id| (key(id), self.store.any_parent(id).unwrap());
        (0..self.store.len()).map(state).collect()
    }
}

/// These states, with a watch.
fn forward(from: u32, to: u32, ahead: u32, watch: Watch) -> Batch {
    Batch { direction: Direction::Forward, from, to, ahead, watch: watch(ahead) }
}

/// States to watch while a level is expanded, of which the end is given.
pub type Watch = fn(u32) -> Range<u32>;

/// The start, or many.
fn many(level: u32) -> Range<u32> {
    if level.is_multiple_of(3) { 0..1 } else { level / 7..level - level / 9 }
}

/// So few that numbers need not be kept; often of the level before, so that they are made again.
fn few(level: u32) -> Range<u32> {
    let from = match level % 3 {
        0 => 0,
        1 => level / 2,
        _ => level - level / 6,
    };
    from..level.min(from + 3)
}

fn watch_of(layout: Layout) -> Watch {
    if layout.key_bits.is_some() { few } else { many }
}

/// The same in the obvious way: one state after the other, with a map.
fn naive<K: Keys>(space: &Space<K>, step: u32, watch: Watch) -> (Vec<Told>, States<K>)
where
    K::Key: Hash,
{
    let mut states: States<K> = vec![((space.start)(), 0)];
    let mut numbers = HashMap::from([((space.start)(), 0)]);
    let (mut all, mut worker, mut block) = (Vec::new(), space.worker().unwrap(), Block::default());
    let (mut next, mut level) = (0, 1);
    while next < level {
        let (first, mut hit, mut counts) = (states.len() as u32, None, Vec::new());
        let to = level.min(next + step);
        for id in next..to {
            block.clear();
            let key = &states[id as usize].0;
            space
                .expand(&mut worker, Direction::Forward, (id, key, UNKNOWN), None, &mut block)
                .unwrap();
            for at in 0..block.len() {
                let count = states.len() as u32;
                let number = *numbers.entry((space.keep)(block.key(at))).or_insert(count);
                if number == count {
                    states.push(((space.keep)(block.key(at)), id));
                } else if watch(level).contains(&number) {
                    hit = hit.or(Some(Hit { parent: id, state: number }));
                }
            }
        }
        space.take_counts(&mut worker, &mut counts).unwrap();
        all.push((first..states.len() as u32, hit, counts));
        next = to;
        if next == level {
            level = states.len() as u32;
        }
    }
    (all, states)
}

/// Threads, batches a wave, and states a batch.
fn every_way_is_the_naive_one<K: Keys>(
    space: &Space<K>,
    layout: Layout,
    ways: &[(usize, usize, u32)],
) where
    K::Key: Hash,
{
    let mut truth = HashMap::new();
    for &(threads, wave, step) in ways {
        let (told, states) =
            truth.entry(step).or_insert_with(|| naive(space, step, watch_of(layout)));
        let mut search = Search::new(space, threads, wave, layout);
        let found = search.run(step);
        assert!(found == *told, "{threads} {wave} {step}");
        assert!(search.states() == *states, "{threads} {wave} {step}");
        assert!(told.iter().any(|(fresh, hit, _)| fresh.start > 50_000 && hit.is_some()));
    }
}

#[test]
fn any_number_of_threads_finds_what_one_finds_in_keys_of_one_word() {
    let ways = [
        (1, 0, 1024),
        (1, 5, 1024),
        (2, 0, 1024),
        (2, 64, 1024),
        (3, 7, 1024),
        (8, 16, 1024),
        (3, 30, 100),
    ];
    every_way_is_the_naive_one(&eight_puzzle(), Layout::default(), &ways);
    for split in [0, Layout::default().split, 500_000] {
        let layout = Layout { key_bits: Some(36), split };
        every_way_is_the_naive_one(&eight_puzzle(), layout, &ways);
    }
}

#[test]
fn numbers_can_be_asked_for_at_any_time() {
    let space = eight_puzzle();
    let layout = Layout { key_bits: Some(36), ..Layout::default() };
    for (threads, turn) in [(1, 40), (2, 90), (3, 130)] {
        let mut plain = Search::new(&space, 1, 1, layout);
        let mut waves = Search::new(&space, threads, 8, layout);
        for number in 0.. {
            assert_eq!(waves.batch(1024).unwrap(), plain.batch(1024).unwrap());
            if !plain.open() {
                break;
            }
            if number == turn {
                waves.store.keep_numbers().unwrap();
            }
            if number >= turn && number % 50 == 0 {
                let all = 0..waves.store.len();
                assert!(
                    all.into_iter().all(|id| find(&waves.store, waves.store.key(id)) == Some(id))
                );
            }
        }
        assert_eq!(waves.store.len(), 181_440);
        assert!(waves.states() == plain.states());
    }
}

#[test]
fn any_number_of_threads_finds_what_one_finds_in_keys_of_differing_length() {
    let usual = Layout::default();
    every_way_is_the_naive_one(&eight_puzzle_in_words(), usual, &[(1, 0, 1024), (2, 10, 1024)]);
    every_way_is_the_naive_one(
        &good_soup(13),
        usual,
        &[(1, 0, 1024), (2, 0, 1024), (2, 3, 1024), (3, 50, 1024), (8, 8, 1024), (2, 500, 37)],
    );
}

#[test]
fn unseen_states_are_not_found_and_asking_for_other_batches_changes_nothing() {
    let space = good_soup(13);
    let mut plain = Search::new(&space, 1, 1, Layout::default());
    let mut waves = Search::new(&space, 2, 12, Layout::default());
    let mut unseen = 0;
    for turn in 0_u32.. {
        if !plain.open() {
            break;
        }
        // Now and then another length than the one that was expected.
        let step = if turn % 5 == 4 { 777 } else { 500 };
        assert_eq!(waves.batch(step).unwrap(), plain.batch(step).unwrap());
        let (seen, stored) = (waves.store.len(), waves.store.keys.len() as u32);
        for id in seen..stored {
            let key = waves.store.keys.get(id);
            assert_eq!(find(&waves.store, key), None);
            unseen += 1;
        }
        if turn % 7 == 3 && turn < 300 {
            // Another state comes in between; or one that the wave has found already.
            let key = if turn % 2 == 0 && seen < stored {
                waves.store.keys.get(seen).to_vec()
            } else {
                vec![12, 13 + turn]
            };
            let answer = insert(&mut waves.store, &key, turn).unwrap();
            assert_eq!(answer, insert(&mut plain.store, &key, turn).unwrap());
            assert_eq!(answer, Entry::New(seen));
        } else if turn % 7 == 5 {
            // Nothing new comes in, but the unseen must make room for it all the same.
            assert_eq!(insert(&mut waves.store, &(space.start)(), 0).unwrap(), Entry::Old(0));
        }
    }
    assert!(unseen > 100_000, "{unseen}");
    assert!(waves.states() == plain.states());
}

#[test]
fn a_failing_state_ends_the_search_after_the_batches_before_and_can_be_tried_again() {
    let bad = AtomicU32::new(u32::MAX);
    let (space, step) = (soup(13, &bad), 256);
    let (told, states) = naive(&space, step, many);
    for (threads, wave) in [(1, 1), (2, 20), (3, 64), (8, 9)] {
        bad.store(40_000, Ordering::Relaxed);
        let mut search = Search::new(&space, threads, wave, Layout::default());
        let mut batches = told.iter();
        loop {
            let end = search.level.min(search.next + step);
            match search.batch(step) {
                Ok(found) => assert_eq!(&found, batches.next().unwrap()),
                Err(error) => {
                    assert!(matches!(error, Error::Failed { .. }));
                    assert!((search.next..end).contains(&40_000));
                    break;
                }
            }
        }
        assert!(search.batch(step).is_err());
        bad.store(u32::MAX, Ordering::Relaxed);
        for found in search.run(step) {
            assert_eq!(&found, batches.next().unwrap());
        }
        assert!(search.states() == states);
    }
}

#[test]
fn the_batch_after_a_failing_one_is_not_what_was_left_of_it() {
    let bad = AtomicU32::new(u32::MAX);
    let space = soup(13, &bad);
    let usual = Layout::default();
    let whole = Layout { split: usize::MAX, ..usual };
    for (threads, wave, layout) in [(1, 1, usual), (2, 20, usual), (2, 20, whole)] {
        bad.store(40_000, Ordering::Relaxed);
        let mut search = Search::new(&space, threads, wave, layout);
        while search.batch(256).is_ok() {}
        let (begin, level) = (search.next + 256, search.level);
        let Search { store, waves, .. } = &mut search;
        let (fresh, counts) = {
            let grown =
                waves.grow(store, &space, &forward(begin, begin + 256, level, many)).unwrap();
            (grown.fresh, grown.counts.to_vec())
        };
        let (mut worker, mut block, mut truth) =
            (space.worker().unwrap(), Block::default(), Vec::new());
        for id in begin..begin + 256 {
            let key = store.key(id);
            space
                .expand(&mut worker, Direction::Forward, (id, key, UNKNOWN), None, &mut block)
                .unwrap();
        }
        space.take_counts(&mut worker, &mut truth).unwrap();
        assert_eq!(counts, truth);
        let parents = fresh.map(|id| store.parent(id)).collect::<Vec<_>>();
        assert!(parents.is_sorted() && !parents.is_empty());
        assert!((begin..begin + 256).contains(&parents[0]));
    }
}

#[test]
fn a_state_that_comes_in_while_batches_without_news_wait_keeps_its_number() {
    let space = fan(40_000);
    let mut plain = Search::new(&space, 1, 1, Layout::default());
    let mut waves = Search::new(&space, 2, 64, Layout::default());
    for turn in 0.. {
        assert_eq!(waves.batch(500).unwrap(), plain.batch(500).unwrap());
        if !plain.open() {
            break;
        }
        if plain.level > 30_000 && turn % 3 == 0 {
            let key = [1_000_000 + turn];
            let answer = insert(&mut waves.store, &key, 7).unwrap();
            assert_eq!(answer, insert(&mut plain.store, &key, 7).unwrap());
        }
        if turn > 200 {
            break;
        }
    }
    assert!(waves.states() == plain.states());
}

/// Runs into budget after budget, each a little larger; the number of states at each, and the end.
fn stops<'a, K: Keys>(
    space: &'a Space<'a, K>,
    layout: Layout,
    threads: usize,
    wave: usize,
) -> (Vec<(u32, u32)>, Search<'a, K>) {
    let mut search = Search::new(space, threads, wave, layout);
    let (mut budget, mut stops) = (1 << 19, Vec::new());
    while search.open() {
        search.store.set_budget(Some(budget));
        match search.batch(1024) {
            Ok(_) => assert!(search.store.bytes() <= budget),
            Err(Error::Memory(Exhausted::Budget)) => {
                stops.push((search.next, search.store.len()));
                budget += budget / 9;
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    (stops, search)
}

#[test]
fn a_budget_ends_the_search_at_the_same_state_for_any_number_of_threads() {
    let space = eight_puzzle();
    let usual = Layout::default();
    for layout in [usual, Layout { key_bits: Some(36), ..usual }] {
        let (truth, alone) = stops(&space, layout, 1, 1);
        assert!(truth.len() > 10, "{truth:?}");
        for (threads, wave) in [(2, 0), (2, 8), (3, 32)] {
            let (found, search) = stops(&space, layout, threads, wave);
            assert_eq!(found, truth);
            assert!(search.states() == alone.states());
        }
    }
    let soup = good_soup(13);
    let (truth, alone) = stops(&soup, usual, 1, 1);
    assert!(truth.len() > 10, "{truth:?}");
    let (found, search) = stops(&soup, usual, 2, 8);
    assert_eq!(found, truth);
    assert!(search.states() == alone.states());
}

#[test]
fn waves_are_used_where_a_level_is_long_enough() {
    let space = eight_puzzle();
    let mut search = Search::new(&space, 2, 8, Layout::default());
    let mut unseen = 0;
    while search.open() {
        search.batch(1024).unwrap();
        unseen += usize::from(search.store.keys.len() > search.store.len() as usize);
    }
    assert!(unseen > 50, "{unseen}");
    assert!(search.foreseen > 50_000, "{}", search.foreseen);
    assert_eq!((search.store.len(), search.levels - 1), (181_440, 31));
}

use super::super::{Entry, Fixed, Keys, Layout, Store, Varied};
use super::{insert, words};
use crate::error::{Error, Exhausted};

/// The most bytes a state at any size from 10^6 to 2·10^6: each shard doubles once on the way.
fn worst<K: Keys>(
    layout: Layout,
    key: impl Fn(u64) -> Box<K::Key>,
    extra: impl Fn(&K::Key) -> usize,
) -> f64 {
    let mut store = Store::<K>::with(layout).unwrap();
    let (mut worst, mut beside) = (0.0_f64, 0);
    for value in 0..2_000_000 {
        let key = key(value);
        insert(&mut store, &key, 0).unwrap();
        beside += extra(&key);
        if value >= 1_000_000 {
            worst = worst.max((store.bytes() - beside) as f64 / (value + 1) as f64);
        }
    }
    worst
}

#[test]
fn a_state_of_one_word_never_costs_more_than_24_bytes() {
    let worst = worst::<Fixed<1>>(Layout::default(), |value| Box::new([value]), |_| 0);
    println!("{worst}");
    assert!(worst <= 24.0, "{worst}");
}

#[test]
fn a_state_of_few_bits_never_costs_more_than_20_bytes_and_mostly_19() {
    let layout = Layout { key_bits: Some(40), ..Layout::default() };
    let worst = worst::<Fixed<1>>(layout, |value| Box::new([value]), |_| 0);
    println!("{worst}");
    assert!(worst <= 20.0, "{worst}");
}

#[test]
fn a_state_of_many_words_never_costs_more_than_20_bytes_beside_them() {
    let worst = worst::<Varied>(
        Layout::default(),
        |value| words(value, (value % 23) as usize + 1).into(),
        |key| 4 * key.len(),
    );
    println!("{worst}");
    assert!(worst <= 20.0, "{worst}");
}

/// Fills a store up to its budget; it must refuse, hold the budget, and go on with a larger one.
fn refuses<K: Keys>(layout: Layout, key: impl Fn(u64) -> Box<K::Key>) {
    let mut store = Store::<K>::with(layout).unwrap();
    let mut count = 0;
    for budget in (1_000..2_000_000).step_by(77_777) {
        store.set_budget(Some(budget));
        loop {
            match insert(&mut store, &key(count), 0) {
                Ok(answer) => assert_eq!(answer, Entry::New(count as u32)),
                Err(Error::Memory(Exhausted::Budget)) => break,
                Err(other) => panic!("{other:?}"),
            }
            count += 1;
            assert!(store.bytes() <= budget);
        }
        assert_eq!(u64::from(store.len()), count);
        assert!(!store.has(&key(count), store.hash(&key(count))));
        for value in 0..count {
            let old = insert(&mut store, &key(value), 0).unwrap();
            assert!([Entry::Old(value as u32), Entry::Known].contains(&old));
        }
    }
    store.set_budget(None);
    assert_eq!(insert(&mut store, &key(count), 0).unwrap(), Entry::New(count as u32));
}

#[test]
fn a_store_refuses_to_grow_over_its_budget_and_stays_usable() {
    let usual = Layout::default();
    refuses::<Fixed<1>>(usual, |value| Box::new([value]));
    refuses::<Fixed<1>>(Layout { key_bits: Some(40), ..usual }, |value| Box::new([value]));
    refuses::<Fixed<1>>(Layout { key_bits: Some(20), split: 0 }, |value| Box::new([value]));
    refuses::<Fixed<3>>(usual, |value| Box::new([value, 1, 2]));
    refuses::<Varied>(usual, |value| words(value, (value % 9) as usize + 1).into());
}

#[test]
fn a_store_out_of_numbers_says_that_the_machine_is_exhausted() {
    let mut store = Store::<Fixed<1>>::with(Layout::default()).unwrap();
    store.most = 1000;
    for value in 0..1000 {
        insert(&mut store, &[value], 0).unwrap();
    }
    let refused = insert(&mut store, &[1000], 0);
    assert!(matches!(refused, Err(Error::Memory(Exhausted::Machine))));
    assert_eq!(insert(&mut store, &[999], 0).unwrap(), Entry::Old(999));
    assert_eq!(store.len(), 1000);
}

use super::super::{Fixed, Keys, Store, Varied};
use super::{hash, words};
use crate::trouble::{Exhausted, Outcome, Trouble};

fn insert<K: Keys>(store: &mut Store<K>, key: &K::Key) -> Outcome<(u32, bool)> {
    store.insert(key, hash::<K>(key), 0)
}

/// The most bytes a state at any size from 10^6 to 2·10^6: each shard doubles once on the way.
fn worst<K: Keys>(key: impl Fn(u64) -> Box<K::Key>, extra: impl Fn(&K::Key) -> usize) -> f64 {
    let mut store = Store::<K>::new().unwrap();
    let (mut worst, mut beside) = (0.0_f64, 0);
    for value in 0..2_000_000 {
        let key = key(value);
        insert(&mut store, &key).unwrap();
        beside += extra(&key);
        if value >= 1_000_000 {
            worst = worst.max((store.bytes() - beside) as f64 / (value + 1) as f64);
        }
    }
    worst
}

#[test]
fn a_state_of_one_word_never_costs_more_than_24_bytes() {
    let worst = worst::<Fixed<1>>(|value| Box::new([value]), |_| 0);
    println!("{worst}");
    assert!(worst <= 24.0, "{worst}");
}

#[test]
fn a_state_of_many_words_never_costs_more_than_20_bytes_beside_them() {
    let worst = worst::<Varied>(
        |value| words(value, (value % 23) as usize + 1).into(),
        |key| 4 * key.len(),
    );
    println!("{worst}");
    assert!(worst <= 20.0, "{worst}");
}

/// Fills a store up to its budget; it must refuse, hold the budget, and go on with a larger one.
fn refuses<K: Keys>(key: impl Fn(u64) -> Box<K::Key>) {
    let mut store = Store::<K>::new().unwrap();
    let mut count = 0;
    for budget in (1_000..2_000_000).step_by(77_777) {
        store.set_budget(Some(budget));
        loop {
            match insert(&mut store, &key(count)) {
                Ok(answer) => assert_eq!(answer, (count as u32, true)),
                Err(Trouble::Memory(Exhausted::Budget)) => break,
                Err(other) => panic!("{other:?}"),
            }
            count += 1;
            assert!(store.bytes() <= budget);
        }
        assert_eq!(u64::from(store.len()), count);
        let absent = key(count);
        assert_eq!(store.find(&absent, hash::<K>(&absent)), None);
        for value in 0..count {
            assert_eq!(insert(&mut store, &key(value)).unwrap(), (value as u32, false));
        }
    }
    store.set_budget(None);
    assert_eq!(insert(&mut store, &key(count)).unwrap(), (count as u32, true));
}

#[test]
fn a_store_refuses_to_grow_over_its_budget_and_stays_usable() {
    refuses::<Fixed<1>>(|value| Box::new([value]));
    refuses::<Fixed<3>>(|value| Box::new([value, 1, 2]));
    refuses::<Varied>(|value| words(value, (value % 9) as usize + 1).into());
}

#[test]
fn a_store_out_of_numbers_says_that_the_machine_is_exhausted() {
    let mut store = Store::<Fixed<1>>::new().unwrap();
    store.most = 1000;
    for value in 0..1000 {
        insert(&mut store, &[value]).unwrap();
    }
    let refused = insert(&mut store, &[1000]);
    assert!(matches!(refused, Err(Trouble::Memory(Exhausted::Machine))));
    assert_eq!(insert(&mut store, &[999]).unwrap(), (999, false));
    assert_eq!(store.len(), 1000);
}

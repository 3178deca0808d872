use super::push_ints;
use crate::interner::Interner;
use crate::random::Random;
use crate::value::Val;

/// Ints at the borders of what is kept in a word, and beyond.
fn int(random: &mut Random) -> i64 {
    let near = [0, 1 << 30, -(1 << 30), 1 << 31, -(1 << 31), 1 << 32, Val::SMALL_MAX - 9];
    let among = if random.word().is_multiple_of(9) { near.len() } else { 3 };
    near[random.word() as usize % among] + i64::from(random.word() % 6) - 5
}

#[test]
fn an_int_is_put_where_sorting_puts_it() {
    let (interner, mut random) = (Interner::default(), Random::new(11));
    let (mut done, mut left) = (0, 0);
    for _ in 0..20_000 {
        let mut ints: Vec<i64> = (0..random.word() % 9).map(|_| int(&mut random)).collect();
        ints.sort_unstable();
        let vals: Vec<Val> = ints.iter().map(|&int| Val::from_small(int)).collect();
        let one = int(&mut random);
        let mut key = vec![5];
        let put = push_ints(&vals, Val::from_small(one), &mut key).unwrap();
        ints.push(one);
        ints.sort_unstable();
        let words = ints.iter().all(|int| (-(1 << 30)..1 << 30).contains(int));
        assert_eq!(put, words);
        let wanted = ints.iter().filter(|_| words).map(|&int| interner.pack(Val::from_small(int)));
        let wanted: Vec<u32> = [Ok(5)].into_iter().chain(wanted).collect::<Result<_, _>>().unwrap();
        assert_eq!(key, wanted);
        *(if put { &mut done } else { &mut left }) += 1;
    }
    assert!(done > 1_000 && left > 1_000, "{done} {left}");
}

#[test]
fn what_is_no_int_is_left_alone() {
    let mut key = Vec::new();
    assert!(!push_ints(&[Val::TRUE], Val::from_small(1), &mut key).unwrap());
    assert!(!push_ints(&[Val::from_small(1)], Val::TRUE, &mut key).unwrap());
    assert!(key.is_empty());
}

use super::*;

fn borders() -> Vec<i128> {
    let mut found = vec![0, 1, -1, 7, -7];
    for border in [29, 30, 31, 32, 60, 61, 62, 63, 64, 65, 95, 96, 97, 120] {
        for near in -2..=2 {
            found.extend([(1i128 << border) + near, -(1i128 << border) + near]);
        }
    }
    found
}

fn ints<const N: usize>(values: [i64; N]) -> [Val; N] {
    values.map(Val::from_small)
}

#[test]
fn an_int_has_one_value_however_it_was_made() {
    let terms = Interner::default();
    for n in borders() {
        let big = BigInt::from(n);
        let value = terms.int(&big).unwrap();
        assert_eq!(value, terms.whole(n).unwrap(), "{n}");
        assert_eq!(value, terms.int(&(&big + 1 - 1)).unwrap(), "{n}");
        assert_eq!(terms.big(value).unwrap(), Some(big));
        assert_eq!(terms.kind(value), Kind::Int);
        let fits = i128::from(Val::SMALL_MIN) <= n && n <= i128::from(Val::SMALL_MAX);
        assert_eq!(value.is_small(), fits, "{n}");
    }
    assert_eq!(terms.whole(i128::MIN).unwrap(), terms.int(&BigInt::from(i128::MIN)).unwrap());
    let huge = BigInt::from(3).pow(5000);
    assert_eq!(terms.big(terms.int(&huge).unwrap()).unwrap(), Some(huge));
}

#[test]
fn a_packed_value_comes_back_and_equal_values_are_equal_words() {
    let terms = Interner::default();
    let mut values: Vec<Val> = borders().iter().map(|&n| terms.whole(n).unwrap()).collect();
    values.extend([Val::TRUE, Val::FALSE, terms.text("x").unwrap(), terms.tuple(&[]).unwrap()]);
    for &a in &values {
        let word = terms.pack(a).unwrap();
        assert_eq!(terms.unpack(word), a);
        for &b in &values {
            assert_eq!(word == terms.pack(b).unwrap(), a == b);
        }
    }
    let takes_no_memory = |n: i64| terms.pack(Val::from_small(n)).unwrap() & 1 == 0;
    let border = 1 << 30;
    assert!(takes_no_memory(border - 1) && takes_no_memory(-border));
    assert!(!takes_no_memory(border) && !takes_no_memory(-border - 1));
}

#[test]
fn equal_terms_are_equal_words_and_different_ones_are_not() {
    let terms = Interner::default();
    let long: Vec<Val> = (0..1000).map(|n| Val::from_small(n << 25)).collect();
    let tuples = [
        vec![],
        vec![Val::BAG],
        vec![Val::ctor(1)],
        ints([0]).to_vec(),
        ints([1]).to_vec(),
        ints([1, 2]).to_vec(),
        ints([1, 2, 0]).to_vec(),
        [[Val::BAG].as_slice(), &ints([2])].concat(),
        [[Val::ctor(1)].as_slice(), &ints([2])].concat(),
        long[..8].to_vec(),
        long[..9].to_vec(),
        long[..128].to_vec(),
        long[..129].to_vec(),
        long,
    ];
    let made: Vec<Val> = tuples.iter().map(|items| terms.tuple(items).unwrap()).collect();
    for (place, items) in tuples.iter().enumerate() {
        let again = terms.tuple(items).unwrap();
        assert_eq!(made.iter().position(|&value| value == again), Some(place));
        let mut found = vec![Val::TRUE];
        terms.push_items(again, &mut found).unwrap();
        assert_eq!(found[1..], items[..]);
        assert_eq!(terms.len(again), items.len());
        assert!((0..items.len()).all(|place| terms.get(again, place) == items[place]));
    }
}

#[test]
fn a_node_holds_nothing_but_its_own_shape_length_and_words() {
    // equal hashes are too rare to be met by chance
    let terms = Interner::default();
    let tuple = terms.tuple(&ints([1, 2])).unwrap().as_node().unwrap();
    assert!(terms.holds(tuple, header(shape::SEQ, 2), &[2, 4]));
    assert!(!terms.holds(tuple, header(shape::MARKED, 2), &[2, 4]));
    assert!(!terms.holds(tuple, header(shape::SEQ, 1), &[2]));
    assert!(!terms.holds(tuple, header(shape::SEQ, 2), &[2, 5]));
}

#[test]
fn a_text_comes_back_and_its_length_is_in_characters() {
    let terms = Interner::default();
    for text in ["", "a", "abc", "abcd", "abcd\0", "größe", "日本語", "a😀b", &"é".repeat(700)]
    {
        let value = terms.text(text).unwrap();
        assert_eq!(terms.str(value).unwrap().as_deref(), Some(text));
        assert_eq!(terms.len(value), text.chars().count());
        assert_eq!(terms.text(text).unwrap(), value);
    }
    assert_eq!(terms.str(Val::TRUE).unwrap(), None);
    assert_eq!(terms.str(Val::from_small(1)).unwrap(), None);
    assert_eq!(terms.big(terms.text("1").unwrap()).unwrap(), None);
    assert_eq!(terms.big(Val::TRUE).unwrap(), None);
}

#[test]
fn a_value_knows_its_kind_and_the_order_is_by_kind_then_by_value_then_by_the_first_difference() {
    let terms = Interner::default();
    let int = |n: i128| terms.whole(n).unwrap();
    let text = |text: &str| terms.text(text).unwrap();
    let tuple = |items: &[Val]| terms.tuple(items).unwrap();
    let [zero, one, two] = ints([0, 1, 2]);
    let mut ascending = vec![Val::FALSE, Val::TRUE];
    let mut numbers = borders();
    numbers.sort();
    numbers.dedup();
    ascending.extend(numbers.iter().map(|&n| int(n)));
    let texts = ["", "\0", "a", "a\0", "a\0b", "ab", "abcd", "abcda", "b", "ÿ", "\u{ffff}", "😀"];
    ascending.extend(texts.map(text));
    let nested = |inner: Val| tuple(&[one, inner, zero]);
    ascending.extend([
        tuple(&[]),
        tuple(&[Val::TRUE, two, two]),
        tuple(&[int(-(1 << 50))]),
        tuple(&[zero]),
        tuple(&[one]),
        tuple(&[one, zero]),
        tuple(&[one, int(1 << 31)]),
        tuple(&[one, int(1 << 80)]),
        nested(text("z")),
        nested(tuple(&[])),
        nested(tuple(&[text("y")])),
        nested(tuple(&[text("y"), zero])),
        nested(tuple(&[Val::BAG])),
        nested(tuple(&[Val::ctor(1)])),
        tuple(&[two]),
        tuple(&[Val::BAG]),
        tuple(&[Val::BAG, one, one]),
        tuple(&[Val::BAG, two]),
        tuple(&[Val::ctor(1)]),
        tuple(&[Val::ctor(1), two]),
        tuple(&[Val::ctor(2), one]),
        tuple(&[Val::ctor(2), one, zero]),
        Val::BAG,
        Val::ctor(1),
    ]);
    let kinds = [Val::FALSE, zero, text(""), tuple(&[]), tuple(&[Val::BAG])].map(|a| terms.kind(a));
    assert_eq!(kinds, [Kind::Bool, Kind::Int, Kind::Str, Kind::Seq, Kind::Bag]);
    assert_eq!(terms.kind(tuple(&[Val::ctor(9), Val::TRUE])), Kind::Term(9));
    assert_eq!(terms.kind(Val::ctor(9)), Kind::Ctor);
    for (i, &a) in ascending.iter().enumerate() {
        for (j, &b) in ascending.iter().enumerate() {
            assert_eq!(terms.cmp(a, b), i.cmp(&j), "{i} {j}");
        }
    }
}

#[test]
fn threads_that_intern_the_same_terms_get_the_same_words() {
    let terms = Interner::default();
    let start = std::sync::Barrier::new(8);
    let work = |thread: usize| {
        start.wait();
        let mut made = vec![Val::FALSE; 20_000];
        for step in 0..made.len() {
            let place = (step + thread * 2500) % made.len(); // each begins elsewhere
            let n = place as i64;
            let inner = terms.tuple(&ints([n % 97, n << 20])).unwrap();
            let name = terms.text(&format!("{}", place % 1000)).unwrap();
            made[place] = terms.tuple(&[Val::ctor(1), inner, name]).unwrap();
            assert_eq!(terms.get(terms.get(made[place], 1), 1), Val::from_small(n << 20));
        }
        made
    };
    let found: Vec<Vec<Val>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|thread| scope.spawn(move || work(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(found.iter().all(|made| made == &found[0]));
    let mut different = found[0].clone();
    different.sort_by(|&a, &b| terms.cmp(a, b));
    different.dedup();
    assert_eq!(different.len(), 20_000);
}

#[test]
fn memory_in_use_grows_with_new_terms_only() {
    let terms = Interner::default();
    let fill = || {
        for n in 0..10_000 {
            terms.tuple(&ints([n, n, n])).unwrap();
        }
        terms.bytes()
    };
    let (empty, full) = (terms.bytes(), fill());
    assert!(full - empty >= 10_000 * (16 + 4));
    assert_eq!(fill(), full);
}

/// Values of every shape, some of them in each other.
fn values(interner: &Interner) -> Vec<Val> {
    let small = Val::from_small;
    let mut made = vec![small(0), small(-5), small(1 << 30), small(-(1 << 30) - 1), small(1 << 60)];
    made.extend([
        Val::TRUE,
        Val::FALSE,
        interner.text("").unwrap(),
        interner.text("häuser").unwrap(),
    ]);
    made.extend([interner.whole(1 << 100).unwrap(), interner.whole(-(1 << 70)).unwrap()]);
    made.push(interner.tuple(&[]).unwrap());
    made.push(interner.tuple(&made).unwrap());
    made.push(interner.tuple(&[Val::ctor(7)]).unwrap());
    made.push(interner.tuple(&[&[Val::ctor(2)], &made[..]].concat()).unwrap());
    made.push(interner.tuple(&[&[Val::BAG], &made[..]].concat()).unwrap());
    made
}

fn spelling(interner: &Interner, value: Val) -> Vec<u32> {
    let mut words = Vec::new();
    interner.spell(value, &mut words).unwrap();
    words
}

#[test]
fn a_value_that_is_spelled_out_is_the_same_to_another_interner() {
    let (one, other) = (Interner::default(), Interner::default());
    other.text("so that addresses differ").unwrap();
    for value in values(&one) {
        let words = spelling(&one, value);
        let mut rest = words.iter().copied();
        let read = other.spelled(&mut || rest.next().unwrap()).unwrap();
        assert_eq!(rest.next(), None, "all of it was read");
        assert_eq!(spelling(&other, read), words);
        assert_eq!(other.kind(read), one.kind(value));
    }
    let mine: Vec<_> = values(&one).into_iter().map(|value| spelling(&one, value)).collect();
    let theirs: Vec<_> = values(&other).into_iter().map(|value| spelling(&other, value)).collect();
    assert_eq!(mine, theirs, "equal values are spelled alike");
    let different: std::collections::HashSet<_> = mine.iter().collect();
    assert_eq!(different.len(), mine.len(), "others otherwise");
}

use std::collections::HashMap;

use super::*;
use crate::random::Random;

/// Whether a tuple is short, said in another way: by the least width of those there are.
fn plainly_short(items: &[Val]) -> bool {
    let mark = items.first().and_then(|first| first.as_ctor());
    let ints: Option<Vec<i128>> = items[usize::from(mark.is_some())..]
        .iter()
        .map(|one| one.as_small().map(i128::from))
        .collect();
    let Some(ints) = ints else { return false };
    let holds = |bits: u32| {
        let unsigned = ints.iter().all(|&int| 0 <= int && int < 1 << bits);
        let border = 1i128 << (bits - 1);
        unsigned || ints.iter().all(|&int| -border <= int && int < border)
    };
    let width = [4, 8, 16, 32, 64].into_iter().find(|&bits| holds(bits)).unwrap();
    ints.len() * width as usize <= 256 && mark.is_none_or(|number| number < 63)
}

/// Tuples of all lengths and sizes, at the borders of what is short above all.
fn tuples(terms: &Interner) -> Vec<Vec<Val>> {
    let mut random = Random::new(7);
    let mut borders = vec![0, 1, 2, 9];
    for bits in [3, 4, 7, 8, 10, 15, 16, 20, 30, 31, 32, 60] {
        borders.extend([(1i64 << bits) - 1, 1 << bits, -(1 << bits), -(1 << bits) - 1]);
    }
    borders.extend([Val::SMALL_MIN, Val::SMALL_MAX]);
    let marks =
        [Val::BAG, Val::ctor(1), Val::ctor(14), Val::ctor(15), Val::ctor(62), Val::ctor(63)];
    let mut made: Vec<Vec<Val>> = vec![vec![], vec![Val::ctor(u32::MAX)]];
    made.extend(marks.map(|mark| vec![mark]));
    for round in 0..4_000 {
        let len = [1, 2, 3, 5, 6, 8, 9, 16, 17, 32, 33, 64, 65][random.word() as usize % 13];
        let most = 1 + random.word() as usize % borders.len();
        let mut items: Vec<Val> =
            (0..len).map(|_| Val::from_small(borders[random.word() as usize % most])).collect();
        if round % 3 == 0 {
            items.insert(0, marks[random.word() as usize % marks.len()]);
        }
        if round % 17 == 0 {
            let odd = [Val::TRUE, terms.text("x").unwrap(), terms.tuple(&[]).unwrap()];
            *items.last_mut().unwrap() = odd[random.word() as usize % 3];
        }
        made.push(items);
    }
    made
}

#[test]
fn short_tuples_are_those_of_few_bits_and_come_back() {
    let terms = Interner::default();
    let mut seen: HashMap<Vec<u32>, Vec<Val>> = HashMap::new();
    let mut short = 0;
    for items in tuples(&terms) {
        let mut key = vec![77];
        let done = terms.push_short(&items, &mut key).unwrap();
        assert_eq!(done, plainly_short(&items), "{items:?}");
        let value = terms.tuple(&items).unwrap();
        let mut of_node = vec![77];
        terms.push_packed(value, &mut of_node).unwrap();
        if !done {
            assert_eq!((&key[..], &of_node[1..]), (&[77][..], &[terms.pack(value).unwrap()][..]));
            assert!(!is_short(of_node[1]));
            continue;
        }
        short += 1;
        assert_eq!(key, of_node, "a node and what it holds are written out alike");
        let words_of = &key[1..];
        assert!(is_short(words_of[0]) && words(words_of[0]) == words_of.len());
        let mut back = Vec::new();
        push_items(words_of, &mut back).unwrap();
        assert_eq!(back, items);
        assert_eq!(terms.unpack_first(words_of).unwrap(), value);
        let known = seen.entry(words_of.to_vec()).or_insert_with(|| items.clone());
        assert_eq!(*known, items, "different tuples are different words");
    }
    assert!(short > 1_000 && seen.len() > 500, "{short} {}", seen.len());
}

#[test]
fn small_terms_and_sequences_take_a_word() {
    let terms = Interner::default();
    let words_of = |items: &[i64]| {
        let items: Vec<Val> = items.iter().map(|&int| Val::from_small(int)).collect();
        let mut key = Vec::new();
        assert!(terms.push_short(&items, &mut key).unwrap());
        key.len()
    };
    assert_eq!(words_of(&[]), 1);
    assert_eq!(words_of(&[15, 0, 9, 8, 7]), 1);
    assert_eq!(words_of(&[1023, 1000]), 1);
    assert_eq!(words_of(&[1 << 19]), 1);
    assert_eq!(words_of(&[8, 6, 7, 2, 5, 4, 3, 0, 1]), 3);
    assert_eq!(words_of(&[14, 1 << 45]), 5);
    assert_eq!(words_of(&[-1]), 2);
}

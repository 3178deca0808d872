use super::*;

/// Ints around every border between two ways to write them.
fn grid() -> Vec<i128> {
    let mut found: Vec<i128> = (-13..=13).collect();
    for border in [30, 31, 32, 61, 62, 63, 64] {
        for near in -1..=1 {
            found.extend([(1 << border) + near, -(1 << border) + near]);
        }
    }
    found.extend([123_456_789_012_345_678_901, -98_765_432_109_876_543_210]);
    found
}

fn pairs() -> impl Iterator<Item = (i128, i128)> {
    grid().into_iter().flat_map(|a| grid().into_iter().map(move |b| (a, b)))
}

fn val(terms: &Interner, n: i128) -> Val {
    terms.int(&BigInt::from(n)).unwrap()
}

#[test]
fn sums_differences_products_and_order_are_those_of_wider_machine_ints() {
    let terms = &Interner::default();
    for (m, n) in pairs() {
        let (a, b) = (val(terms, m), val(terms, n));
        assert_eq!(add(terms, a, b).unwrap(), val(terms, m + n), "{m} + {n}");
        assert_eq!(sub(terms, a, b).unwrap(), val(terms, m - n), "{m} - {n}");
        let product = terms.int(&(BigInt::from(m) * BigInt::from(n))).unwrap();
        assert_eq!(mul(terms, a, b).unwrap(), product, "{m} * {n}");
        assert_eq!(terms.cmp(a, b), m.cmp(&n), "{m} ? {n}");
    }
    for n in grid() {
        assert_eq!(neg(terms, val(terms, n)).unwrap(), val(terms, -n));
        assert_eq!(abs(terms, val(terms, n)).unwrap(), val(terms, n.abs()));
    }
}

#[test]
fn division_rounds_down_and_the_rest_has_the_sign_of_the_divisor() {
    let terms = &Interner::default();
    for (m, n) in pairs() {
        let (a, b) = (val(terms, m), val(terms, n));
        if n == 0 {
            assert!(matches!(floor_div(terms, a, b), Err(Error::NoValue)));
            assert!(matches!(modulo(terms, a, b), Err(Error::NoValue)));
            continue;
        }
        // i128 rounds toward the sign that makes the rest positive
        let (mut quotient, mut rest) = (m.div_euclid(n), m.rem_euclid(n));
        if n < 0 && rest != 0 {
            (quotient, rest) = (quotient - 1, rest + n);
        }
        assert_eq!(floor_div(terms, a, b).unwrap(), val(terms, quotient), "{m} // {n}");
        assert_eq!(modulo(terms, a, b).unwrap(), val(terms, rest), "{m} % {n}");
    }
}

#[test]
fn a_power_is_repeated_multiplication_and_has_limits() {
    let terms = &Interner::default();
    let pow = |a: i128, b: i128| power(terms, val(terms, a), val(terms, b));
    for base in grid() {
        let mut expected = Val::from_small(1);
        for exponent in 0..6 {
            assert_eq!(pow(base, exponent).unwrap(), expected, "{base} ** {exponent}");
            expected = mul(terms, expected, val(terms, base)).unwrap();
        }
        assert!(matches!(pow(base, -1), Err(Error::NoValue)));
        assert!(matches!(pow(base, -(1 << 70)), Err(Error::NoValue)));
    }
    assert_eq!(pow(-1, 1 << 70).unwrap(), Val::from_small(1));
    assert_eq!(pow(-1, (1 << 70) + 1).unwrap(), Val::from_small(-1));
    assert_eq!(pow(0, 1 << 70).unwrap(), Val::from_small(0));
    assert!(pow(2, 5_000_000).is_ok());
    for (base, exponent) in [
        (2, 5_000_001),
        (1024, 909_091), // 11 bits: one bit too many
        (-2, 5_000_001),
        (2, 1 << 70),
        (1 << 70, 1 << 20),
    ] {
        let why = pow(base, exponent).unwrap_err();
        assert!(matches!(why, Error::Failed { why, .. } if why == "a power is too large"));
    }
}

#[test]
fn what_is_no_int_is_refused_with_what_it_is() {
    let terms = &Interner::default();
    let one = Val::from_small(1);
    let large = val(terms, 1 << 90);
    let text = terms.text("one").unwrap();
    let seq = terms.tuple(&[one]).unwrap();
    let term = terms.tuple(&[Val::ctor(4), one]).unwrap();
    let cases = [
        (Val::TRUE, "a truth value"),
        (text, "a text"),
        (seq, "a sequence"),
        (term, "a term"),
        (Val::tmp(3, 2), "a tuple"),
    ];
    for (value, name) in cases {
        let expected = format!("a whole number was needed, found {name}");
        let refused = |error: Error| match error {
            Error::Failed { why, state: None } => assert_eq!(why, expected),
            other => panic!("{other:?}"),
        };
        for work in [add, sub, mul, floor_div, modulo, power] {
            for other in [one, large] {
                refused(work(terms, value, other).unwrap_err());
                refused(work(terms, other, value).unwrap_err());
            }
        }
        refused(neg(terms, value).unwrap_err());
        refused(abs(terms, value).unwrap_err());
        refused(digits(terms, value, &mut Vec::new()).unwrap_err());
    }
}

#[test]
fn digits_and_the_number_of_digits_undo_each_other() {
    let terms = &Interner::default();
    for n in grid() {
        let mut found = vec![Val::TRUE];
        let outcome = digits(terms, val(terms, n), &mut found);
        if n < 0 {
            assert!(matches!(outcome, Err(Error::NoValue)));
            continue;
        }
        let letters = n.to_string().into_bytes();
        let expected = letters.iter().map(|&letter| Val::from_small(i64::from(letter - b'0')));
        assert_eq!(found[1..], expected.collect::<Vec<_>>(), "{n}, after what was there");
        assert_eq!(number(terms, &found[1..]).unwrap(), val(terms, n));
    }
    let zeros = [[Val::from_small(0); 30].as_slice(), &[Val::from_small(7)]].concat();
    assert_eq!(number(terms, &zeros).unwrap(), Val::from_small(7));
}

#[test]
fn only_digits_make_a_number() {
    let terms = &Interner::default();
    let refused = |digits: &[Val]| matches!(number(terms, digits), Err(Error::NoValue));
    assert!(refused(&[]));
    for wrong in [Val::from_small(10), Val::from_small(-1), Val::TRUE, Val::BAG] {
        assert!(refused(&[Val::from_small(1), wrong]));
        assert!(refused(&[[Val::from_small(1); 20].as_slice(), &[wrong]].concat()));
    }
}

//! Random ground rules and conditions, as kernels and read one by one: the same successors, costs,
//! counts and truth values.

use super::Kernel;
use crate::error::Error;
use crate::ground::{Conditional, Effect, Formula, GroundRule, Mapped, Rules, Source};
use crate::program::{BitTest, Form};
use crate::random::Random;
use crate::value::Val;
use crate::vm::machine::testing::of_rules;
use crate::vm::worker::Worker;

const RULES: u16 = 3;
const COUNTERS: u16 = 2 * RULES;
const SUCCESSORS: u16 = 0;

struct Drawn {
    random: Random,
    words: usize,
}

impl Drawn {
    fn below(&mut self, most: u32) -> u32 {
        self.random.word() % most
    }

    fn word(&mut self) -> u64 {
        u64::from(self.random.word()) << 32 | u64::from(self.random.word())
    }

    fn list<T>(&mut self, most: u32, mut one: impl FnMut(&mut Drawn) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| one(self)).collect()
    }

    /// Tests a three-bit field for a number; from few choices, so that rules share tests.
    fn test(&mut self) -> BitTest {
        let (place, number) = (3 * self.below(4), u64::from(self.below(8)));
        let word = self.below(self.words as u32) as u16;
        BitTest { word, mask: 7 << place, value: number << place }
    }

    fn tests(&mut self) -> Vec<BitTest> {
        let mut tests = self.list(3, Drawn::test);
        tests.sort_by_key(|one| (one.word, one.mask));
        tests.dedup_by_key(|one| (one.word, one.mask));
        tests
    }

    fn form(&mut self) -> Form {
        let word = |drawn: &mut Drawn| drawn.below(drawn.words as u32) as u16;
        Form {
            changes: self.list(2, |drawn| (word(drawn), drawn.word(), drawn.word())),
            moves: self.list(2, |drawn| {
                let shift = drawn.below(100) as i8 - 50;
                (word(drawn), word(drawn), drawn.word(), shift)
            }),
            maps: self.list(2, |drawn| Mapped {
                from: word(drawn),
                shift: drawn.below(64) as u8,
                mask: u64::from(drawn.below(8)),
                to: word(drawn),
                table: drawn.list(8, Drawn::word),
            }),
            effects: self.list(2, |drawn| Conditional {
                tests: drawn.tests(),
                misses: drawn.list(1, Drawn::test),
                bits: drawn.list(2, |drawn| (word(drawn), drawn.word(), drawn.word())),
            }),
        }
    }

    fn formula(&mut self, depth: u32) -> Formula {
        match self.below(if depth > 0 { 7 } else { 4 }) {
            0 => Formula::Truth(self.below(2) == 0),
            1 | 2 => Formula::Bits(self.tests()),
            3 => Formula::Ones(self.tests(), self.below(4)),
            4 => Formula::Not(Box::new(self.formula(depth - 1))),
            5 => Formula::All(self.list(3, |drawn| drawn.formula(depth - 1))),
            _ => Formula::Any(self.list(3, |drawn| drawn.formula(depth - 1))),
        }
    }

    /// `alike`: every rule tests one field, mostly for one number.
    fn rule(&mut self, alike: bool) -> GroundRule {
        let number = self.below(u32::from(RULES)) as u16;
        let tests = if alike {
            let rare = self.below(10) == 0;
            let place = 3 * self.below(20);
            vec![BitTest { word: 0, mask: 7 << place, value: if rare { 1 } else { 5 } << place }]
        } else {
            self.tests()
        };
        GroundRule {
            matched: 2 * number,
            fired: 2 * number + 1,
            tests,
            misses: if alike { Vec::new() } else { self.list(1, Drawn::test) },
            cost: Some(Val::from_small(i64::from(self.below(3)))),
            effect: Effect::Form(self.form()),
            ..GroundRule::default()
        }
    }

    fn rules(&mut self, alike: bool) -> Rules {
        let rules: Vec<_> = (0..40).map(|_| self.rule(alike)).collect();
        let first = if self.below(2) == 0 { vec![(0, 7)] } else { Vec::new() };
        let usual = rules.iter().flat_map(|rule: &GroundRule| rule.misses.first()).copied();
        let usual = if self.below(2) == 0 { usual.take(5).collect() } else { Vec::new() };
        let never = (!alike && self.below(2) == 0).then(|| self.formula(2));
        Rules { rules, first, usual, never, simplify: false }
    }
}

fn fits<const N: usize>(s: &[u64; N], tests: &[BitTest]) -> bool {
    tests.iter().all(|test| s[usize::from(test.word)] & test.mask == test.value)
}

fn holds<const N: usize>(s: &[u64; N], formula: &Formula, rules: &Rules) -> bool {
    match formula {
        Formula::Truth(truth) => *truth,
        Formula::Bits(tests) => fits(s, tests),
        Formula::Ones(masks, ones) => {
            let set = masks.iter().map(|one| (s[usize::from(one.word)] & one.mask).count_ones());
            set.sum::<u32>() == *ones
        }
        Formula::Not(inner) => !holds(s, inner, rules),
        Formula::All(parts) => parts.iter().all(|part| holds(s, part, rules)),
        Formula::Any(parts) => parts.iter().any(|part| holds(s, part, rules)),
        Formula::Successor => !successors(s, rules).0.is_empty(),
        Formula::Call(_) => unreachable!("none is drawn"),
    }
}

type Made<const N: usize> = Vec<(Val, [u64; N])>;

/// Successors with their costs, and the counts, by definition.
fn successors<const N: usize>(s: &[u64; N], rules: &Rules) -> (Made<N>, Vec<u64>) {
    let (mut made, mut counts) = (Vec::new(), vec![0; usize::from(COUNTERS)]);
    for rule in &rules.rules {
        let missed = |one: &BitTest| !fits(s, std::slice::from_ref(one));
        if !fits(s, &rule.tests) || !rule.misses.iter().all(missed) {
            continue;
        }
        let Effect::Form(form) = &rule.effect else { unreachable!("none is drawn") };
        let mut x = *s;
        form.apply(s, &mut x);
        if let Some(never) = &rules.never {
            counts[usize::from(rule.matched)] += 1;
            if holds(&x, never, rules) {
                continue;
            }
        }
        counts[usize::from(rule.fired)] += 1;
        made.push((rule.cost.unwrap(), x));
    }
    (made, counts)
}

/// Compares on random states; returns the number of successors.
fn compare<const N: usize>(drawn: &mut Drawn, rules: &Rules, formula: &Formula) -> usize {
    let m = of_rules(N, rules.clone(), COUNTERS, None);
    let test = Kernel::new(&Source::Condition(formula.clone()), N);
    let mut count = 0;
    for _ in 0..20 {
        let s: [u64; N] = std::array::from_fn(|_| drawn.word());
        let mut worker = Worker::new(&m, true).unwrap();
        let mut made = Vec::new();
        let kernel = m.kernel(SUCCESSORS).unwrap();
        let found = kernel.run(&mut worker, &m, &s, &mut |step, x: &[u64; N]| {
            made.push((step.cost, *x));
            Ok(())
        });
        assert_eq!(found.unwrap(), Val::FALSE);
        let (mut wanted, counts) = successors(&s, rules);
        for list in [&mut made, &mut wanted] {
            list.sort_by_key(|(cost, x)| (cost.as_small(), *x));
        }
        assert_eq!(made, wanted);
        assert_eq!(worker.counts, counts);
        count += made.len();
        let truth = test.run(&mut worker, &m, &s, &mut |_, _: &[u64; N]| Ok(())).unwrap();
        assert_eq!(truth, Val::truth(holds(&s, formula, rules)), "{formula:?}");
        assert!(!test.refuses(&s) || truth == Val::FALSE, "{formula:?}");
    }
    count
}

/// Random rules and conditions of one and two words; returns the numbers of (successors, choices,
/// switches).
fn soak(seeds: u64, alike: bool) -> (usize, usize, usize) {
    let (mut made, mut choices, mut switches) = (0, 0, 0);
    for seed in 0..seeds {
        for words in [1, 2] {
            let mut drawn = Drawn { random: Random::new(seed), words };
            let (rules, inner) = (drawn.rules(alike), drawn.formula(3));
            let formula = match drawn.below(3) {
                0 => Formula::All(vec![inner, Formula::Successor]),
                _ => inner,
            };
            let kernel = Kernel::new(&Source::Rules(rules.clone()), words);
            choices += kernel.choices.len();
            switches += kernel.switches.len();
            made += match words {
                1 => compare::<1>(&mut drawn, &rules, &formula),
                _ => compare::<2>(&mut drawn, &rules, &formula),
            };
        }
    }
    (made, choices, switches)
}

#[test]
fn a_kernel_does_what_its_rules_say_one_after_the_other() {
    let (made, _, switches) = soak(300, false);
    assert!(made > 10_000 && switches > 200, "{made} {switches}");
}

#[test]
fn a_choice_does_what_one_test_after_the_other_does() {
    let (made, choices, _) = soak(200, true);
    assert!(made > 10_000 && choices > 200, "{made} {choices}");
}

#[test]
fn what_a_condition_says_of_all_states_is_known_beforehand() {
    let constant = |formula| Kernel::new(&Source::Condition(formula), 1).constant();
    let open = Formula::Ones(Vec::new(), 0);
    assert_eq!(constant(Formula::Any(Vec::new())), Some(Val::FALSE));
    assert_eq!(constant(Formula::Not(Box::new(Formula::Bits(Vec::new())))), Some(Val::FALSE));
    let decided = vec![open.clone(), Formula::Truth(true)];
    assert_eq!(constant(Formula::Any(decided.clone())), Some(Val::TRUE));
    assert_eq!(constant(Formula::All(decided)), None);
}

#[test]
fn a_state_that_fails_the_first_test_is_refused() {
    let refused = |formula: &Formula| {
        let kernel = Kernel::new(&Source::Condition(formula.clone()), 1);
        [0, 1, 8, 9].map(|state| kernel.refuses(&[state]))
    };
    let bit = |mask| BitTest { word: 0, mask, value: mask };
    let both = Formula::Bits(vec![bit(1), bit(8)]);
    assert_eq!(refused(&both), [true, false, true, false]);
    let open = Formula::Any(vec![both.clone(), Formula::Bits(vec![bit(8)])]);
    for formula in [open, Formula::Not(Box::new(both))] {
        assert_eq!(refused(&formula), [false; 4], "{formula:?}");
    }
}

#[test]
fn a_term_that_would_stand_twice_asks_for_another_encoding() {
    let mut drawn = Drawn { random: Random::new(1), words: 1 };
    let guard = vec![BitTest { word: 0, mask: 2, value: 0 }];
    let mut rules = drawn.rules(true);
    rules.rules.truncate(1);
    (rules.rules[0].tests, rules.rules[0].guard) = (Vec::new(), guard);
    let m = of_rules(1, rules, COUNTERS, None);
    let run = |s: u64| {
        let mut worker = Worker::new(&m, true).unwrap();
        let kernel = m.kernel(SUCCESSORS).unwrap();
        kernel.run(&mut worker, &m, &[s], &mut |_, _| Ok(()))
    };
    assert!(run(1).is_ok());
    assert!(matches!(run(3), Err(Error::Change(_))));
}

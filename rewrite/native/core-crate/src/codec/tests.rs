use std::collections::{BTreeMap, HashSet};

use super::*;
use crate::canon::Canon;
use crate::ground::{Effect, GroundRule, Rules};
use crate::program::{BitTest, Code, Form, Function, Program};
use crate::random::Random;
use crate::vm::machine::testing::{of_ints, of_rules};

/// Whether goals may be tested ahead of their turn, with such code.
fn foresees(goal: Option<u16>, code: Vec<Instr>) -> bool {
    let one = Function { registers: 1, ..Function::default() };
    let code = Code { instrs: code, ..Code::default() };
    let machine = of_ints(Program { goal, code, functions: vec![one], ..Program::default() });
    Expand::<Varied>::foresees(&Expander::new(Arc::new(machine)))
}

#[test]
fn what_is_written_in_python_is_not_called_ahead_of_its_turn() {
    assert!(foresees(Some(0), vec![Instr::Return { a: 0 }]));
    assert!(!foresees(None, vec![Instr::Return { a: 0 }]));
    let none = crate::program::List::new(0, 0).unwrap();
    for outside in [
        Instr::Outside { into: 0, function: 0, args: none },
        Instr::OutsideState { into: 0, test: 0, groups: none },
        Instr::OutsideSlots { into: 0, test: 0 },
    ] {
        assert!(!foresees(Some(0), vec![outside, Instr::Return { a: 0 }]));
    }
}

// -- steps that are skipped -------------------------------------------------------------------

const FIELDS: u32 = 5;
const BITS: u32 = 2;
const VALUES: u32 = 1 << BITS;

/// What a rule tests and writes: fields with numbers, and what they become.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Drawn {
    tests: BTreeMap<u32, u32>,
    written: BTreeMap<u32, Written>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Written {
    Number(u32),
    Copy(u32),
    Flipped(u32),
}

fn below(random: &mut Random, most: u32) -> u32 {
    random.word() % most
}

impl Drawn {
    fn new(random: &mut Random, flips: bool) -> Drawn {
        let (mut tests, mut written) = (BTreeMap::new(), BTreeMap::new());
        for _ in 0..below(random, 2) {
            tests.insert(below(random, FIELDS), below(random, VALUES));
        }
        for _ in 0..1 + below(random, 2) {
            let change = match below(random, if flips { 3 } else { 2 }) {
                0 => Written::Number(below(random, VALUES)),
                1 => Written::Copy(below(random, FIELDS)),
                _ => Written::Flipped(1 + below(random, VALUES - 1)),
            };
            written.insert(below(random, FIELDS), change);
        }
        Drawn { tests, written }
    }

    /// What a symmetry makes of it, by where it moves each field.
    fn image(&self, (places, complement): &(Vec<u32>, bool)) -> Drawn {
        let place = |field: u32| places[field as usize];
        let number = |number: u32| if *complement { VALUES - 1 - number } else { number };
        let change = |written: Written| match written {
            Written::Number(one) => Written::Number(number(one)),
            Written::Copy(from) => Written::Copy(place(from)),
            flipped @ Written::Flipped(_) => flipped,
        };
        Drawn {
            tests: self.tests.iter().map(|(&at, &one)| (place(at), number(one))).collect(),
            written: self.written.iter().map(|(&at, &one)| (place(at), change(one))).collect(),
        }
    }

    fn rule(&self) -> GroundRule {
        let bits = |field: u32| u64::from(VALUES - 1) << (BITS * field);
        let held = |field: u32, number: u32| u64::from(number) << (BITS * field);
        let mut form = Form::default();
        for (&field, &written) in &self.written {
            match written {
                Written::Number(number) => {
                    form.changes.push((0, !bits(field), held(field, number)));
                }
                Written::Copy(from) => {
                    form.changes.push((0, !bits(field), 0));
                    let shift = (BITS * field) as i8 - (BITS * from) as i8;
                    form.moves.push((0, 0, bits(from), shift));
                }
                Written::Flipped(number) => form.changes.push((0, u64::MAX, held(field, number))),
            }
        }
        let test = |(&field, &number): (&u32, &u32)| BitTest {
            word: 0,
            mask: bits(field),
            value: held(field, number),
        };
        GroundRule {
            tests: self.tests.iter().map(test).collect(),
            cost: Some(Val::from_small(1)),
            effect: Effect::Form(form),
            ..GroundRule::default()
        }
    }
}

/// Symmetries, each as where it moves the fields, and whether numbers become their complements.
fn symmetries(random: &mut Random) -> Vec<(Vec<u32>, bool)> {
    let by = below(random, 2) * below(random, FIELDS);
    let turned: Vec<u32> = (0..FIELDS).map(|at| (at + by) % FIELDS).collect();
    let generators = [(turned, false), ((0..FIELDS).rev().collect(), below(random, 2) == 0)];
    let mut all = vec![((0..FIELDS).collect::<Vec<u32>>(), false)];
    let mut at = 0;
    while at < all.len() {
        for (places, complement) in &generators {
            let moved = all[at].0.iter().map(|&place| places[place as usize]).collect();
            let next = (moved, all[at].1 != *complement);
            if !all.contains(&next) {
                all.push(next);
            }
        }
        at += 1;
    }
    all
}

fn canon(symmetries: &[(Vec<u32>, bool)]) -> Canon {
    let fields: Vec<_> = (0..FIELDS).map(|field| (BITS * field, BITS)).collect();
    let element = |(places, complement): &(Vec<u32>, bool)| {
        let mut sources = vec![0; FIELDS as usize];
        places.iter().zip(0..).for_each(|(&place, field)| sources[place as usize] = field);
        let number = |number| if *complement { VALUES - 1 - number } else { number };
        (sources, vec![(0..VALUES).map(number).collect(); FIELDS as usize])
    };
    Canon::new(1, &fields, &symmetries.iter().map(element).collect::<Vec<_>>())
}

/// All states that are reached from one, each with its parent; what was counted.
type Reached = (Vec<([u64; 1], u32)>, Vec<u64>);

/// Searches breadth-first; also returns how many successors were made.
fn search(m: &Machine, skip: bool) -> (Reached, usize) {
    let mut worker = Worker::new(m, true).unwrap();
    let (mut block, mut pushed) = (Block::<Fixed<1>>::default(), 0);
    let (mut states, mut how) = (vec![([0], 0)], vec![UNKNOWN]);
    let mut known = HashSet::from([[0]]);
    let mut at = 0;
    while let Some(&(key, _)) = states.get(at) {
        block.clear();
        let (w, id) = (&mut worker, at as u32);
        if skip {
            let state = (id, &key, how[at]);
            Fixed::<1>::expand(w, m, Direction::Forward, state, None, &mut block).unwrap();
        } else {
            Fixed::<1>::each(w, m, 0, &key, |_, made| block.push(made, id)).unwrap();
        }
        pushed += block.len();
        for place in (0..block.len()).filter(|&place| known.insert(*block.key(place))) {
            states.push((*block.key(place), block.parent(place)));
            how.push(block.reached(place));
        }
        at += 1;
    }
    ((states, worker.counts), pushed)
}

/// Searches random rules with and without skipping; returns how many successors each made.
fn skip(seeds: u64, symmetric: bool) -> (usize, usize) {
    let (mut with, mut without) = (0, 0);
    for seed in 0..seeds {
        let random = &mut Random::new(seed);
        let group = symmetries(random);
        let drawn: Vec<_> = (0..6).map(|_| Drawn::new(random, !symmetric)).collect();
        let images = |one: &Drawn| group.iter().map(|by| one.image(by)).collect::<Vec<Drawn>>();
        let mut rules = if symmetric { drawn.iter().flat_map(images).collect() } else { drawn };
        rules.sort();
        rules.dedup();
        random.shuffle(&mut rules);
        let rules = rules.iter().map(Drawn::rule).collect();
        let canon = symmetric.then(|| Symmetries::Listed(canon(&group)));
        let m = of_rules(1, Rules { rules, ..Rules::default() }, 1, canon);
        let (skipping, fewer) = search(&m, true);
        let (making_all, all) = search(&m, false);
        assert!(skipping == making_all, "seed {seed}");
        (with, without) = (with + fewer, without + all);
    }
    (with, without)
}

#[test]
fn without_steps_that_commute_the_same_states_are_reached_from_the_same_parents() {
    let (with, without) = skip(2_000, false);
    assert!(without > 100_000 && with < without * 9 / 10, "{with} {without}");
}

#[test]
fn so_they_are_up_to_symmetry() {
    let (with, without) = skip(2_000, true);
    assert!(without > 100_000 && with < without * 9 / 10, "{with} {without}");
}

#[test]
fn where_none_is_skipped_for_long_none_is_looked_for() {
    // each reads what the other writes
    let drawn = |field, from, to| Drawn {
        tests: BTreeMap::from([(field, from), (1 - field, 0)]),
        written: BTreeMap::from([(field, Written::Number(to))]),
    };
    let flip = |field| Drawn {
        tests: BTreeMap::new(),
        written: BTreeMap::from([(field, Written::Flipped(1))]),
    };
    let machine = |rules: &[Drawn]| {
        let rules = rules.iter().map(Drawn::rule).collect();
        of_rules(1, Rules { rules, ..Rules::default() }, 1, None)
    };
    assert!(!machine(&[drawn(0, 0, 1), drawn(1, 0, 1)]).skips(Direction::Forward).any());
    let m = machine(&[flip(0), flip(1)]);
    let skips = m.skips(Direction::Forward);
    let row = skips.row(skips.reached(1, 0));
    assert_eq!(
        (skips.row(skips.reached(0, 0)), row, skips.row(UNKNOWN)),
        (&[0][..], &[1][..], &[][..])
    );
    (0..20_000).for_each(|_| skips.note(&[0], false));
    assert!(skips.any(), "there was nothing to skip");
    (0..20_000).for_each(|_| skips.note(row, false));
    assert!(!skips.any());
    let m = machine(&[flip(0), flip(1)]);
    let skips = m.skips(Direction::Forward);
    skips.note(row, true);
    (0..20_000).for_each(|_| skips.note(row, false));
    assert!(skips.any(), "one was skipped");
}

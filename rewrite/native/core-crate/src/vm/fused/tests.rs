//! Superinstructions do what the instructions do that they stand for, and fast paths what the slow ones do.

use super::*;
use crate::error::Result;
use crate::program::{Code, Function, NOTHING, NOWHERE};
use crate::value::Val;
use crate::vm::machine::Machine;
use crate::vm::machine::testing::of_ints;
use crate::vm::worker::{Frame, Worker};

fn machine(code: Vec<Instr>, lists: Vec<Reg>, constants: &[i64], handlers: &[[Pc; 3]]) -> Machine {
    let constants: Vec<Val> = constants.iter().map(|&n| Val::from_small(n)).collect();
    let function = Function { registers: 9, constants, ..Function::default() };
    let code = Code { instrs: code, lists, bits: Vec::new() };
    of_ints(Program {
        code,
        functions: vec![function],
        handlers: handlers.iter().map(|&[from, to, handler]| (from, to, handler)).collect(),
        counters: 4,
        ..Program::default()
    })
}

/// What comes out with superinstructions, and with the instructions themselves.
fn both<T>(mut m: Machine, run: impl Fn(&Machine, &mut Worker) -> T) -> (T, T) {
    let mut worker = Worker::new(&m, true).unwrap();
    let together = run(&m, &mut worker);
    m.code.clone_from(&m.program.code.instrs);
    let mut worker = Worker::new(&m, true).unwrap();
    (together, run(&m, &mut worker))
}

fn turn_of_range(index: Reg, end: Reg, mark: Reg, body: Pc, to: Pc) -> Instr {
    Instr::RangeNext { first: false, index, end, mark, body, to }
}

fn said(result: Result<Val>) -> String {
    format!("{result:?}")
}

/// Numbers where a sum or product leaves the small ints, or a packed word, and their neighbours.
fn borders() -> Vec<i128> {
    let mut found = vec![0, 1, -1, 7, -7, 10];
    for border in [30, 31, 32, 60, 61, 62, 63] {
        for near in -1..=1 {
            found.extend([(1i128 << border) + near, -(1i128 << border) + near]);
        }
    }
    found
}

/// Runs a function on all pairs of those numbers: by superinstructions, fast paths, and slow ones.
fn agree_on_pairs(code: Vec<Instr>) {
    let m = machine(code.clone(), Vec::new(), &[], &[]);
    let mut worker = Worker::new(&m, true).unwrap();
    let slow: Vec<_> =
        pairs(&m).into_iter().map(|args| said(slowly(&m, &mut worker, args))).collect();
    let (together, single) = both(m, |m, worker| {
        let found = pairs(m).into_iter().map(|args| said(worker.call(m, 0, 0, &args)));
        found.collect::<Vec<_>>()
    });
    assert_eq!(together, single);
    assert_eq!(single, slow);
}

fn pairs(m: &Machine) -> Vec<[Val; 2]> {
    let all = borders();
    let pairs = all.iter().flat_map(|&a| all.iter().map(move |&b| [a, b]));
    pairs.map(|pair| pair.map(|n| m.interner.whole(n).unwrap())).collect()
}

/// Runs a function without jumps back by the slow paths only.
fn slowly(m: &Machine, worker: &mut Worker, args: [Val; 2]) -> Result<Val> {
    let (mut regs, mut pc) = ([Val::from_small(0); 9], 0);
    regs[..2].copy_from_slice(&args);
    loop {
        if let Instr::Return { a } = m.program.code.instrs[pc] {
            return Ok(regs[usize::from(a)]);
        }
        pc = match worker.other(m, pc, Frame { state: 0, lists: 0 }, &mut regs)? {
            NOWHERE => pc + 1,
            to => to as usize,
        };
    }
}

#[test]
fn instructions_on_two_numbers_agree_at_the_borders_of_small_ints() {
    let (into, a, b, end) = (2, 0, 1, Instr::Return { a: 2 });
    for one in [
        Instr::Add { into, a, b },
        Instr::Sub { into, a, b },
        Instr::Mul { into, a, b },
        Instr::FloorDiv { into, a, b },
        Instr::Mod { into, a, b },
    ] {
        agree_on_pairs(vec![one, end]);
    }
    for on in [false, true] {
        for test in [
            Instr::Equal { a, b, on, to: 2 },
            Instr::Less { a, b, on, to: 2 },
            Instr::Less { a: b, b: a, on, to: 2 },
        ] {
            agree_on_pairs(vec![test, Instr::Return { a }, Instr::Return { a: b }]);
        }
    }
}

/// What a function returns for these numbers as a state, and what it counts.
fn on_states(m: Machine, states: &[&[i64]]) -> Vec<(String, Vec<u64>)> {
    let (together, single) = both(m, |m, worker| {
        let run = |state: &&[i64]| {
            let key: Vec<u32> =
                state.iter().map(|&n| m.interner.pack(Val::from_small(n)).unwrap()).collect();
            let result = said(worker.call_on_key(m, 0, &key));
            (result, std::mem::replace(&mut worker.counts, vec![0; 4]))
        };
        states.iter().map(run).collect::<Vec<_>>()
    });
    assert_eq!(together, single);
    together
}

#[test]
fn a_loop_that_looks_for_a_value_counts_all_it_passes() {
    let code = vec![
        Instr::RangeInit { index: 1, from: 9, mark: 3 },
        Instr::RunsNext { first: false, index: 1, value: 2, pool: 0, mark: 3, body: 2, to: 6 },
        Instr::Count { counter: 0 },
        Instr::Equal { a: 10, b: 2, on: false, to: 1 },
        Instr::Count { counter: 1 },
        Instr::Jump { to: 1 },
        Instr::Return { a: 9 },
    ];
    let m = machine(code, vec![], &[0, 5], &[]);
    assert!(matches!(m.code[1], Instr::Seek { .. }) && m.code[5] == m.code[1]);
    let states: [&[i64]; 5] =
        [&[], &[5, 5, 5], &[1, 1, 2, 5, 5, 7], &[1, 2, 3], &[1 << 40, 1 << 40]];
    let found: Vec<_> =
        on_states(m, &states).into_iter().map(|(_, counts)| (counts[0], counts[1])).collect();
    assert_eq!(found, [(0, 0), (1, 1), (4, 1), (3, 0), (1, 0)]);
}

#[test]
fn places_items_and_numbers_agree_and_no_value_is_where_it_was() {
    let code = vec![
        Instr::Len { into: 1, a: 0 },
        Instr::RangeInit { index: 2, from: 9, mark: 3 },
        turn_of_range(2, 1, 3, 3, 11),
        Instr::Index { into: 4, a: 0, at: 2 },
        Instr::Sub { into: 5, a: 2, b: 10 },
        Instr::Add { into: 5, a: 5, b: 9 },
        Instr::Index { into: 6, a: 0, at: 5 }, // the last one comes before the first
        Instr::Slice { into: 7, a: 0, from: 9, to: Some(2) },
        Instr::Number { into: 8, a: 7 },
        Instr::Count { counter: 0 },
        Instr::Jump { to: 2 },
        Instr::Return { a: 8 },
        Instr::Count { counter: 1 },
        Instr::Jump { to: 2 },
    ];
    let m = machine(code, vec![], &[0, 1], &[[8, 9, 12]]);
    assert!(matches!(m.code[7], Instr::CutNumber { .. }));
    let states: [&[i64]; 4] = [&[], &[3], &[1, 2, 3, 4], &[1, 2, 12, 13, 14]];
    let found = on_states(m, &states);
    let counts: Vec<_> = found.iter().map(|(_, counts)| (counts[0], counts[1])).collect();
    assert_eq!(counts, [(0, 0), (0, 1), (3, 1), (2, 3)]);
    assert_eq!(found[2].0, said(Ok(Val::from_small(123))));
}

#[test]
fn places_that_are_looked_for_are_found_in_turn() {
    // all places where 5 stands, or stands 2 places on: with what stands there
    let code = vec![
        Instr::Len { into: 1, a: 0 },
        Instr::RangeInit { index: 2, from: 9, mark: 3 },
        turn_of_range(2, 1, 3, 3, 7),
        Instr::Index { into: 4, a: 0, at: 2 },
        Instr::Equal { a: 4, b: 10, on: false, to: 2 },
        Instr::Count { counter: 0 },
        Instr::Jump { to: 2 },
        Instr::Spread { into: 5, a: 0 },
        Instr::Sub { into: 1, a: 1, b: 11 },
        Instr::RangeInit { index: 2, from: 9, mark: 3 },
        turn_of_range(2, 1, 3, 11, 18),
        Instr::Add { into: 6, a: 2, b: 11 },
        Instr::Index { into: 4, a: 5, at: 6 },
        Instr::Equal { a: 4, b: 10, on: false, to: 10 },
        Instr::Index { into: 7, a: 5, at: 2 },
        Instr::Count { counter: 1 },
        Instr::Equal { a: 7, b: 10, on: false, to: 10 },
        Instr::Jump { to: 20 },
        Instr::In { a: 10, tuple: 0, on: true, to: 20 },
        Instr::Return { a: 9 },
        Instr::Count { counter: 2 },
        Instr::Return { a: 2 },
    ];
    let m = machine(code, vec![], &[0, 5, 2], &[]);
    assert!(matches!(m.code[2], Instr::RangeSeek { behind: NOTHING, .. }));
    assert!(matches!(m.code[10], Instr::RangeSeek { behind: 11, .. }));
    let states: [&[i64]; 6] =
        [&[], &[5], &[5, 6, 5], &[1, 2, 5, 3, 5, 7, 5], &[1, 2, 3], &[1 << 40, 0, 5]];
    let found = on_states(m, &states);
    let counts: Vec<_> = found.iter().map(|(_, counts)| counts[..3].to_vec()).collect();
    assert_eq!(counts, [[0, 0, 0], [1, 0, 1], [2, 1, 1], [3, 2, 1], [0, 0, 0], [1, 1, 1]]);
}

#[test]
fn what_is_looked_for_beyond_the_end_of_a_tuple_fails_in_both() {
    for step in [1, 4] {
        let code = vec![
            Instr::RangeInit { index: 2, from: 9, mark: 3 },
            turn_of_range(2, 10, 3, 2, 5),
            Instr::Add { into: 6, a: 2, b: 11 },
            Instr::Index { into: 4, a: 0, at: 6 },
            Instr::Equal { a: 4, b: 10, on: false, to: 1 },
            Instr::Return { a: 2 },
        ];
        let m = machine(code, vec![], &[0, 3, step], &[]);
        assert!(matches!(m.code[1], Instr::RangeSeek { .. }));
        on_states(m, &[&[], &[1], &[1, 2, 3], &[1, 2, 3, 4], &[1, 2, 1, 3, 1]]);
    }
}

#[test]
fn numbers_of_all_that_is_left_agree_and_no_value_is_where_it_was() {
    for last in [1, 10, 11] {
        let code = vec![
            Instr::Move { into: 6, from: 9 },
            Instr::Len { into: 1, a: 0 },
            Instr::RangeInit { index: 2, from: 9, mark: 3 },
            turn_of_range(2, 12, 3, 4, 9),
            Instr::Slice { into: 7, a: 0, from: 2, to: Some(last) },
            Instr::Number { into: 8, a: 7 },
            Instr::Count { counter: 0 },
            Instr::Add { into: 6, a: 6, b: 8 },
            Instr::Jump { to: 3 },
            Instr::Return { a: 6 },
            Instr::Count { counter: 1 },
            Instr::Jump { to: 3 },
        ];
        let m = machine(code, vec![], &[0, 3, -1, 5], &[[5, 6, 10]]);
        assert!(matches!(m.code[3], Instr::RangeNumber { first: false, .. }));
        assert!(matches!(m.code[2], Instr::RangeNumber { first: true, .. }));
        let states: [&[i64]; 5] = [&[], &[3], &[1, 2, 3, 4], &[1, 2, 12, 13, 14], &[9; 7]];
        let found = on_states(m, &states);
        assert_eq!(found[0].1[1], 5, "nothing is left of nothing");
    }
}

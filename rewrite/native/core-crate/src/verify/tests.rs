//! Each way on which something may come to be read that nothing has written; and the table of roles.

use std::collections::BTreeSet;

use super::parts::{Does, Part, parts};
use crate::load::{INSTRUCTIONS, load, read_all};
use crate::program::*;
use crate::trouble::Trouble;
use crate::value::Val;

type Op<'a> = (&'a str, &'a [u32]);
type Code<'a> = &'a [Op<'a>];

/// Functions of five registers and two lists, whose one constant is register 5; the first of them
/// makes the successors of states of one group.
fn program(entries: &[u32]) -> Program {
    let function = |&entry: &u32| Function {
        name: format!("at {entry}"),
        entry,
        registers: 5,
        constants: vec![Val::FALSE],
        lists: 2,
    };
    Program {
        functions: entries.iter().map(function).collect(),
        constants: vec![Val::ctor(0), Val::ctor(1)],
        indexes: vec![Index::default()],
        counters: 4,
        ..Program::empty(Encoding::Groups(vec![Head::Int]))
    }
}

/// The same over states of one word, with a table of the second function, if there is one.
fn over_slots(entries: &[u32]) -> Program {
    let mut made = program(entries);
    made.encoding = Encoding::Slots(1);
    made.families = vec![Family { bits: 4, closed: true, values: Vec::new() }];
    if entries.len() > 1 {
        let lookup = Lookup {
            spots: vec![(0, Some(0)), (0, None)],
            targets: Vec::new(),
            atoms: Vec::new(),
            ground: vec![Val::FALSE],
        };
        let lookups = vec![lookup];
        made.tables = vec![Table { lookups, reads: vec![(0, 15)], residual: 1, every: false }];
    }
    made
}

fn flat(code: Code) -> Vec<u32> {
    let mut words = Vec::new();
    for &(name, operands) in code {
        let number = INSTRUCTIONS.iter().position(|one| one.0 == name).expect(name) as u32;
        words.push(number | (operands.len() as u32) << 8);
        words.extend(operands);
    }
    words
}

/// What is wrong with a program; nothing if it is sound.
fn wrong(mut program: Program, code: Code) -> String {
    match load(&mut program, &flat(code)) {
        Ok(()) => String::new(),
        Err(Trouble::Internal(why)) => why,
        Err(other) => panic!("{other:?}"),
    }
}

/// What one function says that it reads too early, and where; nothing if it is sound.
fn early(code: Code) -> String {
    let why = wrong(program(&[0]), code);
    let why = why.strip_prefix("function at 0: ").unwrap_or(&why);
    why.strip_suffix(" may be read before it is written").unwrap_or(why).into()
}

const STATE: u32 = 0;
const CONSTANT: u32 = 5;
const END: Op = ("Return", &[CONSTANT]);

#[test]
fn arguments_constants_and_what_was_written_may_be_read() {
    assert_eq!(early(&[("Move", &[1, STATE]), ("Equal", &[1, CONSTANT, 1, 2]), END]), "");
    assert_eq!(early(&[("Move", &[1, 1]), END]), "0: register 1");
    assert_eq!(early(&[("Tuple", &[1, 0, STATE, 1, 2]), END]), "0: register 2");
    let unpack: Op = ("Unpack", &[STATE, 2, 3]);
    assert_eq!(early(&[unpack, ("Builtin", &[4, 17, 2, 3, STATE]), END]), "");
    assert_eq!(early(&[unpack, ("Builtin", &[4, 17, 2, 3, 1]), END]), "1: register 1");
}

#[test]
fn a_row_is_a_place_and_a_value() {
    let why = early(&[("RowInit", &[1, 2, 0]), ("RowNext", &[1, 3, 4, 0, 2, 2, STATE]), END]);
    assert!(why.ends_with("has a wrong number of operands"), "{why}");
}

#[test]
fn code_that_is_never_reached_is_not_judged() {
    assert_eq!(early(&[END, ("Return", &[1])]), "");
    assert_eq!(wrong(program(&[0, 1]), &[END, ("Return", &[1])]), "");
}

#[test]
fn what_is_written_on_one_way_only_may_not_be_read_where_ways_meet() {
    let one = [("Truthy", &[STATE, 1, 2][..]), ("Move", &[1, STATE]), ("Return", &[1])];
    assert_eq!(early(&one), "2: register 1");
    let both: [Op; 5] = [
        ("Truthy", &[STATE, 1, 3]),
        ("Move", &[1, STATE]),
        ("Jump", &[4]),
        ("Move", &[1, CONSTANT]),
        ("Return", &[1]),
    ];
    assert_eq!(early(&both), "");
}

/// Where `looping` puts the turn of its loop, where that is left to, and a function of its own.
const TURN: u32 = 3;
const EXIT: u32 = 6;
const OTHER: u32 = 8;

/// What is wrong with a loop in which something is read; and with one behind which it is read.
fn looping(made: fn() -> Program, begin: Code, read: Op) -> [String; 2] {
    let back: Op = ("Jump", &[TURN]);
    let count: Op = ("Count", &[0]);
    let begin = [&[count; 3][begin.len() - 1..], begin].concat(); // which ends with the turn
    let inside = [&begin[..], &[read, back, END, END, END]].concat();
    let behind = [&begin[..], &[back, END, read, END, END]].concat();
    [inside, behind].map(|code| wrong(made(), &code))
}

#[test]
fn what_the_turn_of_a_loop_writes_may_not_be_read_where_the_loop_is_left() {
    let begin: Op = ("RangeInit", &[1, CONSTANT, 3]);
    let loops: [(Code, &[u32]); 4] = [
        (&[begin, ("ItemsNext", &[1, 2, STATE, 3, EXIT])], &[2]),
        (&[begin, ("ChoicesNext", &[1, 2, STATE, 3, EXIT])], &[2]),
        (&[("RowInit", &[1, 3, 0]), ("RowNext", &[1, 2, 4, 0, 3, EXIT])], &[2, 4]),
        (&[("Splits", &[0, STATE, 2]), begin, ("SplitsNext", &[1, 0, 3, EXIT, 2, 4])], &[2, 4]),
    ];
    for (code, bound) in loops {
        for &one in bound {
            let [inside, behind] = looping(|| program(&[0]), code, ("MustBeTruth", &[one]));
            assert_eq!(inside, "", "{code:?}");
            let early = format!("6: register {one} may be read before it is written");
            assert_eq!(behind, format!("function at 0: {early}"), "{code:?}");
        }
        for before in [1, 3] {
            let found = looping(|| program(&[0]), code, ("MustBeTruth", &[before]));
            assert_eq!(found, ["", ""], "written before the loop: {code:?}");
        }
    }
    let range: Code = &[begin, ("RangeNext", &[1, CONSTANT, 3, EXIT])];
    assert_eq!(looping(|| program(&[0]), range, ("MustBeTruth", &[1])), ["", ""]);
}

#[test]
fn what_an_entry_of_a_table_gives_is_there_in_its_turn_only() {
    let with = |add: u32, read: Op| {
        let code: Code = &[("TableInit", &[1, 0]), ("TableNext", &[1, 2, 0, add, EXIT])];
        looping(|| over_slots(&[0, OTHER]), code, read)
    };
    let early = |at: usize, what: &str| {
        format!("function at 0: {at}: {what} may be read before it is written")
    };
    let hand_out: Op = ("EmitX", &[CONSTANT, 0]);
    assert_eq!(with(0, ("MustBeTruth", &[2])), [String::new(), early(6, "register 2")]);
    assert_eq!(with(1, hand_out), [String::new(), early(6, "the next state")]);
    assert_eq!(with(0, hand_out), [4, 6].map(|at| early(at, "the next state")));
}

#[test]
fn a_handler_finds_what_was_written_before_what_it_covers() {
    let add: Op = ("Arithmetic", &[0, 1, STATE, STATE]);
    let handled = |from, to, handler, code: Code| {
        let mut made = program(&[0]);
        made.handlers = vec![(from, to, handler)];
        wrong(made, code)
    };
    let early = "function at 0: 2: register 1 may be read before it is written";
    assert_eq!(handled(0, 1, 2, &[add, ("Return", &[1]), ("Return", &[1])]), early);
    // the first of two instructions may be what has no value
    assert_eq!(handled(0, 2, 2, &[add, ("Return", &[1]), ("Return", &[1])]), early);
    assert_eq!(handled(1, 2, 2, &[add, ("Return", &[1]), ("Return", &[1])]), "");
    assert_eq!(handled(0, 2, 2, &[add, ("Return", &[1]), END]), "");
}

#[test]
fn a_function_is_given_what_the_call_with_the_fewest_arguments_passes() {
    let two: Op = ("Call", &[1, 1, 0, STATE, STATE]);
    let one: Op = ("Call", &[1, 1, 0, STATE]);
    let second: Op = ("Return", &[1]);
    let early = "function at 3: 3: register 1 may be read before it is written";
    assert_eq!(wrong(program(&[0, 3]), &[two, two, END, second]), "");
    assert_eq!(wrong(program(&[0, 3]), &[two, one, END, second]), early);
    let called_on_states: [fn(&mut Program); 5] = [
        |made| made.predecessors = Some(1),
        |made| made.goal = Some(1),
        |made| made.objective = Some(1),
        |made| made.heuristic = Some(1),
        |made| made.simplify = vec![1],
    ];
    for calls in called_on_states {
        let mut made = program(&[0, 3]);
        calls(&mut made);
        assert_eq!(wrong(made, &[two, two, END, second]), early);
    }
}

#[test]
fn states_in_slots_are_no_arguments() {
    let early = "function at 0: 0: register 0 may be read before it is written";
    assert_eq!(wrong(over_slots(&[0]), &[("Return", &[0])]), early);
    let any: Op = ("AnySuccessor", &[1, 2]);
    let asks = |mut made: Program| {
        made.goal = Some(1);
        wrong(made, &[END, any, END])
    };
    assert_eq!(asks(over_slots(&[0, 1])), "");
    let early = "function at 1: 1: register 2 may be read before it is written";
    assert_eq!(asks(program(&[0, 1])), early);
}

#[test]
fn what_is_left_of_a_rule_is_given_known_values_and_those_in_slots() {
    let asks = |made: Program, read: u32| {
        wrong(made, &[("TableAny", &[0, 1, 1]), END, ("Return", &[read])])
    };
    let early = |one| format!("function at 2: 2: register {one} may be read before it is written");
    assert_eq!(asks(over_slots(&[0, 2]), 2), "");
    assert_eq!(asks(over_slots(&[0, 2]), 3), early(3));
    let mut fewer = over_slots(&[0, 2]);
    let mut less = fewer.tables[0].lookups[0].clone();
    less.ground.clear();
    fewer.tables[0].lookups.push(less);
    assert_eq!(asks(fewer, 2), early(2));
    let mut never = over_slots(&[0, 2]);
    never.tables[0].lookups.clear();
    assert_eq!(asks(never, 4), "");
}

#[test]
fn lists_and_the_next_state_are_made_before_they_are_read() {
    let new: Op = ("ListNew", &[1]);
    let uses: [Op; 4] = [
        ("ListPush", &[1, STATE]),
        ("ListAny", &[1, 1, 2]),
        ("ListHas", &[1, STATE, 1, 2]),
        ("ListFold", &[1, 1, 0]),
    ];
    for one in uses {
        assert_eq!(early(&[new, one, END]), "");
        assert_eq!(early(&[("ListNew", &[0]), one, END]), "1: list 1");
    }
    let uses: [Op; 2] = [("EmitX", &[CONSTANT, 0]), ("OutsideSlots", &[1, 0, 1])];
    for one in uses {
        assert_eq!(wrong(over_slots(&[0]), &[("Make", &[0]), one, END]), "");
        let early = "function at 0: 0: the next state may be read before it is written";
        assert_eq!(wrong(over_slots(&[0]), &[one, END]), early);
    }
    let call: Op = ("Call", &[1, 1, 1]);
    let early = "function at 0: 0: the next state may be read before it is written";
    assert_eq!(wrong(over_slots(&[0, 3]), &[("Make", &[0]), call, END, END]), "");
    assert_eq!(wrong(over_slots(&[0, 2]), &[call, END, END]), early);
}

#[test]
fn a_function_with_many_registers_is_gone_through_more_than_once() {
    let many = |code: Code| {
        let mut made = program(&[0]);
        made.functions[0].registers = 300;
        wrong(made, code)
    };
    let end: Op = ("Return", &[300]);
    for one in [1, 127, 128, 200, 256, 299] {
        let early = format!("function at 0: 0: register {one} may be read before it is written");
        assert_eq!(many(&[("Return", &[one])]), early);
        assert_eq!(many(&[("Move", &[one, STATE]), ("Return", &[one])]), "");
    }
    let early = "function at 0: 0: list 1 may be read before it is written";
    assert_eq!(many(&[("ListAny", &[1, 1, 1]), end]), early);
    assert_eq!(many(&[("ListNew", &[1]), ("ListAny", &[1, 1, 2]), end]), "");
}

/// Two loops, each of which is entered from outside and from the other: places that were looked at are
/// looked at again.
#[test]
fn a_way_that_is_found_late_is_followed_through_what_was_seen() {
    let code = |read: u32| {
        let ask = [read, 1, 6];
        early(&[
            ("RangeInit", &[2, CONSTANT, 3]),
            ("Truthy", &[STATE, 1, 3]),
            ("Jump", &[6]),
            ("Move", &[1, STATE]),
            ("RangeNext", &[2, CONSTANT, 3, 8]),
            ("Truthy", &ask),
            ("RangeNext", &[2, CONSTANT, 3, 8]),
            ("Jump", &[4]),
            END,
        ])
    };
    assert_eq!(code(STATE), "");
    assert_eq!(code(1), "5: register 1");
}

/// The table of what instructions do, held against the letters by which they are read.
#[test]
fn registers_are_read_and_written_as_the_letters_of_their_instruction_say() {
    for (number, &(name, shape)) in (0..).zip(INSTRUCTIONS) {
        let (fixed, more) = shape.split_once('*').unwrap_or((shape, ""));
        let times = match name {
            "Slice" => 1, // may end at a register; but at one only
            _ => 3,
        };
        // a form has no changes and no moves
        let letters = fixed.trim_end_matches('m').to_owned() + &more.repeat(times);
        let few = u32::from(!shape.ends_with('m'));
        let mut words = Vec::new();
        let (mut read, mut written, mut jumps) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for (operand, letter) in (100..).zip(letters.chars()) {
            match letter {
                'r' => drop(read.insert(operand)),
                'w' => drop(written.insert(operand)),
                't' => jumps.push(Pc::from(operand)),
                'b' => words.push(few),
                _ => {}
            }
            words.push(if "rwt".contains(letter) { u32::from(operand) } else { few });
        }
        if name == "Place" || name == "Normal" {
            written.extend(read.pop_first());
        }
        let mut made = program(&[0]);
        let code = [&[number | (words.len() as u32) << 8], &words[..]].concat();
        read_all(&mut made, &code).unwrap();
        let (mut reads, mut writes, mut to) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for &part in &parts(made.code[0])[..] {
            match part {
                Part::Reg(Does::Read, one) => drop(reads.insert(one)),
                Part::Regs(Does::Read, some) | Part::State(some) => reads.extend(made.list(some)),
                Part::Splices(some) => reads.extend(made.list(some).iter().skip(1).step_by(2)),
                Part::Reg(_, one) => drop(writes.insert(one)),
                Part::Regs(_, some) => writes.extend(made.list(some)),
                Part::To(one) => to.push(one),
                _ => {}
            }
        }
        writes.retain(|one| !reads.contains(one));
        assert_eq!((reads, writes, to), (read, written, jumps), "{name}");
    }
}

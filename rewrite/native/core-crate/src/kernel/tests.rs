//! Random functions, run as kernels and by the machine: the same successors, costs, counts, values.

use super::kernel;
use crate::interner::Interner;
use crate::machine::Machine;
use crate::machine::testing::Nobody;
use crate::program::*;
use crate::random::Random;
use crate::value::Val;
use crate::worker::Worker;

const WORDS: usize = 2;
const COUNTERS: u16 = 4;
/// Registers of each function; behind them stand its constants.
const REGISTERS: u16 = 3;
/// Registers of the constants.
const NO: Reg = REGISTERS;
const YES: Reg = REGISTERS + 1;
const ONE: Reg = REGISTERS + 2;
const TWO: Reg = REGISTERS + 3;
/// The functions: the second is called on states and on successors.
const STEPS: u16 = 0;
const TEST: u16 = 1;

/// Writes functions of which each part ends where the next begins, and jumps go to later parts.
struct Writer {
    random: Random,
    p: Program,
    /// The first instruction of each part, and where jumps are to be led to.
    parts: Vec<Pc>,
    jumps: Vec<(usize, usize)>,
}

impl Writer {
    fn below(&mut self, most: u32) -> u32 {
        self.random.word() % most
    }

    fn word(&mut self) -> u64 {
        u64::from(self.random.word()) << 32 | u64::from(self.random.word())
    }

    fn test(&mut self) -> BitTest {
        // few bits, so that a good part of them fit
        let mask = 1 << self.below(64) | 1 << self.below(64);
        BitTest { word: self.below(WORDS as u32) as u16, mask, value: self.word() & mask }
    }

    /// Pushes an instruction that jumps to the beginning of a later part.
    fn jump(&mut self, part: usize, instr: impl FnOnce(Pc) -> Instr) {
        let to = part + 1 + self.below(3) as usize;
        self.jumps.push((self.p.code.len(), to));
        self.p.code.push(instr(0));
    }

    fn tests(&mut self, part: usize) {
        let (first, len) = (self.p.bits.len() as u32, 1 + self.below(3) as u16);
        for _ in 0..len {
            let test = self.test();
            self.p.bits.push(test);
        }
        let on = self.below(2) == 0;
        if len == 1 {
            self.jump(part, |to| Instr::Bit { test: first, on, to });
        } else {
            self.jump(part, |to| Instr::Bits { first, len, on, to });
        }
    }

    fn form(&mut self) -> u32 {
        let mut form = Form::default();
        for _ in 0..self.below(3) {
            let change = (self.below(WORDS as u32) as u16, self.word(), self.word());
            form.changes.push(change);
        }
        for _ in 0..self.below(3) {
            let (from, to) = (self.below(WORDS as u32) as u16, self.below(WORDS as u32) as u16);
            let shift = self.below(100) as i8 - 50;
            form.moves.push((from, to, self.word(), shift));
        }
        self.p.forms.push(form);
        self.p.forms.len() as u32 - 1
    }

    fn counter(&mut self) -> u16 {
        let number = self.below(u32::from(COUNTERS) + 1) as u16;
        if number == COUNTERS { NOTHING } else { number }
    }

    fn steps(&mut self, part: usize) {
        let (counter, cost) = (self.counter(), if self.below(2) == 0 { ONE } else { TWO });
        match self.below(4) {
            0 => self.tests(part),
            1 => {
                let form = self.form();
                self.p.code.push(Instr::MakeOut { cost, counter, form });
            }
            2 => {
                let counter = counter % COUNTERS;
                self.p.code.push(Instr::Count { counter });
            }
            _ => {
                let form = self.form();
                self.p.code.push(Instr::Make { form });
                let next = self.below(2) == 0;
                let args = List::new(0, 0).unwrap();
                self.p.code.push(Instr::Call { into: 0, function: TEST, next, args });
                let on = self.below(2) == 0;
                self.jump(part, |to| Instr::Truthy { a: 0, on, to });
                self.p.code.push(Instr::EmitX { cost, counter });
            }
        }
    }

    /// Makes successors where a field of three bits holds a certain number, mostly 5.
    fn block(&mut self, part: usize) {
        let (shift, rare) = (3 * self.below(21), self.below(40) == 0);
        let value = if rare { 1 } else { 5 } << shift;
        let word = self.below(WORDS as u32) as u16;
        self.p.bits.push(BitTest { word, mask: 7 << shift, value });
        let to = part + if self.below(40) == 0 { 2 } else { 1 };
        self.jumps.push((self.p.code.len(), to));
        self.p.code.push(Instr::Bit { test: self.p.bits.len() as u32 - 1, on: false, to: 0 });
        for _ in 0..1 + self.below(2) {
            let (form, counter) = (self.form(), self.counter());
            self.p.code.push(Instr::MakeOut { cost: ONE, counter, form });
        }
    }

    /// Does something where one of two fields of three bits holds a certain number, mostly the next.
    fn case(&mut self, part: usize) {
        let field = if part % 20 < 12 { 4 } else { 9 };
        let number = if self.below(20) == 0 { self.below(8) } else { part as u32 % 8 };
        let value = u64::from(number) << field;
        self.p.bits.push(BitTest { word: 0, mask: 7 << field, value });
        let to = part + if self.below(30) == 0 { 2 } else { 1 };
        self.jumps.push((self.p.code.len(), to));
        self.p.code.push(Instr::Bit { test: self.p.bits.len() as u32 - 1, on: false, to: 0 });
        for _ in 0..1 + self.below(2) {
            if self.below(3) == 0 {
                let far = if self.below(30) == 0 { part + 1 } else { part };
                self.p.bits.push(BitTest { word: 0, mask: 1, value: 1 });
                self.jumps.push((self.p.code.len(), far + 1));
                let test = self.p.bits.len() as u32 - 1;
                let on = self.below(2) == 0;
                self.p.code.push(Instr::Bit { test, on, to: 0 });
            }
            let (form, counter) = (self.form(), self.counter());
            self.p.code.push(Instr::MakeOut { cost: ONE, counter, form });
        }
    }

    fn truth(&mut self, part: usize) {
        match self.below(3) {
            0 => {
                let (first, len) = (self.p.bits.len() as u32, 1 + self.below(2) as u16);
                for _ in 0..len {
                    let test = self.test();
                    self.p.bits.push(test);
                }
                self.p.code.push(Instr::BitCount { into: 1, first, len });
                let on = self.below(2) == 0;
                let (a, b) = if self.below(2) == 0 { (1, TWO) } else { (ONE, 1) };
                self.jump(part, |to| Instr::Equal { a, b, on, to });
            }
            1 => self.tests(part),
            _ => {
                let from = if self.below(2) == 0 { NO } else { YES };
                self.p.code.push(Instr::Move { into: 2, from });
                self.p.code.push(Instr::Return { a: 2 });
            }
        }
    }

    fn function(&mut self, name: &str, parts: usize, write: fn(&mut Writer, usize)) {
        let entry = self.p.code.len() as Pc;
        (self.parts, self.jumps) = (Vec::new(), Vec::new());
        for part in 0..parts {
            self.parts.push(self.p.code.len() as Pc);
            write(self, part);
        }
        let end = self.p.code.len() as Pc;
        self.p.code.push(Instr::Return { a: NO });
        for (at, part) in std::mem::take(&mut self.jumps) {
            let there = self.parts.get(part).copied().unwrap_or(end);
            use Instr::*;
            if let Bit { to, .. } | Bits { to, .. } | Equal { to, .. } | Truthy { to, .. } =
                &mut self.p.code[at]
            {
                *to = there;
            }
        }
        let constants = vec![Val::FALSE, Val::TRUE, Val::from_small(1), Val::from_small(2)];
        let name = name.to_string();
        let function = Function { name, entry, registers: REGISTERS, constants, lists: 0 };
        self.p.functions.push(function);
    }
}

fn program(seed: u32, words: u16, parts: usize, steps: fn(&mut Writer, usize)) -> Program {
    let p =
        Program { counters: COUNTERS, goal: Some(TEST), ..Program::empty(Encoding::Slots(words)) };
    let mut writer =
        Writer { random: Random::new(seed.into()), p, parts: Vec::new(), jumps: Vec::new() };
    writer.function("steps", parts, steps);
    writer.function("test", 5, Writer::truth);
    let mut made = writer.p;
    for test in &mut made.bits {
        test.word %= words;
    }
    for form in &mut made.forms {
        form.changes.iter_mut().for_each(|change| change.0 %= words);
        form.moves
            .iter_mut()
            .for_each(|field| (field.0, field.1) = (field.0 % words, field.1 % words));
    }
    made
}

fn compare<const N: usize>(seed: u32, p: Program) -> (usize, usize) {
    let handlers = p.handler_places();
    let kernels = [STEPS, TEST].map(|one| kernel(&p, &handlers, one));
    let m = Machine::new(p, Interner::new(), Box::new(Nobody));
    let mut random = Random::new(u64::from(seed) << 32 | 1);
    let (mut successors, mut compared) = (0, 0);
    for _ in 0..20 {
        let s: [u64; N] =
            std::array::from_fn(|_| u64::from(random.word()) << 32 | u64::from(random.word()));
        for (function, kernel) in [STEPS, TEST].into_iter().zip(&kernels) {
            let Some(kernel) = kernel else { continue };
            let (mut slow, mut fast) =
                (Worker::new(&m, true).unwrap(), Worker::new(&m, true).unwrap());
            let value = slow.call_on_words(&m, function, &s).unwrap();
            let mut made = Vec::new();
            let found = kernel.run(&mut fast, &m, &s, &mut |cost, x: &[u64; N]| {
                made.push((cost, *x));
                Ok(())
            });
            assert_eq!(found.unwrap(), value, "seed {seed}");
            let words = slow.made.words.chunks_exact(N).map(|x| x.try_into().unwrap());
            let wanted: Vec<_> = slow.made.costs.iter().copied().zip(words).collect();
            assert_eq!(made, wanted, "seed {seed}");
            assert_eq!(fast.counts, slow.counts, "seed {seed}");
            successors += made.len();
            compared += 1;
        }
    }
    (successors, compared)
}

#[test]
fn a_kernel_does_what_the_machine_does() {
    let (mut successors, mut compared) = (0, 0);
    for seed in 0..400 {
        let one = |words| program(seed, words, 8, Writer::steps);
        for (made, ran) in [compare::<1>(seed, one(1)), compare::<WORDS>(seed, one(2))] {
            successors += made;
            compared += ran;
        }
    }
    assert_eq!(compared, 2 * 400 * 2 * 20, "not all were kernels");
    assert!(successors > 10_000, "{successors}");
}

#[test]
fn a_choice_does_what_one_test_after_the_other_does() {
    let (mut successors, mut choices) = (0, 0);
    for seed in 0..200 {
        let one = |words| program(seed, words, 30, Writer::block);
        for p in [one(1), one(2)] {
            choices += kernel(&p, &p.handler_places(), STEPS).unwrap().choices.len();
        }
        successors += compare::<1>(seed, one(1)).0 + compare::<WORDS>(seed, one(2)).0;
    }
    assert!(choices > 400 && successors > 10_000, "{choices} {successors}");
}

#[test]
fn a_switch_does_what_one_test_after_the_other_does() {
    let (mut successors, mut switches) = (0, 0);
    for seed in 0..300 {
        let one = |words| program(seed, words, 30, Writer::case);
        for p in [one(1), one(2)] {
            switches += kernel(&p, &p.handler_places(), STEPS).unwrap().switches.len();
        }
        successors += compare::<1>(seed, one(1)).0 + compare::<WORDS>(seed, one(2)).0;
    }
    assert!(switches > 600 && successors > 10_000, "{switches} {successors}");
}

#[test]
fn what_holds_for_no_state_or_for_all_is_known_beforehand() {
    let mut p = program(0, 1, 8, Writer::steps);
    p.code = vec![Instr::Move { into: 2, from: NO }, Instr::Jump { to: 2 }, Instr::Return { a: 2 }];
    p.functions[usize::from(TEST)].entry = 0;
    let handlers = p.handler_places();
    assert_eq!(kernel(&p, &handlers, TEST).unwrap().constant(), Some(Val::FALSE));
    p.encoding = Encoding::Groups(vec![Head::Int]);
    assert_eq!(kernel(&p, &handlers, TEST).unwrap().constant(), Some(Val::FALSE));
}

#[test]
fn what_needs_registers_is_no_kernel() {
    let mut p = program(0, 1, 8, Writer::steps);
    p.code = vec![Instr::Move { into: 2, from: 0 }, Instr::Return { a: 2 }];
    p.functions[usize::from(TEST)].entry = 0;
    assert!(kernel(&p, &p.handler_places(), TEST).is_none());
}

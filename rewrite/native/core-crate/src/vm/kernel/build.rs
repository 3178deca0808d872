//! Compiles ground rules and conditions to the steps of a kernel.
//!
//! Rules that share a test are grouped behind it, and rules that test one field for many numbers behind
//! a jump by what it holds, so tests form a tree (as Fast Downward's successor generator: Helmert, JAIR
//! 2006); `choice` then turns long runs of tests of one kind into a jump.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::choice::with_choices;
use super::switch::Switch;
use super::{Asked, Counted, FOUND, Kernel, Moved, Op, Question};
use crate::ground::{Effect, Formula, GroundRule, Rules, Source};
use crate::program::{BitTest, Form};
use crate::store::UNKNOWN;
use crate::value::Val;
use crate::vm::tables::Map;

/// The fewest rules for which a shared test is done once for all.
const WORTH_SHARING: usize = 3;
/// A field is switched on if its rules are at least so many times those of any one number. Of boards
/// it is to be found which field holds one number: a choice does that.
const WORTH_SWITCHING: usize = 4;

impl Kernel {
    pub fn new(source: &Source, words: usize) -> Kernel {
        let mut builder = Builder { made: Kernel::default(), one_word: words == 1 };
        match source {
            Source::Rules(rules) => {
                builder.rules(rules);
                builder.made.ops.push(Op::Return(Val::FALSE));
            }
            Source::Condition(formula) => builder.condition(formula),
        }
        with_choices(&mut builder.made);
        if let [Op::Need(test, to), ..] = builder.made.ops[..]
            && builder.made.ops[to as usize] == Op::Return(Val::FALSE)
        {
            builder.made.needed = Some(test);
        }
        builder.made
    }
}

struct Builder {
    made: Kernel,
    one_word: bool,
}

/// Steps whose `to` is not known yet.
type Jumps = Vec<usize>;

impl Builder {
    fn here(&self) -> u32 {
        self.made.ops.len() as u32
    }

    fn push(&mut self, op: Op) -> usize {
        self.made.ops.push(op);
        self.made.ops.len() - 1
    }

    fn lead(&mut self, jumps: &[usize], place: u32) {
        for &at in jumps {
            if let Some(to) = self.made.ops[at].target_mut() {
                *to = place;
            }
        }
    }

    // -- conditions ------------------------------------------------------------------------

    fn condition(&mut self, formula: &Formula) {
        if let Some(truth) = formula.known() {
            self.push(Op::Return(Val::truth(truth)));
            return;
        }
        let fails = self.branch(formula, false, false);
        self.push(Op::Return(Val::TRUE));
        let here = self.here();
        self.lead(&fails, here);
        self.push(Op::Return(Val::FALSE));
    }

    /// Emits steps that jump if the outcome is `on` and fall through otherwise; returns the jumps.
    fn branch(&mut self, formula: &Formula, of_next: bool, on: bool) -> Jumps {
        let question = match formula {
            Formula::Truth(truth) if *truth == on => return vec![self.push(Op::Jump(0))],
            Formula::Truth(_) => return Jumps::new(),
            Formula::Bits(tests) => return self.bits(tests, of_next, on),
            Formula::Not(inner) => return self.branch(inner, of_next, !on),
            Formula::All(parts) => return self.junction(parts, of_next, on, false),
            Formula::Any(parts) => return self.junction(parts, of_next, on, true),
            Formula::Ones(masks, ones) => {
                let (first, len) = (self.made.bits.len() as u32, masks.len() as u16);
                self.made.bits.extend_from_slice(masks);
                Question::Ones { first, len, ones: *ones }
            }
            Formula::Successor => Question::AnySuccessor,
            Formula::Call(function) => Question::Call(*function),
        };
        vec![self.push(Op::Ask(question, Asked { on, of_next }, 0))]
    }

    /// `decisive`: the outcome of a part that settles the whole.
    fn junction(&mut self, parts: &[Formula], of_next: bool, on: bool, decisive: bool) -> Jumps {
        let Some((last, others)) = parts.split_last() else {
            return self.branch(&Formula::Truth(!decisive), of_next, on);
        };
        let mut decided = Jumps::new();
        for part in others {
            decided.extend(self.branch(part, of_next, decisive));
        }
        let mut jumps = self.branch(last, of_next, on);
        if on == decisive {
            jumps.append(&mut decided);
        } else {
            let here = self.here();
            self.lead(&decided, here);
        }
        jumps
    }

    fn bits(&mut self, tests: &[BitTest], of_next: bool, on: bool) -> Jumps {
        let Some((last, others)) = tests.split_last() else {
            return self.branch(&Formula::Truth(true), of_next, on);
        };
        let test = |one, on| match (of_next, on) {
            (true, on) => Op::OfNext(one, on, 0),
            (false, true) => Op::Leave(one, 0),
            (false, false) => Op::Need(one, 0),
        };
        let mut fails: Jumps = others.iter().map(|&one| self.push(test(one, false))).collect();
        let holds = self.push(test(*last, on));
        if !on {
            fails.push(holds);
            return fails;
        }
        let here = self.here();
        self.lead(&fails, here);
        vec![holds]
    }

    // -- rules -----------------------------------------------------------------------------

    fn rules(&mut self, given: &Rules) {
        let foremost = |test: &BitTest| {
            given.first.iter().any(|&(word, mask)| word == test.word && mask & test.mask != 0)
        };
        let usual: Map<BitTest, usize> = given.usual.iter().copied().zip(0..).collect();
        let mut missing: Vec<Vec<Item>> = given.usual.iter().map(|_| Vec::new()).collect();
        let mut others = Vec::new();
        for (number, rule) in given.rules.iter().enumerate() {
            let missed = rule.misses.iter().find_map(|miss| usual.get(miss));
            missed.map_or(&mut others, |&at| &mut missing[at]).push((number, rule.tests.clone()));
        }
        for (test, chosen) in given.usual.iter().zip(missing) {
            if !chosen.is_empty() {
                let holds = self.push(Op::Leave(*test, 0));
                self.tree(given, chosen, &foremost);
                let here = self.here();
                self.lead(&[holds], here);
            }
        }
        self.tree(given, others, &foremost);
    }

    /// Rules with their remaining tests: what is shared by most goes before all of them.
    fn tree(&mut self, given: &Rules, items: Vec<Item>, foremost: &impl Fn(&BitTest) -> bool) {
        let mut node = Node::new(items, foremost);
        while let Some(shared) = node.next() {
            match shared {
                Shared::Test(at) => {
                    let (test, chosen) = (node.tests[at].test, node.taken(at));
                    let fails = self.push(Op::Need(test, 0));
                    self.tree(given, chosen, foremost);
                    let here = self.here();
                    self.lead(&[fails], here);
                }
                Shared::Field(at) => {
                    let mut parts = Vec::new();
                    for at in node.fields[at].tests.clone() {
                        let chosen = node.taken(at);
                        if !chosen.is_empty() {
                            parts.push((node.tests[at].test, chosen));
                        }
                    }
                    self.switch(given, parts, foremost);
                }
            }
        }
        for (rule, tests) in node.items.into_iter().flatten() {
            self.rule(given, rule, &tests);
        }
    }

    /// Rules by the test of one field that each of them passes.
    fn switch(
        &mut self,
        given: &Rules,
        parts: Vec<(BitTest, Vec<Item>)>,
        foremost: &impl Fn(&BitTest) -> bool,
    ) {
        let number = self.made.switches.len();
        self.push(Op::Switch(number as u32));
        self.made.switches.push(Switch::default());
        let (mut targets, mut ends) = (Vec::new(), Vec::new());
        for (test, chosen) in parts {
            targets.push((test, self.here()));
            self.tree(given, chosen, foremost);
            ends.push(self.push(Op::Jump(0)));
        }
        let here = self.here();
        self.lead(&ends, here);
        self.made.switches[number] = Switch::new(&targets, here);
    }

    fn rule(&mut self, given: &Rules, number: usize, tests: &[BitTest]) {
        let rule = &given.rules[number];
        let needs = merged(tests).into_iter().map(|one| Op::Need(one, 0));
        let tests = needs.chain(rule.misses.iter().map(|&one| Op::Leave(one, 0)));
        let mut fails: Jumps = tests.map(|op| self.push(op)).collect();
        if !rule.guard.is_empty() {
            let sound = self.bits(&rule.guard, false, true);
            self.push(Op::Twice);
            let here = self.here();
            self.lead(&sound, here);
        }
        match &rule.effect {
            Effect::Form(form) => fails.extend(self.change(given, number, form)),
            Effect::Table(table) => self.look_up(given, rule, *table),
        }
        let here = self.here();
        self.lead(&fails, here);
    }

    /// Emits the successor by a form; returns the jumps for forbidden successors.
    fn change(&mut self, given: &Rules, number: usize, form: &Form) -> Jumps {
        let rule = &given.rules[number];
        let counted = Counted { counter: rule.fired, cost: self.cost(rule.cost), step: UNKNOWN };
        if given.simplify || given.never.is_some() {
            let form = self.form(form);
            self.push(Op::Make(form));
            let refused = self.judge(given, rule);
            self.push(Op::OutNext(counted));
            return refused;
        }
        let counted = Counted { step: self.step(number), ..counted };
        let op = match self.one_word.then(|| moved(form)).flatten() {
            Some(moved) => Op::Out(counted, moved),
            None => Op::OutForm(counted, self.form(form)),
        };
        self.push(op);
        Jumps::new()
    }

    fn look_up(&mut self, given: &Rules, rule: &GroundRule, table: u16) {
        self.made.looks_up = true;
        let cost = self.cost(rule.cost);
        self.push(Op::Find(table));
        let again = self.here();
        let done = self.push(Op::NextFound(table, 0));
        if cost == FOUND {
            self.push(Op::CheckFoundCost);
        }
        let refused = self.judge(given, rule);
        self.lead(&refused, again);
        self.push(Op::OutNext(Counted { counter: rule.fired, cost, step: UNKNOWN }));
        self.push(Op::Jump(again));
        let here = self.here();
        self.lead(&[done], here);
    }

    /// Simplifies the current successor; returns the jumps for one that is forbidden.
    fn judge(&mut self, given: &Rules, rule: &GroundRule) -> Jumps {
        if given.simplify {
            self.push(Op::Simplify);
        }
        let Some(never) = &given.never else { return Jumps::new() };
        self.push(Op::Count(rule.matched));
        self.branch(never, true, true)
    }

    fn cost(&mut self, cost: Option<Val>) -> u16 {
        let Some(cost) = cost else { return FOUND };
        let costs = &mut self.made.costs;
        let at = costs.iter().position(|&one| one == cost).unwrap_or(costs.len());
        if at == costs.len() {
            costs.push(cost);
        }
        at as u16
    }

    fn step(&mut self, rule: usize) -> u16 {
        self.made.step_rules.push(rule);
        u16::try_from(self.made.step_rules.len() - 1).unwrap_or(UNKNOWN)
    }

    fn form(&mut self, form: &Form) -> u32 {
        self.made.forms.push(form.clone());
        self.made.forms.len() as u32 - 1
    }
}

/// A rule, and the tests that are still to be made.
type Item = (usize, Vec<BitTest>);

struct SharedTest {
    test: BitTest,
    field: usize,
    items: Vec<usize>,
    left: usize,
}

#[derive(Default)]
struct Field {
    tests: Vec<usize>,
    left: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shared {
    Test(usize),
    Field(usize),
}

/// Rules of which some share tests; those that are left, None for the others.
struct Node {
    items: Vec<Option<Item>>,
    tests: Vec<SharedTest>,
    fields: Vec<Field>,
    by_test: Map<BitTest, usize>,
    heap: BinaryHeap<(bool, usize, Reverse<Shared>)>,
}

impl Node {
    fn new(items: Vec<Item>, foremost: &impl Fn(&BitTest) -> bool) -> Node {
        let (mut tests, mut fields) = (Vec::<SharedTest>::new(), Vec::<Field>::new());
        let (mut by_test, mut by_field) = (Map::<BitTest, usize>::default(), Map::default());
        for (at, (_, given)) in items.iter().enumerate() {
            for &test in given {
                let place = *by_test.entry(test).or_insert_with(|| {
                    let field = *by_field.entry((test.word, test.mask)).or_insert(fields.len());
                    if field == fields.len() {
                        fields.push(Field::default());
                    }
                    fields[field].tests.push(tests.len());
                    tests.push(SharedTest { test, field, items: Vec::new(), left: 0 });
                    tests.len() - 1
                });
                tests[place].items.push(at);
                tests[place].left += 1;
                fields[tests[place].field].left += 1;
            }
        }
        let items = items.into_iter().map(Some).collect();
        let mut node = Node { items, tests, fields, by_test, heap: BinaryHeap::new() };
        let all = (0..node.tests.len()).map(Shared::Test);
        for one in all.chain((0..node.fields.len()).map(Shared::Field)) {
            let of = match one {
                Shared::Test(at) => at,
                Shared::Field(at) => node.fields[at].tests[0],
            };
            let first = foremost(&node.tests[of].test);
            if node.is_worth(one, first) {
                node.heap.push((first, node.left(one), Reverse(one)));
            }
        }
        node
    }

    fn left(&self, one: Shared) -> usize {
        match one {
            Shared::Test(at) => self.tests[at].left,
            Shared::Field(at) => self.fields[at].left,
        }
    }

    fn is_worth(&self, one: Shared, first: bool) -> bool {
        match one {
            Shared::Test(at) => self.tests[at].left >= if first { 1 } else { WORTH_SHARING },
            Shared::Field(at) => {
                let Field { tests, left } = &self.fields[at];
                let most = tests.iter().map(|&at| self.tests[at].left).max().unwrap_or(0);
                *left > 0 && *left >= WORTH_SWITCHING * most
            }
        }
    }

    /// What most rules share that are left, if it is worth it.
    fn next(&mut self) -> Option<Shared> {
        while let Some((first, count, Reverse(one))) = self.heap.pop() {
            if !self.is_worth(one, first) {
                continue;
            }
            let left = self.left(one);
            if left == count {
                return Some(one);
            }
            self.heap.push((first, left, Reverse(one))); // some of its rules are gone
        }
        None
    }

    /// Takes the rules out that make a test; it is not among their tests any more.
    fn taken(&mut self, at: usize) -> Vec<Item> {
        let test = self.tests[at].test;
        let mut found = Vec::with_capacity(self.tests[at].left);
        for item in std::mem::take(&mut self.tests[at].items) {
            let Some((rule, mut tests)) = self.items[item].take() else { continue };
            for other in &tests {
                let other = &mut self.tests[self.by_test[other]];
                other.left -= 1;
                self.fields[other.field].left -= 1;
            }
            tests.retain(|other| *other != test);
            found.push((rule, tests));
        }
        found
    }
}

fn merged(tests: &[BitTest]) -> Vec<BitTest> {
    let mut found: Vec<BitTest> = Vec::new();
    for &test in tests {
        match found.iter_mut().find(|one| one.word == test.word) {
            Some(one) => (one.mask, one.value) = (one.mask | test.mask, one.value | test.value),
            None => found.push(test),
        }
    }
    found
}

fn moved(form: &Form) -> Option<Moved> {
    if !form.maps.is_empty() || !form.effects.is_empty() {
        return None;
    }
    let (mut keep, mut flip) = (u64::MAX, 0);
    for &(_, kept, flipped) in &form.changes {
        (keep, flip) = (keep & kept, (flip & kept) ^ flipped);
    }
    match form.moves[..] {
        [] => Some(Moved { keep, flip, field: 0, turn: 0 }),
        [(_, _, field, shift)] => {
            let turn = shift.rem_euclid(64) as u32;
            let by = u32::from(shift.unsigned_abs());
            let stays = if shift >= 0 { field << by >> by } else { field >> by << by };
            (stays == field).then_some(Moved { keep, flip, field, turn }) // no bit of it is lost
        }
        _ => None,
    }
}

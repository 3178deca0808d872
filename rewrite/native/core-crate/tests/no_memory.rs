//! No request for memory may end the process: each fails once, and every search has a clean end.
//!
//! The allocator of this test program fails the n-th request of an armed thread (and, in a second
//! round, all that follow). Where that happens in the middle of `advance`, the search ends and says
//! why; a search after it, on the same machine, finds what one finds that was never disturbed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering::SeqCst};

use rewrite_core::Layout as Tables;
use rewrite_core::estimates::Place;
use rewrite_core::ground::{Effect, Formula, GroundRule, Rules, Source};
use rewrite_core::instr::INSTRUCTIONS;
use rewrite_core::interner::Interner;
use rewrite_core::program::*;
use rewrite_core::search::Search;
use rewrite_core::search::limits::{Limit, Limits, Stop};
use rewrite_core::search::question::{Amount, Kind, Question};
use rewrite_core::search::savable::SavableSpace;
use rewrite_core::state_space::new_state_space;
use rewrite_core::value::Val;
use rewrite_core::vm::machine::{Machine, Nobody};

// -- an allocator that fails ---------------------------------------------------------------------

struct Failing;

/// Requests until one fails.
static LEFT: AtomicI64 = AtomicI64::new(i64::MAX);
/// Whether those after it fail, too.
static FROM_THEN_ON: AtomicBool = AtomicBool::new(false);
/// Smaller requests are not counted, and do not fail.
static LEAST: AtomicUsize = AtomicUsize::new(0);
/// Whether other threads count, too.
static ALL_THREADS: AtomicBool = AtomicBool::new(false);

/// Bytes that are in use, of what was asked for by threads that count; and the most there were.
static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

thread_local! {
    static ARMED: Cell<bool> = const { Cell::new(false) };
}

fn fails(size: usize) -> bool {
    let armed = ARMED.try_with(Cell::get).unwrap_or(false) || ALL_THREADS.load(SeqCst);
    if !armed || size < LEAST.load(SeqCst) {
        return false;
    }
    let left = LEFT.fetch_sub(1, SeqCst);
    left == 0 || left < 0 && FROM_THEN_ON.load(SeqCst)
}

/// Notes that so many bytes more are in use.
fn used(bytes: i64) {
    if ARMED.try_with(Cell::get).unwrap_or(false) {
        PEAK.fetch_max(LIVE.fetch_add(bytes, SeqCst) + bytes, SeqCst);
    }
}

// SAFETY: hands every request on to the allocator of the system as it is, or refuses it by null, as
// the contract allows.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the contract of the caller is that of `System`
        if fails(layout.size()) {
            return null_mut();
        }
        used(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above
        if fails(layout.size()) {
            return null_mut();
        }
        used(layout.size() as i64);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; what was refused stays as it was
        if fails(size) {
            return null_mut();
        }
        used(size as i64); // for a moment the old and the new place are there
        used(-(layout.size() as i64));
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: it came from `System`
        used(-(layout.size() as i64));
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Failing = Failing;

/// Runs something while the n-th request fails; returns how many requests there were, too.
fn armed<T>(request: i64, work: impl FnOnce() -> T) -> (T, i64) {
    LEFT.store(request, SeqCst);
    ARMED.with(|armed| armed.set(true));
    let made = work();
    ARMED.with(|armed| armed.set(false));
    (made, request - LEFT.swap(i64::MAX, SeqCst))
}

// -- puzzles -------------------------------------------------------------------------------------

fn empty(encoding: Encoding) -> Program {
    Program { counters: 4, goal: Some(1), ..Program::empty(encoding) }
}

fn flat(code: &[(&str, &[u32])]) -> Vec<u32> {
    let mut words = Vec::new();
    for &(name, operands) in code {
        let number = INSTRUCTIONS.iter().position(|&one| one == name).unwrap();
        words.push(number as u32 | (operands.len() as u32) << 8);
        words.extend(operands);
    }
    words
}

fn machine(mut program: Program, interner: Interner, code: &[(&str, &[u32])]) -> Arc<Machine> {
    program.code = Code::read(&flat(code), &[]).unwrap();
    Arc::new(Machine::new(program, interner, Box::new(Nobody)))
}

fn function(entry: usize, registers: u16, constants: &[Val]) -> Function {
    Function { entry: entry as u32, registers, constants: constants.to_vec(), lists: 1 }
}

const NO_COUNTER: u32 = NOTHING as u32;

/// Three numbers, of which one doubles in each step, from 2^33 to 2^43: they and the pairs that are
/// made on the way are interned. The goal is a sum.
fn bags() -> (Arc<Machine>, Vec<Vec<u32>>) {
    let interner = Interner::default();
    let small = |n: i64| Val::small(n).unwrap();
    let (least, most) = (1 << 33, small(1 << 43));
    let mut program =
        empty(Encoding::Groups { kinds: vec![rewrite_core::value::Kind::Int], nibbles: false });
    // 0 state, 1 index, 2 value, 3 mark, 4 rest, 5 doubled, 6 the new state; 7 zero, 8 one, 9 most
    program.functions.push(function(0, 7, &[small(0), small(1), most]));
    // 0 state, 1 sum; 2 the goal, 3 true, 4 false
    let truths = [small(3 << 43), Val::TRUE, Val::FALSE];
    program.functions.push(function(13, 2, &truths));
    let code: [(&str, &[u32]); 17] = [
        ("RangeInit", &[1, 7, 3]),
        ("ItemsNext", &[0, 1, 2, 0, 3, 2, 12]),
        ("Less", &[2, 9, 0, 1]),
        ("Without", &[4, 0, 1]),
        ("Outside", &[5, 0, 2]),
        ("Tuple", &[5, 0, 5, 0, 2]),
        ("Index", &[5, 5, 7]),
        ("Add", &[5, 5, 2]),
        ("Insert", &[6, 4, 5]),
        ("Emit", &[8, NO_COUNTER, 6]),
        ("Count", &[0]),
        ("Jump", &[1]),
        ("Return", &[7]),
        ("Builtin", &[1, 13, 0]),
        ("Equal", &[1, 2, 0, 16]),
        ("Return", &[3]),
        ("Return", &[4]),
    ];
    let start = [least; 3].map(|n| interner.pack(small(n)).unwrap()).to_vec();
    (machine(program, interner, &code), vec![start])
}

const BITS: usize = 7;

/// So many lamps, each of which can be switched on; the goal is that all are on.
///
/// `summed`: the heuristic is known as the sum that it is.
fn lamps(summed: bool) -> (Arc<Machine>, Vec<Vec<u32>>) {
    let mut program = empty(Encoding::Slots(1));
    let all = (1 << BITS) - 1;
    let goal = Formula::Bits(vec![BitTest { word: 0, mask: all, value: all }]);
    // the heuristic, lamps that are off: those that are on, taken from all
    program.functions.push(function(0, 1, &[Val::small(BITS as i64).unwrap()]));
    let code: [(&str, &[u32]); 3] =
        [("BitCount", &[0, 0, all as u32, 0, 0, 0]), ("Sub", &[0, 1, 0]), ("Return", &[0])];
    program.kernels =
        vec![(1, switches(BITS, false)), (2, switches(BITS, true)), (3, Source::Condition(goal))];
    (program.successors, program.predecessors) = (1, Some(2));
    (program.goal, program.heuristic) = (Some(3), Some(0));
    program.sum = summed.then(|| (0..BITS as u32).map(|at| Place::new(at, 1)).collect());
    if summed {
        // and there are several tables at once, without numbers as long as nobody asks for them
        program.layout = Tables { key_bits: Some(BITS as u32), split: 0 };
    }
    (machine(program, Interner::default(), &code), vec![vec![0, 0], vec![all as u32, 0]])
}

/// Rules that switch each of so many lamps, from this state to the other.
fn switches(lamps: usize, on: bool) -> Source {
    let rule = |bit: usize| {
        let mask = 1 << bit;
        let (value, flip) = if on { (mask, 0) } else { (0, mask) };
        GroundRule {
            fired: bit as u16 % 4,
            tests: vec![BitTest { word: 0, mask, value }],
            cost: Val::small(1),
            effect: Effect::Form(Form { changes: vec![(0, !mask, flip)], ..Form::default() }),
            ..GroundRule::default()
        }
    };
    Source::Rules(Rules { rules: (0..lamps).map(rule).collect(), ..Rules::default() })
}

// -- searches ------------------------------------------------------------------------------------

struct Case {
    name: &'static str,
    machine: Arc<Machine>,
    first: Vec<Vec<u32>>,
    asked: Question,
    threads: usize,
}

impl Case {
    fn begin(&self) -> (Box<dyn SavableSpace>, Search) {
        let space = new_state_space(self.machine.clone(), &self.first, self.threads).unwrap();
        (space, Search::new(self.asked.clone()).unwrap())
    }

    fn run(&self, space: &mut dyn SavableSpace, search: &mut Search) -> Stop {
        // without a closed set, all ways are followed: one is enough
        let wanted = (self.asked.strategy == Kind::IdaStar).then_some(1);
        let ended = search.advance(space, wanted, &Limits::default(), &mut |_| Ok(false));
        ended.unwrap_or_else(|error| panic!("{}: {error:?}", self.name))
    }

    /// What an undisturbed search finds: states, answers, the length of the first.
    fn whole(&self) -> (u32, usize, Option<usize>) {
        let (mut space, mut search) = self.begin();
        let stop = self.run(&mut *space, &mut search);
        assert!(matches!(stop, Stop::Exhausted | Stop::Found) && !search.out_of_memory);
        let first = search.answers.found.first().map(|one| one.trail.len());
        (space.states(), search.answers.found.len(), first)
    }
}

fn cases() -> Vec<Case> {
    let (bags, lamps, summed) = (bags(), lamps(false), lamps(true));
    let mut made = Vec::new();
    let mut add = |name, puzzle: &(Arc<Machine>, Vec<Vec<u32>>), asked: Question| {
        let starts = if asked.goals > 0 { 2 } else { 1 };
        let first = puzzle.1[..starts].to_vec();
        made.push(Case { name, machine: puzzle.0.clone(), first, asked, threads: 1 });
    };
    let plain = [
        ("breadth_first", Kind::BreadthFirst),
        ("uniform_cost", Kind::UniformCost),
        ("depth_first", Kind::DepthFirst),
    ];
    for (name, kind) in plain {
        add(name, &bags, Question::new(kind));
        for lamps in [&lamps, &summed] {
            add(name, lamps, Question { min_depth: 1, ..Question::new(kind) });
        }
    }
    let informed = [
        ("astar", Kind::Astar),
        ("greedy", Kind::Greedy),
        ("beam", Kind::Beam),
        ("idastar", Kind::IdaStar),
    ];
    for (name, kind) in informed {
        let options = [("width".into(), Amount::Whole(60))].into();
        let asked = Question { uses_estimate: true, options, ..Question::new(kind) };
        add(name, &lamps, asked.clone());
        add(name, &summed, asked);
    }
    add("idastar", &lamps, Question::new(Kind::IdaStar));
    let paths = Question { distinct_paths: true, ..Question::new(Kind::BreadthFirst) };
    add("paths", &lamps, paths);
    for weighted in [false, true] {
        let asked = Question { goals: 1, weighted, ..Question::new(Kind::Bidirectional) };
        add("bidirectional", &lamps, asked);
    }
    made
}

/// Fails requests one after the other, not more of them than `most` (spread over all).
fn fail_each(case: &Case, most: i64) -> usize {
    let expected = case.whole();
    let (mut space, mut search) = case.begin();
    let (usual, requests) = armed(i64::MAX, || case.run(&mut *space, &mut search));
    assert!(requests > 3, "{}: {requests} requests", case.name);
    let mut ended = 0;
    for from_then_on in [false, true] {
        FROM_THEN_ON.store(from_then_on, SeqCst);
        let step = (requests / most).max(1);
        for request in (0..requests).step_by(step as usize) {
            let (mut space, mut search) = case.begin();
            let (stop, _) = armed(request, || case.run(&mut *space, &mut search));
            assert_eq!(stop, if search.out_of_memory { Stop::Exhausted } else { usual });
            ended += usize::from(search.out_of_memory);
            if !search.out_of_memory {
                let answers = search.answers.found.len();
                assert_eq!((space.states(), answers), (expected.0, expected.1), "{}", case.name);
            }
            for answer in &search.answers.found {
                assert_eq!(answer.trail[0], 0, "{}: an answer that was found stays", case.name);
            }
            let last = space.states() - 1;
            space.seen(last, &mut |_| ()).unwrap();
            let left = search.bytes();
            assert!(!search.out_of_memory || left < 1 << 20, "{}: {left} bytes kept", case.name);
            assert_eq!(case.run(&mut *space, &mut search), stop, "{}: it stays so", case.name);
        }
        assert_eq!(case.whole(), expected, "{}: a search after those that failed", case.name);
    }
    ended
}

/// One test for all: what fails is set for the whole process.
#[test]
fn every_request_for_memory_may_fail_and_the_search_ends_cleanly() {
    for case in &cases() {
        let ended = fail_each(case, 60);
        assert!(ended > 20, "{}: only {ended} searches ended for lack of memory", case.name);
    }
    // threads are begun by ways that cannot fail: there, only what is large fails
    LEAST.store(1 << 10, SeqCst);
    ALL_THREADS.store(true, SeqCst);
    let (machine, first) = large_lamps();
    let asked = Question { goal: false, ..Question::new(Kind::BreadthFirst) };
    let case = Case { name: "two threads", machine, first, asked, threads: 2 };
    assert_eq!(case.whole().0, 1 << 15);
    assert!(fail_each(&case, 12) > 5);

    for kind in [Kind::Astar, Kind::Greedy, Kind::UniformCost] {
        memory_is_counted(kind);
    }
}

/// What a search says it takes is what it takes, and a limit is kept but for one more piece of each
/// list that grows.
fn memory_is_counted(kind: Kind) {
    const RESERVE: i64 = 4 << 20;
    let (machine, first) = large_lamps();
    let asked = Question { uses_estimate: kind != Kind::UniformCost, ..Question::new(kind) };
    let run = |most: Option<usize>| {
        LIVE.store(0, SeqCst);
        PEAK.store(0, SeqCst);
        let ((stop, counted, live), _) = armed(i64::MAX, || {
            let mut space = new_state_space(machine.clone(), &first, 1).unwrap();
            let mut search = Search::new(asked.clone()).unwrap();
            let limits = Limits { max_memory: most, ..Limits::default() };
            let stop = search.advance(&mut *space, None, &limits, &mut |_| Ok(false)).unwrap();
            let counted = space.bytes() + search.bytes();
            (stop, counted as i64, LIVE.load(SeqCst) - RESERVE)
        });
        (stop, counted, live, PEAK.load(SeqCst) - RESERVE)
    };
    let (stop, counted, live, _) = run(None);
    assert_eq!(stop, Stop::Exhausted);
    assert!((counted - live).abs() < live / 100 + (16 << 10), "{kind:?}: {counted}, {live}");
    for share in [3, 5, 8] {
        let most = live * share / 10;
        let (stop, _, _, peak) = run(Some(most as usize));
        assert_eq!(stop, Stop::Limit(Limit::MaxMemory));
        assert!(peak < most + (512 << 10), "{kind:?}: {peak} of {most}");
    }
}

/// Enough lamps for batches that are expanded by several threads.
fn large_lamps() -> (Arc<Machine>, Vec<Vec<u32>>) {
    let mut program = empty(Encoding::Slots(1));
    program.goal = None;
    program.kernels = vec![(0, switches(15, false))];
    program.successors = 0;
    (machine(program, Interner::default(), &[]), vec![vec![0, 0]])
}

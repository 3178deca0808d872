//! The machine: a program with the data that all its threads share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::checkpoint::{Reader, Writer};
use crate::error::{Change, Error, Result};
use crate::estimate::Estimate;
use crate::estimates::{Estimator, Tables};
use crate::ground::Source;
use crate::grow::{Grow, copied, grow_map, no_memory, table_bytes};
use crate::interner::Interner;
use crate::program::{Family, Instr, Program};
use crate::store::Direction;
use crate::value::Val;
use crate::vm::fused::fused;
use crate::vm::kernel::{Kernel, Skips};

/// How long the core runs before it checks again whether to stop.
pub const PATIENCE: Duration = Duration::from_millis(50);

/// A state passed to code outside the core.
pub enum Seen<'a> {
    Groups(&'a [Vec<Val>]),
    Words(&'a [u64]),
}

/// What the core calls outside: user functions, and a check whether to stop.
pub trait Outside: Send + Sync {
    fn call(&self, function: u16, args: &[Val], interner: &Interner) -> Result<Val>;
    /// The value in a state of a condition or expression evaluated outside.
    fn state(&self, test: u16, state: Seen<'_>, interner: &Interner) -> Result<Val>;
    fn estimate(&self, state: Seen<'_>, interner: &Interner) -> Result<Estimate>;
    /// Whether a stop was requested. Called only on the thread that began the search.
    fn stop(&self) -> Result<bool>;
}

/// For programs that call nothing outside.
pub struct Nobody;

impl Outside for Nobody {
    fn call(&self, _: u16, args: &[Val], _: &Interner) -> Result<Val> {
        Ok(args[0])
    }

    fn state(&self, _: u16, _: Seen<'_>, _: &Interner) -> Result<Val> {
        Err(Error::failed("nobody is asked"))
    }

    fn estimate(&self, _: Seen<'_>, _: &Interner) -> Result<Estimate> {
        Ok(Estimate::Whole(0))
    }

    fn stop(&self) -> Result<bool> {
        Ok(false)
    }
}

/// Slots of one family while they run: values get numbers when they first come up.
#[derive(Debug)]
pub struct Numbers {
    pub family: Family,
    by_value: HashMap<Val, u32>,
}

impl Numbers {
    fn new(family: &Family) -> Numbers {
        let by_value = (0..).zip(&family.values).map(|(number, &value)| (value, number)).collect();
        Numbers { family: family.clone(), by_value }
    }
}

pub struct Machine {
    pub program: Program,
    /// That of the program with superinstructions in it; see `fused`.
    pub(crate) code: Vec<Instr>,
    pub interner: Interner,
    pub outside: Box<dyn Outside>,
    /// See `Program::handler_places`.
    pub handlers: Vec<u32>,
    /// By function: of those that are run on states in slots as kernels.
    kernels: Vec<Option<Kernel>>,
    /// Of steps forward and backward; see `skips`.
    skips: [OnceLock<Skips>; 2],
    /// Whether the goal may depend on what free moves write.
    pub(crate) goal_sees_moves: bool,
    /// By table: whether its residual depends on its arguments alone.
    pub(crate) stateless: Vec<bool>,
    families: RwLock<Vec<Numbers>>,
    remembered: Mutex<HashMap<(u16, Val), Val>>,
    remembered_bytes: AtomicUsize,
    stopped: AtomicBool,
    alarm: Mutex<Alarm>,
}

type Remembered = ((u16, Val), Val);

struct Alarm {
    deadline: Option<Instant>,
    asked: Instant,
}

impl Machine {
    pub fn new(program: Program, interner: Interner, outside: Box<dyn Outside>) -> Machine {
        let handlers = program.handler_places();
        let families = program.families.iter().map(Numbers::new).collect();
        let residuals = program.tables.iter().map(|table| table.residual);
        let stateless = residuals.map(|one| program.is_stateless(one)).collect();
        let most = program.kernels.iter().map(|(function, _)| usize::from(*function) + 1).max();
        let mut kernels: Vec<Option<Kernel>> = (0..most.unwrap_or(0)).map(|_| None).collect();
        for (function, source) in &program.kernels {
            kernels[usize::from(*function)] = Some(Kernel::new(source, program.encoding.words()));
        }
        let code = fused(&program);
        let goal = program.goal.and_then(|goal| kernels.get(usize::from(goal))?.as_ref());
        let goal_sees_moves = program.classes.as_ref().is_some_and(|classes| {
            goal.is_none_or(|goal| classes.written().any(|bits| goal.reads(bits)))
        });
        Machine {
            program,
            code,
            interner,
            outside,
            handlers,
            kernels,
            skips: Default::default(),
            goal_sees_moves,
            stateless,
            families: RwLock::new(families),
            remembered: Mutex::default(),
            remembered_bytes: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            alarm: Mutex::new(Alarm { deadline: None, asked: Instant::now() }),
        }
    }

    /// A function that is run on states, as a kernel if it is one.
    #[inline]
    pub(crate) fn kernel(&self, function: u16) -> Option<&Kernel> {
        self.kernels.get(usize::from(function))?.as_ref()
    }

    /// The steps that a breadth-first search may skip; found when it is asked for first.
    pub fn skips(&self, direction: Direction) -> &Skips {
        self.skips[direction as usize].get_or_init(|| self.find_skips(direction))
    }

    fn find_skips(&self, direction: Direction) -> Skips {
        let p = &self.program;
        let known = p.canon.is_some() == p.listed().is_some();
        let function = p.expansion(direction);
        let source = p.kernels.iter().find(|(number, _)| *number == function);
        match (source, self.kernel(function)) {
            (Some((_, Source::Rules(rules))), Some(kernel)) if p.classes.is_none() && known => {
                Skips::new(&kernel.steps_of(rules), p.encoding.words(), p.listed())
            }
            _ => Skips::default(),
        }
    }

    #[inline]
    pub(crate) fn tables(&self) -> Option<&Tables> {
        self.program.estimate.as_ref().and_then(Estimator::tables)
    }

    /// Whether the goal may hold in some state, judged without looking at one.
    pub fn may_have_goals(&self) -> bool {
        let Some(goal) = self.program.goal else { return false };
        let known = match self.kernel(goal) {
            Some(kernel) => kernel.constant(),
            None => self.program.constant(goal),
        };
        known != Some(Val::FALSE)
    }

    // -- time ------------------------------------------------------------------------------

    /// Begins work that stops by itself at `deadline`.
    pub fn begin(&self, deadline: Option<Instant>) {
        self.stopped.store(false, Ordering::Relaxed);
        let mut alarm = self.alarm.lock().unwrap_or_else(PoisonError::into_inner);
        *alarm = Alarm { deadline, asked: Instant::now() };
    }

    /// Fails if work is to stop; called every few thousand turns of a loop. `first`: on the thread that
    /// began the search, the only one on which an interrupt can arrive.
    pub fn pulse(&self, first: bool) -> Result<()> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        if !first {
            return Ok(());
        }
        let now = Instant::now();
        let due = {
            let mut alarm = self.alarm.lock().unwrap_or_else(PoisonError::into_inner);
            if alarm.deadline.is_some_and(|deadline| now >= deadline) {
                return Err(Error::Late);
            }
            let due = now - alarm.asked >= PATIENCE;
            if due {
                alarm.asked = now;
            }
            due
        };
        if due && self.outside.stop()? {
            self.stopped.store(true, Ordering::Relaxed);
            return Err(Error::Interrupted);
        }
        Ok(())
    }

    // -- user functions --------------------------------------------------------------

    pub fn call_outside(&self, function: u16, args: &[Val]) -> Result<Val> {
        let key = (function, self.interner.tuple(args)?);
        let known = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&found) = known.get(&key) {
            return Ok(found);
        }
        drop(known);
        let found = self.outside.call(function, args, &self.interner)?;
        let mut known = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        grow_map(&mut known, key, found)?;
        self.remembered_bytes.store(table_bytes::<Remembered>(known.capacity()), Ordering::Relaxed);
        Ok(found)
    }

    // -- numbers of slot values ------------------------------------------------------------

    pub fn slot_value(&self, family: u16, number: u32) -> Val {
        let families = self.families.read().unwrap_or_else(PoisonError::into_inner);
        families[family as usize].family.values[number as usize]
    }

    /// The number of a value in a slot; a new value gets the next number.
    pub fn slot_number(&self, family: u16, value: Val) -> Result<u32> {
        let families = self.families.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = families[family as usize].by_value.get(&value) {
            return Ok(number);
        }
        drop(families);
        let mut families = self.families.write().unwrap_or_else(PoisonError::into_inner);
        let numbers = &mut families[family as usize];
        if let Some(&number) = numbers.by_value.get(&value) {
            return Ok(number);
        }
        if numbers.family.closed {
            let why = "a slot holds a value that cannot come up";
            return Err(Error::Change(Change::Multiset(why)));
        }
        let number = numbers.family.values.len() as u32;
        if numbers.family.bits < 32 && number >> numbers.family.bits != 0 {
            return Err(Error::Change(Change::Widen));
        }
        numbers.by_value.try_reserve(1).map_err(no_memory)?;
        numbers.family.values.grow_push(value)?;
        grow_map(&mut numbers.by_value, value, number)?;
        Ok(number)
    }

    /// The values of a family numbered after the first `known` ones.
    pub fn slot_values(&self, family: u16, known: usize) -> Result<Vec<Val>> {
        let families = self.families.read().unwrap_or_else(PoisonError::into_inner);
        copied(&families[family as usize].family.values[known..])
    }

    pub fn save_slots(&self, out: &mut Writer) -> Result<()> {
        let families = self.families.read().unwrap_or_else(PoisonError::into_inner);
        out.count(families.len())?;
        for numbers in families.iter() {
            out.count(numbers.family.values.len())?;
            numbers.family.values.iter().try_for_each(|&value| out.long(value.bits()))?;
        }
        Ok(())
    }

    /// Loads the numbers of values. The terms have been loaded already.
    pub fn load_slots(&self, from: &mut Reader) -> Result<()> {
        let families = from.count(2)?;
        if families != self.program.families.len() {
            return Err(from.damaged("the slots are others"));
        }
        for family in 0..families as u16 {
            for number in 0..from.count(2)? as u32 {
                let value = Val::of_bits(from.long()?);
                if self.slot_number(family, value)? != number {
                    return Err(from.damaged("the values in slots are others"));
                }
            }
        }
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        self.interner.bytes() + self.remembered_bytes.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::canon::Symmetries;
    use crate::ground::Rules;
    use crate::program::Encoding;
    use crate::value::Kind;

    /// Over slots, with rules as successors.
    pub fn of_rules(
        words: usize,
        rules: Rules,
        counters: u16,
        canon: Option<Symmetries>,
    ) -> Machine {
        let kernels = vec![(0, Source::Rules(rules))];
        let empty = Program::empty(Encoding::Slots(words));
        alone(Program { counters, kernels, canon, ..empty })
    }

    /// Over one group of ints.
    pub fn of_ints(program: Program) -> Machine {
        let encoding = Encoding::Groups { kinds: vec![Kind::Int], nibbles: false };
        alone(Program { encoding, ..program })
    }

    pub fn alone(program: Program) -> Machine {
        Machine::new(program, Interner::default(), Box::new(Nobody))
    }
}

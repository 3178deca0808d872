//! The one door: whatever Python calls in this module runs inside `entry`, or inside that of an object
//! that is `Guarded`.
//!
//! A panic becomes an exception of this module, with the place where it came up, and nothing is
//! printed. An object in which something panicked is not used any more.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyMemoryError, PyOverflowError};
use pyo3::prelude::*;
use rewrite_core::grow::probe;

use crate::errors::{Panicked, Unsupported, raised};

/// Where the first panic came up that was not reported yet: it may be on another thread.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// What PyO3 panics with where Python could not make an object: there was no memory for it.
const NO_OBJECT: &str = "Python API call failed";

/// Bytes that an object takes at its beginning in ways that cannot fail.
const AT_FIRST: usize = 1 << 20;

/// Bytes that must be there when an entry begins. What it hands to Python are small objects; where
/// there is no memory for one, PyO3 prints and panics, and a panic takes some memory itself.
const FOR_OBJECTS: usize = 1 << 16;

/// Keeps what panics say, instead of printing it.
pub fn keep_panics() {
    set_hook(Box::new(|panic| {
        let place = panic.location().map_or(String::new(), |at| format!(" ({at})"));
        let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| text_of(panic.payload()) + &place);
    }));
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").into()
}

/// What came of some work.
pub enum Ended<T> {
    Done(PyResult<T>),
    /// Python had no memory for an object; what was under way was left in the middle.
    NoMemory,
    Panicked(PyErr),
}

impl<T> Ended<T> {
    fn result(self) -> PyResult<T> {
        match self {
            Ended::Done(done) => done,
            Ended::NoMemory => Err(PyMemoryError::new_err(())),
            Ended::Panicked(error) => Err(error),
        }
    }
}

fn caught<T>(work: impl FnOnce() -> PyResult<T>) -> Ended<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Ended::Done(done),
        Err(panic) => {
            let first = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
            let text = first.unwrap_or_else(|| text_of(&*panic));
            if text.starts_with(NO_OBJECT) {
                return Ended::NoMemory;
            }
            Ended::Panicked(Panicked::new_err((text,)))
        }
    }
}

/// Runs an entry that leaves nothing behind.
pub fn entry<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    caught(work).result()
}

/// Runs an entry that is handed a program: a number too large for its field is that of a large puzzle.
pub fn entry_of_program<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    entry(work).map_err(|error| {
        if Python::attach(|py| error.is_instance_of::<PyOverflowError>(py)) {
            return Unsupported::new_err("the puzzle has more rules or terms than it can number");
        }
        error
    })
}

/// An object that is not used any more once something panicked in it.
pub struct Guarded<T> {
    inner: T,
    broken: AtomicBool,
}

impl<T> Guarded<T> {
    pub fn new(make: impl FnOnce() -> PyResult<T>) -> PyResult<Guarded<T>> {
        entry(|| {
            probe(AT_FIRST).map_err(raised)?;
            Ok(Guarded { inner: make()?, broken: AtomicBool::new(false) })
        })
    }

    pub fn read<R>(&self, work: impl FnOnce(&T) -> PyResult<R>) -> PyResult<R> {
        guarded(&self.broken, || work(&self.inner)).result()
    }

    pub fn entry<R>(&mut self, work: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        self.caught(work).result()
    }

    /// The same, for those who know what to do where there is no memory.
    pub fn caught<R>(&mut self, work: impl FnOnce(&mut T) -> PyResult<R>) -> Ended<R> {
        guarded(&self.broken, || work(&mut self.inner))
    }

    /// After what was left in the middle for lack of memory.
    pub fn after_all(&mut self) -> &mut T {
        &mut self.inner
    }
}

fn guarded<T>(broken: &AtomicBool, work: impl FnOnce() -> PyResult<T>) -> Ended<T> {
    if broken.load(Ordering::Relaxed) {
        let why = "it failed before, and what is in it cannot be trusted any more";
        return Ended::Done(Err(Panicked::new_err((why,))));
    }
    if probe(FOR_OBJECTS).is_err() {
        return Ended::NoMemory;
    }
    let ended = caught(work);
    if let Ended::Panicked(_) = ended {
        broken.store(true, Ordering::Relaxed);
    }
    ended
}

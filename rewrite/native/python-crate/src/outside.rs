//! What the core asks of Python while it runs: functions, conditions, estimates, whether to stop.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyTuple};
use rewrite_core::error::{Error, Result};
use rewrite_core::interner::Interner;
use rewrite_core::search::space::Estimate;
use rewrite_core::value::Val;
use rewrite_core::vm::machine::{Outside, Seen};

use crate::convert::{Marks, error_of};

/// An exception that waits until the core has come back.
pub type Kept = Arc<Mutex<Option<PyErr>>>;

/// A Python object with the methods `state`, `estimate` and `stop`.
pub struct Caller {
    pub object: Py<PyAny>,
    /// Its `functions`: the user functions by number, called as they are, since there is one call
    /// for each use.
    pub functions: Py<PyAny>,
    pub marks: Arc<Marks>,
    pub failure: Py<PyAny>,
    pub kept: Kept,
}

impl Caller {
    fn ask<T>(&self, work: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>) -> Result<T> {
        Python::attach(|py| {
            work(py, self.object.bind(py)).map_err(|raised| {
                let error = error_of(&raised, py, self.failure.bind(py));
                *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
                error
            })
        })
    }
}

/// Asks Python for something; an exception waits until the core has come back.
pub fn asked<T>(kept: &Kept, work: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T> {
    Python::attach(|py| {
        work(py).map_err(|error| {
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            Error::Host
        })
    })
}

/// The code of a state: one whole number for slots, a tuple of groups for a multiset.
pub fn seen<'py>(
    py: Python<'py>,
    marks: &Marks,
    state: &Seen<'_>,
    interner: &Interner,
) -> PyResult<Bound<'py, PyAny>> {
    match state {
        Seen::Words(words) => {
            let mut bytes = Vec::with_capacity(8 * words.len());
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            let number = num_bigint::BigUint::from_bytes_le(&bytes);
            Ok(number.into_pyobject(py)?.into_any())
        }
        Seen::Groups(groups) => {
            let group = |group: &Vec<Val>| {
                let values = group.iter().map(|&value| marks.py(py, interner, value));
                PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)
            };
            let groups = groups.iter().map(group).collect::<PyResult<Vec<_>>>()?;
            Ok(match <[_; 1]>::try_from(groups) {
                Ok([single]) => single.into_any(),
                Err(groups) => PyTuple::new(py, groups)?.into_any(),
            })
        }
    }
}

fn estimate_of(given: &Bound<'_, PyAny>) -> PyResult<Estimate> {
    if given.is_instance_of::<PyInt>() {
        return given.extract().map(Estimate::Whole).map_err(|error| {
            if error.is_instance_of::<PyOverflowError>(given.py()) {
                crate::errors::Unsupported::new_err("an estimate beyond 64 bits")
            } else {
                error
            }
        });
    }
    let number = given.cast::<PyFloat>()?.value();
    Ok(if number.is_infinite() {
        Estimate::Infinite
    } else if number.fract() == 0.0 && number < 9e15 {
        Estimate::Whole(number as u64)
    } else {
        Estimate::Real(number)
    })
}

impl Outside for Caller {
    fn call(&self, function: u16, args: &[Val], interner: &Interner) -> Result<Val> {
        self.ask(|py, _| {
            let values = args.iter().map(|&one| self.marks.py(py, interner, one));
            let values = PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)?;
            let made = self.functions.bind(py).get_item(function)?.call1(values)?;
            self.marks.val(interner, &made)
        })
    }

    fn state(&self, test: u16, state: Seen<'_>, interner: &Interner) -> Result<Val> {
        self.ask(|py, object| {
            let code = seen(py, &self.marks, &state, interner)?;
            self.marks.val(interner, &object.call_method1("state", (test, code))?)
        })
    }

    fn estimate(&self, state: Seen<'_>, interner: &Interner) -> Result<Estimate> {
        self.ask(|py, object| {
            let code = seen(py, &self.marks, &state, interner)?;
            estimate_of(&object.call_method1("estimate", (code,))?)
        })
    }

    fn stop(&self) -> Result<bool> {
        self.ask(|_, object| object.call_method0("stop")?.extract())
    }
}

/// The exception of an error: the one that is kept, where Python raised it.
pub fn raised(error: Error, kept: &Kept) -> PyErr {
    let held = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
    match (error, held) {
        (Error::Host, Some(error)) => error,
        (Error::Failed { why, state }, Some(cause)) => Python::attach(|py| {
            let error = crate::errors::Failed::new_err((why, state));
            error.set_cause(py, Some(cause));
            error
        }),
        (error, _) => crate::errors::raised(error),
    }
}

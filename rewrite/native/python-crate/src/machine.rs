//! A loaded program as a Python object; searches of one puzzle run on it.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use rewrite_core::grow::probe;
use rewrite_core::interner::Interner;
use rewrite_core::vm::machine::Machine as Core;

use crate::convert::Marks;
use crate::errors::raised;
use crate::guard::{Guard, entry_of_program};
use crate::loaded::Loaded;
use crate::loading::program;
use crate::outside::{Caller, Kept};

#[pyclass(module = "rewrite.native._core", frozen)]
pub struct Machine {
    loaded: Loaded,
    guard: Guard,
}

/// Bytes that a small program takes in ways that cannot fail.
const ROOM: usize = 1 << 20;

impl Machine {
    pub fn loaded(&self) -> Loaded {
        self.loaded.clone()
    }
}

#[pymethods]
impl Machine {
    /// `data`: the program; `outside`: what is called back; `truths`, `failure`: the truth values,
    /// and the class of failures that the definition is asked to explain.
    #[new]
    fn new(
        data: &Bound<'_, PyDict>,
        outside: Py<PyAny>,
        truths: &Bound<'_, PyTuple>,
        failure: Py<PyAny>,
    ) -> PyResult<Machine> {
        entry_of_program(|| {
            let ctors = data.as_any().get_item("ctors")?;
            let marks = Arc::new(Marks::new(truths, ctors.cast::<PyList>()?)?);
            probe(ROOM).map_err(raised)?;
            let interner = Interner::new();
            let program = program(data, &marks, &interner)?;
            let kept: Kept = Arc::new(Mutex::new(None));
            let functions = outside.getattr(data.py(), "functions")?;
            let caller = Caller {
                object: outside,
                functions,
                marks: marks.clone(),
                failure,
                kept: kept.clone(),
            };
            let core = Arc::new(Core::new(program, interner, Box::new(caller)));
            Ok(Machine { loaded: Loaded { core, marks, kept }, guard: Guard::default() })
        })
    }

    /// The values of a family of slots that have got numbers after the first `known`.
    fn slot_values<'py>(
        &self,
        py: Python<'py>,
        family: u16,
        known: usize,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.guard.entry(|| {
            let values = self.loaded.core.slot_values(family, known).map_err(raised)?;
            values
                .into_iter()
                .map(|one| self.loaded.marks.py(py, &self.loaded.core.interner, one))
                .collect()
        })
    }
}

//! A loaded program as a Python object; searches of one puzzle run on it.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use rewrite_core::interner::Interner;
use rewrite_core::vm::machine::Machine as Core;

use crate::convert::Marks;
use crate::errors::raised;
use crate::guard::{Guarded, entry_of_program};
use crate::loaded::Loaded;
use crate::loading::program;
use crate::outside::{Caller, Kept};

#[pyclass(module = "rewrite.native._core", frozen)]
pub struct Machine(Guarded<Loaded>);

impl Machine {
    pub fn loaded(&self) -> PyResult<Loaded> {
        self.0.read(|loaded| Ok(loaded.clone()))
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
        let made = entry_of_program(|| {
            Guarded::new(|| {
                let ctors = data.as_any().get_item("ctors")?;
                let marks = Arc::new(Marks::new(truths, ctors.cast::<PyList>()?)?);
                let interner = Interner::default();
                let program = program(data, &marks, &interner)?;
                let kept = Kept::default();
                let functions = outside.getattr(data.py(), "functions")?;
                let (own, errors) = (marks.clone(), kept.clone());
                let caller =
                    Caller { object: outside, functions, marks: own, failure, kept: errors };
                let core = Arc::new(Core::new(program, interner, Box::new(caller)));
                Ok(Loaded { core, marks, kept })
            })
        });
        made.map(Machine)
    }

    /// The values of a family of slots that have got numbers after the first `known`.
    fn slot_values<'py>(
        &self,
        py: Python<'py>,
        family: u16,
        known: usize,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.0.read(|loaded| {
            let values = loaded.core.slot_values(family, known).map_err(raised)?;
            values.into_iter().map(|one| loaded.marks.py(py, &loaded.core.interner, one)).collect()
        })
    }
}

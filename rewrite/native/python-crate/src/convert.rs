//! Values across the border: encoded values of `compile.interning` to `Val` and back.

use num_bigint::BigInt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString, PyTuple};
use rewrite_core::error::{Error, Exhausted};
use rewrite_core::interner::{Interner, Kind};
use rewrite_core::value::Val;
use rewrite_core::vm::worker::NONE;

use crate::errors::{Changed, Unsupported, raised};

/// Tuples in one value, at most: one that puts itself twice, again and again, is small here, where
/// equal ones are one, and soon larger than any memory there.
const MOST_TUPLES: usize = 1 << 22;

/// What the Python side writes for truth values and constructors.
pub struct Marks {
    truths: [Py<PyAny>; 2],
    /// In canonical order, the mark of nested bags first.
    ctors: Vec<Py<PyAny>>,
    ctor_class: Py<PyAny>,
}

impl Marks {
    pub fn new(truths: &Bound<'_, PyTuple>, ctors: &Bound<'_, PyList>) -> PyResult<Marks> {
        let first = ctors.get_item(0)?;
        Ok(Marks {
            truths: [truths.get_item(0)?.unbind(), truths.get_item(1)?.unbind()],
            ctors: ctors.iter().map(Bound::unbind).collect(),
            ctor_class: first.get_type().into_any().unbind(),
        })
    }

    fn ctor_number(&self, given: &Bound<'_, PyAny>) -> PyResult<Option<Val>> {
        if !given.get_type().is(&self.ctor_class) {
            return Ok(None);
        }
        match self.ctors.iter().position(|one| given.is(one)) {
            Some(number) => Ok(Some(Val::ctor(number as u32))),
            None => Err(Changed::new_err(("ctor", given.clone().unbind()))),
        }
    }

    /// The value of an encoded value; None is the value for "no value".
    pub fn val(&self, interner: &Interner, given: &Bound<'_, PyAny>) -> PyResult<Val> {
        if let Ok(tuple) = given.cast_exact::<PyTuple>() {
            let items = tuple.iter().map(|item| self.val(interner, &item));
            return interner.tuple(&items.collect::<PyResult<Vec<_>>>()?).map_err(raised);
        }
        if let Ok(number) = given.cast_exact::<PyInt>() {
            return match number.extract::<i64>().ok().and_then(Val::small) {
                Some(small) => Ok(small),
                None => interner.int(&number.extract::<BigInt>()?).map_err(raised),
            };
        }
        if let Ok(text) = given.cast_exact::<PyString>() {
            let text = text.to_str().map_err(|_| {
                Unsupported::new_err("a text holds half a character (a lone surrogate)")
            })?;
            return interner.text(text).map_err(raised);
        }
        if given.is_none() {
            return Ok(NONE);
        }
        for (number, truth) in self.truths.iter().enumerate() {
            if given.is(truth) {
                return Ok(Val::truth(number == 1));
            }
        }
        if let Some(ctor) = self.ctor_number(given)? {
            return Ok(ctor);
        }
        if let Ok(truth) = given.extract::<bool>() {
            return Ok(Val::truth(truth));
        }
        Err(PyTypeError::new_err(format!("no encoded value: {given:?}")))
    }

    pub fn py<'py>(
        &self,
        py: Python<'py>,
        interner: &Interner,
        value: Val,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.part(py, interner, value, &mut 0)
    }

    /// The same for a part of one in which there were so many tuples before.
    fn part<'py>(
        &self,
        py: Python<'py>,
        interner: &Interner,
        value: Val,
        tuples: &mut usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        if value.is_ref() && interner.is_tuple(value) {
            *tuples += 1;
            if *tuples > MOST_TUPLES {
                return Err(raised(Error::Memory(Exhausted::Machine)));
            }
            let places = 0..interner.len(value);
            let items = places.map(|at| self.part(py, interner, interner.get(value, at), tuples));
            return Ok(PyTuple::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        if let Some(small) = value.as_small() {
            return Ok(small.into_pyobject(py)?.into_any());
        }
        if value == NONE {
            return Ok(py.None().into_bound(py));
        }
        if let Some(number) = value.as_ctor() {
            return Ok(self.ctors[number as usize].bind(py).clone());
        }
        match interner.kind(value) {
            Kind::Int => Ok(interner
                .big(value)
                .map_err(raised)?
                .unwrap_or_default()
                .into_pyobject(py)?
                .into_any()),
            Kind::Str => {
                let text = interner.str(value).map_err(raised)?.unwrap_or_default();
                Ok(text.into_pyobject(py)?.into_any())
            }
            Kind::Bool => Ok(self.truths[usize::from(value == Val::TRUE)].bind(py).clone()),
            Kind::Seq | Kind::Bag | Kind::Term(_) | Kind::Ctor => {
                Err(PyTypeError::new_err(format!("no plain value: {value:?}")))
            }
        }
    }

    pub fn term_type(&self, given: &Bound<'_, PyAny>) -> PyResult<Kind> {
        if let Some(ctor) = self.ctor_number(given)? {
            return Ok(Kind::Term(ctor.as_ctor().unwrap_or_default()));
        }
        Ok(match given.extract::<String>()?.as_str() {
            "bool" => Kind::Bool,
            "int" => Kind::Int,
            "str" => Kind::Str,
            "seq" => Kind::Seq,
            "bag" => Kind::Bag,
            other => return Err(PyTypeError::new_err(format!("no kind of group: {other}"))),
        })
    }
}

/// An error that a Python exception is, as far as the core needs to tell.
pub fn error_of(error: &PyErr, py: Python<'_>, failure: &Bound<'_, PyAny>) -> Error {
    if error.is_instance_of::<Unsupported>(py) {
        return Error::Unsupported(error.value(py).to_string());
    }
    if error.is_instance(py, failure) {
        return Error::failed(error.value(py).to_string());
    }
    Error::Host
}

//! Large lists of numbers for Python, and whole numbers from it.

use std::time::{Duration, Instant};

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// Numbers as the bytes of an array: one object, which Python has memory for or says that it has not.
pub fn words<'py>(py: Python<'py>, numbers: &[u32]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, size_of_val(numbers), |bytes| {
        for (to, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            to.copy_from_slice(&number.to_ne_bytes());
        }
        Ok(())
    })
}

/// The same for numbers of 64 bits.
pub fn long_words<'py>(py: Python<'py>, numbers: &[u64]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, size_of_val(numbers), |bytes| {
        for (to, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            to.copy_from_slice(&number.to_ne_bytes());
        }
        Ok(())
    })
}

/// A whole number of 0 or more that says how much is allowed: what is beyond 64 bits is no limit.
#[derive(Clone, Copy)]
pub struct Most(pub u64);

impl<'py> FromPyObject<'_, 'py> for Most {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Most> {
        let given = given.cast::<PyInt>()?;
        match given.extract::<u64>() {
            Ok(number) => Ok(Most(number)),
            Err(error) if !error.is_instance_of::<PyOverflowError>(given.py()) => Err(error),
            Err(_) if given.lt(0)? => Err(PyValueError::new_err("a limit must be 0 or more")),
            Err(_) => Ok(Most(u64::MAX)),
        }
    }
}

/// Seconds that are left; what no clock can count is no limit.
#[derive(Clone, Copy)]
pub struct Seconds(f64);

impl<'py> FromPyObject<'_, 'py> for Seconds {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Seconds> {
        match given.extract::<f64>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
                Ok(Seconds(if given.lt(0)? { 0.0 } else { f64::INFINITY }))
            }
            other => other.map(Seconds),
        }
    }
}

impl Seconds {
    pub fn deadline(self) -> Option<Instant> {
        let seconds = Some(self.0).filter(|&seconds| seconds < 1e9)?;
        Some(Instant::now() + Duration::from_secs_f64(seconds.max(0.0)))
    }
}

impl Most {
    pub fn bytes(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

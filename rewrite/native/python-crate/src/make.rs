//! Large lists of numbers for Python, and times from it.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyBytes;

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

/// When so many seconds are over.
pub fn deadline(seconds: f64) -> Instant {
    Instant::now() + Duration::from_secs_f64(seconds.max(0.0))
}

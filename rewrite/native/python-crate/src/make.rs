//! Large lists of numbers and reasons to stop for Python, and times from it.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rewrite_core::search::limits::Stop;

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

/// Why work stopped: (status, limit).
pub fn stop_names(stop: Stop) -> (&'static str, &'static str) {
    match stop {
        Stop::Found => ("found", ""),
        Stop::Exhausted => ("exhausted", ""),
        Stop::Crowded => ("crowded", ""),
        Stop::Interrupted => ("interrupted", ""),
        Stop::Limit(limit) => ("limit", limit.name()),
    }
}

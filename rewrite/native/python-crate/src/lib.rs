//! The compiled module `rewrite.native._core`: hands puzzles to the core and answers back.

mod convert;
mod errors;
mod estimates;
mod loading;
mod machine;
mod outside;
mod perfect;
mod search;

use pyo3::prelude::*;

/// Raised whenever what the Python side and this module say to each other changes.
const PROTOCOL: u32 = 3;

/// The protocol that this module speaks; it must be the one of `rewrite.native`.
#[pyfunction]
fn protocol() -> u32 {
    PROTOCOL
}

/// How this module was built: "release" or "debug".
#[pyfunction]
fn profile() -> &'static str {
    if cfg!(debug_assertions) { "debug" } else { "release" }
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(protocol, module)?)?;
    module.add_function(wrap_pyfunction!(profile, module)?)?;
    module.add_function(wrap_pyfunction!(estimates::pattern_distances, module)?)?;
    module.add_class::<machine::Machine>()?;
    module.add_class::<search::Search>()?;
    module.add_class::<perfect::Distances>()?;
    errors::add_to(module)
}

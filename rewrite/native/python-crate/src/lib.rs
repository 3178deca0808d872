//! The compiled module `rewrite.native._core`: hands puzzles to the core and answers back.

mod convert;
mod errors;
mod estimate;
mod files;
mod guard;
mod loaded;
mod loading;
mod machine;
mod make;
mod outside;
mod partition;
mod ranking;
mod search;

use pyo3::prelude::*;
use rewrite_core::instr::INSTRUCTIONS;
use rewrite_core::program::Builtin;
use rewrite_core::search::question::Kind;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: rewrite_core::huge_pages::HugePages = rewrite_core::huge_pages::HugePages;

/// Raised whenever what the Python side and this module say to each other changes.
const PROTOCOL: u32 = 21;

/// The protocol that this module speaks; it must be the one of `rewrite.native`.
#[pyfunction]
fn protocol() -> PyResult<u32> {
    guard::entry(|| Ok(PROTOCOL))
}

/// How this module was built: "release" or "debug".
#[pyfunction]
fn profile() -> PyResult<&'static str> {
    guard::entry(|| Ok(if cfg!(debug_assertions) { "debug" } else { "release" }))
}

/// The strategies that this module knows, by name.
#[pyfunction]
fn strategies() -> PyResult<Vec<&'static str>> {
    guard::entry(|| Ok(Kind::ALL.iter().map(|&(name, _)| name).collect()))
}

/// The instructions of the machine, by number.
#[pyfunction]
fn instructions() -> PyResult<Vec<&'static str>> {
    guard::entry(|| Ok(INSTRUCTIONS.to_vec()))
}

/// The functions of values that the machine has, by number.
#[pyfunction]
fn builtins() -> PyResult<Vec<String>> {
    guard::entry(|| Ok(Builtin::ALL.iter().map(|one| one.name()).collect()))
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    guard::keep_panics();
    module.add_function(wrap_pyfunction!(protocol, module)?)?;
    module.add_function(wrap_pyfunction!(profile, module)?)?;
    module.add_function(wrap_pyfunction!(strategies, module)?)?;
    module.add_function(wrap_pyfunction!(instructions, module)?)?;
    module.add_function(wrap_pyfunction!(builtins, module)?)?;
    module.add_function(wrap_pyfunction!(estimate::estimate, module)?)?;
    module.add_function(wrap_pyfunction!(estimate::pattern_distances, module)?)?;
    module.add_class::<machine::Machine>()?;
    module.add_class::<search::Search>()?;
    module.add_class::<partition::Partition>()?;
    module.add_class::<ranking::Distances>()?;
    errors::add_to(module)
}

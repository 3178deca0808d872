//! The exceptions of this module; the Python side of the engine turns them into those of the project.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;
use rewrite_core::error::{Change, Error, Fault};

create_exception!(_core, Failed, PyException, "Something failed: (why, number of the state).");
create_exception!(_core, Changed, PyException, "Another encoding is needed: (what, detail).");
create_exception!(_core, Unsupported, PyException, "The other engine is needed: (why,).");
create_exception!(_core, Panicked, PyException, "A bug in the core: (message,).");
create_exception!(
    _core,
    Damaged,
    PyException,
    "A file is not what was written: (file, byte, why)."
);

create_exception!(
    _core,
    Lost,
    PyException,
    "States that were spilled to files cannot be read: (why,)."
);

/// The exception of states in files that are asked for later.
fn lost(fault: Fault) -> PyErr {
    match fault {
        Fault::Damaged { file, at, what } => Lost::new_err((format!("{file}, byte {at}: {what}"),)),
        Fault::System { file, error } => Lost::new_err((format!("{}: {error}", file.display()),)),
    }
}

/// The exception of what went wrong with files.
pub fn faulty(error: Error, raised: impl FnOnce(Error) -> PyErr) -> PyErr {
    let Error::Files(fault) = error else { return raised(error) };
    match *fault {
        Fault::Damaged { file, at, what } => Damaged::new_err((file, at, what)),
        Fault::System { file, error } => {
            let number = error.raw_os_error().unwrap_or(0);
            PyOSError::new_err((number, error.to_string(), file)) // Python takes the class for it
        }
    }
}

/// The exception of an error that has nothing to do with Python.
pub fn raised(error: Error) -> PyErr {
    match error {
        Error::NoValue => Failed::new_err(("arithmetic without a value", None::<u32>)),
        Error::Failed { why, state } => Failed::new_err((why, state)),
        Error::Change(Change::Widen) => Changed::new_err(("widen", None::<&str>)),
        Error::Change(Change::Multiset(why)) => Changed::new_err(("multiset", Some(why))),
        // a search hands out the value itself, and nothing else runs rules
        Error::Change(Change::TermType(_)) => {
            Panicked::new_err(("a value without a group where no rule runs",))
        }
        Error::Files(fault) => lost(*fault),
        Error::Unsupported(why) => Unsupported::new_err((why,)),
        Error::Memory(_) => pyo3::exceptions::PyMemoryError::new_err(()),
        Error::Host | Error::Interrupted | Error::Late => {
            Failed::new_err((format!("{error:?} where none was expected"), None::<u32>))
        }
    }
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Failed", py.get_type::<Failed>())?;
    module.add("Changed", py.get_type::<Changed>())?;
    module.add("Unsupported", py.get_type::<Unsupported>())?;
    module.add("Damaged", py.get_type::<Damaged>())?;
    module.add("Lost", py.get_type::<Lost>())?;
    module.add("Panicked", py.get_type::<Panicked>())
}

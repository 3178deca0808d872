//! Why work stopped short of an answer: everything that is not a plain result.

use std::io;
use std::path::PathBuf;

use crate::value::Val;

/// Why a state could not be expanded, tested or valued.
#[derive(Debug)]
pub enum Error {
    /// Arithmetic without a value (a division by zero …). Caught inside the machine: the rule does not apply.
    NoValue,
    /// A failure; the definition, in Python, finds the reason. The state, once known.
    Failed { why: String, state: Option<u32> },
    /// The encoding does not fit; the search begins again with another. What to change, by number of the asker.
    Change(Change),
    /// Code outside the core raised an exception, which is stored there.
    Host,
    /// Interrupted (Ctrl-C) in the middle of a step, of which nothing was recorded.
    Interrupted,
    /// Timed out in the middle of a step, of which nothing was recorded.
    Late,
    /// The memory allowed, or that of the machine, is used up.
    Memory(Exhausted),
    /// A file that states were spilled to could not be read, or written.
    Files(Box<Fault>),
    /// Only the other engine can do this; the reason.
    Unsupported(String),
}

/// Why nothing was written, or read.
#[derive(Debug)]
pub enum Fault {
    /// A system error, and the file.
    System { file: PathBuf, error: io::Error },
    /// What a file holds is not what was written: at which byte, and why.
    Damaged { file: String, at: u64, what: String },
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error::Files(Box::new(fault))
    }
}

/// Whose memory is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    Budget,
    Machine,
}

/// What another encoding must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A group for values like this one.
    TermType(Val),
    /// Wider slots.
    Widen,
    /// A multiset instead of slots.
    Multiset(&'static str),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Whether a second attempt would fail in the same way.
    pub fn comes_again(&self) -> bool {
        use Error::{Change, Failed, NoValue, Unsupported};
        matches!(self, NoValue | Failed { .. } | Change(_) | Unsupported(_))
    }

    /// A failure whose state is not known yet.
    pub fn failed(why: impl Into<String>) -> Error {
        Error::Failed { why: why.into(), state: None }
    }
}

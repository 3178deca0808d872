//! Why work stopped short of an answer: everything that is not a plain result.

use std::io;
use std::path::PathBuf;

use crate::value::Val;

/// What kept a state from being expanded, tested or valued.
#[derive(Debug)]
pub enum Error {
    /// Arithmetic without a value (a division by zero …). Caught inside the machine: the rule does not apply.
    NoValue,
    /// Something failed; the definition, in Python, is asked to say what. The state, once known.
    Failed { why: String, state: Option<u32> },
    /// The encoding does not fit; the search begins again with another. What to change, by number of the asker.
    Change(Change),
    /// Called code outside the core raised an exception, which it keeps until it is asked for.
    Host,
    /// Stopped from outside (Ctrl-C) in the middle of something; nothing was recorded of it.
    Interrupted,
    /// The time was up in the middle of something; nothing was recorded of it.
    Late,
    /// The memory allowed, or that of the machine, is used up.
    Memory(Exhausted),
    /// A file that states were spilled to could not be read, or written.
    Files(Box<Fault>),
    /// Asks for the other engine, and says why.
    Unsupported(String),
}

/// Why nothing was written, or read.
#[derive(Debug)]
pub enum Fault {
    /// What the system says, and of which file.
    System {
        file: PathBuf,
        error: io::Error,
    },
    /// What a file holds is not what was written: at which byte, and why.
    Damaged {
        file: String,
        at: u64,
        what: String,
    },
    Error(Error),
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
    /// Whether it is about what was tried, and comes again where that is tried once more.
    pub fn comes_again(&self) -> bool {
        use Error::{Change, Failed, NoValue, Unsupported};
        matches!(self, NoValue | Failed { .. } | Change(_) | Unsupported(_))
    }

    /// A failure whose state is not known yet.
    pub fn failed(why: impl Into<String>) -> Error {
        Error::Failed { why: why.into(), state: None }
    }
}

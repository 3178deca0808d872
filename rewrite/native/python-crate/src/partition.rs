//! A part of the states of a search that is spread over processes, as a Python object.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rewrite_core::checkpoint::Files;
use rewrite_core::grow::{Grow, probe};
use rewrite_core::machine::Machine as Core;
use rewrite_core::partition::{MOST, Parcel, Part, new_part};
use rewrite_core::trouble::{Change, Outcome, Trouble};

use crate::convert::Marks;
use crate::errors::Panicked;
use crate::files::Held;
use crate::guard::{Guard, entry_of_data};
use crate::loading::state_key;
use crate::machine::Machine;
use crate::make::{Most, long_words, words};
use crate::outside::{Kept, raised, seen};

/// Bytes that a part takes at its beginning in ways that cannot fail.
const ROOM: usize = 1 << 20;

#[pyclass(module = "rewrite.native._core")]
pub struct Partition {
    part: Box<dyn Part>,
    machine: Arc<Core>,
    marks: Arc<Marks>,
    kept: Kept,
    files: Held,
    guard: Arc<Guard>,
}

impl Partition {
    fn told<T>(&self, py: Python<'_>, result: Outcome<T>) -> PyResult<T> {
        match result {
            Ok(value) => Ok(value),
            Err(Trouble::Change(Change::Head(value))) => {
                let value = self.marks.py(py, &self.machine.interner, value)?.unbind();
                Err(crate::errors::Changed::new_err(("head", value)))
            }
            Err(trouble) => Err(raised(trouble, &self.kept)),
        }
    }

    /// The number of a state that there is.
    fn known(&self, id: u32) -> PyResult<u32> {
        if id < self.part.kept().states() {
            return Ok(id);
        }
        Err(Panicked::new_err((format!("there is no state {id}"),)))
    }
}

#[pymethods]
impl Partition {
    /// The part `me` of `parts`; `start`: the state as groups or halves of words.
    #[new]
    fn new(
        machine: &Machine,
        start: &Bound<'_, PyAny>,
        me: u16,
        parts: usize,
    ) -> PyResult<Partition> {
        entry_of_data(|| {
            let (core, marks, kept) = machine.parts();
            if usize::from(me) >= parts || parts > MOST {
                return Err(PyValueError::new_err(format!("no part {me} of {parts}")));
            }
            let start = state_key(start, &core.program.encoding, &marks, &core.interner)?;
            probe(ROOM).map_err(|one| raised(one, &kept))?;
            let part =
                new_part(core.clone(), &start, me, parts).map_err(|one| raised(one, &kept))?;
            let (files, guard) = (Held::default(), Arc::default());
            Ok(Partition { part, machine: core, marks, kept, files, guard })
        })
    }

    /// Expands states of the level from number `at` on, until so many bytes are packed: the number to
    /// go on with, and the bytes for each part.
    fn expand<'py>(
        &mut self,
        py: Python<'py>,
        at: u32,
        most: Most,
    ) -> PyResult<(u32, Vec<Bound<'py, PyBytes>>)> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let part = &mut self.part;
            let result = py.detach(|| {
                self.machine.begin(None);
                part.expand(at, most.bytes() / 4)
            });
            let next = self.told(py, result)?;
            let packed = self.part.parcels().iter_mut().map(|parcel: &mut Parcel| {
                let bytes = words(py, &parcel.words);
                parcel.clear();
                bytes
            });
            Ok((next, packed.collect::<PyResult<_>>()?))
        })
    }

    /// Takes what part `from` has packed; how many states are new.
    fn deliver(&mut self, py: Python<'_>, from: u16, parcel: &[u8]) -> PyResult<u32> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let part = &mut self.part;
            let result = py.detach(|| {
                let mut words = Vec::new();
                let word = |four: &[u8]| u32::from_ne_bytes([four[0], four[1], four[2], four[3]]);
                words.grow_extend(parcel.chunks_exact(4).map(word))?;
                part.deliver(from, &words)
            });
            self.told(py, result)
        })
    }

    /// Makes what was delivered the level; how many states it has.
    fn close(&mut self, py: Python<'_>) -> PyResult<u32> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let result = self.part.close();
            self.told(py, result)
        })
    }

    /// The states of the level that are goals: (rank, number) each.
    fn goals(&mut self, py: Python<'_>) -> PyResult<Vec<(u64, u32)>> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let part = &mut self.part;
            let result = py.detach(|| part.goals());
            self.told(py, result)
        })
    }

    /// Where a state came from: the part, and the number there.
    fn origin(&self, id: u32) -> PyResult<(u16, u32)> {
        self.guard.entry(|| {
            let origin = self.part.origin(self.known(id)?);
            Ok((origin.part, origin.id))
        })
    }

    /// The code of a state.
    fn code<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyAny>> {
        self.guard.entry(|| {
            let mut code = None;
            let result = self.part.kept().seen(self.known(id)?, &mut |state| {
                code = Some(seen(py, &self.marks, &state, &self.machine.interner));
            });
            self.told(py, result)?;
            code.unwrap_or_else(|| Err(PyValueError::new_err(format!("no state {id}"))))
        })
    }

    /// The level: its first number, and the one behind its last.
    fn level(&self) -> PyResult<(u32, u32)> {
        self.guard.entry(|| Ok((self.part.level().start, self.part.level().end)))
    }

    /// States and bytes in use.
    fn size(&self) -> PyResult<(u32, usize)> {
        self.guard.entry(|| Ok((self.part.kept().states(), self.part.bytes())))
    }

    /// What every rule did: four counts a rule, as the bytes of an array of 64 bits.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.guard.entry(|| long_words(py, self.part.kept().counts()))
    }

    /// As that of a search, between two levels.
    fn save(
        &mut self,
        py: Python<'_>,
        folder: PathBuf,
        epoch: u32,
        number: u32,
    ) -> PyResult<HashMap<String, u64>> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let part = &self.part;
            let write = |files: &mut Files| part.save(files, number);
            self.files.save(py, (folder, epoch), write, crate::errors::raised)
        })
    }

    fn load(
        &mut self,
        py: Python<'_>,
        folder: PathBuf,
        files: HashMap<String, u64>,
        epoch: u32,
        number: u32,
    ) -> PyResult<()> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let part = &mut self.part;
            let read = |from: &mut Files| part.load(from, number);
            self.files.load(py, (folder, epoch), files, read, crate::errors::raised)
        })
    }
}

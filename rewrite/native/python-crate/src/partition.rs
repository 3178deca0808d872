//! A part of the states of a search that is spread over processes, as a Python object.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rewrite_core::checkpoint::Files;
use rewrite_core::grow::{Grow, probe};
use rewrite_core::parcel::Parcel;
use rewrite_core::partition::{Part, new_part};

use crate::files::Held;
use crate::guard::{Guard, entry};
use crate::loaded::Loaded;
use crate::machine::Machine;
use crate::make::{long_words, words};

/// Bytes that a part takes at its beginning in ways that cannot fail.
const ROOM: usize = 1 << 20;

#[pyclass(module = "rewrite.native._core")]
pub struct Partition {
    part: Box<dyn Part>,
    loaded: Loaded,
    files: Held,
    guard: Arc<Guard>,
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
        entry(|| {
            let loaded = machine.loaded();
            let start = loaded.key(start)?;
            probe(ROOM).map_err(|one| loaded.raised(one))?;
            let part = new_part(loaded.core.clone(), &start, me, parts);
            let part = part.map_err(|one| loaded.raised(one))?;
            let (files, guard) = (Held::default(), Arc::default());
            Ok(Partition { part, loaded, files, guard })
        })
    }

    /// Expands states of the level from number `at` on, until so many bytes are packed: the number to
    /// go on with, and the bytes for each part.
    fn expand<'py>(
        &mut self,
        py: Python<'py>,
        at: u32,
        most: usize,
    ) -> PyResult<(u32, Vec<Bound<'py, PyBytes>>)> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let part = &mut self.part;
            let result = py.detach(|| {
                self.loaded.core.begin(None);
                part.expand(at, most / 4)
            });
            let next = self.loaded.told(py, result)?;
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
            self.loaded.told(py, result)
        })
    }

    /// Makes what was delivered the level; how many states it has.
    fn close(&mut self, py: Python<'_>) -> PyResult<u32> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let result = self.part.close();
            self.loaded.told(py, result)
        })
    }

    /// The states of the level that are goals: (rank, number) each.
    fn goals(&mut self, py: Python<'_>) -> PyResult<Vec<(u64, u32)>> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let part = &mut self.part;
            let result = py.detach(|| part.goals());
            self.loaded.told(py, result)
        })
    }

    /// Where a state came from: the part, and the number there.
    fn origin(&self, id: u32) -> PyResult<(u16, u32)> {
        self.guard.entry(|| {
            let origin = self.part.origin(id).map_err(|one| self.loaded.raised(one))?;
            Ok((origin.part, origin.id))
        })
    }

    /// The code of a state.
    fn code<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyAny>> {
        self.guard.entry(|| self.loaded.code(py, self.part.kept(), id))
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
        scarce: bool,
    ) -> PyResult<HashMap<String, u64>> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let (part, loaded) = (&mut self.part, &self.loaded);
            let write = |files: &mut Files| part.save(files, number, scarce);
            self.files.save(py, (folder, epoch), write, |one| loaded.raised(one))
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
            let (part, loaded) = (&mut self.part, &self.loaded);
            let read = |from: &mut Files| part.load(from, number);
            self.files.load(py, (folder, epoch), files, read, |one| loaded.raised(one))
        })
    }
}

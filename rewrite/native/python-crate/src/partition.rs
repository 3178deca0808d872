//! A part of the states of a search that is spread over processes, as a Python object.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rewrite_core::checkpoint::{Files, Lengths};
use rewrite_core::grow::Grow;
use rewrite_core::parcel::Parcel;
use rewrite_core::partition::{Part, new_part};

use crate::files::Held;
use crate::guard::Guarded;
use crate::loaded::Loaded;
use crate::machine::Machine;
use crate::make::{long_words, words};

struct Inner {
    part: Box<dyn Part>,
    loaded: Loaded,
    files: Held,
}

#[pyclass(module = "rewrite.native._core")]
pub struct Partition(Guarded<Inner>);

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
        let made = Guarded::new(|| {
            let loaded = machine.loaded()?;
            let start = loaded.key(start)?;
            let part = new_part(loaded.core.clone(), &start, me, parts);
            let part = part.map_err(|one| loaded.raised(one))?;
            Ok(Inner { part, loaded, files: Held::default() })
        });
        made.map(Partition)
    }

    /// Expands states of the level from number `at` on, until so many bytes are packed: the number to
    /// go on with, and the bytes for each part.
    fn expand<'py>(
        &mut self,
        py: Python<'py>,
        at: u32,
        most: usize,
    ) -> PyResult<(u32, Vec<Bound<'py, PyBytes>>)> {
        self.0.entry(|Inner { part, loaded, .. }| {
            let result = py.detach(|| {
                loaded.core.begin(None);
                part.expand(at, most / 4)
            });
            let next = loaded.result(py, result)?;
            let packed = part.parcels().iter_mut().map(|parcel: &mut Parcel| {
                let bytes = words(py, &parcel.words);
                parcel.clear();
                bytes
            });
            Ok((next, packed.collect::<PyResult<_>>()?))
        })
    }

    /// Takes what part `from` has packed; how many states are new.
    fn deliver(&mut self, py: Python<'_>, from: u16, parcel: &[u8]) -> PyResult<u32> {
        self.0.entry(|Inner { part, loaded, .. }| {
            let result = py.detach(|| {
                let mut words = Vec::new();
                let word = |four: &[u8]| u32::from_ne_bytes([four[0], four[1], four[2], four[3]]);
                words.grow_extend(parcel.chunks_exact(4).map(word))?;
                part.deliver(from, &words)
            });
            loaded.result(py, result)
        })
    }

    /// Makes what was delivered the level; how many states it has.
    fn close(&mut self) -> PyResult<u32> {
        self.0.entry(|one| Ok(one.part.close()))
    }

    /// The states of the level that are goals: (rank, number) each.
    fn goals(&mut self, py: Python<'_>) -> PyResult<Vec<(u64, u32)>> {
        self.0.entry(|Inner { part, loaded, .. }| loaded.result(py, py.detach(|| part.goals())))
    }

    /// Where a state came from: the part, and the number there.
    fn origin(&self, id: u32) -> PyResult<(u16, u32)> {
        self.0.read(|one| one.part.origin(id).map_err(|error| one.loaded.raised(error)))
    }

    fn code<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyAny>> {
        self.0.read(|one| one.loaded.code(py, one.part.kept(), id))
    }

    /// The level: its first number, and the one behind its last.
    fn level(&self) -> PyResult<(u32, u32)> {
        self.0.read(|one| Ok((one.part.level().start, one.part.level().end)))
    }

    /// States and bytes in use.
    fn size(&self) -> PyResult<(u32, usize)> {
        self.0.read(|one| Ok((one.part.kept().states(), one.part.bytes())))
    }

    /// What every rule did: four counts a rule, as the bytes of an array of 64 bits.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.0.read(|one| long_words(py, one.part.kept().counts()))
    }

    /// As that of a search, between two levels.
    fn save(
        &mut self,
        py: Python<'_>,
        folder: PathBuf,
        epoch: u32,
        number: u32,
        scarce: bool,
    ) -> PyResult<Lengths> {
        self.0.entry(|Inner { part, loaded, files }| {
            let write = |files: &mut Files| part.save(files, number, scarce);
            files.save(py, (folder, epoch), write, |one| loaded.raised(one))
        })
    }

    fn load(
        &mut self,
        py: Python<'_>,
        folder: PathBuf,
        files: Lengths,
        epoch: u32,
        number: u32,
    ) -> PyResult<()> {
        self.0.entry(|one| {
            let read = |from: &mut Files| one.part.load(from, number);
            one.files.load(py, (folder, epoch), files, read, |error| one.loaded.raised(error))
        })
    }
}

//! The distances of all states from a start, kept by their numbers, as a Python object.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rewrite_core::checkpoint::{Files, Lengths};
use rewrite_core::error::Result;
use rewrite_core::ranking::blocks::Blocks;
use rewrite_core::ranking::index::{Index, Part};
use rewrite_core::ranking::marks::{ModThree, Whole};
use rewrite_core::ranking::moves::Move;
use rewrite_core::ranking::table::{Distances as Table, Table as Marked, Watch};
use rewrite_core::search::limits::Limits;

use crate::errors::faulty;
use crate::files::Held;
use crate::guard::Guarded;
use crate::make::{deadline, long_words, stop_names};
use crate::outside::{Kept, asked, raised};

struct Inner {
    table: Box<dyn Table>,
    files: Held,
}

/// A table of distances, which is filled once.
#[pyclass(module = "rewrite.native._core")]
pub struct Distances(Guarded<Inner>);

/// Fields, values, whether they are permuted, the mover, and where the others are odd.
type GivenPart = (Vec<usize>, Vec<u8>, bool, Option<u8>, Option<Vec<bool>>);
type Pairs = Vec<(usize, u8)>;
/// Tests, misses, sets, copies.
type GivenMove = (Pairs, Pairs, Pairs, Vec<(usize, usize)>);

#[pymethods]
impl Distances {
    /// `held`: what the fields hold in the start; `moves`: tests, misses, sets, copies of each;
    /// `modulus`: levels are kept modulo 4 (in two bits), 3, or (0) as they are;
    /// `folder`: where the table is a file, of those that are larger than memory.
    #[new]
    fn new(
        held: Vec<u8>,
        parts: Vec<GivenPart>,
        moves: Vec<GivenMove>,
        modulus: u64,
        folder: Option<PathBuf>,
    ) -> PyResult<Distances> {
        let made = Guarded::new(|| {
            let parts = parts.into_iter().map(|(fields, values, permuted, mover, odd)| {
                if permuted {
                    Part::permuted(fields, values, mover, odd)
                } else {
                    Part::Digit { field: fields[0], values }
                }
            });
            let index = Index::new(held, parts.collect());
            let moves: Vec<Move> = moves
                .into_iter()
                .map(|(tests, misses, sets, copies)| Move { tests, misses, sets, copies })
                .collect();
            let folder = folder.as_deref();
            let table = || -> Result<Box<dyn Table>> {
                Ok(match modulus {
                    4 => Box::new(Blocks::new(index, moves, folder)?),
                    3 => Box::new(Marked::<ModThree>::new(index, moves, folder)?),
                    _ => Box::new(Marked::<Whole>::new(index, moves, folder)?),
                })
            };
            let table = table().map_err(|error| faulty(error, crate::errors::raised))?;
            Ok(Inner { table, files: Held::default() })
        });
        made.map(Distances)
    }

    /// Searches all levels; returns why it ended: (status, limit). `pulse` is given states and depth.
    fn fill(
        &mut self,
        py: Python<'_>,
        max_depth: Option<u64>,
        max_states: Option<u64>,
        seconds: Option<f64>,
        threads: usize,
        pulse: Py<PyAny>,
    ) -> PyResult<(&'static str, &'static str)> {
        let deadline = seconds.map(deadline);
        let limits = Limits { max_depth, max_states, deadline, ..Limits::default() };
        self.0.entry(|Inner { table, .. }| {
            let kept = Kept::default();
            let mut look = |states: u64, depth: u64| -> Result<bool> {
                asked(&kept, |py| pulse.call1(py, (states, depth))?.extract(py))
            };
            let result = py.detach(|| table.fill(threads, &mut Watch::new(&limits, &mut look)));
            result.map(stop_names).map_err(|error| raised(error, &kept))
        })
    }

    /// Writes everything that was found; the file, with its length.
    fn save(
        &mut self,
        py: Python<'_>,
        folder: PathBuf,
        epoch: u32,
        number: u32,
    ) -> PyResult<Lengths> {
        self.0.entry(|Inner { table, files, .. }| {
            let write = |files: &mut Files| table.save(files, number);
            files.save(py, (folder, epoch), write, crate::errors::raised)
        })
    }

    /// Reads what was written, into a table at its beginning.
    fn load(
        &mut self,
        py: Python<'_>,
        folder: PathBuf,
        files: Lengths,
        epoch: u32,
        number: u32,
    ) -> PyResult<()> {
        self.0.entry(|one| {
            let table = &mut one.table;
            let read = |from: &mut Files| table.load(from, number);
            one.files.load(py, (folder, epoch), files, read, crate::errors::raised)
        })
    }

    /// The sizes of the levels that are complete, as the bytes of an array of 64 bits.
    fn levels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.0.read(|one| long_words(py, one.table.levels()))
    }

    /// The level of a state; None: it was not seen.
    fn level(&self, held: Vec<u8>) -> PyResult<Option<u64>> {
        self.0.read(|one| Ok(one.table.level(&held)))
    }

    /// A neighbour in the level before, where levels are kept modulo 3 or 4; None for the start.
    fn before(&self, held: Vec<u8>) -> PyResult<Option<Vec<u8>>> {
        self.0.read(|one| Ok(one.table.before(&held)))
    }

    /// The states of the deepest level that is complete, one after the other; None where there are
    /// too many to list.
    fn deepest<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.0.read(|one| {
            let index = one.table.index();
            let listed = one.table.deepest().map_err(crate::errors::raised)?;
            let Some(listed) = listed else { return Ok(None) };
            let width = index.held.len();
            PyBytes::new_with(py, width * listed.len(), |bytes| {
                for (held, &number) in bytes.chunks_exact_mut(width.max(1)).zip(&listed) {
                    held.copy_from_slice(&index.held);
                    index.unpack(number, held);
                }
                Ok(())
            })
            .map(Some)
        })
    }
}

//! The distances of all states from a start, kept by their numbers, as a Python object.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rewrite_core::checkpoint::Files;
use rewrite_core::error::{Error, Result};
use rewrite_core::ranking::index::{Index, Part};
use rewrite_core::ranking::marks::{ModThree, Whole};
use rewrite_core::ranking::moves::Move;
use rewrite_core::ranking::table::Table;
use rewrite_core::search::limits::{Limits, Stop};

use crate::files::Held;
use crate::guard::{Guard, entry};
use crate::make::{deadline, long_words};
use crate::outside::{Kept, raised};

enum Kind {
    ModThree(Table<ModThree>),
    Whole(Table<Whole>),
}

/// A table of distances, which is filled once.
#[pyclass(module = "rewrite.native._core")]
pub struct Distances {
    table: Kind,
    moves: Vec<Move>,
    files: Held,
    guard: Arc<Guard>,
}

/// Fields, values, whether they are permuted, the mover, and where the others are odd.
type GivenPart = (Vec<usize>, Vec<u8>, bool, Option<u8>, Option<Vec<bool>>);
type Pairs = Vec<(usize, u8)>;
/// Tests, misses, sets, copies.
type GivenMove = (Pairs, Pairs, Pairs, Vec<(usize, usize)>);

#[pymethods]
impl Distances {
    /// `held`: what the fields hold in the start; `moves`: tests, misses, sets, copies of each;
    /// `by_three`: whether levels are kept modulo 3.
    #[new]
    fn new(
        held: Vec<u8>,
        parts: Vec<GivenPart>,
        moves: Vec<GivenMove>,
        by_three: bool,
    ) -> PyResult<Distances> {
        entry(|| {
            let parts = parts.into_iter().map(|(fields, values, permuted, mover, odd)| {
                if permuted {
                    Part::permuted(fields, values, mover, odd)
                } else {
                    Part::Digit { field: fields[0], values }
                }
            });
            let index = Index::new(held.clone(), parts.collect());
            let moves: Vec<Move> = moves
                .into_iter()
                .map(|(tests, misses, sets, copies)| Move { tests, misses, sets, copies })
                .collect();
            let kept = Kept::default();
            let table = if by_three {
                Table::new(index, &held).map(Kind::ModThree)
            } else {
                Table::new(index, &held).map(Kind::Whole)
            };
            let table = table.map_err(|one| raised(one, &kept))?;
            let (files, guard) = (Held::default(), Arc::default());
            Ok(Distances { table, moves, files, guard })
        })
    }

    /// Searches all levels; returns why it ended: (status, limit). `pulse` is given states and depth.
    fn fill(
        &mut self,
        py: Python<'_>,
        max_depth: Option<u64>,
        max_states: Option<u64>,
        seconds: Option<f64>,
        pulse: Py<PyAny>,
    ) -> PyResult<(&'static str, &'static str)> {
        let deadline = seconds.map(deadline);
        let limits = Limits { max_depth, max_states, deadline, ..Limits::default() };
        let guard = self.guard.clone();
        guard.entry(|| {
            let kept: Kept = Arc::new(Mutex::new(None));
            let keeping = kept.clone();
            let (table, moves) = (&mut self.table, &self.moves);
            let result = py.detach(move || {
                let mut look = |states: u64, depth: u64| -> Result<bool> {
                    Python::attach(|py| {
                        let stop = pulse.call1(py, (states, depth));
                        let stop = stop.and_then(|stop| stop.extract(py));
                        stop.map_err(|error: PyErr| {
                            *keeping.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                            Error::Host
                        })
                    })
                };
                match table {
                    Kind::ModThree(table) => table.fill(moves, &limits, &mut look),
                    Kind::Whole(table) => table.fill(moves, &limits, &mut look),
                }
            });
            match result {
                Ok(Stop::Limit(limit)) => Ok(("limit", limit.name())),
                Ok(Stop::Interrupted) => Ok(("interrupted", "")),
                Ok(Stop::Found | Stop::Exhausted | Stop::Crowded) => Ok(("exhausted", "")),
                Err(error) => Err(raised(error, &kept)),
            }
        })
    }

    /// Writes everything that was found; the file, with its length.
    fn save(
        &mut self,
        py: Python<'_>,
        folder: PathBuf,
        epoch: u32,
        number: u32,
    ) -> PyResult<HashMap<String, u64>> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let table = &mut self.table;
            let write = |files: &mut Files| match table {
                Kind::ModThree(table) => table.save(files, number),
                Kind::Whole(table) => table.save(files, number),
            };
            self.files.save(py, (folder, epoch), write, crate::errors::raised)
        })
    }

    /// Reads what was written, into a table at its beginning.
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
            let table = &mut self.table;
            let read = |from: &mut Files| match table {
                Kind::ModThree(table) => table.load(from, number),
                Kind::Whole(table) => table.load(from, number),
            };
            self.files.load(py, (folder, epoch), files, read, crate::errors::raised)
        })
    }

    /// The sizes of the levels that are complete, as the bytes of an array of 64 bits.
    fn levels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.guard.entry(|| {
            let levels = match &self.table {
                Kind::ModThree(table) => &table.levels,
                Kind::Whole(table) => &table.levels,
            };
            long_words(py, levels)
        })
    }

    /// What is kept of the level of a state: 0 where it was not seen, else the level + 1, or the
    /// level modulo 3, + 1.
    fn get(&self, held: Vec<u8>) -> PyResult<u64> {
        self.guard.entry(|| {
            Ok(match &self.table {
                Kind::ModThree(table) => table.get(&held),
                Kind::Whole(table) => table.get(&held),
            })
        })
    }

    /// The states of the deepest level that is complete, one after the other; None where there are
    /// too many to list.
    fn deepest<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.guard.entry(|| {
            let (index, listed) = match &self.table {
                Kind::ModThree(table) => (&table.index, table.deepest.as_ref()),
                Kind::Whole(table) => (&table.index, table.deepest.as_ref()),
            };
            let Some(listed) = listed else { return Ok(None) };
            let width = index.held.len();
            PyBytes::new_with(py, width * listed.len(), |bytes| {
                for (held, &number) in bytes.chunks_exact_mut(width.max(1)).zip(listed) {
                    held.copy_from_slice(&index.held);
                    index.unpack(u64::from(number), held);
                }
                Ok(())
            })
            .map(Some)
        })
    }
}

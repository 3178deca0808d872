//! The distances of all states from a start, kept by their numbers, as a Python object.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rewrite_core::perfect::index::{Index, Part};
use rewrite_core::perfect::marks::{ModThree, Whole};
use rewrite_core::perfect::moves::Move;
use rewrite_core::perfect::permutation::Permutation;
use rewrite_core::perfect::table::Table;
use rewrite_core::search::limits::{Limits, Stop};
use rewrite_core::trouble::{Outcome, Trouble};

use crate::errors::Panicked;
use crate::outside::{Kept, raised};

enum Kind {
    ModThree(Table<ModThree>),
    Whole(Table<Whole>),
}

/// A table of distances, which is filled once.
#[pyclass(module = "rewrite.native._core")]
pub struct Distances {
    table: Kind,
    size: u32,
    moves: Vec<Move>,
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
        let parts = parts.into_iter().map(|(fields, values, permuted, mover, odd)| {
            if permuted {
                let order = Permutation::new(fields.len(), mover, odd);
                Part::Permuted { fields, values, order }
            } else {
                Part::Digit { field: fields[0], values }
            }
        });
        let index = Index::new(held.clone(), parts.collect());
        let size = index.size().and_then(|size| u32::try_from(size).ok());
        let size = size.ok_or_else(|| PyValueError::new_err("too many numbers"))?;
        let moves = moves
            .into_iter()
            .map(|(tests, misses, sets, copies)| Move { tests, misses, sets, copies })
            .collect();
        let kept = Kept::default();
        let table = if by_three {
            Table::new(index, size, &held).map(Kind::ModThree)
        } else {
            Table::new(index, size, &held).map(Kind::Whole)
        };
        Ok(Distances { table: table.map_err(|one| raised(one, &kept))?, size, moves })
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
        let deadline = seconds
            .filter(|&seconds| seconds < 1e9)
            .map(|seconds| Instant::now() + Duration::from_secs_f64(seconds.max(0.0)));
        let limits = Limits { max_depth, max_states, deadline, max_memory: None };
        let kept: Kept = Arc::new(Mutex::new(None));
        let (keeping, size) = (kept.clone(), self.size);
        let (table, moves) = (&mut self.table, &self.moves);
        let result = py.detach(move || {
            let mut look = |states: u64, depth: u64, _: u64| -> Outcome<bool> {
                Python::attach(|py| {
                    let stop = pulse.call1(py, (states, depth)).and_then(|stop| stop.extract(py));
                    stop.map_err(|error: PyErr| {
                        *keeping.lock().unwrap_or_else(|one| one.into_inner()) = Some(error);
                        Trouble::Host
                    })
                })
            };
            catch_unwind(AssertUnwindSafe(|| match table {
                Kind::ModThree(table) => table.fill(size, moves, &limits, &mut look),
                Kind::Whole(table) => table.fill(size, moves, &limits, &mut look),
            }))
        });
        match result {
            Ok(Ok(Stop::Limit(limit))) => Ok(("limit", limit.name())),
            Ok(Ok(Stop::Interrupted)) => Ok(("interrupted", "")),
            Ok(Ok(Stop::Found | Stop::Exhausted)) => Ok(("exhausted", "")),
            Ok(Err(trouble)) => Err(raised(trouble, &kept)),
            Err(_) => Err(Panicked::new_err("a table of distances")),
        }
    }

    /// The sizes of the levels that are complete.
    fn levels(&self) -> Vec<u64> {
        match &self.table {
            Kind::ModThree(table) => table.levels.clone(),
            Kind::Whole(table) => table.levels.clone(),
        }
    }

    /// What is kept of the level of a state: 0 where it was not seen, else the level + 1, or the
    /// level modulo 3, + 1.
    fn get(&self, held: Vec<u8>) -> u64 {
        match &self.table {
            Kind::ModThree(table) => table.get(&held),
            Kind::Whole(table) => table.get(&held),
        }
    }

    /// The states of the deepest level that is complete; None where there are too many to list.
    fn deepest(&self) -> Option<Vec<Vec<u8>>> {
        let (index, listed) = match &self.table {
            Kind::ModThree(table) => (&table.index, table.deepest.as_ref()),
            Kind::Whole(table) => (&table.index, table.deepest.as_ref()),
        };
        let state = |&number: &u32| {
            let mut held = index.held.clone();
            index.unpack(u64::from(number), &mut held);
            held
        };
        listed.map(|listed| listed.iter().map(state).collect())
    }
}

//! Estimates that are made from the rules, as Python hands them over; and tables made for Python.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rewrite_core::error::Result;
use rewrite_core::estimates::distances::{Pairs, Pattern, Step};
use rewrite_core::estimates::{
    Estimator, Given, Kind, LmCut, Look, Needs, Operator, Pieces, Place, Relaxed, Scratch, Set,
    Tables, Task,
};
use rewrite_core::grow::{copied, probe};
use rewrite_core::search::space::Estimate;

use crate::errors::{Unsupported, raised};
use crate::guard::entry;
use crate::loading::part;

type Any<'py> = Bound<'py, PyAny>;
type RawStep = (u64, Pairs, Pairs, Pairs, Pairs, Pairs);
/// (what the numbers in fields add to the index, by field; the number of the table)
type RawLook = (Vec<(u32, Vec<u32>)>, u32);

/// (places, blanks, movers with their strides, count, columns, live places, pairs of them, moves,
/// fields with the places that they keep empty, goals)
type RawPieces<'py> = (
    Vec<(u32, u32)>,
    Vec<(u32, u32)>,
    Vec<(u32, u32)>,
    u32,
    Vec<(bool, Bound<'py, PyBytes>)>,
    Vec<u32>,
    Bound<'py, PyBytes>,
    Vec<Vec<Vec<u32>>>,
    Vec<(u32, Vec<Vec<u32>>)>,
    Vec<u32>,
);

/// The estimator that a dict describes; `words`: of a state.
pub fn estimator(given: &Any<'_>, words: usize) -> PyResult<Estimator> {
    let fields: Vec<(u32, u32, u32)> = part(given, "fields")?;
    let places: Vec<Place> =
        fields.iter().map(|&(word, shift, bits)| Place::new(64 * word + shift, bits)).collect();
    let name: String = part(given, "kind")?;
    let kind = match name.as_str() {
        "goal_count" => Kind::GoalCount(part(given, "goals")?),
        "hmax" | "ff" | "lmcut" => {
            let operators: Vec<(u32, u64, Vec<u32>, Vec<u32>)> = part(given, "operators")?;
            let operators = operators
                .into_iter()
                .map(|(transition, cost, needs, gives)| Operator { transition, cost, needs, gives })
                .collect();
            let goals: Vec<Needs> = part(given, "goals")?;
            let (first, facts) = (part(given, "first")?, part::<u32>(given, "facts")? as usize);
            let sets: Vec<Vec<u32>> = part(given, "sets")?;
            probe(facts * size_of::<u32>()).map_err(raised)?;
            let task = Task::new(first, facts, operators, &goals);
            match name.as_str() {
                "lmcut" => Kind::LmCut(LmCut::new(task)),
                _ => Kind::Relaxed(Relaxed::new(task, name == "ff", &sets)),
            }
        }
        "tables" => {
            let entries: Vec<Bound<'_, PyBytes>> = part(given, "entries")?;
            let entries: Result<_> = entries.iter().map(|one| copied(one.as_bytes())).collect();
            let sets: Vec<Vec<Vec<RawLook>>> = part(given, "sets")?;
            let look = |(parts, of): RawLook| Look { parts, of };
            let group = |group: Vec<RawLook>| group.into_iter().map(look).collect();
            let sets: Vec<Set> =
                sets.into_iter().map(|set| set.into_iter().map(group).collect()).collect();
            let made = entries.and_then(|entries| Tables::new(&places, entries, &sets, words));
            Kind::Tables(made.map_err(raised)?)
        }
        "pieces" => {
            let groups: Vec<RawPieces<'_>> = part(given, "groups")?;
            let made: PyResult<_> = groups.into_iter().map(pieces).collect();
            Kind::Pieces(Pieces::new(&places, made?, words).map_err(raised)?)
        }
        other => return Err(Unsupported::new_err(format!("it has no heuristic {other:?}"))),
    };
    Ok(Estimator::new(places, kind))
}

fn pieces(given: RawPieces<'_>) -> PyResult<Given> {
    let (places, blanks, movers, count, columns, live, alive, moves, apart, goals) = given;
    let mut read = Vec::new();
    for (must, entries) in columns {
        read.push((must, copied(entries.as_bytes()).map_err(raised)?));
    }
    let alive = copied(alive.as_bytes()).map_err(raised)?;
    Ok(Given { places, blanks, movers, count, columns: read, live, alive, moves, apart, goals })
}

/// The estimate of one state, which is given by its words; None: no goal can be reached.
#[pyfunction]
pub fn estimate(given: &Any<'_>, state: Vec<u64>) -> PyResult<Option<u64>> {
    entry(|| {
        let estimator = estimator(given, state.len())?;
        match estimator.value(&state, &mut Scratch::default()).map_err(raised)? {
            Estimate::Whole(value) => Ok(Some(value)),
            Estimate::Infinite => Ok(None),
            Estimate::Real(_) => unreachable!("estimates from the rules are whole numbers"),
        }
    })
}

/// The distances of all abstract states of a pattern to its goals; see `analysis/patterns/projections.py`.
#[pyfunction]
pub fn pattern_distances<'py>(
    py: Python<'py>,
    sizes: Vec<u32>,
    counted: usize,
    distinct: bool,
    steps: Vec<RawStep>,
    goals: Vec<Vec<Vec<u32>>>,
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let step = |(cost, tests, misses, sets, copies, shifts): RawStep| Step {
        cost,
        tests,
        misses,
        sets,
        copies,
        shifts,
    };
    let steps = steps.into_iter().map(step).collect();
    let pattern = Pattern { sizes, counted, distinct, steps, goals };
    entry(|| {
        let made = py.detach(|| pattern.distances(threads)).map_err(raised)?;
        PyBytes::new_with(py, made.len(), |bytes| {
            bytes.copy_from_slice(&made);
            Ok(())
        })
    })
}

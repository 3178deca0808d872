//! One search: a program, its states, and the loop, as a Python object.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use rewrite_core::machine::Machine as Core;
use rewrite_core::search::Progress;
use rewrite_core::search::answers::Answer;
use rewrite_core::search::limits::{Limits, Stop};
use rewrite_core::search::question::{Kind, Question, Weight};
use rewrite_core::search::shortest::layers;
use rewrite_core::space::Estimate;
use rewrite_core::trouble::{Change, Outcome, Trouble};
use rewrite_core::world::{Kept as World, new_world};

use crate::convert::Marks;
use crate::errors::Panicked;
use crate::loading::state_key;
use crate::machine::Machine;
use crate::outside::{Kept, raised, seen};

/// The states of a level and the places in the next one to which their steps lead.
type Layer = (Vec<u32>, Vec<Vec<u32>>);

/// Asks Python whether to stop; an exception there is kept until the core has come back.
pub fn whether_to_stop(stop: &Py<PyAny>, kept: &Kept) -> Outcome<bool> {
    Python::attach(|py| {
        let answer = stop.call0(py).and_then(|answer| answer.extract(py));
        answer.map_err(|error: PyErr| {
            *kept.lock().unwrap_or_else(|one| one.into_inner()) = Some(error);
            Trouble::Host
        })
    })
}

/// A search under way, with its states.
#[pyclass(module = "rewrite.native._core")]
pub struct Search {
    world: Box<dyn World>,
    search: rewrite_core::search::Search,
    machine: Arc<Core>,
    marks: Arc<Marks>,
    kept: Kept,
}

fn question(given: &Bound<'_, PyDict>) -> PyResult<Question> {
    let optional = |key: &str| given.get_item(key);
    let get = |key: &str| -> PyResult<Bound<'_, PyAny>> {
        given.get_item(key)?.ok_or_else(|| PyValueError::new_err(format!("no {key}")))
    };
    let name: String = get("strategy")?.extract()?;
    let kind =
        Kind::named(&name).ok_or_else(|| PyValueError::new_err(format!("no strategy {name}")))?;
    let weight = get("weight")?;
    let weight = match weight.extract::<u64>() {
        Ok(whole) => Weight::Whole(whole),
        Err(_) => Weight::Real(weight.extract()?),
    };
    Ok(Question {
        width: get("width")?.extract()?,
        weight,
        seed: get("seed")?.extract()?,
        distinct_paths: get("distinct_paths")?.extract()?,
        minimize: get("minimize")?.extract()?,
        goal: get("goal")?.extract()?,
        min_depth: get("min_depth")?.extract()?,
        uses_estimate: get("uses_estimate")?.extract()?,
        eager: get("eager")?.extract()?,
        weighted: optional("weighted")?.map_or(Ok(false), |one| one.extract())?,
        goals: optional("goals")?.map_or(Ok(0), |goals| goals.len())? as u32,
        ..Question::new(kind)
    })
}

impl Search {
    /// Runs something in the core: a panic there becomes an exception.
    fn guarded<T>(&self, result: std::thread::Result<Outcome<T>>) -> PyResult<T> {
        match result {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(Trouble::Change(Change::Head(value)))) => Python::attach(|py| {
                let value = self.marks.py(py, &self.machine.interner, value)?.unbind();
                Err(crate::errors::Changed::new_err(("head", value)))
            }),
            Ok(Err(trouble)) => Err(raised(trouble, &self.kept)),
            Err(panic) => {
                let text = panic
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
                Err(Panicked::new_err((text.unwrap_or_default(),)))
            }
        }
    }

    fn answer<'py>(&self, py: Python<'py>, one: &Answer) -> PyResult<Bound<'py, PyTuple>> {
        let value = match one.value {
            Some(value) => self.marks.py(py, &self.machine.interner, value)?,
            None => py.None().into_bound(py),
        };
        (PyList::new(py, &one.trail)?, one.order, value).into_pyobject(py)
    }
}

#[pymethods]
impl Search {
    /// `start`: the state as groups or halves of words, as are the `goals` that may be among what is
    /// asked; `asked`: what is asked, by name.
    #[new]
    fn new(
        machine: &Machine,
        start: &Bound<'_, PyAny>,
        asked: &Bound<'_, PyDict>,
        threads: usize,
    ) -> PyResult<Search> {
        let (core, marks, kept) = machine.parts();
        let key = |state: &Bound<'_, PyAny>| {
            state_key(state, &core.program.encoding, &marks, &core.interner)
        };
        let mut first = vec![key(start)?];
        if let Some(goals) = asked.get_item("goals")? {
            for goal in goals.try_iter()? {
                let goal = goal?;
                first.push(key(&goal)?);
            }
        }
        let world = new_world(core.clone(), &first, threads).map_err(|one| raised(one, &kept))?;
        let search = rewrite_core::search::Search::new(question(asked)?)
            .map_err(|one| raised(one, &kept))?;
        Ok(Search { world, search, machine: core, marks, kept })
    }

    /// Goes on; returns why it stopped: (status, limit).
    #[pyo3(signature = (wanted, max_depth, max_states, seconds, max_memory, pulse))]
    #[allow(clippy::too_many_arguments)] // the limits of a search, as they are
    fn advance(
        &mut self,
        py: Python<'_>,
        wanted: Option<usize>,
        max_depth: Option<u64>,
        max_states: Option<u64>,
        seconds: Option<f64>,
        max_memory: Option<usize>,
        pulse: Py<PyAny>,
    ) -> PyResult<(&'static str, &'static str)> {
        let deadline = seconds
            .filter(|&seconds| seconds < 1e9)
            .map(|seconds| Instant::now() + Duration::from_secs_f64(seconds.max(0.0)));
        let limits = Limits { max_depth, max_states, deadline, max_memory };
        let (world, search, kept) = (&mut self.world, &mut self.search, self.kept.clone());
        let machine = self.machine.clone();
        let result = py.detach(move || {
            catch_unwind(AssertUnwindSafe(|| {
                machine.begin(deadline);
                world.set_budget(max_memory);
                let mut look = |progress: &Progress| -> Outcome<bool> {
                    Python::attach(|py| {
                        let told =
                            (progress.states, progress.depth, progress.waiting, progress.memory);
                        let stop = pulse.call1(py, told).and_then(|stop| stop.extract(py));
                        stop.map_err(|error: PyErr| {
                            *kept.lock().unwrap_or_else(|one| one.into_inner()) = Some(error);
                            Trouble::Host
                        })
                    })
                };
                search.advance(&mut **world, wanted, &limits, &mut look)
            }))
        });
        Ok(match self.guarded(result)? {
            Stop::Found => ("found", ""),
            Stop::Exhausted => ("exhausted", ""),
            Stop::Interrupted => ("interrupted", ""),
            Stop::Limit(limit) => ("limit", limit.name()),
        })
    }

    /// Everything that is counted, by name.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (facts, record) = (PyDict::new(py), &self.search.record);
        facts.set_item("states", record.states(&*self.world))?;
        facts.set_item("depth", record.depth)?;
        facts.set_item("waiting", record.waiting)?;
        facts.set_item("levels", &record.levels)?;
        facts.set_item("expanded", record.expanded)?;
        facts.set_item("dropped", record.dropped)?;
        facts.set_item("ruled_out", record.ruled_out)?;
        facts.set_item("reopened", record.reopened)?;
        facts.set_item("came_back", record.came_back)?;
        facts.set_item("too_near", self.search.too_near)?;
        facts.set_item("out_of_memory", self.search.out_of_memory)?;
        facts.set_item("bytes", self.world.bytes() + self.search.bytes())?;
        let over = match self.search.overestimate {
            None => None,
            Some(over) => {
                let estimate = match over.estimate {
                    Estimate::Whole(whole) => whole.into_pyobject(py)?.into_any(),
                    Estimate::Real(real) => real.into_pyobject(py)?.into_any(),
                    Estimate::Infinite => f64::INFINITY.into_pyobject(py)?.into_any(),
                };
                Some((over.state, estimate, over.left))
            }
        };
        facts.set_item("overestimate", over)?;
        Ok(facts)
    }

    /// What every rule did: four counts a rule.
    fn counts(&self) -> Vec<u64> {
        self.world.counts().to_vec()
    }

    /// Answers from number `known` on: (numbers of the states, order, value).
    fn answers<'py>(&self, py: Python<'py>, known: usize) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        self.search.answers[known..].iter().map(|one| self.answer(py, one)).collect()
    }

    /// With `minimize`: the state with the lowest value that is no goal.
    fn nearest<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.search.nearest.as_ref().map(|one| self.answer(py, one)).transpose()
    }

    /// The code of a state.
    fn code<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyAny>> {
        let mut code = None;
        self.world.seen(id, &mut |state| {
            code = Some(seen(py, &self.marks, &state, &self.machine.interner));
        });
        code.unwrap_or_else(|| Err(PyValueError::new_err(format!("no state {id}"))))
    }

    /// The different successors of a state that were seen, in order; None stands for others.
    fn successors(&mut self, id: u32) -> PyResult<Vec<Option<u32>>> {
        let mut out = Vec::new();
        let world = &mut self.world;
        let result = catch_unwind(AssertUnwindSafe(|| world.peek(id, &mut out)));
        self.guarded(result)?;
        Ok(out)
    }

    /// What lies on shortest ways to these goals, all of one level: (states, steps) for each level;
    /// None where `stop` asked to stop.
    fn shortest(
        &mut self,
        py: Python<'_>,
        goals: Vec<u32>,
        levels: usize,
        stop: Py<PyAny>,
    ) -> PyResult<Option<Vec<Layer>>> {
        let (world, kept) = (&mut self.world, self.kept.clone());
        let levels = &self.search.record.levels[..levels];
        let result = py.detach(move || {
            catch_unwind(AssertUnwindSafe(|| {
                let mut look = || whether_to_stop(&stop, &kept);
                match layers(&mut **world, levels, &goals, &mut look) {
                    Err(Trouble::Interrupted) => Ok(None),
                    other => other.map(Some),
                }
            }))
        });
        let found = self.guarded(result)?;
        Ok(found.map(|all| all.into_iter().map(|one| (one.states, one.steps)).collect()))
    }

    /// The parent of every state, in order of discovery.
    fn parents(&self) -> Vec<u32> {
        (0..self.world.states()).map(|id| self.world.parent(id)).collect()
    }
}

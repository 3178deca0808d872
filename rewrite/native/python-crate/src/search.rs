//! One search: a program, its states, and the loop, as a Python object.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyTuple};
use rewrite_core::checkpoint::Files;
use rewrite_core::error::{Error, Result};
use rewrite_core::grow::{Grow, probe};
use rewrite_core::parcel::Sender;
use rewrite_core::search::Progress;
use rewrite_core::search::answers::Answer;
use rewrite_core::search::limits::{Limits, Stop};
use rewrite_core::search::question::{Amount, Kind, Question};
use rewrite_core::search::savable::SavableSpace;
use rewrite_core::search::shortest::{self as layer, layers};
use rewrite_core::search::space::Estimate;
use rewrite_core::state_space::new_state_space;

use crate::errors::Unsupported;
use crate::files::Held;
use crate::guard::{Ended, Guard, entry};
use crate::loaded::Loaded;
use crate::machine::Machine;
use crate::make::{deadline, long_words, words};
use crate::outside::Kept;

/// The states of a level, the places in the next one to which their steps lead, and where those of
/// each state end.
type Layer<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// Bytes that a search takes at its beginning in ways that cannot fail.
const ROOM: usize = 1 << 20;

/// A search under way, with its states.
#[pyclass(module = "rewrite.native._core")]
pub struct Search {
    space: Box<dyn SavableSpace>,
    search: rewrite_core::search::Search,
    loaded: Loaded,
    files: Held,
    guard: Arc<Guard>,
}

fn question(given: &Bound<'_, PyDict>) -> PyResult<Question> {
    let optional = |key: &str| given.get_item(key);
    let get = |key: &str| given.as_any().get_item(key);
    let name: String = get("strategy")?.extract()?;
    let kind = Kind::named(&name)
        .ok_or_else(|| Unsupported::new_err(format!("it has no strategy {name:?}")))?;
    let mut options = HashMap::new();
    for (name, value) in get("options")?.cast_into::<PyDict>()? {
        let name: String = name.extract()?;
        if let Some(amount) = amount(&name, &value)? {
            options.insert(name, amount);
        }
    }
    Ok(Question {
        options,
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

fn amount(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Amount>> {
    Ok(match value.extract::<u64>() {
        Ok(whole) => Some(Amount::Whole(whole)),
        Err(_) if value.is_none() => None,
        Err(_) if value.is_instance_of::<PyInt>() => {
            return Err(Unsupported::new_err(format!("it has no {name} beyond 64 bits")));
        }
        Err(_) => Some(Amount::Real(value.extract()?)),
    })
}

impl Search {
    fn answer<'py>(&self, py: Python<'py>, one: &Answer) -> PyResult<Bound<'py, PyTuple>> {
        let value = match one.value {
            Some(value) => self.loaded.marks.py(py, &self.loaded.core.interner, value)?,
            None => py.None().into_bound(py),
        };
        (words(py, &one.trail)?, one.order, value).into_pyobject(py)
    }

    fn advance_under(
        &mut self,
        py: Python<'_>,
        wanted: Option<usize>,
        limits: &Limits,
        pulse: &Py<PyAny>,
    ) -> PyResult<Stop> {
        let (space, search, kept) = (&mut self.space, &mut self.search, self.loaded.kept.clone());
        let machine = self.loaded.core.clone();
        let result = py.detach(move || {
            machine.begin(limits.deadline);
            space.set_budget(limits.max_memory.map(|most| most.saturating_sub(search.bytes())));
            let mut look = |progress: &Progress| -> Result<bool> {
                Python::attach(|py| {
                    let told = (progress.states, progress.depth, progress.waiting, progress.memory);
                    let stop = pulse.call1(py, told).and_then(|stop| stop.extract(py));
                    stop.map_err(|error: PyErr| keep(error, &kept))
                })
            };
            search.advance(&mut **space, wanted, limits, &mut look)
        });
        self.loaded.told(py, result)
    }
}

fn keep(error: PyErr, kept: &Kept) -> Error {
    *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    Error::Host
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
        entry(|| {
            let loaded = machine.loaded();
            let mut first = vec![loaded.key(start)?];
            if let Some(goals) = asked.get_item("goals")? {
                for goal in goals.try_iter()? {
                    first.push(loaded.key(&goal?)?);
                }
            }
            probe(ROOM).map_err(|one| loaded.raised(one))?;
            let space = new_state_space(loaded.core.clone(), &first, threads);
            let space = space.map_err(|one| loaded.raised(one))?;
            let search = rewrite_core::search::Search::new(question(asked)?);
            let search = search.map_err(|one| loaded.raised(one))?;
            let (files, guard) = (Held::default(), Arc::default());
            Ok(Search { space, search, loaded, files, guard })
        })
    }

    /// Goes on; returns why it stopped: (status, limit). `apart`: "crowded" now and then, for
    /// `spill`.
    #[pyo3(signature = (wanted, limits, seconds, pulse, apart = false))]
    fn advance(
        &mut self,
        py: Python<'_>,
        wanted: Option<usize>,
        limits: HashMap<String, u64>,
        seconds: Option<f64>,
        pulse: Py<PyAny>,
        apart: bool,
    ) -> PyResult<(&'static str, &'static str)> {
        let most = |name| limits.get(name).copied();
        let limits = Limits {
            max_depth: most("max_depth"),
            max_states: most("max_states"),
            deadline: seconds.map(deadline),
            max_memory: most("max_memory").map(|bytes| bytes as usize),
            apart,
        };
        let guard = self.guard.clone();
        match guard.caught(|| self.advance_under(py, wanted, &limits, &pulse)) {
            Ended::Done(done) => done.map(stop_names),
            Ended::NoMemory => {
                self.search.give_back();
                Ok(stop_names(Stop::Exhausted))
            }
            Ended::Panicked(error) => Err(error),
        }
    }

    /// Writes states that are new to the files of `save`, and gives back the memory of those that are
    /// done with, of more where it is `scarce`; how many bytes.
    fn spill(
        &mut self,
        py: Python<'_>,
        folder: PathBuf,
        epoch: u32,
        scarce: bool,
    ) -> PyResult<usize> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let (space, search, loaded) = (&mut self.space, &mut self.search, &self.loaded);
            let put = |files: &mut Files| search.spill(&mut **space, files, scarce);
            self.files.written(py, (folder, epoch), put, |one| loaded.raised(one))
        })
    }

    /// Writes what is new since the last time, so that `load` can read all of it; every file that it
    /// needs, with its length.
    fn save(
        &mut self,
        py: Python<'_>,
        folder: PathBuf,
        epoch: u32,
        number: u32,
    ) -> PyResult<HashMap<String, u64>> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let (space, search, loaded) = (&self.space, &mut self.search, &self.loaded);
            let write = |files: &mut Files| search.save(&**space, files, number);
            self.files.save(py, (folder, epoch), write, |one| loaded.raised(one))
        })
    }

    /// Reads what was written, into a search that has not begun. Else it is as good as broken.
    /// `apart`: states that are done with stay in the files.
    fn load(
        &mut self,
        py: Python<'_>,
        folder: PathBuf,
        files: HashMap<String, u64>,
        epoch: u32,
        number: u32,
        apart: bool,
    ) -> PyResult<()> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let (space, search, loaded) = (&mut self.space, &mut self.search, &self.loaded);
            let read = |from: &mut Files| search.load(&mut **space, from, number, apart);
            self.files.load(py, (folder, epoch), files, read, |one| loaded.raised(one))
        })
    }

    /// The states of these numbers as parcels for so many parts; each says its number as its parent.
    fn packed<'py>(
        &self,
        py: Python<'py>,
        from: u32,
        to: u32,
        parts: usize,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        self.guard.entry(|| {
            let mut sender = self.loaded.told(py, Sender::new(parts))?;
            self.loaded.told(py, self.space.pack(from..to, &mut sender))?;
            sender.parcels().iter().map(|parcel| words(py, &parcel.words)).collect()
        })
    }

    /// Everything that is counted, by name.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.guard.entry(|| {
            let (facts, record) = (PyDict::new(py), &self.search.record);
            facts.set_item("states", record.states(&*self.space))?;
            facts.set_item("depth", record.depth)?;
            facts.set_item("waiting", record.waiting)?;
            facts.set_item("levels", long_words(py, &record.levels)?)?;
            facts.set_item("expanded", record.expanded)?;
            facts.set_item("dropped", record.dropped)?;
            facts.set_item("ruled_out", record.ruled_out)?;
            facts.set_item("reopened", record.reopened)?;
            facts.set_item("inconsistent", record.inconsistent)?;
            facts.set_item("came_back", record.came_back)?;
            facts.set_item("too_near", self.search.answers.too_near)?;
            facts.set_item("out_of_memory", self.search.out_of_memory)?;
            facts.set_item("bytes", self.space.bytes() + self.search.bytes())?;
            let over = match self.search.answers.overestimate {
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
        })
    }

    /// What every rule did: four counts a rule, as the bytes of an array of 64 bits.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.guard.entry(|| long_words(py, self.space.counts()))
    }

    /// Answers from number `known` on: (numbers of the states as bytes, order, value).
    fn answers<'py>(&self, py: Python<'py>, known: usize) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        self.guard.entry(|| {
            let new = self.search.answers.found.get(known..).unwrap_or_default();
            new.iter().map(|one| self.answer(py, one)).collect()
        })
    }

    /// With `minimize`: the state with the lowest value that is no goal.
    fn nearest<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.guard.entry(|| {
            self.search.answers.nearest.as_ref().map(|one| self.answer(py, one)).transpose()
        })
    }

    /// The code of a state.
    fn code<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyAny>> {
        self.guard.entry(|| self.loaded.code(py, &*self.space, id))
    }

    /// The different successors of a state that were seen, in order; None stands for others.
    fn successors(&mut self, py: Python<'_>, id: u32) -> PyResult<Vec<Option<u32>>> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let mut out = Vec::new();
            let result = self.space.peek(id, &mut out);
            self.loaded.told(py, result)?;
            Ok(out)
        })
    }

    /// What lies on shortest ways to these goals, all of one level; for each level its states, the
    /// steps of all of them and where those of each state end, as bytes. None where `stop` asked to
    /// stop.
    fn shortest<'py>(
        &mut self,
        py: Python<'py>,
        goals: Vec<u32>,
        levels: usize,
        stop: Py<PyAny>,
    ) -> PyResult<Option<Vec<Layer<'py>>>> {
        let guard = self.guard.clone();
        guard.entry(|| {
            let (space, kept) = (&mut self.space, self.loaded.kept.clone());
            let levels = &self.search.record.levels[..levels];
            let result = py.detach(move || {
                let mut look = || {
                    Python::attach(|py| {
                        let answer = stop.call0(py).and_then(|answer| answer.extract(py));
                        answer.map_err(|error: PyErr| keep(error, &kept))
                    })
                };
                match layers(&mut **space, levels, &goals, &mut look) {
                    Err(Error::Interrupted) => Ok(None),
                    other => other.map(Some),
                }
            });
            let Some(found) = self.loaded.told(py, result)? else { return Ok(None) };
            // each goes as soon as Python has it
            let handed = |one: layer::Layer| {
                Ok((words(py, &one.states)?, words(py, &one.steps)?, words(py, &one.ends)?))
            };
            found.into_iter().map(handed).collect::<PyResult<_>>().map(Some)
        })
    }

    /// The parent of every state, in order of discovery, as bytes.
    fn parents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.guard.entry(|| {
            let mut parents = Vec::new();
            for id in 0..self.space.states() {
                let parent = self.space.any_parent(id).and_then(|parent| parents.grow_push(parent));
                self.loaded.told(py, parent)?;
            }
            words(py, &parents)
        })
    }
}

fn stop_names(stop: Stop) -> (&'static str, &'static str) {
    match stop {
        Stop::Found => ("found", ""),
        Stop::Exhausted => ("exhausted", ""),
        Stop::Crowded => ("crowded", ""),
        Stop::Interrupted => ("interrupted", ""),
        Stop::Limit(limit) => ("limit", limit.name()),
    }
}

//! One search: a program, its states, and the loop, as a Python object.

use std::collections::HashMap;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyTuple};
use rewrite_core::checkpoint::{Files, Lengths};
use rewrite_core::error::{Error, Result};
use rewrite_core::grow::Grow;
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
use crate::guard::{Ended, Guarded};
use crate::loaded::Loaded;
use crate::loading::{optional, part};
use crate::machine::Machine;
use crate::make::{deadline, long_words, stop_names, words};
use crate::outside::asked;

/// The states of a level, the places in the next one to which their steps lead, and where those of
/// each state end.
type Layer<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

struct Inner {
    space: Box<dyn SavableSpace>,
    search: rewrite_core::search::Search,
    loaded: Loaded,
    files: Held,
}

/// A search under way, with its states.
#[pyclass(module = "rewrite.native._core")]
pub struct Search(Guarded<Inner>);

fn question(given: &Bound<'_, PyDict>) -> PyResult<Question> {
    let given = given.as_any();
    let name: String = part(given, "strategy")?;
    let kind = Kind::named(&name)
        .ok_or_else(|| Unsupported::new_err(format!("it has no strategy {name:?}")))?;
    let mut options = HashMap::new();
    for (name, value) in given.get_item("options")?.cast_into::<PyDict>()? {
        let name: String = name.extract()?;
        if let Some(amount) = amount(&name, &value)? {
            options.insert(name, amount);
        }
    }
    Ok(Question {
        options,
        distinct_paths: part(given, "distinct_paths")?,
        minimize: part(given, "minimize")?,
        goal: part(given, "goal")?,
        min_depth: part(given, "min_depth")?,
        uses_estimate: part(given, "uses_estimate")?,
        eager: part(given, "eager")?,
        weighted: part::<Option<bool>>(given, "weighted")?.unwrap_or(false),
        goals: optional(given, "goals")?.map_or(Ok(0), |goals| goals.len())? as u32,
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

impl Inner {
    fn answer<'py>(&self, py: Python<'py>, one: &Answer) -> PyResult<Bound<'py, PyTuple>> {
        let value = match one.value {
            Some(value) => self.loaded.marks.py(py, &self.loaded.core.interner, value)?,
            None => py.None().into_bound(py),
        };
        (words(py, &one.trail)?, one.order, value).into_pyobject(py)
    }

    fn advance(
        &mut self,
        py: Python<'_>,
        wanted: Option<usize>,
        limits: &Limits,
        pulse: &Py<PyAny>,
    ) -> PyResult<Stop> {
        let Inner { space, search, loaded, .. } = self;
        let result = py.detach(|| {
            loaded.core.begin(limits.deadline);
            space.set_budget(limits.max_memory.map(|most| most.saturating_sub(search.bytes())));
            let mut look = |at: &Progress| -> Result<bool> {
                let progress = (at.states, at.depth, at.waiting, at.memory);
                asked(&loaded.kept, |py| pulse.call1(py, progress)?.extract(py))
            };
            search.advance(&mut **space, wanted, limits, &mut look)
        });
        loaded.result(py, result)
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
        let made = Guarded::new(|| {
            let loaded = machine.loaded()?;
            let mut first = vec![loaded.key(start)?];
            if let Some(goals) = asked.get_item("goals")? {
                for goal in goals.try_iter()? {
                    first.push(loaded.key(&goal?)?);
                }
            }
            let raised = |error| loaded.raised(error);
            let space = new_state_space(loaded.core.clone(), &first, threads).map_err(raised)?;
            let search = rewrite_core::search::Search::new(question(asked)?).map_err(raised)?;
            Ok(Inner { space, search, loaded, files: Held::default() })
        });
        made.map(Search)
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
        match self.0.caught(|one| one.advance(py, wanted, &limits, &pulse)) {
            Ended::Done(done) => done.map(stop_names),
            Ended::NoMemory => {
                self.0.after_all().search.give_back();
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
        self.0.entry(|Inner { space, search, loaded, files }| {
            let put = |files: &mut Files| search.spill(&mut **space, files, scarce);
            files.save(py, (folder, epoch), put, |one| loaded.raised(one))
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
    ) -> PyResult<Lengths> {
        self.0.entry(|Inner { space, search, loaded, files }| {
            let write = |files: &mut Files| search.save(&**space, files, number);
            files.save(py, (folder, epoch), write, |one| loaded.raised(one))
        })
    }

    /// Reads what was written, into a search that has not begun. Else it is as good as broken.
    /// `apart`: states that are done with stay in the files.
    fn load(
        &mut self,
        py: Python<'_>,
        folder: PathBuf,
        files: Lengths,
        epoch: u32,
        number: u32,
        apart: bool,
    ) -> PyResult<()> {
        self.0.entry(|Inner { space, search, loaded, files: held }| {
            let read = |from: &mut Files| search.load(&mut **space, from, number, apart);
            held.load(py, (folder, epoch), files, read, |one| loaded.raised(one))
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
        self.0.read(|Inner { space, loaded, .. }| {
            let mut sender = loaded.result(py, Sender::new(parts))?;
            loaded.result(py, space.pack(from..to, &mut sender))?;
            sender.parcels().iter().map(|parcel| words(py, &parcel.words)).collect()
        })
    }

    /// Everything that is counted, by name.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.0.read(|Inner { space, search, .. }| {
            let (facts, record) = (PyDict::new(py), &search.record);
            facts.set_item("states", record.states(&**space))?;
            facts.set_item("depth", record.depth)?;
            facts.set_item("waiting", record.waiting)?;
            facts.set_item("levels", long_words(py, &record.levels)?)?;
            facts.set_item("expanded", record.expanded)?;
            facts.set_item("dropped", record.dropped)?;
            facts.set_item("ruled_out", record.ruled_out)?;
            facts.set_item("reopened", record.reopened)?;
            facts.set_item("inconsistent", record.inconsistent)?;
            facts.set_item("came_back", record.came_back)?;
            facts.set_item("too_near", search.answers.too_near)?;
            facts.set_item("out_of_memory", search.out_of_memory)?;
            facts.set_item("bytes", space.bytes() + search.bytes())?;
            let Some(over) = search.answers.overestimate else {
                facts.set_item("overestimate", py.None())?;
                return Ok(facts);
            };
            let estimate = match over.estimate {
                Estimate::Whole(whole) => whole.into_pyobject(py)?.into_any(),
                Estimate::Real(real) => real.into_pyobject(py)?.into_any(),
                Estimate::Infinite => f64::INFINITY.into_pyobject(py)?.into_any(),
            };
            facts.set_item("overestimate", (over.state, estimate, over.left))?;
            Ok(facts)
        })
    }

    /// What every rule did: four counts a rule, as the bytes of an array of 64 bits.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.0.read(|one| long_words(py, one.space.counts()))
    }

    /// The answers since the last call: (numbers of the states as bytes, order, value).
    fn answers<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        self.0.entry(|inner| {
            let fresh = inner.search.answers.fresh().iter();
            let handed = fresh.map(|one| inner.answer(py, one)).collect::<PyResult<_>>()?;
            inner.search.hand_over();
            Ok(handed)
        })
    }

    /// With `minimize`: the state with the lowest value that is no goal.
    fn nearest<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.0.read(|inner| {
            inner.search.answers.nearest.as_ref().map(|one| inner.answer(py, one)).transpose()
        })
    }

    fn code<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyAny>> {
        self.0.read(|one| one.loaded.code(py, &*one.space, id))
    }

    /// The different successors of a state that were seen, in order; None stands for others.
    fn successors(&mut self, py: Python<'_>, id: u32) -> PyResult<Vec<Option<u32>>> {
        self.0.entry(|Inner { space, loaded, .. }| {
            let mut out = Vec::new();
            loaded.core.begin(None); // the deadline of the search may be over
            loaded.result(py, space.peek(id, &mut out)).map(|()| out)
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
        self.0.entry(|Inner { space, search, loaded, .. }| {
            let levels = &search.record.levels[..levels];
            let mut look = || asked(&loaded.kept, |py| stop.call0(py)?.extract(py));
            loaded.core.begin(None);
            let result = py.detach(|| match layers(&mut **space, levels, &goals, &mut look) {
                Err(Error::Interrupted) => Ok(None),
                other => other.map(Some),
            });
            let Some(found) = loaded.result(py, result)? else { return Ok(None) };
            // each goes as soon as Python has it
            let handed = |one: layer::Layer| {
                Ok((words(py, &one.states)?, words(py, &one.steps)?, words(py, &one.ends)?))
            };
            found.into_iter().map(handed).collect::<PyResult<_>>().map(Some)
        })
    }

    /// The parent of every state, in order of discovery, as bytes.
    fn parents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.0.read(|Inner { space, loaded, .. }| {
            let mut parents = Vec::new();
            for id in 0..space.states() {
                let parent = space.any_parent(id).and_then(|parent| parents.grow_push(parent));
                loaded.result(py, parent)?;
            }
            words(py, &parents)
        })
    }
}

//! A program as Python hands it over, to one for the core.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rewrite_core::Layout;
use rewrite_core::canon::{Canon, Element, ExchangedTerms, Exchanges, Symmetries};
use rewrite_core::classes::{Classes, Given};
use rewrite_core::codec::packed_key;
use rewrite_core::estimates::Place;
use rewrite_core::ground::{
    Conditional, Effect, Formula, GroundRule, Mapped, Ranks, Rules, Source,
};
use rewrite_core::grow::probe;
use rewrite_core::interner::Interner;
use rewrite_core::program::*;
use rewrite_core::value::Val;

use crate::convert::Marks;
use crate::errors::raised;
use crate::estimate::estimator;

type Any<'py> = Bound<'py, PyAny>;

const WORD: usize = 4;
/// How many bytes are needed while a byte of code is read, and for what belongs to it, about.
const READ: usize = 32;

/// A part of a dict, if it is there and not None.
pub fn optional<'py>(given: &Any<'py>, key: &str) -> PyResult<Option<Any<'py>>> {
    Ok(given.cast::<PyDict>()?.get_item(key)?.filter(|one| !one.is_none()))
}

/// The same as what it is to be; what is not there is None.
pub fn part<'py, T>(given: &Any<'py>, key: &str) -> PyResult<T>
where
    for<'a> T: FromPyObject<'a, 'py, Error = PyErr>,
{
    optional(given, key)?.into_pyobject(given.py())?.extract()
}

/// A part that is made of several.
fn each<'py, T, C: FromIterator<T>>(
    given: &Any<'py>,
    key: &str,
    make: impl Fn(Any<'py>) -> PyResult<T>,
) -> PyResult<C> {
    let parts: Option<Vec<Any<'py>>> = part(given, key)?;
    parts.into_iter().flatten().map(make).collect()
}

struct Loader<'a> {
    marks: &'a Marks,
    interner: &'a Interner,
}

impl Loader<'_> {
    fn vals<C: FromIterator<Val>>(&self, given: &Any<'_>) -> PyResult<C> {
        given.try_iter()?.map(|one| self.marks.val(self.interner, &one?)).collect()
    }

    fn index(&self, given: &Any<'_>) -> PyResult<Index> {
        let mut index = Index::default();
        for pair in given.try_iter()? {
            let (key, rows): (Any<'_>, Vec<(u32, Any<'_>)>) = pair?.extract()?;
            let from = index.rows.len() as u32;
            for (place, value) in &rows {
                index.rows.push((*place, self.marks.val(self.interner, value)?));
            }
            index.by_key.insert(self.vals(&key)?, (from, rows.len() as u32));
        }
        Ok(index)
    }

    fn table(&self, given: &Any<'_>) -> PyResult<Table> {
        let lookup = |one: Any<'_>| {
            let (slots_read, targets, atoms, ground): (_, _, _, Any<'_>) = one.extract()?;
            Ok(Lookup { slots_read, targets, atoms, ground: self.vals(&ground)? })
        };
        Ok(Table {
            lookups: each(given, "lookups", lookup)?,
            reads: part(given, "reads")?,
            residual: part(given, "residual")?,
            every: part(given, "every")?,
        })
    }

    /// A function of states in slots, with its number: ground rules, or a condition.
    fn kernel(&self, given: &Any<'_>) -> PyResult<(u16, Source)> {
        let (number, source): (u16, Any<'_>) = given.extract()?;
        if !source.is_instance_of::<PyDict>() {
            return Ok((number, Source::Condition(formula(&source)?)));
        }
        let never = optional(&source, "never")?;
        let rules = Rules {
            rules: each(&source, "rules", |one| self.ground_rule(&one))?,
            first: part(&source, "first")?,
            simplify: part(&source, "simplify")?,
            usual: bits(part(&source, "usual")?),
            never: never.map(|one| formula(&one)).transpose()?,
        };
        Ok((number, Source::Rules(rules)))
    }

    fn ground_rule(&self, given: &Any<'_>) -> PyResult<GroundRule> {
        type Parts<'py> = (u16, u16, Bits, Bits, Bits, Option<Any<'py>>, Any<'py>);
        let (matched, fired, tests, misses, guard, cost, effect): Parts<'_> = given.extract()?;
        let effect = match effect.extract::<u16>() {
            Ok(table) => Effect::Table(table),
            Err(_) => {
                type Map = (u16, u8, u64, u16, Vec<u64>);
                let (changes, moves, maps, effects): (_, _, Vec<Map>, Vec<(Bits, Bits, Bits)>) =
                    effect.extract()?;
                let maps = maps.into_iter().map(|(from, shift, mask, to, table)| Mapped {
                    from,
                    shift,
                    mask,
                    to,
                    table,
                });
                let effects = effects.into_iter().map(|(tests, misses, changed)| Conditional {
                    tests: bits(tests),
                    misses: bits(misses),
                    bits: changed,
                });
                let (maps, effects) = (maps.collect(), effects.collect());
                Effect::Form(Form { changes, moves, maps, effects })
            }
        };
        let cost = cost.map(|cost| self.marks.val(self.interner, &cost)).transpose()?;
        let (tests, misses, guard) = (bits(tests), bits(misses), bits(guard));
        Ok(GroundRule { matched, fired, tests, misses, guard, cost, effect })
    }

    /// The symmetries: of states in slots fields, and all elements of the group or which values are
    /// exchanged; of multisets these values.
    fn symmetries(&self, given: &Any<'_>, encoding: &Encoding) -> PyResult<Symmetries> {
        let words = encoding.words();
        if words == 0 {
            let values = self.vals(&given.get_item("values")?)?;
            return Ok(Symmetries::Terms(ExchangedTerms::new(values, part(given, "firsts")?)));
        }
        let fields: Vec<(u32, u32)> = part(given, "fields")?;
        Ok(if let Some(elements) = part::<Option<Vec<Element>>>(given, "elements")? {
            Symmetries::Listed(Canon::new(words, &fields, &elements))
        } else {
            let (held, targets) = (part(given, "held")?, part(given, "targets")?);
            let firsts = part(given, "firsts")?;
            Symmetries::Exchanges(Exchanges::new(words, &fields, firsts, &held, &targets))
        })
    }

    fn program(&self, data: &Any<'_>) -> PyResult<Program> {
        let encoding = match part(data, "words")? {
            Some(words) => Encoding::Slots(words),
            None => Encoding::Groups {
                kinds: each(data, "term_types", |one| self.marks.term_type(&one))?,
                nibbles: part::<Option<bool>>(data, "nibbles")?.unwrap_or_default(),
            },
        };
        let constants: Vec<Val> = self.vals(&data.get_item("constants")?)?;
        let function = |one: Any<'_>| {
            let (_, entry, registers, numbers, lists): (Any<'_>, _, _, Vec<usize>, _) =
                one.extract()?;
            let constants = numbers.iter().map(|&number| constants[number]).collect();
            Ok(Function { entry, registers, constants, lists })
        };
        let family = |one: Any<'_>| {
            let (bits, closed, values): (_, _, Any<'_>) = one.extract()?;
            Ok(Family { bits, closed, values: self.vals(&values)? })
        };
        let states = |one: Any<'_>| {
            let key = |state| state_key(&state, &encoding, self.marks, self.interner);
            one.try_iter()?.map(|state| Ok(key(state?)?.into())).collect()
        };
        let ranks: Option<_> = part(data, "ranks")?;
        let (fields, shared) = ranks.unwrap_or_default();
        let estimate = optional(data, "estimate")?;
        let estimate = estimate.map(|one| estimator(&one, encoding.words())).transpose()?;
        let sum: Option<Vec<(u32, u32)>> = part(data, "sum")?;
        let canon =
            optional(data, "canon")?.map(|one| self.symmetries(&one, &encoding)).transpose()?;
        Ok(Program {
            code: Code::read(&code(data)?, &constants).map_err(raised)?,
            functions: each(data, "functions", function)?,
            handlers: part(data, "handlers")?,
            sets: each(data, "sets", |one| self.vals(&one))?,
            states: each(data, "states", states)?,
            indexes: each(data, "indexes", |one| self.index(&one))?,
            families: each(data, "families", family)?,
            tables: each(data, "tables", |one| self.table(&one))?,
            counters: part(data, "counters")?,
            successors: part(data, "successors")?,
            predecessors: part(data, "predecessors")?,
            goal: part(data, "goal")?,
            objective: part(data, "objective")?,
            heuristic: part(data, "heuristic")?,
            estimate,
            sum: sum.map(|fields| fields.iter().map(|one| Place::new(one.0, one.1)).collect()),
            simplify: part(data, "simplify")?,
            ranks: Ranks { fields, shared },
            canon,
            classes: optional(data, "free")?.map(|one| classes(&one)).transpose()?,
            kernels: each(data, "kernels", |one| self.kernel(&one))?,
            layout: layout(data)?,
            ..Program::empty(encoding)
        })
    }
}

/// How tables of states are laid out.
fn layout(data: &Any<'_>) -> PyResult<Layout> {
    let split: Option<_> = part(data, "split")?;
    let split = split.unwrap_or(Layout::default().split);
    Ok(Layout { key_bits: part(data, "key_bits")?, split })
}

/// The free moves that join states in slots.
fn classes(given: &Any<'_>) -> PyResult<Classes> {
    Ok(Classes::new(&Given {
        fields: part(given, "fields")?,
        moved: part(given, "moved")?,
        edges: part(given, "edges")?,
        excluded: part(given, "excluded")?,
        checked: part(given, "checked")?,
    }))
}

/// The code, as the words of one buffer.
fn code(data: &Any<'_>) -> PyResult<Vec<u32>> {
    let given = data.get_item("code")?;
    let bytes: &[u8] = given.cast::<PyBytes>()?.as_bytes();
    // What is made of the program is smaller than what is asked for here; and it cannot fail.
    probe(bytes.len().saturating_mul(READ)).map_err(raised)?;
    let word = |one: &[u8]| u32::from_ne_bytes([one[0], one[1], one[2], one[3]]);
    Ok(bytes.chunks_exact(WORD).map(word).collect())
}

/// Tests of bits, as (word, mask, value).
type Bits = Vec<(u16, u64, u64)>;

fn bits(given: Bits) -> Vec<BitTest> {
    given.into_iter().map(|(word, mask, value)| BitTest { word, mask, value }).collect()
}

/// A condition on states in slots; how it is written stands in `rewrite/compile/code/flat.py`.
fn formula(given: &Any<'_>) -> PyResult<Formula> {
    let (kind, part): (String, Any<'_>) = given.extract()?;
    let parts = || part.try_iter()?.map(|one| formula(&one?)).collect::<PyResult<_>>();
    Ok(match kind.as_str() {
        "truth" => Formula::Truth(part.extract()?),
        "bits" => Formula::Bits(bits(part.extract()?)),
        "ones" => {
            let (masks, ones) = part.extract()?;
            Formula::Ones(bits(masks), ones)
        }
        "not" => Formula::Not(Box::new(formula(&part)?)),
        "all" => Formula::All(parts()?),
        "any" => Formula::Any(parts()?),
        "successor" => Formula::Successor,
        "call" => Formula::Call(part.extract()?),
        other => unreachable!("no condition is {other}"),
    })
}

/// The raw key of a state: a list of groups, or the halves of its words.
pub fn state_key(
    given: &Any<'_>,
    encoding: &Encoding,
    marks: &Marks,
    interner: &Interner,
) -> PyResult<Vec<u32>> {
    if matches!(encoding, Encoding::Slots(_)) {
        return given.extract();
    }
    let loader = Loader { marks, interner };
    let groups = given.try_iter()?.map(|group| loader.vals(&group?));
    let groups = groups.collect::<PyResult<Vec<_>>>()?;
    packed_key(interner, encoding.nibbles(), &groups).map_err(raised)
}

pub fn program(data: &Bound<'_, PyDict>, marks: &Marks, interner: &Interner) -> PyResult<Program> {
    Loader { marks, interner }.program(data.as_any())
}

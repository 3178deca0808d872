//! A program as Python hands it over, to one for the core.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rewrite_core::Layout;
use rewrite_core::canon::{Canon, Element, ExchangedTerms, Exchanges, Held, Symmetries, Targets};
use rewrite_core::classes::{Classes, Given};
use rewrite_core::codec::packed_key;
use rewrite_core::estimates::Place;
use rewrite_core::ground::{Effect, Formula, GroundRule, Rules, Source};
use rewrite_core::grow::probe;
use rewrite_core::interner::Interner;
use rewrite_core::load::load;
use rewrite_core::program::*;
use rewrite_core::value::Val;

use crate::convert::Marks;
use crate::errors::raised;
use crate::estimate::estimator;

type Any<'py> = Bound<'py, PyAny>;

/// Bytes of a word of code.
const WORD: usize = 4;
/// How many bytes are needed while a byte of code is read, and for what belongs to it, about.
const READ: usize = 32;

struct Loader<'a, 'py> {
    data: &'a Bound<'py, PyDict>,
    marks: &'a Marks,
    interner: &'a Interner,
}

impl<'py> Loader<'_, 'py> {
    fn get(&self, key: &str) -> PyResult<Option<Any<'py>>> {
        self.data.get_item(key)
    }

    fn need(&self, key: &str) -> PyResult<Any<'py>> {
        self.data.as_any().get_item(key)
    }

    fn number<T>(&self, key: &str) -> PyResult<T>
    where
        for<'a> T: FromPyObject<'a, 'py, Error = PyErr>,
    {
        self.need(key)?.extract()
    }

    fn vals(&self, given: &Any<'py>) -> PyResult<Vec<Val>> {
        given.try_iter()?.map(|one| self.marks.val(self.interner, &one?)).collect()
    }

    fn encoding(&self) -> PyResult<Encoding> {
        if let Some(words) = self.get("words")? {
            return Ok(Encoding::Slots(words.extract()?));
        }
        let term_types = self.need("term_types")?;
        let term_types: PyResult<Vec<TermType>> =
            term_types.try_iter()?.map(|one| self.marks.term_type(&one?)).collect();
        Ok(Encoding::Groups(term_types?))
    }

    /// How tables of states are laid out.
    fn layout(&self) -> PyResult<Layout> {
        let usual = Layout::default();
        Ok(Layout {
            key_bits: self.get("key_bits")?.map_or(Ok(None), |one| one.extract())?,
            split: self.get("split")?.map_or(Ok(usual.split), |one| one.extract())?,
            ..usual
        })
    }

    fn state(&self, given: &Any<'py>, encoding: &Encoding) -> PyResult<Box<[u32]>> {
        Ok(state_key(given, encoding, self.marks, self.interner)?.into())
    }

    fn index(&self, given: &Any<'py>) -> PyResult<Index> {
        let mut index = Index::default();
        for pair in given.try_iter()? {
            let (key, rows): (Any<'py>, Any<'py>) = pair?.extract()?;
            let from = index.rows.len() as u32;
            for row in rows.try_iter()? {
                let (place, value): (u32, Any<'py>) = row?.extract()?;
                index.rows.push((place, self.marks.val(self.interner, &value)?));
            }
            let len = index.rows.len() as u32 - from;
            index.by_key.insert(self.vals(&key)?.into(), (from, len));
        }
        Ok(index)
    }

    fn table(&self, given: &Any<'py>) -> PyResult<Table> {
        let part = |key: &str| -> PyResult<Any<'py>> { given.get_item(key) };
        let mut lookups = Vec::new();
        for one in part("lookups")?.try_iter()? {
            let (slots_read, targets, atoms, ground): (_, _, _, Any<'py>) = one?.extract()?;
            lookups.push(Lookup { slots_read, targets, atoms, ground: self.vals(&ground)? });
        }
        Ok(Table {
            lookups,
            reads: part("reads")?.extract()?,
            residual: part("residual")?.extract()?,
            every: part("every")?.extract()?,
        })
    }

    /// A function of states in slots, with its number: ground rules, or a condition.
    fn kernel(&self, given: &Any<'py>) -> PyResult<(u16, Source)> {
        let (number, source): (u16, Any<'py>) = given.extract()?;
        if !source.is_instance_of::<PyDict>() {
            return Ok((number, Source::Condition(formula(&source)?)));
        }
        let part = |key: &str| -> PyResult<Any<'py>> { source.get_item(key) };
        let rules = part("rules")?.try_iter()?.map(|one| self.ground_rule(&one?));
        let never = part("never")?;
        Ok((
            number,
            Source::Rules(Rules {
                rules: rules.collect::<PyResult<_>>()?,
                first: part("first")?.extract()?,
                never: if never.is_none() { None } else { Some(formula(&never)?) },
            }),
        ))
    }

    fn ground_rule(&self, given: &Any<'py>) -> PyResult<GroundRule> {
        let (matched, fired, needs, misses, guard, cost, effect): (
            u16,
            u16,
            Bits,
            Bits,
            Bits,
            Any<'py>,
            Any<'py>,
        ) = given.extract()?;
        let effect = match effect.extract::<u16>() {
            Ok(table) => Effect::Table(table),
            Err(_) => {
                let (changes, moves) = effect.extract()?;
                Effect::Form(Form { changes, moves })
            }
        };
        let cost = if cost.is_none() { None } else { Some(self.marks.val(self.interner, &cost)?) };
        let (tests, misses, guard) = (bits(needs), bits(misses), bits(guard));
        Ok(GroundRule { matched, fired, tests, misses, guard, cost, effect })
    }

    /// The fields of which the heuristic is a sum, as (offset, bits), if it is one.
    fn sum(&self) -> PyResult<Option<Vec<Place>>> {
        let Some(given) = self.get("sum")?.filter(|one| !one.is_none()) else { return Ok(None) };
        let places = given.extract::<Vec<(u32, u8)>>()?.into_iter().map(|(at, bits)| Place {
            word: (at / 64) as u16,
            shift: (at % 64) as u8,
            bits,
        });
        Ok(Some(places.collect()))
    }

    /// The symmetries, if there are any: of states in slots fields, and all elements of the group or
    /// which values are exchanged; of multisets these values.
    fn canon(&self, encoding: &Encoding) -> PyResult<Option<Symmetries>> {
        let Some(given) = self.get("canon")?.filter(|one| !one.is_none()) else { return Ok(None) };
        let part = |key: &str| -> PyResult<Any<'py>> { given.get_item(key) };
        let Encoding::Slots(words) = *encoding else {
            let values = self.vals(&part("values")?)?;
            let made = ExchangedTerms::new(values, part("firsts")?.extract()?);
            return Ok(Some(Symmetries::Terms(made)));
        };
        let fields: Vec<(u32, u32)> = part("fields")?.extract()?;
        let made = if given.contains("elements")? {
            let elements: Vec<Element> = part("elements")?.extract()?;
            Symmetries::Listed(Canon::new(words, &fields, &elements))
        } else {
            let held: Held = part("held")?.extract()?;
            let targets: Targets = part("targets")?.extract()?;
            let firsts: Vec<u8> = part("firsts")?.extract()?;
            Symmetries::Exchanges(Exchanges::new(words, &fields, firsts, &held, &targets))
        };
        Ok(Some(made))
    }

    /// The free moves that join states in slots, if there are any.
    fn classes(&self) -> PyResult<Option<Classes>> {
        let Some(given) = self.get("free")?.filter(|one| !one.is_none()) else { return Ok(None) };
        let part = |key: &str| -> PyResult<Any<'py>> { given.get_item(key) };
        let given = Given {
            fields: part("fields")?.extract()?,
            moved: part("moved")?.extract()?,
            edges: part("edges")?.extract()?,
            excluded: part("excluded")?.extract()?,
            checked: part("checked")?.extract()?,
        };
        Ok(Some(Classes::new(&given)))
    }

    fn program(&self) -> PyResult<Program> {
        let encoding = self.encoding()?;
        let list = |key: &str| -> PyResult<Vec<Any<'py>>> {
            self.get(key)?.map_or(Ok(Vec::new()), |one| one.try_iter()?.collect())
        };
        let constants = self.vals(&self.need("constants")?)?;
        let functions = list("functions")?
            .iter()
            .map(|one| {
                let (name, entry, registers, numbers, lists) =
                    one.extract::<(String, u32, u16, Vec<usize>, u16)>()?;
                let constants = numbers.iter().map(|&number| constants[number]).collect();
                Ok(Function { name, entry, registers, constants, lists })
            })
            .collect::<PyResult<_>>()?;
        let families = list("families")?
            .iter()
            .map(|one| {
                let (bits, closed, values): (u32, bool, Any<'py>) = one.extract()?;
                Ok(Family { bits, closed, values: self.vals(&values)? })
            })
            .collect::<PyResult<_>>()?;
        let mut program = Program {
            functions,
            handlers: self.number("handlers")?,
            constants,
            sets: list("sets")?
                .iter()
                .map(|one| Ok(self.vals(one)?.into_iter().collect()))
                .collect::<PyResult<_>>()?,
            states: list("states")?
                .iter()
                .map(|one| one.try_iter()?.map(|state| self.state(&state?, &encoding)).collect())
                .collect::<PyResult<_>>()?,
            indexes: list("indexes")?.iter().map(|one| self.index(one)).collect::<PyResult<_>>()?,
            families,
            tables: list("tables")?.iter().map(|one| self.table(one)).collect::<PyResult<_>>()?,
            counters: self.number("counters")?,
            successors: self.number("successors")?,
            predecessors: self
                .get("predecessors")?
                .map_or(Ok(None), |one| one.extract::<Option<u16>>())?,
            goal: self.number("goal")?,
            objective: self.number("objective")?,
            heuristic: self.number("heuristic")?,
            estimate: match (self.get("estimate")?, &encoding) {
                (Some(given), Encoding::Slots(words)) => Some(estimator(&given, *words as usize)?),
                _ => None,
            },
            sum: self.sum()?,
            simplify: self.number("simplify")?,
            canon: self.canon(&encoding)?,
            classes: self.classes()?,
            kernels: list("kernels")?
                .iter()
                .map(|one| self.kernel(one))
                .collect::<PyResult<_>>()?,
            layout: self.layout()?,
            ..Program::empty(encoding)
        };
        let code = self.code()?;
        load(&mut program, &code).map_err(raised)?;
        Ok(program)
    }

    /// The code, as the words of one buffer.
    fn code(&self) -> PyResult<Vec<u32>> {
        let given = self.need("code")?;
        let bytes: &[u8] = given.cast::<PyBytes>()?.as_bytes();
        // What is made of the program is smaller than what is asked for here; and it cannot fail.
        probe(bytes.len().saturating_mul(READ)).map_err(raised)?;
        let word = |one: &[u8]| u32::from_ne_bytes([one[0], one[1], one[2], one[3]]);
        Ok(bytes.chunks_exact(WORD).map(word).collect())
    }
}

/// Tests of bits, as (word, mask, value).
type Bits = Vec<(u16, u64, u64)>;

fn bits(given: Bits) -> Vec<BitTest> {
    given.into_iter().map(|(word, mask, value)| BitTest { word, mask, value }).collect()
}

/// A condition on states in slots; how it is written stands in `rewrite/code/flat.py`.
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
    match encoding {
        Encoding::Slots(_) => given.extract(),
        Encoding::Groups(_) => {
            let mut groups = Vec::new();
            for group in given.try_iter()? {
                let values: PyResult<Vec<Val>> =
                    group?.try_iter()?.map(|one| marks.val(interner, &one?)).collect();
                groups.push(values?);
            }
            packed_key(interner, &groups).map_err(raised)
        }
    }
}

/// The program that a dict describes.
pub fn program(data: &Bound<'_, PyDict>, marks: &Marks, interner: &Interner) -> PyResult<Program> {
    Loader { data, marks, interner }.program()
}

//! Exchanges as they are handed over, checked and laid out.

use super::exchanges::{Exchanges, NOWHERE, PLAIN, Touched};
use super::given::laid_out;
use super::labelling::{MOST_IN_ONE, MOST_VALUES, Occurrence};
use super::terms::ExchangedTerms;
use crate::value::Val;

/// For each number that a field may hold: template and values, if values stand there.
pub type Held = Vec<Vec<Option<(u32, Vec<u8>)>>>;
/// For each template field and number of all tuples of values, in order, if there is such a term.
pub type Targets = Vec<Vec<Option<(u32, u32)>>>;

impl Exchanges {
    /// Exchanges of values.
    ///
    /// `words`: the length of a state; `fields`: (offset, bits); `firsts`: for each value the first
    /// one of its set. What is wrong comes back in words.
    pub fn new(
        words: u16,
        fields: &[(u32, u32)],
        firsts: Vec<u8>,
        held: &Held,
        targets: &Targets,
    ) -> Result<Exchanges, String> {
        let mut made = Exchanges {
            fields: laid_out(words, fields)?,
            touched: Vec::new(),
            held: Vec::new(),
            others: vec![u64::MAX; words as usize],
            firsts,
            templates: Vec::new(),
            targets: Vec::new(),
        };
        if held.len() != fields.len() {
            return Err(format!("{} fields, but {} that hold something", fields.len(), held.len()));
        }
        check_firsts(&made.firsts)?;
        for (place, numbers) in held.iter().enumerate() {
            made.touch(place, numbers, targets)?;
        }
        let mut numbers = vec![0; fields.len()];
        for one in &made.touched {
            numbers[one.field as usize] = made.fields[one.field as usize].values;
        }
        for rows in targets {
            made.templates.push(made.targets.len() as u32);
            for row in rows {
                let (field, number) = row.unwrap_or((NOWHERE, 0));
                let known = numbers.get(field as usize).copied().unwrap_or(0);
                if row.is_some() && u64::from(number) >= known {
                    return Err(format!("a target is number {number} of field {field}"));
                }
                made.targets.push((field, number));
            }
        }
        Ok(made)
    }

    /// Takes over what a field holds, where values stand in it.
    fn touch(
        &mut self,
        place: usize,
        numbers: &[Option<(u32, Vec<u8>)>],
        targets: &Targets,
    ) -> Result<(), String> {
        if numbers.iter().all(Option::is_none) {
            return Ok(());
        }
        let field = &mut self.fields[place];
        field.values = numbers.len() as u64;
        if field.values - 1 > field.mask {
            return Err(format!("field {place} has no room for {} numbers", field.values));
        }
        self.others[field.word] &= !(field.mask << field.shift);
        self.touched.push(Touched { field: place as u32, held: self.held.len() as u32 });
        for number in numbers {
            let mut one = Occurrence { template: PLAIN, ..Occurrence::default() };
            if let Some((template, values)) = number {
                let known = values.iter().all(|&value| (value as usize) < self.firsts.len());
                let rows = targets.get(*template as usize).map(Vec::len);
                let needed = self.firsts.len().checked_pow(values.len() as u32);
                if values.is_empty() || values.len() > MOST_IN_ONE || !known || rows != needed {
                    return Err(format!("field {place}: template {template} with {values:?}"));
                }
                one.template = *template;
                one.count = values.len() as u8;
                one.values[..values.len()].copy_from_slice(values);
            }
            self.held.push(one);
        }
        Ok(())
    }
}

impl ExchangedTerms {
    /// Values to be exchanged; `firsts`: for each the first one of its set.
    pub fn new(values: Vec<Val>, firsts: Vec<u8>) -> Result<ExchangedTerms, String> {
        check_firsts(&firsts)?;
        if values.len() != firsts.len() {
            return Err(format!("{} values, of which {} have a set", values.len(), firsts.len()));
        }
        let numbers = values.iter().enumerate().map(|(at, &value)| (value, at as u8)).collect();
        Ok(ExchangedTerms { values, numbers, firsts })
    }
}

/// Whether these can be, for each value, the first one of its set: sets stand one behind the other.
fn check_firsts(firsts: &[u8]) -> Result<(), String> {
    if firsts.is_empty() || firsts.len() > MOST_VALUES {
        return Err(format!("{} values to be exchanged", firsts.len()));
    }
    let follows =
        |(at, &first): (usize, &u8)| first as usize == at || (at > 0 && firsts[at - 1] == first);
    if firsts.iter().enumerate().all(follows) {
        Ok(())
    } else {
        Err("values of a set must follow each other".into())
    }
}

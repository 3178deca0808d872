//! Exchanges as they are handed over, laid out.

use super::exchanges::{Exchanges, NOWHERE, PLAIN, Touched};
use super::given::laid_out;
use super::labelling::Occurrence;
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
    /// one of its set.
    pub fn new(
        words: u16,
        fields: &[(u32, u32)],
        firsts: Vec<u8>,
        held: &Held,
        targets: &Targets,
    ) -> Exchanges {
        let mut made = Exchanges {
            fields: laid_out(fields),
            touched: Vec::new(),
            held: Vec::new(),
            others: vec![u64::MAX; words as usize],
            firsts,
            templates: Vec::new(),
            targets: Vec::new(),
        };
        for (place, numbers) in held.iter().enumerate() {
            made.touch(place, numbers);
        }
        for rows in targets {
            made.templates.push(made.targets.len() as u32);
            made.targets.extend(rows.iter().map(|row| row.unwrap_or((NOWHERE, 0))));
        }
        made
    }

    /// Takes over what a field holds, where values stand in it.
    fn touch(&mut self, place: usize, numbers: &[Option<(u32, Vec<u8>)>]) {
        if numbers.iter().all(Option::is_none) {
            return;
        }
        let field = &mut self.fields[place];
        field.values = numbers.len() as u64;
        self.others[field.word] &= !(field.mask << field.shift);
        self.touched.push(Touched { field: place as u32, held: self.held.len() as u32 });
        for number in numbers {
            let mut one = Occurrence { template: PLAIN, ..Occurrence::default() };
            if let Some((template, values)) = number {
                one.template = *template;
                one.count = values.len() as u8;
                one.values[..values.len()].copy_from_slice(values);
            }
            self.held.push(one);
        }
    }
}

impl ExchangedTerms {
    /// Values to be exchanged; `firsts`: for each the first one of its set.
    pub fn new(values: Vec<Val>, firsts: Vec<u8>) -> ExchangedTerms {
        let numbers = values.iter().enumerate().map(|(at, &value)| (value, at as u8)).collect();
        ExchangedTerms { values, numbers, firsts }
    }
}

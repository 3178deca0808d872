//! The index of a state: the numbers of its parts as digits of a mixed radix.

use super::permutation::Permutation;

/// A separately numbered part of a state.
#[derive(Clone, Debug)]
pub enum Part {
    /// A field with one of these values.
    Digit { field: usize, values: Vec<u8> },
    /// Fields that hold a permutation of these values.
    Permuted { fields: Vec<usize>, values: Vec<u8>, order: Permutation },
}

/// Numbers states from 0, without gaps; a state is the list of its fields' values.
#[derive(Clone, Debug)]
pub struct Index {
    /// What the fields hold in the start.
    pub held: Vec<u8>,
    pub parts: Vec<Part>,
    /// For each part, the number of each value.
    numbers: Vec<[u8; 256]>,
    sizes: Vec<u64>,
}

const NONE: u8 = u8::MAX;

impl Index {
    pub fn new(held: Vec<u8>, parts: Vec<Part>) -> Index {
        let numbers = parts.iter().map(Part::numbers).collect();
        let sizes = parts.iter().map(Part::size).collect();
        Index { held, parts, numbers, sizes }
    }

    pub fn size(&self) -> u64 {
        let size = self.sizes.iter().try_fold(1_u64, |product, &size| product.checked_mul(size));
        size.expect("an index of less than 2^64 numbers")
    }

    /// The index of a state that has one.
    pub fn pack(&self, held: &[u8]) -> u64 {
        (0..self.parts.len())
            .fold(0, |index, part| index * self.sizes[part] + self.part(part, held))
    }

    pub fn part(&self, part: usize, held: &[u8]) -> u64 {
        let numbers = &self.numbers[part];
        match &self.parts[part] {
            Part::Digit { field, .. } => u64::from(numbers[held[*field] as usize]),
            Part::Permuted { fields, order, .. } => {
                let mut places = [0; 64];
                for (to, &field) in places.iter_mut().zip(fields) {
                    *to = numbers[held[field] as usize];
                }
                order.rank(&places[..fields.len()])
            }
        }
    }

    pub fn stride(&self, part: usize) -> u64 {
        self.sizes[part + 1..].iter().product()
    }

    /// The index of a state; None if it has none.
    pub fn find(&self, held: &[u8]) -> Option<u64> {
        let known = held.len() == self.held.len()
            && self.parts.iter().zip(&self.numbers).all(|(part, numbers)| match part {
                Part::Digit { field, .. } => numbers[held[*field] as usize] != NONE,
                Part::Permuted { fields, .. } => {
                    let mut found: Vec<u8> =
                        fields.iter().map(|&field| numbers[held[field] as usize]).collect();
                    found.sort_unstable();
                    found.iter().enumerate().all(|(at, &number)| at == number as usize)
                }
            });
        let index = known.then(|| self.pack(held))?;
        let mut back = self.held.clone();
        self.unpack(index, &mut back);
        (back == held).then_some(index) // else a parity or a constant field differs
    }

    /// The state with an index, in all fields that change.
    pub fn unpack(&self, mut index: u64, held: &mut [u8]) {
        for (part, size) in self.parts.iter().zip(&self.sizes).rev() {
            let number = index % size;
            index /= size;
            match part {
                Part::Digit { field, values } => held[*field] = values[number as usize],
                Part::Permuted { fields, values, order } => {
                    let mut order_of = [0; 64];
                    order.unrank(number, &mut order_of);
                    for (&field, &place) in fields.iter().zip(&order_of) {
                        held[field] = values[place as usize];
                    }
                }
            }
        }
    }
}

impl Part {
    /// Fields that hold a permutation of these values. `mover`, `odd`: see `Permutation`.
    pub fn permuted(
        fields: Vec<usize>,
        values: Vec<u8>,
        mover: Option<u8>,
        odd: Option<Vec<bool>>,
    ) -> Part {
        let order = Permutation::new(fields.len(), mover, odd);
        Part::Permuted { fields, values, order }
    }

    fn size(&self) -> u64 {
        match self {
            Part::Digit { values, .. } => values.len() as u64,
            Part::Permuted { order, .. } => order.size(),
        }
    }

    fn numbers(&self) -> [u8; 256] {
        let (Part::Digit { values, .. } | Part::Permuted { values, .. }) = self;
        let mut numbers = [NONE; 256];
        for (number, &value) in values.iter().enumerate() {
            numbers[value as usize] = number as u8;
        }
        numbers
    }
}

//! Which fields of a state a step has changed.

use super::Place;
use crate::error::Result;
use crate::grow::{GrowCopies, filled};

const NO_FIELD: u16 = u16::MAX;

/// The field that a bit of a state belongs to; of a bit without one only the bit.
#[derive(Debug, Clone, Copy)]
struct Around {
    mask: u64,
    shift: u8,
    field: u16,
}

#[derive(Debug, Default)]
pub struct Fields {
    places: Vec<Place>,
    by_bit: Vec<Around>,
}

impl Fields {
    /// Fields that do not overlap, in states of `words` words.
    pub fn new(places: &[Place], words: usize) -> Result<Fields> {
        let alone = Around { mask: 1, shift: 0, field: NO_FIELD };
        let mut fields = Fields { places: Vec::new(), by_bit: filled(64 * words, alone)? };
        fields.places.grow_slice(places)?;
        for (bit, one) in fields.by_bit.iter_mut().enumerate() {
            one.shift = bit as u8 % 64;
        }
        for (number, one) in (0..).zip(places) {
            let from = 64 * one.word as usize + one.shift as usize;
            let around = Around { mask: one.mask, shift: one.shift, field: number };
            fields.by_bit[from..from + one.bits() as usize].fill(around);
        }
        Ok(fields)
    }

    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Calls back with every field that differs, and its value in each state.
    #[inline(always)] // it runs for every state, and its callers do little with what it tells
    pub fn changes<E>(
        &self,
        old: &[u64],
        new: &[u64],
        mut act: impl FnMut(usize, u64, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        for ((&a, &b), by_bit) in old.iter().zip(new).zip(self.by_bit.chunks_exact(64)) {
            let mut rest = a ^ b;
            while rest != 0 {
                let Around { mask, shift, field } = by_bit[rest.trailing_zeros() as usize];
                rest &= !(mask << shift);
                if field != NO_FIELD {
                    act(field as usize, a >> shift & mask, b >> shift & mask)?;
                }
            }
        }
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        self.by_bit.capacity() * size_of::<Around>() + self.places.capacity() * size_of::<Place>()
    }
}

#[cfg(test)]
mod tests {
    use super::{Fields, Place};
    use crate::random::Random;

    /// Sparse and dense words equally often.
    fn word(random: &mut Random) -> u64 {
        let mut half = || u64::from(random.word() & random.word());
        half() << 32 | half()
    }

    #[test]
    fn each_field_that_changed_is_told_once_whatever_its_bits() {
        let places = [(0, 3), (60, 4), (64, 64), (133, 1)].map(|(at, bits)| Place::new(at, bits));
        let fields = Fields::new(&places, 3).unwrap();
        let mut random = Random::new(7);
        for _ in 0..500 {
            let old = [(); 3].map(|()| word(&mut random));
            // flip a few bits, or many
            let new = old.map(|held| held ^ word(&mut random) & word(&mut random));
            let mut told = Vec::new();
            let all: Result<(), ()> = fields.changes(&old, &new, |field, before, after| {
                told.push((field, before, after));
                Ok(())
            });
            all.unwrap();
            told.sort_unstable();
            let naive = places
                .iter()
                .enumerate()
                .map(|(field, one)| (field, one.held(&old), one.held(&new)));
            assert!(told.into_iter().eq(naive.filter(|&(_, before, after)| before != after)));
        }
    }
}

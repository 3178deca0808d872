//! From a word to a part of a list: what most look-ups of a board come to.

use crate::error::Result;
use crate::grow::filled;

/// A hash table with open addressing (linear probing), at most half full.
#[derive(Debug, Default)]
pub struct Flat {
    slots: Vec<Slot>,
    used: usize,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    key: u64,
    from: u32,
    len: u32,
}

/// No part begins there.
const NOWHERE: u32 = u32::MAX;
const EMPTY: Slot = Slot { key: 0, from: NOWHERE, len: 0 };
const FIRST: usize = 16;

impl Flat {
    /// The place of a key, or the free one where it would stand. There is one.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let last = self.slots.len() - 1;
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut at = (mixed ^ mixed >> 32) as usize & last;
        while self.slots[at].key != key && self.slots[at].from != NOWHERE {
            at = (at + 1) & last;
        }
        at
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<(u32, u32)> {
        if self.slots.is_empty() {
            return None;
        }
        let Slot { from, len, .. } = self.slots[self.place(key)];
        (from != NOWHERE).then_some((from, len))
    }

    /// Adds a key that is not there. `from` is below `u32::MAX`.
    pub fn insert(&mut self, key: u64, (from, len): (u32, u32)) -> Result<()> {
        if 2 * self.used >= self.slots.len() {
            let grown = filled((2 * self.slots.len()).max(FIRST), EMPTY)?;
            let held = std::mem::replace(&mut self.slots, grown);
            for slot in held.into_iter().filter(|slot| slot.from != NOWHERE) {
                let at = self.place(slot.key);
                self.slots[at] = slot;
            }
        }
        let at = self.place(key);
        self.slots[at] = Slot { key, from, len };
        self.used += 1;
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn it_holds_what_was_put_in() {
        let (mut flat, mut plain) = (Flat::default(), std::collections::HashMap::new());
        let mut random = Random::new(5);
        assert_eq!(flat.get(0), None);
        for number in 0..5_000 {
            // few bits, at both ends: places are shared, and 0 is among the keys
            let key = u64::from(random.word() % 64) | u64::from(random.word() % 64) << 58;
            assert_eq!(flat.get(key), plain.get(&key).copied());
            plain.entry(key).or_insert_with(|| {
                flat.insert(key, (number, number / 2)).unwrap();
                (number, number / 2)
            });
        }
        assert!(plain.iter().all(|(&key, &part)| flat.get(key) == Some(part)));
        assert!(plain.len() > 1_000 && flat.bytes() >= 2 * 16 * plain.len());
    }
}

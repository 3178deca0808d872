//! How far each state is from the start, in two bits or in a byte, by its number.

use std::alloc::{Layout, alloc_zeroed};

use crate::error::{Error, Exhausted, Result};
use crate::grow::{Grow, no_memory};

/// Levels of all states of an index; a state has none until it is seen.
pub trait Marks: Sized {
    /// Room for so many states, none of them seen.
    fn new(states: u64) -> Result<Self>;
    /// The bytes that `new` takes.
    fn bytes(states: u64) -> u64;
    /// The deepest level that can be kept.
    const DEEPEST: u64;
    fn seen(&self, index: u32) -> bool;
    /// Notes the level of a state, unless it was seen; returns whether it was not.
    fn claim(&mut self, index: u32, level: u64) -> bool;
    /// Says that a state was expanded.
    fn done(&mut self, index: u32);
    /// States in a stretch.
    const STRETCH: u64;
    /// Gives the states of a stretch that are on a level and were not expanded, ascending.
    fn waiting(&self, stretch: u64, level: u64, out: &mut Vec<u32>) -> Result<()>;
    /// The same, and says that they were expanded.
    fn take(&mut self, stretch: u64, level: u64, out: &mut Vec<u32>) -> Result<()>;
    /// All of it as words.
    fn words(&self) -> Box<dyn Iterator<Item = u64> + '_>;
    /// Takes over words of another one for as many states.
    fn restore<E>(&mut self, word: impl FnMut() -> Result<u64, E>) -> Result<(), E>;
    /// 0 for a state that was not seen; else what is kept of its level, counted from 1.
    fn get(&self, index: u32) -> u64;
}

/// The level modulo 3, and whether the state was expanded: three bits a state while searching.
///
/// Enough where every step can be undone: the levels of neighbours differ by one at most, so that
/// the way back is known step by step (Cooperman, Finkelstein 1992; Kunkle, Cooperman 2007).
pub struct ModThree {
    /// For 64 states each: the low bits of the marks 0 (not seen) to 3, the high bits, and "done".
    words: Vec<u64>,
}

/// The level itself: one byte a state.
pub struct Whole {
    bytes: Vec<u8>,
}

/// Memory that is 0; what is never touched stays with the system.
fn zeroed<T: Copy + Default>(length: u64) -> Result<Vec<T>> {
    let length = usize::try_from(length).map_err(no_memory)?;
    let layout = Layout::array::<T>(length).map_err(no_memory)?;
    if layout.size() == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the layout is not empty; integers may be all zeros; it is freed as the Vec it becomes.
    unsafe {
        let memory = alloc_zeroed(layout).cast::<T>();
        if memory.is_null() {
            return Err(Error::Memory(Exhausted::Machine));
        }
        Ok(Vec::from_raw_parts(memory, length, length))
    }
}

impl Marks for ModThree {
    const DEEPEST: u64 = u64::MAX;
    const STRETCH: u64 = 64;

    fn new(states: u64) -> Result<Self> {
        Ok(ModThree { words: zeroed(3 * states.div_ceil(64))? })
    }

    fn bytes(states: u64) -> u64 {
        24 * states.div_ceil(64)
    }

    #[inline(always)]
    fn seen(&self, index: u32) -> bool {
        let at = 3 * (index as usize >> 6);
        (self.words[at] | self.words[at + 1]) >> (index & 63) & 1 == 1
    }

    #[inline(always)]
    fn claim(&mut self, index: u32, level: u64) -> bool {
        let at = 3 * (index as usize >> 6);
        let bit = 1 << (index & 63);
        let words = &mut self.words[at..at + 2];
        if (words[0] | words[1]) & bit != 0 {
            return false;
        }
        let mark = 1 + level % 3;
        words[0] |= if mark & 1 == 1 { bit } else { 0 };
        words[1] |= if mark & 2 == 2 { bit } else { 0 };
        true
    }

    fn done(&mut self, index: u32) {
        self.words[3 * (index as usize >> 6) + 2] |= 1 << (index & 63);
    }

    fn waiting(&self, stretch: u64, level: u64, out: &mut Vec<u32>) -> Result<()> {
        push_all(64 * stretch as u32, self.found(stretch, level), out)
    }

    #[inline]
    fn take(&mut self, stretch: u64, level: u64, out: &mut Vec<u32>) -> Result<()> {
        let found = self.found(stretch, level);
        push_all(64 * stretch as u32, found, out)?;
        self.words[3 * stretch as usize + 2] |= found;
        Ok(())
    }

    fn words(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.words.iter().copied())
    }

    fn restore<E>(&mut self, mut word: impl FnMut() -> Result<u64, E>) -> Result<(), E> {
        self.words.iter_mut().try_for_each(|held| word().map(|word| *held = word))
    }

    fn get(&self, index: u32) -> u64 {
        let at = 3 * (index as usize >> 6);
        let bit = |word: u64| word >> (index & 63) & 1;
        bit(self.words[at]) + 2 * bit(self.words[at + 1])
    }
}

impl ModThree {
    /// The states of a stretch that are on a level and were not expanded, as bits.
    #[inline]
    fn found(&self, stretch: u64, level: u64) -> u64 {
        let at = 3 * stretch as usize;
        let words = &self.words[at..at + 3];
        let mark = 1 + level % 3;
        let low = if mark & 1 == 1 { words[0] } else { !words[0] };
        let high = if mark & 2 == 2 { words[1] } else { !words[1] };
        low & high & !words[2]
    }
}

/// Appends the numbers of bits that are set, counted from `first`.
#[inline]
fn push_all(first: u32, mut bits: u64, out: &mut Vec<u32>) -> Result<()> {
    out.grow_by(64)?;
    while bits != 0 {
        out.grow_push(first + bits.trailing_zeros())?;
        bits &= bits - 1;
    }
    Ok(())
}

impl Marks for Whole {
    const DEEPEST: u64 = 254;
    const STRETCH: u64 = 64;

    fn new(states: u64) -> Result<Self> {
        Ok(Whole { bytes: zeroed(states.next_multiple_of(64))? })
    }

    fn bytes(states: u64) -> u64 {
        states.next_multiple_of(64)
    }

    #[inline(always)]
    fn seen(&self, index: u32) -> bool {
        self.bytes[index as usize] != 0
    }

    #[inline(always)]
    fn claim(&mut self, index: u32, level: u64) -> bool {
        let mark = &mut self.bytes[index as usize];
        let fresh = *mark == 0;
        if fresh {
            *mark = level as u8 + 1;
        }
        fresh
    }

    fn done(&mut self, _index: u32) {}

    fn waiting(&self, stretch: u64, level: u64, out: &mut Vec<u32>) -> Result<()> {
        let begin = 64 * stretch as usize;
        let bytes = &self.bytes[begin..begin + 64];
        let marked = (begin as u32..).zip(bytes).filter(|(_, mark)| **mark == level as u8 + 1);
        out.grow_extend(marked.map(|(index, _)| index))
    }

    fn take(&mut self, stretch: u64, level: u64, out: &mut Vec<u32>) -> Result<()> {
        self.waiting(stretch, level, out)
    }

    fn words(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        let eights = self.bytes.chunks_exact(8);
        Box::new(
            eights
                .map(|eight| eight.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))),
        )
    }

    fn restore<E>(&mut self, mut word: impl FnMut() -> Result<u64, E>) -> Result<(), E> {
        let mut eights = self.bytes.chunks_exact_mut(8);
        eights.try_for_each(|eight| word().map(|word| eight.copy_from_slice(&word.to_le_bytes())))
    }

    fn get(&self, index: u32) -> u64 {
        u64::from(self.bytes[index as usize])
    }
}

//! How far each state is from the start, in two bits or in a byte, by its number.

use std::alloc::{Layout, alloc_zeroed};

use crate::checkpoint::{Archive, Archived, Done};
use crate::error::{Error, Exhausted, Result};
use crate::grow::no_memory;

/// States of a stretch: one word of bits.
pub const STRETCH: u32 = 64;

/// Levels of all states of an index; a state has none until it is seen.
pub trait Marks: Archived + Sized {
    /// Of so many states, none of them seen.
    fn new(states: u64) -> Result<Self>;
    /// The deepest level that can be kept.
    const DEEPEST: u64;
    fn seen(&self, index: u32) -> bool;
    /// Notes the level of a state, unless it was seen; returns whether it was not.
    fn claim(&mut self, index: u32, level: u64) -> bool;
    /// Says that states of a stretch, as bits, were expanded.
    fn expanded(&mut self, stretch: u32, states: u64);
    /// The states of a stretch that are on a level and not known to be expanded, as bits.
    fn waiting(&self, stretch: u32, level: u64) -> u64;
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

    fn new(states: u64) -> Result<Self> {
        Ok(ModThree { words: zeroed(3 * states.div_ceil(64))? })
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

    fn expanded(&mut self, stretch: u32, states: u64) {
        self.words[3 * stretch as usize + 2] |= states;
    }

    #[inline]
    fn waiting(&self, stretch: u32, level: u64) -> u64 {
        let words = &self.words[3 * stretch as usize..][..3];
        let mark = 1 + level % 3;
        let low = if mark & 1 == 1 { words[0] } else { !words[0] };
        let high = if mark & 2 == 2 { words[1] } else { !words[1] };
        low & high & !words[2]
    }

    fn get(&self, index: u32) -> u64 {
        let at = 3 * (index as usize >> 6);
        let bit = |word: u64| word >> (index & 63) & 1;
        bit(self.words[at]) + 2 * bit(self.words[at + 1])
    }
}

impl Marks for Whole {
    const DEEPEST: u64 = 254;

    fn new(states: u64) -> Result<Self> {
        Ok(Whole { bytes: zeroed(states.next_multiple_of(64))? })
    }

    #[inline(always)]
    fn seen(&self, index: u32) -> bool {
        self.bytes[index as usize] != 0
    }

    #[inline(always)]
    fn claim(&mut self, index: u32, level: u64) -> bool {
        let mark = &mut self.bytes[index as usize];
        if *mark != 0 {
            return false;
        }
        *mark = level as u8 + 1;
        true
    }

    fn expanded(&mut self, _: u32, _: u64) {}

    fn waiting(&self, stretch: u32, level: u64) -> u64 {
        let bytes = &self.bytes[(STRETCH * stretch) as usize..][..STRETCH as usize];
        let marked = bytes.iter().map(|&mark| u64::from(mark == level as u8 + 1));
        marked.zip(0..).fold(0, |bits, (one, at)| bits | one << at)
    }

    fn get(&self, index: u32) -> u64 {
        u64::from(self.bytes[index as usize])
    }
}

// Both are as long as the index says, so their lengths are not written. Saving leaves memory alone
// that was never touched.

impl Archived for ModThree {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Done<()> {
        match archive {
            Archive::Saving(out) => out.longs(self.words.iter().copied()),
            Archive::Loading(from) => {
                self.words.iter_mut().try_for_each(|word| from.long().map(|long| *word = long))
            }
        }
    }
}

impl Archived for Whole {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Done<()> {
        let mut eights = self.bytes.as_chunks_mut::<8>().0.iter_mut();
        match archive {
            Archive::Saving(out) => out.longs(eights.map(|eight| u64::from_le_bytes(*eight))),
            Archive::Loading(from) => {
                eights.try_for_each(|eight| from.long().map(|long| *eight = long.to_le_bytes()))
            }
        }
    }
}

//! The distance of each state from the start, in two bits or a byte, by index.

use std::path::Path;

use super::zeroed::Zeroed;
use crate::checkpoint::{Archive, Archived};
use crate::error::Result;

/// States per stretch: one word of bits.
pub const STRETCH: u32 = 64;

/// The levels of all states of an index; unseen states have none.
pub trait Marks: Archived + Sized + Send + Sync {
    /// For this many states, none of them seen; `folder`: of a file to keep them in.
    fn new(states: u64, folder: Option<&Path>) -> Result<Self>;
    /// Levels are stored modulo this; 0: as they are.
    const MODULUS: u64;
    /// The deepest level that can be represented.
    const DEEPEST: u64;
    fn seen(&self, index: u32) -> bool;
    /// Records the level of an unseen state; returns whether it was unseen.
    fn claim(&mut self, index: u32, level: u64) -> bool;
    /// Marks states of a stretch, given as bits, as expanded.
    fn expanded(&mut self, stretch: u32, states: u64);
    /// The states of a stretch on a level that are not marked as expanded, as bits.
    fn waiting(&self, stretch: u32, level: u64) -> u64;
    /// 0 for an unseen state; else what is stored of its level, counted from 1.
    fn get(&self, index: u32) -> u64;
}

/// The level modulo 3, and whether the state was expanded: three bits a state while searching.
///
/// Enough if every step is reversible: the levels of neighbours differ by at most one, which
/// determines the way back step by step (Cooperman, Finkelstein 1992; Kunkle, Cooperman 2007).
pub struct ModThree {
    /// Per 64 states: the low bits of the marks 0 (unseen) to 3, the high bits, and "done".
    words: Zeroed<u64>,
}

/// The level itself: one byte a state.
pub struct Whole {
    bytes: Zeroed<u8>,
}

impl Marks for ModThree {
    const MODULUS: u64 = 3;
    const DEEPEST: u64 = u64::MAX;

    fn new(states: u64, folder: Option<&Path>) -> Result<Self> {
        Ok(ModThree { words: Zeroed::new(3 * states.div_ceil(64), folder)? })
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
    const MODULUS: u64 = 0;
    const DEEPEST: u64 = 254;

    fn new(states: u64, folder: Option<&Path>) -> Result<Self> {
        Ok(Whole { bytes: Zeroed::new(states.next_multiple_of(64), folder)? })
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

// The index determines both lengths, so they are not written. Saving does not touch untouched memory.

impl Archived for ModThree {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        match archive {
            Archive::Saving(out) => out.longs(self.words.iter().copied()),
            Archive::Loading(from) => {
                self.words.iter_mut().try_for_each(|word| from.long().map(|long| *word = long))
            }
        }
    }
}

impl Archived for Whole {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        let mut eights = self.bytes.as_chunks_mut::<8>().0.iter_mut();
        match archive {
            Archive::Saving(out) => out.longs(eights.map(|eight| u64::from_le_bytes(*eight))),
            Archive::Loading(from) => {
                eights.try_for_each(|eight| from.long().map(|long| *eight = long.to_le_bytes()))
            }
        }
    }
}

//! Memory that grows and never moves.

use std::sync::OnceLock;

use super::*;
use crate::checkpoint::Reader;

/// Each doubling of the arena consists of eight chunks: at most an eighth of it is unused, and the
/// highest bits of an address tell where it is.
const PIECES_LOG: u32 = 3;
const FIRST_LOG: u32 = FIRST_ADDRESS.ilog2();
const PIECES: usize = (32 - FIRST_LOG as usize) << PIECES_LOG;

/// Words in units of two, so that 31 bits of address reach 16 GiB.
///
/// Addresses begin at `FIRST_ADDRESS`, so the first chunks have 16 KiB.
pub struct Arena {
    pieces: [OnceLock<Box<[AtomicU32]>>; PIECES],
    next: AtomicU32,
    end: u32,
    growing: Mutex<()>,
    bytes: AtomicUsize,
}

#[inline]
const fn piece_log(address: u32) -> u32 {
    31 - (address | 1).leading_zeros() - PIECES_LOG
}

#[inline]
const fn piece(address: u32) -> usize {
    let log = piece_log(address);
    (((log + PIECES_LOG - FIRST_LOG) << PIECES_LOG) + (address >> log) - (1 << PIECES_LOG)) as usize
}

impl Arena {
    /// An empty arena of addresses below `end`, where a chunk must end.
    pub fn new(end: u32) -> Arena {
        Arena {
            pieces: [const { OnceLock::new() }; PIECES],
            next: AtomicU32::new(FIRST_ADDRESS),
            end,
            growing: Mutex::new(()),
            bytes: AtomicUsize::new(0),
        }
    }

    pub fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// The words from an address to the end of its chunk.
    #[inline]
    pub fn from(&self, address: u32) -> &[AtomicU32] {
        let offset = address & ((1 << piece_log(address)) - 1);
        let words = self.pieces[piece(address)].get().expect("an address that was handed out");
        &words[offset as usize * 2..]
    }

    /// Writes words, all in one chunk, and returns their address.
    pub fn append(&self, first: &[u32], rest: &[u32]) -> Result<u32> {
        let address = self.claim((first.len() + rest.len()).div_ceil(2))?;
        self.ensure(address)?;
        for (place, &word) in self.from(address).iter().zip(first.iter().chain(rest)) {
            place.store(word, Relaxed);
        }
        Ok(address)
    }

    /// The first address beyond everything written. (Some before it may be unused.)
    pub fn end(&self) -> u32 {
        self.next.load(Relaxed)
    }

    /// All words below an address, from one of them on; 0 where nothing was written.
    pub fn words(&self, from: u64, end: u32) -> impl Iterator<Item = u32> + '_ {
        let count = 2 * u64::from(end - FIRST_ADDRESS);
        (from..count).map(move |at| {
            let address = FIRST_ADDRESS + (at / 2) as u32;
            let held = self.pieces[piece(address)].get().is_some();
            if held { self.from(address)[(at % 2) as usize].load(Relaxed) } else { 0 }
        })
    }

    /// Writes words behind what is here, as they were in another arena, where `end` was the next.
    pub fn restore(&self, end: u32, words: &mut Reader) -> Result<()> {
        for address in self.end()..end {
            self.ensure(address)?;
            for place in &self.from(address)[..2] {
                place.store(words.word()?, Relaxed);
            }
        }
        self.next.fetch_max(end, Relaxed);
        Ok(())
    }

    /// The end of the chunk that contains an address.
    pub fn piece_end(address: u32) -> u32 {
        let log = piece_log(address);
        ((address >> log) + 1) << log
    }

    /// Allocates units within one chunk, the next ones if they fit.
    fn claim(&self, units: usize) -> Result<u32> {
        let mut next = self.next.load(Relaxed);
        loop {
            let mut start = u64::from(next);
            let end = loop {
                if start >= u64::from(self.end) {
                    return Err(Error::Memory(Exhausted::Machine));
                }
                let piece_end = u64::from(Arena::piece_end(start as u32));
                if start + units as u64 <= piece_end {
                    break start + units as u64;
                }
                start = piece_end;
            };
            match self.next.compare_exchange_weak(next, end as u32, Relaxed, Relaxed) {
                Ok(_) => return Ok(start as u32),
                Err(moved) => next = moved,
            }
        }
    }

    fn ensure(&self, address: u32) -> Result<()> {
        let piece = &self.pieces[piece(address)];
        if piece.get().is_some() {
            return Ok(());
        }
        let _alone = self.growing.lock().unwrap_or_else(PoisonError::into_inner);
        if piece.get().is_some() {
            return Ok(());
        }
        let len = 2usize << piece_log(address);
        let mut words = Vec::new();
        words.try_reserve_exact(len).map_err(no_memory)?;
        words.resize_with(len, AtomicU32::default);
        self.bytes.fetch_add(len * size_of::<AtomicU32>(), Relaxed);
        let _ = piece.set(words.into_boxed_slice());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: u32 = 1 << 31;

    #[test]
    fn pieces_follow_each_other_without_gap() {
        let mut address = FIRST_ADDRESS;
        for expected in 0..PIECES - 8 {
            assert_eq!(piece(address), expected);
            let last = address + ((1 << piece_log(address)) - 1);
            assert_eq!(piece(last), expected);
            address = last + 1;
        }
        assert_eq!(address, END);
    }

    #[test]
    fn words_come_back_and_a_long_run_lies_in_one_piece() {
        let arena = Arena::new(END);
        let runs: Vec<Vec<u32>> =
            (1..40).map(|n| (0..n * n * 9).map(|word| word ^ n).collect()).collect();
        let made: Vec<u32> = runs.iter().map(|run| arena.append(&[7], run).unwrap()).collect();
        for (run, address) in runs.iter().zip(made) {
            let words = arena.from(address);
            assert_eq!(words[0].load(Relaxed), 7);
            assert!(run.iter().zip(&words[1..]).all(|(a, b)| *a == b.load(Relaxed)));
        }
    }

    #[test]
    fn a_full_arena_says_so_and_keeps_saying_so_and_so_does_what_fits_no_piece() {
        let arena = Arena::new(FIRST_ADDRESS + 4);
        for _ in 0..4 {
            assert!(arena.append(&[1], &[2]).is_ok());
        }
        for _ in 0..3 {
            let full = arena.append(&[1], &[2]);
            assert!(matches!(full, Err(Error::Memory(Exhausted::Machine))));
        }
        let arena = Arena::new(END);
        assert!(arena.claim(1 << 27).is_ok());
        assert!(arena.claim((1 << 27) + 1).is_err());
    }
}

//! One block of a file: a header of four words, then up to 65,536 bytes.

use std::fs::File;
use std::io::{ErrorKind, Read};

use super::{Kind, about, damaged};
use crate::TINY;
use crate::error::Result;
use crate::grow::{Grow, GrowCopies};

/// Words of a whole block. A multiple of the words of every key of fixed length.
pub const WORDS: usize = if TINY {
    1 << 7
} else if cfg!(test) {
    1 << 8
} else {
    1 << 14
};
/// Bytes of the header: number of words, number of the block, content of the file, checksum.
const HEADER: usize = 16;
/// Bytes of a whole block.
pub const BYTES: u64 = (HEADER + 4 * WORDS) as u64;

pub fn bytes_of(words: u64) -> u64 {
    4 * words + HEADER as u64 * words.div_ceil(WORDS as u64)
}

/// The number of words in a file of this many bytes; None if no file has that size.
pub fn words_of(bytes: u64) -> Option<u64> {
    let words = bytes.checked_sub(HEADER as u64 * bytes.div_ceil(BYTES))? / 4;
    (bytes_of(words) == bytes).then_some(words)
}

fn checksum(header: &[u8], words: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(header);
    sum.update(words);
    sum.finalize()
}

/// A buffer for the bytes of a block. Reused.
#[derive(Debug, Default)]
pub struct Block {
    bytes: Vec<u8>,
}

impl Block {
    /// The bytes of a block; `number`: that in its file.
    pub fn filled(&mut self, kind: Kind, number: u64, words: &[u32]) -> Result<&[u8]> {
        self.bytes.clear();
        for word in [words.len() as u32, number as u32, kind as u32, 0] {
            self.bytes.grow_slice(&word.to_le_bytes())?;
        }
        self.bytes.grow_by(4 * words.len())?;
        for word in words {
            self.bytes.grow_slice(&word.to_le_bytes())?;
        }
        let (header, words) = self.bytes.split_at(HEADER);
        let sum = checksum(&header[..12], words);
        self.bytes[12..HEADER].copy_from_slice(&sum.to_le_bytes());
        Ok(&self.bytes)
    }

    /// Reads the next block of the file, which must have this many words.
    pub fn read(
        &mut self,
        (file, name): (&mut File, &str),
        (kind, number): (Kind, u64),
        count: usize,
        words: &mut Vec<u32>,
    ) -> Result<()> {
        let damaged = |what: &str| damaged(name, number * BYTES, what);
        self.bytes.grow_resize(HEADER + 4 * count, 0)?;
        self.bytes.truncate(HEADER + 4 * count);
        file.read_exact(&mut self.bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => damaged("the file is too short"),
            _ => about(name.as_ref())(error),
        })?;
        let (header, bytes) = self.bytes.split_at(HEADER);
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| header[4 * at + byte]));
        if word(3) != checksum(&header[..12], bytes) {
            return Err(damaged("the checksum of a block is wrong"));
        }
        if [word(0), word(1), word(2)] != [count as u32, number as u32, kind as u32] {
            return Err(damaged("a block of something else"));
        }
        words.clear();
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        words.grow_extend(bytes.chunks_exact(4).map(word))
    }
}

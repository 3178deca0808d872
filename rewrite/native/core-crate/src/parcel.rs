//! What one part sends to another: parents, each with its successors that belong there.
//!
//! A parent is its rank, its number in its home, and how many successors follow. A successor is spelled
//! out: the words of slots, or the values of each group.

use crate::bits::fold;
use crate::codec::StateCodec;
use crate::error::Result;
use crate::grow::{Grow, GrowCopies};
use crate::id::Id;
use crate::vm::machine::Machine;

/// The length of the header of a parent, in words.
const HEADER: usize = 4;

/// Words for one part. Reused.
#[derive(Default)]
pub struct Parcel {
    pub words: Vec<u32>,
    /// The parent written last, and where its number of successors stands.
    last: Option<(Id, usize)>,
}

impl Parcel {
    pub fn clear(&mut self) {
        self.words.clear();
        self.last = None;
    }

    fn push(&mut self, rank: u64, parent: Id, key: &[u32]) -> Result<()> {
        let count = match self.last {
            Some((last, count)) if last == parent => count,
            _ => {
                self.words.grow_slice(&[rank as u32, (rank >> 32) as u32, parent, 0])?;
                self.words.len() - 1
            }
        };
        self.words.grow_slice(key)?;
        self.words[count] += 1;
        self.last = Some((parent, count));
        Ok(())
    }
}

/// What a part packs for the others, and for itself.
pub struct Sender {
    parcels: Vec<Parcel>,
    /// A key that is spelled out. Reused.
    pub spelling: Vec<u32>,
    words: usize,
}

impl Sender {
    pub fn new(parts: usize) -> Result<Sender> {
        let mut parcels = Vec::new();
        parcels.grow_extend((0..parts).map(|_| Parcel::default()))?;
        Ok(Sender { parcels, spelling: Vec::new(), words: 0 })
    }

    pub fn parts(&self) -> usize {
        self.parcels.len()
    }

    pub fn home(&self, rank: u64) -> u16 {
        ((u128::from(rank) * self.parcels.len() as u128) >> 64) as u16
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// Packs the key in `spelling` for its home.
    pub fn push(&mut self, home: u16, (rank, parent): (u64, Id)) -> Result<()> {
        self.words += self.spelling.len() + HEADER;
        self.parcels[usize::from(home)].push(rank, parent, &self.spelling)
    }

    /// Packs a state as its own parent.
    pub fn pack<K: StateCodec>(&mut self, m: &Machine, key: &K::Key, id: Id) -> Result<()> {
        let rank = rank_of::<K>(m, key, &mut self.spelling)?;
        self.push(self.home(rank), (rank, id))
    }

    /// What has been packed; the caller clears it.
    pub fn parcels(&mut self) -> &mut [Parcel] {
        self.words = 0;
        &mut self.parcels
    }

    pub fn bytes(&self) -> usize {
        4 * self.parcels.iter().map(|parcel| parcel.words.capacity()).sum::<usize>()
    }
}

/// Spells a key out, and returns its rank: a number that is the same in every process.
pub fn rank_of<K: StateCodec>(m: &Machine, key: &K::Key, spelling: &mut Vec<u32>) -> Result<u64> {
    spelling.clear();
    K::spell(m, key, spelling)?;
    Ok(rank(spelling))
}

/// Digits of e, and odd; different from those of the tables, which must be independent of homes.
const SEED: u64 = 0xB7E1_5162_8AED_2A6A;
const FACTOR: u64 = 0xBF71_5880_9CF4_F3C7;
const FINAL: u64 = 0x62E7_160F_38B4_DA57;

fn rank(words: &[u32]) -> u64 {
    let mut hash = SEED ^ words.len() as u64;
    for pair in words.chunks(2) {
        let high = pair.get(1).copied().unwrap_or(0);
        hash = fold(hash ^ (u64::from(pair[0]) | u64::from(high) << 32), FACTOR);
    }
    fold(hash, FINAL)
}

/// The successors in a parcel.
pub struct Unpacking<'a> {
    words: std::slice::Iter<'a, u32>,
    /// Rank and number of the parent, and how many successors of it follow.
    parent: (u64, Id),
    left: u32,
}

impl<'a> Unpacking<'a> {
    pub(crate) fn new(words: &'a [u32]) -> Unpacking<'a> {
        Unpacking { words: words.iter(), parent: (0, 0), left: 0 }
    }

    pub(crate) fn word(&mut self) -> u32 {
        *self.words.next().expect("a parcel ends behind a successor")
    }

    /// Rank and number of the parent of the next successor, which is to be read now; None at the end.
    pub(crate) fn next(&mut self) -> Option<(u64, Id)> {
        while self.left == 0 {
            if self.words.as_slice().is_empty() {
                return None;
            }
            let (low, high) = (self.word(), self.word());
            self.parent = (u64::from(low) | u64::from(high) << 32, self.word());
            self.left = self.word();
        }
        self.left -= 1;
        Some(self.parent)
    }

    /// Reads the successor. `raw` is reused.
    pub(crate) fn key<K: StateCodec>(
        &mut self,
        m: &Machine,
        raw: &mut Vec<u32>,
        act: impl FnOnce(&K::Key) -> Result<()>,
    ) -> Result<()> {
        K::read_spelled(m, || self.word(), raw)?;
        K::with_raw(raw, act)
    }
}

//! A table that finds keys again: by their numbers, or without numbers where keys allow it.
//!
//! It knows no keys itself. Where it holds numbers, whoever asks compares the keys, always exactly.

use super::compact::Compact;
use super::numbered::Numbered;
use crate::error::Result;

/// Questions of a table about its numbers.
pub trait Numbers {
    fn hash(&self, id: u32) -> u64;
    fn prefetch(&self, id: u32);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Present, with this number.
    Held(u32),
    /// Present.
    Known,
    /// Absent; the bucket to put it into.
    Free(usize),
}

/// What tables of a store have in common.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// How many bits of keys differ, if hashes tell all keys apart and nobody asks for numbers.
    pub key_bits: Option<u32>,
    /// Top bits of the hash that chose this table among others and so are the same for all in it.
    pub skip: u32,
}

/// A kind of table, and its buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    Numbered(usize),
    Compact(usize),
}

/// Tables of more buckets than this grow by a quarter instead of doubling: 1 MiB.
const LARGE: usize = 1 << 14;

impl Size {
    /// Of a table that takes so many keys before it grows.
    pub fn for_keys(count: usize, kind: Kind) -> Size {
        Size::compact(Compact::buckets_for(count), kind)
            .unwrap_or(Size::Numbered(Numbered::buckets_for(count)))
    }

    fn compact(buckets: usize, kind: Kind) -> Option<Size> {
        let can = kind.key_bits.is_some_and(|bits| Compact::can(bits, kind.skip, buckets));
        can.then_some(Size::Compact(buckets))
    }

    /// The next larger one.
    fn next(self, kind: Kind) -> Size {
        let more = |buckets| buckets + if buckets < LARGE { buckets } else { buckets / 4 };
        match self {
            Size::Numbered(buckets) => {
                let compact = more(Compact::buckets_for(self.limit()));
                Size::compact(compact, kind).unwrap_or(Size::Numbered(2 * buckets))
            }
            Size::Compact(buckets) => Size::Compact(more(buckets)),
        }
    }

    fn buckets(self) -> usize {
        let (Size::Numbered(buckets) | Size::Compact(buckets)) = self;
        buckets
    }

    fn limit(self) -> usize {
        match self {
            Size::Numbered(buckets) => Numbered::limit(buckets),
            Size::Compact(buckets) => Compact::limit(buckets),
        }
    }

    pub fn bytes(self) -> usize {
        match self {
            Size::Numbered(buckets) => Numbered::bytes_for(buckets),
            Size::Compact(buckets) => Compact::bytes_for(buckets),
        }
    }
}

#[derive(Debug)]
enum Held {
    Numbered(Numbered),
    Compact(Compact),
}

#[derive(Debug)]
#[repr(align(128))]
pub struct Table {
    held: Held,
    kind: Kind,
}

impl Table {
    pub fn new(size: Size, kind: Kind) -> Result<Table> {
        let held = match (size, kind.key_bits) {
            (Size::Compact(buckets), Some(bits)) => {
                Held::Compact(Compact::new(bits, kind.skip, buckets)?)
            }
            (Size::Compact(buckets) | Size::Numbered(buckets), _) => {
                Held::Numbered(Numbered::new(buckets, kind.skip)?)
            }
        };
        Ok(Table { held, kind })
    }

    fn size(&self) -> Size {
        match &self.held {
            Held::Numbered(table) => Size::Numbered(table.len()),
            Held::Compact(table) => Size::Compact(table.homes()),
        }
    }

    /// Whether it knows keys by their numbers only.
    pub fn is_numbered(&self) -> bool {
        matches!(self.held, Held::Numbered(_))
    }

    pub fn used(&self) -> usize {
        match &self.held {
            Held::Numbered(table) => table.used(),
            Held::Compact(table) => table.used(),
        }
    }

    /// Whether it must grow before one more is put in.
    #[inline(always)]
    pub fn full(&self) -> bool {
        match &self.held {
            Held::Numbered(table) => table.full(),
            Held::Compact(table) => table.full(),
        }
    }

    pub fn bytes(&self) -> usize {
        match &self.held {
            Held::Numbered(table) => table.bytes(),
            Held::Compact(table) => table.bytes(),
        }
    }

    /// The bytes to be asked for when it grows next.
    pub fn growth(&self) -> usize {
        let next = self.size().next(self.kind).bytes();
        match &self.held {
            Held::Numbered(_) => next,
            Held::Compact(table) => table.growth(next),
        }
    }

    /// The bytes of all that growing asks for until `more` keys are put in, at most.
    pub fn growth_for(&self, more: usize) -> usize {
        let (mut size, mut bytes) = (self.size(), 0);
        while size.limit() < self.used() + more {
            size = size.next(self.kind);
            bytes += size.bytes();
        }
        // Buckets that fill unevenly grow earlier.
        let early = matches!(size, Size::Compact(_));
        bytes + if early { self.growth() + size.next(self.kind).bytes() } else { 0 }
    }

    /// Begins to load the bucket where a search for `hash` begins.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        match &self.held {
            Held::Numbered(table) => table.prefetch(hash),
            Held::Compact(table) => table.prefetch(hash),
        }
    }

    /// The first number that may turn out to be the one, if it stands in the first bucket.
    #[inline(always)]
    pub fn likely(&self, hash: u64) -> Option<u32> {
        match &self.held {
            Held::Numbered(table) => table.likely(hash),
            Held::Compact(_) => None,
        }
    }

    /// `same`: whether a number is that of the key.
    #[inline(always)]
    pub fn find(&self, hash: u64, same: impl FnMut(u32) -> bool) -> Found {
        match &self.held {
            Held::Numbered(table) => table.find(hash, same),
            Held::Compact(table) => table.find(hash),
        }
    }

    /// Puts a key into the bucket that `find` named; the place it got, if it has a number there.
    #[inline(always)]
    pub fn put(&mut self, bucket: usize, hash: u64, id: u32) -> Result<usize> {
        match &mut self.held {
            Held::Numbered(table) => Ok(table.put(bucket, hash, id)),
            Held::Compact(table) => table.put(bucket, hash).map(|()| 0),
        }
    }

    /// Inserts a key that is known to be absent.
    #[inline]
    pub fn add(&mut self, hash: u64, id: u32) -> Result<usize> {
        match &mut self.held {
            Held::Numbered(table) => Ok(table.add(hash, id)),
            Held::Compact(table) => table.add(hash).map(|()| 0),
        }
    }

    /// Replaces the number at a place that `put` gave; valid until the table grows.
    #[inline(always)]
    pub fn renumber(&mut self, place: usize, id: u32) {
        if let Held::Numbered(table) = &mut self.held {
            table.renumber(place, id);
        }
    }

    /// Replaces the numbers for which `renamed` knows another.
    pub fn renumber_all(&mut self, renamed: impl Fn(u32) -> Option<u32>) {
        if let Held::Numbered(table) = &mut self.held {
            table.renumber_all(renamed);
        }
    }

    /// Clears the table without shrinking it.
    pub fn clear(&mut self) {
        match &mut self.held {
            Held::Numbered(table) => table.clear(),
            Held::Compact(table) => table.clear(),
        }
    }

    /// Grows for at least one more key. If memory runs out, nothing has changed.
    #[cold]
    pub fn grow(&mut self, numbers: &impl Numbers) -> Result<()> {
        let size = self.size().next(self.kind);
        match &mut self.held {
            Held::Compact(table) => table.grow(size.buckets()),
            Held::Numbered(table) => {
                let mut grown = Table::new(size, self.kind)?;
                match &mut grown.held {
                    Held::Numbered(grown) => table.each(numbers, |hash, id| {
                        grown.add(hash, id);
                        Ok(())
                    }),
                    Held::Compact(grown) => table.each(numbers, |hash, _| grown.add(hash)),
                }?;
                *self = grown;
                Ok(())
            }
        }
    }
}

//! A set of keys without their numbers: buckets of one cache line, 16 remainders in each.
//!
//! Hashes of one-word keys are different for different keys (see `Hashing`), so a hash says all about
//! its key. Its top part is the bucket in which it stands; what is left of it, the *remainder*, fits
//! 32 bits once there are enough buckets. Where the bucket is full, it stands in one of the next, and
//! says how far away from home it is. So a look-up is exact, touches one cache line, mostly, and never
//! the arena; and the table grows from what it holds, in the order in which it lies.

use super::table::Found;
use crate::cpu::{places_of_word, prefetch};
use crate::error::Result;
use crate::grow::{Grow, filled, no_memory};

const LANES: usize = 16;
/// As many buckets a key may stand in, from its home on; so the distance takes four bits.
const REACH: usize = 15;
const MOST_LOW: u32 = 28;

/// Zero for a free lane; buckets fill from the left.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Bucket([u32; LANES]);

impl Bucket {
    #[inline(always)]
    fn holds(&self, lane: u32) -> bool {
        places_of_word(lane, &self.0) != 0
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.0[LANES - 1] != 0
    }

    #[inline(always)]
    fn put(&mut self, lane: u32) {
        let free = places_of_word(0, &self.0).trailing_zeros();
        self.0[free as usize] = lane;
    }
}

/// How hashes are cut into a bucket and a remainder.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// Of each hash these many top bits are left out, as they chose this table among others …
    skip: u32,
    /// … so many follow that tell hashes apart, and so many are left.
    bits: u32,
    rest: u32,
    homes: usize,
    /// Bits of the remainder. Those of one bucket are less than 2^low in a row, so their low bits
    /// tell them apart.
    low: u32,
}

impl Cut {
    /// None where a remainder would not fit.
    fn new(key_bits: u32, skip: u32, homes: usize) -> Option<Cut> {
        let bits = key_bits.checked_sub(skip).filter(|bits| (1..u64::BITS).contains(bits))?;
        let longest = (1_u64 << bits).div_ceil(homes as u64);
        let low = u64::BITS - (longest - 1).leading_zeros();
        (low <= MOST_LOW).then_some(Cut { skip, bits, rest: u64::BITS - bits, homes, low })
    }

    /// A hash as it is handed around, cut to what matters here.
    #[inline(always)]
    fn part(&self, hash: u64) -> u64 {
        (hash << self.skip) >> self.rest
    }

    /// The bucket of such a part; scaling keeps the order, and works for any number of buckets.
    #[inline(always)]
    fn home(&self, part: u64) -> usize {
        ((u128::from(part << self.rest) * self.homes as u128) >> u64::BITS) as usize
    }

    /// What stands in a lane for it, so many buckets behind its home.
    #[inline(always)]
    fn lane(&self, part: u64, distance: usize) -> u32 {
        let low = part as u32 & ((1 << self.low) - 1);
        low | (distance as u32 + 1) << self.low
    }

    /// The first part whose home is this bucket, or would be.
    fn first(&self, home: usize) -> u64 {
        let (at, homes) = (home as u128, self.homes as u128);
        (at << self.bits).div_ceil(homes) as u64
    }

    /// The part that stands in a lane; `first`: of its home.
    #[inline(always)]
    fn whole(&self, lane: u32, first: u64) -> u64 {
        first + ((u64::from(lane).wrapping_sub(first)) & ((1 << self.low) - 1))
    }
}

/// Sixteen keys a bucket, at most 87 of 100 lanes in use.
#[derive(Debug)]
pub struct Compact {
    buckets: Vec<Bucket>,
    cut: Cut,
    used: usize,
    /// Overflow: hashes whose buckets within reach are full, in order. Hardly any.
    late: Vec<u64>,
}

impl Compact {
    /// Whether a table of so many buckets can hold keys of so many bits.
    pub fn can(key_bits: u32, skip: u32, homes: usize) -> bool {
        Cut::new(key_bits, skip, homes).is_some()
    }

    /// Panics where it cannot.
    pub fn new(key_bits: u32, skip: u32, homes: usize) -> Result<Compact> {
        let cut = Cut::new(key_bits, skip, homes).expect("remainders fit");
        Compact::empty(cut, Compact::late_for(homes))
    }

    fn empty(cut: Cut, late: usize) -> Result<Compact> {
        let buckets = filled(Compact::buckets(cut.homes), Bucket([0; LANES]))?;
        let mut made = Compact { buckets, cut, used: 0, late: Vec::new() };
        made.late.grow_by(late)?;
        Ok(made)
    }

    fn buckets(homes: usize) -> usize {
        homes + REACH - 1
    }

    /// The size of the overflow at which the table grows.
    fn late_for(homes: usize) -> usize {
        8 + homes / 64
    }

    pub fn homes(&self) -> usize {
        self.cut.homes
    }

    /// The buckets of a table that takes `count` keys before it grows.
    pub fn buckets_for(count: usize) -> usize {
        (count * 100).div_ceil(LANES * 87) + 1
    }

    /// As many keys as there may be in so many buckets.
    pub fn limit(homes: usize) -> usize {
        homes * LANES * 87 / 100
    }

    pub fn bytes_for(homes: usize) -> usize {
        Compact::buckets(homes) * size_of::<Bucket>() + Compact::late_for(homes) * size_of::<u64>()
    }

    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>() + self.late.capacity() * size_of::<u64>()
    }

    pub fn used(&self) -> usize {
        self.used
    }

    #[inline(always)]
    pub fn full(&self) -> bool {
        self.used >= Compact::limit(self.cut.homes) || self.late.len() == self.late.capacity()
    }

    /// Whether hashes are so much alike that more buckets would hardly help.
    fn is_clustered(&self) -> bool {
        self.used < Compact::limit(self.cut.homes) / 2
    }

    /// The bytes to be asked for when it grows next, by what buckets of the next size take.
    pub fn growth(&self, next: usize) -> usize {
        let late = 2 * self.late.len() * size_of::<u64>();
        if self.is_clustered() { late } else { next + late }
    }

    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.buckets[self.cut.home(self.cut.part(hash))]);
    }

    #[inline(always)]
    pub fn find(&self, hash: u64) -> Found {
        let part = self.cut.part(hash);
        let home = self.cut.home(part);
        for distance in 0..REACH {
            let bucket = &self.buckets[home + distance];
            if bucket.holds(self.cut.lane(part, distance)) {
                return Found::Known;
            }
            if !bucket.is_full() {
                return Found::Free(home + distance);
            }
        }
        self.find_late(part)
    }

    #[cold]
    fn find_late(&self, part: u64) -> Found {
        match self.late.binary_search(&part) {
            Ok(_) => Found::Known,
            Err(_) => Found::Free(self.buckets.len()),
        }
    }

    #[inline(always)]
    pub fn put(&mut self, bucket: usize, hash: u64) -> Result<()> {
        let part = self.cut.part(hash);
        self.used += 1;
        match self.buckets.get_mut(bucket) {
            Some(row) => {
                row.put(self.cut.lane(part, bucket - self.cut.home(part)));
                Ok(())
            }
            None => self.put_late(part),
        }
    }

    #[cold]
    fn put_late(&mut self, part: u64) -> Result<()> {
        let at = self.late.partition_point(|&one| one < part);
        self.late.grow_push(part)?;
        self.late[at..].rotate_right(1);
        Ok(())
    }

    #[inline]
    pub fn add(&mut self, hash: u64) -> Result<()> {
        self.add_part(self.cut.part(hash))
    }

    #[inline(always)]
    fn add_part(&mut self, part: u64) -> Result<()> {
        let home = self.cut.home(part);
        self.used += 1;
        for distance in 0..REACH {
            let bucket = &mut self.buckets[home + distance];
            if !bucket.is_full() {
                bucket.put(self.cut.lane(part, distance));
                return Ok(());
            }
        }
        self.put_late(part)
    }

    pub fn clear(&mut self) {
        self.buckets.fill(Bucket([0; LANES]));
        self.late.clear();
        self.used = 0;
    }

    /// Goes over to so many buckets, or gives the late more room where that would hardly help.
    /// Where the machine has none, nothing has changed.
    #[cold]
    pub fn grow(&mut self, homes: usize) -> Result<()> {
        if self.is_clustered() {
            return self.late.try_reserve_exact(self.late.len()).map_err(no_memory);
        }
        let Cut { skip, bits, .. } = self.cut;
        let cut =
            Cut::new(skip + bits, skip, homes).expect("more buckets leave less to tell apart");
        let mut grown = Compact::empty(cut, Compact::late_for(homes).max(2 * self.late.len()))?;
        let mut firsts = [0; REACH + 1];
        for (at, bucket) in self.buckets.iter().enumerate() {
            firsts[at % firsts.len()] = self.cut.first(at);
            for &lane in bucket.0.iter().take_while(|&&lane| lane != 0) {
                let distance = (lane >> self.cut.low) as usize - 1;
                grown.add_part(self.cut.whole(lane, firsts[(at - distance) % firsts.len()]))?;
            }
        }
        for &part in &self.late {
            grown.add_part(part)?;
        }
        *self = grown;
        Ok(())
    }
}

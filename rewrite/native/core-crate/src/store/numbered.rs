//! Where in the arena a key stands: open addressing in buckets of one cache line.
//!
//! A bucket has room for twelve numbers of states and a byte of the hash of each. Nothing is ever
//! taken out, so buckets fill from the left, and a search may end at the first that is not full.
//! The table itself knows no keys: whoever asks compares them, always exactly.

use super::table::{Found, Numbers};
use crate::cpu::{places_of, prefetch};
use crate::error::Result;
use crate::grow::filled;

const LANES: usize = 12;

#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Bucket {
    ids: [u32; LANES],
    tags: [u8; LANES],
    used: u32,
}

impl Bucket {
    const EMPTY: Bucket = Bucket { ids: [0; LANES], tags: [0; LANES], used: 0 };

    /// The lanes in use whose tag is `tag`, as bits.
    #[inline(always)]
    fn lanes(&self, tag: u8) -> u32 {
        places_of(tag, &self.tags) & ((1 << self.used) - 1)
    }
}

/// Twelve numbers a bucket, at most 85 of 100 places in use.
#[derive(Debug)]
pub struct Numbered {
    buckets: Vec<Bucket>,
    used: usize,
    limit: usize,
    /// Top bits of the hash that chose this table among others and so are the same for all in it.
    skip: u32,
}

impl Numbered {
    pub fn new(buckets: usize, skip: u32) -> Result<Numbered> {
        let count = buckets.max(1);
        let buckets = filled(count, Bucket::EMPTY)?;
        Ok(Numbered { buckets, used: 0, limit: Numbered::limit(count), skip })
    }

    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    /// The buckets of a table that takes `count` keys before it grows.
    pub fn buckets_for(count: usize) -> usize {
        (count * 20).div_ceil(LANES * 17) + 1
    }

    /// As many keys as there may be in so many buckets.
    pub fn limit(buckets: usize) -> usize {
        // 0.85, and never full: a search ends at a free place.
        buckets * LANES * 17 / 20
    }

    #[inline]
    pub fn full(&self) -> bool {
        self.used >= self.limit
    }

    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    pub fn bytes_for(buckets: usize) -> usize {
        buckets * size_of::<Bucket>()
    }

    pub fn used(&self) -> usize {
        self.used
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        // Scaling keeps the order of the hashes and works for any number of buckets.
        ((u128::from(hash << self.skip) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.buckets[self.home(hash)]);
    }

    #[inline(always)]
    pub fn likely(&self, hash: u64) -> Option<u32> {
        let bucket = &self.buckets[self.home(hash)];
        let lanes = bucket.lanes(hash as u8);
        if lanes == 0 { None } else { Some(bucket.ids[lanes.trailing_zeros() as usize]) }
    }

    #[inline(always)]
    pub fn find(&self, hash: u64, mut same: impl FnMut(u32) -> bool) -> Found {
        let mut at = self.home(hash);
        loop {
            let bucket = &self.buckets[at];
            let mut lanes = bucket.lanes(hash as u8);
            while lanes != 0 {
                let id = bucket.ids[lanes.trailing_zeros() as usize];
                if same(id) {
                    return Found::Held(id);
                }
                lanes &= lanes - 1;
            }
            if bucket.used < LANES as u32 {
                return Found::Free(at);
            }
            at = if at + 1 == self.buckets.len() { 0 } else { at + 1 };
        }
    }

    #[inline(always)]
    pub fn put(&mut self, bucket: usize, hash: u64, id: u32) -> usize {
        let row = &mut self.buckets[bucket];
        let lane = row.used as usize;
        row.ids[lane] = id;
        row.tags[lane] = hash as u8;
        row.used += 1;
        self.used += 1;
        bucket * LANES + lane
    }

    #[inline]
    pub fn add(&mut self, hash: u64, id: u32) -> usize {
        let mut at = self.home(hash);
        while self.buckets[at].used == LANES as u32 {
            at = if at + 1 == self.buckets.len() { 0 } else { at + 1 };
        }
        self.put(at, hash, id)
    }

    #[inline(always)]
    pub fn renumber(&mut self, place: usize, id: u32) {
        self.buckets[place / LANES].ids[place % LANES] = id;
    }

    pub fn renumber_all(&mut self, renamed: impl Fn(u32) -> Option<u32>) {
        for bucket in &mut self.buckets {
            for id in &mut bucket.ids[..bucket.used as usize] {
                *id = renamed(*id).unwrap_or(*id);
            }
        }
    }

    pub fn clear(&mut self) {
        self.buckets.fill(Bucket::EMPTY);
        self.used = 0;
    }

    /// Hands over all numbers with their hashes.
    #[inline]
    pub fn each(
        &self,
        numbers: &impl Numbers,
        mut act: impl FnMut(u64, u32) -> Result<()>,
    ) -> Result<()> {
        /// Buckets between asking for a key and hashing it.
        const AHEAD: usize = 2;
        for (at, bucket) in self.buckets.iter().enumerate() {
            if let Some(later) = self.buckets.get(at + AHEAD) {
                later.ids[..later.used as usize].iter().for_each(|&id| numbers.prefetch(id));
            }
            for &id in &bucket.ids[..bucket.used as usize] {
                act(numbers.hash(id), id)?;
            }
        }
        Ok(())
    }
}

//! The states seen so far: their keys, their parents, and where to find them.
//!
//! Numbers are given in order of insertion. A state costs its key, 4 bytes for the parent and 5 to 9
//! for the table (see `shards`), which leaves numbers out until somebody asks for them. Whatever fails
//! for lack of memory leaves the store as it was.
//!
//! States that are not needed any more can be spilled to files (see `spilled`).

use super::expand::{Block, UNKNOWN};
use super::keys::{Hashing, Keys};
use super::paged_vec::PagedVec;
use super::reached::Reached;
use super::shards::{Layout, Shards};
use super::spilled::{self, Spilled};
use super::table::{Found, Numbers};
use std::ops::Range;

use crate::error::{Error, Exhausted, Result};

/// Candidates between asking for a bucket and for the key that a tag in it points to …
pub(super) const BUCKET_AHEAD: usize = 16;
/// … and between asking for that key and comparing it.
pub(super) const KEY_AHEAD: usize = 8;

#[derive(Debug)]
pub struct Store<K> {
    pub(super) keys: K,
    pub(super) parents: PagedVec<u32>,
    /// How states were reached from their parents, if that is kept: see `Expand::skips`.
    pub(super) reached: Option<Reached>,
    pub(super) shards: Shards,
    /// Where keys and parents stand that were spilled; None while all are here.
    pub(super) spilled: Option<Spilled>,
    pub(super) hashing: Hashing,
    /// States that were not shown yet have numbers from here on (see `waves`).
    pub(super) visible: u32,
    /// How often unseen states were taken out again.
    pub(super) cuts: u64,
    budget: usize,
    /// As many states as there may be: every number must differ from `u32::MAX`.
    pub(super) most: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    New(u32),
    /// It was present, with this number.
    Old(u32),
    /// It was present; numbers are not stored.
    Known,
}

/// The numbers of states by their keys.
pub(super) struct Arena<'a, K>(pub &'a K, pub Hashing);

impl<K: Keys> Numbers for Arena<'_, K> {
    fn hash(&self, id: u32) -> u64 {
        K::hash(self.0.get(id), self.1)
    }

    fn prefetch(&self, id: u32) {
        self.0.prefetch(id);
    }
}

impl<K: Keys> Store<K> {
    /// Takes microseconds. Where tables may leave out numbers, they do until `keep_numbers`.
    pub fn with(layout: Layout) -> Result<Store<K>> {
        let key_bits = layout.key_bits.filter(|_| K::EXACT);
        Ok(Store {
            keys: K::default(),
            parents: PagedVec::default(),
            reached: None,
            spilled: None,
            shards: Shards::new(Layout { key_bits, ..layout })?,
            hashing: key_bits.map_or_else(Hashing::default, Hashing::new),
            visible: 0,
            cuts: 0,
            budget: usize::MAX,
            most: u32::MAX - 1,
        })
    }

    /// The bytes that may be in use, growing included; None for no limit.
    pub fn set_budget(&mut self, bytes: Option<usize>) {
        self.budget = bytes.unwrap_or(usize::MAX);
    }

    pub fn len(&self) -> u32 {
        self.visible
    }

    /// Must not have been spilled, nor the parent; see `with_key` and `any_parent`.
    #[inline]
    pub fn key(&self, id: u32) -> &K::Key {
        self.keys.get(id)
    }

    /// All keys as words, from one of the words on.
    pub fn words(&self, from: u64) -> impl Iterator<Item = u32> + '_ {
        self.keys.stream(self.visible, from)
    }

    #[inline]
    pub fn parent(&self, id: u32) -> u32 {
        self.parents[id as usize]
    }

    #[inline]
    pub(super) fn reached(&self, id: u32) -> u16 {
        self.reached.as_ref().map_or(UNKNOWN, |all| all.get(id))
    }

    /// From now on, it is kept how states are reached, or no longer.
    pub(super) fn keep_reached(&mut self, keep: bool) -> Result<()> {
        if keep && self.reached.is_none() {
            self.forget_unseen()?;
            self.reached = Some(Reached::new(self.visible));
        } else if !keep {
            self.reached = None;
        }
        Ok(())
    }

    #[inline]
    pub fn set_parent(&mut self, id: u32, parent: u32) {
        self.parents[id as usize] = parent;
    }

    pub fn bytes(&self) -> usize {
        let spilled = self.spilled.as_ref().map_or(0, Spilled::bytes);
        self.rows() + self.shards.bytes() + spilled
    }

    /// The bytes of what there is of each state, without tables.
    pub(super) fn rows(&self) -> usize {
        let reached = self.reached.as_ref().map_or(0, Reached::bytes);
        self.keys.bytes() + self.parents.bytes() + reached
    }

    #[inline]
    pub fn hash(&self, key: &K::Key) -> u64 {
        K::hash(key, self.hashing)
    }

    pub fn hashing(&self) -> Hashing {
        self.hashing
    }

    /// From now on, states can be looked up by key.
    #[inline]
    pub fn keep_numbers(&mut self) -> Result<()> {
        if self.shards.is_numbered() { Ok(()) } else { self.number() }
    }

    #[cold]
    fn number(&mut self) -> Result<()> {
        if self.spilled.is_some() {
            let why = "numbers of states by their keys, where states were spilled";
            return Err(Error::Unsupported(why.into()));
        }
        self.forget_unseen()?;
        self.afford(self.shards.numbered_bytes())?;
        self.shards.number(self.visible, &Arena(&self.keys, self.hashing))
    }

    /// The number of a key, for those who had numbers kept. `hash` is that of the key, here and below.
    #[inline]
    pub fn find(&self, key: &K::Key, hash: u64) -> Option<u32> {
        match self.shards.table(hash).find(hash, |id| self.keys.is(id, key)) {
            Found::Held(id) if id < self.visible => Some(id),
            Found::Held(_) | Found::Free(_) => None,
            Found::Known => unreachable!("numbers are not kept"),
        }
    }

    /// Whether a key is present; there must be no unseen states.
    #[inline]
    pub fn has(&self, key: &K::Key, hash: u64) -> bool {
        debug_assert_eq!(self.keys.len(), self.visible as usize);
        let found = self.shards.table(hash).find(hash, |id| self.keys.is(id, key));
        !matches!(found, Found::Free(_))
    }

    /// Inserts a key unless it is present.
    #[inline]
    pub fn insert(&mut self, key: &K::Key, hash: u64, parent: u32) -> Result<Entry> {
        self.forget_unseen()?;
        self.enter(key, hash, (parent, UNKNOWN))
    }

    /// Inserts all candidates of a block in order and tells for each its place in the block and what
    /// it came to. After an error those before it are inserted, the rest is not.
    ///
    /// Old states that are watched are told by number, even where numbers are not kept.
    ///
    /// Hides the latency of memory: what a candidate will need is prefetched some candidates ahead.
    pub fn insert_block(
        &mut self,
        block: &Block<K>,
        watch: &Range<u32>,
        mut tell: impl FnMut(usize, Entry),
    ) -> Result<()> {
        self.forget_unseen()?;
        let count = block.len();
        for at in 0..BUCKET_AHEAD.min(count) {
            self.shards.table(block.hash(at)).prefetch(block.hash(at));
        }
        for at in 0..count {
            if at + BUCKET_AHEAD < count {
                let hash = block.hash(at + BUCKET_AHEAD);
                self.shards.table(hash).prefetch(hash);
            }
            if at + KEY_AHEAD < count {
                let hash = block.hash(at + KEY_AHEAD);
                if let Some(id) = self.shards.table(hash).likely(hash) {
                    self.keys.prefetch(id);
                }
            }
            let key = block.key(at);
            match self.enter(key, block.hash(at), (block.parent(at), block.reached(at)))? {
                Entry::Known => {
                    let watched = watch.clone().find(|&id| self.keys.is(id, key));
                    tell(at, watched.map_or(Entry::Known, Entry::Old));
                }
                entry => tell(at, entry),
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, key: &K::Key, hash: u64, from: (u32, u16)) -> Result<Entry> {
        let keys = &self.keys;
        match self.shards.table(hash).find(hash, |id| keys.is(id, key)) {
            Found::Held(id) => Ok(Entry::Old(id)),
            Found::Known => Ok(Entry::Known),
            Found::Free(bucket) => self.append(bucket, key, hash, from).map(Entry::New),
        }
    }

    /// All steps that can fail come first.
    #[inline]
    fn append(
        &mut self,
        bucket: usize,
        key: &K::Key,
        hash: u64,
        (parent, how): (u32, u16),
    ) -> Result<u32> {
        let id = self.visible;
        if id >= self.most {
            return Err(Error::Memory(Exhausted::Machine));
        }
        let full = self.shards.table(hash).full();
        if full {
            let shard = self.shards.of(hash);
            self.afford(self.shards.growth(shard))?;
            self.shards.make_room(shard, id, &Arena(&self.keys, self.hashing))?;
        }
        let reached = self.reached.as_ref().map_or(0, Reached::growth);
        let growth = self.keys.growth(key) + self.parents.growth() + reached;
        if growth > 0 {
            self.afford(growth)?;
        }
        self.keys.reserve(key)?;
        self.parents.reserve()?;
        if let Some(reached) = &mut self.reached {
            reached.push(how)?;
        }
        self.keys.push(key)?;
        self.parents.push(parent)?;
        let shard = self.shards.of(hash);
        let table = &mut self.shards.tables[shard];
        if full {
            table.add(hash, id)?;
        } else {
            table.put(bucket, hash, id)?;
        }
        self.visible += 1;
        Ok(id)
    }

    /// Whether the budget allows `more` bytes on top of those in use.
    #[cold]
    pub(super) fn afford(&self, more: usize) -> Result<()> {
        if self.bytes().saturating_add(more) <= self.budget {
            Ok(())
        } else {
            Err(Error::Memory(Exhausted::Budget))
        }
    }

    /// The bytes that `count` more keys, of `bytes` in sum, and parents will ask for, at most.
    pub(super) fn rows_bound(&self, count: usize, bytes: usize) -> usize {
        let reached = self.reached.as_ref().map_or(0, |all| all.bound(count));
        self.keys.bound(count, bytes) + self.parents.bound(count) + reached
    }

    /// Removes the states of a wave that nobody has seen.
    #[inline]
    pub fn forget_unseen(&mut self) -> Result<()> {
        if (self.visible as usize) < self.keys.len() { self.rebuild() } else { Ok(()) }
    }

    /// Cuts everything back to the visible states.
    #[cold]
    pub(super) fn rebuild(&mut self) -> Result<()> {
        self.cuts += 1;
        self.keys.truncate(self.visible as usize);
        self.parents.truncate(self.visible as usize);
        if let Some(reached) = &mut self.reached {
            reached.truncate(self.visible);
        }
        let Store { keys, spilled, shards, hashing, visible, .. } = self;
        shards.refill(*visible, |id| {
            spilled::with_key(keys, spilled.as_ref(), id, |key| Ok(K::hash(key, *hashing)))
        })
    }
}

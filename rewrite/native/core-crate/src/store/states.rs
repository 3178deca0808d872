//! The states seen so far: their keys, their parents, and where to find them.
//!
//! Numbers are given in order of insertion. A state costs its key, 4 bytes for the parent and about
//! 9 for the table (see `shards`). Whatever fails for lack of memory leaves the store as it was.

use super::block::Block;
use super::keys::Keys;
use super::pieces::Pieces;
use super::shards::{SHARDS, Shards};
use super::table::{Found, Numbers};
use crate::trouble::{Exhausted, Outcome, Trouble};

/// Candidates between asking for a bucket and for the key that a tag in it points to …
const BUCKET_AHEAD: usize = 16;
/// … and between asking for that key and comparing it.
const KEY_AHEAD: usize = 8;

#[derive(Debug)]
pub struct Store<K> {
    pub(super) keys: K,
    pub(super) parents: Pieces<u32>,
    pub(super) shards: Shards,
    /// States that were not shown yet have numbers from here on (see `waves`).
    pub(super) visible: u32,
    /// How often unseen states were taken out again.
    pub(super) cuts: u64,
    budget: usize,
    /// As many states as there may be: every number must differ from `u32::MAX`.
    pub(super) most: u32,
}

/// The numbers of states by their keys.
pub(super) struct Arena<'a, K>(pub &'a K);

impl<K: Keys> Numbers for Arena<'_, K> {
    fn hash(&self, id: u32) -> u64 {
        K::hash(self.0.get(id))
    }

    fn prefetch(&self, id: u32) {
        self.0.prefetch(id);
    }
}

impl<K: Keys> Store<K> {
    /// Takes microseconds.
    pub fn new() -> Outcome<Store<K>> {
        Store::with_shards(SHARDS)
    }

    /// With 2^`bits` shards once it is large. Changes no answer.
    pub fn with_shards(bits: u32) -> Outcome<Store<K>> {
        Ok(Store {
            keys: K::default(),
            parents: Pieces::default(),
            shards: Shards::new(bits)?,
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

    pub fn is_empty(&self) -> bool {
        self.visible == 0
    }

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
        *self.parents.get(id as usize)
    }

    #[inline]
    pub fn set_parent(&mut self, id: u32, parent: u32) {
        *self.parents.get_mut(id as usize) = parent;
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes() + self.parents.bytes() + self.shards.bytes()
    }

    /// The number of a key. `hash` is `K::hash(key)`, here and below.
    #[inline]
    pub fn find(&self, key: &K::Key, hash: u64) -> Option<u32> {
        match self.shards.table(hash).find(hash, |id| self.keys.is(id, key)) {
            Found::Held(id) if id < self.visible => Some(id),
            _ => None,
        }
    }

    /// The number of a key, and whether it is new.
    #[inline]
    pub fn insert(&mut self, key: &K::Key, hash: u64, parent: u32) -> Outcome<(u32, bool)> {
        self.forget_unseen();
        self.enter(key, hash, parent)
    }

    /// Inserts all candidates of a block in order and tells for each its place in the block, its
    /// number, and whether it is new. After an error those before it are inserted, the rest is not.
    ///
    /// Hides the time that memory takes: what a candidate will need is asked for some candidates
    /// before its turn.
    pub fn insert_block(
        &mut self,
        block: &Block<K>,
        mut tell: impl FnMut(usize, u32, bool),
    ) -> Outcome<()> {
        self.forget_unseen();
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
            let (id, new) = self.enter(block.key(at), block.hash(at), block.parent(at))?;
            tell(at, id, new);
        }
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, key: &K::Key, hash: u64, parent: u32) -> Outcome<(u32, bool)> {
        let keys = &self.keys;
        match self.shards.table(hash).find(hash, |id| keys.is(id, key)) {
            Found::Held(id) => Ok((id, false)),
            Found::Free(bucket) => Ok((self.append(bucket, key, hash, parent)?, true)),
        }
    }

    /// Everything that can fail comes first.
    #[inline]
    fn append(&mut self, bucket: usize, key: &K::Key, hash: u64, parent: u32) -> Outcome<u32> {
        let id = self.visible;
        if id >= self.most {
            return Err(Trouble::Memory(Exhausted::Machine));
        }
        let full = self.shards.table(hash).full();
        if full {
            let shard = self.shards.of(hash);
            self.afford(self.shards.growth(shard))?;
            self.shards.make_room(shard, id, &Arena(&self.keys))?;
        }
        let growth = self.keys.growth(key) + self.parents.growth();
        if growth > 0 {
            self.afford(growth)?;
        }
        self.keys.reserve(key)?;
        self.parents.reserve()?;
        self.keys.push(key)?;
        self.parents.push(parent)?;
        let shard = self.shards.of(hash);
        let table = &mut self.shards.tables[shard];
        if full {
            table.add(hash, id)
        } else {
            table.put(bucket, hash, id)
        };
        self.visible += 1;
        Ok(id)
    }

    /// Whether the budget allows `more` bytes on top of those in use.
    #[cold]
    pub(super) fn afford(&self, more: usize) -> Outcome<()> {
        if self.bytes().saturating_add(more) <= self.budget {
            Ok(())
        } else {
            Err(Trouble::Memory(Exhausted::Budget))
        }
    }

    /// The bytes that `count` more keys, of `bytes` in sum, and parents will ask for, at most.
    pub(super) fn rows_bound(&self, count: usize, bytes: usize) -> usize {
        self.keys.bound(count, bytes) + self.parents.bound(count)
    }

    /// Takes out the states that a wave found and nobody has seen.
    #[inline]
    pub(super) fn forget_unseen(&mut self) {
        if (self.visible as usize) < self.keys.len() {
            self.rebuild();
        }
    }

    /// Cuts everything back to the visible states.
    #[cold]
    pub(super) fn rebuild(&mut self) {
        self.cuts += 1;
        self.keys.truncate(self.visible as usize);
        self.parents.truncate(self.visible as usize);
        self.shards.refill(self.visible, &Arena(&self.keys));
    }
}

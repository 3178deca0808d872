//! Keys and parents that are in files and no longer in memory.
//!
//! A breadth-first search never asks for expanded states again if its tables need no keys: then the
//! logs of its checkpoint (see `checkpoint`) replace them. Where memory is scarce, states that wait to
//! be expanded are evicted too, and reloaded in order, a few chunks at a time. The states on the way
//! back from a goal are read one by one.

use super::keys::Keys;
use super::paged_vec::{PAGE, PagedVec};
use super::states::Store;
use crate::checkpoint::{Files, Pages};
use crate::error::Result;
use crate::grow::give_back;

/// States that are reloaded at a time. No batch is longer: its states must not be evicted before they
/// are expanded, or a search in little memory would thrash.
const WINDOW: usize = if PAGE < 256 { 1024 } else { 4 * PAGE };

#[derive(Debug)]
pub struct Spilled {
    keys: Pages,
    parents: Pages,
}

impl Spilled {
    /// What stands in these files by now.
    fn of(files: &Files) -> Result<Spilled> {
        Ok(Spilled { keys: files.keys.pages()?, parents: files.parents.pages()? })
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes() + self.parents.bytes()
    }
}

/// Passes a key on, from memory or from the file.
#[inline]
pub fn with_key<K: Keys, T>(
    keys: &K,
    spilled: Option<&Spilled>,
    id: u32,
    act: impl FnOnce(&K::Key) -> Result<T>,
) -> Result<T> {
    match (spilled, K::WORDS) {
        (Some(spilled), Some(words)) if !keys.holds(id) => {
            let mut places = u64::from(id) * words..;
            K::read(|| spilled.keys.word(places.next().unwrap_or_default()), act)?
        }
        _ => act(keys.get(id)),
    }
}

impl<K: Keys> Store<K> {
    #[inline]
    pub fn holds_key(&self, id: u32) -> bool {
        self.keys.holds(id)
    }

    #[inline]
    pub fn holds_parent(&self, id: u32) -> bool {
        self.parents.holds(id as usize)
    }

    /// Hands over the key of any state.
    #[inline]
    pub fn with_key<T>(&self, id: u32, act: impl FnOnce(&K::Key) -> Result<T>) -> Result<T> {
        with_key(&self.keys, self.spilled.as_ref(), id, act)
    }

    /// The parent of any state.
    pub fn any_parent(&self, id: u32) -> Result<u32> {
        match &self.spilled {
            Some(spilled) if !self.holds_parent(id) => Ok(spilled.parents.word(id.into())?),
            _ => Ok(self.parent(id)),
        }
    }

    /// Writes new states to the files, and evicts those below `done`, which will not be expanded or
    /// tested again. Returns the number of bytes freed.
    ///
    /// The parents of the states that come next stay, because most moves lead back to them. Where
    /// memory is `scarce`, only the next few states stay.
    pub fn spill(&mut self, files: &mut Files, done: u32, scarce: bool) -> Result<usize> {
        let before = self.rows();
        let from = files.keys.words();
        files.keys.append_blocks(self.words(from))?;
        let from = files.parents.words() as u32;
        files.parents.append_blocks((from..self.visible).map(|id| self.parent(id)))?;
        self.evict(files, done, scarce)?;
        let freed = before - self.rows();
        if freed > 0 {
            give_back();
        }
        Ok(freed)
    }

    /// Evicts what is in the files already.
    pub fn evict(&mut self, files: &Files, done: u32, scarce: bool) -> Result<()> {
        let next = done.min(self.visible.saturating_sub(1));
        let oldest = if scarce { done } else { done.min(self.any_parent(next)?) } as usize;
        let (done, later) = (done as usize, done as usize + WINDOW);
        if let Some(words) = K::WORDS.filter(|_| !self.shards.asks_for_keys()) {
            let written = (files.keys.words() / words) as usize;
            self.keys.evict(0..oldest.min(written));
            if scarce {
                self.keys.evict(later..written);
            }
        }
        let written = files.parents.words() as usize;
        self.parents.evict(0..done.min(written));
        if let Some(reached) = &mut self.reached {
            reached.evict(0..done as u32);
        }
        if scarce {
            self.parents.evict(later..written);
        }
        self.spilled = Some(Spilled::of(files)?);
        Ok(())
    }

    /// Reloads the states of a batch. Returns the end of the states that are in memory, at most
    /// `ahead`.
    pub fn reload(&mut self, from: u32, to: u32, ahead: u32) -> Result<u32> {
        let Store { keys, parents, spilled: Some(spilled), .. } = self else { return Ok(ahead) };
        let here = |keys: &K, parents: &PagedVec<u32>, id: u32| {
            keys.holds(id) && parents.holds(id as usize)
        };
        let pieces = |from: u32, to: u32| {
            let first = from as usize / PAGE * PAGE;
            (first..to as usize).step_by(PAGE).map(|at| at as u32)
        };
        let until = to.max(ahead.min(from.saturating_add(WINDOW as u32)));
        if pieces(from, to).any(|id| !here(keys, parents, id)) {
            for id in pieces(from, until) {
                if let Some(words) = K::WORDS.filter(|_| !keys.holds(id)) {
                    keys.put_back(id, spilled.keys.run(u64::from(id) * words))?;
                }
                if !parents.holds(id as usize) {
                    parents.put_back(id as usize, spilled.parents.run(id.into()))?;
                }
            }
        }
        let end = pieces(to, until).find(|&id| id >= to && !here(keys, parents, id));
        Ok(end.unwrap_or(until))
    }
}

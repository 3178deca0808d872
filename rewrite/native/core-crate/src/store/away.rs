//! Keys and parents that stand in files and not in memory any more.
//!
//! A breadth-first search asks for old states no more once they are expanded, if its tables need no
//! keys: then the logs of its checkpoint (see `checkpoint`) take their place. What is asked for later,
//! on the way back from a goal, is read there.

use super::keys::Keys;
use super::states::Store;
use crate::checkpoint::{Done, Files, Pages};
use crate::grow::give_back;
use crate::trouble::Outcome;

#[derive(Debug)]
pub struct Away {
    keys: Pages,
    parents: Pages,
}

impl Away {
    /// What stands in these files by now.
    pub fn of(files: &Files) -> Done<Away> {
        Ok(Away { keys: files.keys.pages()?, parents: files.parents.pages()? })
    }

    pub fn bytes(&self) -> usize {
        self.keys.bytes() + self.parents.bytes()
    }
}

/// Hands over a key, wherever it stands.
#[inline]
pub fn with_key<K: Keys, T>(
    keys: &K,
    away: Option<&Away>,
    id: u32,
    act: impl FnOnce(&K::Key) -> Outcome<T>,
) -> Outcome<T> {
    let (Some(away), Some(words)) = (away.filter(|_| !keys.holds(id)), K::WORDS) else {
        return act(keys.get(id));
    };
    let mut at = u64::from(id) * words;
    let word = || {
        at += 1;
        away.keys.word(at - 1)
    };
    K::read(word, act)?
}

impl<K: Keys> Store<K> {
    #[inline]
    pub fn holds_key(&self, id: u32) -> bool {
        self.keys.holds(id)
    }

    pub fn holds_parent(&self, id: u32) -> bool {
        self.parents.holds(id as usize)
    }

    /// Hands over the key of any state.
    pub fn with_key<T>(&self, id: u32, act: impl FnOnce(&K::Key) -> Outcome<T>) -> Outcome<T> {
        with_key(&self.keys, self.away.as_ref(), id, act)
    }

    /// The parent of any state.
    pub fn any_parent(&self, id: u32) -> Outcome<u32> {
        match &self.away {
            Some(away) if !self.parents.holds(id as usize) => Ok(away.parents.word(id.into())?),
            _ => Ok(self.parent(id)),
        }
    }

    /// Writes what is new, and gives back what states below `done` take: they will not be expanded
    /// any more, nor tested. The bytes that were given back.
    ///
    /// The states from which those that follow were made stay: they are made again from nearly every
    /// one. Where memory is `scarce`, they go too.
    pub fn put_away(&mut self, files: &mut Files, done: u32, scarce: bool) -> Done<usize> {
        let rows = |store: &Store<K>| store.keys.bytes() + store.parents.bytes();
        let before = rows(self);
        let from = files.keys.words();
        files.keys.append_blocks(self.words(from))?;
        let from = files.parents.words() as u32;
        files.parents.append_blocks((from..self.visible).map(|id| self.parent(id)))?;
        self.shed(files, done, scarce)?;
        let freed = before - rows(self);
        if freed > 0 {
            give_back();
        }
        Ok(freed)
    }

    /// Gives back what stands in the files already.
    pub fn shed(&mut self, files: &Files, done: u32, scarce: bool) -> Done<()> {
        let next = done.min(self.visible.saturating_sub(1));
        let oldest = if scarce { done } else { done.min(self.any_parent(next)?) };
        if let Some(words) = K::WORDS.filter(|_| !self.shards.asks_for_keys()) {
            let written = files.keys.words() / words;
            self.keys.shed(oldest.min(written as u32));
        }
        self.parents.shed(done.min(files.parents.words() as u32) as usize);
        self.away = Some(Away::of(files)?);
        Ok(())
    }
}

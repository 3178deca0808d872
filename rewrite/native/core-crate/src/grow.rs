//! Fallible allocation.
//!
//! When the machine is out of memory, `push`, `collect` and `clone` abort. Anything that grows with a
//! search uses these methods instead, which return an error that ends the search. Modules where this
//! matters deny `clippy::disallowed_methods`; `clippy.toml` lists the methods that abort.

use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

use crate::error::{Error, Exhausted, Result};

/// The error for a machine that is out of memory.
#[cold]
pub fn no_memory<E>(_: E) -> Error {
    Error::Memory(Exhausted::Machine)
}

/// Fails if the machine cannot provide this many bytes now.
///
/// For code that cannot report failure: big integers, threads. Nothing is reserved, so another thread
/// may still take the memory.
pub fn probe(bytes: usize) -> Result<()> {
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(no_memory)
}

/// Returns freed memory to the system.
///
/// The GNU allocator otherwise holds on to fragments: hundreds of megabytes after the widest level of
/// a search.
pub fn give_back() {
    #[cfg(target_os = "linux")]
    crate::huge_pages::give_back();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        // SAFETY: the C library that this target's allocator belongs to provides it, callable from
        // any thread; it does not change memory in use.
        unsafe { malloc_trim(0) };
    }
}

pub trait Grow<T> {
    fn grow_by(&mut self, more: usize) -> Result<()>;

    fn grow_push(&mut self, item: T) -> Result<()>;

    fn grow_extend(&mut self, items: impl IntoIterator<Item = T>) -> Result<()> {
        items.into_iter().try_for_each(|item| self.grow_push(item))
    }
}

impl<T> Grow<T> for Vec<T> {
    #[inline]
    fn grow_by(&mut self, more: usize) -> Result<()> {
        if more <= self.capacity() - self.len() { Ok(()) } else { grow_list(self, more) }
    }

    #[inline]
    fn grow_push(&mut self, item: T) -> Result<()> {
        if self.len() == self.capacity() {
            grow_list(self, 1)?;
        }
        self.push(item);
        Ok(())
    }

    #[inline]
    fn grow_extend(&mut self, items: impl IntoIterator<Item = T>) -> Result<()> {
        let items = items.into_iter();
        let (least, most) = items.size_hint();
        self.grow_by(least)?;
        if most == Some(least) {
            self.extend(items);
            return Ok(());
        }
        for item in items {
            self.grow_push(item)?;
        }
        Ok(())
    }
}

#[cold]
fn grow_list<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    list.try_reserve(more).map_err(no_memory)
}

/// More methods, for lists of plain values.
pub trait GrowCopies<T> {
    fn grow_slice(&mut self, items: &[T]) -> Result<()>;

    /// Truncates, or fills up with `value`.
    fn grow_resize(&mut self, len: usize, value: T) -> Result<()>;

    fn refill(&mut self, items: impl IntoIterator<Item = T>) -> Result<()>;
}

impl<T: Copy> GrowCopies<T> for Vec<T> {
    #[inline]
    fn grow_slice(&mut self, items: &[T]) -> Result<()> {
        self.grow_by(items.len())?;
        self.extend_from_slice(items);
        Ok(())
    }

    #[inline]
    fn grow_resize(&mut self, len: usize, value: T) -> Result<()> {
        self.grow_by(len.saturating_sub(self.len()))?;
        self.resize(len, value);
        Ok(())
    }

    #[inline]
    fn refill(&mut self, items: impl IntoIterator<Item = T>) -> Result<()> {
        self.clear();
        self.grow_extend(items)
    }
}

impl<T> Grow<T> for VecDeque<T> {
    fn grow_by(&mut self, more: usize) -> Result<()> {
        self.try_reserve(more).map_err(no_memory)
    }

    fn grow_push(&mut self, item: T) -> Result<()> {
        self.grow_by(1)?;
        self.push_back(item);
        Ok(())
    }
}

impl<T: Ord> Grow<T> for BinaryHeap<T> {
    fn grow_by(&mut self, more: usize) -> Result<()> {
        self.try_reserve(more).map_err(no_memory)
    }

    fn grow_push(&mut self, item: T) -> Result<()> {
        self.grow_by(1)?;
        self.push(item);
        Ok(())
    }
}

/// Inserts into a map; returns the value replaced.
#[inline]
pub fn grow_map<K: Eq + Hash, V, S: BuildHasher>(
    map: &mut HashMap<K, V, S>,
    key: K,
    value: V,
) -> Result<Option<V>> {
    map.try_reserve(1).map_err(no_memory)?;
    Ok(map.insert(key, value))
}

/// Inserts into a set; returns whether the value is new.
#[inline]
pub fn grow_set<T: Eq + Hash, S: BuildHasher>(set: &mut HashSet<T, S>, item: T) -> Result<bool> {
    set.try_reserve(1).map_err(no_memory)?;
    Ok(set.insert(item))
}

/// Collects an iterator.
pub fn listed<T>(items: impl IntoIterator<Item = T>) -> Result<Vec<T>> {
    let mut made = Vec::new();
    made.grow_extend(items)?;
    Ok(made)
}

pub fn filled<T: Copy>(len: usize, value: T) -> Result<Vec<T>> {
    let mut made = Vec::new();
    made.try_reserve_exact(len).map_err(no_memory)?;
    made.resize(len, value);
    Ok(made)
}

/// A copy without spare capacity.
pub fn copied<T: Copy>(items: &[T]) -> Result<Vec<T>> {
    let mut made = Vec::new();
    made.try_reserve_exact(items.len()).map_err(no_memory)?;
    made.extend_from_slice(items);
    Ok(made)
}

/// The approximate bytes of a standard-library map or set: one hash byte beside each entry, and a
/// load of at most 7/8.
pub fn table_bytes<T>(capacity: usize) -> usize {
    capacity * (size_of::<T>() + 1) * 8 / 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_an_outcome() {
        let mut list = vec![0_u64];
        assert!(matches!(list.grow_by(usize::MAX / 8), Err(Error::Memory(Exhausted::Machine))));
        assert!(list.grow_resize(usize::MAX / 16, 0).is_err());
        assert_eq!(list, [0]);
        assert!(probe(isize::MAX as usize).is_err() && probe(1 << 10).is_ok());
    }
}

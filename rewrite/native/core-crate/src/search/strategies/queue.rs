//! A bucket queue: the smallest key first; within a key, first-in first-out or last-in first-out.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::hash::BuildHasherDefault;

use super::priority::Key;
use crate::checkpoint::{Archive, Archived, archived};
use crate::error::Result;
use crate::grow::{Grow, grow_map, table_bytes};
use crate::search::space::Id;
use crate::vm::tables::Spread;

/// A queued state, with the cost and the steps of the path to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub cost: u64,
    pub depth: u32,
    pub id: Id,
}

archived!(Entry: cost, depth, id);

/// Which entry of a key comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum First {
    #[default]
    Oldest,
    Newest,
}

/// The keys are in a heap, and a table gives the bucket of each. (The alternatives are worse: the
/// standard library's tree aborts when out of memory, and a sorted list is slow with many keys.)
#[derive(Default)]
pub struct Queue {
    heap: BinaryHeap<Reverse<(Key, u32)>>,
    places: HashMap<Key, u32, BuildHasherDefault<Spread>>,
    /// Those of the queued keys, and empty ones for reuse.
    buckets: Vec<VecDeque<Entry>>,
    spare: Vec<u32>,
    /// The total over all buckets.
    capacity: usize,
    /// The last bucket pushed to.
    last: Option<(Key, u32)>,
    first: First,
}

impl Archived for Queue {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        self.heap.archive(archive)?;
        self.buckets.archive(archive)?;
        self.spare.archive(archive)?;
        for &Reverse((key, place)) in &self.heap {
            grow_map(&mut self.places, key, place)?;
        }
        self.capacity = self.buckets.iter().map(VecDeque::capacity).sum();
        Ok(())
    }
}

impl Queue {
    pub fn new(first: First) -> Queue {
        Queue { first, ..Queue::default() }
    }

    pub fn push(&mut self, key: Key, entry: Entry) -> Result<()> {
        let place = match self.last {
            Some((last, place)) if last == key => place,
            _ => self.place(key)?,
        };
        self.last = Some((key, place));
        let bucket = &mut self.buckets[place as usize];
        let before = bucket.capacity();
        bucket.grow_push(entry)?;
        self.capacity += bucket.capacity() - before;
        Ok(())
    }

    /// The index of a key's bucket; an empty one for a new key.
    fn place(&mut self, key: Key) -> Result<u32> {
        if let Some(&place) = self.places.get(&key) {
            return Ok(place);
        }
        self.heap.grow_by(1)?;
        let place = match self.spare.pop() {
            Some(place) => place,
            None => {
                self.buckets.grow_push(VecDeque::new())?;
                self.buckets.len() as u32 - 1
            }
        };
        grow_map(&mut self.places, key, place)?;
        self.heap.grow_push(Reverse((key, place)))?;
        Ok(place)
    }

    /// The entry that `pop` would take.
    pub fn first(&self) -> Option<Entry> {
        let &Reverse((_, place)) = self.heap.peek()?;
        let bucket = &self.buckets[place as usize];
        match self.first {
            First::Oldest => bucket.front(),
            First::Newest => bucket.back(),
        }
        .copied()
    }

    pub fn pop(&mut self) -> Result<Option<Entry>> {
        let Some(&Reverse((key, place))) = self.heap.peek() else { return Ok(None) };
        let bucket = &mut self.buckets[place as usize];
        let entry = match self.first {
            First::Oldest => bucket.pop_front(),
            First::Newest => bucket.pop_back(),
        };
        if bucket.is_empty() {
            self.spare.grow_push(place)?;
            self.heap.pop();
            self.places.remove(&key);
            self.last = None;
        }
        Ok(entry)
    }

    pub fn first_key(&self) -> Option<Key> {
        self.heap.peek().map(|Reverse((key, _))| *key)
    }

    /// The number of distinct keys queued.
    pub fn keys(&self) -> usize {
        self.heap.len()
    }

    pub fn bytes(&self) -> usize {
        self.capacity * size_of::<Entry>()
            + self.buckets.capacity() * size_of::<VecDeque<Entry>>()
            + self.heap.capacity() * size_of::<(Key, u32)>()
            + table_bytes::<(Key, u32)>(self.places.capacity())
            + self.spare.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::priority::Number;
    use super::{Entry, First, Key, Queue};

    fn key(major: u64, part: u64, minor: u64) -> Key {
        Key { major: Number { whole: major, part }, minor: Number { whole: minor, part: 0 } }
    }

    fn order(first: First) -> Vec<(u64, u32)> {
        let keys = [key(0, 0, 9), key(1, 0, 2), key(1, 0, 3), key(1, 7, 0), key(1 << 40, 0, 0)];
        let mut queue = Queue::new(first);
        for (at, turn) in [3, 1, 4, 0, 2, 1, 3].into_iter().enumerate() {
            let entry = Entry { cost: turn as u64, depth: at as u32, id: 0 };
            queue.push(keys[turn], entry).unwrap();
        }
        assert_eq!(queue.keys(), keys.len());
        let mut order = Vec::new();
        while let Some(first) = queue.first() {
            assert_eq!(queue.first_key(), Some(keys[first.cost as usize]));
            assert_eq!(queue.pop().unwrap(), Some(first));
            order.push((first.cost, first.depth));
        }
        assert_eq!(queue.keys(), 0);
        order
    }

    #[test]
    fn the_smallest_key_comes_first_and_equal_ones_as_they_arrived_or_the_other_way_round() {
        let oldest = [(0, 3), (1, 1), (1, 5), (2, 4), (3, 0), (3, 6), (4, 2)];
        assert_eq!(order(First::Oldest), oldest);
        let newest = [(0, 3), (1, 5), (1, 1), (2, 4), (3, 6), (3, 0), (4, 2)];
        assert_eq!(order(First::Newest), newest);
    }

    #[test]
    fn emptied_buckets_are_used_again() {
        let mut queue = Queue::default();
        for turn in 0..100 {
            queue.push(key(turn, 0, 0), Entry { cost: turn, depth: 0, id: 0 }).unwrap();
            assert_eq!(queue.pop().unwrap().map(|entry| entry.cost), Some(turn));
        }
        assert_eq!((queue.buckets.len(), queue.keys()), (1, 0));
        let before = queue.bytes();
        for turn in 0..1000 {
            queue.push(key(7, 0, 0), Entry { cost: turn, depth: 0, id: 0 }).unwrap();
        }
        assert!(queue.bytes() >= before + 900 * size_of::<Entry>());
    }
}

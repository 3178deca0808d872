//! A queue of buckets: the smallest key first, within a key in order of arrival.

use std::collections::{BTreeMap, VecDeque};

use super::keys::Key;
use crate::space::Id;

/// A state that waits, with the cost and the steps of the way by which it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub cost: u64,
    pub depth: u32,
    pub id: Id,
}

#[derive(Default)]
pub struct Queue {
    buckets: BTreeMap<Key, VecDeque<Entry>>,
    /// Emptied buckets, whose memory is used again.
    spare: Vec<VecDeque<Entry>>,
    entries: usize,
}

impl Queue {
    pub fn push(&mut self, key: Key, entry: Entry) {
        let spare = &mut self.spare;
        let bucket = self.buckets.entry(key).or_insert_with(|| spare.pop().unwrap_or_default());
        bucket.push_back(entry);
        self.entries += 1;
    }

    /// The entry that `pop` takes.
    pub fn first(&self) -> Option<Entry> {
        self.buckets.first_key_value().and_then(|(_, bucket)| bucket.front().copied())
    }

    pub fn pop(&mut self) -> Option<Entry> {
        let mut first = self.buckets.first_entry()?;
        let entry = first.get_mut().pop_front();
        if first.get().is_empty() {
            self.spare.push(first.remove());
        }
        self.entries -= 1;
        entry
    }

    /// How many different keys wait.
    pub fn keys(&self) -> usize {
        self.buckets.len()
    }

    pub fn bytes(&self) -> usize {
        self.entries * size_of::<Entry>() + self.buckets.len() * size_of::<(Key, VecDeque<Entry>)>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys::Number;
    use super::{Entry, Key, Queue};

    fn key(major: u64, part: u64, minor: u64) -> Key {
        Key { major: Number { whole: major, part }, minor: Number { whole: minor, part: 0 } }
    }

    #[test]
    fn the_smallest_key_comes_first_and_equal_ones_as_they_arrived() {
        let keys = [key(0, 0, 9), key(1, 0, 2), key(1, 0, 3), key(1, 7, 0), key(1 << 40, 0, 0)];
        let mut queue = Queue::default();
        for (at, turn) in [3, 1, 4, 0, 2, 1, 3].into_iter().enumerate() {
            queue.push(keys[turn], Entry { cost: turn as u64, depth: at as u32, id: 0 });
        }
        assert_eq!(queue.keys(), keys.len());
        let order: Vec<_> = std::iter::from_fn(|| {
            queue.first().inspect(|_| assert_eq!(queue.first(), queue.pop()))
        })
        .map(|entry| (entry.cost, entry.depth))
        .collect();
        assert_eq!(order, [(0, 3), (1, 1), (1, 5), (2, 4), (3, 0), (3, 6), (4, 2)]);
        assert_eq!((queue.keys(), queue.bytes()), (0, 0));
    }
}

//! What `max_depth` keeps from being expanded, in the order in which it was first met.

use crate::checkpoint::{Done, Reader, Writer};
use crate::error::Result;
use crate::grow::{Grow, GrowCopies, listed};
use crate::search::space::Id;

/// A map from states that keeps the order of insertion; setting again keeps the place.
pub struct Cut<T> {
    entries: Vec<(Id, T)>,
    /// By state: its place in `entries` plus 1, or 0.
    places: Vec<u32>,
}

impl<T: Copy> Cut<T> {
    pub fn new() -> Cut<T> {
        Cut { entries: Vec::new(), places: Vec::new() }
    }

    pub fn set(&mut self, id: Id, what: T) -> Result<()> {
        let index = id as usize;
        if index >= self.places.len() {
            self.places.grow_resize(index + 1, 0)?;
        }
        if self.places[index] == 0 {
            self.entries.grow_push((id, what))?;
            self.places[index] = self.entries.len() as u32;
        } else {
            self.entries[self.places[index] as usize - 1].1 = what;
        }
        Ok(())
    }

    pub fn contains(&self, id: Id) -> bool {
        self.places.get(id as usize).is_some_and(|&place| place > 0)
    }

    /// Those that `free` accepts, in order.
    pub fn those(&self, free: impl Fn(T) -> bool) -> Result<Vec<(Id, T)>> {
        listed(self.entries.iter().copied().filter(|&(_, what)| free(what)))
    }

    /// Removes those that `free` accepts.
    pub fn remove(&mut self, free: impl Fn(T) -> bool) {
        for &(id, _) in &self.entries {
            self.places[id as usize] = 0;
        }
        self.entries.retain(|&(_, what)| !free(what));
        for (index, &(id, _)) in self.entries.iter().enumerate() {
            self.places[id as usize] = index as u32 + 1;
        }
    }

    pub fn ids(&self) -> Result<Vec<Id>> {
        listed(self.entries.iter().map(|&(id, _)| id))
    }

    /// Writes all, each by `write`.
    pub fn save(
        &self,
        out: &mut Writer,
        mut write: impl FnMut(&mut Writer, T) -> Done<()>,
    ) -> Done<()> {
        out.count(self.entries.len())?;
        for &(id, what) in &self.entries {
            out.word(id)?;
            write(out, what)?;
        }
        Ok(())
    }

    /// Into an empty one, each by `read`.
    pub fn load(
        &mut self,
        from: &mut Reader,
        states: Id,
        mut read: impl FnMut(&mut Reader) -> Done<T>,
    ) -> Done<()> {
        for _ in 0..from.count(1)? {
            let (id, what) = (from.state(states)?, read(from)?);
            self.set(id, what)?;
        }
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<(Id, T)>() + self.places.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::Cut;

    #[test]
    fn a_state_set_again_keeps_its_place_and_one_removed_before_comes_last() {
        let mut cut = Cut::new();
        for (id, depth) in [(7, 1), (3, 5), (5, 2), (7, 6)] {
            cut.set(id, depth).unwrap();
        }
        assert_eq!(cut.those(|_| true).unwrap(), [(7, 6), (3, 5), (5, 2)]);
        cut.remove(|depth| depth > 5);
        cut.set(7, 9).unwrap();
        assert_eq!(cut.ids().unwrap(), [3, 5, 7]);
    }
}

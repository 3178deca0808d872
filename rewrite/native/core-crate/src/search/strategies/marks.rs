//! A set of states that is emptied often.

use crate::error::Result;
use crate::grow::GrowCopies;
use crate::search::space::Id;

/// Emptied by counting on, not by writing: a state is inside where the last stamp is the present.
pub struct Marks {
    stamps: Vec<u32>,
    present: u32,
}

impl Marks {
    pub fn new() -> Marks {
        Marks { stamps: Vec::new(), present: 1 }
    }

    pub fn clear(&mut self) {
        self.present = self.present.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            1
        });
    }

    /// Puts a state in; returns whether it was not inside.
    pub fn insert(&mut self, id: Id) -> Result<bool> {
        let index = id as usize;
        if index >= self.stamps.len() {
            self.stamps.grow_resize(index + 1, 0)?;
        }
        let fresh = self.stamps[index] != self.present;
        self.stamps[index] = self.present;
        Ok(fresh)
    }

    pub fn contains(&self, id: Id) -> bool {
        self.stamps.get(id as usize) == Some(&self.present)
    }

    pub fn bytes(&self) -> usize {
        self.stamps.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn nothing_is_inside_after_clearing_also_where_the_stamps_run_out() {
        let mut marks = Marks { stamps: Vec::new(), present: u32::MAX };
        assert!(marks.insert(4).unwrap() && !marks.insert(4).unwrap() && marks.contains(4));
        marks.clear();
        assert!(!marks.contains(4) && marks.insert(4).unwrap());
    }
}

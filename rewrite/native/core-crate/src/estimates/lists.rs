//! Lists, one behind the other.

#[derive(Debug)]
pub struct Lists {
    /// Where each list begins, and the end of the last.
    begins: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub fn len(&self) -> usize {
        self.begins.len() - 1
    }

    pub fn get(&self, at: usize) -> &[u32] {
        &self.items[self.begins[at] as usize..self.begins[at + 1] as usize]
    }

    /// For each item below `count`, the numbers of the lists that contain it.
    pub fn inverse(&self, count: usize) -> Lists {
        let mut begins = vec![0; count + 2];
        for &item in &self.items {
            begins[item as usize + 2] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut items = vec![0; self.items.len()];
        for at in 0..self.len() {
            for &item in self.get(at) {
                // where the list goes on: in the end, where the next one begins
                let next = &mut begins[item as usize + 1];
                items[*next as usize] = at as u32;
                *next += 1;
            }
        }
        begins.pop();
        Lists { begins, items }
    }
}

impl<L: AsRef<[u32]>> FromIterator<L> for Lists {
    fn from_iter<I: IntoIterator<Item = L>>(all: I) -> Lists {
        let mut made = Lists { begins: vec![0], items: Vec::new() };
        for one in all {
            made.items.extend_from_slice(one.as_ref());
            made.begins.push(made.items.len() as u32);
        }
        made
    }
}

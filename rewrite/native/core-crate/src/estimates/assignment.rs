//! The assignment problem: match rows to columns at the least total cost.
//!
//! The Hungarian method by shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987).
//! Solutions are reused: only rows whose costs changed are reassigned.

use crate::error::Result;
use crate::grow::filled;

/// Exceeds any sum of allowed costs; marks a forbidden pair.
pub const FAR: i64 = 1 << 40;
/// When a price falls below this, the computation restarts from scratch.
const LOWEST: i64 = -(1 << 56);
const NONE: u32 = u32::MAX;

/// A square matrix of costs with its assignment. Rows without a column are free.
#[derive(Debug)]
pub struct Assignment {
    size: usize,
    /// Row by row.
    costs: Vec<i64>,
    /// Prices (dual variables): each cost is at least the sum of its row's and column's prices, with
    /// equality for assigned pairs.
    of_row: Vec<i64>,
    of_column: Vec<i64>,
    row_of: Vec<u32>,
    column_of: Vec<u32>,
    /// By column, during the path search: its distance, the row before it, and whether it is done.
    nearest: Vec<i64>,
    before: Vec<u32>,
    done: Vec<bool>,
}

impl Assignment {
    /// All rows cost nothing and are free.
    pub fn new(size: usize) -> Result<Assignment> {
        Ok(Assignment {
            size,
            costs: filled(size * size, 0)?,
            of_row: filled(size, 0)?,
            of_column: filled(size, 0)?,
            row_of: filled(size, NONE)?,
            column_of: filled(size, NONE)?,
            nearest: filled(size, 0)?,
            before: filled(size, NONE)?,
            done: filled(size, false)?,
        })
    }

    /// Replaces a row's costs and frees it.
    pub fn set_row(&mut self, row: usize, costs: impl Iterator<Item = i64>) {
        let own = &mut self.costs[row * self.size..(row + 1) * self.size];
        for (cost, new) in own.iter_mut().zip(costs) {
            *cost = new;
        }
        let column = std::mem::replace(&mut self.column_of[row], NONE);
        if column != NONE {
            self.row_of[column as usize] = NONE;
        }
    }

    /// The least total cost of a complete assignment; `FAR` or more if there is none.
    pub fn solve(&mut self) -> i64 {
        if self.of_column.iter().any(|&price| price < LOWEST) {
            self.of_row.fill(0);
            self.of_column.fill(0);
            self.row_of.fill(NONE);
            self.column_of.fill(NONE);
        }
        for row in 0..self.size {
            if self.column_of[row] == NONE {
                self.augment(row);
            }
        }
        let rows = self.costs.chunks_exact(self.size.max(1)).zip(&self.column_of);
        rows.map(|(costs, &column)| costs[column as usize]).sum()
    }

    /// Assigns a free row along the shortest augmenting path.
    fn augment(&mut self, free: usize) {
        self.of_row[free] = 0;
        for (column, cost) in self.costs[free * self.size..][..self.size].iter().enumerate() {
            self.nearest[column] = cost - self.of_column[column];
        }
        self.before.fill(free as u32);
        self.done.fill(false);
        let (end, least) = loop {
            let (mut next, mut least) = (0, i64::MAX);
            for column in 0..self.size {
                let far = self.nearest[column];
                // on ties, a free column ends the path
                let nearer = far < least || far == least && self.row_of[column] == NONE;
                if !self.done[column] && nearer {
                    (next, least) = (column, far);
                }
            }
            let row = self.row_of[next];
            if row == NONE {
                break (next, least);
            }
            self.done[next] = true;
            let costs = &self.costs[row as usize * self.size..][..self.size];
            let so_far = least - self.of_row[row as usize];
            for (column, cost) in costs.iter().enumerate() {
                let far = so_far + cost - self.of_column[column];
                if !self.done[column] && far < self.nearest[column] {
                    (self.nearest[column], self.before[column]) = (far, row);
                }
            }
        };
        self.of_row[free] += least;
        for column in 0..self.size {
            if self.done[column] {
                let more = least - self.nearest[column];
                self.of_column[column] -= more;
                self.of_row[self.row_of[column] as usize] += more;
            }
        }
        let mut column = end;
        loop {
            let row = self.before[column];
            self.row_of[column] = row;
            let given_up = std::mem::replace(&mut self.column_of[row as usize], column as u32);
            if row as usize == free {
                return;
            }
            column = given_up as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Assignment, FAR, LOWEST};
    use crate::random::Random;

    fn naive(costs: &[Vec<i64>], taken: u32) -> i64 {
        let row = taken.count_ones() as usize;
        if row == costs.len() {
            return 0;
        }
        let free = (0..costs.len()).filter(|&column| taken >> column & 1 == 0);
        free.map(|column| costs[row][column] + naive(costs, taken | 1 << column)).min().unwrap()
    }

    fn cost(random: &mut Random) -> i64 {
        if random.word().is_multiple_of(3) { FAR } else { i64::from(random.word() % 12) }
    }

    #[test]
    fn row_by_row_it_is_what_every_permutation_says() {
        let mut random = Random::new(11);
        for size in 1..=6 {
            let mut costs = vec![vec![0; size]; size];
            let mut one = Assignment::new(size).unwrap();
            assert_eq!(one.solve(), 0);
            let mut infinite = 0;
            for _ in 0..300 {
                for _ in 0..random.word() % 3 {
                    let row = random.word() as usize % size;
                    costs[row] = (0..size).map(|_| cost(&mut random)).collect();
                    one.set_row(row, costs[row].iter().copied());
                }
                let (found, least) = (one.solve(), naive(&costs, 0));
                assert_eq!(found.min(FAR), least.min(FAR));
                infinite += u32::from(least >= FAR);
            }
            assert!((3..290).contains(&infinite), "{infinite}");
        }
    }

    #[test]
    fn prices_that_fall_too_low_begin_anew() {
        let mut one = Assignment::new(3).unwrap();
        one.set_row(0, [5, 1, 9].into_iter());
        one.set_row(1, [2, 1, 9].into_iter());
        assert_eq!(one.solve(), 3);
        one.of_column.fill(LOWEST - 1);
        one.of_row.fill(7);
        assert_eq!((one.solve(), one.of_column.iter().all(|&price| price > -100)), (3, true));
    }
}

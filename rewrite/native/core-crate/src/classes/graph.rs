//! The usual free moves: one object walks from place to place, and each place is open or closed.
//!
//! Places are then bits of a set, and a class is flooded by sets of neighbours.

use super::Classes;
use crate::bits::{BitTest, ones};

/// Words of a set of places, at most.
const MOST_WORDS: usize = 4;

#[derive(Debug)]
pub struct Graph {
    /// Words of a set.
    pub words: usize,
    /// When a place is open.
    open: Vec<BitTest>,
    /// For each place, the set of those to which moves lead from there.
    rows: Vec<u64>,
    /// The same of the moves of one rule, by its counter.
    counted: Vec<(u16, Vec<u64>)>,
}

impl Graph {
    /// The free moves as a graph. None unless the target of a move and one word of the state decide
    /// whether it is possible.
    pub fn of(classes: &Classes) -> Option<Graph> {
        let [moved] = &classes.moved[..] else { return None };
        let places = moved.values as usize;
        let words = places.div_ceil(64).next_power_of_two();
        if words > MOST_WORDS || classes.checked {
            return None;
        }
        let mut open: Vec<Option<BitTest>> = vec![None; places];
        let mut counted: Vec<(u16, Vec<u64>)> = Vec::new();
        for here in 0..places {
            for edge in &classes.edges[moved.first + here] {
                let there = (here as i64 + edge.turn) as usize;
                let test = *open[there].get_or_insert(edge.test);
                if edge.more.is_some() || test != edge.test {
                    return None;
                }
                let number = counted.iter().position(|one| one.0 == edge.counter);
                let number = number.unwrap_or(counted.len());
                if number == counted.len() {
                    counted.push((edge.counter, vec![0; places * words]));
                }
                let word = &mut counted[number].1[here * words + there / 64];
                if *word >> (there % 64) & 1 == 1 {
                    return None; // it counts twice
                }
                *word |= 1 << (there % 64);
            }
        }
        let mut rows = vec![0; places * words];
        for (_, own) in &counted {
            rows.iter_mut().zip(own).for_each(|(row, own)| *row |= own);
        }
        let never = BitTest { word: 0, mask: 0, value: 1 };
        let open = open.into_iter().map(|test| test.unwrap_or(never)).collect();
        Some(Graph { words, open, rows, counted })
    }

    #[inline]
    pub fn open<const W: usize>(&self, key: &[u64]) -> [u64; W] {
        let mut open = [0; W];
        for (word, tests) in open.iter_mut().zip(self.open.chunks(64)) {
            for (at, test) in tests.iter().enumerate() {
                *word |= u64::from(test.holds(key)) << at;
            }
        }
        open
    }

    /// The set of places that are reached from one, itself included; `level`: those at each distance.
    #[inline]
    pub fn reach<const W: usize>(
        &self,
        open: &[u64; W],
        from: usize,
        mut level: impl FnMut(&[u64; W]),
    ) -> [u64; W] {
        let mut seen = [0; W];
        seen[from / 64] = 1 << (from % 64);
        let mut here = seen;
        loop {
            level(&here);
            let mut next = [0; W];
            each(&here, |place| {
                for (word, row) in next.iter_mut().zip(&self.rows[place * W..][..W]) {
                    *word |= row;
                }
            });
            let mut any = 0;
            for word in 0..W {
                next[word] &= open[word] & !seen[word];
                seen[word] |= next[word];
                any |= next[word];
            }
            if any == 0 {
                return seen;
            }
            here = next;
        }
    }

    /// Adds the moves that can be made from some places.
    pub fn count<const W: usize>(&self, from: &[u64; W], open: &[u64; W], counts: &mut [u64]) {
        for (counter, rows) in &self.counted {
            let mut sum = 0;
            each(from, |place| {
                let row = &rows[place * W..][..W];
                sum +=
                    row.iter().zip(open).map(|(row, open)| (row & open).count_ones()).sum::<u32>();
            });
            counts[*counter as usize] += u64::from(sum);
        }
    }
}

/// Hands over the members of a set, in order.
#[inline]
pub fn each<const W: usize>(set: &[u64; W], mut act: impl FnMut(usize)) {
    for (at, &word) in set.iter().enumerate() {
        ones(word).for_each(|bit| act(64 * at + bit));
    }
}

/// The least of a set that is not empty.
#[inline]
pub fn least<const W: usize>(set: &[u64; W]) -> usize {
    let at = set.iter().position(|&word| word != 0).unwrap_or(0);
    64 * at + set[at].trailing_zeros() as usize
}

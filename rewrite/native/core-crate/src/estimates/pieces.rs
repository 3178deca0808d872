//! The matching heuristic of pieces: the cost of moving each piece to a goal place, summed by a
//! least-cost assignment. Described in `analysis/pieces.py` and `search/heuristics/pieces.py`.
//!
//! A step moves one piece and leaves the costs of most others unchanged. So equal rows of costs share
//! one number, and from state to state only changed rows are reassigned.

use std::collections::HashMap;

use super::Place;
use super::assignment::{Assignment, FAR};
use super::distances::NO_WAY;
use super::fields::Fields;
use crate::error::{Error, Result};
use crate::estimate::Estimate;
use crate::grow::{Grow, GrowCopies, filled, grow_map, listed};

const NONE: u32 = u32::MAX;

/// Pieces as Python describes them.
#[derive(Debug, Default, Clone)]
pub struct Given {
    /// (field, number): a piece is there if the field holds the number.
    pub places: Vec<(u32, u32)>,
    /// For each place field, a number that stands for no piece.
    pub blanks: Vec<(u32, u32)>,
    /// (field, stride): the movers' values combine into one number.
    pub movers: Vec<(u32, u32)>,
    pub count: u32,
    /// For each goal place: whether a goal requires a piece there, and the distances, by place and by
    /// the movers' number.
    pub columns: Vec<(bool, Vec<u8>)>,
    /// The places from which a piece can reach a goal, in order.
    pub live: Vec<u32>,
    /// Whether two pieces can, by their live places and the movers' number; or empty.
    pub alive: Vec<u8>,
    /// By live place: for each move to another, the places that must be empty.
    pub moves: Vec<Vec<Vec<u32>>>,
    /// For each number of some fields, the live places that are then empty.
    pub apart: Vec<(u32, Vec<Vec<u32>>)>,
    /// The live places where a goal allows a piece.
    pub goals: Vec<u32>,
}

#[derive(Debug)]
pub struct Pieces {
    groups: Vec<Group>,
}

#[derive(Debug, Default)]
struct Group {
    /// Only the place fields.
    fields: Fields,
    /// Their bits; and a state without pieces.
    mask: Vec<u64>,
    blank: Vec<u64>,
    /// By field: where its numbers begin in `place_of`, which maps numbers to live places, or `NONE`.
    begins: Vec<u32>,
    place_of: Vec<u32>,
    movers: Vec<(Place, u32)>,
    places: usize,
    count: usize,
    /// The row of costs by live place and movers' number; `NONE` if no goal is reachable.
    row_of: Vec<u32>,
    size: usize,
    rows: Vec<u8>,
    /// Costs of an absent piece: optional goal places cost nothing.
    nobody: Vec<i64>,
    /// By place and movers' number, as bits: where a second piece may be.
    beside: Vec<u64>,
    /// By place: where its moves begin among `needs`, plus the end of the last; by move, as bits: the
    /// places that must be empty.
    moves: Vec<u32>,
    needs: Vec<u64>,
    apart: Vec<(Place, Vec<u64>)>,
    goals: Vec<u64>,
}

/// The assignment of the last state evaluated.
#[derive(Debug)]
struct Solved {
    assignment: Assignment,
    /// By row, one for each piece: its place and its costs.
    at: Vec<u32>,
    costs: Vec<u32>,
    /// The row of each place.
    row_at: Vec<u32>,
    /// The occupied places, in order and as bits.
    there: Vec<u32>,
    occupied: Vec<u64>,
    /// Those of them that may still be frozen.
    left: Vec<u64>,
}

/// Buffers, reused from state to state.
#[derive(Debug, Default)]
pub struct Moved {
    masked: Vec<u64>,
    solved: Vec<Solved>,
}

impl Pieces {
    /// `words`: the number of words in a state.
    pub fn new(all: &[Place], given: Vec<Given>, words: usize) -> Result<Pieces> {
        let groups: Result<Vec<Group>> =
            given.iter().map(|one| Group::new(all, one, words)).collect();
        Ok(Pieces { groups: groups? })
    }

    pub fn value(&self, words: &[u64], moved: &mut Moved) -> Result<Estimate> {
        if moved.solved.len() != self.groups.len() {
            moved.solved = Vec::new();
            for one in &self.groups {
                moved.solved.grow_push(one.begin()?)?;
            }
        }
        let mut whole = 0;
        for (group, solved) in self.groups.iter().zip(&mut moved.solved) {
            let masked = words.iter().zip(&group.mask).map(|(word, mask)| word & mask);
            moved.masked.refill(masked)?;
            match group.value(words, &moved.masked, solved)? {
                Some(least) => whole += least,
                None => return Ok(Estimate::Infinite),
            }
        }
        Ok(Estimate::Whole(whole))
    }

    pub fn bytes(&self) -> usize {
        self.groups.iter().map(Group::bytes).sum()
    }
}

#[inline]
fn meet(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

impl Group {
    fn new(all: &[Place], given: &Given, words: usize) -> Result<Group> {
        let field = |number: u32| all[number as usize];
        let own = listed(given.blanks.iter().map(|one| field(one.0)))?;
        let fields = Fields::new(&own, words)?;
        let (mut mask, mut blank) = (filled(words, 0)?, filled(words, 0)?);
        for (one, &(_, number)) in fields.places().iter().zip(&given.blanks) {
            mask[one.word as usize] |= one.mask << one.shift;
            blank[one.word as usize] |= u64::from(number) << one.shift;
        }
        let live = |place: usize| given.live.binary_search(&(place as u32)).ok();
        let (mut begins, mut place_of) = (Vec::new(), Vec::new());
        for (one, &(field, _)) in fields.places().iter().zip(&given.blanks) {
            let begin = place_of.len();
            begins.grow_push(begin as u32)?;
            // NONE - 1: the number is no place; NONE: a dead place
            place_of.grow_resize(begin + (1 << one.bits()), NONE - 1)?;
            for (place, at) in given.places.iter().enumerate().filter(|(_, at)| at.0 == field) {
                place_of[begin + at.1 as usize] = live(place).map_or(NONE, |place| place as u32);
            }
        }
        let movers = listed(given.movers.iter().map(|&(number, stride)| (field(number), stride)))?;
        let (size, count, places) = (given.columns.len(), given.count as usize, given.places.len());
        let entries = given.columns.first().map_or(0, |one| one.1.len());
        let nobody = listed(given.columns.iter().map(|one| if one.0 { FAR } else { 0 }))?;
        let mut made = Group {
            fields,
            mask,
            blank,
            begins,
            place_of,
            movers,
            places: given.live.len(),
            count,
            size,
            nobody,
            moves: filled(1, 0)?,
            ..Group::default()
        };
        made.read_rows(given, entries / places)?;
        let size = made.places.max(1);
        for (number, ways) in given.alive.chunks_exact(size).enumerate() {
            // a piece is not a second piece beside itself
            let may = |&(other, way): &(usize, u8)| way != NO_WAY || other == number % size;
            let beside = ways.iter().copied().enumerate().filter(may);
            made.beside.grow_slice(&made.bits(beside.map(|one| one.0 as u32))?)?;
        }
        for one in &given.moves {
            for needs in one {
                made.needs.grow_slice(&made.bits(needs.iter().copied())?)?;
            }
            let before = made.moves.last().map_or(0, |&end| end);
            made.moves.grow_push(before + one.len() as u32)?;
        }
        for (number, empty) in &given.apart {
            let mut all = Vec::new();
            for one in empty {
                all.grow_slice(&made.bits(one.iter().copied())?)?;
            }
            made.apart.grow_push((field(*number), all))?;
        }
        made.goals = made.bits(given.goals.iter().copied())?;
        Ok(made)
    }

    fn bits(&self, live: impl IntoIterator<Item = u32>) -> Result<Vec<u64>> {
        let mut made = filled(self.width(), 0)?;
        for place in live {
            made[place as usize / 64] |= 1 << (place % 64);
        }
        Ok(made)
    }

    /// Numbers the rows of costs; equal rows share a number.
    fn read_rows(&mut self, given: &Given, moved_by: usize) -> Result<()> {
        let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
        for by in 0..moved_by {
            for &place in &given.live {
                let at = by * given.places.len() + place as usize;
                let row = listed(given.columns.iter().map(|one| one.1[at]))?;
                let mut number = NONE;
                if row.iter().any(|&one| one != NO_WAY) {
                    let next = (self.rows.len() / self.size) as u32;
                    number = known.get(&row).copied().unwrap_or(next);
                    if number == next {
                        self.rows.grow_slice(&row)?;
                        grow_map(&mut known, row, next)?;
                    }
                }
                self.row_of.grow_push(number)?;
            }
        }
        Ok(())
    }

    /// The number of words for a bit per place.
    fn width(&self) -> usize {
        self.places.div_ceil(64)
    }

    fn begin(&self) -> Result<Solved> {
        let mut assignment = Assignment::new(self.size)?;
        for row in self.count..self.size {
            assignment.set_row(row, self.nobody.iter().copied());
        }
        Ok(Solved {
            assignment,
            at: filled(self.count, NONE)?,
            costs: filled(self.count, NONE)?,
            row_at: filled(self.places, NONE)?,
            there: Vec::new(),
            occupied: filled(self.width(), 0)?,
            left: filled(self.width(), 0)?,
        })
    }

    /// The least cost of moving all pieces; None if impossible.
    fn value(&self, words: &[u64], masked: &[u64], solved: &mut Solved) -> Result<Option<u64>> {
        let Solved { there, occupied, .. } = solved;
        there.clear();
        occupied.fill(0);
        let mut dead = 0;
        self.fields.changes(&self.blank, masked, |field, _, number| {
            match self.place_of[self.begins[field] as usize + number as usize] {
                NONE => dead += 1,
                place if (place as usize) < self.places => {
                    occupied[place as usize / 64] |= 1 << (place % 64);
                    there.grow_push(place)?;
                }
                _ => {} // another number for no piece
            }
            Ok::<(), Error>(())
        })?;
        if there.len() + dead != self.count {
            return Ok(Some(0)); // not a reachable state; a symmetry may lead there
        }
        if dead > 0 {
            return Ok(None);
        }
        let by: usize = self
            .movers
            .iter()
            .map(|(one, stride)| one.held(words) as usize * *stride as usize)
            .sum();
        let first = by * self.places;
        let row_of = &self.row_of[first..first + self.places];
        if !self.may_all_arrive(first, solved) {
            return Ok(None);
        }
        if solved.there.iter().any(|&place| row_of[place as usize] == NONE)
            || self.are_stuck(words, solved)?
        {
            return Ok(None);
        }
        self.follow(row_of, solved);
        let least = solved.assignment.solve();
        Ok(if least < FAR { Some(least as u64) } else { None })
    }

    /// Whether every pair of pieces can reach goals together.
    fn may_all_arrive(&self, first: usize, solved: &Solved) -> bool {
        let width = self.width();
        self.beside.is_empty()
            || solved.there.iter().all(|&place| {
                let beside = &self.beside[(first + place as usize) * width..][..width];
                solved.occupied.iter().zip(beside).all(|(there, may)| there & !may == 0)
            })
    }

    /// Whether a piece off its goal places is frozen: each of its moves needs a place that holds
    /// another frozen piece.
    fn are_stuck(&self, words: &[u64], solved: &mut Solved) -> Result<bool> {
        let Solved { there, occupied, left, .. } = solved;
        let width = self.width();
        for (one, empty) in &self.apart {
            let first = one.held(words) as usize * width;
            if meet(&empty[first..first + width], occupied) {
                return Ok(false); // not a reachable state; a symmetry may lead there
            }
        }
        left.copy_from_slice(occupied);
        loop {
            let mut freed = false;
            for &place in there.iter() {
                let (word, bit) = (place as usize / 64, 1 << (place % 64));
                let moves = self.moves[place as usize]..self.moves[place as usize + 1];
                let needs = |at: u32| &self.needs[at as usize * width..][..width];
                if left[word] & bit != 0 && moves.into_iter().any(|at| !meet(needs(at), left)) {
                    left[word] ^= bit;
                    freed = true;
                }
            }
            if !freed {
                return Ok(left.iter().zip(&self.goals).any(|(left, goals)| left & !goals != 0));
            }
        }
    }

    /// Keeps the row of each piece whose place was occupied before, and changes the others.
    fn follow(&self, row_of: &[u32], solved: &mut Solved) {
        let Solved { assignment, at, costs, row_at, there, occupied, .. } = solved;
        for place in at.iter_mut().filter(|place| **place != NONE) {
            if occupied[*place as usize / 64] >> (*place % 64) & 1 == 0 {
                row_at[*place as usize] = NONE;
                *place = NONE;
            }
        }
        let mut row = 0;
        for &place in there.iter() {
            if row_at[place as usize] == NONE {
                while at[row] != NONE {
                    row += 1;
                }
                at[row] = place;
                row_at[place as usize] = row as u32;
            }
        }
        for (row, (place, known)) in at.iter().zip(costs).enumerate() {
            let number = row_of[*place as usize];
            if number != *known {
                *known = number;
                let own = &self.rows[number as usize * self.size..][..self.size];
                let far = own.iter().map(|&one| if one == NO_WAY { FAR } else { i64::from(one) });
                assignment.set_row(row, far);
            }
        }
    }

    fn bytes(&self) -> usize {
        self.rows.capacity()
            + 4 * (self.row_of.capacity() + self.place_of.capacity() + self.begins.capacity())
            + 8 * (self.beside.capacity() + self.needs.capacity())
            + self.fields.bytes()
    }
}

#[cfg(test)]
mod tests;

//! The distances of all states of an index from a start: breadth-first search without a state store.

use std::path::Path;
use std::time::Instant;

use super::index::Index;
use super::marks::{Marks, STRETCH};
use super::moves::{Expander, Move, Unpacking};
use super::windows::Windows;
use crate::bits::ones;
use crate::checkpoint::{Archive, Archived, Files, LAYOUT, Lengths};
use crate::error::{Error, Result};
use crate::grow::{Grow, copied, probe};
use crate::search::context::BETWEEN_PULSES;
use crate::search::limits::{Limit, Limits, Stop};

/// "dist", as the first word of a file.
const MAGIC: u32 = 0x7473_6964;
/// States expanded between two checks of the clock, about.
const BATCH: usize = if cfg!(test) { 1 << 10 } else { 1 << 14 };
/// Bytes that preparing the moves takes in allocations that cannot fail, about.
pub(super) const ROOM: usize = 8 << 20;
/// A level larger than one in this many states of the index is not listed but found by scanning.
const SHARE: u64 = 64;
/// Levels up to this size are always listed.
const LISTED: u64 = if cfg!(test) { 1 << 12 } else { 1 << 20 };

/// Called every 50 ms with the states seen and the depth; true requests a stop.
pub type Pulse<'a> = dyn FnMut(u64, u64) -> Result<bool> + 'a;

/// Watches the limits of a search, and calls its pulse.
pub struct Watch<'a, 'b> {
    pub limits: &'a Limits,
    pulse: &'a mut Pulse<'b>,
    last: Instant,
}

impl<'a, 'b> Watch<'a, 'b> {
    pub fn new(limits: &'a Limits, pulse: &'a mut Pulse<'b>) -> Watch<'a, 'b> {
        Watch { limits, pulse, last: Instant::now() }
    }

    pub fn look(&mut self, states: u64, depth: u64) -> Result<Option<Stop>> {
        if self.limits.max_states.is_some_and(|most| states >= most) {
            return Ok(Some(Stop::Limit(Limit::MaxStates)));
        }
        let now = Instant::now();
        if self.limits.deadline.is_some_and(|deadline| now >= deadline) {
            return Ok(Some(Stop::Limit(Limit::MaxSeconds)));
        }
        if now - self.last >= BETWEEN_PULSES {
            self.last = now;
            if (self.pulse)(states, depth)? {
                return Ok(Some(Stop::Interrupted));
            }
        }
        Ok(None)
    }
}

/// The distances of all states reachable from a start, by their numbers.
pub trait Distances: Archived + Send + Sync {
    fn index(&self) -> &Index;

    fn moves(&self) -> &[Move];

    /// The sizes of the complete levels.
    fn levels(&self) -> &[u64];

    /// What the stored levels are the remainders of; 0 if they are the levels themselves.
    fn modulus(&self) -> u64;

    /// What is stored of a state's level: itself, or its remainder, + 1. 0 for a state that was not
    /// seen, or has no index.
    fn get(&self, held: &[u8]) -> u64;

    /// The level of a state; None if it was not seen. Traces remainders back to the start.
    fn level(&self, held: &[u8]) -> Option<u64> {
        let stored = self.get(held).checked_sub(1)?;
        if self.modulus() == 0 {
            return Some(stored);
        }
        let mut back = held.to_vec();
        let mut level = 0;
        while back != self.index().held {
            back = self.before(&back)?;
            level += 1;
        }
        Some(level)
    }

    /// A neighbour in the level before a seen state's, if remainders are stored: each move then has
    /// one that undoes it. None for the start.
    fn before(&self, held: &[u8]) -> Option<Vec<u8>> {
        let wanted = 1 + (self.get(held) + self.modulus() - 2) % self.modulus();
        let moves = self.moves().iter().filter(|one| one.applies(held));
        moves.map(|one| one.made(held)).find(|made| self.get(made) == wanted)
    }

    /// The deepest complete level, if it is small enough to list; ascending.
    fn deepest(&self) -> Result<Option<Vec<u64>>>;

    /// Searches all levels; resumes where it was stopped, even in mid-level.
    fn fill(&mut self, threads: usize, watch: &mut Watch<'_, '_>) -> Result<Stop>;

    /// Tells files of one kind of table from those of another.
    fn kind(&self) -> u64;

    fn save(&mut self, files: &mut Files, number: u32) -> Result<Lengths> {
        let mut out = files.writer(number)?;
        out.words([MAGIC, LAYOUT])?;
        out.long(self.kind())?;
        self.archive(&mut Archive::Saving(&mut out))?;
        files.finish(out)
    }

    /// Loads them into a new table with the same index.
    fn load(&mut self, files: &Files, number: u32) -> Result<()> {
        let mut from = files.reader(number)?;
        if [from.word()?, from.word()?] != [MAGIC, LAYOUT] || from.long()? != self.kind() {
            return Err(from.damaged("no table of distances, or one of another version"));
        }
        self.archive(&mut Archive::Loading(&mut from))?;
        from.end()
    }
}

/// A table with a mark for each number.
pub struct Table<M: Marks> {
    index: Index,
    moves: Vec<Move>,
    marks: M,
    levels: Vec<u64>,
    /// The deepest level, if it is small enough to list; ascending.
    deepest: Option<Vec<u32>>,
    /// Marked states, including those of the incomplete level.
    states: u64,
}

impl<M: Marks> Table<M> {
    /// The caller must have checked the memory budget, or names the folder of a file to keep marks in.
    pub fn new(index: Index, moves: Vec<Move>, folder: Option<&Path>) -> Result<Table<M>> {
        let Some(first) = index.find(&index.held).filter(|_| index.size() < 1 << 32) else {
            return Err(Error::Unsupported("a start without a number of 32 bits".into()));
        };
        let mut marks = M::new(index.size(), folder)?;
        marks.claim(first as u32, 0);
        let (levels, deepest) = (copied(&[1])?, Some(copied(&[first as u32])?));
        Ok(Table { index, moves, marks, levels, deepest, states: 1 })
    }

    fn levels_by<E: Expander>(
        &mut self,
        expander: &mut E,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Stop> {
        let limits = watch.limits;
        let size = self.index.size();
        let mut level = Level {
            stretches: size.div_ceil(u64::from(STRETCH)) as u32,
            marks: &mut self.marks,
            expander,
            watch,
            states: self.states,
            depth: self.levels.len() as u64 - 1,
            most: (size / SHARE).max(LISTED) as usize,
        };
        let mut listed = self.deepest.take();
        let mut following = level.begun(self.levels.iter().sum())?;
        let stop = loop {
            if limits.max_depth.is_some_and(|most| level.depth >= most) {
                break if level.leads_on(listed.as_deref())? {
                    Stop::Limit(Limit::MaxDepth)
                } else {
                    Stop::Exhausted
                };
            }
            if level.depth >= M::DEEPEST {
                return Err(Error::Unsupported(format!("more than {} levels", M::DEEPEST)));
            }
            let before = self.levels.iter().sum();
            if let Some(stop) = level.expand(listed.as_deref(), &mut following)? {
                break stop;
            }
            if level.states == before {
                break Stop::Exhausted;
            }
            self.levels.grow_push(level.states - before)?;
            level.depth += 1;
            listed = following.replace(Vec::new());
        };
        if let Some(listed) = &mut listed {
            listed.sort_unstable();
        }
        (self.deepest, self.states) = (listed, level.states);
        Ok(stop)
    }
}

impl<M: Marks> Distances for Table<M> {
    fn index(&self) -> &Index {
        &self.index
    }

    fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn levels(&self) -> &[u64] {
        &self.levels
    }

    fn modulus(&self) -> u64 {
        M::MODULUS
    }

    fn get(&self, held: &[u8]) -> u64 {
        self.index.find(held).map_or(0, |index| self.marks.get(index as u32))
    }

    fn deepest(&self) -> Result<Option<Vec<u64>>> {
        let Some(deepest) = &self.deepest else { return Ok(None) };
        let mut found = Vec::new();
        found.grow_extend(deepest.iter().map(|&index| index.into()))?;
        Ok(Some(found))
    }

    fn fill(&mut self, _: usize, watch: &mut Watch<'_, '_>) -> Result<Stop> {
        probe(ROOM)?;
        let (index, moves) = (self.index.clone(), std::mem::take(&mut self.moves));
        let done = match Windows::new(&index, &moves) {
            Some(windows) => self.levels_by(&mut &windows, watch),
            None => self.levels_by(&mut Unpacking::new(&index, &moves), watch),
        };
        self.moves = moves;
        done
    }

    fn kind(&self) -> u64 {
        M::DEEPEST
    }
}

impl<M: Marks> Archived for Table<M> {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        self.levels.archive(archive)?;
        self.states.archive(archive)?;
        self.deepest.archive(archive)?;
        self.marks.archive(archive)
    }
}

/// The level-by-level search.
struct Level<'a, 'b, 'c, M: Marks, E: Expander> {
    stretches: u32,
    marks: &'a mut M,
    expander: &'a mut E,
    watch: &'a mut Watch<'b, 'c>,
    states: u64,
    depth: u64,
    most: usize,
}

impl<M: Marks, E: Expander> Level<'_, '_, '_, M, E> {
    /// The states of the next level found before the search was stopped; None if there are too many
    /// to list. `complete`: the number of states up to the current level.
    fn begun(&self, complete: u64) -> Result<Option<Vec<u32>>> {
        let count = self.states - complete;
        if count > self.most as u64 {
            return Ok(None);
        }
        let mut found = Vec::new();
        for stretch in 0..if count > 0 { self.stretches } else { 0 } {
            push_all(stretch, self.marks.waiting(stretch, self.depth + 1), &mut found)?;
        }
        Ok(Some(found))
    }

    /// Expands a level, listed or found by scanning; lists the next while it is small.
    fn expand(
        &mut self,
        listed: Option<&[u32]>,
        following: &mut Option<Vec<u32>>,
    ) -> Result<Option<Stop>> {
        if let Some(stop) = self.look()? {
            return Ok(Some(stop));
        }
        if let Some(listed) = listed {
            for batch in listed.chunks(BATCH) {
                for &index in batch {
                    self.marks.expanded(index / STRETCH, 1 << (index % STRETCH));
                }
                self.expand_all(batch, following)?;
                if let Some(stop) = self.look()? {
                    return Ok(Some(stop));
                }
            }
            return Ok(None);
        }
        let mut batch = Vec::new();
        batch.grow_by(BATCH + STRETCH as usize)?;
        for stretch in 0..self.stretches {
            let waiting = self.marks.waiting(stretch, self.depth);
            push_all(stretch, waiting, &mut batch)?;
            self.marks.expanded(stretch, waiting);
            let many = batch.len() >= BATCH;
            if many {
                self.expand_all(&batch, following)?;
                batch.clear();
            }
            if (many || stretch.is_multiple_of(1 << 18))
                && let Some(stop) = self.look()?
            {
                self.expand_all(&batch, following)?; // already marked as expanded
                return Ok(Some(stop));
            }
        }
        self.expand_all(&batch, following)?;
        self.look()
    }

    fn expand_all(&mut self, batch: &[u32], following: &mut Option<Vec<u32>>) -> Result<()> {
        let (marks, next, most) = (&mut *self.marks, self.depth + 1, self.most);
        let (mut fresh, mut done) = (0, Ok(()));
        for &index in batch {
            self.expander.each(index, &mut |successor| {
                if marks.claim(successor, next) {
                    fresh += 1;
                    if let (Some(listed), Ok(())) = (following.as_mut(), &done) {
                        done = listed.grow_push(successor);
                    }
                }
            });
        }
        self.states += fresh;
        if following.as_ref().is_some_and(|listed| listed.len() > most) {
            *following = None;
        }
        done
    }

    /// Whether a state of the level has an unseen successor.
    fn leads_on(&mut self, listed: Option<&[u32]>) -> Result<bool> {
        let Level { marks, expander, depth, .. } = self;
        let mut leads_on = |&index: &u32| {
            let mut found = false;
            expander.each(index, &mut |successor| found |= !marks.seen(successor));
            found
        };
        if let Some(listed) = listed {
            return Ok(listed.iter().any(leads_on));
        }
        let mut batch = Vec::new();
        for stretch in 0..self.stretches {
            batch.clear();
            push_all(stretch, marks.waiting(stretch, *depth), &mut batch)?;
            if batch.iter().any(&mut leads_on) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn look(&mut self) -> Result<Option<Stop>> {
        self.watch.look(self.states, self.depth)
    }
}

/// Appends the indices of states of a stretch.
#[inline]
fn push_all(stretch: u32, states: u64, out: &mut Vec<u32>) -> Result<()> {
    out.grow_by(STRETCH as usize)?;
    out.grow_extend(ones(states).map(|bit| STRETCH * stretch + bit as u32))
}

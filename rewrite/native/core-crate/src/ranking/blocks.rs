//! Distances in two bits a state, in blocks that fit a cache, on many threads.
//!
//! For a permutation whose mover changes the colour of its place with every step, as the hole of
//! sliding tiles does on a chessboard. Then states of one level have places of one colour, and those
//! of the next the other, so a level is read and the next written without sharing anything. A place's
//! states are a *segment*, cut into blocks of some thousand states with the same first digits. A block
//! asks which of its states follow from open ones: most steps leave the offset in a block alone (then
//! 64 states take one instruction) or the block (then the offset comes from a table).
//!
//! Of each state two bits are kept: unseen, open (of the last two levels), or closed with the level
//! modulo 4, of which the colour says half. (Two bits a state: Cooperman and Finkelstein 1992; a
//! place's states side by side: Korf and Schultze, Large-Scale Parallel Breadth-First Search, AAAI 2005.)

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::index::{Index, Part};
use super::moves::Move;
use super::permutation::Permutation;
use super::table::{Distances, ROOM, Watch};
use super::windows::{Making, Step, Window};
use super::zeroed::Zeroed;
use crate::bits::ones;
use crate::checkpoint::{Archive, Archived};
use crate::error::{Error, Result};
use crate::grow::{Grow, copied, filled, probe};
use crate::search::limits::{Limit, Stop};
use crate::store::crew::Crew;

/// The others whose order differs within a block, at most.
const INSIDE: usize = if cfg!(test) { 6 } else { 8 };
/// Words for one bit of each state of a block, at most: 8! states.
const MOST_WORDS: usize = 630;
/// Blocks that a thread does in one go.
const AT_ONCE: usize = if cfg!(test) { 2 } else { 32 };

/// Of a block: no state was seen yet; some are open; none is.
const UNTOUCHED: u8 = 0;
const OPEN: u8 = 1;
const CLOSED: u8 = 2;

/// The states with the mover in one place.
struct Segment {
    /// Of each block the first bits of its states, 64 a word, then their second bits.
    words: Zeroed<u64>,
    /// What is known of each block: `UNTOUCHED`, `OPEN` or `CLOSED`.
    open: Vec<u8>,
}

/// How the open states of a segment lead to a block of another.
enum Way {
    /// To states with the same rank.
    Same,
    /// To states of the same block: the new offsets, for even and odd digits before.
    Inside(Window, [Box<[u16]>; 2]),
    /// Back from the block: runs of states, side by side, are side by side there.
    Across(Window),
}

/// The ways that lead to a segment, each from a segment of the other colour.
type Ways = Vec<(usize, Way)>;

/// A table of distances in blocks.
pub struct Blocks {
    index: Index,
    moves: Vec<Move>,
    /// States of a block, and words for one bit of each.
    block: u64,
    words: usize,
    /// By place: its colour, and which segment of that colour it is.
    places: Vec<(usize, usize)>,
    segments: [Vec<Segment>; 2],
    ways: [Vec<Ways>; 2],
    /// The colour of the start.
    first: usize,
    /// The sizes of the complete levels.
    levels: Vec<u64>,
    /// Seen states, including those of the incomplete level.
    states: u64,
    /// So many jobs of the incomplete level are done.
    done: usize,
}

/// Some blocks of a segment, side by side.
struct Job<'a> {
    segment: usize,
    /// The first of the blocks.
    first: u64,
    words: &'a mut [u64],
    open: &'a mut [u8],
}

fn order(index: &Index) -> Option<&Permutation> {
    match &index.parts[..] {
        [Part::Permuted { order, .. }] => order.mover.map(|_| order),
        _ => None,
    }
}

impl Blocks {
    /// Every move must have one that undoes it. The caller must have checked the memory budget.
    pub fn new(index: Index, moves: Vec<Move>, folder: Option<&Path>) -> Result<Blocks> {
        probe(ROOM)?;
        let unfit = || Error::Unsupported("steps that do not fit blocks".into());
        let found = index.find(&index.held).ok_or_else(unfit)?;
        let order = order(&index).ok_or_else(unfit)?.clone();
        let steps = Step::all(&index, &moves).ok_or_else(unfit)?;
        let colours = coloured(order.n, &steps).ok_or_else(unfit)?;
        let mut counts = [0, 0];
        let place = |&colour: &usize| {
            counts[colour] += 1;
            (colour, counts[colour] - 1)
        };
        let places: Vec<(usize, usize)> = colours.iter().map(place).collect();
        let split = order.others().saturating_sub(INSIDE);
        let block = if split == 0 { order.rest } else { order.strides[split - 1] };
        let words = block.div_ceil(64) as usize;
        let mut ways = counts.map(|count| (0..count).map(|_| Ways::new()).collect::<Vec<_>>());
        let mut making = Making::new(&order);
        for step in &steps {
            let window = step.window(order.digits());
            let (way, from, to) = match window {
                None => (Way::Same, step.from, step.to),
                Some(range) if range.start >= split => {
                    let window = making.window(step, split..order.others()).ok_or_else(unfit)?;
                    let odd = order.odd.is_some();
                    let new = |odd_before: usize| {
                        let table = window.table.iter().map(|&new| new as u16);
                        table.skip(odd_before).step_by(1 + usize::from(odd)).collect()
                    };
                    let tables = [new(0), new(usize::from(odd))];
                    (Way::Inside(window, tables), step.from, step.to)
                }
                Some(range) => {
                    // asked backwards: the step that undoes one has the same window
                    let window = making.window(step, range).ok_or_else(unfit)?;
                    (Way::Across(window), step.to, step.from)
                }
            };
            let (colour, to) = places[to];
            ways[colour][to].push((places[from].1, way));
        }
        let (count, size) = ((order.rest / block) as usize, 2 * words as u64);
        let segment = |_| {
            let words = Zeroed::new(count as u64 * size, folder)?;
            Ok(Segment { words, open: filled(count, UNTOUCHED)? })
        };
        let mut segments = [Vec::new(), Vec::new()];
        for (colour, segments) in segments.iter_mut().enumerate() {
            *segments = (0..counts[colour]).map(segment).collect::<Result<_>>()?;
        }
        let mut made = Blocks {
            first: places[(found / order.rest) as usize].0,
            index,
            moves,
            block,
            words,
            places,
            segments,
            ways,
            levels: copied(&[1])?,
            states: 1,
            done: 0,
        };
        let ((colour, segment), block, offset) = made.at(found);
        let begun = &mut made.segments[colour][segment];
        for half in [0, words] {
            begun.words[block * 2 * words + half + offset / 64] |= 1 << (offset % 64);
        }
        begun.open[block] = OPEN;
        Ok(made)
    }

    /// The segment (of a colour), block and offset of a state.
    fn at(&self, index: u64) -> ((usize, usize), usize, usize) {
        let rest = order(&self.index).map_or(1, |order| order.rest);
        let (place, rank) = (index / rest, index % rest);
        (self.places[place as usize], (rank / self.block) as usize, (rank % self.block) as usize)
    }

    fn depth(&self) -> u64 {
        self.levels.len() as u64 - 1
    }

    /// The colour of the states of the last complete level.
    fn colour(&self) -> usize {
        (self.first + self.depth() as usize) % 2
    }

    /// Finds the next level, or the rest of it. Returns how many states were found, and why it
    /// stopped. Without a watch nothing is written, and it stops at the first find.
    fn level(
        &mut self,
        crew: &mut Crew,
        threads: usize,
        mut watch: Option<&mut Watch<'_, '_>>,
    ) -> Result<(Option<Stop>, u64)> {
        let (depth, colour, states) = (self.depth(), self.colour(), self.states);
        let (length, writes) = (2 * self.words, watch.is_some());
        let (even, odd) = self.segments.split_at_mut(1);
        let (from, to) =
            if colour == 0 { (&even[0], &mut odd[0]) } else { (&odd[0], &mut even[0]) };
        let task = Task {
            block: self.block,
            from,
            ways: &self.ways[1 - colour],
            high: depth.wrapping_sub(1) & 2 != 0,
            writes,
        };
        let mut jobs = Vec::new();
        for (segment, one) in to.iter_mut().enumerate() {
            let chunks = one.words.chunks_mut(AT_ONCE * length).zip(one.open.chunks_mut(AT_ONCE));
            for (first, (words, open)) in (0..).step_by(AT_ONCE).zip(chunks) {
                jobs.grow_push(Job { segment, first, words, open })?;
            }
        }
        // what leads to a block is mostly in blocks of the same number: still in the cache
        jobs.sort_unstable_by_key(|job| (job.first, job.segment));
        let all = jobs.len();
        let left = Mutex::new(jobs.iter_mut().skip(self.done));
        let (over, found) = (AtomicBool::new(false), AtomicU64::new(0));
        let next = || {
            // whoever takes one does it: so those that are done come before those that are not
            let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
            if over.load(Relaxed) { None } else { left.next() }
        };
        let run = |job: &mut Job<'_>| {
            let more = task.run(job);
            found.fetch_add(more, Relaxed);
            over.fetch_or(!writes && more > 0, Relaxed);
        };
        let mut stop = Ok(None);
        let work = || {
            while let Some(job) = next() {
                run(job);
            }
        };
        crew.run(threads.saturating_sub(1), &work, || {
            while let Some(job) = next() {
                run(job);
                if let Some(watch) = &mut watch {
                    stop = watch.look(states + found.load(Relaxed), depth);
                    over.fetch_or(!matches!(stop, Ok(None)), Relaxed);
                }
            }
        });
        // once more when all are done: so it does not count for a limit who was how fast
        if let (Some(watch), Ok(None)) = (watch, &stop) {
            stop = watch.look(states + found.load(Relaxed), depth);
        }
        let left = left.into_inner().unwrap_or_else(PoisonError::into_inner).len();
        if writes {
            self.done = all - left;
        }
        Ok((stop?, found.into_inner()))
    }
}

impl Distances for Blocks {
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
        4
    }

    fn get(&self, held: &[u8]) -> u64 {
        let Some(index) = self.index.find(held) else { return 0 };
        let ((colour, segment), block, offset) = self.at(index);
        let words = &self.segments[colour][segment].words[2 * self.words * block..];
        let bit = |words: &[u64]| words[offset / 64] >> (offset % 64) & 1;
        let level = match (bit(words), bit(&words[self.words..])) {
            (0, 0) => return 0,
            (1, 1) if colour == self.colour() => self.depth(),
            (1, 1) => {
                let job = block / AT_ONCE * self.segments[colour].len() + segment;
                self.depth() + if job < self.done { 1 } else { 3 }
            }
            (_, half) => 2 * half + (colour ^ self.first) as u64,
        };
        1 + level % 4
    }

    fn deepest(&self) -> Result<Option<Vec<u64>>> {
        let mut found = Vec::new();
        let rest = order(&self.index).map_or(1, |order| order.rest);
        for (place, &(colour, segment)) in (0..).zip(&self.places) {
            if colour != self.colour() {
                continue;
            }
            let one = &self.segments[colour][segment];
            for block in (0..one.open.len()).filter(|&block| one.open[block] == OPEN) {
                let first = place * rest + block as u64 * self.block;
                each(&one.words[2 * self.words * block..][..2 * self.words], |offset| {
                    found.grow_push(first + offset as u64)
                })?;
            }
        }
        Ok(Some(found))
    }

    fn fill(&mut self, threads: usize, watch: &mut Watch<'_, '_>) -> Result<Stop> {
        let mut crew = Crew::default();
        loop {
            if watch.limits.max_depth.is_some_and(|most| self.depth() >= most) {
                let found = self.level(&mut crew, threads, None)?.1;
                let further = found > 0 || self.states > self.levels.iter().sum();
                return Ok(if further { Stop::Limit(Limit::MaxDepth) } else { Stop::Exhausted });
            }
            let (stop, found) = self.level(&mut crew, threads, Some(watch))?;
            self.states += found;
            if let Some(stop) = stop {
                return Ok(stop);
            }
            self.done = 0;
            let found = self.states - self.levels.iter().sum::<u64>();
            if found == 0 {
                return Ok(Stop::Exhausted);
            }
            self.levels.grow_push(found)?;
        }
    }

    /// Another one wherever blocks, or jobs of so many, change.
    fn kind(&self) -> u64 {
        4
    }
}

/// The colour of each place, 0 or 1; None if a step joins places of one colour.
fn coloured(places: usize, steps: &[Step]) -> Option<Vec<usize>> {
    let mut colours = vec![usize::MAX; places];
    for first in 0..places {
        let mut left = vec![(first, 0)];
        while let Some((place, colour)) = left.pop() {
            if colours[place] == usize::MAX {
                colours[place] = colour;
                let next = steps.iter().filter(|step| step.from == place);
                left.extend(next.map(|step| (step.to, 1 - colour)));
            }
        }
    }
    steps.iter().all(|step| colours[step.from] != colours[step.to]).then_some(colours)
}

/// What all jobs of a level read.
struct Task<'a> {
    block: u64,
    from: &'a [Segment],
    /// The ways that lead to each segment.
    ways: &'a [Ways],
    /// Whether what is still open of the level before is closed by the second bit.
    high: bool,
    writes: bool,
}

impl Task<'_> {
    /// The words of a block.
    fn length(&self) -> usize {
        2 * self.block.div_ceil(64) as usize
    }

    /// Closes what is open in the blocks and opens what follows from the level; returns how many.
    fn run(&self, job: &mut Job<'_>) -> u64 {
        let mut found = 0;
        let mut new = [0; MOST_WORDS];
        let new = &mut new[..self.length() / 2];
        for (block, (words, open)) in
            (job.first..).zip(job.words.chunks_mut(self.length()).zip(job.open.iter_mut()))
        {
            let reached = self.reach(job.segment, block, new);
            if !reached && *open != OPEN {
                continue;
            }
            let (low, high) = words.split_at_mut(self.length() / 2);
            let mut more = 0;
            for ((low, high), new) in low.iter_mut().zip(high).zip(&mut *new) {
                // memory that is read before it is written costs a page fault more
                let (a, b) = if *open == UNTOUCHED { (0, 0) } else { (*low, *high) };
                let (open, fresh) = (a & b, *new & !(a | b));
                *new = 0;
                if fresh != 0 {
                    more += u64::from(fresh.count_ones());
                }
                if self.writes {
                    let kept = if self.high { (a & !open, b) } else { (a, b & !open) };
                    (*low, *high) = (kept.0 | fresh, kept.1 | fresh);
                }
            }
            if self.writes {
                *open = if more > 0 { OPEN } else { CLOSED };
            }
            found += more;
        }
        found
    }

    /// Sets the bits of the states that follow from open ones; returns whether there may be any.
    fn reach(&self, segment: usize, block: u64, new: &mut [u64]) -> bool {
        let mut reached = false;
        for (from, way) in &self.ways[segment] {
            let from = &self.from[*from];
            reached |= match way {
                Way::Same => self.copy(from, block, new),
                Way::Across(window) if window.stride.by >= self.block => {
                    let rank = block * self.block;
                    self.copy(from, rank.wrapping_add(window.change(rank)) / self.block, new)
                }
                Way::Across(window) => self.copy_runs(from, window, block, new),
                Way::Inside(window, tables) => {
                    let table = &tables[usize::from(window.is_odd(block))];
                    self.open(from, block).is_some_and(|words| {
                        let set = |offset: usize| {
                            let at = usize::from(table[offset]);
                            new[at / 64] |= 1 << (at % 64);
                            Ok(())
                        };
                        each(words, set).is_ok()
                    })
                }
            };
        }
        reached
    }

    /// The words of a block if it has open states.
    #[inline]
    fn open<'a>(&self, from: &'a Segment, block: u64) -> Option<&'a [u64]> {
        let words = || &from.words[block as usize * self.length()..][..self.length()];
        (from.open[block as usize] == OPEN).then(words)
    }

    /// Adds the open states of a block.
    fn copy(&self, from: &Segment, block: u64, new: &mut [u64]) -> bool {
        let Some(words) = self.open(from, block) else { return false };
        let (low, high) = words.split_at(words.len() / 2);
        for (new, (low, high)) in new.iter_mut().zip(low.iter().zip(high)) {
            *new |= low & high;
        }
        true
    }

    /// Adds the open states of the runs that a block's runs lead to.
    fn copy_runs(&self, from: &Segment, window: &Window, block: u64, new: &mut [u64]) -> bool {
        let mut reached = false;
        let run = window.stride.by as usize;
        for to in (0..self.block as usize).step_by(run) {
            let rank = block * self.block + to as u64;
            let rank = rank.wrapping_add(window.change(rank));
            let Some(words) = self.open(from, rank / self.block) else { continue };
            reached = true;
            let (low, high) = words.split_at(words.len() / 2);
            let open = |word: usize| low.get(word).map_or(0, |low| low & high[word]);
            let shift = (rank % self.block) as usize;
            let mut at = 0;
            while at < run {
                let (word, bit) = ((to + at) / 64, (to + at) % 64);
                let count = (64 - bit).min(run - at);
                let (source, by) = ((shift + at) / 64, (shift + at) % 64);
                let mut bits = open(source) >> by;
                if by > 0 {
                    bits |= open(source + 1) << (64 - by);
                }
                new[word] |= (bits & u64::MAX >> (64 - count)) << bit;
                at += count;
            }
        }
        reached
    }
}

/// Calls with the offset of each open state of a block.
#[inline(always)]
fn each(words: &[u64], mut act: impl FnMut(usize) -> Result<()>) -> Result<()> {
    let (low, high) = words.split_at(words.len() / 2);
    for (at, (low, high)) in low.iter().zip(high).enumerate() {
        for bit in ones(low & high) {
            act(64 * at + bit)?;
        }
    }
    Ok(())
}

// The index determines all lengths. Saving does not touch untouched memory.
impl Archived for Blocks {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        self.levels.archive(archive)?;
        self.states.archive(archive)?;
        let mut done = self.done as u64;
        done.archive(archive)?;
        self.done = done as usize;
        for one in self.segments.iter_mut().flatten() {
            one.open.archive(archive)?;
            match archive {
                Archive::Saving(out) => out.longs(one.words.iter().copied())?,
                Archive::Loading(from) => {
                    for word in one.words.iter_mut() {
                        *word = from.long()?;
                    }
                }
            }
        }
        Ok(())
    }
}

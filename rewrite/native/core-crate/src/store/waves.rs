//! Breadth-first batches, expanded ahead by several threads and handed out one by one.
//!
//! Whoever searches asks for one batch of states after the other and gets what one thread would have
//! given: the same new states with the same numbers and parents, and the same counts. Where a level
//! has enough states left, the batches to come are expanded and inserted as one *wave*. Its states
//! are in the store but not visible until their batch is asked for; if another batch is asked for
//! instead, or something else is inserted, they are taken out again and nothing has happened.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::chunk::Chunk;
use super::crew::{Apart, Crew, share};
use super::expand::{Batch, Direction, Expand, Hit};
use super::keys::Keys;
use super::states::Store;
use super::wave::{self, Log};
use crate::error::Result;
use crate::grow::Grow;

/// In a wave, threads wait for each other three or four times, so it should expand for 5 ms …
const WAVE: f64 = 0.005;
/// … or, towards the end of a level, at least for this (inserting takes as long again).
const SHORT: f64 = 0.000_3;
/// Candidates of a wave for each thread, about: 1 MiB of one-word keys with all that belongs to
/// them. Twice as many leave the cache between the phases, which costs 5 %.
const CANDIDATES: f64 = 25_000.0;

/// So many states are watched by comparing keys with theirs; for more, numbers are kept.
const FEW: usize = 4;

#[derive(Debug, PartialEq, Eq)]
pub struct Grown<'a> {
    /// The new states.
    pub fresh: Range<u32>,
    /// Where a watched state was generated first.
    pub hit: Option<Hit>,
    /// What the worker counted.
    pub counts: &'a [u64],
}

/// The workers of a search, and batches that are done and not yet asked for. Serves one store.
#[derive(Default)]
pub struct Waves<K: Keys, W> {
    crew: Crew,
    workers: Vec<Apart<W>>,
    chunks: Vec<Chunk<K>>,
    logs: Vec<Log>,
    /// The chunks that wait to be handed out.
    waiting: Range<usize>,
    /// What was asked when they were expanded.
    direction: Direction,
    watch: Range<u32>,
    /// Goals were looked for among the states that were handed out; so they will be among these.
    goals: bool,
    /// They are in the store already, which had this many cuts then.
    inserted: Option<u64>,
    /// What expanding cost last: seconds of one thread, and candidates, a state.
    seconds: f64,
    candidates: f64,
    /// So many batches a wave, whatever they cost.
    fixed: Option<usize>,
}

impl<K: Keys, W: Default + Send> Waves<K, W> {
    /// For `threads` threads, that of the caller included.
    pub fn new<E: Expand<K, Worker = W>>(threads: usize, expand: &E) -> Result<Waves<K, W>> {
        let mut workers = Vec::new();
        for _ in 0..threads.max(1) {
            workers.grow_push(Apart(expand.worker()?))?;
        }
        Ok(Waves { workers, ..Waves::default() })
    }

    /// Sets how many batches are a wave, instead of judging by their cost. Changes no answer.
    #[cfg(test)]
    pub fn fix_length(&mut self, batches: usize) {
        self.fixed = Some(batches.max(1));
    }

    /// Expands the states of a batch and inserts what they make.
    ///
    /// Up to `batch.ahead`, batches of the same length are expected next. After an error nothing of the batch is in the store and nothing of it was counted;
    /// but where memory has run out, those of its successors that still had room are in it.
    pub fn grow<E: Expand<K, Worker = W>>(
        &mut self,
        store: &mut Store<K>,
        expand: &E,
        batch: &Batch,
    ) -> Result<Grown<'_>> {
        store.keep_reached(expand.skips())?;
        if batch.watch.len() > FEW {
            store.keep_numbers()?;
        }
        if !self.is_next(store, batch) {
            store.forget_unseen()?;
            self.plan(batch, store)?;
            let failed = self.expand(store, expand);
            self.insert(store, expand, failed)?;
        }
        let at = self.waiting.start;
        self.waiting.start += 1;
        let done = match self.chunks[at].error.take() {
            Some(error) => Err(error),
            None if self.inserted.is_some() => Ok(()),
            None => self.chunks[at].insert(store, &batch.watch),
        };
        if let Err(error) = done {
            // What waits behind a failed chunk may not have been expanded.
            self.waiting = 0..0;
            return Err(error);
        }
        let chunk = &self.chunks[at];
        let fresh = chunk.first..chunk.first + chunk.fresh;
        store.visible = fresh.end;
        Ok(Grown { fresh, hit: chunk.hit, counts: &chunk.counts })
    }

    /// Whether a state of the last batch is a goal, where that was tested together with others.
    pub fn goal(&mut self, id: u32) -> Option<bool> {
        let chunk = &self.chunks[self.waiting.start.checked_sub(1)?];
        if !(chunk.first..chunk.first + chunk.fresh).contains(&id) {
            return None;
        }
        self.goals = true;
        chunk.goal(id)
    }

    /// The threads for other work between two batches, and a worker for each.
    pub fn crew(&mut self) -> (&mut Crew, &mut [Apart<W>]) {
        (&mut self.crew, &mut self.workers)
    }

    /// Stops the threads until they are needed again.
    pub fn rest(&mut self) {
        self.crew.dismiss();
    }

    /// Bytes of buffers and workers, which do not count towards the budget of the store.
    pub fn bytes<E: Expand<K, Worker = W>>(&self, expand: &E) -> usize {
        self.workers.iter().map(|worker| expand.bytes(&worker.0)).sum::<usize>()
            + self.chunks.iter().map(Chunk::bytes).sum::<usize>()
            + self.logs.iter().map(Log::bytes).sum::<usize>()
    }

    /// Whether the first chunk that waits is this batch, and still holds.
    fn is_next(&self, store: &Store<K>, batch: &Batch) -> bool {
        if (self.direction, &self.watch) != (batch.direction, &batch.watch) {
            return false;
        }
        self.chunks[self.waiting.clone()].first().is_some_and(|chunk| {
            let holds = |cuts| cuts == store.cuts && chunk.first == store.visible;
            (chunk.from, chunk.to) == (batch.from, batch.to) && self.inserted.is_none_or(holds)
        })
    }

    /// Lays out the chunks to be expanded: as the batches will be asked for.
    fn plan(&mut self, batch: &Batch, store: &Store<K>) -> Result<()> {
        let &Batch { direction, from, to, ahead, ref watch } = batch;
        (self.direction, self.watch) = (direction, watch.clone());
        let (step, ahead) = (to - from, ahead.max(to));
        let count = self.batches(step, ahead - from);
        while self.chunks.len() < count {
            self.chunks.grow_push(Chunk::new(store.hashing))?;
        }
        for (chunk, from) in self.chunks[..count].iter_mut().zip((from..).step_by(step as usize)) {
            chunk.from = from;
            chunk.to = ahead.min(from + step);
        }
        self.waiting = 0..count;
        Ok(())
    }

    /// How many batches of `step` states to expand at a time, where `left` states are left.
    fn batches(&self, step: u32, left: u32) -> usize {
        let (threads, left_batches) =
            (self.workers.len(), left.div_ceil(step.max(1)).max(1) as usize);
        if let Some(fixed) = self.fixed {
            return fixed.min(left_batches);
        }
        if threads == 1 || left_batches < 2 * threads || f64::from(left) * self.seconds < SHORT {
            return 1;
        }
        let by_time = WAVE * threads as f64 / self.seconds;
        let by_room = CANDIDATES * threads as f64 / self.candidates.max(1.0);
        let count = (by_time.min(by_room) / f64::from(step)) as usize;
        let count = count.max(2 * threads);
        // Rather a longer wave than a short one at the end.
        if left_batches < count + count / 2 { left_batches } else { count }
    }

    /// Expands all chunks, or those before the first that fails; its number.
    fn expand<E: Expand<K, Worker = W>>(&mut self, store: &Store<K>, expand: &E) -> usize {
        let (chunks, direction) = (&mut self.chunks[self.waiting.clone()], self.direction);
        let watch = &self.watch;
        let threads = self.workers.len().min(chunks.len());
        let grouped = chunks.len() > 1 && store.shards.tables.len() > 1;
        let failed = AtomicUsize::new(usize::MAX);
        let begun = Instant::now();
        share(&mut self.crew, &mut self.workers[..threads], chunks, |worker, number, chunk| {
            // Chunks are begun in order, so all before a failed one are done.
            if number < failed.load(Ordering::Relaxed) {
                chunk.expand(expand, &mut worker.0, direction, store, watch);
                if grouped && chunk.error.is_none() {
                    chunk.error = chunk.group(&store.shards).err();
                }
                if chunk.error.is_some() {
                    failed.fetch_min(number, Ordering::Relaxed);
                }
            }
        });
        let failed = failed.into_inner();
        if failed == usize::MAX {
            let states = f64::from(chunks[chunks.len() - 1].to - chunks[0].from).max(1.0);
            self.seconds = begun.elapsed().as_secs_f64() * threads as f64 / states;
            self.candidates =
                chunks.iter().map(|chunk| chunk.block.len()).sum::<usize>() as f64 / states;
        }
        failed
    }

    /// Inserts all chunks before the failed one, if there are several and the store can do it, and
    /// looks for goals among their states.
    fn insert<E: Expand<K, Worker = W>>(
        &mut self,
        store: &mut Store<K>,
        expand: &E,
        failed: usize,
    ) -> Result<()> {
        let count = self.waiting.len().min(failed);
        self.inserted = None;
        let (chunks, threads) = (&mut self.chunks[..count], self.workers.len());
        if count > 1
            && wave::insert(store, chunks, &mut self.logs, (&mut self.crew, threads), &self.watch)?
        {
            self.inserted = Some(store.cuts);
            if std::mem::take(&mut self.goals) && expand.foresees() {
                share(&mut self.crew, &mut self.workers, chunks, |worker, _, chunk| {
                    chunk.find_goals(expand, &mut worker.0);
                });
            }
        }
        if count < self.waiting.len() {
            self.chunks[count].first = store.keys.len() as u32;
        }
        Ok(())
    }
}

//! Inserts many chunks at a time, by several threads, as one thread would have done.
//!
//! All keys of a shard are looked up by one thread in the order in which they were made, so the
//! first that makes a state is found whatever other threads do. As numbers are not known yet, an
//! entry of this wave refers to its candidate. Then the numbers are a running count over the new
//! candidates of all chunks, so it is known where their keys and parents belong: each thread fills
//! pieces of its own, and the entries are corrected.

use std::ops::Range;

use super::chunk::Chunk;
use super::crew::{Crew, share};
use super::expand::Block;
use super::keys::{Hashing, Keys, Part};
use super::states::{BUCKET_AHEAD, KEY_AHEAD, Store};
use super::table::{Found, Numbers, Table};
use crate::error::{Error, Result};
use crate::grow::{Grow, filled, listed};

/// What inserting found in one shard. Reused.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Log {
    /// New candidates in order: how the table calls them, and where it holds them.
    news: Vec<(u32, u32)>,
    /// The length of `news` after each chunk.
    ends: Vec<usize>,
    /// Chunks in which a state that is watched was made, the first place each, and the state.
    hits: Vec<(usize, u32, u32)>,
    /// The places in `news` hold no longer, because the table grew.
    moved: bool,
    error: Option<Error>,
}

impl Log {
    fn clear(&mut self) {
        self.news.clear();
        self.ends.clear();
        self.hits.clear();
        self.moved = false;
        self.error = None;
    }

    fn of_chunk(&self, chunk: usize) -> &[(u32, u32)] {
        let from = if chunk == 0 { 0 } else { self.ends[chunk - 1] };
        &self.news[from..self.ends[chunk]]
    }

    pub fn bytes(&self) -> usize {
        8 * (self.news.capacity() + self.ends.capacity()) + 16 * self.hits.capacity()
    }
}

/// Candidates as numbers: from `base` on, chunk by chunk, `1 << shift` for each.
struct Names<'a, K: Keys> {
    chunks: &'a [Chunk<K>],
    base: u32,
    shift: u32,
}

impl<K: Keys> Names<'_, K> {
    #[inline]
    fn name(&self, chunk: usize, at: u32) -> u32 {
        self.base + ((chunk as u32) << self.shift) + at
    }

    /// The candidate so called; None for a state that was there before.
    #[inline]
    fn candidate(&self, name: u32) -> Option<(&Chunk<K>, u32)> {
        let name = name.checked_sub(self.base)?;
        Some((&self.chunks[(name >> self.shift) as usize], name & ((1 << self.shift) - 1)))
    }

    /// The number of the state that this candidate has become.
    #[inline]
    fn number(&self, name: u32) -> Option<u32> {
        self.candidate(name).map(|(chunk, at)| chunk.number(at))
    }

    /// Hands over the new candidates that have these numbers, in order.
    fn news(
        &self,
        numbers: &Range<u32>,
        mut act: impl FnMut(&Block<K>, usize) -> Result<()>,
    ) -> Result<()> {
        let from = self.chunks.partition_point(|chunk| chunk.first + chunk.fresh <= numbers.start);
        for chunk in self.chunks[from..].iter().take_while(|chunk| chunk.first < numbers.end) {
            let before = numbers.start.saturating_sub(chunk.first) as usize;
            let count = numbers.end - numbers.start.max(chunk.first);
            let mut news = chunk.news().skip(before).take(count as usize);
            news.try_for_each(|at| act(&chunk.block, at))?;
        }
        Ok(())
    }
}

/// What the numbers in a table mean during a wave.
struct View<'a, K: Keys> {
    keys: &'a K,
    hashing: Hashing,
    names: &'a Names<'a, K>,
}

impl<K: Keys> View<'_, K> {
    #[inline]
    fn key(&self, id: u32) -> &K::Key {
        match self.names.candidate(id) {
            None => self.keys.get(id),
            Some((chunk, at)) => chunk.block.key(at as usize),
        }
    }
}

impl<K: Keys> Numbers for View<'_, K> {
    fn hash(&self, id: u32) -> u64 {
        match self.names.candidate(id) {
            None => K::hash(self.keys.get(id), self.hashing),
            Some((chunk, at)) => chunk.block.hash(at as usize),
        }
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        match self.names.candidate(id) {
            None => self.keys.prefetch(id),
            Some((chunk, at)) => chunk.block.prefetch(at as usize),
        }
    }
}

/// Inserts the candidates of all chunks, behind the states that are visible; whether it did. Where
/// not, the store is as before, and the chunks can still be inserted one after the other.
pub fn insert<K: Keys>(
    store: &mut Store<K>,
    chunks: &mut [Chunk<K>],
    logs: &mut Vec<Log>,
    crew: (&mut Crew, usize),
    watch: &Range<u32>,
) -> Result<bool> {
    let longest = chunks.iter().map(|chunk| chunk.block.len()).max().unwrap_or(0);
    let shift = longest.next_power_of_two().trailing_zeros();
    if !fits(store, chunks, shift) {
        return Ok(false);
    }
    let done = insert_all(store, chunks, logs, crew, shift, watch);
    if !matches!(done, Ok(true)) {
        store.rebuild()?;
        return Ok(false);
    }
    Ok(true)
}

/// The same, where names are sure to fit; where it fails, the store holds some of them.
fn insert_all<K: Keys>(
    store: &mut Store<K>,
    chunks: &mut [Chunk<K>],
    logs: &mut Vec<Log>,
    (crew, threads): (&mut Crew, usize),
    shift: u32,
    watch: &Range<u32>,
) -> Result<bool> {
    let base = store.visible;
    let mut threads = filled(threads, ())?;
    while logs.len() < store.shards.tables.len() {
        logs.grow_push(Log::default())?;
    }

    let names = Names { chunks, base, shift };
    let view = View { keys: &store.keys, hashing: store.hashing, names: &names };
    let mut shards = listed(store.shards.tables.iter_mut().zip(logs.iter_mut()))?;
    share(crew, &mut threads, &mut shards, |(), shard, (table, log)| {
        log.error = look_up(&view, shard, table, log, watch).err();
    });
    if logs.iter().any(|log| log.error.is_some()) {
        return Ok(false);
    }
    give_numbers(chunks, logs, base, shift, (crew, &mut threads))?;
    let names = Names { chunks, base, shift };
    let fresh = chunks.iter().map(|chunk| chunk.fresh as usize).sum();
    // The longest first.
    let keys = numbered(store.keys.parts(fresh)?, base).map(|(part, of)| Task::Keys(part, of));
    let parents = numbered(store.parents.open(fresh)?, base);
    let parents = parents.map(|(part, of)| Task::Parents(part, of));
    let reached = match &mut store.reached {
        Some(reached) => reached.open(fresh)?,
        None => Vec::new(),
    };
    let reached = numbered(reached, base).map(|(part, of)| Task::Reached(part, of));
    let tables = store.shards.tables.iter_mut().zip(logs.iter());
    let tables = tables.filter(|(table, _)| table.is_numbered());
    let tables = tables.map(|(table, log)| Task::Table(table, log));
    let tasks = keys.chain(parents).chain(reached).chain(tables);
    let mut tasks: Vec<(Task<K>, Result<()>)> = listed(tasks.map(|task| (task, Ok(()))))?;
    share(crew, &mut threads, &mut tasks, |(), _, (task, done)| *done = task.run(&names));
    Ok(tasks.iter().all(|(_, done)| done.is_ok()))
}

/// Parts that take so many each, with the numbers of what they take.
fn numbered<P>(parts: Vec<(P, usize)>, first: u32) -> impl Iterator<Item = (P, Range<u32>)> {
    parts.into_iter().scan(first, |next, (part, count)| {
        let from = *next;
        *next += count as u32;
        Some((part, from..*next))
    })
}

/// Whether one wave can take these chunks: names enough for all, no shard to be split, and memory
/// for the worst case, so that a budget ends a search at the same state as with one thread.
fn fits<K: Keys>(store: &Store<K>, chunks: &[Chunk<K>], shift: u32) -> bool {
    let names = (chunks.len() as u64) << shift;
    if u64::from(store.visible) + names > u64::from(store.most) || store.shards.tables.len() == 1 {
        return false;
    }
    let tables = store.shards.tables.iter().enumerate();
    let tables = tables.map(|(shard, table)| {
        table.growth_for(chunks.iter().map(|chunk| chunk.of_shard(shard).len()).sum())
    });
    let count = chunks.iter().map(|chunk| chunk.block.len()).sum();
    let bytes = chunks.iter().map(|chunk| chunk.block.key_bytes()).sum();
    store.afford(tables.sum::<usize>() + store.rows_bound(count, bytes)).is_ok()
}

/// Looks up all candidates of a shard in order and puts the new ones into its table.
fn look_up<K: Keys>(
    view: &View<K>,
    shard: usize,
    table: &mut Table,
    log: &mut Log,
    watch: &Range<u32>,
) -> Result<()> {
    log.clear();
    let chunks = view.names.chunks;
    let begin = |chunk: &Chunk<K>, table: &Table| {
        chunk.of_shard(shard).iter().take(BUCKET_AHEAD).for_each(|&(hash, _)| table.prefetch(hash));
    };
    chunks.first().into_iter().for_each(|chunk| begin(chunk, table));
    for (number, chunk) in chunks.iter().enumerate() {
        chunks.get(number + 1).into_iter().for_each(|chunk| begin(chunk, table));
        let (block, places) = (&chunk.block, chunk.of_shard(shard));
        for (turn, &(hash, at)) in places.iter().enumerate() {
            if let Some(&(hash, _)) = places.get(turn + BUCKET_AHEAD) {
                table.prefetch(hash);
            }
            if let Some(&(hash, at)) = places.get(turn + KEY_AHEAD)
                && let Some(id) = table.likely(hash)
            {
                view.prefetch(id);
                block.prefetch(at as usize);
            }
            let key = block.key(at as usize);
            let held = match table.find(hash, |id| K::same(view.key(id), key)) {
                Found::Held(id) => watch.contains(&id).then_some(id),
                Found::Known => watch.clone().find(|&id| K::same(view.key(id), key)),
                Found::Free(bucket) => {
                    let name = view.names.name(number, at);
                    let place = if table.full() {
                        table.grow(view)?;
                        log.moved = true;
                        table.add(hash, name)?
                    } else {
                        table.put(bucket, hash, name)?
                    };
                    log.news.grow_push((name, place as u32))?;
                    None
                }
            };
            if let Some(id) = held
                && log.hits.last().is_none_or(|&(last, _, _)| last < number)
            {
                log.hits.grow_push((number, at, id))?;
            }
        }
        log.ends.grow_push(log.news.len())?;
    }
    Ok(())
}

/// Tells each chunk which of its candidates are new, and what number the first of them gets.
fn give_numbers<K: Keys>(
    chunks: &mut [Chunk<K>],
    logs: &[Log],
    base: u32,
    shift: u32,
    (crew, threads): (&mut Crew, &mut [()]),
) -> Result<()> {
    share(crew, threads, chunks, |(), number, chunk| {
        let news = logs.iter().flat_map(|log| log.of_chunk(number));
        let marked = chunk.mark(news.map(|&(name, _)| (name - base) & ((1 << shift) - 1)));
        chunk.error = marked.err();
        chunk.hit = None;
    });
    // of all of them, because they may be inserted one by one now
    if let Some(error) = chunks.iter_mut().filter_map(|chunk| chunk.error.take()).last() {
        return Err(error);
    }
    let mut next = base;
    for chunk in chunks.iter_mut() {
        chunk.first = next;
        next += chunk.fresh;
    }
    let mut hits = listed(logs.iter().flat_map(|log| &log.hits))?;
    hits.sort_unstable(); // by chunk and place in it, whatever their shards are
    for &(number, at, state) in hits {
        chunks[number].note_hit(at, state);
    }
    Ok(())
}

/// What is left to do once the numbers are known; all of it at the same time.
enum Task<'a, K: Keys + 'a> {
    Keys(K::Part<'a>, Range<u32>),
    Parents(&'a mut Vec<u32>, Range<u32>),
    Reached(&'a mut Vec<u16>, Range<u32>),
    Table(&'a mut Table, &'a Log),
}

impl<K: Keys> Task<'_, K> {
    fn run(&mut self, names: &Names<K>) -> Result<()> {
        match self {
            Task::Keys(keys, of) => names.news(of, |block, at| keys.put(block.key(at)))?,
            Task::Parents(rows, of) => names.news(of, |block, at| rows.put(&block.parent(at)))?,
            Task::Reached(rows, of) => {
                names.news(of, |block, at| rows.put(&block.reached(at)))?;
            }
            Task::Table(table, log) if log.moved => table.renumber_all(|id| names.number(id)),
            Task::Table(table, log) => {
                for &(name, place) in &log.news {
                    table.renumber(place as usize, names.number(name).unwrap_or(name));
                }
            }
        }
        Ok(())
    }
}

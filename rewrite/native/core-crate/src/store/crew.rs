//! Threads that wait for work while a search goes on, and share it.

use std::any::Any;
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use crate::grow::{Grow, probe};

/// More than beginning a thread takes, its stack and what the allocator sets aside for it included:
/// part of that is asked for in ways that cannot fail.
const THREAD: usize = 8 << 20;

/// How often a thread looks for what it waits for before it sleeps: some 20 µs, in which most waits of
/// a wave are over. To be woken takes longer.
const LOOKS: usize = 1000;

type Work<'a> = &'a (dyn Fn() + Sync);

/// The current work, which all threads see.
#[derive(Default)]
struct Board {
    work: Option<Work<'static>>,
    /// So many more are to begin with it, and so many are at it.
    wanted: usize,
    busy: usize,
    /// How many threads have begun.
    here: usize,
    over: bool,
    panic: Option<Box<dyn Any + Send>>,
}

#[derive(Default)]
struct Shared {
    board: Mutex<Board>,
    /// How often something on it has changed for which others wait.
    changes: AtomicUsize,
    /// There is work.
    called: Condvar,
    /// A thread has begun or finished.
    told: Condvar,
}

impl Shared {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something has changed, as `one` tells those who sleep; or returns before.
    fn wait<'a>(&'a self, one: &Condvar, board: MutexGuard<'a, Board>) -> MutexGuard<'a, Board> {
        let seen = self.changes.load(Ordering::Relaxed);
        let changed = || self.changes.load(Ordering::Relaxed) != seen;
        drop(board);
        for _ in 0..LOOKS {
            if changed() {
                return self.board();
            }
            spin_loop();
        }
        let board = self.board();
        // who changes something holds the board
        if changed() { board } else { one.wait(board).unwrap_or_else(PoisonError::into_inner) }
    }

    fn tell(&self, one: &Condvar, board: MutexGuard<'_, Board>) {
        self.changes.fetch_add(1, Ordering::Relaxed);
        drop(board);
        one.notify_all();
    }

    fn serve(&self) {
        let mut board = self.board();
        board.here += 1;
        self.tell(&self.told, board);
        board = self.board();
        while !board.over {
            let Some(work) = board.work.filter(|_| board.wanted > 0) else {
                board = self.wait(&self.called, board);
                continue;
            };
            board.wanted -= 1;
            board.busy += 1;
            drop(board);
            let done = catch_unwind(AssertUnwindSafe(work));
            board = self.board();
            board.busy -= 1;
            if let Err(panic) = done {
                board.panic.get_or_insert(panic);
            }
            self.tell(&self.told, board);
            board = self.board();
        }
    }
}

/// Takes the work off the board and waits for the threads at work.
struct Finish<'a>(&'a Shared);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        let mut board = self.0.board();
        (board.work, board.wanted) = (None, 0);
        while board.busy > 0 {
            board = self.0.wait(&self.0.told, board);
        }
    }
}

/// Starts threads when they are first needed; `dismiss` ends them.
#[derive(Default)]
pub struct Crew {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Crew {
    /// Does `own` here and `work` on up to so many other threads, each once; those that come too late
    /// to begin before `own` is done do not begin. Where the machine refuses threads, there are fewer.
    pub fn run(&mut self, others: usize, work: Work<'_>, own: impl FnOnce()) {
        let wanted = others.min(self.have(others));
        if wanted == 0 {
            return own();
        }
        // SAFETY: only the lifetime changes. `Finish` keeps this call from ending, by a panic too,
        // before the work is off the board and nobody is at it any more.
        let work = unsafe { std::mem::transmute::<Work<'_>, Work<'static>>(work) };
        let finish = Finish(&self.shared);
        let mut board = self.shared.board();
        (board.work, board.wanted, board.panic) = (Some(work), wanted, None);
        self.shared.tell(&self.shared.called, board);
        own();
        drop(finish);
        let panic = self.shared.board().panic.take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// Tries to start threads up to `count`; returns how many there are.
    fn have(&mut self, wanted: usize) -> usize {
        while self.threads.len() < wanted {
            if probe(THREAD).is_err() || self.threads.grow_by(1).is_err() {
                break;
            }
            let shared = self.shared.clone();
            let Ok(thread) = Builder::new().spawn(move || shared.serve()) else { break };
            if self.threads.grow_push(thread).is_err() {
                break; // but there is room
            }
            // nobody works, and so nobody takes the room that was looked for, while a thread begins
            let mut board = self.shared.board();
            while board.here < self.threads.len() {
                board = self.shared.wait(&self.shared.told, board);
            }
        }
        self.threads.len()
    }

    /// Ends all threads; they start again when they are needed.
    pub fn dismiss(&mut self) {
        let mut board = self.shared.board();
        board.over = true;
        self.shared.tell(&self.shared.called, board);
        for thread in self.threads.drain(..) {
            let _ = thread.join(); // its panics were caught
        }
        let mut board = self.shared.board();
        (board.over, board.here) = (false, 0);
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.dismiss();
    }
}

/// Puts data that one thread writes all the time on cache lines of its own (lines are
/// fetched in pairs). Two threads on the 5×2 puzzle would take 1.1 times as long without.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Apart<T>(pub T);

/// Does `work` to each item with one of the workers, one thread a worker, the first of them here.
/// Items are begun in order.
pub fn share<W: Send, T: Send>(
    crew: &mut Crew,
    workers: &mut [W],
    items: &mut [T],
    work: impl Fn(&mut W, usize, &mut T) + Sync,
) {
    let others = workers.len().min(items.len()).saturating_sub(1);
    let items = Mutex::new(items.iter_mut().enumerate());
    let run = |worker: &mut W| {
        loop {
            let next = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            match next {
                Some((at, item)) => work(worker, at, item),
                None => break,
            }
        }
    };
    let Some((own, rest)) = workers.split_first_mut() else { return };
    let rest = Mutex::new(rest.iter_mut());
    let other = || {
        let worker = rest.lock().unwrap_or_else(PoisonError::into_inner).next();
        if let Some(worker) = worker {
            run(worker);
        }
    };
    crew.run(others, &other, || run(own));
}

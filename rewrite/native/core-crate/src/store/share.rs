//! Work on many items by several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::grow::probe;

/// Keeps what one thread writes all the time out of the cache lines of its neighbours (lines are
/// fetched in pairs). Two threads on the 5×2 puzzle would take 1.1 times as long without.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Apart<T>(pub T);

/// More than beginning a thread takes, its stack and what the allocator sets aside for it included:
/// part of that is asked for in ways that cannot fail.
const THREAD: usize = 8 << 20;

/// Does `work` to each item with one of the workers, one thread a worker. Items are begun in order.
///
/// Threads live as long as the call: starting and ending one takes about 20 µs, so a call should be
/// worth milliseconds. Where the machine refuses a thread, the others do its part.
pub fn share<W: Send, T: Send>(
    workers: &mut [W],
    items: &mut [T],
    work: impl Fn(&mut W, usize, &mut T) + Sync,
) {
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
    let Some((own, others)) = workers.split_first_mut() else { return };
    if others.is_empty() || probe(THREAD).is_err() {
        return run(own);
    }
    let (run, begun) = (&run, AtomicUsize::new(0));
    thread::scope(|scope| {
        // nobody works, and so nobody takes the room that was looked for, while threads begin
        let gate = items.lock().unwrap_or_else(PoisonError::into_inner);
        let mut asked = 0;
        for worker in others {
            let begin = || {
                begun.fetch_add(1, Ordering::Release);
                run(worker);
            };
            if probe(THREAD).is_err() || thread::Builder::new().spawn_scoped(scope, begin).is_err()
            {
                break;
            }
            asked += 1;
            while begun.load(Ordering::Acquire) < asked {
                thread::yield_now();
            }
        }
        drop(gate);
        run(own);
    });
}

//! Work on many items by several threads.

use std::sync::{Mutex, PoisonError};

use super::crew::Crew;

/// Keeps what one thread writes all the time out of the cache lines of its neighbours (lines are
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

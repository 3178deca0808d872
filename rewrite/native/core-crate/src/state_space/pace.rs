//! Whether several threads are to share many small tasks, by what one of them took before.

use std::time::Instant;

/// Seconds of one thread from which on tasks are shared; less would be spent on waiting.
const WORTH: f64 = 0.000_05;

/// Seconds of one thread that are handed out at a time, at least.
const PORTION: f64 = 0.000_01;

/// What a task took last, in seconds of one thread.
#[derive(Debug, Default)]
pub struct Pace(f64);

impl Pace {
    /// How many threads to use for `count` tasks, and how many tasks to hand out at a time.
    pub fn plan(&self, threads: usize, count: usize) -> (usize, usize) {
        let worth = self.0 * count as f64 >= WORTH;
        let used = if worth { threads.min(count) } else { 1 };
        // several at a time, where one takes less than to be handed out
        (used, (PORTION / self.0).clamp(1.0, (count / used) as f64) as usize)
    }

    pub fn note(&mut self, begun: Instant, threads: usize, count: usize) {
        self.0 = begun.elapsed().as_secs_f64() * threads as f64 / count as f64;
    }
}

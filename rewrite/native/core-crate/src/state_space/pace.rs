//! Whether several threads are to share many small tasks, by what one of them took before.

use std::time::Instant;

/// Seconds of one thread from which on tasks are shared; less would be spent on waiting.
const WORTH: f64 = 0.000_05;

/// Seconds of one thread that are handed out at a time, at least.
const PORTION: f64 = 0.000_01;

/// What a task took last, in seconds of one thread.
#[derive(Debug, Default)]
pub struct Pace(pub f64);

impl Pace {
    /// How many threads to use for `count` tasks, and how many tasks to hand out at a time.
    pub fn plan(&self, threads: usize, count: usize) -> (usize, usize) {
        let used = threads.min(count);
        if used < 2 || WORTH > self.0 * count as f64 {
            return (1, count.max(1));
        }
        // several at a time, where one takes less than to be handed out
        (used, (PORTION / self.0).clamp(1.0, (count / used) as f64) as usize)
    }

    pub fn note(&mut self, begun: Instant, threads: usize, count: usize) {
        self.0 = begun.elapsed().as_secs_f64() * threads as f64 / count as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::{Pace, WORTH};

    #[test]
    fn what_takes_long_is_shared_and_what_does_not_is_left_to_one() {
        for (pace, count) in [(0.0, 1000), (WORTH / 11.0, 10), (1.0, 1), (1.0, 0)] {
            assert_eq!(Pace(pace).plan(4, count), (1, count.max(1)), "{pace} {count}");
        }
        assert_eq!(Pace(1.0).plan(1, 50), (1, 50));
        assert_eq!(Pace(1.0).plan(4, 50), (4, 1));
        assert_eq!(Pace(1.0).plan(4, 3), (3, 1));
        assert_eq!(Pace(0.000_001).plan(4, 400), (4, 10));
        assert_eq!(Pace(0.000_001).plan(40, 60), (40, 1), "each has something to do");
    }
}

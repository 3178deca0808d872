use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::super::crew::{Crew, share};

#[test]
fn every_item_is_worked_on_once_and_begun_in_order() {
    let mut crew = Crew::default();
    for round in 0..300 {
        let (workers, count) = (1 + round % 5, round % 40);
        let begun = Mutex::new(Vec::new());
        let mut items = vec![0; count];
        let mut sums = vec![0; workers];
        share(&mut crew, &mut sums, &mut items, |sum, at, item| {
            begun.lock().unwrap().push(at);
            *item += at + 1;
            *sum += at;
        });
        assert!(items.iter().enumerate().all(|(at, &item)| item == at + 1));
        assert_eq!(sums.iter().sum::<usize>(), (0..count).sum());
        let mut begun = begun.into_inner().unwrap();
        if workers == 1 {
            assert!(begun.is_sorted());
        }
        begun.sort_unstable();
        assert!(begun.into_iter().eq(0..count));
        if round % 70 == 9 {
            crew.dismiss();
        }
    }
}

#[test]
fn other_threads_work_too_and_the_caller_waits_for_them() {
    let mut crew = Crew::default();
    for _ in 0..20 {
        let (here, there) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let caller = thread::current().id();
        share(&mut crew, &mut [(); 3], &mut [(); 30], |(), _, ()| {
            let mine = thread::current().id() == caller;
            thread::sleep(Duration::from_millis(1));
            if mine { &here } else { &there }.fetch_add(1, Ordering::Relaxed);
        });
        let (here, there) = (here.into_inner(), there.into_inner());
        assert_eq!(here + there, 30);
        assert!(here > 0 && there > 0, "{here} {there}");
    }
}

#[test]
fn a_panic_anywhere_arrives_after_all_have_finished_and_threads_go_on() {
    let mut crew = Crew::default();
    let caller = thread::current().id();
    for here in [true, false, true, false] {
        let busy = AtomicUsize::new(0);
        let work = |(): &mut (), _: usize, (): &mut ()| {
            busy.fetch_add(1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(2));
            busy.fetch_sub(1, Ordering::SeqCst);
            assert!((thread::current().id() == caller) != here, "meant");
        };
        let ended = catch_unwind(AssertUnwindSafe(|| {
            share(&mut crew, &mut [(); 4], &mut [(); 40], work);
        }));
        assert!(ended.is_err());
        assert_eq!(busy.into_inner(), 0);
    }
    let mut items = [0; 9];
    share(&mut crew, &mut [(); 4], &mut items, |(), at, item| *item = at);
    assert_eq!(items, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

use super::super::paged_vec::PagedVec;

/// What is handed out in parts is what is pushed, wherever the parts begin and end.
#[test]
fn parts_take_what_would_be_pushed() {
    let whole = 1 << 15;
    for steps in [vec![0, 1, 62, 2, 64, 40_000, 0, 7], vec![whole, 3, whole - 3, whole - 1, 70_000]]
    {
        let (mut pushed, mut opened) = (PagedVec::default(), PagedVec::default());
        for step in steps {
            let numbers = pushed.len() as u32..(pushed.len() + step) as u32;
            numbers.clone().for_each(|number| pushed.push(number).unwrap());
            let mut parts = opened.open(step).unwrap();
            assert_eq!(parts.iter().map(|(_, count)| count).sum::<usize>(), step);
            // the last first: no part waits for another
            let mut next = numbers.end;
            for (part, count) in parts.iter_mut().rev() {
                next -= *count as u32;
                part.extend(next..next + *count as u32);
            }
            assert_eq!((opened.len(), opened.bytes()), (pushed.len(), pushed.bytes()));
            assert!((0..pushed.len()).all(|at| opened[at] == pushed[at]));
        }
    }
}

#[test]
fn parts_that_were_not_filled_can_be_taken_back() {
    let mut pages = PagedVec::default();
    (0..50).for_each(|number| pages.push(number).unwrap());
    let (part, _) = &mut pages.open(100_000).unwrap()[1];
    part.push(0);
    pages.truncate(50);
    pages.push(50).unwrap();
    assert_eq!(pages.len(), 51);
    assert!((0..51).all(|at| pages[at] == at));
}

use crate::parcel::{Sender, Unpacking};

#[test]
fn every_state_has_one_home_and_all_parts_are_homes() {
    for parts in [1, 2, 3, 5, 64, 1000] {
        let sender = Sender::new(parts).unwrap();
        let mut homes = vec![0; parts];
        for turn in 0..100 * parts as u64 {
            homes[usize::from(sender.home(turn.wrapping_mul(0x9E37_79B9_7F4A_7C15)))] += 1;
        }
        assert!(homes.iter().all(|&count| (50..200).contains(&count)), "{homes:?}");
    }
}

#[test]
fn successors_of_one_parent_share_its_header_and_come_out_in_order() {
    let mut sender = Sender::new(2).unwrap();
    let given = [(9, 4, 0), (9, 4, 1), (7, 5, 0), (9, 4, 0), (1, 6, 1)];
    for (at, &(rank, parent, home)) in (0..).zip(&given) {
        sender.spelling = vec![at];
        sender.push(home, (rank, parent)).unwrap();
    }
    assert!(sender.words() >= sender.parcels().iter().map(|one| one.words.len()).sum());
    assert_eq!(sender.words(), 0, "they were handed over");
    for home in [0, 1] {
        let words = sender.parcels()[usize::from(home)].words.clone();
        let expected = given.iter().zip(0..).filter(|(one, _)| one.2 == home);
        let mut rest = Unpacking::new(&words);
        for (&(rank, parent, _), at) in expected {
            assert_eq!(rest.next(), Some((rank, parent)));
            assert_eq!(rest.word(), at);
        }
        assert_eq!(rest.next(), None);
    }
}

use std::fs;
use std::path::Path;

use super::blocks::WORDS;
use super::testing::Folder;
use super::{Archive, Archived, Files, Lengths, Log, Reader};
use crate::error::{Error, Fault, Result};
use crate::interner::Interner;
use crate::value::Val;

/// Words that differ from place to place.
fn words(count: usize) -> impl Iterator<Item = u32> + Clone {
    (0..count as u32).map(|at| at.wrapping_mul(0x9E37_79B1) ^ at >> 7)
}

fn written(folder: &Path, count: usize) -> Lengths {
    let mut files = Files::new(folder, 1);
    let mut out = files.writer(7).unwrap();
    out.count(count).unwrap();
    out.words(words(count)).unwrap();
    files.finish(out).unwrap()
}

fn read(folder: &Path, lengths: &Lengths) -> Result<Vec<u32>> {
    let mut from = Files::known(folder, 1, lengths.clone())?.reader(7)?;
    let mut found = Vec::new();
    found.archive(&mut Archive::Loading(&mut from))?;
    from.end().map(|()| found)
}

fn fault<T>(found: Result<T>) -> Option<Fault> {
    match found {
        Err(Error::Files(fault)) => Some(*fault),
        _ => None,
    }
}

fn is_damaged<T>(found: Result<T>) -> bool {
    matches!(fault(found), Some(Fault::Damaged { .. }))
}

#[test]
fn what_was_written_is_read() {
    for count in [0, 1, WORDS - 3, WORDS - 2, WORDS - 1, WORDS, 2 * WORDS, 3 * WORDS + 5] {
        let folder = Folder::new();
        let lengths = written(&folder.0, count);
        assert_eq!(
            lengths["state-1-7.bin"],
            fs::metadata(folder.0.join("state-1-7.bin")).unwrap().len()
        );
        assert!(read(&folder.0, &lengths).unwrap().into_iter().eq(words(count)), "{count}");
    }
}

#[test]
fn a_byte_that_is_another_one_is_noticed_wherever_it_stands() {
    let folder = Folder::new();
    let lengths = written(&folder.0, 2 * WORDS + 40);
    let path = folder.0.join("state-1-7.bin");
    let whole = fs::read(&path).unwrap();
    let places = (0..64).chain((64..whole.len()).step_by(997)).chain(whole.len() - 64..whole.len());
    for place in places {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        fs::write(&path, &bytes).unwrap();
        let found = read(&folder.0, &lengths);
        assert!(is_damaged(found), "{place}");
    }
}

#[test]
fn a_file_that_is_too_short_or_too_long_is_noticed() {
    let folder = Folder::new();
    let lengths = written(&folder.0, WORDS + 40);
    let path = folder.0.join("state-1-7.bin");
    let whole = fs::read(&path).unwrap();
    for length in [0, 1, 15, 16, 17, WORDS, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(is_damaged(read(&folder.0, &lengths)), "{length}");
    }
    fs::write(&path, [&whole[..], &[0]].concat()).unwrap();
    assert!(is_damaged(read(&folder.0, &lengths)));
    fs::remove_file(&path).unwrap();
    assert!(matches!(fault(read(&folder.0, &lengths)), Some(Fault::System { .. })));
    assert!(is_damaged(read(&folder.0, &Lengths::new())));
}

#[test]
fn blocks_that_changed_places_are_noticed() {
    let folder = Folder::new();
    let lengths = written(&folder.0, 2 * WORDS);
    let path = folder.0.join("state-1-7.bin");
    let whole = fs::read(&path).unwrap();
    let (first, second) = (&whole[..16 + 4 * WORDS], &whole[16 + 4 * WORDS..2 * (16 + 4 * WORDS)]);
    fs::write(&path, [second, first, &whole[2 * (16 + 4 * WORDS)..]].concat()).unwrap();
    assert!(is_damaged(read(&folder.0, &lengths)));
}

/// All words of a log, read by somebody else.
fn all(log: &Log, from: &mut Reader) -> Result<Vec<u32>> {
    let mut words = log.read(from)?;
    let found = (0..words.left()).map(|_| words.word()).collect::<Result<_, _>>()?;
    assert!(words.word().is_err(), "it ends there");
    Ok(found)
}

#[test]
fn a_log_is_whole_after_every_time_that_something_was_appended() {
    let folder = Folder::new();
    let mut files = Files::new(&folder.0, 3);
    let ends = [0, 5, WORDS, WORDS, 2 * WORDS + 1, 2 * WORDS + 2, 5 * WORDS - 1];
    for (number, end) in (1..).zip(ends) {
        let mut out = files.writer(number).unwrap();
        let from = files.keys.words() as usize;
        files.keys.append(words(end).skip(from), &mut out).unwrap();
        let lengths = files.finish(out).unwrap();
        let others = Files::known(&folder.0, 3, lengths).unwrap();
        let found = all(&others.keys, &mut others.reader(number).unwrap()).unwrap();
        assert!(found.into_iter().eq(words(end)), "{end}");
    }
}

#[test]
fn what_was_appended_after_the_last_good_moment_is_forgotten() {
    let folder = Folder::new();
    let mut files = Files::new(&folder.0, 1);
    let mut out = files.writer(1).unwrap();
    files.keys.append(words(WORDS + 9), &mut out).unwrap();
    let lengths = files.finish(out).unwrap();
    // a process that was killed before it had said so
    let mut out = files.writer(2).unwrap();
    files.keys.append(words(4 * WORDS).skip(WORDS), &mut out).unwrap();

    let mut again = Files::known(&folder.0, 1, lengths).unwrap();
    let found = all(&again.keys, &mut again.reader(1).unwrap()).unwrap();
    assert!(found.into_iter().eq(words(WORDS + 9)));
    let mut out = again.writer(2).unwrap();
    let other = (0..2 * WORDS as u32).map(|at| at % 3);
    again.keys.append(other.clone().skip(WORDS), &mut out).unwrap();
    let lengths = again.finish(out).unwrap();
    let last = Files::known(&folder.0, 1, lengths).unwrap();
    let found = all(&last.keys, &mut last.reader(2).unwrap()).unwrap();
    assert!(found.into_iter().eq(words(WORDS).chain(other.skip(WORDS))));
}

#[test]
fn files_are_not_taken_for_each_other() {
    let folder = Folder::new();
    let mut files = Files::new(&folder.0, 1);
    let mut out = files.writer(1).unwrap();
    files.keys.append(words(WORDS), &mut out).unwrap();
    let lengths = files.finish(out).unwrap();
    fs::rename(folder.0.join("keys-1.bin"), folder.0.join("parents-1.bin")).unwrap();
    let lengths =
        lengths.into_iter().map(|(name, length)| (name.replace("keys", "parents"), length));
    let others = Files::known(&folder.0, 1, lengths.collect()).unwrap();
    assert_ne!(others.parents.words(), 0);
    let found = all(&others.parents, &mut others.reader(1).unwrap());
    assert!(is_damaged(found));
}

/// Terms of all shapes, some of them long.
fn terms(interner: &Interner, count: i64) -> Vec<Val> {
    let mut made = vec![Val::from_small(3)];
    for n in 0..count {
        let wide = Val::from_small(n << 40 | 5);
        let last = *made.last().unwrap();
        let long: Vec<Val> = (0..n % 700).map(Val::from_small).collect();
        made.push(interner.tuple(&[Val::ctor(1), last, wide]).unwrap());
        made.push(interner.tuple(&long).unwrap());
        made.push(interner.text(&"é".repeat(n as usize % 90)).unwrap());
        made.push(interner.whole(i128::from(n + 1) << 90).unwrap());
    }
    made
}

#[test]
fn terms_come_back_under_their_addresses_and_are_found_again() {
    let folder = Folder::new();
    let (interner, mut files) = (Interner::default(), Files::new(&folder.0, 1));
    let begun = terms(&interner, 3);
    let mut lengths = Lengths::new();
    let mut made = Vec::new();
    for (number, count) in [(1, 20), (2, 2000)] {
        made = terms(&interner, count);
        let mut out = files.writer(number).unwrap();
        interner.save(&mut files, &mut out).unwrap();
        lengths = files.finish(out).unwrap();
    }
    let other = Interner::default();
    assert_eq!(terms(&other, 3), begun);
    let again = Files::known(&folder.0, 1, lengths.clone()).unwrap();
    other.load(&again, &mut again.reader(2).unwrap()).unwrap();
    assert_eq!(terms(&other, 2000), made);
    assert_eq!(terms(&other, 2300), terms(&interner, 2300), "both go on in the same way");

    let another = Interner::default();
    another.text("of another puzzle").unwrap();
    let found = another.load(&again, &mut again.reader(2).unwrap());
    assert!(is_damaged(found));
}

#[test]
fn words_of_a_log_are_read_anywhere_also_where_its_name_is_gone() {
    let folder = Folder::new();
    let mut files = Files::new(&folder.0, 1);
    assert!(files.keys.pages().unwrap().word(0).is_err());
    let rest = files.keys.append_blocks(words(150 * WORDS + 9)).unwrap();
    assert_eq!(rest.len(), 9);
    let pages = files.keys.pages().unwrap();
    let all: Vec<u32> = words(150 * WORDS).collect();
    for round in 0..2 {
        let mut place = 1;
        for _ in 0..2000 {
            place = (place * 7919 + 13) % all.len();
            assert_eq!(pages.word(place as u64).unwrap(), all[place]);
            assert_eq!(pages.word(0).unwrap(), all[0]);
        }
        if round == 0 {
            fs::remove_file(folder.0.join("keys-1.bin")).unwrap();
        }
    }
    assert!(is_damaged(pages.word(all.len() as u64)));
    assert!(pages.bytes() < 150 * 4 * WORDS / 2);
}

#[test]
fn damage_of_a_log_is_noticed_where_it_is_read() {
    let folder = Folder::new();
    let mut files = Files::new(&folder.0, 1);
    files.parents.append_blocks(words(9 * WORDS)).unwrap();
    let (pages, path) = (files.parents.pages().unwrap(), folder.0.join("parents-1.bin"));
    let mut bytes = fs::read(&path).unwrap();
    let length = bytes.len();
    bytes[3 * length / 9 + 99] ^= 1;
    fs::write(&path, &bytes[..length - 5]).unwrap();
    let word = |block: usize| pages.word((block * WORDS) as u64);
    assert!((0..3).chain(4..8).all(|block| word(block).is_ok()));
    let place = 3 * length as u64 / 9;
    assert!(matches!(fault(word(3)), Some(Fault::Damaged { at, .. }) if at == place));
    assert!(is_damaged(word(8)));
    assert!(word(7).is_ok());
}

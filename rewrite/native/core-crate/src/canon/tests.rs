//! The least image against its definition: all images, and the least of them.

use super::{Canon, Element, MOST_WORDS, Scratch};
use crate::random::Random;

/// Fields as (offset, bits) in so many words, a group on them, and how many values each may hold.
struct Case {
    words: usize,
    fields: Vec<(u32, u32)>,
    values: Vec<u32>,
    elements: Vec<Element>,
}

fn below(random: &mut Random, bound: u32) -> u32 {
    random.word() % bound
}

fn shuffled(random: &mut Random, count: u32) -> Vec<u32> {
    let mut items: Vec<u32> = (0..count).collect();
    random.shuffle(&mut items);
    items
}

fn product(a: &Element, b: &Element) -> Element {
    let sources = b.0.iter().map(|&middle| a.0[middle as usize]).collect();
    let through = |(&middle, map): (&u32, &Vec<u32>)| {
        a.1[middle as usize].iter().map(|&value| map[value as usize]).collect()
    };
    (sources, b.0.iter().zip(&b.1).map(through).collect())
}

/// What some elements generate, breadth-first; the first `most` of it.
fn generated(identity: Element, generators: &[Element], most: usize) -> Vec<Element> {
    let mut known = std::collections::HashSet::from([identity.clone()]);
    let mut all = vec![identity];
    let mut at = 0;
    while at < all.len() && all.len() < most {
        for generator in generators {
            let next = product(&all[at], generator);
            if known.insert(next.clone()) {
                all.push(next);
            }
        }
        at += 1;
    }
    all.truncate(most);
    all
}

fn identity(values: &[u32]) -> Element {
    let maps = values.iter().map(|&count| (0..count).collect()).collect();
    ((0..values.len() as u32).collect(), maps)
}

impl Case {
    /// Fields of a few kinds, shuffled over the words; generators that mix fields of one kind.
    fn random(random: &mut Random, most: usize) -> Case {
        let count = 1 + below(random, 20);
        let kinds: Vec<(u32, u32)> = (0..1 + below(random, 3))
            .map(|_| {
                let bits = 1 + below(random, 6);
                (bits, 1 + below(random, 1 << bits))
            })
            .collect();
        let (mut fields, mut values, mut offset) = (Vec::new(), Vec::new(), 0);
        let mut kind_of: Vec<usize> = Vec::new();
        for _ in 0..count {
            let kind = below(random, kinds.len() as u32) as usize;
            let (bits, held) = kinds[kind];
            offset += below(random, 4);
            if offset % 64 + bits > 64 {
                offset += 64 - offset % 64;
            }
            fields.push((offset, bits));
            values.push(held);
            kind_of.push(kind);
            offset += bits;
        }
        let generators: Vec<Element> = (0..1 + below(random, 3))
            .map(|_| {
                let mut element = identity(&values);
                for (kind, &(_, held)) in kinds.iter().enumerate() {
                    let own: Vec<usize> =
                        (0..kind_of.len()).filter(|&at| kind_of[at] == kind).collect();
                    let moved = below(random, 2) == 0;
                    let order = shuffled(random, own.len() as u32);
                    let map =
                        if below(random, 2) == 0 { shuffled(random, held) } else { Vec::new() };
                    for (&at, &from) in own.iter().zip(&order) {
                        element.0[at] = if moved { own[from as usize] } else { at } as u32;
                        if !map.is_empty() {
                            element.1[at].clone_from(&map);
                        }
                    }
                }
                element
            })
            .collect();
        let elements = generated(identity(&values), &generators, most);
        Case { words: offset as usize / 64 + 2, fields, values, elements }
    }

    fn canon(&self) -> Canon {
        Canon::new(self.words, &self.fields, &self.elements)
    }

    fn tuple(&self, random: &mut Random) -> Vec<u32> {
        let few = below(random, 2) == 0; // few different values: many elements tie
        let held = |&count: &u32| if few { count.min(2) } else { count };
        self.values.iter().map(|count| below(random, held(count))).collect()
    }

    /// As key; what is between the fields is noise.
    fn key(&self, tuple: &[u32]) -> Vec<u64> {
        let mut key = vec![0xaaaa_aaaa_aaaa_aaaa; self.words];
        for (&(offset, bits), &value) in self.fields.iter().zip(tuple) {
            let (word, shift) = (&mut key[offset as usize / 64], offset % 64);
            *word &= !((u64::MAX >> (64 - bits)) << shift);
            *word |= u64::from(value) << shift;
        }
        key
    }

    fn naive(&self, tuple: &[u32]) -> Vec<u32> {
        let image = |(sources, maps): &Element| -> Vec<u32> {
            let place = |(&from, map): (&u32, &Vec<u32>)| map[tuple[from as usize] as usize];
            sources.iter().zip(maps).map(place).collect()
        };
        let from_last = |image: &Vec<u32>| image.iter().rev().copied().collect::<Vec<_>>();
        self.elements.iter().map(image).min_by_key(from_last).unwrap()
    }
}

#[test]
fn the_canonical_form_is_the_least_of_all_images() {
    let mut random = Random::new(1968);
    let (mut large, mut moved, mut scratch) = (0, 0, Scratch::default());
    let mut topped = [0; 5]; // without tops, with as many rows of them
    for turn in 0..300 {
        let case = Case::random(&mut random, if turn % 10 == 0 { 3000 } else { 120 });
        let canon = case.canon();
        large += usize::from(case.elements.len() > 64);
        topped[if canon.tops.is_empty() { 0 } else { canon.blocks }] += 1;
        for _ in 0..30 {
            let tuple = case.tuple(&mut random);
            let mut key = case.key(&tuple);
            canon.apply(&mut key, &mut scratch).unwrap();
            let truth = case.naive(&tuple);
            assert_eq!(key, case.key(&truth), "{tuple:?} under {:?}", case.elements);
            moved += usize::from(truth != tuple);
        }
    }
    assert!(
        large > 50 && moved > 3000 && [0, 1, 2, 4].iter().all(|&at| topped[at] > 5),
        "{large} {moved} {topped:?}"
    );
}

#[test]
fn without_room_for_tables_the_least_image_is_the_same() {
    let mut random = Random::new(7);
    let mut scratch = Scratch::default();
    for _ in 0..40 {
        let case = Case::random(&mut random, 200);
        let mut canon = case.canon();
        let kept = below(&mut random, canon.stages.len() as u32 + 1) as usize;
        canon.rest = canon.stages.get(kept).map_or(canon.rest, |stage| stage.place + 1);
        canon.stages.truncate(kept);
        canon.tops.clear();
        for _ in 0..20 {
            let tuple = case.tuple(&mut random);
            let mut key = case.key(&tuple);
            canon.apply(&mut key, &mut scratch).unwrap();
            assert_eq!(key, case.key(&case.naive(&tuple)));
        }
    }
}

#[test]
fn tables_stop_growing_where_a_group_is_large() {
    // all rotations of 512 fields: 512 places of 512 sources would be 37 MB of tables
    let count = 512;
    let turn = ((0..count).map(|at| (at + 1) % count).collect(), vec![vec![0, 1]; count as usize]);
    let identity = identity(&vec![2; count as usize]);
    let case = Case {
        words: 8,
        fields: (0..count).map(|at| (at, 1)).collect(),
        values: vec![2; count as usize],
        elements: generated(identity, &[turn], count as usize),
    };
    let canon = case.canon();
    let stages = canon.stages.len();
    assert!(canon.table_bytes() <= 4 << 20 && (1..512).contains(&stages), "{stages}");
    let mut random = Random::new(3);
    let tuple: Vec<u32> = (0..count).map(|_| random.word() & 1).collect();
    let mut key = case.key(&tuple);
    canon.apply(&mut key, &mut Scratch::default()).unwrap();
    assert_eq!(key, case.key(&case.naive(&tuple)));
}

#[test]
fn a_value_without_an_image_is_noticed() {
    let exchange: Element = (vec![1, 0], vec![vec![0, 1, 2]; 2]);
    let elements = [identity(&[3, 3]), exchange];
    for words in [1, MOST_WORDS + 1] {
        let canon = Canon::new(words, &[(0, 2), (2, 2)], &elements);
        assert_eq!(canon.chunks.is_empty(), words > 1, "one way by tables, one by fields");
        let mut key = vec![0; words];
        key[0] = 3;
        let unknown = || canon.apply(&mut key, &mut Scratch::default());
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(unknown)).is_err());
    }
}

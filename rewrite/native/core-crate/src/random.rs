//! Random numbers of a seed: SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number
//! Generators, 2014; with the constants of Vigna's `splitmix64.c`).

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// The next 32 random bits.
    #[cfg(test)]
    pub fn word(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    #[cfg(test)]
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Shuffles by exchanges (Fisher and Yates), the last place first.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, (self.next() % (last as u64 + 1)) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The numbers that `splitmix64.c` gives for this seed, as Rosetta Code lists them.
    #[test]
    fn the_numbers_are_those_of_the_source() {
        let mut random = Random::new(1_234_567);
        let known = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        assert_eq!([(); 3].map(|()| random.next()), known);
    }

    #[test]
    fn every_order_comes_about_as_often() {
        let (mut random, mut counts) = (Random::new(1), [0; 6]);
        for _ in 0..6_000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            counts[2 * items[0] + usize::from(items[1] > items[2])] += 1;
        }
        assert!(counts.iter().all(|count| (900..1_100).contains(count)), "{counts:?}");
    }
}

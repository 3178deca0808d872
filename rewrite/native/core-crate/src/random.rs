//! The random numbers of Python's `random.Random(seed)`, so that both engines shuffle alike.
//!
//! Mersenne Twister, MT19937 (Matsumoto, Nishimura 1998), seeded by `init_by_array`. Checked in the
//! tests against numbers that CPython gave.

const SIZE: usize = 624;
const MIDDLE: usize = 397;

/// A stream of random numbers.
pub struct Random {
    words: [u32; SIZE],
    next: usize,
}

impl Random {
    /// The stream of a seed: the 32-bit digits of its absolute value, the lowest first.
    ///
    /// Zero may be given without digits.
    pub fn new(digits: &[u32]) -> Random {
        let key = if digits.is_empty() { &[0] } else { digits };
        let mut words = [0; SIZE];
        words[0] = 19_650_218;
        for i in 1..SIZE {
            words[i] = scattered(words[i - 1], 1_812_433_253).wrapping_add(i as u32);
        }
        let mut i = 1;
        for k in 0..SIZE.max(key.len()) {
            let j = k % key.len();
            words[i] = (words[i] ^ scattered(words[i - 1], 1_664_525))
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            i = following(i, &mut words);
        }
        for _ in 1..SIZE {
            words[i] = (words[i] ^ scattered(words[i - 1], 1_566_083_941)).wrapping_sub(i as u32);
            i = following(i, &mut words);
        }
        words[0] = 1 << 31;
        Random { words, next: SIZE }
    }

    /// The next 32 random bits.
    pub fn word(&mut self) -> u32 {
        if self.next == SIZE {
            self.turn();
        }
        let mut word = self.words[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// A number below `bound`, which is 1 or more: bits are drawn until they are small enough.
    fn below(&mut self, bound: u32) -> u32 {
        let unused = bound.leading_zeros();
        loop {
            let drawn = self.word() >> unused;
            if drawn < bound {
                return drawn;
            }
        }
    }

    /// Shuffles as Python does: the last place first, each with one at or before it.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.below(place as u32 + 1) as usize);
        }
    }

    fn turn(&mut self) {
        for i in 0..SIZE {
            let both = (self.words[i] & (1 << 31)) | (self.words[(i + 1) % SIZE] & !(1 << 31));
            let odd = if both & 1 == 1 { 0x9908_b0df } else { 0 };
            self.words[i] = self.words[(i + MIDDLE) % SIZE] ^ (both >> 1) ^ odd;
        }
        self.next = 0;
    }
}

fn scattered(word: u32, factor: u32) -> u32 {
    (word ^ (word >> 30)).wrapping_mul(factor)
}

/// The place after `i`; after the last comes place 1, and place 0 repeats the last.
fn following(i: usize, words: &mut [u32; SIZE]) -> usize {
    if i + 1 < SIZE {
        return i + 1;
    }
    words[0] = words[SIZE - 1];
    1
}

#[cfg(test)]
mod tests {
    use super::Random;

    fn words(key: &[u32]) -> Vec<u32> {
        let mut random = Random::new(key);
        (0..3).map(|_| random.word()).collect()
    }

    fn shuffled(key: &[u32]) -> Vec<u32> {
        let mut items: Vec<u32> = (0..12).collect();
        Random::new(key).shuffle(&mut items);
        items
    }

    /// `random.Random(seed).getrandbits(32)`, three times.
    #[test]
    fn the_words_are_those_of_python() {
        assert_eq!(words(&[]), [3626764237, 1654615998, 3255389356]);
        assert_eq!(words(&[1]), [577090037, 2444712010, 3639700191]);
        assert_eq!(words(&[42]), [2746317213, 478163327, 107420369]);
        assert_eq!(words(&[7, 256]), [2635837658, 3209733218, 3500038837]);
    }

    /// `random.Random(seed).shuffle(list(range(12)))`.
    #[test]
    fn a_shuffle_is_that_of_python() {
        assert_eq!(shuffled(&[]), [1, 9, 8, 5, 10, 2, 3, 7, 4, 0, 11, 6]);
        assert_eq!(shuffled(&[1]), [7, 11, 0, 8, 5, 6, 3, 10, 4, 1, 9, 2]);
        assert_eq!(shuffled(&[42]), [7, 5, 2, 8, 9, 6, 11, 3, 4, 0, 1, 10]);
        assert_eq!(shuffled(&[7, 256]), [0, 5, 2, 3, 6, 1, 8, 4, 7, 11, 10, 9]);
    }

    #[test]
    fn the_stream_goes_on_as_in_python_after_the_words_were_turned() {
        let mut random = Random::new(&[5]);
        assert_eq!((0..2000).map(|_| random.word()).last(), Some(2894893787));
    }

    #[test]
    fn zero_without_digits_is_zero() {
        assert_eq!(words(&[]), words(&[0]));
    }
}

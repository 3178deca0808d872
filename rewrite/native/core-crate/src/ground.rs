//! What a kernel is built from: ground rules over slots, and conditions on their bits.

pub use crate::bits::BitTest;
use crate::value::Val;

/// A field that is written from a table, by what another one holds.
#[derive(Debug, Clone)]
pub struct Mapped {
    pub from: u16,
    pub shift: u8,
    pub mask: u64,
    pub to: u16,
    /// For each number the bits of the word `to`.
    pub table: Vec<u64>,
}

/// What else is done where tests hold and misses do not: bits, as (word, cleared, filled).
#[derive(Debug, Clone)]
pub struct Conditional {
    pub tests: Vec<BitTest>,
    pub misses: Vec<BitTest>,
    pub bits: Vec<(u16, u64, u64)>,
}

impl Conditional {
    fn happens(&self, s: &[u64]) -> bool {
        self.tests.iter().all(|one| one.holds(s)) && !self.misses.iter().any(|one| one.holds(s))
    }
}

/// How to derive a successor from a state in slots: first change words, then clear and fill what
/// depends on more tests, then move and map fields.
#[derive(Debug, Clone, Default)]
pub struct Form {
    /// (word, bits to keep, bits to flip afterwards)
    pub changes: Vec<(u16, u64, u64)>,
    /// (from word, to word, bits, left shift)
    pub moves: Vec<(u16, u16, u64, i8)>,
    pub maps: Vec<Mapped>,
    pub effects: Vec<Conditional>,
}

impl Form {
    /// Turns `x`, a copy of the state `s`, into the successor.
    #[inline]
    pub fn apply(&self, s: &[u64], x: &mut [u64]) {
        for &(word, keep, flip) in &self.changes {
            let word = &mut x[word as usize];
            *word = (*word & keep) ^ flip;
        }
        if !self.effects.is_empty() {
            self.affect(s, x);
        }
        for &(from, to, bits, shift) in &self.moves {
            let field = s[from as usize] & bits;
            x[to as usize] |= if shift >= 0 { field << shift } else { field >> -shift };
        }
        for one in &self.maps {
            let number = (s[one.from as usize] >> one.shift & one.mask) as usize;
            x[one.to as usize] |= one.table.get(number).copied().unwrap_or(0);
        }
    }

    /// Clears what any effect takes, then fills what any puts.
    fn affect(&self, s: &[u64], x: &mut [u64]) {
        for one in self.effects.iter().filter(|one| one.happens(s)) {
            for &(word, clear, _) in &one.bits {
                x[word as usize] &= !clear;
            }
        }
        for one in self.effects.iter().filter(|one| one.happens(s)) {
            for &(word, _, fill) in &one.bits {
                x[word as usize] |= fill;
            }
        }
    }
}

/// A function of states in slots.
#[derive(Debug, Clone)]
pub enum Source {
    Rules(Rules),
    Condition(Formula),
}

#[derive(Debug, Clone, Default)]
pub struct Rules {
    pub rules: Vec<GroundRule>,
    /// Bits, as (word, mask), tested before all others: they vary most between states.
    pub first: Vec<(u16, u64)>,
    /// Whether successors are brought to their normal forms under `simplify`.
    pub simplify: bool,
    /// Tests that nearly always hold: few rules go on where one is missed.
    pub usual: Vec<BitTest>,
    /// Forbidden successors.
    pub never: Option<Formula>,
}

/// The canonical order of states in slots, by the ranks of their terms; see
/// `compile/slots/canonical.py`.
#[derive(Debug, Clone, Default)]
pub struct Ranks {
    /// (word, shift, mask, the rank of the term of each number; 0: no term)
    pub fields: Vec<(u16, u8, u64, Vec<u32>)>,
    /// The highest rank of the terms that all states share.
    pub shared: u32,
}

impl Ranks {
    /// Whether the terms of one state, sorted, come before those of another.
    pub fn less(&self, a: &[u64], b: &[u64]) -> bool {
        let (mut first, mut highest) = ([u32::MAX; 2], [self.shared; 2]);
        for (word, shift, mask, ranks) in &self.fields {
            let numbers = [a, b].map(|state| state[usize::from(*word)] >> shift & mask);
            let held = numbers.map(|number| ranks.get(number as usize).copied().unwrap_or(0));
            for side in 0..2 {
                highest[side] = highest[side].max(held[side]);
                if numbers[0] != numbers[1] && held[side] != 0 {
                    first[side] = first[side].min(held[side]);
                }
            }
        }
        // where they first differ, the other one has a higher term, or ends
        if first[0] < first[1] { highest[1] > first[0] } else { highest[0] < first[1] }
    }
}

/// One ground rule: where it applies, and what it changes.
#[derive(Debug, Clone, Default)]
pub struct GroundRule {
    /// The counter of matches, used if some successors are forbidden, and that of successors.
    pub matched: u16,
    pub fired: u16,
    pub tests: Vec<BitTest>,
    /// Tests that must all fail.
    pub misses: Vec<BitTest>,
    /// Bits that must be 0, else a term would occur twice.
    pub guard: Vec<BitTest>,
    /// None: looked up in a table.
    pub cost: Option<Val>,
    pub effect: Effect,
}

#[derive(Debug, Clone)]
pub enum Effect {
    Form(Form),
    /// The changes are looked up in a table and may be any in number.
    Table(u16),
}

impl Default for Effect {
    fn default() -> Effect {
        Effect::Form(Form::default())
    }
}

#[derive(Debug, Clone)]
pub enum Formula {
    Truth(bool),
    /// All of these hold.
    Bits(Vec<BitTest>),
    /// Exactly this many bits in the masks are set.
    Ones(Vec<BitTest>, u32),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    /// Whether some rule applies.
    Successor,
    /// The result of a function of the program.
    Call(u16),
}

impl Formula {
    pub fn known(&self) -> Option<bool> {
        match self {
            Formula::Truth(truth) => Some(*truth),
            Formula::Bits(tests) => tests.is_empty().then_some(true),
            Formula::Not(inner) => inner.known().map(|truth| !truth),
            Formula::All(parts) => junction(parts, false),
            Formula::Any(parts) => junction(parts, true),
            Formula::Ones(..) | Formula::Successor | Formula::Call(_) => None,
        }
    }
}

fn junction(parts: &[Formula], decisive: bool) -> Option<bool> {
    if parts.iter().any(|part| part.known() == Some(decisive)) {
        return Some(decisive);
    }
    parts.iter().all(|part| part.known() == Some(!decisive)).then_some(!decisive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_ordered_as_their_sorted_terms() {
        let fields = vec![
            (0, 0, 3, vec![0, 8, 4, 14]),
            (0, 2, 1, vec![0, 10]),
            (0, 3, 3, vec![2, 16, 12, 6]),
        ];
        for shared in [0, 9, 19] {
            let ranks = Ranks { fields: fields.clone(), shared };
            let terms = |state: u64| {
                let held =
                    fields.iter().map(|(_, shift, mask, ranks): &(u16, u8, u64, Vec<u32>)| {
                        ranks[(state >> shift & mask) as usize]
                    });
                let mut held: Vec<u32> = held.chain([shared]).filter(|&rank| rank != 0).collect();
                held.sort_unstable();
                held
            };
            for (a, b) in (0..32).flat_map(|a| (0..32).map(move |b| (a, b))) {
                assert!(a == b || ranks.less(&[a], &[b]) == (terms(a) < terms(b)), "{a} {b}");
            }
        }
    }
}

//! Many tests of which one holds, as where the empty cell is: found at once.
//!
//! A function often asks one field after the other whether it holds a certain number, and makes
//! successors where it does. All those fields are compared together: where none is equal all of it is
//! passed over, where just one is, the steps for that one are run. Where several are, they are asked
//! one after the other as before.

use super::{Kernel, Op};

/// Fewer are asked faster one by one.
const FEWEST: usize = 8;

/// Fields of one word that are compared with a number, all of the same width.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Compared {
    word: u16,
    /// The lowest bit of each.
    lowest: u64,
    /// The number, in the place of each.
    wanted: u64,
}

/// Steps of which those for one field are to be run.
#[derive(Debug)]
pub struct Choice {
    bits: u32,
    words: Vec<Compared>,
    /// (lowest bit, word) of each field, and where its steps begin; sorted.
    steps: Vec<((u32, u16), u32)>,
    /// Where it goes on if no field is equal, and if several are.
    none: u32,
    several: u32,
}

impl Choice {
    /// Where a state leads.
    #[inline]
    pub fn to(&self, state: &[u64]) -> u32 {
        let (mut equal, mut found) = (0, (0, 0));
        for one in &self.words {
            let mut differs = state[one.word as usize] ^ one.wanted;
            let mut folded = 1;
            while folded < self.bits {
                let by = folded.min(self.bits - folded);
                differs |= differs >> by;
                folded += by;
            }
            let hits = !differs & one.lowest;
            if hits != 0 {
                equal += hits.count_ones();
                found = (hits.trailing_zeros(), one.word);
            }
        }
        match equal {
            0 => self.none,
            1 => match self.steps.binary_search_by_key(&found, |one| one.0) {
                Ok(at) => self.steps[at].1,
                Err(_) => self.several,
            },
            _ => self.several,
        }
    }
}

/// A test of a field, and the steps up to `to` that are done where it holds: they make successors,
/// and nothing else.
struct Block {
    word: u16,
    mask: u64,
    value: u64,
    from: usize,
    to: usize,
}

impl Block {
    fn lowest(&self) -> u32 {
        self.mask.trailing_zeros()
    }

    /// The width of the field and the number it is compared with; none if the mask has gaps.
    fn kind(&self) -> Option<(u32, u64)> {
        let (bits, number) = (self.mask.count_ones(), self.value.checked_shr(self.lowest())?);
        let whole = self.mask >> self.lowest() == u64::MAX.checked_shr(64 - bits)?;
        (whole && self.value & !self.mask == 0).then_some((bits, number))
    }

    fn at(ops: &[Op], from: usize) -> Option<Block> {
        let &Op::Need { word, to, mask, value } = ops.get(from)? else { return None };
        let to = to as usize;
        let outs = ops.get(from + 1..to)?;
        let makes = outs.iter().all(|op| matches!(op, Op::Out { .. } | Op::OutForm { .. }));
        (makes && mask != 0).then_some(Block { word, mask, value, from, to })
    }
}

/// Lets all long runs of such blocks be chosen from.
pub fn with_choices(kernel: &mut Kernel) {
    let mut at = 0;
    while at < kernel.ops.len() {
        let run = run(&kernel.ops, at);
        at = run.last().map_or(at + 1, |block| block.to);
        if run.len() >= FEWEST {
            choose(kernel, &run);
        }
    }
}

/// The blocks from a place on, as long as they compare fields of one width with one number.
fn run(ops: &[Op], from: usize) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    while let Some(block) = Block::at(ops, blocks.last().map_or(from, |last| last.to)) {
        let same = blocks.first().is_none_or(|first| first.kind() == block.kind());
        // fields that overlap in part are others
        let apart = |other: &Block| {
            other.word != block.word || other.mask == block.mask || other.mask & block.mask == 0
        };
        if block.kind().is_none() || !same || !blocks.iter().all(apart) {
            break;
        }
        blocks.push(block);
    }
    blocks
}

fn choose(kernel: &mut Kernel, run: &[Block]) {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
    let Some((bits, _)) = first.kind() else { return };
    let none = last.to as u32;
    let mut fields: Vec<(u32, u16)> = run.iter().map(|one| (one.lowest(), one.word)).collect();
    fields.sort_unstable();
    fields.dedup();
    let mut choice = Choice { bits, words: Vec::new(), steps: Vec::new(), none, several: 0 };
    for &field in &fields {
        choice.steps.push((field, kernel.ops.len() as u32));
        let of_field = run.iter().filter(|one| (one.lowest(), one.word) == field);
        for block in of_field {
            let compared = choice.words.iter_mut().find(|one| one.word == block.word);
            let (lowest, wanted) = (1 << block.lowest(), block.value);
            match compared {
                Some(one) => (one.lowest, one.wanted) = (one.lowest | lowest, one.wanted | wanted),
                None => choice.words.push(Compared { word: block.word, lowest, wanted }),
            }
            kernel.ops.extend_from_within(block.from + 1..block.to);
        }
        kernel.ops.push(Op::Jump { to: none });
    }
    // the first test gives its place away
    choice.several = kernel.ops.len() as u32;
    kernel.ops.push(kernel.ops[first.from]);
    kernel.ops.push(Op::Jump { to: first.from as u32 + 1 });
    kernel.ops[first.from] = Op::Choose { among: kernel.choices.len() as u32 };
    kernel.choices.push(choice);
}

//! Finds at once which of many tests holds, such as where the empty cell is.
//!
//! A function often tests one field after another for a number and makes successors where it holds.
//! All those fields are compared together: if none is equal, the whole run is skipped; if just one
//! is, its steps are run; if several are, they are tested one by one as before.

use super::{Kernel, Op};
use crate::ground::BitTest;
use crate::vm::tables::Map;

/// Fewer are faster to test one by one.
const FEWEST: usize = 8;

/// Fields of one word, all of the same width, compared with a number.
#[derive(Debug)]
struct Compared {
    word: u16,
    /// The lowest bit of each.
    lowest: u64,
    /// The number, repeated at the position of each.
    wanted: u64,
    /// Where the steps of each begin, by its lowest bit.
    steps: [u32; 64],
}

/// A jump to the steps of the field that is equal.
#[derive(Debug)]
pub struct Choice {
    bits: u32,
    words: Vec<Compared>,
    /// Where to continue if no field is equal, and if several are.
    none: u32,
    several: u32,
}

impl Choice {
    #[inline]
    pub fn to(&self, state: &[u64]) -> u32 {
        let (mut equal, mut found) = (0, self.none);
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
                found = one.steps[hits.trailing_zeros() as usize];
            }
        }
        if equal > 1 { self.several } else { found }
    }
}

/// A test of a field, and the steps up to `to` that run if it holds: they only make successors.
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

    /// The width of the field and the number it is compared with; None if the mask has gaps.
    fn kind(&self) -> Option<(u32, u64)> {
        let (bits, number) = (self.mask.count_ones(), self.value.checked_shr(self.lowest())?);
        let whole = self.mask >> self.lowest() == u64::MAX.checked_shr(64 - bits)?;
        (whole && self.value & !self.mask == 0).then_some((bits, number))
    }

    fn at(ops: &[Op], from: usize) -> Option<Block> {
        let &Op::Need(BitTest { word, mask, value }, to) = ops.get(from)? else { return None };
        let to = to as usize;
        let outs = ops.get(from + 1..to)?;
        let makes = outs.iter().all(|op| matches!(op, Op::Out(..) | Op::OutForm(..)));
        (makes && mask != 0).then_some(Block { word, mask, value, from, to })
    }
}

/// Replaces long runs of such blocks with choices.
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

/// The blocks from a position on that compare fields of one width with one number.
fn run(ops: &[Op], from: usize) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut seen, mut used) = (Map::<(u16, u64), ()>::default(), Map::<u16, u64>::default());
    while let Some(block) = Block::at(ops, blocks.last().map_or(from, |last| last.to)) {
        let same = blocks.first().is_none_or(|first| first.kind() == block.kind());
        let bits = used.entry(block.word).or_insert(0);
        // partly overlapping fields end the run
        let apart = *bits & block.mask == 0 || seen.contains_key(&(block.word, block.mask));
        if block.kind().is_none() || !same || !apart {
            break;
        }
        *bits |= block.mask;
        seen.insert((block.word, block.mask), ());
        blocks.push(block);
    }
    blocks
}

fn choose(kernel: &mut Kernel, run: &[Block]) {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
    let Some((bits, _)) = first.kind() else { return };
    let none = last.to as u32;
    let mut choice = Choice { bits, words: Vec::new(), none, several: 0 };
    let (mut by_word, mut by_field) = (Map::<u16, usize>::default(), Map::default());
    for (number, block) in run.iter().enumerate() {
        by_field.entry((block.word, block.mask)).or_insert_with(Vec::new).push(number);
    }
    for block in run {
        // the steps of others that test the same are written with those of the first
        let Some(same) = by_field.remove(&(block.word, block.mask)) else { continue };
        let word = block.word;
        let at = *by_word.entry(word).or_insert(choice.words.len());
        if at == choice.words.len() {
            choice.words.push(Compared { word, lowest: 0, wanted: 0, steps: [none; 64] });
        }
        let compared = &mut choice.words[at];
        compared.lowest |= 1 << block.lowest();
        compared.wanted |= block.value;
        compared.steps[block.lowest() as usize] = kernel.ops.len() as u32;
        for other in same {
            kernel.ops.extend_from_within(run[other].from + 1..run[other].to);
        }
        kernel.ops.push(Op::Jump(none));
    }
    // the choice replaces the first test, which moves to the end
    choice.several = kernel.ops.len() as u32;
    kernel.ops.push(kernel.ops[first.from]);
    kernel.ops.push(Op::Jump(first.from as u32 + 1));
    kernel.ops[first.from] = Op::Choose(kernel.choices.len() as u32);
    kernel.choices.push(choice);
}

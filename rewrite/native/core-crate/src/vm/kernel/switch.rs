//! One field that is compared with one number after the other, as where a player stands: what it
//! holds says at once which steps are run.

use super::{Kernel, Op};

/// Fewer are asked faster one by one.
const FEWEST: usize = 4;
/// Of a field, at most: there is a place for each number that it may hold.
const MOST_BITS: u32 = 12;

/// Where the steps begin for each number that a field may hold.
#[derive(Debug)]
pub struct Switch {
    word: u16,
    shift: u32,
    mask: u64,
    steps: Vec<u32>,
}

impl Switch {
    /// Where a state leads.
    #[inline]
    pub fn to(&self, state: &[u64]) -> u32 {
        self.steps[(state[self.word as usize] >> self.shift & self.mask) as usize]
    }
}

/// A test of a field, and the steps up to `to` that are done where it holds.
struct Block {
    from: usize,
    to: usize,
    value: u64,
}

/// Makes switches of all long runs of tests of one field.
pub fn with_switches(kernel: &mut Kernel) {
    let jumps: Vec<(usize, usize)> = (0..)
        .zip(&kernel.ops)
        .filter_map(|(from, op)| Some((from, op.target()? as usize)))
        .collect();
    for at in 0..kernel.ops.len() {
        let run = run(&kernel.ops, at);
        if run.len() >= FEWEST {
            let run = closed(run, &jumps);
            if run.len() >= FEWEST {
                switch(kernel, &run);
            }
        }
    }
}

/// The blocks from a place on, as long as they compare one field with other numbers.
fn run(ops: &[Op], from: usize) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let Some(&Op::Need { word: field, mask: bits, .. }) = ops.get(from) else { return blocks };
    let mut at = from;
    while let Some(&Op::Need { word, mask, value, to }) = ops.get(at) {
        let known = blocks.iter().any(|block| block.value == value);
        if (word, mask) != (field, bits) || value & !mask != 0 || to as usize <= at || known {
            break;
        }
        blocks.push(Block { from: at, to: to as usize, value });
        at = to as usize;
    }
    blocks
}

/// The first of these blocks, as long as nothing but themselves goes into them, or from one to the
/// next.
fn closed(mut run: Vec<Block>, jumps: &[(usize, usize)]) -> Vec<Block> {
    let of = |place: usize| {
        let number = run.partition_point(|block| block.to <= place);
        run.get(number).filter(|block| block.from <= place).map(|_| number)
    };
    let mut left = run.len();
    for &(from, to) in jumps {
        let own = of(from);
        if let Some(number) = own
            && !(run[number].from < to && to <= run[number].to)
        {
            left = left.min(number);
        }
        if let Some(number) = of(to)
            && own != Some(number)
            && !(to == run[number].from && (number == 0 || own == Some(number - 1)))
        {
            left = left.min(number);
        }
    }
    run.truncate(left);
    run
}

fn switch(kernel: &mut Kernel, run: &[Block]) {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
    let Op::Need { word, mask, .. } = kernel.ops[first.from] else { return };
    let (shift, bits) = (mask.trailing_zeros(), mask.count_ones());
    if !(1..=MOST_BITS).contains(&bits) || mask >> shift != (1 << bits) - 1 {
        return;
    }
    let end = last.to as u32;
    let mut steps = vec![end; 1 << bits];
    for block in run {
        steps[(block.value >> shift) as usize] = block.from as u32 + 1;
        // whoever comes here from the block before is done: the field holds what that one asked for
        kernel.ops[block.from] = Op::Jump { to: end };
    }
    kernel.ops[first.from] = Op::Switch { among: kernel.switches.len() as u32 };
    kernel.switches.push(Switch { word, shift, mask: mask >> shift, steps });
}

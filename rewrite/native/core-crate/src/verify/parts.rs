//! What the numbers in an instruction point to, what it does with that, and where it goes on.

use std::ops::Deref;

use crate::instr::*;

/// What an instruction does with a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    Read,
    /// Writes, wherever it goes on then.
    Write,
    /// Writes where the loop takes another turn, at the next instruction; not where it is left.
    Turn,
}

/// A number in an instruction, by what it points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Reg(Does, Reg),
    Regs(Does, List),
    /// Pairs of which the second is a register that is read.
    Splices(List),
    /// The groups of the state: registers that are read, if states are groups; else nobody looks.
    State(List),
    /// A list of the function.
    Local(Does, u16),
    /// The next state, in slots, which stands behind that of the function.
    Next(Does),
    To(Pc),
    Set(u16),
    States(u16),
    Index(u16),
    Table(u16),
    Counter(u16),
    Form(u32),
    Bits(u32, u16),
}

/// The numbers of an instruction.
pub(super) struct Parts {
    all: [Part; Parts::MOST],
    len: usize,
}

impl Parts {
    const MOST: usize = 6;

    #[inline(always)]
    fn of<const LEN: usize>(given: [Part; LEN]) -> Parts {
        const { assert!(LEN <= Parts::MOST) }
        let mut all = [Part::To(0); Parts::MOST];
        all[..LEN].copy_from_slice(&given);
        Parts { all, len: LEN }
    }
}

impl Deref for Parts {
    type Target = [Part];

    #[inline]
    fn deref(&self) -> &[Part] {
        &self.all[..self.len]
    }
}

/// Returns all numbers of an instruction. A list that is too short is cut where it ends.
#[inline]
pub(super) fn parts(one: Instr) -> Parts {
    use Does::*;
    use Instr::*;
    use Part::*;
    macro_rules! are {
        ($($part:expr),*) => { Parts::of([$($part),*]) };
    }
    match one {
        Jump { to } => are!(To(to)),
        Instr::Count { counter } => are!(Counter(counter)),
        Move { into, from } => are!(Reg(Read, from), Reg(Write, into)),
        Equal { a, b, to, .. } | Compare { a, b, to, .. } => {
            are!(Reg(Read, a), Reg(Read, b), To(to))
        }
        IsKind { a, to, .. } | HasCtor { a, to, .. } | Truthy { a, to, .. } => {
            are!(Reg(Read, a), To(to))
        }
        MustBeTruth { a } | Return { a } => are!(Reg(Read, a)),
        In { a, tuple, to, .. } => are!(Reg(Read, a), Reg(Read, tuple), To(to)),
        InSet { a, set, to, .. } => are!(Reg(Read, a), Set(set), To(to)),
        FirstOfRun { place, pool, value, to } => {
            are!(Reg(Read, place), Reg(Read, pool), Reg(Read, value), To(to))
        }
        Arithmetic { into, a, b, .. } => are!(Reg(Read, a), Reg(Read, b), Reg(Write, into)),
        Neg { into, a } | Abs { into, a } | Len { into, a } | Spread { into, a } => {
            are!(Reg(Read, a), Reg(Write, into))
        }
        Tuple { into, parts } => are!(Splices(parts), Reg(Write, into)),
        Instr::Index { into, a, at } => are!(Reg(Read, a), Reg(Read, at), Reg(Write, into)),
        Slice { into, a, from, to } => {
            let to = to.unwrap_or(from);
            are!(Reg(Read, a), Reg(Read, from), Reg(Read, to), Reg(Write, into))
        }
        Unpack { a, into } => are!(Reg(Read, a), Regs(Write, into)),
        Without { into, a, places } => are!(Reg(Read, a), Regs(Read, places), Reg(Write, into)),
        Insert { into, a, values } => are!(Reg(Read, a), Regs(Read, values), Reg(Write, into)),
        Find { into, a, value, used } => {
            are!(Reg(Read, a), Reg(Read, value), Regs(Read, used), Reg(Write, into))
        }
        Builtin { into, args, .. } | Outside { into, args, .. } => {
            are!(Regs(Read, args), Reg(Write, into))
        }
        Call { into, args, next: false, .. } => are!(Regs(Read, args), Reg(Write, into)),
        Call { into, args, next: true, .. } => are!(Next(Read), Regs(Read, args), Reg(Write, into)),
        OutsideState { into, groups, .. } => are!(Regs(Read, groups), Reg(Write, into)),
        OutsideSlots { into, next: false, .. } => are!(Reg(Write, into)),
        OutsideSlots { into, next: true, .. } => are!(Next(Read), Reg(Write, into)),
        AnySuccessor { into, groups } => are!(State(groups), Reg(Write, into)),
        NoValue | Twice => are!(),
        RangeInit { index, from, mark } => {
            are!(Reg(Read, from), Reg(Write, index), Reg(Write, mark))
        }
        RangeNext { index, end, mark, to } => {
            are!(Reg(Read, index), Reg(Read, end), Reg(Read, mark), To(to), Reg(Turn, index))
        }
        ItemsNext { index, value, pool, mark, to } => {
            are!(
                Reg(Read, index),
                Reg(Read, pool),
                Reg(Read, mark),
                To(to),
                Reg(Turn, index),
                Reg(Turn, value)
            )
        }
        ChoicesNext { index, value, more, to } => {
            are!(Reg(Read, index), Regs(Read, more), To(to), Reg(Turn, index), Reg(Turn, value))
        }
        RowInit { row, mark, index, key } => {
            are!(Part::Index(index), Regs(Read, key), Reg(Write, row), Reg(Write, mark))
        }
        RowNext { row, index, more, to } => {
            let (found, mark) = more.split_at(2);
            are!(
                Part::Index(index),
                Reg(Read, row),
                Regs(Read, mark),
                To(to),
                Reg(Turn, row),
                Regs(Turn, found)
            )
        }
        Splits { ways, a, .. } => are!(Reg(Read, a), Local(Write, ways)),
        SplitsNext { index, ways, more, to } => {
            let (mark, into) = more.split_at(1);
            are!(
                Reg(Read, index),
                Local(Read, ways),
                Regs(Read, mark),
                To(to),
                Reg(Turn, index),
                Regs(Turn, into)
            )
        }
        ListNew { list } => are!(Local(Write, list)),
        ListPush { list, value } => are!(Local(Read, list), Reg(Read, value)),
        ListAny { list, to, .. } => are!(Local(Read, list), To(to)),
        ListHas { list, value, to, .. } => are!(Local(Read, list), Reg(Read, value), To(to)),
        ListFold { into, list, .. } => are!(Local(Read, list), Reg(Write, into)),
        Emit { cost, counter, groups } => {
            are!(Reg(Read, cost), Counter(counter), Regs(Read, groups))
        }
        EmitWith { cost, counter, group, value } => {
            are!(Reg(Read, cost), Counter(counter), Reg(Read, group), Reg(Read, value))
        }
        Place { groups, operands } | Normal { groups, operands } => {
            let (made, given) = operands.split_at(groups.into());
            are!(Regs(Read, given), Regs(Write, made))
        }
        InStates { set, groups, to, .. } => are!(Part::States(set), State(groups), To(to)),
        CheckCost { cost } => are!(Reg(Read, cost)),
        Put { cost, values } => are!(Reg(Read, cost), Reg(Read, values)),
        Bit { test, to, .. } => are!(Part::Bits(test, 1), To(to)),
        Instr::Bits { first, len, to, .. } => are!(Part::Bits(first, len), To(to)),
        Make { form } => are!(Form(form), Next(Write)),
        TableInit { row, table } => are!(Part::Table(table), Reg(Write, row)),
        TableNext { row, cost, table, to, add: false } => {
            are!(Part::Table(table), Reg(Read, row), To(to), Reg(Turn, row), Reg(Turn, cost))
        }
        TableNext { row, cost, table, to, add: true } => {
            are!(
                Part::Table(table),
                Reg(Read, row),
                To(to),
                Reg(Turn, row),
                Reg(Turn, cost),
                Next(Turn)
            )
        }
        TableAny { table, to, .. } => are!(Part::Table(table), To(to)),
        EmitX { cost, counter } => are!(Reg(Read, cost), Counter(counter), Next(Read)),
        MakeOut { cost, counter, form } => are!(Reg(Read, cost), Counter(counter), Form(form)),
        BitCount { into, first, len } => are!(Part::Bits(first, len), Reg(Write, into)),
    }
}

/// Whether an instruction is the turn of a loop, which spends fuel.
pub(super) fn is_turn(one: Instr) -> bool {
    use Instr::*;
    matches!(
        one,
        RangeNext { .. }
            | ItemsNext { .. }
            | ChoicesNext { .. }
            | RowNext { .. }
            | SplitsNext { .. }
            | TableNext { .. }
    )
}

/// Whether what follows is not the next instruction.
pub(super) fn ends(one: Instr) -> bool {
    matches!(one, Instr::Jump { .. } | Instr::Return { .. } | Instr::NoValue | Instr::Twice)
}

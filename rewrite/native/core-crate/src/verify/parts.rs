//! What the numbers in an instruction point to, and where it goes on.

use super::Check;
use crate::instr::*;

/// A number in an instruction, by what it points to.
pub(super) enum Part {
    Reg(Reg),
    Regs(List),
    /// Pairs of which the second is a register.
    Splices(List),
    To(Pc),
    /// A list of the function.
    Local(u16),
    Set(u16),
    States(u16),
    Index(u16),
    Table(u16),
    Counter(u16),
    Form(u32),
    Bits(u32, usize),
}

/// Hands over all numbers of an instruction.
pub(super) fn parts(one: Instr, act: &mut dyn FnMut(Part) -> Check) -> Check {
    use Instr::*;
    use Part::*;
    macro_rules! are {
        ($($part:expr),*) => {{
            $(act($part)?;)*
            Ok(())
        }};
    }
    match one {
        Jump { to } => are!(To(to)),
        Instr::Count { counter } => are!(Counter(counter)),
        Move { into, from } => are!(Reg(into), Reg(from)),
        Equal { a, b, to, .. } | Compare { a, b, to, .. } => are!(Reg(a), Reg(b), To(to)),
        IsKind { a, to, .. } | HasCtor { a, to, .. } | Truthy { a, to, .. } => are!(Reg(a), To(to)),
        MustBeTruth { a } | Return { a } => are!(Reg(a)),
        In { a, tuple, to, .. } => are!(Reg(a), Reg(tuple), To(to)),
        InSet { a, set, to, .. } => are!(Reg(a), Set(set), To(to)),
        FirstOfRun { place, pool, value, to } => are!(Reg(place), Reg(pool), Reg(value), To(to)),
        Arithmetic { into, a, b, .. } => are!(Reg(into), Reg(a), Reg(b)),
        Neg { into, a } | Abs { into, a } | Len { into, a } | Spread { into, a } => {
            are!(Reg(into), Reg(a))
        }
        Tuple { into, parts } => are!(Reg(into), Splices(parts)),
        Instr::Index { into, a, at } => are!(Reg(into), Reg(a), Reg(at)),
        Slice { into, a, from, to } => {
            are!(Reg(into), Reg(a), Reg(from), Reg(to.unwrap_or(from)))
        }
        Unpack { a, into } => are!(Reg(a), Regs(into)),
        Without { into, a, places } => are!(Reg(into), Reg(a), Regs(places)),
        Insert { into, a, values } => are!(Reg(into), Reg(a), Regs(values)),
        Find { into, a, value, used } => are!(Reg(into), Reg(a), Reg(value), Regs(used)),
        Builtin { into, args, .. } | Outside { into, args, .. } | Call { into, args, .. } => {
            are!(Reg(into), Regs(args))
        }
        OutsideState { into, groups, .. } | AnySuccessor { into, groups } => {
            are!(Reg(into), Regs(groups))
        }
        OutsideSlots { into, .. } => are!(Reg(into)),
        NoValue | Twice => Ok(()),
        RangeInit { index, from, mark } => are!(Reg(index), Reg(from), Reg(mark)),
        RangeNext { index, end, mark, to } => are!(Reg(index), Reg(end), Reg(mark), To(to)),
        ItemsNext { index, value, pool, mark, to } => {
            are!(Reg(index), Reg(value), Reg(pool), Reg(mark), To(to))
        }
        ChoicesNext { index, value, more, to } => are!(Reg(index), Reg(value), Regs(more), To(to)),
        RowInit { row, mark, index, key } => {
            are!(Reg(row), Reg(mark), Part::Index(index), Regs(key))
        }
        RowNext { row, index, more, to } => are!(Reg(row), Part::Index(index), Regs(more), To(to)),
        Splits { ways, a, .. } => are!(Local(ways), Reg(a)),
        SplitsNext { index, ways, more, to } => are!(Reg(index), Local(ways), Regs(more), To(to)),
        ListNew { list } => are!(Local(list)),
        ListPush { list, value } => are!(Local(list), Reg(value)),
        ListAny { list, to, .. } => are!(Local(list), To(to)),
        ListHas { list, value, to, .. } => are!(Local(list), Reg(value), To(to)),
        ListFold { into, list, .. } => are!(Reg(into), Local(list)),
        Emit { cost, counter, groups } => are!(Reg(cost), Counter(counter), Regs(groups)),
        EmitWith { cost, counter, group, value } => {
            are!(Reg(cost), Counter(counter), Reg(group), Reg(value))
        }
        Place { operands, .. } | Normal { operands, .. } => are!(Regs(operands)),
        InStates { set, groups, to, .. } => are!(States(set), Regs(groups), To(to)),
        CheckCost { cost } => are!(Reg(cost)),
        Put { cost, values } => are!(Reg(cost), Reg(values)),
        Bit { test, to, .. } => are!(Part::Bits(test, 1), To(to)),
        Instr::Bits { first, len, to, .. } => are!(Part::Bits(first, len.into()), To(to)),
        Make { form } => are!(Form(form)),
        TableInit { row, table } => are!(Reg(row), Part::Table(table)),
        TableNext { row, cost, table, to, .. } => {
            are!(Reg(row), Reg(cost), Part::Table(table), To(to))
        }
        TableAny { table, to, .. } => are!(Part::Table(table), To(to)),
        EmitX { cost, counter } => are!(Reg(cost), Counter(counter)),
        MakeOut { cost, counter, form } => are!(Reg(cost), Counter(counter), Form(form)),
        BitCount { into, first, len } => are!(Reg(into), Part::Bits(first, len.into())),
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

//! Reads instructions as they are handed over, one flat buffer.
//!
//! An instruction is a word, its place in `INSTRUCTIONS` and (from bit 8) how many operands follow,
//! then the operands, a word each; bits of a state are two words, the low half first. Python looks the
//! names up in `INSTRUCTIONS` and in the list of built-in functions. Only the project writes programs,
//! so they are taken as they are, but for numbers too large for their field: those of a large puzzle.

use crate::error::{Error, Result};
use crate::program::*;

/// The instructions by name; `read` says which operands each has.
pub const INSTRUCTIONS: &[&str] = &[
    "Jump",
    "Count",
    "Move",
    "Equal",
    "Compare",
    "IsKind",
    "HasCtor",
    "Truthy",
    "MustBeTruth",
    "In",
    "InSet",
    "FirstOfRun",
    "Arithmetic",
    "Neg",
    "Abs",
    "Tuple",
    "Len",
    "Index",
    "Slice",
    "Spread",
    "Unpack",
    "Without",
    "Insert",
    "Find",
    "Builtin",
    "Outside",
    "OutsideState",
    "OutsideSlots",
    "Call",
    "Return",
    "NoValue",
    "RangeInit",
    "RangeNext",
    "ItemsNext",
    "ChoicesNext",
    "RowInit",
    "RowNext",
    "Splits",
    "SplitsNext",
    "ListNew",
    "ListPush",
    "ListAny",
    "ListHas",
    "ListFold",
    "Emit",
    "EmitWith",
    "Place",
    "Normal",
    "AnySuccessor",
    "InStates",
    "CheckCost",
    "Put",
    "Bits",
    "TableInit",
    "TableNext",
    "TableAny",
    "BitCount",
];

/// Reads the operands of one instruction in turn.
struct Reader<'a> {
    name: &'a str,
    operands: &'a [u32],
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> u32 {
        self.at += 1;
        self.operands[self.at - 1]
    }

    fn number<T: TryFrom<u32>>(&mut self) -> Result<T> {
        let value = self.next();
        T::try_from(value).map_err(|_| self.too_large(&format!("the operand {value}")))
    }

    fn too_large(&self, what: &str) -> Error {
        Error::Unsupported(format!("it has no instruction {} with {what}", self.name))
    }

    /// Bits of a state: two words, the low half first.
    fn bits(&mut self) -> u64 {
        let low = u64::from(self.next());
        low | u64::from(self.next()) << 32
    }

    fn flag(&mut self) -> bool {
        self.next() != 0
    }

    fn is_at_end(&self) -> bool {
        self.at == self.operands.len()
    }

    /// The operands that are left, as a list of the program.
    fn list(&mut self, lists: &mut Vec<Reg>) -> Result<List> {
        self.list_from(lists.len(), lists)
    }

    /// The same, where the first operands of the list were read already.
    fn list_from(&mut self, from: usize, lists: &mut Vec<Reg>) -> Result<List> {
        while !self.is_at_end() {
            lists.push(self.number()?);
        }
        let len = lists.len() - from;
        List::new(from, len).ok_or_else(|| self.too_large(&format!("{len} operands")))
    }
}

const KINDS: [Is; 5] = [Is::Int, Is::Str, Is::Truth, Is::Seq, Is::Bag];
const FOLDS: [Fold; 3] = [Fold::Least, Fold::Greatest, Fold::Sum];

/// Reads the code into `program`. The rest of the program is there already.
pub fn load(program: &mut Program, mut code: &[u32]) -> Result<()> {
    while let Some((&head, rest)) = code.split_first() {
        let (operands, rest) = rest.split_at((head >> 8) as usize);
        let mut r = Reader { name: INSTRUCTIONS[(head & 0xff) as usize], operands, at: 0 };
        let instr = read(&mut r, program)?;
        debug_assert!(r.is_at_end(), "{instr:?}: operands are left");
        program.code.push(instr);
        code = rest;
    }
    Ok(())
}

fn read(r: &mut Reader<'_>, p: &mut Program) -> Result<Instr> {
    use Instr::*;
    let (lists, first, body) = (&mut p.lists, false, p.code.len() as Pc + 1);
    Ok(match r.name {
        "Jump" => Jump { to: r.number()? },
        "Count" => Count { counter: r.number()? },
        "Move" => Move { into: r.number()?, from: r.number()? },
        "Equal" => Equal { a: r.number()?, b: r.number()?, on: r.flag(), to: r.number()? },
        "Compare" => {
            let op = r.next();
            let (a, b, on, to) = (r.number()?, r.number()?, r.flag(), r.number()?);
            match op {
                0 => Less { a, b, on, to },            // a < b
                1 => Less { a: b, b: a, on: !on, to }, // a <= b
                2 => Less { a: b, b: a, on, to },      // a > b
                _ => Less { a, b, on: !on, to },       // a >= b
            }
        }
        "IsKind" => {
            let a = r.number()?;
            IsKind { a, kind: KINDS[r.next() as usize], on: r.flag(), to: r.number()? }
        }
        "HasCtor" => {
            let a = r.number()?;
            let ctor = p.constants[r.next() as usize].as_ctor().expect("a constructor");
            HasCtor { a, ctor, on: r.flag(), to: r.number()? }
        }
        "Truthy" => Truthy { a: r.number()?, on: r.flag(), to: r.number()? },
        "MustBeTruth" => MustBeTruth { a: r.number()? },
        "In" => In { a: r.number()?, tuple: r.number()?, on: r.flag(), to: r.number()? },
        "InSet" => InSet { a: r.number()?, set: r.number()?, on: r.flag(), to: r.number()? },
        "FirstOfRun" => FirstOfRun {
            place: r.number()?,
            pool: r.number()?,
            value: r.number()?,
            to: r.number()?,
        },
        "Arithmetic" => {
            let op = r.next();
            let (into, a, b) = (r.number()?, r.number()?, r.number()?);
            match op {
                0 => Add { into, a, b },
                1 => Sub { into, a, b },
                2 => Mul { into, a, b },
                3 => FloorDiv { into, a, b },
                _ => Mod { into, a, b },
            }
        }
        "Neg" => Neg { into: r.number()?, a: r.number()? },
        "Abs" => Abs { into: r.number()?, a: r.number()? },
        "Tuple" => Tuple { into: r.number()?, parts: r.list(lists)? },
        "Len" => Len { into: r.number()?, a: r.number()? },
        "Index" => Index { into: r.number()?, a: r.number()?, at: r.number()? },
        "Slice" => {
            let (into, a, from) = (r.number()?, r.number()?, r.number()?);
            let to = if r.is_at_end() { None } else { Some(r.number()?) };
            Slice { into, a, from, to }
        }
        "Spread" => Spread { into: r.number()?, a: r.number()? },
        "Unpack" => Unpack { a: r.number()?, into: r.list(lists)? },
        "Without" => Without { into: r.number()?, a: r.number()?, places: r.list(lists)? },
        "Insert" => Insert { into: r.number()?, a: r.number()?, values: r.list(lists)? },
        "Find" => {
            let (into, a, value) = (r.number()?, r.number()?, r.number()?);
            Find { into, a, value, used: r.list(lists)? }
        }
        "Builtin" => {
            let into = r.number()?;
            match crate::program::Builtin::ALL[r.next() as usize] {
                crate::program::Builtin::Number => Number { into, a: r.number()? },
                function => Builtin { into, function, args: r.list(lists)? },
            }
        }
        "Outside" => Outside { into: r.number()?, function: r.number()?, args: r.list(lists)? },
        "OutsideState" => {
            OutsideState { into: r.number()?, test: r.number()?, groups: r.list(lists)? }
        }
        "OutsideSlots" => OutsideSlots { into: r.number()?, test: r.number()? },
        "Call" => {
            let (into, function) = (r.number()?, r.number()?);
            Call { into, function, args: r.list(lists)? }
        }
        "Return" => Return { a: r.number()? },
        "NoValue" => NoValue,
        "RangeInit" => RangeInit { index: r.number()?, from: r.number()?, mark: r.number()? },
        "RangeNext" => {
            let (index, end, mark) = (r.number()?, r.number()?, r.number()?);
            RangeNext { first, index, end, mark, body, to: r.number()? }
        }
        "ItemsNext" => {
            let (index, value, pool, mark) = (r.number()?, r.number()?, r.number()?, r.number()?);
            ItemsNext { first, index, value, pool, mark, body, to: r.number()? }
        }
        "ChoicesNext" => {
            let (index, value, pool, mark) = (r.number()?, r.number()?, r.number()?, r.number()?);
            let to = r.number()?;
            if r.is_at_end() {
                RunsNext { first, index, value, pool, mark, body, to }
            } else {
                let from = lists.len();
                lists.extend([pool, mark]);
                ChoicesNext { index, value, more: r.list_from(from, lists)?, to }
            }
        }
        "RowInit" => {
            let (row, mark, index) = (r.number()?, r.number()?, r.number()?);
            RowInit { row, mark, index, key: r.list(lists)? }
        }
        "RowNext" => {
            let (row, from) = (r.number()?, lists.len());
            lists.extend([r.number::<Reg>()?, r.number::<Reg>()?]);
            let index = r.number()?;
            lists.push(r.number()?);
            let to = r.number()?;
            RowNext { row, index, more: r.list_from(from, lists)?, to }
        }
        "Splits" => Splits { ways: r.number()?, a: r.number()?, parts: r.number()? },
        "SplitsNext" => {
            let (index, ways, from) = (r.number()?, r.number()?, lists.len());
            lists.push(r.number()?);
            let to = r.number()?;
            SplitsNext { index, ways, more: r.list_from(from, lists)?, to }
        }
        "ListNew" => ListNew { list: r.number()? },
        "ListPush" => ListPush { list: r.number()?, value: r.number()? },
        "ListAny" => ListAny { list: r.number()?, on: r.flag(), to: r.number()? },
        "ListHas" => {
            ListHas { list: r.number()?, value: r.number()?, on: r.flag(), to: r.number()? }
        }
        "ListFold" => {
            let (into, list) = (r.number()?, r.number()?);
            ListFold { into, list, how: FOLDS[r.next() as usize] }
        }
        "Emit" => Emit { cost: r.number()?, counter: r.number()?, groups: r.list(lists)? },
        "EmitWith" => EmitWith {
            cost: r.number()?,
            counter: r.number()?,
            group: r.number()?,
            value: r.number()?,
        },
        "Place" => Place { groups: r.number()?, operands: r.list(lists)? },
        "Normal" => Normal { groups: r.number()?, operands: r.list(lists)? },
        "AnySuccessor" => AnySuccessor { into: r.number()?, groups: r.list(lists)? },
        "InStates" => {
            let (set, on, to) = (r.number()?, r.flag(), r.number()?);
            InStates { set, on, groups: r.list(lists)?, to }
        }
        "CheckCost" => CheckCost { cost: r.number()? },
        "Put" => Put { cost: r.number()?, values: r.number()? },
        "Bits" => {
            let (on, to) = (r.flag(), r.number()?);
            let first = p.bits.len() as u32;
            while !r.is_at_end() {
                p.bits.push(BitTest { word: r.number()?, mask: r.bits(), value: r.bits() });
            }
            match p.bits.len() - first as usize {
                1 => Bit { test: first, on, to },
                len => Bits { first, len: len as u16, on, to }, // one for each word at most
            }
        }
        "TableInit" => TableInit { row: r.number()?, table: r.number()? },
        "TableNext" => {
            TableNext { row: r.number()?, cost: r.number()?, table: r.number()?, to: r.number()? }
        }
        "TableAny" => TableAny { table: r.number()?, on: r.flag(), to: r.number()? },
        "BitCount" => {
            // masks stand as tests, whose masks are counted
            let (into, first) = (r.number()?, p.bits.len() as u32);
            while !r.is_at_end() {
                p.bits.push(BitTest { word: r.number()?, mask: r.bits(), value: 0 });
            }
            BitCount { into, first, len: (p.bits.len() - first as usize) as u16 }
        }
        other => unreachable!("{other} is in INSTRUCTIONS"),
    })
}

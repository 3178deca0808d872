//! Reads instructions as they are handed over, one flat buffer, and checks each of them.
//!
//! An instruction is a word, its place in `INSTRUCTIONS` and (from bit 8) how many operands follow,
//! then the operands, a word each; bits of a state are two words, the low half first. Python looks the
//! names up in `INSTRUCTIONS` and in the list of built-in functions.

use crate::program::*;
use crate::trouble::{Outcome, Trouble};

/// The instructions by name, each with its operands: r a register that is read, w one that is only
/// written, t a place in the code, f a flag, c a counter, n another number, b 64 bits; behind * what may
/// come any number of times (`Place` and `Normal` write to the first n of them).
pub const INSTRUCTIONS: &[(&str, &str)] = &[
    ("Jump", "t"),
    ("Count", "c"),
    ("Move", "wr"),
    ("Equal", "rrft"),
    ("Compare", "nrrft"),
    ("IsKind", "rnft"),
    ("HasCtor", "rnft"),
    ("Truthy", "rft"),
    ("MustBeTruth", "r"),
    ("In", "rrft"),
    ("InSet", "rnft"),
    ("FirstOfRun", "rrrt"),
    ("Arithmetic", "nwrr"),
    ("Neg", "wr"),
    ("Abs", "wr"),
    ("Tuple", "w*fr"),
    ("Len", "wr"),
    ("Index", "wrr"),
    ("Slice", "wrr*r"),
    ("Spread", "wr"),
    ("Unpack", "r*w"),
    ("Without", "wr*r"),
    ("Insert", "wr*r"),
    ("Find", "wrr*r"),
    ("Builtin", "wn*r"),
    ("Outside", "wn*r"),
    ("OutsideState", "wn*r"),
    ("OutsideSlots", "wn"),
    ("Call", "wn*r"),
    ("Return", "r"),
    ("NoValue", ""),
    ("RangeInit", "wrw"),
    ("RangeNext", "rrrt"),
    ("ItemsNext", "rwrrt"),
    ("ChoicesNext", "rwrrt*r"),
    ("RowInit", "wwn*r"),
    ("RowNext", "rwwnrt"),
    ("Splits", "nrn"),
    ("SplitsNext", "rnrt*w"),
    ("ListNew", "n"),
    ("ListPush", "nr"),
    ("ListAny", "nft"),
    ("ListHas", "nrft"),
    ("ListFold", "wnn"),
    ("Emit", "rc*r"),
    ("EmitWith", "rcrr"),
    ("Place", "n*r"),
    ("Normal", "n*r"),
    ("AnySuccessor", "w*r"),
    ("InStates", "nft*r"),
    ("CheckCost", "r"),
    ("Put", "rr"),
    ("Bits", "ft*nbb"),
    ("TableInit", "wn"),
    ("TableNext", "rwnt"),
    ("TableAny", "nft"),
    ("BitCount", "w*nb"),
];

/// Reads the operands of one instruction in turn.
struct Reader<'a> {
    name: &'a str,
    operands: &'a [u32],
    at: usize,
}

type Read<T> = Result<T, String>;

impl Reader<'_> {
    fn next(&mut self) -> Read<u32> {
        let found = self.operands.get(self.at).copied();
        self.at += 1;
        found.ok_or_else(|| format!("{}: operand {} is missing", self.name, self.at))
    }

    fn number<T: TryFrom<u32>>(&mut self) -> Read<T> {
        let value = self.next()?;
        T::try_from(value).map_err(|_| format!("{}: {value} is out of range", self.name))
    }

    /// Bits of a state: two words, the low half first.
    fn bits(&mut self) -> Read<u64> {
        let low = u64::from(self.next()?);
        Ok(low | u64::from(self.next()?) << 32)
    }

    fn flag(&mut self) -> Read<bool> {
        Ok(self.next()? != 0)
    }

    /// The operands that are left, as a list of the program.
    fn list(&mut self, lists: &mut Vec<Reg>) -> Read<List> {
        self.list_from(lists.len(), lists)
    }

    /// The same, where the first operands of the list were read already.
    fn list_from(&mut self, from: usize, lists: &mut Vec<Reg>) -> Read<List> {
        while self.at < self.operands.len() {
            let one = self.number()?;
            lists.push(one);
        }
        let len = lists.len() - from;
        List::new(from, len).ok_or_else(|| format!("{}: {len} operands are too many", self.name))
    }
}

const OPS: [Op; 5] = [Op::Add, Op::Sub, Op::Mul, Op::FloorDiv, Op::Mod];
const CMPS: [Cmp; 4] = [Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge];
const KINDS: [Is; 5] = [Is::Int, Is::Str, Is::Truth, Is::Seq, Is::Bag];
const FOLDS: [Fold; 3] = [Fold::Least, Fold::Greatest, Fold::Sum];

fn chosen<T: Copy>(all: &[T], number: u32) -> Read<T> {
    all.get(number as usize).copied().ok_or_else(|| format!("{number} is out of range"))
}

/// Reads the code into `program`. The rest of the program is there already.
pub fn load(program: &mut Program, code: &[u32]) -> Outcome<()> {
    read_all(program, code).map_err(Trouble::Internal)
}

fn read_all(program: &mut Program, mut code: &[u32]) -> Read<()> {
    let ctors: Vec<Option<u32>> = program.constants.iter().map(|one| one.as_ctor()).collect();
    while let Some((&head, rest)) = code.split_first() {
        let (number, len) = (head & 0xff, (head >> 8) as usize);
        let &(name, _) = INSTRUCTIONS
            .get(number as usize)
            .ok_or_else(|| format!("there is no instruction {number}"))?;
        let Some((operands, rest)) = rest.split_at_checked(len) else {
            return Err(format!("{name}: the code ends before its {len} operands do"));
        };
        let mut r = Reader { name, operands, at: 0 };
        let instr = read(&mut r, program, &ctors)?;
        if r.at < operands.len() {
            return Err(format!("{name}: {} operands are too many", operands.len() - r.at));
        }
        program.code.push(instr);
        code = rest;
    }
    Ok(())
}

fn read(r: &mut Reader<'_>, p: &mut Program, ctors: &[Option<u32>]) -> Read<Instr> {
    use Instr::*;
    let lists = &mut p.lists;
    Ok(match r.name {
        "Jump" => Jump { to: r.number()? },
        "Count" => Count { counter: r.number()? },
        "Move" => Move { into: r.number()?, from: r.number()? },
        "Equal" => Equal { a: r.number()?, b: r.number()?, on: r.flag()?, to: r.number()? },
        "Compare" => {
            let op = chosen(&CMPS, r.next()?)?;
            Compare { op, a: r.number()?, b: r.number()?, on: r.flag()?, to: r.number()? }
        }
        "IsKind" => {
            let a = r.number()?;
            IsKind { a, kind: chosen(&KINDS, r.next()?)?, on: r.flag()?, to: r.number()? }
        }
        "HasCtor" => {
            let a = r.number()?;
            let ctor = chosen(ctors, r.next()?)?.ok_or("no constructor")?;
            HasCtor { a, ctor, on: r.flag()?, to: r.number()? }
        }
        "Truthy" => Truthy { a: r.number()?, on: r.flag()?, to: r.number()? },
        "MustBeTruth" => MustBeTruth { a: r.number()? },
        "In" => In { a: r.number()?, tuple: r.number()?, on: r.flag()?, to: r.number()? },
        "InSet" => InSet { a: r.number()?, set: r.number()?, on: r.flag()?, to: r.number()? },
        "FirstOfRun" => FirstOfRun {
            place: r.number()?,
            pool: r.number()?,
            value: r.number()?,
            to: r.number()?,
        },
        "Arithmetic" => {
            let op = chosen(&OPS, r.next()?)?;
            Arithmetic { op, into: r.number()?, a: r.number()?, b: r.number()? }
        }
        "Neg" => Neg { into: r.number()?, a: r.number()? },
        "Abs" => Abs { into: r.number()?, a: r.number()? },
        "Tuple" => Tuple { into: r.number()?, parts: r.list(lists)? },
        "Len" => Len { into: r.number()?, a: r.number()? },
        "Index" => Index { into: r.number()?, a: r.number()?, at: r.number()? },
        "Slice" => {
            let (into, a, from) = (r.number()?, r.number()?, r.number()?);
            let to = if r.at < r.operands.len() { Some(r.number()?) } else { None };
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
            let function = chosen(crate::program::Builtin::ALL, r.next()?)?;
            Builtin { into, function, args: r.list(lists)? }
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
            RangeNext { index: r.number()?, end: r.number()?, mark: r.number()?, to: r.number()? }
        }
        "ItemsNext" => ItemsNext {
            index: r.number()?,
            value: r.number()?,
            pool: r.number()?,
            mark: r.number()?,
            to: r.number()?,
        },
        "ChoicesNext" => {
            let (index, value) = (r.number()?, r.number()?);
            let from = lists.len();
            lists.extend([r.number::<Reg>()?, r.number::<Reg>()?]);
            let to = r.number()?;
            ChoicesNext { index, value, more: r.list_from(from, lists)?, to }
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
        "ListAny" => ListAny { list: r.number()?, on: r.flag()?, to: r.number()? },
        "ListHas" => {
            ListHas { list: r.number()?, value: r.number()?, on: r.flag()?, to: r.number()? }
        }
        "ListFold" => {
            let (into, list) = (r.number()?, r.number()?);
            ListFold { into, list, how: chosen(&FOLDS, r.next()?)? }
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
            let (set, on, to) = (r.number()?, r.flag()?, r.number()?);
            InStates { set, on, groups: r.list(lists)?, to }
        }
        "CheckCost" => CheckCost { cost: r.number()? },
        "Put" => Put { cost: r.number()?, values: r.number()? },
        "Bits" => {
            let (on, to) = (r.flag()?, r.number()?);
            let first = p.bits.len() as u32;
            while r.at < r.operands.len() {
                p.bits.push(BitTest { word: r.number()?, mask: r.bits()?, value: r.bits()? });
            }
            let len = p.bits.len() - first as usize;
            if len == 1 {
                return Ok(Bit { test: first, on, to });
            }
            Bits { first, len: u16::try_from(len).map_err(|_| "too many bits")?, on, to }
        }
        "TableInit" => TableInit { row: r.number()?, table: r.number()? },
        "TableNext" => TableNext {
            row: r.number()?,
            cost: r.number()?,
            table: r.number()?,
            to: r.number()?,
        },
        "TableAny" => TableAny { table: r.number()?, on: r.flag()?, to: r.number()? },
        "BitCount" => {
            // masks stand as tests, whose masks are counted
            let (into, first) = (r.number()?, p.bits.len() as u32);
            while r.at < r.operands.len() {
                p.bits.push(BitTest { word: r.number()?, mask: r.bits()?, value: 0 });
            }
            let len = p.bits.len() - first as usize;
            BitCount { into, first, len: u16::try_from(len).map_err(|_| "too many bits")? }
        }
        other => return Err(format!("there is no instruction {other}")),
    })
}

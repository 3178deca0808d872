//! The instructions of the machine. `fused` puts some of them together, `fast_path` and `slow_path` do
//! them.
//!
//! They are handed over in one flat buffer. An instruction is a word, its place in `INSTRUCTIONS` and
//! (from bit 8) how many operands follow, then its fields in order, a word each; a list takes all
//! operands that are left, and a test of bits five of them: the word, and mask and value as two halves
//! each, the low one first. Only the project writes programs, so they are taken as they are, but for
//! numbers too large for their field: those of a large puzzle.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::ground::BitTest;
use crate::value::{Kind, Val};

/// A register of the current function.
pub type Reg = u16;
/// A place in the code.
pub type Pc = u32;

/// A part of `Program::lists`: operands of which an instruction has any number. Its place and, in the
/// lowest 8 bits, its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct List(u32);

impl List {
    pub fn new(from: usize, len: usize) -> Option<List> {
        (from + len < 1 << 24 && len < 1 << 8).then_some(List((from as u32) << 8 | len as u32))
    }

    #[inline]
    pub fn range(self) -> Range<usize> {
        let from = (self.0 >> 8) as usize;
        from..from + (self.0 & 0xff) as usize
    }
}

/// A part of `Program::bits`: tests that all hold, or masks whose bits are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tests {
    pub first: u32,
    pub len: u16,
}

/// The number of a constructor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ctor(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    Mul,
    FloorDiv,
}

/// Stands for no counter.
pub const NOTHING: u16 = u16::MAX;

/// Enums by name; their numbers are those of Python.
macro_rules! numbered {
    ($($(#[$doc:meta])* $name:ident { $($one:ident),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($one),* }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$one),*];
        }

        impl Operand for $name {
            fn read(r: &mut Reader<'_>) -> Result<Self> {
                Ok($name::ALL[u32::read(r)? as usize])
            }
        }
    )*};
}

numbered! {
    Fold { Least, Greatest, Sum }
    /// Functions of values; Python knows them by name.
    Builtin {
        Integer, Truth, Text, Elements, Sequence, MakeBag, Power, Concat, Item, Cut, Digits, Number,
        Length, Total, Least, Greatest, Divides, Between, Ordered, Upper, Lower, Min, Max, Within,
        Written, Letters, Reverse, Position, Bounded,
    }
}

impl Builtin {
    /// Its name in Python: `MakeBag` is `make_bag`.
    pub fn name(self) -> String {
        let mut name = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_ascii_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }
}

macro_rules! instructions {
    (
        { $($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty),* })* }
        { $($(#[$fused_doc:meta])* $fused:ident { $($part:ident: $part_kind:ty),* })* }
    ) => {
        /// One instruction. Those with `to` jump there where the outcome of their test is `on`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Instr {
            $($(#[$doc])* $name { $($field: $kind),* },)*
            $($(#[$fused_doc])* $fused { $($part: $part_kind),* },)*
        }

        /// The names of the instructions that programs are made of, by number.
        pub const INSTRUCTIONS: &[&str] = &[$(stringify!($name)),*];

        type Read = fn(&mut Reader<'_>) -> Result<Instr>;

        /// Reads the operands of an instruction, by number.
        const READ: &[Read] = &[$(|_r| Ok(Instr::$name { $($field: Operand::read(_r)?),* })),*];
    };
}

instructions! {
    {
        Jump { to: Pc }
        Count { counter: u16 }
        Move { into: Reg, from: Reg }
        // tests
        Equal { a: Reg, b: Reg, on: bool, to: Pc }
        /// All comparisons: `a >= b` is not `a < b`, and so on.
        Less { a: Reg, b: Reg, on: bool, to: Pc }
        IsKind { a: Reg, kind: Kind, on: bool, to: Pc }
        HasCtor { a: Reg, ctor: Ctor, on: bool, to: Pc }
        Truthy { a: Reg, on: bool, to: Pc }
        MustBeTruth { a: Reg }
        In { a: Reg, tuple: Reg, on: bool, to: Pc }
        InSet { a: Reg, set: u16, on: bool, to: Pc }
        /// Jumps unless `place` is 0 or the value before it in `pool` is another.
        FirstOfRun { place: Reg, pool: Reg, value: Reg, to: Pc }
        // values
        Add { into: Reg, a: Reg, b: Reg }
        Sub { into: Reg, a: Reg, b: Reg }
        Mul { into: Reg, a: Reg, b: Reg }
        FloorDiv { into: Reg, a: Reg, b: Reg }
        Mod { into: Reg, a: Reg, b: Reg }
        Neg { into: Reg, a: Reg }
        Abs { into: Reg, a: Reg }
        /// Operands are (splice?, register) pairs.
        Tuple { into: Reg, parts: List }
        Len { into: Reg, a: Reg }
        Index { into: Reg, a: Reg, at: Reg }
        Slice { into: Reg, a: Reg, from: Reg, to: Option<Reg> }
        /// The same tuple, laid out in the scratch memory.
        Spread { into: Reg, a: Reg }
        Unpack { a: Reg, into: List }
        Without { into: Reg, a: Reg, places: List }
        /// A sorted tuple with values added, sorted again.
        Insert { into: Reg, a: Reg, values: List }
        /// The place of the first occurrence that is not used, or -1.
        Find { into: Reg, a: Reg, value: Reg, used: List }
        Builtin { into: Reg, function: Builtin, args: List }
        /// The number that digits stand for.
        Number { into: Reg, a: Reg }
        /// A function outside the core, on values; remembered.
        Outside { into: Reg, function: u16, args: List }
        /// A condition or value outside the core, of the state in these groups.
        OutsideState { into: Reg, test: u16, groups: List }
        OutsideSlots { into: Reg, test: u16 }
        Call { into: Reg, function: u16, args: List }
        Return { a: Reg }
        NoValue {}
        // loops
        RangeInit { index: Reg, from: Reg, mark: Reg }
        /// The turns of loops. `body`: what a turn begins with; `first`: the instruction stands where
        /// the loop begins, with place 0 (only `fused` puts it there).
        RangeNext { first: bool, index: Reg, end: Reg, mark: Reg, body: Pc, to: Pc }
        ItemsNext { first: bool, index: Reg, value: Reg, pool: Reg, mark: Reg, body: Pc, to: Pc }
        /// Equal values in a row once.
        RunsNext { first: bool, index: Reg, value: Reg, pool: Reg, mark: Reg, body: Pc, to: Pc }
        /// The same without the values at places that are used. The list: pool, mark, these places.
        ChoicesNext { index: Reg, value: Reg, to: Pc, more: List }
        RowInit { row: Reg, mark: Reg, index: u16, key: List }
        /// The list: the registers of the place and of the value, and the mark.
        RowNext { row: Reg, index: u16, to: Pc, more: List }
        Splits { ways: u16, a: Reg, parts: u16 }
        /// The list: the mark, and the registers of the parts.
        SplitsNext { index: Reg, ways: u16, to: Pc, more: List }
        // lists
        ListNew { list: u16 }
        ListPush { list: u16, value: Reg }
        ListAny { list: u16, on: bool, to: Pc }
        ListHas { list: u16, value: Reg, on: bool, to: Pc }
        ListFold { into: Reg, list: u16, how: Fold }
        // states as multisets
        /// Hands out a successor, and counts it.
        Emit { cost: Reg, counter: u16, groups: List }
        /// Hands out a successor of one group: that of a register with a value put in.
        EmitWith { cost: Reg, counter: u16, group: Reg, value: Reg }
        /// First the registers of the new groups, then the groups, then the values.
        Place { groups: u16, operands: List }
        Normal { groups: u16, operands: List }
        AnySuccessor { into: Reg, groups: List }
        InStates { set: u16, on: bool, to: Pc, groups: List }
        CheckCost { cost: Reg }
        /// What a residual rule found: a cost, and the values that slots get.
        Put { cost: Reg, values: Reg }
        // states as slots and bits
        Bits { on: bool, to: Pc, tests: Tests }
        TableInit { row: Reg, table: u16 }
        TableNext { row: Reg, cost: Reg, table: u16, to: Pc }
        TableAny { table: u16, on: bool, to: Pc }
        BitCount { into: Reg, masks: Tests }
    }
    {
        // superinstructions: several in one, which only `fused` makes; where not all of them have a
        // fast path, they are done one by one
        /// A turn of `RunsNext`, counted, and on to the next one unless the value is `wanted`.
        Seek {
            first: bool, index: Reg, value: Reg, pool: Reg, mark: Reg, wanted: Reg, counter: u16,
            body: Pc, to: Pc
        }
        /// Turns of `RangeNext` up to one where the item so far behind (`NOTHING`: at that place) is
        /// `wanted`; then on with that turn.
        RangeSeek {
            first: bool, index: Reg, end: Reg, mark: Reg, a: Reg, behind: Reg, wanted: Reg,
            body: Pc, to: Pc
        }
        /// A turn of `RangeNext`, and the number of the digits from that place on.
        RangeNumber {
            first: bool, index: Reg, end: Reg, mark: Reg, cut: Reg, a: Reg, last: Reg, number: Reg,
            body: Pc, to: Pc
        }
        /// A sum, difference, product or quotient, and its rest.
        OfMod { op: Op, into: Reg, a: Reg, b: Reg, rest: Reg, by: Reg }
        CutNumber { into: Reg, a: Reg, from: Reg, to: Reg, number: Reg }
    }
}

impl Instr {
    /// Whether it calls code written in Python.
    pub fn asks_outside(&self) -> bool {
        use Instr::{Outside, OutsideSlots, OutsideState};
        matches!(self, Outside { .. } | OutsideState { .. } | OutsideSlots { .. })
    }
}

/// Instructions, and what they refer to.
#[derive(Debug, Default)]
pub struct Code {
    pub instrs: Vec<Instr>,
    pub lists: Vec<Reg>,
    pub bits: Vec<BitTest>,
}

impl Code {
    /// Reads the code of a program with these constants.
    pub fn read(mut words: &[u32], constants: &[Val]) -> Result<Code> {
        let mut code = Code::default();
        while let Some((&head, rest)) = words.split_first() {
            let (operands, rest) = rest.split_at((head >> 8) as usize);
            let number = (head & 0xff) as usize;
            let name = INSTRUCTIONS[number];
            let instr = READ[number](&mut Reader { code: &mut code, constants, name, operands })?;
            code.instrs.push(instr);
            words = rest;
        }
        Ok(code)
    }
}

/// Reads the operands of one instruction in turn.
struct Reader<'a> {
    code: &'a mut Code,
    constants: &'a [Val],
    name: &'static str,
    operands: &'a [u32],
}

impl Reader<'_> {
    fn next(&mut self) -> u32 {
        let (&first, rest) = self.operands.split_first().expect("an operand for each field");
        self.operands = rest;
        first
    }

    fn number<T: TryFrom<u32>>(&mut self) -> Result<T> {
        let value = self.next();
        T::try_from(value).map_err(|_| self.too_large(&format!("the operand {value}")))
    }

    fn too_large(&self, what: &str) -> Error {
        Error::Unsupported(format!("it has no instruction {} with {what}", self.name))
    }

    fn bits(&mut self) -> u64 {
        u64::from(self.next()) | u64::from(self.next()) << 32
    }
}

/// A field of an instruction.
trait Operand: Sized {
    fn read(r: &mut Reader<'_>) -> Result<Self>;
}

impl Operand for u16 {
    fn read(r: &mut Reader<'_>) -> Result<u16> {
        r.number()
    }
}

impl Operand for u32 {
    fn read(r: &mut Reader<'_>) -> Result<u32> {
        r.number()
    }
}

impl Operand for bool {
    fn read(r: &mut Reader<'_>) -> Result<bool> {
        Ok(r.next() != 0)
    }
}

impl Operand for Kind {
    fn read(r: &mut Reader<'_>) -> Result<Kind> {
        const BY_NUMBER: [Kind; 5] = [Kind::Int, Kind::Str, Kind::Bool, Kind::Seq, Kind::Bag];
        Ok(BY_NUMBER[r.next() as usize])
    }
}

impl Operand for Option<Reg> {
    fn read(r: &mut Reader<'_>) -> Result<Option<Reg>> {
        if r.operands.is_empty() { Ok(None) } else { r.number().map(Some) }
    }
}

impl Operand for Ctor {
    fn read(r: &mut Reader<'_>) -> Result<Ctor> {
        Ok(Ctor(r.constants[r.next() as usize].as_ctor().expect("a constructor")))
    }
}

impl Operand for List {
    fn read(r: &mut Reader<'_>) -> Result<List> {
        let (from, len) = (r.code.lists.len(), r.operands.len());
        for _ in 0..len {
            let one = r.number()?;
            r.code.lists.push(one);
        }
        List::new(from, len).ok_or_else(|| r.too_large(&format!("{len} operands")))
    }
}

impl Operand for Tests {
    fn read(r: &mut Reader<'_>) -> Result<Tests> {
        let first = r.code.bits.len();
        while !r.operands.is_empty() {
            let test = BitTest { word: r.number()?, mask: r.bits(), value: r.bits() };
            r.code.bits.push(test);
        }
        let len = (r.code.bits.len() - first) as u16; // one for each word at most
        Ok(Tests { first: first as u32, len })
    }
}

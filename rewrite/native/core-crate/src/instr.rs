//! The instructions of the virtual machine. `fused` combines some of them; `fast_path` and
//! `slow_path` run them.
//!
//! They arrive in one flat buffer. An instruction is a word with its index in `INSTRUCTIONS` and
//! (from bit 8) the number of operands, then its fields in order, a word each. A list takes all
//! remaining operands; a bit test takes five: the word, then mask and value as two halves each, low
//! half first. Only the project writes programs, so nothing is checked except numbers too large for
//! their field, which large puzzles can produce.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::ground::BitTest;
use crate::value::{Kind, Val};

/// A register of the current function.
pub type Reg = u16;
/// A position in the code.
pub type Pc = u32;

/// A part of `Program::lists`: a variable number of operands. Its position and, in the lowest 8 bits,
/// its length.
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

/// A part of `Program::bits`: tests that must all hold, or masks whose bits are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tests {
    pub first: u32,
    pub len: u16,
}

/// The number of a constructor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ctor(pub u32);

/// No counter.
pub const NOTHING: u16 = u16::MAX;

/// Enums by name; their numbers match Python's.
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
    /// Functions on values, by their names in Python.
    Builtin {
        Integer, Truth, Text, Elements, Sequence, MakeBag, Power, Concat, Item, Cut, Digits, Number,
        Length, Total, Least, Greatest, Divides, Between, Upper, Lower, Min, Max, Within,
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
        /// One instruction. Those with `on` jump to `to` if their test yields `on`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Instr {
            $($(#[$doc])* $name { $($field: $kind),* },)*
            $($(#[$fused_doc])* $fused { $($part: $part_kind),* },)*
        }

        /// The names of the instructions that programs may contain, by number.
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
        /// Jumps unless `place` is 0 or the value before it in `pool` differs.
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
        /// The same tuple, copied to scratch memory.
        Spread { into: Reg, a: Reg }
        Unpack { a: Reg, into: List }
        Without { into: Reg, a: Reg, places: List }
        /// A sorted tuple with values added in order.
        Insert { into: Reg, a: Reg, values: List }
        /// The index of the first unused occurrence, or -1.
        Find { into: Reg, a: Reg, value: Reg, used: List }
        Builtin { into: Reg, function: Builtin, args: List }
        /// The number with these digits.
        Number { into: Reg, a: Reg }
        /// A function outside the core, on values; memoised.
        Outside { into: Reg, function: u16, args: List }
        /// A condition or value computed outside the core, for the state in these groups.
        OutsideState { into: Reg, test: u16, groups: List }
        OutsideSlots { into: Reg, test: u16 }
        Call { into: Reg, function: u16, args: List }
        Return { a: Reg }
        NoValue {}
        // loops
        RangeInit { index: Reg, from: Reg, mark: Reg }
        /// Loop iterations. `body`: where an iteration begins; `first`: the instruction is at the
        /// start of the loop, with index 0 (only `fused` sets it).
        RangeNext { first: bool, index: Reg, end: Reg, mark: Reg, body: Pc, to: Pc }
        ItemsNext { first: bool, index: Reg, value: Reg, pool: Reg, mark: Reg, body: Pc, to: Pc }
        /// One iteration per run of equal values.
        RunsNext { first: bool, index: Reg, value: Reg, pool: Reg, mark: Reg, body: Pc, to: Pc }
        /// The same, skipping values at used places. The list: pool, mark, used places.
        ChoicesNext { index: Reg, value: Reg, to: Pc, more: List }
        RowInit { row: Reg, mark: Reg, index: u16, key: List }
        /// The list: the registers of the place and the value, and the mark.
        RowNext { row: Reg, index: u16, to: Pc, more: List }
        Splits { ways: u16, a: Reg, parts: u16 }
        /// The list: the mark and the registers of the parts.
        SplitsNext { index: Reg, ways: u16, to: Pc, more: List }
        // lists
        ListNew { list: u16 }
        ListPush { list: u16, value: Reg }
        ListAny { list: u16, on: bool, to: Pc }
        ListHas { list: u16, value: Reg, on: bool, to: Pc }
        ListFold { into: Reg, list: u16, how: Fold }
        // states as multisets
        /// Emits a successor and counts it.
        Emit { cost: Reg, counter: u16, groups: List }
        /// Emits a successor with one group: a register's group with a value inserted.
        EmitWith { cost: Reg, counter: u16, group: Reg, value: Reg }
        /// The list: the registers of the new groups, then the groups, then the values.
        Place { groups: u16, operands: List }
        Normal { groups: u16, operands: List }
        AnySuccessor { into: Reg, groups: List }
        InStates { set: u16, on: bool, to: Pc, groups: List }
        CheckCost { cost: Reg }
        /// The result of a residual rule: a cost and the values for slots.
        Put { cost: Reg, values: Reg }
        // states as slots and bits
        Bits { on: bool, to: Pc, tests: Tests }
        TableInit { row: Reg, table: u16 }
        TableNext { row: Reg, cost: Reg, table: u16, to: Pc }
        TableAny { table: u16, on: bool, to: Pc }
        BitCount { into: Reg, masks: Tests }
    }
    {
        // superinstructions: created only by `fused`; if any part has no fast path, they run step by
        // step
        /// One iteration of `RunsNext`, counted; continues with the next unless the value is
        /// `wanted`.
        Seek {
            first: bool, index: Reg, value: Reg, pool: Reg, mark: Reg, wanted: Reg, counter: u16,
            body: Pc, to: Pc
        }
        /// Iterations of `RangeNext` up to one where the item that far behind (`NOTHING`: at that
        /// index) is `wanted`; then continues with that iteration.
        RangeSeek {
            first: bool, index: Reg, end: Reg, mark: Reg, a: Reg, behind: Reg, wanted: Reg,
            body: Pc, to: Pc
        }
        /// One iteration of `RangeNext`, and the number formed by the digits from that index on.
        RangeNumber {
            first: bool, index: Reg, end: Reg, mark: Reg, cut: Reg, a: Reg, last: Reg, number: Reg,
            body: Pc, to: Pc
        }
        CutNumber { into: Reg, a: Reg, from: Reg, to: Reg, number: Reg }
    }
}

impl Instr {
    /// Whether it calls Python.
    pub fn asks_outside(&self) -> bool {
        use Instr::{Outside, OutsideSlots, OutsideState};
        matches!(self, Outside { .. } | OutsideState { .. } | OutsideSlots { .. })
    }
}

/// Instructions and the tables they refer to.
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
        let len = (r.code.bits.len() - first) as u16; // at most one per word
        Ok(Tests { first: first as u32, len })
    }
}

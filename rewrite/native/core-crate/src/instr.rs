//! The instructions of the machine. `load` reads them, `fused` puts some of them together,
//! `fast_path` and `slow_path` do them.

use std::ops::Range;

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

/// Stands for no counter.
pub const NOTHING: u16 = u16::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    Mul,
    FloorDiv,
    Mod,
}

/// What kind of value a test asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Is {
    Int,
    Str,
    Truth,
    Seq,
    Bag,
}

/// One instruction. Those with `to` jump there where the outcome of their test is `on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instr {
    Jump {
        to: Pc,
    },
    Count {
        counter: u16,
    },
    Move {
        into: Reg,
        from: Reg,
    },
    // tests
    Equal {
        a: Reg,
        b: Reg,
        on: bool,
        to: Pc,
    },
    /// All comparisons: `a >= b` is not `a < b`, and so on.
    Less {
        a: Reg,
        b: Reg,
        on: bool,
        to: Pc,
    },
    IsKind {
        a: Reg,
        kind: Is,
        on: bool,
        to: Pc,
    },
    HasCtor {
        a: Reg,
        ctor: u32,
        on: bool,
        to: Pc,
    },
    Truthy {
        a: Reg,
        on: bool,
        to: Pc,
    },
    MustBeTruth {
        a: Reg,
    },
    In {
        a: Reg,
        tuple: Reg,
        on: bool,
        to: Pc,
    },
    InSet {
        a: Reg,
        set: u16,
        on: bool,
        to: Pc,
    },
    /// Jumps unless `place` is 0 or the value before it in `pool` is another.
    FirstOfRun {
        place: Reg,
        pool: Reg,
        value: Reg,
        to: Pc,
    },
    // values
    Add {
        into: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        into: Reg,
        a: Reg,
        b: Reg,
    },
    Mul {
        into: Reg,
        a: Reg,
        b: Reg,
    },
    FloorDiv {
        into: Reg,
        a: Reg,
        b: Reg,
    },
    Mod {
        into: Reg,
        a: Reg,
        b: Reg,
    },
    Neg {
        into: Reg,
        a: Reg,
    },
    Abs {
        into: Reg,
        a: Reg,
    },
    /// Operands are (splice?, register) pairs.
    Tuple {
        into: Reg,
        parts: List,
    },
    Len {
        into: Reg,
        a: Reg,
    },
    Index {
        into: Reg,
        a: Reg,
        at: Reg,
    },
    Slice {
        into: Reg,
        a: Reg,
        from: Reg,
        to: Option<Reg>,
    },
    /// The same tuple, laid out in the scratch memory.
    Spread {
        into: Reg,
        a: Reg,
    },
    Unpack {
        a: Reg,
        into: List,
    },
    Without {
        into: Reg,
        a: Reg,
        places: List,
    },
    /// A sorted tuple with values added, sorted again.
    Insert {
        into: Reg,
        a: Reg,
        values: List,
    },
    /// The place of the first occurrence that is not used, or -1.
    Find {
        into: Reg,
        a: Reg,
        value: Reg,
        used: List,
    },
    Builtin {
        into: Reg,
        function: Builtin,
        args: List,
    },
    /// The number that digits stand for.
    Number {
        into: Reg,
        a: Reg,
    },
    /// A function outside the core, on values; remembered.
    Outside {
        into: Reg,
        function: u16,
        args: List,
    },
    /// A condition or value outside the core, of the state in these groups.
    OutsideState {
        into: Reg,
        test: u16,
        groups: List,
    },
    OutsideSlots {
        into: Reg,
        test: u16,
    },
    Call {
        into: Reg,
        function: u16,
        args: List,
    },
    Return {
        a: Reg,
    },
    NoValue,
    // loops
    RangeInit {
        index: Reg,
        from: Reg,
        mark: Reg,
    },
    /// The turns of loops; `body`: what a turn begins with. `first`: it stands where the loop begins,
    /// with place 0.
    RangeNext {
        first: bool,
        index: Reg,
        end: Reg,
        mark: Reg,
        body: Pc,
        to: Pc,
    },
    ItemsNext {
        first: bool,
        index: Reg,
        value: Reg,
        pool: Reg,
        mark: Reg,
        body: Pc,
        to: Pc,
    },
    /// Equal values in a row once.
    RunsNext {
        first: bool,
        index: Reg,
        value: Reg,
        pool: Reg,
        mark: Reg,
        body: Pc,
        to: Pc,
    },
    /// The same without the values at places that are used.
    ChoicesNext {
        index: Reg,
        value: Reg,
        more: List,
        to: Pc,
    },
    RowInit {
        row: Reg,
        mark: Reg,
        index: u16,
        key: List,
    },
    RowNext {
        row: Reg,
        index: u16,
        more: List,
        to: Pc,
    },
    Splits {
        ways: u16,
        a: Reg,
        parts: u16,
    },
    SplitsNext {
        index: Reg,
        ways: u16,
        more: List,
        to: Pc,
    },
    // lists
    ListNew {
        list: u16,
    },
    ListPush {
        list: u16,
        value: Reg,
    },
    ListAny {
        list: u16,
        on: bool,
        to: Pc,
    },
    ListHas {
        list: u16,
        value: Reg,
        on: bool,
        to: Pc,
    },
    ListFold {
        into: Reg,
        list: u16,
        how: Fold,
    },
    // states as multisets
    /// Hands out a successor, and counts it.
    Emit {
        cost: Reg,
        counter: u16,
        groups: List,
    },
    /// Hands out a successor of one group: that of a register with a value put in.
    EmitWith {
        cost: Reg,
        counter: u16,
        group: Reg,
        value: Reg,
    },
    /// First the registers of the new groups, then the groups, then the values.
    Place {
        groups: u16,
        operands: List,
    },
    Normal {
        groups: u16,
        operands: List,
    },
    AnySuccessor {
        into: Reg,
        groups: List,
    },
    InStates {
        set: u16,
        on: bool,
        groups: List,
        to: Pc,
    },
    CheckCost {
        cost: Reg,
    },
    /// What a residual rule found: a cost, and the values that slots get.
    Put {
        cost: Reg,
        values: Reg,
    },
    // states as slots and bits
    /// A test of bits in one word.
    Bit {
        test: u32,
        on: bool,
        to: Pc,
    },
    Bits {
        first: u32,
        len: u16,
        on: bool,
        to: Pc,
    },
    TableInit {
        row: Reg,
        table: u16,
    },
    TableNext {
        row: Reg,
        cost: Reg,
        table: u16,
        to: Pc,
    },
    TableAny {
        table: u16,
        on: bool,
        to: Pc,
    },
    BitCount {
        into: Reg,
        first: u32,
        len: u16,
    },
    // superinstructions: several in one, which only `fused` makes; where not all of them have a fast
    // path, they are done one by one
    /// A turn of `RunsNext`, counted, and on to the next one unless the value is `wanted`.
    Seek {
        first: bool,
        index: Reg,
        value: Reg,
        pool: Reg,
        mark: Reg,
        wanted: Reg,
        counter: u16,
        body: Pc,
        to: Pc,
    },
    /// A turn of `RangeNext`, and the item at that place.
    RangeItem {
        first: bool,
        index: Reg,
        end: Reg,
        mark: Reg,
        into: Reg,
        a: Reg,
        body: Pc,
        to: Pc,
    },
    /// Turns of `RangeNext` up to one where the item so far behind (`NOTHING`: at that place) is
    /// `wanted`; then on with that turn.
    RangeSeek {
        first: bool,
        index: Reg,
        end: Reg,
        mark: Reg,
        a: Reg,
        behind: Reg,
        wanted: Reg,
        body: Pc,
        to: Pc,
    },
    /// Counted, and on if two are equal.
    CountEqual {
        counter: u16,
        a: Reg,
        b: Reg,
        to: Pc,
    },
    /// A sum, and the item at that place.
    AddItem {
        at: Reg,
        a: Reg,
        b: Reg,
        into: Reg,
        pool: Reg,
    },
    /// A turn of `RangeNext`, and the number of the digits from that place on.
    RangeNumber {
        first: bool,
        index: Reg,
        end: Reg,
        mark: Reg,
        cut: Reg,
        a: Reg,
        last: Reg,
        number: Reg,
        body: Pc,
        to: Pc,
    },
    /// A sum, difference, product or quotient, and its rest.
    OfMod {
        op: Op,
        into: Reg,
        a: Reg,
        b: Reg,
        rest: Reg,
        by: Reg,
    },
    CutNumber {
        into: Reg,
        a: Reg,
        from: Reg,
        to: Reg,
        number: Reg,
    },
    EmitWithCount {
        cost: Reg,
        counter: u16,
        group: Reg,
        value: Reg,
        then: u16,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    Least,
    Greatest,
    Sum,
}

macro_rules! builtins {
    ($($name:ident),*) => {
        /// Functions of values; Python knows them by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Builtin { $($name),* }
        impl Builtin {
            pub const ALL: &'static [Builtin] = &[$(Builtin::$name),*];

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
    };
}
builtins!(
    Integer, Truth, Text, Elements, Sequence, MakeBag, Power, Concat, Item, Cut, Digits, Number,
    Length, Total, Least, Greatest, Divides, Between, Ordered, Upper, Lower, Min, Max, Within,
    Written, Letters, Reverse, Position, Bounded
);

impl Instr {
    /// Whether it calls code written in Python.
    pub fn asks_outside(&self) -> bool {
        use Instr::{Outside, OutsideSlots, OutsideState};
        matches!(self, Outside { .. } | OutsideState { .. } | OutsideSlots { .. })
    }
}

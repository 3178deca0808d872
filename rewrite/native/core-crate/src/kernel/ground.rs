//! What a kernel is made of: ground rules over slots, and conditions on their bits, as they are.

use crate::program::{BitTest, Form};
use crate::value::Val;

/// A function of states in slots.
#[derive(Debug, Clone)]
pub enum Source {
    Rules(Rules),
    Condition(Formula),
}

/// Hands out all successors of a state.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    pub rules: Vec<GroundRule>,
    /// Bits, as (word, mask), that are tested before all others: they differ most from state to state.
    pub first: Vec<(u16, u64)>,
    /// What no successor may be.
    pub never: Option<Formula>,
}

/// One ground rule: where it applies, and what it changes.
#[derive(Debug, Clone)]
pub struct GroundRule {
    /// The counters of its matches, which are counted where something is never allowed, and of its
    /// successors.
    pub matched: u16,
    pub fired: u16,
    pub tests: Vec<BitTest>,
    /// Tests of which none may hold.
    pub misses: Vec<BitTest>,
    /// Bits that must be 0, else a term would stand twice.
    pub guard: Vec<BitTest>,
    /// None: it is looked up.
    pub cost: Option<Val>,
    pub effect: Effect,
}

#[derive(Debug, Clone)]
pub enum Effect {
    Form(Form),
    /// The changes are looked up in a table: any number of them.
    Table(u16),
}

#[derive(Debug, Clone)]
pub enum Formula {
    Truth(bool),
    /// All of these hold.
    Bits(Vec<BitTest>),
    /// So many of the bits in the masks are set.
    Ones(Vec<BitTest>, u32),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    /// Whether some rule applies.
    Successor,
    /// What a function of the program says.
    Call(u16),
}

impl Formula {
    /// What it says of every state, where that is known.
    pub fn known(&self) -> Option<bool> {
        match self {
            Formula::Truth(truth) => Some(*truth),
            Formula::Bits(tests) => tests.is_empty().then_some(true),
            Formula::Not(inner) => inner.known().map(|truth| !truth),
            Formula::All(parts) => junction(parts, false),
            Formula::Any(parts) => junction(parts, true),
            Formula::Ones(..) | Formula::Successor | Formula::Call(_) => None,
        }
    }
}

/// What parts say of which one that is `decisive` decides.
fn junction(parts: &[Formula], decisive: bool) -> Option<bool> {
    if parts.iter().any(|part| part.known() == Some(decisive)) {
        return Some(decisive);
    }
    parts.iter().all(|part| part.known() == Some(!decisive)).then_some(!decisive)
}

//! The groups of symmetries that there are, and memory for applying them.

use super::exchanges::{Exchanges, ExchangesScratch};
use super::terms::ExchangedTerms;
use super::{Canon, Scratch};
use crate::error::Result;

/// How a state is brought to its canonical form.
#[derive(Debug)]
pub enum Symmetries {
    /// By a group of which all elements are listed.
    Listed(Canon),
    /// By renaming values that are interchangeable.
    Exchanges(Exchanges),
    /// By renaming values within terms of multisets.
    Terms(ExchangedTerms),
}

/// Memory for bringing states to their canonical form. Reused.
#[derive(Debug, Default)]
pub struct SymmetriesScratch {
    listed: Scratch,
    exchanges: ExchangesScratch,
}

impl Symmetries {
    /// Replaces a state in slots by its canonical form.
    #[inline]
    pub fn apply(&self, key: &mut [u64], scratch: &mut SymmetriesScratch) -> Result<()> {
        match self {
            Symmetries::Listed(canon) => canon.apply(key, &mut scratch.listed),
            Symmetries::Exchanges(exchanges) => exchanges.apply(key, &mut scratch.exchanges),
            Symmetries::Terms(_) => unreachable!("these are of multisets"),
        }
    }
}

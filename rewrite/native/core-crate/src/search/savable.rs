//! What else a space can do, for checkpoints and for code that inspects states.

use std::ops::Range;

use super::space::{Id, Space};
use crate::checkpoint::{Files, Reader, Writer};
use crate::error::Result;
use crate::parcel::Sender;
use crate::vm::machine::Seen;

/// Whether parents change after they were noted (that of the start always may).
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Parents {
    Settled,
    Moving,
}

pub trait SavableSpace: Space + Send + Sync {
    /// Passes a state to `act`.
    fn seen(&self, id: Id, act: &mut dyn FnMut(Seen<'_>)) -> Result<()>;
    fn counts(&self) -> &[u64];
    fn set_budget(&mut self, bytes: Option<usize>);
    /// `done`: states below it are not needed any more; see `Strategy::done`.
    fn save(&self, files: &mut Files, out: &mut Writer, parents: Parents, done: Id) -> Result<()>;
    /// Reads them into a space that holds its first states only; `apart`: those that are done stay in
    /// the files, as far as they can.
    fn load(&mut self, files: &Files, from: &mut Reader, apart: bool) -> Result<()>;
    /// Writes what is new, and gives back what states below `done` take; see `Store::spill`.
    fn spill(&mut self, files: &mut Files, done: Id, scarce: bool) -> Result<usize>;
    /// Packs states for their homes, each as its own parent.
    fn pack(&self, states: Range<Id>, sender: &mut Sender) -> Result<()>;
}

//! Saving the states of a space: keys and parents in order of discovery, terms, and counts of rules.
//! Tables and estimates are recomputed.

use std::ops::Range;

use super::StateSpace;
use crate::TINY;
use crate::checkpoint::{Archive, Archived, Files, Reader, Writer};
use crate::codec::StateCodec;
use crate::error::Result;
use crate::parcel::Sender;
use crate::search::savable::{Parents, SavableSpace};
use crate::search::space::Id;
use crate::vm::machine::Seen;

/// Candidates inserted at a time.
const BATCH: usize = if TINY { 8 } else { 4096 };
/// States read between two evictions of those that stay in the files.
const BETWEEN_EVICTIONS: u32 = if TINY { 50 } else { 1 << 18 };

impl<K: StateCodec> SavableSpace for StateSpace<K> {
    fn seen(&self, id: Id, act: &mut dyn FnMut(Seen<'_>)) -> Result<()> {
        let mut hand = |seen: Seen<'_>| {
            act(seen);
            Ok(())
        };
        self.store.with_key(id, |key| K::seen(&self.machine, key, &mut hand))
    }

    fn counts(&self) -> &[u64] {
        &self.counts
    }

    fn set_budget(&mut self, bytes: Option<usize>) {
        self.budget = bytes;
        self.allot();
    }

    fn save(&self, files: &mut Files, out: &mut Writer, parents: Parents, done: Id) -> Result<()> {
        let (m, store) = (&self.machine, &self.store);
        out.words(m.program.encoding.form())?;
        out.words([store.len(), done])?;
        let from = files.keys.words();
        files.keys.append(store.words(from), out)?;
        out.word(parents as u32)?;
        if parents == Parents::Moving {
            out.words((0..store.len()).map(|id| store.parent(id)))?;
        } else {
            out.word(store.parent(0))?; // the only one that changes
            let from = files.parents.words() as u32;
            files.parents.append((from..store.len()).map(|id| store.parent(id)), out)?;
        }
        m.interner.save(files, out)?;
        m.save_slots(out)?;
        out.count(self.counts.len())?;
        out.longs(self.counts.iter().copied())
    }

    fn load(&mut self, files: &Files, from: &mut Reader, apart: bool) -> Result<()> {
        if [from.word()?, from.word()?] != self.machine.program.encoding.form() {
            return Err(from.damaged("states are kept in another way"));
        }
        let (count, done) = (from.word()?, from.word()?);
        let apart = apart && done > 0;
        let first = self.store.len();
        self.store.set_budget(None);
        let mut keys = files.keys.read(from)?;
        let mut block = self.new_block();
        let mut read = 0;
        for id in 0..count {
            let same = K::read(
                || keys.word(),
                |key| match id < first {
                    true => Ok(self.store.key(id) == key),
                    false => block.push(key, 0).map(|()| true),
                },
            )?;
            if !same? {
                return Err(keys.damaged("it began with other states"));
            }
            if block.len() == BATCH || id + 1 == count {
                self.store.insert_block(&block, &(0..0), |_, _| ())?;
                block.clear();
                if apart && (id + 1) / BETWEEN_EVICTIONS > read / BETWEEN_EVICTIONS {
                    self.store.evict(files, done.min(id), true)?;
                }
                read = id + 1;
            }
        }
        if from.word()? == Parents::Moving as u32 {
            for id in 0..count {
                self.store.set_parent(id, from.word()?);
            }
        } else {
            let of_start = from.word()?;
            let mut parents = files.parents.read(from)?;
            for id in 0..count {
                let parent = parents.word()?;
                if self.store.holds_parent(id) {
                    self.store.set_parent(id, parent);
                }
            }
            self.store.set_parent(0, of_start);
        }
        self.machine.interner.load(files, from)?;
        self.machine.load_slots(from)?;
        self.counts.archive(&mut Archive::Loading(from))
    }

    fn spill(&mut self, files: &mut Files, done: Id, scarce: bool) -> Result<usize> {
        self.store.spill(files, done, scarce)
    }

    fn pack(&self, mut states: Range<Id>, sender: &mut Sender) -> Result<()> {
        states.try_for_each(|id| sender.pack::<K>(&self.machine, self.store.key(id), id))
    }
}

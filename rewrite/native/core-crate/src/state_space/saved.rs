//! The states of a space, kept for later: keys and parents in order of discovery, terms, and what
//! rules did. Tables and estimates are worked out again.

use super::{Parents, Plan, StateSpace};
use crate::TINY;
use crate::checkpoint::{Done, Files, Reader, Writer};
use crate::codec::StateCodec;
use crate::program::Encoding;
use crate::store::Entry;
use crate::vm::machine::Machine;

/// Candidates that are entered at a time.
const BATCH: usize = if TINY { 8 } else { 4096 };
/// States that are read between two times that those are given back which stay in the files.
const BETWEEN_EVICTIONS: u32 = if TINY { 50 } else { 1 << 18 };

/// How keys are to be read.
fn form(machine: &Machine) -> [u32; 2] {
    match &machine.program.encoding {
        Encoding::Groups(heads) => [0, heads.len() as u32],
        Encoding::Slots(words) => [1, u32::from(*words)],
    }
}

impl<K: StateCodec> StateSpace<K> {
    pub(super) fn write(&self, files: &mut Files, out: &mut Writer, plan: &Plan) -> Done<()> {
        let (m, store) = (&self.machine, &self.store);
        out.words(form(m))?;
        out.words([store.len(), plan.done])?;
        let from = files.keys.words();
        files.keys.append(store.words(from), out)?;
        out.word(plan.parents as u32)?;
        if plan.parents == Parents::Moving {
            out.words((0..store.len()).map(|id| store.parent(id)))?;
        } else {
            if plan.parents == Parents::Settled {
                out.word(store.parent(0))?; // the only one that changes
            }
            let from = files.parents.words() as u32;
            files.parents.append((from..store.len()).map(|id| store.parent(id)), out)?;
        }
        m.interner.save(files, out)?;
        m.save_slots(out)?;
        out.count(self.counts.len())?;
        out.longs(self.counts.iter().copied())
    }

    /// Into a space that holds nothing but its first states.
    pub(super) fn read(&mut self, files: &Files, from: &mut Reader, apart: bool) -> Done<()> {
        if [from.word()?, from.word()?] != form(&self.machine) {
            return Err(from.damaged("states are kept in another way"));
        }
        let (count, done) = (from.word()?, from.word()?);
        let apart = apart && done > 0;
        let first = self.store.len();
        if count < first {
            return Err(from.damaged(format!("{count} states, fewer than it began with")));
        }
        self.store.set_budget(None);
        let mut keys = files.keys.read(from)?;
        let block = &mut self.block;
        block.clear();
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
                let mut fresh = true;
                let none = 0..0;
                self.store.insert_block(block, &none, |_, entry| {
                    fresh &= matches!(entry, Entry::New(_));
                })?;
                block.clear();
                if !fresh {
                    return Err(keys.damaged("a state stands there twice"));
                }
                if apart && (id + 1) / BETWEEN_EVICTIONS > read / BETWEEN_EVICTIONS {
                    self.store.evict(files, done.min(id), true)?;
                }
                read = id + 1;
            }
        }
        self.block = self.new_block(); // what follows needs no such long one
        let kind = from.word()?;
        if kind == Parents::Moving as u32 {
            for id in 0..count {
                self.store.set_parent(id, from.state(count)?);
            }
        } else {
            let here = kind == Parents::Settled as u32;
            if !here && kind != Parents::Elsewhere as u32 {
                return Err(from.damaged(format!("{kind} is no kind of parents")));
            }
            let of_start = if here { from.state(count)? } else { 0 };
            let mut parents = files.parents.read(from)?;
            for id in 0..count {
                let parent = parents.word()?;
                if here && parent >= count {
                    return Err(parents.damaged(format!("{parent} is no state")));
                }
                if self.store.holds_parent(id) {
                    self.store.set_parent(id, parent);
                }
            }
            if here {
                self.store.set_parent(0, of_start);
            }
        }
        self.machine.interner.load(files, from)?;
        self.machine.load_slots(from)?;
        let counts = from.list(2, Reader::long)?;
        if counts.len() != self.counts.len() {
            return Err(from.damaged("the rules are others"));
        }
        self.counts = counts;
        Ok(())
    }
}

//! States off the store: a stack of keys, for strategies that keep nothing but their path.

use super::{World, whole};
use crate::coding::{Coding, at_state};
use crate::grow::Grow;
use crate::machine::Seen;
use crate::space::{Dive, Estimate, Id};
use crate::trouble::{Outcome, Trouble};
use crate::value::Val;
use crate::worker::NONE;

impl<K: Coding> World<K> {
    /// Says in which state something failed: that one is kept, so that it has a number.
    fn failed(&mut self, trouble: Trouble, at: u32) -> Trouble {
        if !matches!(trouble, Trouble::Failed { state: None, .. }) {
            return trouble;
        }
        match self.keep(at) {
            Ok(id) => at_state(trouble, id),
            Err(other) => other,
        }
    }
}

impl<K: Coding> Dive for World<K> {
    fn begin(&mut self) -> Outcome<()> {
        self.diving.truncate(0);
        self.diving.push(self.store.key(0))
    }

    fn len(&self) -> u32 {
        self.diving.len() as u32
    }

    fn truncate(&mut self, len: u32) {
        self.diving.truncate(len as usize);
    }

    fn push_successors(&mut self, at: u32, counted: bool, costs: &mut Vec<u64>) -> Outcome<()> {
        let (m, block, first) = (&*self.machine, &mut self.block, costs.len());
        block.clear();
        let function = m.program.successors;
        let made = K::each(&mut self.worker, m, function, self.diving.get(at), |cost, key| {
            costs.grow_push(whole(cost)?)?;
            block.push(key, at)
        });
        if let Err(trouble) = made {
            costs.truncate(first);
            self.count(false);
            return Err(self.failed(trouble, at));
        }
        let (from, mut end) = (self.diving.len(), first);
        let mut result = Ok(());
        for i in 0..self.block.len() {
            let (key, cost, diving) = (self.block.key(i), costs[first + i], &mut self.diving);
            match (from..diving.len()).find(|&other| diving.is(other as u32, key)) {
                Some(other) => {
                    let least = &mut costs[first + other - from];
                    *least = cost.min(*least);
                }
                None => {
                    result = diving.push(key);
                    if result.is_err() {
                        break;
                    }
                    costs[end] = cost;
                    end += 1;
                }
            }
        }
        if result.is_err() {
            self.diving.truncate(from);
            end = first;
        }
        costs.truncate(end);
        self.count(counted && result.is_ok());
        result
    }

    fn same(&self, a: u32, b: u32) -> bool {
        self.diving.is(a, self.diving.get(b))
    }

    fn estimate_at(&mut self, at: u32) -> Outcome<Estimate> {
        let m = self.machine.clone();
        if let Some(estimator) = &m.program.estimate {
            let scratch = &mut self.scratch;
            return K::seen(&m, self.diving.get(at), |seen| match seen {
                Seen::Words(words) => estimator.value(words, scratch),
                Seen::Groups(_) => Err(Trouble::Unsupported("an estimate over slots".into())),
            });
        }
        if let Some(function) = m.program.heuristic {
            match K::call(&mut self.worker, &m, function, self.diving.get(at)) {
                Ok(value) => {
                    let whole = value.as_small().filter(|&whole| value != NONE && whole >= 0);
                    if let Some(whole) = whole {
                        return Ok(Estimate::Whole(whole as u64));
                    }
                }
                Err(trouble) => return Err(self.failed(trouble, at)),
            }
        }
        // what is wrong with it, or that it is very large, is for outside to say
        K::seen(&m, self.diving.get(at), |seen| m.outside.estimate(seen, &m.interner))
            .map_err(|trouble| self.failed(trouble, at))
    }

    fn goal_at(&mut self, at: u32) -> Outcome<bool> {
        let Some(goal) = self.machine.program.goal else { return Ok(false) };
        let m = &*self.machine;
        let result = K::call(&mut self.worker, m, goal, self.diving.get(at));
        self.count(false);
        match result {
            Ok(value) => Ok(value == Val::TRUE),
            Err(trouble) => Err(self.failed(trouble, at)),
        }
    }

    fn find(&self, at: u32) -> Option<Id> {
        let key = self.diving.get(at);
        self.store.find(key, K::hash(key))
    }

    fn keep(&mut self, at: u32) -> Outcome<Id> {
        if let Some(id) = self.find(at) {
            return Ok(id);
        }
        let key = self.diving.get(at);
        self.store.insert(key, K::hash(key), 0)?;
        Ok(self.store.len() - 1)
    }

    fn bytes(&self) -> usize {
        self.diving.bytes()
    }
}

//! A search that is written to disk between two calls of `advance`, and read by another process.

use super::answers::{Answer, Answers, Overestimate};
use super::record::Record;
use super::{BETWEEN_PUTS, Search};
use crate::checkpoint::{Done, Fault, Files, LAYOUT, Reader, Writer};
use crate::error::Error;
use crate::grow::Grow;
use crate::search::savable::{Parents, Plan, SavableSpace};
use crate::search::space::Estimate;

/// "rewr", as the first word of a file.
const MAGIC: u32 = 0x7277_6572;

impl Search {
    /// Writes the search and its states; which files are needed to read it, and how long they are.
    pub fn save(
        &mut self,
        space: &dyn SavableSpace,
        files: &mut Files,
        number: u32,
    ) -> Done<Vec<(String, u64)>> {
        let name = format!("{:?}", self.asked.strategy);
        let (kind, done) = (self.asked.strategy as u32, self.strategy.done());
        let Some(strategy) = self.strategy.kept().filter(|_| !self.out_of_memory) else {
            let why = format!("a search by {name} cannot be kept");
            return Err(Fault::Error(Error::Unsupported(why)));
        };
        let parents = if strategy.moves_parents() { Parents::Moving } else { Parents::Settled };
        let plan = Plan { parents, done };
        let mut out = files.writer(number)?;
        out.words([MAGIC, LAYOUT, kind])?;
        space.save(files, &mut out, &plan)?;
        strategy.save(&mut out)?;
        self.record.save(&mut out)?;
        self.answers.save(&mut out)?;
        out.truth(self.paused)?;
        out.truth(self.ended)?;
        files.finish(out)
    }

    /// Reads what was written into a search that has not begun. `apart`: as for `SavableSpace::load`.
    pub fn load(
        &mut self,
        space: &mut dyn SavableSpace,
        files: &mut Files,
        number: u32,
        apart: bool,
    ) -> Done<()> {
        let mut from = files.reader(number)?;
        if [from.word()?, from.word()?] != [MAGIC, LAYOUT] {
            return Err(from.damaged("no state of a search, or one of another version"));
        }
        if from.word()? != self.asked.strategy as u32 {
            return Err(from.damaged("the strategy is another"));
        }
        space.load(files, &mut from, apart)?;
        let states = space.states();
        match self.strategy.kept() {
            Some(strategy) => strategy.load(&mut from, states)?,
            None => return Err(from.damaged("a strategy that cannot be kept")),
        }
        self.record.load(&mut from)?;
        self.answers.load(&mut from, states)?;
        (self.paused, self.ended) = (from.truth()?, from.truth()?);
        from.end()
    }

    /// Writes states that are new, and gives back what those take that are done with; how many bytes.
    pub fn spill(
        &mut self,
        space: &mut dyn SavableSpace,
        files: &mut Files,
        scarce: bool,
    ) -> Done<usize> {
        self.crowded_at = self.record.states(space).saturating_add(BETWEEN_PUTS);
        match self.strategy.done() {
            0 => Ok(0),
            done => space.spill(files, done, scarce),
        }
    }
}

impl Answers {
    fn save(&self, out: &mut Writer) -> Done<()> {
        out.count(self.found.len())?;
        self.found.iter().try_for_each(|answer| answer.save(out))?;
        out.truth(self.nearest.is_some())?;
        self.nearest.iter().try_for_each(|answer| answer.save(out))?;
        out.long(self.too_near)?;
        out.truth(self.overestimate.is_some())?;
        if let Some(Overestimate { state, estimate, left }) = self.overestimate {
            out.word(state)?;
            estimate.save(out)?;
            out.longs([left as u64, (left >> 64) as u64])?;
        }
        Ok(())
    }

    fn load(&mut self, from: &mut Reader, states: u32) -> Done<()> {
        for _ in 0..from.count(7)? {
            let answer = Answer::load(from, states)?;
            self.trails += size_of_val(&answer.trail[..]);
            self.found.grow_push(answer)?;
        }
        self.nearest = if from.truth()? { Some(Answer::load(from, states)?) } else { None };
        self.too_near = from.long()?;
        if from.truth()? {
            let (state, estimate) = (from.state(states)?, Estimate::load(from)?);
            let (low, high) = (from.long()?, from.long()?);
            let left = (u128::from(high) << 64 | u128::from(low)) as i128;
            self.overestimate = Some(Overestimate { state, estimate, left });
        }
        Ok(())
    }
}

impl Answer {
    fn save(&self, out: &mut Writer) -> Done<()> {
        out.count(self.trail.len())?;
        out.words(self.trail.iter().copied())?;
        out.long(self.order)?;
        out.truth(self.value.is_some())?;
        self.value.iter().try_for_each(|&value| out.value(value))
    }

    fn load(from: &mut Reader, states: u32) -> Done<Answer> {
        let trail = from.list(1, |from| from.state(states))?;
        let order = from.long()?;
        let value = if from.truth()? { Some(from.value()?) } else { None };
        Ok(Answer { trail, order, value })
    }
}

impl Record {
    fn save(&self, out: &mut Writer) -> Done<()> {
        out.count(self.levels.len())?;
        out.longs(self.levels.iter().copied())?;
        out.longs([self.depth, self.expanded, self.waiting])?;
        out.longs([self.dropped, self.ruled_out, self.reopened, self.longest])?;
        out.word(self.offered)?;
        let truths = [self.inconsistent, self.came_back, self.start_noted, self.start_returned];
        truths.iter().try_for_each(|&one| out.truth(one))
    }

    fn load(&mut self, from: &mut Reader) -> Done<()> {
        self.levels = from.list(2, Reader::long)?;
        (self.depth, self.expanded, self.waiting) = (from.long()?, from.long()?, from.long()?);
        (self.dropped, self.ruled_out) = (from.long()?, from.long()?);
        (self.reopened, self.longest) = (from.long()?, from.long()?);
        self.offered = from.word()?;
        (self.inconsistent, self.came_back) = (from.truth()?, from.truth()?);
        (self.start_noted, self.start_returned) = (from.truth()?, from.truth()?);
        Ok(())
    }
}

//! Saving a search between two calls of `advance`, and loading it in another process.

use super::answers::{Answer, Answers, Overestimate};
use super::record::Record;
use super::{BETWEEN_PUTS, Search};
use crate::checkpoint::{Archive, Archived, Files, LAYOUT, Lengths, archived};
use crate::error::{Error, Result};
use crate::search::savable::SavableSpace;

/// "rewr", as the first word of a file.
const MAGIC: u32 = 0x7277_6572;

impl Search {
    pub fn save(
        &mut self,
        space: &dyn SavableSpace,
        files: &mut Files,
        number: u32,
    ) -> Result<Lengths> {
        let name = format!("{:?}", self.asked.strategy);
        let (kind, done) = (self.asked.strategy as u32, self.strategy.done());
        let Some((parents, _)) = self.strategy.saved().filter(|_| !self.out_of_memory) else {
            let why = format!("a search by {name} cannot be kept");
            return Err(Error::Unsupported(why));
        };
        let mut out = files.writer(number)?;
        out.words([MAGIC, LAYOUT, kind])?;
        space.save(files, &mut out, parents, done)?;
        self.archive(&mut Archive::Saving(&mut out))?;
        files.finish(out)
    }

    /// Reads what was written into a search that has not begun. `apart`: as for `SavableSpace::load`.
    pub fn load(
        &mut self,
        space: &mut dyn SavableSpace,
        files: &mut Files,
        number: u32,
        apart: bool,
    ) -> Result<()> {
        let mut from = files.reader(number)?;
        if [from.word()?, from.word()?] != [MAGIC, LAYOUT] {
            return Err(from.damaged("no state of a search, or one of another version"));
        }
        if from.word()? != self.asked.strategy as u32 {
            return Err(from.damaged("the strategy is another"));
        }
        space.load(files, &mut from, apart)?;
        self.archive(&mut Archive::Loading(&mut from))?;
        let trails = self.answers.found.iter().map(|answer| size_of_val(&answer.trail[..]));
        self.answers.trails = trails.sum();
        from.end()
    }

    /// Everything but the states.
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        if let Some((_, strategy)) = self.strategy.saved() {
            strategy.archive(archive)?;
        }
        self.record.archive(archive)?;
        self.answers.archive(archive)?;
        self.paused.archive(archive)?;
        self.ended.archive(archive)
    }

    /// Writes new states and evicts those that are done; returns the bytes freed.
    pub fn spill(
        &mut self,
        space: &mut dyn SavableSpace,
        files: &mut Files,
        scarce: bool,
    ) -> Result<usize> {
        self.crowded_at = self.record.states(space).saturating_add(BETWEEN_PUTS);
        match self.strategy.done() {
            0 => Ok(0),
            done => space.spill(files, done, scarce),
        }
    }
}

archived!(Answers: found, nearest, too_near, overestimate);
archived!(Answer: trail, order, value);
archived!(Overestimate: state, estimate, left);
archived!(Record: levels, depth, expanded, waiting, dropped, ruled_out, reopened, longest, offered,
    inconsistent, came_back, start_noted, start_returned);

//! All paths, shortest first: a tree search without a closed set (`distinct="paths"`).
//!
//! Each distinct sequence of states appears once, even if a step can be made in two ways. Paths are
//! simple, so a finite space has finitely many.
//!
//! Most paths of a tree lead nowhere. Once it has grown large, the space itself is searched once, and
//! from then on only states that can still reach a goal are followed.

use super::{End, Strategy};
use crate::error::{Error, Result};
use crate::grow::{Grow, GrowCopies, copied, filled, listed};
use crate::search::context::{Context, Pause};
use crate::search::record::Record;
use crate::search::space::{Direction, Id, Space, Step};
use crate::store::paged_vec::PagedVec;

/// Nodes created before the space is searched for states that lead to a goal.
const TREE_FIRST: usize = 5_000;
/// States after which that search is abandoned: the space may be infinite.
const MOST_STATES: usize = 5_000_000;

const NOTHING: u32 = u32::MAX;
/// As many nodes as there may be: a mark is twice the number of one, or one more, and not `NOTHING`.
const MOST_NODES: usize = NOTHING as usize / 2;

/// The end of a path, linked to the node before it.
#[derive(Clone, Copy)]
struct Node {
    state: Id,
    before: u32,
}

/// Items are nodes. Those of `level` from `at` on end paths that have not been extended yet.
#[derive(Default)]
pub struct AllPaths {
    has_goal: bool,
    nodes: PagedVec<Node>,
    level: Vec<u32>,
    at: usize,
    following: Vec<u32>,
    /// Nodes created in complete levels.
    count: usize,
    survey: Survey,
    /// By state: whether a goal can be reached from it, once known.
    useful: Option<Vec<bool>>,
    /// By state: the last node whose path goes through it (`on_path`) or that it `follows`.
    marks: PagedVec<u32>,
    successors: Vec<Step>,
    glimpse: Vec<Option<Id>>,
}

/// The breadth-first search of the space.
#[derive(Default)]
struct Survey {
    seen: Vec<bool>,
    /// States in order of discovery, and how many of them were expanded.
    met: Vec<Id>,
    at: usize,
    /// The successors of those that were expanded, one list after the other, and how many each has.
    following: Vec<Id>,
    counts: Vec<u32>,
    goals: Vec<Id>,
}

#[inline]
fn on_path(node: u32) -> u32 {
    node << 1
}

#[inline]
fn follows(node: u32) -> u32 {
    node << 1 | 1
}

impl AllPaths {
    pub fn new(has_goal: bool) -> Result<AllPaths> {
        let mut paths = AllPaths { has_goal, level: vec![0], ..AllPaths::default() };
        paths.nodes.push(Node { state: 0, before: NOTHING })?;
        Ok(paths)
    }

    /// The nodes of a path, last first.
    fn nodes(&self, node: u32) -> impl Iterator<Item = Node> + '_ {
        let mut at = node;
        std::iter::from_fn(move || {
            let node = (at != NOTHING).then(|| self.nodes[at as usize])?;
            at = node.before;
            Some(node)
        })
    }

    /// Marks the states that a path may not return to.
    fn mark(&mut self, node: u32, space: &dyn Space, record: &Record) -> Result<()> {
        self.marks.grow_to(space.states() as usize, NOTHING)?;
        let mut at = node;
        while at != NOTHING {
            let Node { state, before } = self.nodes[at as usize];
            if before != NOTHING || record.min_depth == 0 {
                self.marks[state as usize] = on_path(node);
            }
            at = before;
        }
        Ok(())
    }

    /// Whether the path to a node, which is marked, continues to a state.
    fn goes_to(&self, id: Id, node: u32, record: &mut Record) -> bool {
        let back = self.marks[id as usize] == on_path(node);
        record.came_back |= back;
        !back && self.useful.as_ref().is_none_or(|useful| useful.get(id as usize) == Some(&true))
    }

    /// Whether a path of the level can be extended; records no successors.
    fn goes_on(&mut self, space: &mut dyn Space, record: &mut Record) -> Result<bool> {
        for at in 0..self.level.len() {
            let node = self.level[at];
            self.glimpse.clear();
            space.peek(self.nodes[node as usize].state, &mut self.glimpse)?;
            self.mark(node, space, record)?;
            for index in 0..self.glimpse.len() {
                // an unseen state is on no path, and not known to lead to a goal
                let goes_on = match self.glimpse[index] {
                    Some(id) => self.goes_to(id, node, record),
                    None => self.useful.is_none(),
                };
                if goes_on {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Extends the next paths of the level.
    fn expand(&mut self, count: usize, space: &mut dyn Space, record: &mut Record) -> Result<()> {
        let ends = self.level[self.at..][..count].iter();
        let ids = listed(ends.map(|&node| self.nodes[node as usize].state))?;
        self.successors.clear();
        space.steps(Direction::Forward, &ids, &mut self.successors)?;
        let mut index = 0;
        for (from, &state) in (0..).zip(&ids) {
            let node = self.level[self.at];
            record.expanded += 1;
            self.mark(node, space, record)?;
            while let Some(&Step { to: id, .. }) =
                self.successors.get(index).filter(|step| step.from == from)
            {
                index += 1;
                if self.marks[id as usize] == follows(node) || !self.goes_to(id, node, record) {
                    continue;
                }
                self.marks[id as usize] = follows(node);
                if id == 0 {
                    record.start_again(space, state);
                }
                if self.nodes.len() == MOST_NODES {
                    return Err(Error::Unsupported("paths beyond 31 bits".into()));
                }
                self.following.grow_push(self.nodes.len() as u32)?;
                self.nodes.push(Node { state: id, before: node })?;
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Searches the space for states that lead to a goal.
    fn survey(&mut self, cx: &mut Context) -> Result<(), Pause> {
        self.survey.meet(0, cx.space)?;
        while self.survey.at < self.survey.met.len() && self.survey.is_small() {
            let left = self.survey.met.len() - self.survey.at;
            cx.record.waiting = left as u64;
            cx.pause(self)?;
            let count = left.min(cx.record.batch_size(cx.space.states().into()) as usize);
            let ids = copied(&self.survey.met[self.survey.at..][..count])?;
            self.successors.clear();
            cx.space.steps(Direction::Forward, &ids, &mut self.successors)?;
            let mut index = 0;
            for (from, &id) in (0..).zip(&ids) {
                if self.has_goal && cx.space.goal(id, true)? {
                    self.survey.goals.grow_push(id)?;
                }
                let first = index;
                while let Some(step) = self.successors.get(index).filter(|step| step.from == from) {
                    index += 1;
                    self.survey.meet(step.to, cx.space)?;
                    self.survey.following.grow_push(step.to)?;
                }
                self.survey.counts.grow_push((index - first) as u32)?;
                self.survey.at += 1;
            }
        }
        let survey = std::mem::take(&mut self.survey);
        if survey.at == survey.met.len() && survey.is_small() {
            let useful = self.useful.insert(survey.conclude()?);
            self.level.retain(|&node| useful[self.nodes[node as usize].state as usize]);
        }
        self.count = MOST_STATES; // tried once
        Ok(())
    }

    fn close_level(&mut self, record: &mut Record) -> Result<()> {
        let made = self.following.len();
        self.count += made;
        self.level = std::mem::take(&mut self.following);
        // a cycle back to the start counts as an answer (min_depth=1) but is not extended
        self.level.retain(|&node| self.nodes[node as usize].state != 0);
        record.came_back |= self.level.len() < made;
        if made > 0 {
            record.levels.grow_push(made as u64)?;
            record.depth += 1;
        }
        self.at = 0;
        Ok(())
    }
}

impl Survey {
    /// Whether it goes on; steps are numbered by 32 bits.
    fn is_small(&self) -> bool {
        self.met.len() <= MOST_STATES && u32::try_from(self.following.len()).is_ok()
    }

    fn meet(&mut self, id: Id, space: &dyn Space) -> Result<()> {
        self.seen.grow_resize(space.states() as usize, false)?;
        if !std::mem::replace(&mut self.seen[id as usize], true) {
            self.met.grow_push(id)?;
        }
        Ok(())
    }

    /// By state: whether a goal can be reached from it.
    fn conclude(self) -> Result<Vec<bool>> {
        // where the predecessors of each state begin, and these: sorted by counting
        let mut begins = filled(self.seen.len() + 1, 0_u32)?;
        for &to in &self.following {
            begins[to as usize] += 1;
        }
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        let mut predecessors = filled(self.following.len(), 0)?;
        let mut following = self.following.iter();
        for (&from, &count) in self.met.iter().zip(&self.counts) {
            for &to in following.by_ref().take(count as usize) {
                begins[to as usize] -= 1;
                predecessors[begins[to as usize] as usize] = from;
            }
        }
        let mut useful = filled(self.seen.len(), false)?;
        let mut stack = self.goals;
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut useful[id as usize], true) {
                continue;
            }
            let [first, end] = [0, 1].map(|next| begins[id as usize + next] as usize);
            let before = &predecessors[first..end];
            stack.grow_extend(before.iter().copied().filter(|&from| !useful[from as usize]))?;
        }
        Ok(useful)
    }

    fn bytes(&self) -> usize {
        let lists = [&self.met, &self.following, &self.counts, &self.goals];
        self.seen.capacity() + 4 * lists.iter().map(|list| list.capacity()).sum::<usize>()
    }
}

impl Strategy for AllPaths {
    fn run(&mut self, cx: &mut Context) -> Result<End, Pause> {
        loop {
            cx.offer_new(self, self.nodes.len() as u32)?;
            cx.pause(self)?;
            if self.at == self.level.len() {
                self.close_level(cx.record)?;
                if self.level.is_empty() {
                    return Ok(End::Exhausted);
                }
            }
            if self.at == 0 {
                if cx.record.too_deep(cx.record.depth) {
                    let goes_on = self.goes_on(cx.space, cx.record)?;
                    return Ok(if goes_on { End::Blocked } else { End::Exhausted });
                }
                let grown = TREE_FIRST < self.count && self.count < MOST_STATES;
                if grown && cx.record.min_depth == 0 {
                    self.survey(cx)?;
                    continue; // perhaps no path of the level leads to a goal
                }
            }
            let most = cx.record.batch_size(cx.space.states().into()) as usize;
            self.expand(most.min(self.level.len() - self.at), cx.space, cx.record)?;
            cx.record.waiting = self.following.len() as u64;
        }
    }

    fn state(&self, item: u32) -> Id {
        self.nodes[item as usize].state
    }

    fn trail(&self, item: u32, _: &dyn Space, _: &Record) -> Result<Vec<Id>> {
        let mut trail = Vec::new();
        trail.grow_extend(self.nodes(item).map(|node| node.state))?;
        trail.reverse();
        Ok(trail)
    }

    fn bytes(&self) -> usize {
        let lists = [&self.level, &self.following];
        self.nodes.bytes()
            + self.marks.bytes()
            + lists.iter().map(|list| list.capacity() * size_of::<u32>()).sum::<usize>()
            + self.useful.as_ref().map_or(0, Vec::capacity)
            + self.survey.bytes()
            + self.successors.capacity() * size_of::<Step>()
            + self.glimpse.capacity() * size_of::<Option<Id>>()
    }
}

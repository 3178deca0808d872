//! All paths, shortest first: a tree search without a closed set (`distinct="paths"`).
//!
//! Every different sequence of states comes once; two ways to make the same step are one. A path
//! never comes back to a state it has been in, so in a finite space there are finitely many.
//!
//! A tree has far more paths than lead anywhere. When it has grown large, the space itself is
//! searched once, and from then on only states are followed from which a goal can still be reached.

use super::marks::Marks;
use super::useful::{Course, Survey, Useful};
use super::{End, Strategy};
use crate::error::{Error, Result};
use crate::grow::Grow;
use crate::search::context::{Context, Pause};
use crate::search::record::Record;
use crate::search::space::{Id, Space};

/// Nodes that are made before the space is searched for what leads to a goal.
const TREE_FIRST: usize = 5_000;
/// States after which that search is given up: the space may be infinite.
const MOST_STATES: usize = 5_000_000;

const NOTHING: u32 = u32::MAX;

/// The end of a path, linked to the node before it.
#[derive(Clone, Copy)]
struct Node {
    state: Id,
    before: u32,
}

/// The items that are offered are nodes. Those of `level` from `at` on are ends of paths that have not
/// been made longer yet.
pub struct AllPaths {
    has_goal: bool,
    nodes: Vec<Node>,
    level: Vec<u32>,
    at: usize,
    following: Vec<u32>,
    /// States on a path of the level.
    length: u32,
    /// Nodes made in complete levels.
    count: usize,
    survey: Option<Survey>,
    useful: Option<Useful>,
    been: Marks,
    different: Marks,
    successors: Vec<(u64, Id)>,
    glimpse: Vec<Option<Id>>,
}

impl AllPaths {
    pub fn new(has_goal: bool) -> AllPaths {
        AllPaths {
            has_goal,
            nodes: vec![Node { state: 0, before: NOTHING }],
            level: vec![0],
            at: 0,
            following: Vec::new(),
            length: 1,
            count: 0,
            survey: None,
            useful: None,
            been: Marks::new(),
            different: Marks::new(),
            successors: Vec::new(),
            glimpse: Vec::new(),
        }
    }

    /// Marks the states that a path may not come back to.
    fn mark(&mut self, node: u32, record: &Record) -> Result<()> {
        self.been.clear();
        self.different.clear();
        let mut at = node;
        while at != NOTHING {
            let Node { state, before } = self.nodes[at as usize];
            if before != NOTHING || record.min_depth == 0 {
                self.been.insert(state)?;
            }
            at = before;
        }
        Ok(())
    }

    /// Whether a path is followed to a state next; the path is marked.
    fn follows(&self, id: Id, record: &mut Record) -> bool {
        match &self.useful {
            None => {
                let back = self.been.contains(id);
                record.came_back = record.came_back || back;
                !back
            }
            // a state whose distance is the length of the path or more cannot be on it
            Some(useful) => useful
                .distance(id)
                .is_some_and(|distance| distance >= self.length || !self.been.contains(id)),
        }
    }

    /// Whether a path of the level goes on; nothing is noted of where.
    fn longer(&mut self, space: &mut dyn Space, record: &mut Record) -> Result<bool> {
        for at in 0..self.level.len() {
            let node = self.level[at];
            self.glimpse.clear();
            space.peek(self.nodes[node as usize].state, &mut self.glimpse)?;
            self.mark(node, record)?;
            for index in 0..self.glimpse.len() {
                // a state that was never seen is on no path, and never known to lead to a goal
                let follows = match self.glimpse[index] {
                    Some(id) => self.follows(id, record),
                    None => self.useful.is_none(),
                };
                if follows {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn expand(&mut self, node: u32, space: &mut dyn Space, record: &mut Record) -> Result<()> {
        let state = self.nodes[node as usize].state;
        self.successors.clear();
        space.successors(state, &mut self.successors)?;
        record.expanded += 1;
        self.mark(node, record)?;
        for index in 0..self.successors.len() {
            let id = self.successors[index].1;
            if !self.different.insert(id)? || !self.follows(id, record) {
                continue;
            }
            if id == 0 {
                record.start_again(space, state);
            }
            let name = u32::try_from(self.nodes.len()).ok().filter(|&name| name != NOTHING);
            let name = name.ok_or_else(|| Error::Unsupported("paths beyond 32 bits".into()))?;
            self.nodes.grow_push(Node { state: id, before: node })?;
            self.following.grow_push(name)?;
        }
        Ok(())
    }

    /// Searches the space for what leads to a goal; false where limits are to be looked at first.
    fn survey(&mut self, space: &mut dyn Space, record: &mut Record) -> Result<bool> {
        let survey = self.survey.get_or_insert_with(|| Survey::new(self.has_goal));
        match survey.go_on(space, record, MOST_STATES)? {
            Course::Pause => return Ok(false),
            Course::TooLarge => {}
            Course::Done(useful) => {
                let nodes = &self.nodes;
                self.level.retain(|&node| useful.distance(nodes[node as usize].state).is_some());
                self.useful = Some(useful);
            }
        }
        self.survey = None;
        self.count = MOST_STATES; // tried once
        Ok(true)
    }

    fn close_level(&mut self, record: &mut Record) -> Result<()> {
        let made = self.following.len();
        self.count += made;
        self.level = std::mem::take(&mut self.following);
        // a cycle back to the start counts as an answer (min_depth=1) but leads no further
        let nodes = &self.nodes;
        self.level.retain(|&node| nodes[node as usize].state != 0);
        record.came_back = record.came_back || self.level.len() < made;
        if made > 0 {
            record.levels.grow_push(made as u64)?;
            record.depth += 1;
        }
        self.length += 1;
        self.at = 0;
        Ok(())
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
                    let longer = self.longer(cx.space, cx.record)?;
                    return Ok(if longer { End::Blocked } else { End::Exhausted });
                }
                let grown = TREE_FIRST < self.count && self.count < MOST_STATES;
                if grown && self.useful.is_none() && cx.record.min_depth == 0 {
                    while !self.survey(cx.space, cx.record)? {
                        cx.pause(self)?;
                    }
                    continue; // perhaps no path of the level leads to a goal
                }
            }
            self.expand(self.level[self.at], cx.space, cx.record)?;
            self.at += 1;
            cx.record.waiting = self.following.len() as u64;
        }
    }

    fn state(&self, item: u32) -> Id {
        self.nodes[item as usize].state
    }

    fn trail(&self, item: u32, _space: &dyn Space, _record: &Record) -> Result<Vec<Id>> {
        let (mut out, mut at) = (Vec::new(), item);
        while at != NOTHING {
            out.grow_push(self.nodes[at as usize].state)?;
            at = self.nodes[at as usize].before;
        }
        out.reverse();
        Ok(out)
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + (self.level.capacity() + self.following.capacity()) * size_of::<u32>()
            + self.been.bytes()
            + self.different.bytes()
            + self.useful.as_ref().map_or(0, Useful::bytes)
            + self.survey.as_ref().map_or(0, Survey::bytes)
            + self.successors.capacity() * size_of::<(u64, Id)>()
            + self.glimpse.capacity() * size_of::<Option<Id>>()
    }
}

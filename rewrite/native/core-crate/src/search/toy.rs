//! A space that is written down: a graph with costs, goals and estimates, for tests.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use crate::error::{Error, Exhausted, Result};
use crate::random::Random;
use crate::search::space::{Batch, Direction, Estimate, Hit, Id, Space, Step};
use crate::value::Val;

/// Nodes are numbers; the search begins at node 0.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// By node: cost and target of its edges, in order.
    pub edges: Vec<Vec<(u64, usize)>>,
    pub goals: Vec<bool>,
    pub estimates: Vec<Estimate>,
}

/// The search's view of a graph, with what it counts.
#[derive(Default)]
pub struct Toy {
    pub graph: Graph,
    /// By state: its node.
    pub nodes: Vec<usize>,
    numbers: HashMap<usize, Id>,
    parents: Vec<Id>,
    estimated: HashSet<Id>,
    /// States expanded, and successors made.
    pub counted: (u64, u64),
    /// By which calls fail, if any do.
    pub failing: Option<Random>,
    /// How often one failed.
    pub stumbled: u64,
    /// A batch of more states takes too long; 0 where none does.
    pub most: u32,
}

impl Toy {
    pub fn new(graph: Graph) -> Toy {
        let numbers = HashMap::from([(0, 0)]);
        Toy { graph, nodes: vec![0], numbers, parents: vec![0], ..Toy::default() }
    }

    /// Fails one time in three, where that is asked for.
    fn stumble(&mut self) -> Result<()> {
        let error = match self.failing.as_mut().map(|random| random.below(12)) {
            Some(0) => Error::Late,
            Some(1) => Error::Memory(Exhausted::Budget),
            Some(2 | 3) => Error::Interrupted,
            _ => return Ok(()),
        };
        self.stumbled += 1;
        Err(error)
    }

    /// Puts nodes into the space that follow the start, each its own parent.
    pub fn with_goals(mut self, goals: &[usize]) -> Toy {
        for &node in goals {
            let id = self.nodes.len() as Id;
            assert!(self.numbers.insert(node, id).is_none());
            self.nodes.push(node);
            self.parents.push(id);
        }
        self
    }

    fn edges(&self, direction: Direction, id: Id) -> Vec<(u64, usize)> {
        let node = self.nodes[id as usize];
        if direction == Direction::Forward {
            return self.graph.edges[node].clone();
        }
        let mut found = Vec::new();
        for (from, edges) in self.graph.edges.iter().enumerate() {
            found.extend(edges.iter().filter(|edge| edge.1 == node).map(|&(cost, _)| (cost, from)));
        }
        found
    }

    fn count(&mut self, direction: Direction, id: Id) {
        self.counted.0 += 1;
        self.counted.1 += self.edges(direction, id).len() as u64;
    }

    fn expand(&mut self, direction: Direction, id: Id) -> Vec<(u64, Id)> {
        self.count(direction, id);
        let mut out = Vec::new();
        for (cost, node) in self.edges(direction, id) {
            let next = self.nodes.len() as Id;
            let number = *self.numbers.entry(node).or_insert(next);
            if number == next {
                self.nodes.push(node);
                self.parents.push(id);
            }
            out.push((cost, number));
        }
        out
    }
}

impl Space for Toy {
    fn states(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn grow(&mut self, batch: &Batch) -> Result<Option<Hit>> {
        assert!(batch.from < batch.to && batch.to <= batch.ahead);
        assert!(batch.ahead.max(batch.watch.end) <= self.states());
        if self.most > 0 && batch.to - batch.from > self.most {
            return Err(Error::Late);
        }
        if let Err(error) = self.stumble() {
            if let Error::Memory(_) = error {
                let counted = self.counted;
                self.expand(batch.direction, batch.from); // so much still had room
                self.counted = counted;
            }
            return Err(error);
        }
        let mut hit = None;
        for id in batch.from..batch.to {
            for (_, state) in self.expand(batch.direction, id) {
                if batch.watch.contains(&state) {
                    hit = hit.or(Some(Hit { parent: id, state }));
                }
            }
        }
        Ok(hit)
    }

    fn steps(&mut self, direction: Direction, ids: &[Id], out: &mut Vec<Step>) -> Result<()> {
        assert!(out.is_empty());
        if self.most > 0 && ids.len() as u32 > self.most {
            return Err(Error::Late);
        }
        self.stumble()?;
        for (from, &id) in (0..).zip(ids) {
            let made = self.expand(direction, id);
            out.extend(made.into_iter().map(|(cost, to)| Step { from, cost, to }));
        }
        Ok(())
    }

    fn peek(&mut self, id: Id, out: &mut Vec<Option<Id>>) -> Result<()> {
        assert!(out.is_empty());
        self.stumble()?;
        out.extend(
            self.edges(Direction::Forward, id)
                .iter()
                .map(|(_, node)| self.numbers.get(node).copied()),
        );
        Ok(())
    }

    fn leads_on(&mut self, ids: &[Id], to_start: bool) -> Result<bool> {
        self.stumble()?;
        let new = |&(_, node): &(u64, usize)| match self.numbers.get(&node) {
            Some(&number) => to_start && number == 0,
            None => true,
        };
        if ids.iter().any(|&id| self.edges(Direction::Forward, id).iter().any(new)) {
            return Ok(true);
        }
        for &id in ids {
            self.count(Direction::Forward, id);
        }
        Ok(false)
    }

    fn goal(&mut self, id: Id, _: bool) -> Result<bool> {
        self.stumble()?;
        Ok(self.graph.goals[self.nodes[id as usize]])
    }

    fn objective(&mut self, _: Id) -> Result<Option<Val>> {
        Ok(None)
    }

    fn compare(&self, _: Val, _: Val) -> Ordering {
        Ordering::Equal
    }

    fn estimate(&mut self, id: Id) -> Result<Estimate> {
        if !self.estimated.contains(&id) {
            self.stumble()?;
            self.estimated.insert(id);
        }
        Ok(self.graph.estimates[self.nodes[id as usize]])
    }

    fn parent(&self, id: Id) -> Id {
        self.parents[id as usize]
    }

    fn set_parent(&mut self, id: Id, parent: Id) {
        self.parents[id as usize] = parent;
    }

    fn bytes(&self) -> usize {
        self.nodes.len() * 16
    }
}

//! Canonical names for interchangeable values.
//!
//! The twin of `labelling.py`, which describes the method; both choose the same names.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // runs for every state: see `grow`

use std::cmp::{Ordering, Reverse};
use std::iter::repeat_n;
use std::mem::{swap, take};

use crate::error::Result;
use crate::grow::{Grow, GrowCopies, copied, filled, listed};

/// The most interchangeable values in one term.
pub(super) const MOST_IN_ONE: usize = 4;
/// The most templates that can have a bit each.
pub(super) const MOST_BITS: u32 = u128::BITS;

/// A term that contains interchangeable values: its template, and the numbers of the values.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Occurrence {
    pub(super) template: u32,
    pub(super) count: u8,
    pub(super) values: [u8; MOST_IN_ONE],
}

impl Occurrence {
    pub(super) fn values(&self) -> &[u8] {
        &self.values[..self.count as usize]
    }

    /// What the term is for one of its values, given no more than colours of others.
    fn seen_by(&self, own: u8, colours: &[u8]) -> u64 {
        let mut seen = u64::from(self.template);
        for place in 0..MOST_IN_ONE {
            let mark = match self.values().get(place) {
                Some(&value) if value != own => 1 + colours[value as usize],
                _ => 0,
            };
            seen = seen << 8 | u64::from(mark);
        }
        seen
    }

    fn named(&self, names: &[u8]) -> u64 {
        let mut named = u64::from(self.template);
        for place in 0..MOST_IN_ONE {
            let name = self.values().get(place).map_or(0, |&value| 1 + names[value as usize]);
            named = named << 8 | u64::from(name);
        }
        named
    }

    fn is_shared(&self) -> bool {
        self.values().iter().any(|&value| value != self.values[0])
    }
}

/// Buffers, reused from state to state.
#[derive(Debug, Default)]
pub struct Naming {
    pub(super) found: Vec<Occurrence>,
    shared: bool,
    /// Whether each template can have a bit, and no term occurs twice.
    pub(super) few: bool,
    masks: Vec<u128>,
    /// What each value sees: (value, seen), sorted, and where that of each value begins.
    seen: Vec<(u8, u64)>,
    from: Vec<u32>,
    order: Vec<u8>,
    colours: Vec<u8>,
    following: Vec<u8>,
    /// For each value, the value whose name it gets.
    pub(super) names: Vec<u8>,
    /// Automorphisms: exchanges that change nothing.
    exchanges: Vec<Vec<u8>>,
}

/// A renamed state, its terms in order, and the names.
struct Leaf {
    image: Vec<u64>,
    names: Vec<u8>,
}

impl Naming {
    /// Chooses names for the values in `found` and stores them in `names`.
    ///
    /// `firsts`: for each value the first one of its set.
    pub(super) fn name(&mut self, firsts: &[u8]) -> Result<()> {
        self.shared = self.found.iter().any(Occurrence::is_shared);
        self.colours.refill(firsts.iter().copied())?;
        refine(self)?;
        let mut names = take(&mut self.names);
        match open_cell(self) {
            None => by_colour(self, &mut names)?,
            Some(_) => {
                self.exchanges.clear();
                names = least(self)?.names;
            }
        }
        self.names = names;
        Ok(())
    }
}

fn leaf(naming: &Naming) -> Result<Leaf> {
    let mut names = Vec::new();
    by_colour(naming, &mut names)?;
    let mut image = listed(naming.found.iter().map(|one| one.named(&names)))?;
    image.sort_unstable();
    Ok(Leaf { image, names })
}

/// The least state below the colours, which are refined.
#[cold]
fn least(naming: &mut Naming) -> Result<Leaf> {
    let Some(cell) = open_cell(naming) else { return leaf(naming) };
    let colours = copied(&naming.colours)?;
    let since = naming.exchanges.len();
    let mut best: Option<Leaf> = None;
    let mut known: Vec<Leaf> = Vec::new();
    let mut tried: Vec<u8> = Vec::new();
    for value in (0..colours.len() as u8).filter(|&one| colours[one as usize] == cell) {
        if meets(value, &tried, &naming.exchanges[since..])? {
            continue;
        }
        name_first(naming, &colours, value)?;
        let below = copied(&naming.colours)?;
        while let Some(cell) = open_cell(naming) {
            let colours = copied(&naming.colours)?;
            let first = colours.iter().position(|&colour| colour == cell).unwrap_or(0);
            name_first(naming, &colours, first as u8)?;
        }
        let first = leaf(naming)?;
        if let Some(same) = known.iter().find(|one| one.image == first.image) {
            let mut back = filled(same.names.len(), 0)?;
            same.names.iter().enumerate().for_each(|(at, &name)| back[name as usize] = at as u8);
            let exchange = listed(first.names.iter().map(|&name| back[name as usize]))?;
            naming.exchanges.grow_push(exchange)?;
            continue;
        }
        tried.grow_push(value)?;
        known.grow_push(first)?;
        naming.colours.copy_from_slice(&below);
        let leaf = least(naming)?;
        let again = Leaf { image: copied(&leaf.image)?, names: copied(&leaf.names)? };
        known.grow_push(again)?;
        if best.as_ref().is_none_or(|best| leaf.image < best.image) {
            best = Some(leaf);
        }
    }
    Ok(best.expect("an open cell has values"))
}

/// Names by colour; values of one colour are named in any order.
fn by_colour(naming: &Naming, names: &mut Vec<u8>) -> Result<()> {
    names.grow_resize(naming.colours.len(), 0)?;
    for (name, &value) in naming.order.iter().enumerate() {
        names[value as usize] = name as u8;
    }
    Ok(())
}

/// Colours such that values of one colour are seen alike, by the order of what is seen; `order` has
/// the values by colour.
fn refine(naming: &mut Naming) -> Result<()> {
    let count = naming.colours.len();
    if !naming.shared && naming.few {
        return refine_masks(naming, count);
    }
    loop {
        look(naming, count)?;
        let Naming { seen, from, order, colours, following, .. } = naming;
        let of = |value: u8| {
            let value = value as usize;
            &seen[from[value] as usize..from[value + 1] as usize]
        };
        let compared = |a: u8, b: u8| -> Ordering {
            let (one, other) = (of(a), of(b));
            (colours[a as usize].cmp(&colours[b as usize])).then_with(|| who_sees_first(one, other))
        };
        order.refill(0..count as u8)?;
        order.sort_unstable_by(|&a, &b| compared(a, b).then(a.cmp(&b)));
        recolour(order, following, |a, b| compared(a, b).is_eq())?;
        let done = !naming.shared || naming.following == naming.colours;
        swap(&mut naming.colours, &mut naming.following);
        if done {
            return Ok(());
        }
    }
}

/// The same where values stand alone in terms of few templates: each stands in a template at most
/// once, and so one bit says whether it does.
fn refine_masks(naming: &mut Naming, count: usize) -> Result<()> {
    let Naming { found, masks, order, colours, following, .. } = naming;
    masks.refill(repeat_n(0, count))?;
    for one in found {
        masks[one.values[0] as usize] |= 1 << (MOST_BITS - 1 - one.template);
    }
    order.refill(0..count as u8)?;
    let key = |value: u8| (colours[value as usize], Reverse(masks[value as usize]));
    for place in 1..count {
        // by insertion: they are few, and often in order
        let value = order[place];
        let mut at = place;
        while at > 0 && key(order[at - 1]) > key(value) {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = value;
    }
    recolour(order, following, |a, b| key(a) == key(b))?;
    swap(colours, following);
    Ok(())
}

/// Colours of values in order: the place of the first of those that are the same.
fn recolour(order: &[u8], colours: &mut Vec<u8>, same: impl Fn(u8, u8) -> bool) -> Result<()> {
    colours.refill(repeat_n(0, order.len()))?;
    let mut first = 0;
    for place in 0..order.len() {
        if !same(order[first], order[place]) {
            first = place;
        }
        colours[order[place] as usize] = first as u8;
    }
    Ok(())
}

/// Compares what two values see; if one list is a prefix of the other, the longer comes first.
fn who_sees_first(one: &[(u8, u64)], other: &[(u8, u64)]) -> Ordering {
    let pairs = one.iter().zip(other).map(|(one, other)| one.1.cmp(&other.1));
    let first = pairs.into_iter().find(|&order| order != Ordering::Equal);
    first.unwrap_or(other.len().cmp(&one.len()))
}

fn look(naming: &mut Naming, count: usize) -> Result<()> {
    naming.seen.clear();
    for one in &naming.found {
        for (place, &value) in one.values().iter().enumerate() {
            if !one.values()[..place].contains(&value) {
                naming.seen.grow_push((value, one.seen_by(value, &naming.colours)))?;
            }
        }
    }
    naming.seen.sort_unstable();
    naming.from.clear();
    let mut at = 0;
    for value in 0..=count {
        while at < naming.seen.len() && (naming.seen[at].0 as usize) < value {
            at += 1;
        }
        naming.from.grow_push(at as u32)?;
    }
    Ok(())
}

/// The first colour with several values whose order matters.
fn open_cell(naming: &Naming) -> Option<u8> {
    if !naming.shared {
        return None;
    }
    let colours = &naming.colours;
    let is_alone = |value: u8| {
        let colour = colours[value as usize];
        colours.iter().filter(|&&one| one == colour).count() == 1
    };
    let mut found: Option<u8> = None;
    for one in &naming.found {
        let first = one.values().iter().find(|&&value| !is_alone(value));
        let Some(&first) = first else { continue };
        if one.values().iter().any(|&value| value != first && !is_alone(value)) {
            let several = one.values().iter().filter(|&&value| !is_alone(value));
            let least = several.map(|&value| colours[value as usize]).min();
            found = found.into_iter().chain(least).min();
        }
    }
    found
}

/// Individualises one value before the others of its colour, and refines.
fn name_first(naming: &mut Naming, colours: &[u8], value: u8) -> Result<()> {
    let cell = colours[value as usize];
    for (at, &colour) in colours.iter().enumerate() {
        let behind = colour == cell && at != value as usize;
        naming.colours[at] = colour + u8::from(behind);
    }
    refine(naming)
}

/// Whether known automorphisms map a value to one already tried.
fn meets(value: u8, tried: &[u8], exchanges: &[Vec<u8>]) -> Result<bool> {
    let mut found = Vec::new();
    found.grow_push(value)?;
    let mut at = 0;
    while at < found.len() {
        for exchange in exchanges {
            let image = exchange[found[at] as usize];
            if !found.contains(&image) {
                found.grow_push(image)?;
            }
        }
        at += 1;
    }
    Ok(found.iter().any(|one| tried.contains(one)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The form of a state: its terms with the names that they get, in order.
    fn form(naming: &mut Naming, found: &[Occurrence], firsts: &[u8], few: bool) -> Vec<u64> {
        naming.found = found.to_vec();
        naming.few = few;
        naming.name(firsts).unwrap();
        let mut form: Vec<u64> = found.iter().map(|one| one.named(&naming.names)).collect();
        form.sort_unstable();
        form
    }

    fn mixed(random: &mut Random, firsts: &[u8]) -> Vec<u8> {
        let mut names: Vec<u8> = (0..firsts.len() as u8).collect();
        for first in 0..firsts.len() {
            let end = firsts.iter().rposition(|&one| one as usize == first);
            if let Some(end) = end {
                random.shuffle(&mut names[first..=end]);
            }
        }
        names
    }

    fn renamed(found: &[Occurrence], names: &[u8]) -> Vec<Occurrence> {
        let rename = |one: &Occurrence| {
            let mut other = *one;
            for value in &mut other.values[..one.count as usize] {
                *value = names[*value as usize];
            }
            other
        };
        found.iter().map(rename).collect()
    }

    #[test]
    fn states_that_differ_by_names_have_one_form() {
        let mut random = Random::new(5);
        let mut naming = Naming::default();
        for round in 0..500 {
            let count = 2 + random.word() % 6;
            let split = (random.word() % (count + 1)) as u8;
            let firsts: Vec<u8> =
                (0..count as u8).map(|value| if value < split { 0 } else { split }).collect();
            let joined = round % 3;
            let found: Vec<Occurrence> = (0..random.word() % 12)
                .map(|place| {
                    // with one value each, no two terms are alike: so it may be looked up in bits
                    let template = if joined == 0 { place } else { random.word() % 3 };
                    let arity = if joined == 0 { 1 } else { 1 + template as u8 };
                    let values = [(); MOST_IN_ONE].map(|()| (random.word() % count) as u8);
                    Occurrence { template, count: arity, values }
                })
                .collect();
            let whole = form(&mut naming, &found, &firsts, false);
            for _ in 0..4 {
                let names = mixed(&mut random, &firsts);
                let other = renamed(&found, &names);
                assert_eq!(form(&mut naming, &other, &firsts, false), whole, "{found:?} {names:?}");
                if joined == 0 {
                    assert_eq!(form(&mut naming, &other, &firsts, true), whole, "{found:?}");
                }
            }
        }
    }

    #[test]
    fn two_rings_of_three_are_not_one_of_six() {
        let edges = |pairs: &[(u8, u8)]| -> Vec<Occurrence> {
            let both = pairs.iter().flat_map(|&(a, b)| [[a, b, 0, 0], [b, a, 0, 0]]);
            both.map(|values| Occurrence { template: 0, count: 2, values }).collect()
        };
        let six = edges(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]);
        let mixed = edges(&[(3, 1), (1, 5), (5, 0), (0, 4), (4, 2), (2, 3)]);
        let threes = edges(&[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]);
        let mut naming = Naming::default();
        let forms = [six, mixed, threes].map(|one| form(&mut naming, &one, &[0; 6], false));
        assert_eq!(forms[0], forms[1]);
        assert_ne!(forms[0], forms[2]);
    }
}

//! Hash-consed terms: one node for each large int, text and tuple, shared by all threads.
//!
//! Nodes never move and are never freed, so reading takes no lock: whoever has a `Val` got it, in
//! the end, from the shard lock under which its node was written. Interning locks one shard.
//! Addresses depend on which thread came first; nothing that a user sees may depend on them.
//!
//! Inside nodes and states a value is *packed* into 32 bits: an int of 31 bits, or an address. Ints
//! that fit a register's small int but not 31 bits (*wide* ints) have an arena of their own, so
//! that an address tells by itself whether it is one, and unpacking others touches no memory. So
//! have tuples of a few ints, which states hold written out instead (see `short`).

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Signed, ToPrimitive};

use crate::bits::fold;
use crate::error::{Error, Exhausted, Result};
use crate::grow::{Grow, no_memory, probe};
pub use crate::value::Kind;
use crate::value::{FIRST_ADDRESS, Val};
use arena::Arena;
use node::{Node, header, shape};

/// Where the addresses begin of short tuples (see `short`; at most 4 GiB), of wide ints, 8 bytes each
/// (2 GiB), and of what is none: a value written out in a key. Below are all other nodes (8 GiB).
const SHORT: u32 = 4 << 28;
const WIDE: u32 = 6 << 28;
const INLINE: u32 = 7 << 28;

const SHARDS: usize = 64;

/// A node by its address, with its hash: so a map grows without looking at nodes.
struct Known {
    address: u32,
    hash: u32,
}

/// The hash as maps want it: they take the lowest bits and the highest.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Nodes by content. A cache line each: neighbours are locked by other threads.
#[repr(align(128))]
struct Shard(Mutex<HashTable<Known>>);

/// All terms that are no small ints.
pub struct Interner {
    nodes: Arena,
    short: Arena,
    wide: Arena,
    shards: Box<[Shard]>,
    map_bytes: AtomicUsize,
}

/// How an int is kept in states if it is a word of its own. Such words are ordered as their ints.
#[inline]
pub fn narrow(value: Val) -> Option<i32> {
    let n = value.as_small()?;
    let word = (n as i32) << 1;
    (i64::from(word >> 1) == n).then_some(word)
}

impl Default for Interner {
    /// An interner with the two truth values in it.
    fn default() -> Interner {
        let made = Interner {
            nodes: Arena::new(SHORT),
            short: Arena::new(WIDE - SHORT),
            wide: Arena::new(INLINE - WIDE),
            shards: (0..SHARDS).map(|_| Shard(Mutex::new(HashTable::new()))).collect(),
            map_bytes: AtomicUsize::new(SHARDS * size_of::<Shard>()),
        };
        for value in [false, true] {
            let found = made.intern(header(shape::TRUTH, value as usize), &[]);
            assert_eq!(
                found.ok(),
                Val::truth(value).as_node(),
                "the first two nodes are the truth"
            );
        }
        made
    }
}

impl Interner {
    pub fn int(&self, n: &BigInt) -> Result<Val> {
        if let Some(small) = n.to_i64().and_then(Val::small) {
            return Ok(small);
        }
        let mut digits: Vec<u32> = Vec::new();
        digits.grow_extend(n.magnitude().iter_u32_digits())?;
        self.large(n.is_negative(), &digits)
    }

    /// The int, from two registers: whatever sums and products of small ints come to.
    #[inline]
    pub fn whole(&self, n: i128) -> Result<Val> {
        match i64::try_from(n).ok().and_then(Val::small) {
            Some(small) => Ok(small),
            None => self.whole_large(n),
        }
    }

    #[cold]
    fn whole_large(&self, n: i128) -> Result<Val> {
        let size = n.unsigned_abs();
        let digits = [0, 32, 64, 96].map(|shift| (size >> shift) as u32);
        let used = digits.iter().rposition(|&digit| digit != 0).map_or(0, |last| last + 1);
        self.large(n < 0, &digits[..used])
    }

    fn large(&self, negative: bool, digits: &[u32]) -> Result<Val> {
        let shape = if negative { shape::NEGATIVE } else { shape::POSITIVE };
        self.intern_checked(shape, digits.len(), digits)
    }

    pub fn text(&self, text: &str) -> Result<Val> {
        with_buffer(text.len().div_ceil(4), |words| {
            for (word, bytes) in words.iter_mut().zip(text.as_bytes().chunks(4)) {
                let mut padded = [0; 4];
                padded[..bytes.len()].copy_from_slice(bytes);
                *word = u32::from_be_bytes(padded);
            }
            self.intern_checked(shape::STR, text.len(), words)
        })
    }

    /// The tuple of canonical values. A mark can stand at its beginning only.
    #[inline]
    pub fn tuple(&self, items: &[Val]) -> Result<Val> {
        with_buffer(items.len(), |words| {
            let mark = items.first().and_then(|first| first.as_ctor());
            let start = mark.is_some() as usize;
            if let Some(number) = mark {
                words[0] = number;
            }
            for (word, &item) in words[start..].iter_mut().zip(&items[start..]) {
                *word = self.pack(item)?;
            }
            let shape = if mark.is_some() { shape::MARKED } else { shape::SEQ };
            self.intern_checked(shape, items.len(), words)
        })
    }

    /// How a canonical value is kept in states and nodes; equal values are equal words.
    #[inline]
    pub fn pack(&self, value: Val) -> Result<u32> {
        if let Some(word) = narrow(value) {
            return Ok(word as u32);
        }
        if let Some(n) = value.as_small() {
            return self.pack_wide(n);
        }
        match value.as_node() {
            Some(address) => Ok(address << 1 | 1),
            None => unreachable!("{value:?} lives in a machine and has no packed form"),
        }
    }

    #[cold]
    fn pack_wide(&self, n: i64) -> Result<u32> {
        let words = [n as u32, (n >> 32) as u32];
        Ok(self.intern(header(shape::WIDE, words.len()), &words)? << 1 | 1)
    }

    #[inline]
    pub fn unpack(&self, word: u32) -> Val {
        if word & 1 == 0 {
            return Val::from_small(i64::from(word as i32 >> 1));
        }
        let address = word >> 1;
        if address < WIDE { Val::node(address) } else { self.unpack_wide(address) }
    }

    #[cold]
    fn unpack_wide(&self, address: u32) -> Val {
        let node = self.node(address);
        Val::from_small(i64::from(node.word(1) as i32) << 32 | i64::from(node.word(0)))
    }

    #[inline]
    fn node(&self, address: u32) -> Node<'_> {
        if address >= WIDE {
            let rest = self.wide.from(address - WIDE);
            return Node { header: header(shape::WIDE, 2), rest };
        }
        let words = if address < SHORT {
            self.nodes.from(address)
        } else {
            self.short.from(address - SHORT)
        };
        let (first, rest) = words.split_first().expect("a node has a header");
        Node { header: first.load(Relaxed), rest }
    }

    /// Interns words under a header whose length may not fit.
    #[inline]
    fn intern_checked(&self, shape: u32, len: usize, words: &[u32]) -> Result<Val> {
        if len >= 1 << 29 {
            return Err(Error::Memory(Exhausted::Machine));
        }
        self.intern(header(shape, len), words).map(Val::node)
    }

    /// The address of the node with this header and these words.
    fn intern(&self, header: u32, words: &[u32]) -> Result<u32> {
        let (shard, hash) = self.shard(content_hash(header, words.len(), |place| words[place]));
        // A panic under the lock leaves at worst a node that nothing refers to.
        let mut map = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let held = |known: &Known| known.hash == hash && self.holds(known.address, header, words);
        match map.find(spread(hash), held) {
            Some(known) => Ok(known.address),
            None => self.add(&mut map, hash, header, words),
        }
    }

    /// The shard of a hash, and what of it tells terms apart there.
    #[inline]
    fn shard(&self, hash: u64) -> (&Mutex<HashTable<Known>>, u32) {
        (&self.shards[(hash >> 32) as usize % SHARDS].0, hash as u32)
    }

    #[inline]
    fn holds(&self, address: u32, header: u32, words: &[u32]) -> bool {
        let node = self.node(address);
        let mut pairs = node.rest.iter().zip(words);
        node.header == header && pairs.all(|(held, &word)| held.load(Relaxed) == word)
    }

    #[cold]
    fn add(
        &self,
        map: &mut HashTable<Known>,
        hash: u32,
        header: u32,
        words: &[u32],
    ) -> Result<u32> {
        self.make_room(map)?;
        let address = if header & 7 == shape::WIDE {
            self.wide.append(&[], words)? + WIDE
        } else if self.is_short(header, words) {
            self.short.append(&[header], words)? + SHORT
        } else {
            self.nodes.append(&[header], words)?
        };
        map.insert_unique(spread(hash), Known { address, hash }, |known| spread(known.hash));
        Ok(address)
    }

    fn make_room(&self, map: &mut HashTable<Known>) -> Result<()> {
        if map.len() == map.capacity() {
            let before = map.allocation_size();
            map.try_reserve(1, |known| spread(known.hash)).map_err(no_memory)?;
            self.map_bytes.fetch_add(map.allocation_size() - before, Relaxed);
        }
        Ok(())
    }

    fn node_of(&self, value: Val) -> Option<Node<'_>> {
        value.as_node().map(|address| self.node(address))
    }

    #[inline]
    fn tuple_of(&self, value: Val) -> Node<'_> {
        let node = self.node(value.as_node().expect("an interned tuple"));
        debug_assert!(node.is_tuple());
        node
    }

    /// Any int as a big one; None for what is no int.
    pub fn big(&self, value: Val) -> Result<Option<BigInt>> {
        if let Some(n) = value.as_small() {
            return Ok(Some(BigInt::from(n)));
        }
        let Some(node) = self.node_of(value) else { return Ok(None) };
        let sign = match node.shape() {
            shape::POSITIVE => Sign::Plus,
            shape::NEGATIVE => Sign::Minus,
            _ => return Ok(None),
        };
        let mut digits = Vec::new();
        digits.grow_extend(node.words().iter().map(|word| word.load(Relaxed)))?;
        probe(2 * size_of_val(&digits[..]))?; // it is copied into words of another size
        Ok(Some(BigInt::from_biguint(sign, BigUint::new(digits))))
    }

    /// A text; None for what is none.
    pub fn str(&self, value: Val) -> Result<Option<String>> {
        let Some(node) = self.node_of(value).filter(|node| node.shape() == shape::STR) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        bytes.grow_by(4 * node.words().len())?;
        for word in node.words() {
            bytes.grow_extend(word.load(Relaxed).to_be_bytes())?;
        }
        bytes.truncate(node.len());
        Ok(Some(String::from_utf8(bytes).expect("only whole texts are interned")))
    }

    pub fn is_text(&self, value: Val) -> bool {
        self.node_of(value).is_some_and(|node| node.shape() == shape::STR)
    }

    /// How many elements a tuple has, its mark included, or characters a text. Else 0.
    #[inline]
    pub fn len(&self, value: Val) -> usize {
        match self.node_of(value) {
            Some(node) if node.is_tuple() => node.len(),
            Some(node) if node.shape() == shape::STR => characters(&node),
            _ => 0,
        }
    }

    /// One element of a tuple; at place 0 of a term its mark.
    #[inline]
    pub fn get(&self, tuple: Val, place: usize) -> Val {
        let node = self.tuple_of(tuple);
        assert!(place < node.len(), "beyond the end of a tuple");
        let word = node.word(place);
        if place == 0 && node.shape() == shape::MARKED {
            Val::ctor(word)
        } else {
            self.unpack(word)
        }
    }

    /// Appends all elements of a tuple, its mark included.
    pub fn push_items(&self, tuple: Val, out: &mut Vec<Val>) -> Result<()> {
        self.push_range(tuple, 0, self.tuple_of(tuple).len(), out)
    }

    /// Appends the elements from one place to another.
    #[inline]
    pub fn push_range(&self, tuple: Val, from: usize, to: usize, out: &mut Vec<Val>) -> Result<()> {
        let node = self.tuple_of(tuple);
        let marked = from == 0 && to > 0 && node.shape() == shape::MARKED;
        if marked {
            out.grow_push(Val::ctor(node.word(0)))?;
        }
        let words = &node.words()[from + usize::from(marked)..to];
        out.grow_extend(words.iter().map(|word| self.unpack(word.load(Relaxed))))
    }

    /// Whether a canonical value is a sequence, a nested bag or a term.
    #[inline]
    pub fn is_tuple(&self, value: Val) -> bool {
        self.node_of(value).is_some_and(|node| node.is_tuple())
    }

    /// The mark of a nested bag or a term.
    #[inline]
    pub fn ctor(&self, value: Val) -> Option<u32> {
        let node = self.node_of(value)?;
        (node.shape() == shape::MARKED).then(|| node.word(0))
    }

    #[inline]
    pub fn kind(&self, value: Val) -> Kind {
        if value.is_small() {
            return Kind::Int;
        }
        if value.is_ctor() {
            return Kind::Ctor;
        }
        let node = self.node_of(value).expect("only its machine knows a temporary tuple");
        match node.shape() {
            shape::TRUTH => Kind::Bool,
            shape::STR => Kind::Str,
            shape::SEQ => Kind::Seq,
            shape::MARKED => match node.word(0) {
                0 => Kind::Bag,
                number => Kind::Term(number),
            },
            _ => Kind::Int,
        }
    }

    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.short.bytes() + self.wide.bytes() + self.map_bytes.load(Relaxed)
    }
}

/// How many characters a text has: its bytes that do not continue one.
#[cold]
fn characters(node: &Node) -> usize {
    let continues = |byte: &u8| byte & 0xC0 == 0x80;
    let bytes = node.words().iter().flat_map(|word| word.load(Relaxed).to_be_bytes());
    node.len() - bytes.filter(continues).count()
}

/// Lends zeroed words, from the stack for all but long terms.
#[inline]
fn with_buffer<T>(len: usize, work: impl FnOnce(&mut [u32]) -> Result<T>) -> Result<T> {
    match len {
        0..=8 => work(&mut [0; 8][..len]),
        9..=128 => work(&mut [0; 128][..len]),
        _ => {
            let mut words = Vec::new();
            words.try_reserve_exact(len).map_err(no_memory)?;
            words.resize(len, 0);
            work(&mut words)
        }
    }
}

/// A hash of the whole content: four words a step, multiplied to 128 bits and folded as in wyhash.
/// The high half chooses the shard, the low one is kept in the map.
#[inline]
fn content_hash(header: u32, len: usize, word: impl Fn(usize) -> u32) -> u64 {
    let word = |place| {
        if place < len { u64::from(word(place)) } else { 0 }
    };
    let pair = |place| word(place + 1) << 32 | word(place);
    let mut hash = u64::from(header) ^ 0x9E37_79B9_7F4A_7C15;
    for place in (0..len).step_by(4) {
        hash = fold(hash ^ pair(place), 0xE703_7ED1_A0B4_28DB ^ pair(place + 2));
    }
    fold(hash ^ 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3)
}

mod arena;
mod node;
mod saved;
pub mod short;

#[cfg(test)]
mod tests;

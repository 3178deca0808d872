//! Saves and loads by one list of fields.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::Range;

use super::{Reader, Writer};
use crate::error::Result;
use crate::grow::Grow;
use crate::value::Val;

/// What fields are written to, or read from.
pub enum Archive<'a> {
    Saving(&'a mut Writer),
    Loading(&'a mut Reader),
}

/// What can be saved. Loading expects a value as it is at the beginning of a search.
pub trait Archived {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()>;
}

/// Archives a struct field by field.
macro_rules! archived {
    ($type:ty: $($field:ident),+) => {
        impl crate::checkpoint::Archived for $type {
            fn archive(
                &mut self,
                archive: &mut crate::checkpoint::Archive<'_>,
            ) -> crate::error::Result<()> {
                $(crate::checkpoint::Archived::archive(&mut self.$field, archive)?;)+
                Ok(())
            }
        }
    };
}
pub(crate) use archived;

impl Archive<'_> {
    /// The length of a list: `count` when writing.
    pub fn count(&mut self, count: usize) -> Result<usize> {
        match self {
            Archive::Saving(out) => out.count(count).map(|()| count),
            Archive::Loading(from) => from.count(1),
        }
    }
}

impl Archived for u32 {
    #[inline]
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        match archive {
            Archive::Saving(out) => out.word(*self)?,
            Archive::Loading(from) => *self = from.word()?,
        }
        Ok(())
    }
}

/// Archives a value that is stored as another type.
macro_rules! archived_as {
    ($($type:ty: $whole:expr, $back:expr);+) => {$(
        impl Archived for $type {
            #[inline]
            fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
                let mut whole = $whole(self);
                whole.archive(archive)?;
                *self = $back(whole);
                Ok(())
            }
        }
    )+};
}

archived_as! {
    bool: |one: &bool| u32::from(*one), |word| word != 0;
    u8: |one: &u8| u32::from(*one), |word| word as u8;
    u64: |one: &u64| (*one as u32, (*one >> 32) as u32), |(low, high)| low as u64 | (high as u64) << 32;
    i128: |one: &i128| (*one as u64, (*one >> 64) as u64), |(low, high)| low as i128 | (high as i128) << 64;
    Val: |one: &Val| one.bits(), Val::of_bits
}

impl<A: Archived, B: Archived> Archived for (A, B) {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        self.0.archive(archive)?;
        self.1.archive(archive)
    }
}

impl<T: Archived, const N: usize> Archived for [T; N] {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        self.iter_mut().try_for_each(|one| one.archive(archive))
    }
}

impl<T: Archived> Archived for Reverse<T> {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        self.0.archive(archive)
    }
}

impl<T: Archived> Archived for Range<T> {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        self.start.archive(archive)?;
        self.end.archive(archive)
    }
}

impl<T: Archived + Default> Archived for Option<T> {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        let mut there = self.is_some();
        there.archive(archive)?;
        if there {
            return self.get_or_insert_default().archive(archive);
        }
        *self = None;
        Ok(())
    }
}

impl<T: Archived + Default> Archived for Vec<T> {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        let count = archive.count(self.len())?;
        self.truncate(count);
        self.grow_by(count - self.len())?;
        for at in 0..count {
            if at == self.len() {
                self.grow_push(T::default())?;
            }
            self[at].archive(archive)?;
        }
        Ok(())
    }
}

impl<T: Archived + Default> Archived for VecDeque<T> {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        let mut list = Vec::from(std::mem::take(self));
        let done = list.archive(archive);
        *self = list.into();
        done
    }
}

impl<T: Archived + Default + Ord> Archived for BinaryHeap<T> {
    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<()> {
        let mut list = std::mem::take(self).into_vec();
        let done = list.archive(archive);
        *self = list.into();
        done
    }
}

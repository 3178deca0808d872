//! Zeroed memory for tables: the machine's, or a file's for tables that are larger.

use std::alloc::{Layout, alloc_zeroed};
use std::fs::{File, remove_file};
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::path::Path;

use memmap2::{MmapMut, MmapOptions};

use crate::error::{Error, Exhausted, Fault, Result};
use crate::grow::no_memory;

/// Integers: any bytes are a value.
pub trait Int: Copy {}
impl Int for u8 {}
impl Int for u64 {}

/// Integers that are zero at first; untouched pages stay with the system.
pub enum Zeroed<T> {
    Held(Vec<T>),
    /// A file without a name, which the system reads and writes page by page.
    Mapped(MmapMut, PhantomData<T>),
}

impl<T: Int> Zeroed<T> {
    /// In memory, or in a file of this folder that nobody else changes.
    pub fn new(length: u64, folder: Option<&Path>) -> Result<Zeroed<T>> {
        let length = usize::try_from(length).map_err(no_memory)?;
        let layout = Layout::array::<T>(length).map_err(no_memory)?;
        if layout.size() == 0 {
            return Ok(Zeroed::Held(Vec::new()));
        }
        if let Some(folder) = folder {
            let file = folder.join("table.tmp");
            return match mapped(&file, layout.size()) {
                Ok(pages) => Ok(Zeroed::Mapped(pages, PhantomData)),
                Err(error) => Err(Fault::System { file, error }.into()),
            };
        }
        // SAFETY: the layout is not empty; ints may be zeros; it is freed as the Vec it becomes.
        unsafe {
            let memory = alloc_zeroed(layout).cast::<T>();
            if memory.is_null() {
                return Err(Error::Memory(Exhausted::Machine));
            }
            Ok(Zeroed::Held(Vec::from_raw_parts(memory, length, length)))
        }
    }
}

/// A new file of zeros, mapped. It has no name, so it ends with the mapping, even after a kill.
fn mapped(path: &Path, bytes: usize) -> io::Result<MmapMut> {
    let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
    remove_file(path)?;
    allocate(&file, bytes as u64)?;
    // SAFETY: without a name, nobody else can change or cut it.
    unsafe { MmapOptions::new().len(bytes).map_mut(&file) }
}

/// Takes all of it from the disk: what is missing later would end the process.
#[cfg(target_os = "linux")]
fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let length = i64::try_from(bytes).map_err(io::Error::other)?;
    // SAFETY: an open file.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, length) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

#[cfg(not(target_os = "linux"))]
fn allocate(mut file: &File, bytes: u64) -> io::Result<()> {
    use io::Read;
    io::copy(&mut io::repeat(0).take(bytes), &mut file).map(drop)
}

impl<T: Int> Deref for Zeroed<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match self {
            Zeroed::Held(ints) => ints,
            // SAFETY: any bytes are ints; pages are aligned, and as long as whole ints.
            Zeroed::Mapped(pages, _) => unsafe { pages.align_to().1 },
        }
    }
}

impl<T: Int> DerefMut for Zeroed<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Zeroed::Held(ints) => ints,
            // SAFETY: as above.
            Zeroed::Mapped(pages, _) => unsafe { pages.align_to_mut().1 },
        }
    }
}

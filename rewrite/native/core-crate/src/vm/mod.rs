//! The virtual machine: runs the functions of a program, on states in slots and on multisets.

mod builtins;
mod fast_path;
mod fused;
pub mod kernel;
pub mod machine;
pub(crate) mod multisets;
mod slow_path;
pub(crate) mod tables;
mod windows;
pub mod worker;

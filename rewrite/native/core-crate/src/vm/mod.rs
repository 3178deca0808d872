//! The virtual machine: runs the functions of a program, on states in slots and on multisets.

mod builtins;
pub mod kernel;
pub mod machine;
pub(crate) mod multisets;
mod others;
mod quick;
mod steps;
pub(crate) mod tables;
mod windows;
pub mod worker;

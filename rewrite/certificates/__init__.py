"""Certificates: evidence for "none" and "shortest" that a small program of its own checks."""

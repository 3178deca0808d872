"""Puzzles written out for other systems: text only, nothing is run."""

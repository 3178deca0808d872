"""Puzzles written for other systems: text only, nothing is run."""

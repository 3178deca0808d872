"""Drivers run a search: strategies in Python, or the core; see `interface`."""

"""The typed code of a compiled puzzle: what runs, as data. Both engines run the same code."""

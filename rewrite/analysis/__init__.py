"""What the ground rules of a puzzle imply, without running them: plain data, no search.

`symmetry` finds and proves permutations of states, `goals` extracts what a goal requires of
fields, `patterns` chooses the projections for pattern databases.
"""

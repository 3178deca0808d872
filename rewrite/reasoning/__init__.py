"""What follows from the ground rules of a puzzle without running them: plain data, no search.

`symmetry` finds and proves permutations of states, `goals` reads what a goal says of fields,
`patterns` chooses the projections that pattern databases are made of.
"""

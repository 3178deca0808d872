"""Breadth-first search whose states are spread over processes, on one machine or many.

`parts` says what one process does and what may be asked of all of them, `rounds` how they go
through a level together, `driver` how that is a search. `within` has all parts in this process.
"""

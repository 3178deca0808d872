"""Breadth-first search whose states are divided into parts, each in a process.

parts    what one part does, and the interface to all of them; in this process, for tests
driver   the driver of such a search
run      the run of such a search; restarts from the folder if a part is lost
on_ray   each part in a Ray actor
"""

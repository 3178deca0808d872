"""Breadth-first search with the states partitioned among processes.

parts    what one part does, and the interface to all of them; in this process, for tests
driver   the driver of such a search
run      the run of such a search; restarts from the folder if a part is lost
on_ray   each part in a Ray actor
"""

"""Breadth-first search whose states are divided into parts: processes, machines, or files.

parts    what one part does, and the interface to all of them
rounds   how they process a level together
driver   the driver of such a search
saved    what is saved in a folder besides the files of the parts
run      the run of such a search; restarts from the folder if a part is lost
within   all parts in this process: the reference for the others
on_ray   each part in a Ray actor
buckets  each part in a folder, one of them in memory at a time
"""

"""Breadth-first search whose states are divided into parts: processes, machines, or files.

parts    what one part does, and what may be asked of all of them
rounds   how they go through a level together
driver   how that is a search
saved    what is kept in a folder beside the files of the parts
run      a search so; begins again from the folder where a part is lost
within   all parts in this process: what every other way must agree with
on_ray   each part in an actor of Ray
buckets  each part in a folder, one of them in memory at a time
"""

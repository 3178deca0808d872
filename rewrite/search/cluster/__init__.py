"""Breadth-first search whose states are spread over processes, on one machine or many.

parts   what one process does, and what may be asked of all of them
rounds  how they go through a level together
driver  how that is a search
saved   what is kept in a folder beside the files of the parts
run     a search so; begins again from the folder where a part is lost
within  all parts in this process: what every other way must agree with
on_ray  each part in an actor of Ray
"""

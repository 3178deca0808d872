"""How fast whole spaces are searched, as ratios to peers that run in turn on the same machine.

Run `python -m tests.benchmarks` in the root of the repository. The work is fixed before it is
measured: every contestant must count exactly the known number of states. Times are reported, never
asserted, because they belong to the machine; a ratio within one run says more.

    workloads     what is searched, how many states there are, and what is to be reached
    spaces        declarations of spaces that are not puzzles of the gallery
    peers_maude   the same spaces as Maude modules, in the fastest form we found
    peers_python  the same spaces as loops that somebody writes for this one puzzle
    measure       runs contestants in turn in fresh processes, gives medians, ratios, memory
    rows          the native engine and its peers on one workload
    cluster       what it costs to spread a search over processes, by hand
    threads       one thread against two
    moments       whole processes, installing, and calls to answers
    scaling       what a state costs as the space grows; plot draws it
    calls         whole calls; what takes minutes runs only when it is named
    report        tables at a terminal and in Markdown

Run `python -m tests.benchmarks.strategies` for what the choice of a strategy buys.

    strategies    the instances, everyone who solves them, and the table
    contests      runs everyone in turn, holds their answers against the known one, tells ratios
    ours          one call of `search` or `distances` in a process of its own
    peers_sat     the two grids as clauses, for python-sat
    peers_planner sliding tiles in PDDL, for Fast Downward
"""

"""How fast whole spaces are searched, as ratios to peers that run in turn on the same machine.

Run `python -m tests.benchmarks` in the root of the repository. The work is fixed before it is
measured: every contestant must count exactly the known number of states. Times are reported, never
asserted, because they belong to the machine; a ratio within one run says more.

    workloads     what is searched, and how many states there are
    peers_maude   the same spaces as Maude modules, in the fastest form we found
    peers_python  the same spaces as loops that somebody writes for this one puzzle
    measure       runs contestants in turn, gives medians and ratios
    rows          we and the peers on one workload
"""

"""The spaces that are searched, and the numbers of states that every contestant must find."""

import attrs


@attrs.frozen
class Workload:
    """One puzzle whose reachable space is searched whole, from a start and with no goal to stop at.

    `puzzle` and `words` name the instance as on the command line, e.g. `hanoi 4 8`; `states` is
    how many different states there are, the start included, and `source` where that comes from.
    """

    name: str
    puzzle: str
    words: tuple[str, ...]
    states: int
    source: str


WORKLOADS = {
    workload.name: workload
    for workload in [
        Workload(
            "digitle-6",
            "digitle",
            ("793", "75", "4", "7", "9", "8", "2"),
            29_459,
            "Maude and a plain Python loop agree",
        ),
        Workload(
            "digitle-7",
            "digitle",
            ("793", "75", "25", "4", "7", "9", "8", "2"),
            400_193,
            "Maude and a plain Python loop agree",
        ),
        Workload("8-puzzle", "eight_puzzle", ("867", "254", "301"), 181_440, "9! / 2"),
        Workload("hanoi", "hanoi", ("4", "8"), 65_536, "4 ** 8: every disk on any peg"),
        Workload("klotski", "klotski", (), 25_955, "Maude and a plain Python loop agree"),
    ]
}

"""The spaces that are searched, and the numbers of states that every contestant must find."""

from collections.abc import Mapping

import attrs

NATIVE, GENERATED, MAUDE, PLAIN = "native", "generated Python", "Maude", "plain Python"
CONTESTANTS = (NATIVE, GENERATED, MAUDE, PLAIN)


@attrs.frozen
class Target:
    """What the native engine is to reach; None where nothing is asked.

    over_maude, over_plain   how many times faster than these, at least
    million_per_second       distinct states in a CPU second, at least
    bytes_per_state          of the peak of memory, at most
    """

    over_maude: float | None = None
    over_plain: float | None = None
    million_per_second: float | None = None
    bytes_per_state: float | None = None


SLOTS = Target(million_per_second=8, bytes_per_state=24)
OTHER_SLOTS = Target(bytes_per_state=24)  # speed is asked of 10^5 to 10^6 states
GENERAL = Target(million_per_second=3, bytes_per_state=60)


@attrs.frozen
class Workload:
    """One puzzle whose reachable space is searched whole, from a start and with no goal to stop at.

    `puzzle` and `words` name the instance: a puzzle of the gallery as on the command line, e.g.
    `hanoi 4 8`, or a function in `spaces`; `states` is how many different states there are, the
    start included, and `source` where that comes from. With `answers`, all paths to the goal of the
    puzzle are asked for, and there are so many.
    """

    name: str
    puzzle: str
    words: tuple[str, ...]
    states: int
    source: str
    target: Target = Target()
    answers: int = 0
    contestants: tuple[str, ...] = CONTESTANTS
    by_hand: bool = False  # takes minutes or gigabytes: runs only when it is named


WITHOUT_MAUDE = (NATIVE, GENERATED, PLAIN)

WORKLOADS: Mapping[str, Workload] = {
    workload.name: workload
    for workload in [
        Workload(
            "digitle-6",
            "digitle",
            ("793", "75", "4", "7", "9", "8", "2"),
            29_459,
            "Maude and a plain Python loop agree",
            Target(over_maude=30, bytes_per_state=60),
        ),
        Workload(
            "digitle-7",
            "digitle",
            ("793", "75", "25", "4", "7", "9", "8", "2"),
            400_193,
            "Maude and a plain Python loop agree",
            attrs.evolve(GENERAL, over_maude=45),
        ),
        Workload(
            "digitle-6-steps",
            "digitle_steps",
            ("75", "4", "7", "9", "8", "2"),
            1_139_458,
            "Maude and a plain Python loop agree",
            GENERAL,
        ),
        Workload(
            "power-strike",
            "power_strike",
            ("41", "×7", "14"),
            291_505,
            "a plain Python loop",
            Target(over_plain=10),
            answers=19_440,
            contestants=WITHOUT_MAUDE,
        ),
        Workload(
            "hyperjump",
            "hyperjump_sets",
            (),
            612_154,
            "a plain Python loop: 612,153 chains, and the state before a set is dealt",
            attrs.evolve(GENERAL, over_plain=10),
            contestants=WITHOUT_MAUDE,
        ),
        Workload("8-puzzle", "eight_puzzle", ("867", "254", "301"), 181_440, "9! / 2", SLOTS),
        Workload("8-tuple", "eight_tuple", ("867", "254", "301"), 181_440, "9! / 2", GENERAL),
        Workload(
            "sliding-5x2",
            "sliding",
            ("5", "2"),
            1_814_400,
            "10! / 2",
            SLOTS,
            contestants=WITHOUT_MAUDE,
        ),
        Workload(
            "hanoi",
            "hanoi",
            ("4", "8"),
            65_536,
            "4 ** 8: every disk on any peg",
            attrs.evolve(OTHER_SLOTS, over_maude=8),
        ),
        Workload(
            "klotski", "klotski", (), 25_955, "Maude and a plain Python loop agree", OTHER_SLOTS
        ),
        Workload(
            "sliding-4x3",
            "sliding",
            ("4", "3"),
            239_500_800,
            "12! / 2",
            OTHER_SLOTS,
            contestants=(NATIVE,),
            by_hand=True,
        ),
        Workload(
            "peg-solitaire",
            "peg_solitaire_english",
            (),
            187_636_299,
            "known: as many as the positions that can be solved, which are their complements",
            OTHER_SLOTS,
            contestants=(NATIVE,),
            by_hand=True,
        ),
    ]
}

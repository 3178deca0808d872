"""Everyone who solves one instance, run in turn, their answers held against the known one.

Rounds are those of measure.py: neighbours in time see the same machine, so a ratio is taken within
a round. Who came to the time limit is not run again, and has a ratio of at least so much.
"""

import statistics
from collections.abc import Callable, Sequence

import attrs

HEAD = (
    "instance", "by", "least moves", "states", "expanded", "search", "call", "peak",
    "search ratio", "call ratio",
)  # fmt: skip


class WrongAnswer(AssertionError):
    """Somebody proved another length, or counted other states; the time would mean nothing."""


@attrs.frozen
class Ran:
    """What came of one run.

    moves    the length proved to be the least, of a whole space the distance of the farthest state;
             None where the limit came before
    reached  how far it came then, in words; not looked at else
    states   distinct states, and those expanded; None where nobody tells
    cost     that of the plan, where a planner tells it
    search   seconds that the contestant itself calls its search; None where it does not say
    call     seconds from the question to the answer
    peak     bytes of its process at the most
    """

    moves: int | None
    search: float | None
    call: float
    peak: int | None
    states: int | None = None
    expanded: int | None = None
    reached: str = ""
    cost: int | None = None


@attrs.frozen
class Contestant:
    """A name with what runs it, in a process of its own; `absent` says why it cannot run here."""

    name: str
    run: Callable[[], Ran]
    absent: str | None = None


@attrs.frozen
class Contest:
    """One instance, its known answer, and who solves it: the first is whom others are compared to.

    states  how many there are, if the whole space is searched: then that is part of the answer
    """

    instance: str
    moves: int
    contestants: Sequence[Contestant]
    states: int | None = None

    def checked(self, name: str, ran: Ran) -> Ran:
        """The run itself. Raises WrongAnswer where it proved something else than is known."""
        if ran.moves not in (None, self.moves):
            raise WrongAnswer(
                f"{self.instance}: {name} proved {ran.moves} moves to be the least; the least is "
                f"{self.moves}"
            )
        if ran.moves is not None and self.states not in (None, ran.states):
            raise WrongAnswer(
                f"{self.instance}: {name} counted {ran.states} states; there are {self.states}"
            )
        return ran

    def held(self, runs: int, tell: Callable[[str], None] = lambda line: None) -> list[list[str]]:
        """So many rounds, told as lines of the table under HEAD.

        tell   is called with who ran and for how long
        """
        present = [each for each in self.contestants if each.absent is None]
        found: dict[str, list[Ran]] = {each.name: [] for each in present}
        for _ in range(runs):
            for each in present:
                if all(before.moves is not None for before in found[each.name]):
                    ran = self.checked(each.name, each.run())
                    found[each.name].append(ran)
                    tell(f"{self.instance}: {each.name}, {seconds(ran.call)}")
        first = found[present[0].name] if present else []
        lines = [
            told(each.name, found[each.name], first)
            if each.absent is None
            else [each.name, each.absent, *["–"] * (len(HEAD) - 3)]
            for each in self.contestants
        ]
        return [[self.instance if at == 0 else "", *line] for at, line in enumerate(lines)]


def told(name: str, runs: Sequence[Ran], first: Sequence[Ran]) -> list[str]:
    """The medians of somebody's runs, and how many times as long as the first they took."""
    last = runs[-1]
    return [
        name,
        last.reached if last.moves is None else str(last.moves),
        *["–" if each is None else f"{each:,}" for each in (last.states, last.expanded)],
        seconds(median([ran.search for ran in runs])),
        seconds(median([ran.call for ran in runs])),
        mebibytes(median([ran.peak for ran in runs])),
        ratio(runs, first, lambda ran: ran.search),
        ratio(runs, first, lambda ran: ran.call),
    ]


def median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def ratio(runs: Sequence[Ran], first: Sequence[Ran], figure: Callable[[Ran], float | None]) -> str:
    """How many times as long as the first: the median over the rounds; at least, at the limit."""
    if runs is first:
        return "1"
    if any(ran.moves is None for ran in first):
        return "–"
    pairs = [(figure(ran), figure(other)) for ran, other in zip(runs, first, strict=False)]
    ratios = [mine / theirs for mine, theirs in pairs if mine is not None and theirs]
    if not ratios:
        return "–"
    found = statistics.median(ratios)
    short = f"{found:,.0f}" if found >= 20 else f"{found:.2g}"
    return f"> {short}" if runs[-1].moves is None else short


def seconds(value: float | None) -> str:
    """A time with two or three digits that mean something, or a dash."""
    if value is None:
        return "–"
    if value < 0.1:
        return f"{1000 * value:.3g} ms"
    return f"{value:.3g} s" if value < 100 else f"{value:.0f} s"


def mebibytes(value: float | None) -> str:
    return "–" if value is None else f"{value / 2**20:,.0f} MiB"

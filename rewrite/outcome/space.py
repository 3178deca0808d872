"""`Space`: the states that can be reached from a start, level by level, as a graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rewrite.language import meaning
from rewrite.language.faces import Faced
from rewrite.language.puzzles import Puzzle
from rewrite.language.states import State

if TYPE_CHECKING:
    import networkx


@frozen(kw_only=True, eq=False, repr=False)
class Space(Faced):
    """The reachable states of a puzzle, in the order in which breadth-first search met them.

    states    all states, the start first
    level     the depth of each state: the number of steps of its shortest path
    edges     (from, to) numbers of states where a step leads from one to the other, each pair once
    complete  whether every state was expanded
    limit     what stopped it where it is not complete, e.g. "max_states=1,000"
    """

    puzzle: Puzzle
    states: list[State]
    level: list[int]
    edges: list[tuple[int, int]]
    complete: bool = True
    limit: str | None = None

    @property
    def levels(self) -> list[int]:
        """The number of states of each level. O(n)."""
        sizes = [0] * (self.depth + 1)
        for depth in self.level:
            sizes[depth] += 1
        return sizes

    @property
    def depth(self) -> int:
        """The deepest level: how far the farthest state is from the start."""
        return max(self.level)

    def farthest(self) -> list[State]:
        """Return the states of the deepest level, in order of discovery."""
        deepest = self.depth
        return [s for s, depth in zip(self.states, self.level, strict=True) if depth == deepest]

    def dead_ends(self) -> list[State]:
        """Return the states out of which no step leads, in order of discovery.

        Where the space is not complete, states that were not expanded are asked by definition.
        """
        left = {source for source, _ in self.edges}
        open_ends = [state for number, state in enumerate(self.states) if number not in left]
        if self.complete:
            return open_ends
        return [state for state in open_ends if not meaning.successors(self.puzzle, state)]

    def __len__(self) -> int:
        return len(self.states)

    def __iter__(self) -> Iterator[State]:
        return iter(self.states)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Space of {self.puzzle.name}: {self}>"

    def __str__(self) -> str:
        end = "complete" if self.complete else f"stopped by {self.limit}"
        levels = ", ".join(f"{size:,}" for size in self.levels)
        return (
            f"{len(self):,} state{'s' * (len(self) != 1)}, {len(self.edges):,} "
            f"edge{'s' * (len(self.edges) != 1)}, depth {self.depth} ({end}); levels: {levels}"
        )

    def to_networkx(self) -> networkx.DiGraph[State]:
        """Return a networkx DiGraph whose nodes are the states, each with its `level`.

        Raises ImportError where networkx is not installed.
        """
        try:
            import networkx
        except ImportError as error:
            raise ImportError(
                "to_networkx() needs networkx, which is not installed: pip install 'rewrite[graph]'"
            ) from error
        graph: networkx.DiGraph[State] = networkx.DiGraph(name=self.puzzle.name)
        for state, depth in zip(self.states, self.level, strict=True):
            graph.add_node(state, level=depth)
        graph.add_edges_from((self.states[a], self.states[b]) for a, b in self.edges)
        return graph

    def to_dot(self) -> str:
        """Return the graph as Graphviz text, states as `puzzle.show` shows them (else as text).

        Dead ends are grey, the start has a thick border; states of one level stand side by side.
        """
        dead = set(self.dead_ends())
        lines = ["digraph {", "  node [shape=box, fontname=monospace];"]
        for number, state in enumerate(self.states):
            style = ", style=bold" if number == 0 else ""
            style += ", color=gray, fontcolor=gray" if state in dead else ""
            lines.append(f"  {number} [label={quoted(self.puzzle.shown(state))}{style}];")
        for depth in range(self.depth + 1):
            row = "; ".join(str(n) for n, level in enumerate(self.level) if level == depth)
            lines.append(f"  {{rank=same; {row}}}")
        lines += [f"  {source} -> {target};" for source, target in self.edges]
        return "\n".join([*lines, "}", ""])


def quoted(text: Any) -> str:
    r"""Return a text as a Graphviz string; its lines begin at the left.

    >>> print(quoted('a "b"\nc'))
    "a \"b\"\lc\l"
    """
    escaped = str(text).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + (escaped.replace("\n", "\\l") + "\\l" if "\n" in escaped else escaped) + '"'

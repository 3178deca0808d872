"""Effects: what else a rule of a set does, for each match of some patterns, all at once."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rewrite.errors import RuleError, tells_unknown_names
from rewrite.language.arguments import refuse_unlisted
from rewrite.language.checks import check_condition, check_places, require
from rewrite.language.conditions import Contains
from rewrite.language.expressions import Variable
from rewrite.language.order import Key, Keyed, gathered, source
from rewrite.language.terms import freeze


@frozen(eq=False, repr=False)
class Effect(Keyed):
    """One effect; made by `effect(...)`.

    where   its patterns: first those of `take`, then those of `keep`
    number  how many it takes
    """

    where: Contains
    number: int
    put: tuple[Any, ...]

    @property
    def take(self) -> tuple[Any, ...]:
        return self.where.patterns[: self.number]

    @property
    def keep(self) -> tuple[Any, ...]:
        return self.where.patterns[self.number :]

    def check(self, where: str, bound: dict[Variable, None]) -> None:
        for part in ("take", "keep", "put"):
            for pattern in getattr(self, part):
                check_places(where, f"effect {part}", pattern)
        within = check_condition(f"rule {where!r}: effect(…)", self.where, bound, in_rule=True)
        for pattern in self.put:
            require(f"rule {where!r}: effect(…)", f"put=[{source(pattern)}]", pattern, within)

    def term_measure(self) -> tuple[Key, int]:
        return gathered(("effect", self.number), (self.where, self.put))

    def term_inside(self) -> tuple[Any, ...]:
        return (self.where, self.put)

    def __repr__(self) -> str:
        shown = {
            "take": self.take, "put": self.put, "keep": self.keep, "when": self.where.when,
            "absent": self.where.absent,
        }  # fmt: skip
        parts = [f"{n}=[{', '.join(map(source, held))}]" for n, held in shown.items() if held]
        return f"effect({', '.join(parts)})"


@tells_unknown_names(RuleError, "effect")
def effect(
    take: Any = (), put: Any = (), *, keep: Any = (), when: Any = (), absent: Any = ()
) -> Effect:
    """Return an effect of a rule, in a puzzle of sets: for each of its matches in the state before
    the step, what it takes goes and what it puts comes.

    The parts mean what they mean in a rule, of which it knows the variables. What the rule takes is
    still there, and one term may be matched by the rule and by several effects. All happens
    together: first everything taken goes, then everything put comes.

    Raises RuleError.

    >>> from rewrite.language.functions import ints
    >>> N = ints("N")
    >>> effect(take=[N], put=[N + 1], when=N < 3)
    effect(take=[N], put=[N + 1], when=[N < 3])
    """
    found = {}
    for name, given in {"take": take, "put": put, "keep": keep}.items():
        refuse_unlisted(f"effect(…): {name}=", given)
        if not isinstance(given, (list, tuple)):
            raise RuleError(f"effect(…): {name}={source(given)} must be a list")
        found[name] = tuple(map(freeze, given))
    if not found["take"] and not found["put"]:
        raise RuleError("effect(…) takes nothing and puts nothing; give take=[…] or put=[…]")
    where = Contains((*found["take"], *found["keep"]), when, absent)
    if where.rest is not None:
        raise RuleError("effect(…): a rest of the state is not matched here")
    return Effect(where, len(found["take"]), found["put"])

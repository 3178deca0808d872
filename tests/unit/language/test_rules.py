"""Rules refuse to be wrong when they are declared, in the words of the language page."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from rewrite import (
    ANY,
    ExpressionError,
    Rule,
    RuleError,
    TermError,
    UnboundVariable,
    bags,
    contains,
    count,
    digits,
    exactly,
    ints,
    lacks,
    lowest,
    number,
    one_of,
    rule,
    seqs,
    strs,
    terminal,
    terms,
    total,
)
from tests.property.strategies import At
from tests.terms import Box

M, N, NN, D, X, Y = ints("M N NN D X Y")
S, T = seqs("S T")
B = bags("B")
who = strs("who")
P = terms("P")


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (
            lambda: rule(f"{M} + {N} → {M + NN}", take=[M, N], put=[M + NN]),
            "rule '{M} + {N} → {M + NN}': put=[M + NN] uses NN, but nothing binds it (did you mean "
            "N?). Bound by take=, keep= or let=: M, N",
        ),
        (
            lambda: rule("x", put=[M]),
            "put=[M] uses M, but nothing binds it. Bound by take=, keep= or let=: nothing",
        ),
        (lambda: rule("x", take=[M], when=M > N), "rule 'x': M > N uses N, but nothing binds it"),
        (lambda: rule("x", take=[M], cost=N), "rule 'x': cost=N uses N, but nothing binds it"),
        (lambda: rule("{N}", take=[M]), "rule '{N}': the label uses N, but nothing binds it"),
        (lambda: rule("x", take=[Box(M + N)]), "rule 'x': take=[Box(M + N)] uses M, but nothing"),
        (lambda: rule("x", take=[M], keep=[Box(M + N)]), "keep=[Box(M + N)] uses N, but nothing"),
        (lambda: rule("x", take=[M], absent=Box(M + N)), "absent=Box(M + N) uses N, but nothing"),
        (
            lambda: rule("x", take=[M], let={X: N + 1}),
            "let={X: N + 1} uses N, but nothing binds it",
        ),
        (lambda: rule("x", take=[M], let={X: Y, Y: X}), "let={X: Y} uses Y, but nothing binds it"),
        (lambda: rule("x", take=[M], let={X: one_of(N, 1)}), "uses N, but nothing binds it"),
        (lambda: rule("x", take=[M], let={(X, N + 1): M}), "let={(X, N + 1): …} uses N, but"),
        (lambda: rule("x", take=[M], when=count(Box(M + N)) > 1), "uses N, but nothing binds it"),
        (lambda: rule("x", take=[M], when=count(Box(X), when=N > X) > 1), "N > X uses N, but"),
        (lambda: rule("x", take=[M], when=lowest(N, Box(X)) > 1), "lowest(N, Box(X)) uses N, but"),
        (lambda: rule("x", take=[M], when=contains(Box(X), when=N > X)), "N > X uses N, but"),
        (lambda: rule("x", take=[M], when=[contains(Box(X)), X > 1]), "X > 1 uses X, but nothing"),
        (lambda: rule("x", take=[M], when=lacks(Box(X)) & (X > 1)), "X > 1 uses X, but nothing"),
        (
            lambda: rule("x", take=[M], when=(contains(Box(X)) | contains(Box(Y))) & (X > 1)),
            "X > 1 uses X, but nothing binds it",
        ),
        (lambda: rule("x", take=[M], put=[count(Box(M + N))]), "uses N, but nothing binds it"),
        (lambda: rule("x", take=[M], cost=count(Box(M + N))), "uses N, but nothing binds it"),
        (
            lambda: rule("x", take=[M], put=[strs("M")]),
            "put=[M] uses M, but nothing binds it (the bound M is of another kind)",
        ),
    ],
)
def test_a_variable_that_nothing_binds_is_refused_at_its_place(
    wrong: Callable[[], Any], text: str
) -> None:
    with pytest.raises(UnboundVariable, match=re.escape(text)) as raised:
        wrong()
    assert isinstance(raised.value, ValueError)


def test_an_unbound_variable_is_told_as_attributes_too() -> None:
    with pytest.raises(UnboundVariable, match="NN") as raised:
        rule("x", take=[M, N], put=[NN])
    assert (raised.value.variable, raised.value.bound) == ("NN", ("M", "N"))


def test_variables_bound_by_any_part_may_be_used_in_every_other_part() -> None:
    made = rule(
        f"{M} {who} {X} {Y} {D}",
        take=[Box(M + D)],
        keep=[At(M, who)],
        let={Y: X + D, (X, *S): digits(M), D: one_of(1, -1)},
        absent=[Box(Y + 1)],
        when=[Y > D, count(Box(M)) > 0],
        put=[(Y, *S)],
        cost=abs(Y),
    )
    assert [repr(variable) for variable in made.bound] == ["M", "who", "X", "S", "D", "Y"]


def test_variables_local_to_absent_lacks_and_aggregates_need_no_value() -> None:
    guards = [lacks(Box(N)), count(At(N, who)) > 1, ~contains(Box(X), when=X > M)]
    made = rule("x", take=[M], absent=[At(M, N)], when=guards)
    assert list(made.bound) == [M]


def test_what_the_left_of_an_and_binds_may_be_used_on_its_right() -> None:
    rule("x", take=[M], when=contains(Box(X)) & (X > M))
    rule("x", take=[M], when=(contains(Box(X)) | exactly(At(X, 1))) & (X > M))
    rule("x", take=[M], when=contains(Box(X)) & contains(Box(X + 1)))


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (
            lambda: rule("x", take=(M, N)),
            "(M, N) is one sequence term. Write take=[M, N] for 2 separate terms, or take=[(M, N)] "
            "for one sequence",
        ),
        (
            lambda: rule("x", take=[M], put=(M,)),
            "(M,) is one sequence term. Write put=[M] for 1 separate term, or put=[(M,)] for one",
        ),
        (lambda: rule("x", take=[M], keep=(M, 1)), "Write keep=[M, 1] for 2 separate terms"),
        (lambda: rule("x", take=[M], absent=(M, 1)), "Write absent=[M, 1] for 2 separate terms"),
        (
            lambda: rule("x", take=[M], when=contains(M, absent=(M, 1))),
            "contains(...): absent=(M, 1): (M, 1) is one sequence term. Write absent=[M, 1] for 2",
        ),
        (lambda: rule("x", take={M, N}), "a set loses duplicates; use a list"),
        (lambda: rule("x", take=M), "rule 'x': take=M must be a list; write take=[M]"),
        (lambda: rule("x", take=[M], put=Box(M)), "put=Box(M) must be a list; write put=[Box(M)]"),
        (lambda: rule("x", take="ab"), "take='ab' must be a list; write take=['ab']"),
        (lambda: rule("x", take=None), "take=None must be a list"),
        (lambda: rule([M], [N]), "the first argument is the label, a text; write rule('name'"),  # type: ignore[arg-type]
        (lambda: rule("x"), "rule 'x' takes nothing and puts nothing; give take=[…] or put=[…]"),
        (lambda: rule("x", take=[M], let=[M]), "rule 'x': let=[M] must be a dict {pattern:"),  # type: ignore[arg-type]
        (
            lambda: rule("x", take=[M], cost=-1),
            "rule 'x': cost=-1 is negative; a cost is 0 or more",
        ),
        (lambda: rule("x", take=[who], cost=who), "rule 'x': cost=who must be a whole number"),
        (lambda: rule("x", take=[M], cost=True), "rule 'x': cost=True must be a whole number"),
        (
            lambda: rule("x", take=[M], when=M),
            "when=: M is not a condition: it is of kind int. Compare",
        ),
        (
            lambda: rule("x", take=[M], when="M > 1"),
            "'M > 1' is not a condition: write an expression",
        ),
        (
            lambda: rule("x", take=[count(M)]),
            "take= holds count(M); bind it first: let={X: count(M)}",
        ),
        (lambda: rule("x", take=[M], keep=[Box(M + count(M))]), "keep= holds count(M); bind it"),
        (lambda: rule("x", take=[M], let={(X, count(M)): S}), "let= holds count(M); bind it first"),
        (
            lambda: rule("x", take=[M], put=[ANY]),
            "put= holds ANY, which has no value; use a variable",
        ),
        (lambda: rule("x", take=[M], put=[(1, Box(ANY))]), "put= holds ANY, which has no value"),
        (lambda: rule("x", take=[M], when=ANY > 1), "ANY > 1 uses ANY, which has no value"),
        (
            lambda: rule("x", take=[M], let={X: ANY}),
            "rule 'x': let={X: ANY} uses ANY, which has no value",
        ),
        (
            lambda: rule("x", take=[M], let={X: count(Box(N), when=N > X)}),
            "let={X: …}: N > X uses X, but nothing binds it. Bound by take=, keep= or let=: M, N",
        ),
        (
            lambda: rule("x", take=[M], let={X: count(Box(N), when=N > Y), Y: count(Box(ANY))}),
            "rule 'x': let={X: …}: N > Y uses Y, but nothing binds it",
        ),
        (lambda: rule("x", take=[M], when=terminal()), "terminal() asks whether any rule applies"),
        (
            lambda: rule("x", take=[M], when=[M > 1, ~(terminal() & contains(1))]),
            "so it stands in goals only",
        ),
        (
            lambda: rule("x", take=[M], when=contains([M, 1])),
            "is one nested bag. Give the patterns",
        ),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused(wrong: Callable[[], Any], text: str) -> None:
    with pytest.raises(RuleError, match=re.escape(text)) as raised:
        wrong()
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (
            lambda: rule("x", take=[*S, M]),
            "rule 'x': take=[*S]: *S is a bare splice outside a tuple. A splice stands inside a "
            "sequence (*S, X) or a nested bag [X, *B]",
        ),
        (lambda: rule("x", take=[M], put=[*S]), "*S is a bare splice outside a tuple"),
        (lambda: rule("x", take=[M], when=contains(*S)), "*S is a bare splice outside a tuple"),
        (lambda: rule("x", take=[(*B, M)]), "*B splices a variable of kind bag into a sequence"),
        (lambda: rule("x", take=[[*S, M]]), "*S splices a variable of kind seq into a nested bag"),
        (
            lambda: rule("x", take=[M], let={(X, *B): digits(M)}),
            "*B splices a variable of kind bag",
        ),
        (lambda: rule("x", take=[M, 1.5]), "rule 'x': take=: 1.5 cannot be a term: a float is not"),
        (lambda: rule("x", take=[M], put=[None]), "rule 'x': put=: None cannot be a term"),
        (lambda: rule("x", take=[M], put=[{M: 1}]), "cannot be a term: a dict has no order"),
        (lambda: rule("x", take=[M], put=[(1, {2})]), "put=: {2} cannot be a term: a set loses"),
        (lambda: rule("x", take=[M], let={X: 1.5}), "let=: 1.5 cannot be a term: a float"),
        (
            lambda: rule("x", take=[M], cost=0.5),
            "cost=: 0.5 cannot be a term: a float is not exact",
        ),
        (lambda: rule("x", take=[Box]), "Box is a constructor, not a term: write Box(at)"),
        (lambda: rule("x", take=[M], absent=Box), "Box is a constructor, not a term"),
        (lambda: rule("x", take=[M], put=[one_of(1, 2)]), "one_of(1, 2) is a choice, not a term"),
        (lambda: rule("x", take=[M], let={X: (one_of(S), 1)}), "one_of stands in let= only"),
        (lambda: contains(one_of(1, 2)), "one_of(1, 2) is a choice, not a term"),
        (lambda: total(one_of(S), M), "one_of(S) is a choice, not a term"),
    ],
)
def test_what_is_no_pattern_is_refused_with_the_rule(wrong: Callable[[], Any], text: str) -> None:
    with pytest.raises(TypeError, match=re.escape(text)) as raised:
        wrong()
    assert isinstance(raised.value, (TermError, ExpressionError))


def test_a_splice_may_be_a_variable_of_any_kind_of_term_or_any() -> None:
    rule("x", take=[(*P, 1), [*P, 1], (*ANY, 2), [*ANY, 2]])


def test_parts_may_be_given_one_by_one_where_one_is_enough() -> None:
    assert rule("x", [M], [N], when=M > 1, let={N: M}) == rule(
        "x", take=[M], put=[N], when=[M > 1], let={N: M}
    )
    assert rule("x", [M], absent=Box(M)) == rule("x", [M], absent=[Box(M)])
    assert len(rule("x", [M], absent=[(M, 1)]).absent) == 1


def test_take_and_put_may_be_any_collection_but_a_tuple_a_set_or_an_iterator() -> None:
    assert rule("x", take=range(2)) == rule("x", take=[0, 1])
    assert rule("x", take=Counter({Box(M): 2, 3: 1})) == rule("x", take=[Box(M), Box(M), 3])
    with pytest.raises(RuleError, match=r"used up by one reading.*give a list"):
        rule("x", take=(Box(i) for i in range(2)))


def full(**changes: Any) -> Rule:
    parts: dict[str, Any] = {
        "label": f"{M}", "take": [M, Box(N)], "put": [(M,)], "keep": [P], "when": [M > N],
        "absent": [[M]], "let": {X: M}, "cost": M, "name": "n",
    }  # fmt: skip
    return rule(**parts | changes)


@pytest.mark.parametrize(
    "change",
    [
        {"label": f"{M} "}, {"take": [Box(N), M]}, {"put": [(N,)]}, {"keep": [ANY]},
        {"when": [N < M]}, {"absent": [[N]]}, {"let": {X: N}}, {"cost": N}, {"name": "m"},
    ],
)  # fmt: skip
def test_rules_are_equal_only_if_every_part_is(change: dict[str, Any]) -> None:
    assert full() == full()
    assert hash(full()) == hash(full())
    assert full(**change) != full()


def test_rules_that_differ_in_true_and_one_are_different() -> None:
    assert rule("x", take=[1]) != rule("x", take=[True])


def test_a_rule_prints_so_that_it_can_be_pasted_back() -> None:
    made = rule(f"{M} → {Y}", take=[Box(M)], put=[Box(Y)], keep=[At(M, ANY)], when=M > 1,
                absent=[Box(M + 1)], let={(*S, D, *T): digits(M), Y: number((*S, *T))},
                cost=M, name="strike")  # fmt: skip
    assert repr(made) == (
        "rule('{M} → {Y}', take=[Box(M)], put=[Box(Y)], keep=[At(M, ANY)], when=[M > 1], "
        "absent=[Box(M + 1)], let={(*S, D, *T): digits(M), Y: number((*S, *T))}, cost=M, "
        "name='strike')"
    )
    assert eval(repr(made)) == made


def test_a_rule_is_named_by_its_label_unless_it_has_a_name() -> None:
    assert rule("go", take=[M]).name == "go"
    assert rule("go", take=[M], name="step").name == "step"


def test_a_rule_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        rule("go", take=[M]).cost = 2  # type: ignore[misc]


def test_a_keyword_that_a_rule_has_not_is_told_with_what_was_meant() -> None:
    with pytest.raises(RuleError) as raised:
        rule("x", tak=[M])  # type: ignore[call-arg]
    assert str(raised.value) == (
        "rule(…, tak=…): there is no tak (did you mean take?); rule takes label, take, put, when, "
        "keep, absent, let, cost, free, effects, inside, name"
    )
    assert raised.value.argument == "tak"

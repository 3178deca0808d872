"""Files of PDDL: what is read of them, and where a mistake in them is."""

import re
from pathlib import Path
from random import Random

import pytest

from rewrite import Puzzle, ReadError, RewriteError, explore, moves, pddl, search
from rewrite.language.terms import Term
from rewrite.results.sentences import told_goal
from tests.engines import start_of

DOMAIN = """
(define (domain gripper)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types room item - object ball box - item)
  (:constants hall - room)
  (:predicates (at ?i - item ?r - room) (robot ?r - room) (holds ?i - item) (next ?r ?s - room))
  (:functions (weight ?i - item) (total-cost) - number)
  ; a comment ( that opens nothing
  (:action move :parameters (?from ?to - room)
    :precondition (and (robot ?from) (next ?from ?to))
    :effect (and (not (robot ?from)) (robot ?to) (increase (total-cost) 1)))
  (:action pick :parameters (?i - item ?r - room)
    :precondition (and (at ?i ?r) (robot ?r) (forall (?other - item) (not (holds ?other))))
    :effect (and (holds ?i) (not (at ?i ?r)) (increase (total-cost) (weight ?i))))
  (:action drop :parameters (?i - (either ball box) ?r - room)
    :precondition (and (holds ?i)(robot?r))
    :effect (and (not (holds ?i)) (at ?i ?r))))
"""
PROBLEM = """
(define (problem Two) (:domain gripper)
  (:objects b1 - ball x1 - box den - room)
  (:init (at b1 HALL) (at x1 hall) (robot hall) (next hall den) (next den hall)
         (= (weight b1) 2) (= (weight x1) 3) (= (total-cost) 0))
  (:goal (and (at b1 den) (at x1 den)))
  (:metric minimize (total-cost)))
"""


def read(folder: Path, domain: str = DOMAIN, problem: str = PROBLEM) -> Puzzle:
    files = folder / "domain.pddl", folder / "problem.pddl"
    for file, text in zip(files, (domain, problem), strict=True):
        file.write_text(text)
    return pddl(*files)


def test_types_constants_costs_and_quantifiers_are_read(tmp_path: Path) -> None:
    puzzle = read(tmp_path)
    found = search(puzzle, strategy="uniform_cost")
    assert (found.paths[0].cost, len(found.paths[0])) == (8, 7)
    assert found.paths[0].labels[0] in ("(pick b1 hall)", "(pick x1 hall)")
    assert puzzle.name == "two"
    assert puzzle.sets


def test_without_a_metric_every_step_costs_one(tmp_path: Path) -> None:
    text = PROBLEM.replace("(:metric minimize (total-cost))", "")
    found = search(read(tmp_path, problem=text), strategy="uniform_cost")
    assert found.paths[0].cost == len(found.paths[0]) == 7


def test_a_goal_may_be_any_formula(tmp_path: Path) -> None:
    nowhere = "(forall (?i - item) (not (exists (?r - room) (at ?i ?r))))"
    goal, whole = f"(or {nowhere} (and (holds x1) (robot den)))", "(and (at b1 den) (at x1 den))"
    found = search(read(tmp_path, problem=PROBLEM.replace(whole, goal)))
    assert len(found.paths[0]) == 2
    always = read(tmp_path, problem=PROBLEM.replace(whole, "(next hall den)"))
    assert search(always).summary().startswith("0 steps")


def test_two_parameters_may_be_one_object_and_one_atom(tmp_path: Path) -> None:
    domain = """(define (domain d) (:predicates (p ?x) (q ?x ?y))
      (:action both :parameters (?x ?y) :precondition (and (p ?x) (p ?y))
        :effect (and (q ?x ?y) (not (p ?x)) (p ?y))))"""
    problem = (
        """(define (problem e) (:domain d) (:objects a b) (:init (p a) (p b)) (:goal (q b b)))"""
    )
    puzzle = read(tmp_path, domain, problem)
    assert search(puzzle).paths[0].labels == ["(both b b)"]
    assert {str(state) for state in explore(puzzle, max_depth=1).states} >= {
        "[p('a'), p('b'), q('a', 'a')]", "[p('b'), q('a', 'b')]",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("part", "old", "new", "message"),
    [
        ("domain", "; a comment", ") ; a comment",
         'line 17, column 47: there is a ")" too many'),
        ("domain", "(holds ?i) (not", "(holds ?i (not",
         'line 2, column 1: this "(" is never closed'),
        ("domain", "(robot?r))", "(robott ?r))",
         "line 16, column 34: (robott ?r): there is no predicate robott (did"),
        ("domain", "(robot?r))", "(robot ?r ?r))",
         "line 16, column 34: (robot ?r ?r): robot takes 1, found 2"),
        ("domain", "(robot?r))", "(robot ?s))",
         "(robot ?s): there is no variable ?s"),
        ("domain", "?from ?to - room", "?from ?to - rom",
         "line 9, column 3: the type rom is not declared in (:types"),
        ("domain", "(robot ?r - room) (holds", "(robot ?r - room) (robot) (holds",
         "line 6, column 59: robot is declared twice, with 1 and 0 parameters"),
        ("domain", ":action drop", ":durative-action drop",
         "line 15, column 3: :durative-action: actions that take time are not"),
        ("domain", ":action drop", ":derived drop",
         "line 15, column 3: expected (:derived (name ?x ?y …) condition)"),
        ("domain", "(:action drop", "(:derived (robot ?r - room) (next ?r hall)) (:action drop",
         "line 9, column 3: action move changes robot, which is derived"),
        ("domain", "(:action drop", "(:derived (next ?r ?s) (not (next ?s ?r))) (:action drop",
         "line 15, column 3: next is derived from its own negation"),
        ("domain", "(robot?r))", "(> (weight ?i) 1))",
         "numbers in conditions are not read"),
        ("domain", ":action drop", ":actoin drop",
         "unknown section :actoin (did you mean :action?)"),
        ("domain", ":effect (and (not (h", ":efect (and (not (h",
         "action drop: expected :parameters, :precondition, :effect, found :efect"),
        ("domain", ":effect (and (not (h", ":precondition (and (not (h",
         "action drop: :precondition stands there twice"),
        ("domain", "(at ?i ?r))))", "(at ?i ?r)) :effect))",
         "action drop: :effect stands there"),
        ("domain", "?i - (either ball box) ?r", "?i - (either ball box) ?i",
         "action drop: two parameters have the same name"),
        ("domain", "(and (holds ?i) (not (at ?i ?r)) (inc", "(and (= ?i x1) (inc",
         "(= ?i x1) is a condition, not an effect"),
        ("domain", "(holds ?i) (not (at ?i ?r)) (inc", "(when (holds ?i)) (inc",
         "(when …) has 1 parts"),
        ("domain", "(total-cost) 1)", "(weight ?i) 1)",
         "increase: numbers other than the cost are not read"),
        ("domain", "(total-cost) 1)", "(total-cost) (total-cost))",
         "a step that costs (total-cost), what the plan costs so far, is not read"),
        ("problem", "(robot hall)", "stray (robot hall)",
         "line 4, column 3: expected (name ?x ?y …), found stray"),
        ("problem", "(robot hall)", "(not robot) (robot hall)",
         "line 4, column 36: expected (name ?x ?y …), found robot"),
        ("domain", "(total-cost) 1)", "(total-cost) 1.5)",
         "a cost is a whole number from 0 to 1,000,000,000,000,000,000, found 1.5"),
        ("domain", "(total-cost) 1)", "(total-cost) inf)", "found inf"),
        ("problem", "(= (weight b1) 2)", "(= (weight b1) nan)", "found nan"),
        ("problem", "(= (weight b1) 2)", "(= (weight b1) 1e99)", "found 1e99"),
        ("problem", "(= (weight b1) 2)", "(= wieght 2)",
         "(wieght): there is no function wieght (did you mean weight?)"),
        ("problem", "(robot hall)", "(robot hall) (not (robbot den))",
         "there is no predicate robbot"),
        ("problem", "(:goal (and (at b1 den) (at x1 den)))", "(:goal (at b1 den) (at x1 den))",
         "expected one condition, e.g. (:goal (and (p a) (p b))); found 2"),
        ("problem", "(:goal (and", "(:goal (robot den)) (:goal (and",
         "there are several (:goal …); write one"),
        ("problem", "(:domain gripper)", "(:domain griper)",
         "line 2, column 23: the problem is of the domain (griper), but"),
        ("problem", "(at b1 HALL)", "(at b2 HALL)",
         "line 4, column 10: (at b2 hall): there is no object b2"),
        ("problem", "(at b1 den)", "(next den den)",
         "the goal is false in every state"),
        ("problem", "(:goal", "(:gaol",
         "unknown section :gaol (did you mean :goal?)"),
        ("problem", "(:goal (and (at b1 den) (at x1 den)))", "",
         "there is no (:goal …)"),
        ("problem", "minimize", "maximize",
         "only (:metric minimize (total-cost)) is read"),
        ("problem", "(:goal (and", "(:goal (preference",
         "preference: preferences are not read"),
        ("problem", "(define (problem Two)", "(define (prolbem Two)",
         "line 2, column 1: expected (define (problem NAME) …)"),
    ],
)  # fmt: skip
def test_a_mistake_is_said_with_its_place(
    part: str, old: str, new: str, message: str, tmp_path: Path
) -> None:
    texts = {"domain": DOMAIN, "problem": PROBLEM}
    assert old in texts[part]
    texts[part] = texts[part].replace(old, new)
    with pytest.raises(ReadError) as raised:
        read(tmp_path, texts["domain"], texts["problem"])
    assert message in str(raised.value)
    place = f"line {raised.value.line}, column {raised.value.column}"
    assert f"{part}.pddl, {place}: " in str(raised.value)


def test_a_variable_of_a_quantifier_may_have_the_name_of_a_parameter(tmp_path: Path) -> None:
    domain = """(define (domain d) (:predicates (r ?x ?y) (done))
      (:action go :parameters (?x ?y)
        :precondition (and (= ?x ?y) (forall (?x) (r ?x ?y))) :effect (done))
      (:action set :parameters (?x ?y) :effect (r ?x ?y)))"""
    problem = """(define (problem e) (:domain d) (:objects a b) (:init) (:goal (done)))"""
    found = search(read(tmp_path, domain, problem))
    assert len(found.paths[0]) == 3


def test_whatever_is_in_a_file_is_read_or_refused(tmp_path: Path) -> None:
    chance, read_so_far = Random(3), 0
    for number in range(300):
        texts = [DOMAIN, PROBLEM]
        words = re.findall(r"[()]|[^\s()]+", re.sub(";.*", "", texts[number % 2]))
        for _ in range(chance.randint(1, 2)):
            at = chance.randrange(len(words))
            words[at : at + chance.randint(0, 1)] = chance.choice(
                [[], ["(", ")"], words[:1], ["?x"]]
            )
        texts[number % 2] = " ".join(words)
        try:
            read(tmp_path, *texts)
        except RewriteError:
            continue
        read_so_far += 1
    assert 0 < read_so_far < 300


def test_lists_too_deep_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="line 1, column 201: more than 200 lists"):
        read(tmp_path, "(" * 100_000)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"nowhere\.pddl cannot be read: No such file"):
        pddl(tmp_path / "nowhere.pddl", tmp_path / "problem.pddl")


def test_many_conditional_effects_are_effects_of_one_rule(tmp_path: Path) -> None:
    many = "(forall (?i - item ?r - room) (when (at ?i ?r) (and (holds ?i) (not (at ?i ?r)))))"
    puzzle = read(
        tmp_path, DOMAIN.replace("(increase (total-cost) 1)", many),
        PROBLEM.replace("b1 - ball", "b1 b2 b3 b4 - ball"),
    )  # fmt: skip
    (move,) = [one for one in puzzle.rules if one.name == "move"]
    assert len(move.effects) == 1
    after = {str(one.after) for one in moves(puzzle, puzzle.start) if one.rule.name == "move"}
    assert after == {"[holds('b1'), holds('x1'), robot('den')]"}


def test_a_variable_may_be_called_as_no_variable_of_python_may(tmp_path: Path) -> None:
    odd = DOMAIN.replace("?from", "?1").replace("?to", "?class").replace("?other", "?x²")
    found = search(read(tmp_path, odd), strategy="uniform_cost")
    assert found.paths[0].cost == 8


def test_goals_are_told_with_the_names_of_parameters(tmp_path: Path) -> None:
    awkward = DOMAIN.replace("?i - item ?r - room)", "?class - item ?of_parts - room)", 1)
    for domain, names in ((DOMAIN, ("i", "r")), (awkward, ("class_", "of_parts_"))):
        puzzle = read(tmp_path, domain)
        [(text, holds, _), *_] = told_goal(puzzle, start_of(puzzle))
        assert (text, holds) == (f"an at with {names[0]} b1 and {names[1]} den", False)


def test_predicates_are_derived_again_after_each_step(tmp_path: Path) -> None:
    domain = """(define (domain pipes) (:predicates (pipe ?x ?y) (open ?x ?y) (wet ?x) (dry ?x))
      (:derived (wet ?y) (exists (?x) (and (open ?x ?y) (wet ?x))))
      (:derived (wet ?x) (pipe ?x ?x))
      (:derived (dry ?x) (not (wet ?x)))
      (:action turn :parameters (?x ?y) :precondition (and (pipe ?x ?y) (not (= ?x ?y)))
        :effect (and (when (open ?x ?y) (not (open ?x ?y)))
                     (when (not (open ?x ?y)) (open ?x ?y)))))"""
    problem = """(define (problem p) (:domain pipes) (:objects a b c)
      (:init (pipe a a) (pipe a b) (pipe b c) (pipe a c) (open b c) (open a c))
      (:goal (and (dry c) (wet b))))"""
    found = search(read(tmp_path, domain, problem))
    assert sorted(found.paths[0].labels) == ["(turn a b)", "(turn a c)", "(turn b c)"]
    assert found.optimal


def small(folder: Path, domain: str, problem: str) -> Puzzle:
    return read(
        folder, f"(define (domain d) {domain})", f"(define (problem p) (:domain d) {problem})"
    )


def test_costs_of_the_same_function_may_be_the_same_fact(tmp_path: Path) -> None:
    puzzle = small(
        tmp_path,
        """(:predicates (here ?p) (over ?p)) (:functions (total-cost) (fare ?p))
        (:action cross :parameters (?p ?q) :precondition (and (here ?p) (here ?q))
         :effect (and (not (here ?p)) (not (here ?q)) (over ?p) (over ?q)
           (increase (total-cost) (fare ?p)) (increase (total-cost) (fare ?q))))""",
        """(:objects ann bob) (:init (here ann) (= (fare ann) 9007199254740993) (= (fare bob) 3))
        (:goal (over ann)) (:metric minimize (total-cost))""",
    )
    found = search(puzzle)
    assert (found.paths[0].labels, found.paths[0].cost) == (
        ["(cross ann ann)"],
        2 * 9007199254740993,
    )


def test_what_holds_always_is_no_predicate(tmp_path: Path) -> None:
    domain = """(:constants hall) (:predicates (always) (lit ?r) (done))
        (:action go :precondition (forall (?r) (imply (= ?r hall) (lit ?r)))
         :effect (and (done) (not (lit hall))))
        (:action on :precondition (not (lit hall)) :effect (and (always) (lit hall)))"""
    problem = "(:objects den) (:init (lit hall)) (:goal (and (done) (not (always))))"
    for name in ("always", "forever"):
        puzzle = small(tmp_path, domain.replace("always", name), problem.replace("always", name))
        assert search(puzzle).summary().startswith("1 step")


@pytest.mark.parametrize(
    "names",
    [*[(one, "x") for one in dir(Term)], ("self", "other"), ("_x", "x"), ("fi", "\ufb01"),
     ("1", "_1"), ("_", "-"), ("--", "²"), ("cost0", "cost"), ("term_fields", "class"), ("", "x")],
)  # fmt: skip
def test_parameters_may_have_any_name(names: tuple[str, str], tmp_path: Path) -> None:
    first, second = (f"?{one}" for one in names)
    puzzle = small(
        tmp_path,
        f"""(:predicates (at {first}) (road {first} {second}))
        (:functions (total-cost) (far {first}))
        (:action go :parameters ({first} {second})
         :precondition (and (at {first}) (road {first} {second}))
         :effect (and (not (at {first})) (at {second}) (increase (total-cost) (far {first}))))""",
        """(:objects a b) (:init (at a) (road a b) (= (far a) 7)) (:goal (at b))
        (:metric minimize (total-cost))""",
    )
    found = search(puzzle)
    assert (found.paths[0].labels, found.paths[0].cost) == (["(go a b)"], 7)


def test_an_action_that_comes_to_too_many_rules_is_refused(tmp_path: Path) -> None:
    params = " ".join(f"?x{at}" for at in range(12))
    on = " ".join(f"(on ?x{at})" for at in range(12))
    with pytest.raises(ReadError, match="action all: which of its parameters are the same object"):
        small(
            tmp_path,
            f"""(:predicates (on ?x))
            (:action all :parameters ({params}) :precondition (and {on}) :effect (not (on ?x0)))""",
            "(:objects a b c) (:init (on a)) (:goal (on b))",
        )


def test_a_mark_at_the_beginning_of_a_file_is_no_text(tmp_path: Path) -> None:
    assert search(read(tmp_path, f"\ufeff{DOMAIN}", f"\ufeff{PROBLEM}")).path is not None


def test_names_in_latin_1_are_different_names(tmp_path: Path) -> None:
    read(tmp_path)
    text = PROBLEM.replace("b1", "b\xe9").replace("x1", "b\xe8")
    (tmp_path / "problem.pddl").write_text(text, "latin-1")
    found = search(pddl(tmp_path / "domain.pddl", tmp_path / "problem.pddl"))
    assert (found.paths[0].cost, len(found.paths[0])) == (8, 7)


def test_errors_show_the_beginning_of_what_is_found(tmp_path: Path) -> None:
    long = " ".join(f"(at b{number} hall)" for number in range(1000))
    with pytest.raises(ReadError, match=r"found \(\(:objects \(at b0 hall\)") as caught:
        read(tmp_path, problem=PROBLEM.replace("(:objects", f"((:objects {long})) (:objects"))
    assert len(str(caught.value)) < len(str(tmp_path)) + 250


def test_names_with_braces_are_written_as_they_are(tmp_path: Path) -> None:
    domain = DOMAIN.replace("action move", "action go{from_}").replace("hall", "{hall}")
    puzzle = read(tmp_path, domain, PROBLEM.replace("hall", "{hall}").replace("HALL", "{Hall}"))
    found = search(puzzle)
    assert "(go{from_} {hall} den)" in found.paths[0].labels

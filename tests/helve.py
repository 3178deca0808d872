"""A reader of tasks and proofs of helve, as far as proofs of explicit sets go; by brute force."""

from attrs import frozen

State = frozenset[int]


@frozen
class Action:
    name: str
    needs: State
    adds: State
    deletes: State


@frozen
class Task:
    atoms: list[str]
    start: State
    goal: State
    actions: list[Action]


def task_of(text: str) -> Task:
    lines = iter(text.splitlines())
    atoms = [next(lines) for _ in range(int(next(lines).removeprefix("begin_atoms:")))]
    assert next(lines) == "end_atoms"
    parts = []
    for name in ("init", "goal"):
        assert next(lines) == f"begin_{name}"
        listed: set[int] = set()
        while (line := next(lines)) != f"end_{name}":
            listed.add(int(line))
        parts.append(frozenset(listed))
    actions = []
    for _ in range(int(next(lines).removeprefix("begin_actions:"))):
        assert next(lines) == "begin_action"
        name, cost = next(lines), next(lines)
        assert cost.startswith("cost: ")
        sets: dict[str, set[int]] = {"PRE": set(), "ADD": set(), "DEL": set()}
        while (line := next(lines)) != "end_action":
            kind, _, atom = line.partition(":")
            sets[kind].add(int(atom))
        actions.append(Action(name, *map(frozenset, sets.values())))
    assert next(lines) == "end_actions"
    return Task(atoms, parts[0], parts[1], actions)


def proves(task: Task, proof: str) -> bool:
    """Whether the proof is right, and shows that there is no plan."""
    sets: dict[int, set[State] | str] = {}
    made: dict[int, tuple[str, ...]] = {}
    dead: dict[int, int] = {}
    within: dict[int, tuple[int, int]] = {}

    def holds(number: int, state: State) -> bool:
        known = sets.get(number)
        if isinstance(known, set):
            return state in known
        kind, *of = made[number]
        if kind == "c":
            return {"e": False, "g": task.goal <= state, "i": state == task.start}[of[0]]
        first, second = (holds(int(one), state) for one in of)
        return (first or second) if kind == "u" else (first and second)

    def members(number: int) -> set[State]:
        """The states of a set that is listed, or part of one that is."""
        known = sets.get(number)
        if isinstance(known, set):
            return known
        kind, *of = made[number]
        if kind == "c":
            return {"e": set[State](), "i": {task.start}}[of[0]]
        if kind == "p":
            return {
                (state - one.deletes) | one.adds
                for state in members(int(of[0])) for one in task.actions if one.needs <= state
            }  # fmt: skip
        return {state for state in members(int(of[0])) if holds(number, state)}

    for line in proof.splitlines():
        kind, number, *words = line.split()
        at = int(number)
        if kind == "a":
            assert words == ["a"]
        elif kind == "e" and words[0] == "e":
            size = int(words[1])
            assert words[2 : size + 3] == [*map(str, range(size)), ":"]
            assert words[-1] == ";"
            sets[at] = {_state(one, size) for one in words[size + 3 : -1]}
        elif kind == "e":
            made[at] = tuple(words)
        elif words[0] == "s":
            one, other, rule = int(words[1]), int(words[2]), words[3]
            assert rule in ("b1", "b2")
            if not all(holds(other, state) for state in members(one)):
                return False
            within[at] = one, other
        elif words[0] == "d":
            one, rule, *of = int(words[1]), words[2], *map(int, words[3:])
            if rule == "ed":
                good = made[one] == ("c", "e")
            elif rule == "sd":
                good = within[of[1]] == (one, dead[of[0]])
            else:
                step, rest = within[of[0]]
                meets = made[dead[of[2]]]
                good = rule == "pg" and made[step] == ("p", str(one), "0")
                good &= made[rest] == ("u", str(one), str(dead[of[1]]))
                good &= meets[:2] == ("i", str(one)) and made[int(meets[2])] == ("c", "g")
            if not good:
                return False
            dead[at] = one
        else:
            return words[:2] == ["u", "ci"] and made[dead[int(words[2])]] == ("c", "i")
    return False


def _state(digits: str, size: int) -> State:
    bits = "".join(f"{int(one, 16):04b}" for one in digits)
    assert "1" not in bits[size:]
    return frozenset(at for at in range(size) if bits[at] == "1")

"""The table of who may do what when: whole, of known games and steps; and the course that a decider writes to."""

import ast
import importlib.util
import inspect
import pkgutil
import sys
from abc import ABC
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import EnumType
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from textwrap import dedent
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import asdict

from controller import engine, rulebook
from controller.engine import decisions
from controller.engine.decisions import decision
from controller.engine.decisions.alarms import Acknowledge
from controller.engine.decisions.corrections import DecideComplaint
from controller.engine.decisions.deciders import OF_PLAY, ROWS, decide, row_of, step_answered, step_ids
from controller.engine.decisions.decision import Course, DeviceInput
from controller.engine.decisions.jackpot import ApproveParameters, ConfirmHit, PrintSlip
from controller.engine.decisions.law import ApproveRegulation
from controller.engine.decisions.played import Decide
from controller.engine.state.applied import Event, apply
from controller.engine.state.events import CutCardOut, DealerNotified, DeviceLost
from controller.engine.state.persons import CorrectWager, PersonInput, VoidRound
from controller.engine.state.table import Table, next_step
from controller.rulebook.cards import Card
from controller.rulebook.events import EventBase
from controller.rulebook.games import GAMES, game_of
from controller.rulebook.steps import StepKind
from tests.docs.who_may_do_what import steps_named
from tests.engine import playing
from tests.engine.hands import Hands
from tests.engine.playing import Play, stacked_for

KINDS = set(get_args(StepKind))


def inputs(base: type[Any]) -> set[type[Any]]:
    """The kinds that the engine defines: those of which no other is made."""
    kinds = base.__subclasses__()
    return set().union(*map(inputs, kinds)) if kinds else {base}


def test_each_input_is_decided_in_one_topic() -> None:
    modules = [import_module(f"{decisions.__name__}.{name}") for _, name, _ in iter_modules(decisions.__path__)]
    topics = [rows for module in modules if (rows := vars(module).get("ROWS", ROWS)) is not ROWS]
    assert max(Counter(kind for rows in topics for kind in rows).values()) == 1


def test_every_input_has_a_row_and_what_a_kind_of_play_has_of_its_own_replaces_one() -> None:
    assert set(ROWS) == inputs(PersonInput) | inputs(DeviceInput)
    for own in OF_PLAY.values():
        assert set(own) < set(ROWS)


def test_the_union_of_events_has_every_event() -> None:
    """What `mypy` takes for it, the base of them all, means the same."""
    assert set(get_args(Event)) == inputs(EventBase)


def test_every_step_that_a_row_names_is_one() -> None:
    for rows in (ROWS, *OF_PLAY.values()):
        for input, row in rows.items():
            assert steps_named(row) <= KINDS
            assert issubclass(input, PersonInput) or not (steps_named(row) or row.only or row.any_role or row.answers)


def test_a_row_of_a_kind_of_play_holds_in_its_rounds_alone() -> None:
    play = Hands()
    decide = Decide(input_id="a", step_id="", actor="ana", seat=1, decision="hit")
    assert row_of(play.table, decide) is ROWS[Decide]
    play.until("wagers")
    assert row_of(play.table, decide) is OF_PLAY[type(play.round.play)][Decide]
    assert row_of(Play().to_wagers().table, decide) is ROWS[Decide]


def test_what_answers_another_step_than_the_tables_is_reported_with_the_fields_it_takes_from_the_input() -> None:
    play = Play().to_wagers()
    ids = step_ids(play.table)
    about = {"input_id": "a", "actor": "ana"}
    for input in (
        Acknowledge(**about, step_id="table", alarm="journal"),
        VoidRound(**about, step_id="1/report", reason="x"),
        CorrectWager(**about, step_id="1/correct", seat=1, wager="ante", amount=0, reason="x"),
        ConfirmHit(**about, step_id="hit/7", hit=7),
        ApproveParameters(**about, step_id="parameters/2", number=2),
        ApproveRegulation(**about, step_id="regulation/94/2025", act="94/2025"),
        PrintSlip(**about, step_id="slip/4", slip=4),
        DecideComplaint(**about, step_id="complaint/3", complaint=3, outcome="unchanged", reason="x"),
    ):
        template = ids.pop(str(input.__struct_config__.tag))
        assert template.format(**asdict(input)) == input.step_id == step_answered(play.table, input)
    assert {kind for kind in ids if "{" in ids[kind]} == set() and "lock_in" not in ids


LOST = DeviceLost(device="sign", reason="unplugged", cause="unplugged")


def course_at(play: Play) -> Course:
    return Course(play.table, play.settings, play.vault, "dealer")


def test_a_course_shows_the_table_after_what_was_recorded() -> None:
    play = Play().to_wagers()
    course = course_at(play)
    assert course.table is play.table and course.round is play.round and course.step == play.step
    course.record(LOST)
    assert course.table == apply(play.table, LOST)
    course.notify("cut_card", 2, "x")
    notified = DealerNotified(notice="cut_card", seat=2, text="x")
    assert course.table == apply(apply(play.table, LOST), notified)
    course.draw({1: Card("As")})
    course.draw({2: None})
    found = course.decision()
    assert (found.events, found.drawn) == ((LOST, notified), {1: Card("As"), 2: None})
    assert list(found.tables) == [apply(play.table, LOST), course.table]


def test_what_was_recorded_is_applied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[Event] = []

    def watched(table: Table, event: Event) -> Table:
        applied.append(event)
        return apply(table, event)

    course = course_at(Play().to_wagers())
    monkeypatch.setattr(decision, "apply", watched)
    course.record(LOST)
    assert course.table is course.table and course.round and applied == [LOST]
    course.record(cut := CutCardOut(actor=None))
    assert course.step and course.game and course.decision().events == (LOST, cut) == tuple(applied)


def test_between_two_rounds_and_without_a_meter_there_is_neither() -> None:
    course = course_at(Play(chip=0))
    with pytest.raises(TypeError):
        _ = course.round
    with pytest.raises(TypeError):
        _ = course.meter
    assert course.game is GAMES[course.settings.terms.game]


def test_a_decision_names_no_card() -> None:
    play = Play()
    course = course_at(play)
    course.draw({1: Card("As")})
    assert "As" not in repr(course.decision()) and "As" not in repr(course)


def test_the_tables_of_a_decision_are_what_its_events_come_to(monkeypatch: pytest.MonkeyPatch) -> None:
    decided: list[tuple[Table, decision.Decision]] = []

    def watched(table: Table, *asked: Any) -> decision.Decision:
        found = decide(table, *asked)
        decided.append((table, found))
        return found

    monkeypatch.setattr(playing, "decide", watched)
    play = Play(stacked_for("shoe", *("As Ks Qs", "2c 3c 5d", "9h 9d 9c", "7h 7d 2h", "Th 8h 4s")), source="shoe")
    play.to_wagers().bet(1, ante=100).bet(4, ante=100, pair_plus=100).bet(6, ante=100).chips(4)
    play.lock()
    play.until("decisions").decisions(seat_6="fold").until("claims")
    for table, found in decided:
        for event, after in zip(found.events, found.tables, strict=True):
            table = apply(table, event)
            again = msgspec.json.decode(msgspec.json.encode(table), type=Table)  # with nothing kept
            assert after == table == again
            assert next_step(after) == next_step(again)
            if after.round is not None and again.round is not None:
                assert game_of(after.round).placed(after.round) == game_of(again.round).placed(again.round)
    assert sum(len(found.events) for _, found in decided) > 30


# ---- The law and the engine remember nothing beside their values: their modules hold constants, and no function


MODULES = sorted(
    found.name
    for package in (rulebook, engine)
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
)
PLAIN = (type(None), int, str, bytes, Fraction, range, ModuleType, BuiltinFunctionType, msgspec.UnsetType)
WRITES = {
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove",
    "reverse", "setdefault", "sort", "update",
}  # fmt: skip
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def hidden_state(module: ModuleType) -> list[str]:
    """What a module could remember from one call to the next, by name or by line."""
    named = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    found = [name for name, value in named.items() if not is_constant(value) or value == {}]
    return found + [f"line {line}" for line in written(ast.parse(inspect.getsource(module)), frozenset())]


def is_constant(value: Any) -> bool:
    """Whether nothing can be kept in it. A table of constants is one, as long as no function writes to it."""
    match value:
        case tuple() | frozenset():
            return all(map(is_constant, value))
        case Mapping():
            return all(map(is_constant, value)) and all(map(is_constant, value.values()))
        case partial():
            return all(map(is_constant, (value.func, value.args, value.keywords)))
        case MethodType():
            return is_constant(value.__self__)
        case FunctionType():
            return all(is_constant(kept) for kept in vars(value).values())
        case EnumType():
            return True
        case type():
            own = {name: kept for name, kept in vars(value).items() if not name.startswith("__")}
            return not any(isinstance(kept, list | dict | set) for kept in own.values())
        case msgspec.Struct():
            return value.__struct_config__.frozen and all(
                is_constant(getattr(value, f)) for f in value.__struct_fields__
            )
        case _ if isinstance(value, PLAIN) or type(value).__module__ in ("typing", "types", "collections.abc"):
            return True
        case _:
            return hasattr(value, "__dict__") and is_constant(vars(value)) and not keeps(type(value))  # type: ignore[arg-type]


@cache
def keeps(kind: type) -> bool:
    """Whether a method writes to its object after it was made."""
    for part in kind.__mro__:
        if part in (object, ABC):
            continue
        if part.__module__.partition(".")[0] not in ("controller", "invented"):
            return True
        [written_as] = ast.parse(dedent(inspect.getsource(part))).body
        methods = [node for node in ast.walk(written_as) if isinstance(node, ast.FunctionDef)]
        for method in methods:
            self = frozenset(argument.arg for argument in method.args.args[:1])
            if method.name != "__init__" and any(written(method, frozenset(), strange=self)):
                return True
    return False


def written(node: ast.AST, own: frozenset[str], strange: frozenset[str] = frozenset()) -> Iterator[int]:
    """Lines at which a function writes to what is not its own, or a default argument remembers.

    What is `strange` is never its own.
    """
    if isinstance(node, Function):
        own = (own | own_names(node)) - strange
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if isinstance(default, ast.List | ast.Dict | ast.Set | ast.Call):
                yield default.lineno
    if isinstance(node, ast.Global):
        yield node.lineno
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        target: ast.AST | None = node
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
        target = node.func.value
    else:
        target = None
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
    if isinstance(target, ast.Name) and target.id not in own:
        yield target.lineno
    for child in ast.iter_child_nodes(node):
        yield from written(child, own, strange=strange)


def own_names(function: Function) -> frozenset[str]:
    """A function's parameters, and what it gives a name to."""
    names = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case (
                ast.MatchAs(name=str() as name)
                | ast.MatchStar(name=str() as name)
                | ast.MatchMapping(rest=str() as name)
            ):
                names.add(name)
    return frozenset(names)


@pytest.mark.long
@pytest.mark.parametrize("name", MODULES)
def test_no_module_of_law_and_engine_remembers_anything(name: str) -> None:
    assert hidden_state(import_module(name)) == []


REMEMBERS = {
    "a list": "seen = []",
    "a set": "seen = {1}",
    "an empty table": "LAST = {}",
    "a table that a function writes to": "TABLE = {1: 2}\n\ndef f(x):\n    TABLE[x] = 1",
    "a table that a function adds to": "TABLE = {1: (2,)}\n\ndef f(x):\n    TABLE.setdefault(x, ())",
    "a global": "last = 0\n\ndef f(x):\n    global last\n    last = x",
    "a function's attribute": "def f(x):\n    f.last = x",
    "a class's attribute": "class A:\n    pass\n\ndef f(x):\n    A.last = x",
    "a class's list": "class A:\n    seen = []",
    "a cached function": "from functools import lru_cache\n\n@lru_cache\ndef f(x):\n    return x",
    "a counter": "from itertools import count\nNUMBERS = count()",
    "an object that keeps": "class A:\n    def f(self, x):\n        self.x = x\n\nONE = A()",
    "a method of one": "class A:\n    def f(self, x):\n        self.x = x\n\nONE = A().f",
    "a value that changes": "import msgspec\n\nclass A(msgspec.Struct):\n    x: int = 0\n\nONE = A()",
    "a default argument": "def f(x, seen={}):\n    return seen",
}  # fmt: skip
REMEMBERS_NOTHING = """
from msgspec import Struct

TABLE = {"a": (1, 2), "b": (3,)}

class Value(Struct, frozen=True):
    x: dict[int, int] = {}

class Rules:
    def __init__(self, x):
        self.x = x

    def answers(self, cards):
        kept = {}
        for card in cards:
            kept[card] = self.x
        cards.pop()
        return kept

RULES = Rules((1, 2))
ANSWERS = RULES.answers
"""


def invented(folder: Path, text: str) -> ModuleType:
    path = folder / "invented.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("invented", path)
    assert spec is not None and spec.loader is not None
    module = sys.modules["invented"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
@pytest.mark.parametrize("text", REMEMBERS.values(), ids=REMEMBERS.keys())
def test_a_module_that_remembers_is_noticed(tmp_path: Path, text: str) -> None:
    assert hidden_state(invented(tmp_path, text))


def test_a_module_of_constants_is_not(tmp_path: Path) -> None:
    assert hidden_state(invented(tmp_path, REMEMBERS_NOTHING)) == []

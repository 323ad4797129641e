"""What a stranger at the console sees of the table: no name, no alarm, and nothing that is not in its list."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from controller.engine.decisions.corrections import Complain, DecideComplaint
from controller.engine.shown.device_orders import react
from controller.engine.shown.display import _TABLE, ALL, EACH, NO_KEY, Shape, for_strangers, seen
from controller.engine.shown.projection import project
from controller.engine.shown.prompts import public_alarm
from controller.engine.shown.public import PublicTable
from controller.engine.state.alarms import active, raised, recorded
from tests.engine.playing import PEOPLE, Play
from tests.engine.test_engine_display import GAMES, PLAYER

# Every field that holds a person's name, or that a person may have written, or that says who answers for something.
NAMES = {
    "acknowledged_by", "actor", "acts", "alarms", "approved_by", "backers", "by", "complaints", "confirmed_by",
    "confirmed_roles", "corrections", "changes_waiting", "details", "holders", "player", "players", "proposed",
    "reason", "role", "texts", "values", "what", "witnessed_by",
}  # fmt: skip
NOT_OF_PERSONS = {"posted/by": "the order that ended a regulation"}


def paths(kind: inspect.Type, path: str = "", above: tuple[type, ...] = ()) -> Iterator[str]:
    """Every place of a shape that has a value; a reason within a reason once."""
    match kind:
        case inspect.StructType(cls=cls, fields=fields):
            for field in fields if cls not in above else ():
                yield from paths(field.type, f"{path}/{field.encode_name}".strip("/"), (*above, cls))
        case inspect.UnionType(types=types):
            for inner in types:
                yield from paths(inner, path, above)
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            yield from paths(item, path, above)
        case inspect.DictType(value_type=item):
            yield from paths(item, f"{path}/{EACH}", above)
        case inspect.TupleType(item_types=items):
            for inner in items:
                yield from paths(inner, path, above)
        case _:
            yield path


def shown(shape: Shape | None, path: str = "") -> Iterator[str]:
    """What the list has in."""
    if shape is ALL:
        yield path
    elif shape is not NO_KEY:
        for name, inside in shape.items():
            yield from shown(inside, f"{path}/{name}".strip("/"))


def test_no_field_with_a_name_in_it_is_in_the_list_and_nothing_in_it_has_such_a_field_within() -> None:
    listed = set(shown(_TABLE))
    whole = {*paths(inspect.type_info(PublicTable))}
    for name in listed:
        assert any(path == name or path.startswith(f"{name}/") for path in whole), f"{name} is nowhere"
    reached = {path for path in whole if any(path == name or path.startswith(f"{name}/") for name in listed)}
    named = {path for path in reached if NAMES & set(path.split("/")) and path not in NOT_OF_PERSONS}
    assert not named
    assert NAMES & {part for path in whole - reached for part in path.split("/")} >= {
        "acknowledged_by", "actor", "confirmed_by", "player", "approved_by", "backers", "texts", "witnessed_by"
    }  # fmt: skip


def test_what_is_not_in_the_list_is_empty_whatever_its_kind_and_its_key_stays() -> None:
    shape = {"a": ALL, "b": {"c": ALL}, "d": {EACH: {"e": ALL}}, "f": NO_KEY, "g": {}}
    value = {
        "a": 1, "b": {"c": "x", "other": "ana"}, "d": {"3": {"e": 2, "more": ["ana"]}}, "f": {"ana": 1}, "g": ["ana"],
        "new": "ana", "news": ["ana"], "late": {"ana": 1}, "count": 7,
    }  # fmt: skip
    assert seen(value, shape) == {
        "a": 1, "b": {"c": "x", "other": ""}, "d": {"3": {"e": 2, "more": []}}, "f": {}, "g": None,
        "new": "", "news": [], "late": None, "count": None,
    }  # fmt: skip


def strangers(play: Play) -> dict[str, Any]:
    public = project(play.table, react(play.table, 2), play.settings)
    shown: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(for_strangers(public)))
    assert shown.keys() == {*PublicTable.__struct_fields__, "alarms_waiting"}, "it reads as the public table does"
    return shown


@pytest.mark.parametrize("game", GAMES)
def test_no_name_of_a_person_reaches_a_stranger_while_a_round_of_any_game_is_played(game: str) -> None:
    play: Play = GAMES[game]()
    play.say(Complain, round=1, seat=1, what="the count", by="Mr. Lei")
    steps = 0
    while not play.at("begin"):
        text = msgspec.json.encode(strangers(play)).decode()
        assert not [name for name in (*PEOPLE, PLAYER, "vera", "Mr. Lei", "the count") if name in text]
        if play.at("claims"):
            play.say(DecideComplaint, "rui", complaint=1, outcome="unchanged", reason="x")
        play.proceed()
        steps += 1
    assert steps > 3


def test_alarms_are_a_number_and_no_text() -> None:
    play: Play = GAMES["2025"]()
    public = project(play.table, react(play.table, 2), play.settings)
    lost = active("device_lost/unplugged", "/dev/ttyS1", device="sign")
    alarm = public_alarm(lost, recorded(raised(lost, "2026-01-01T00:00:00Z")))
    seen_by = msgspec.structs.replace(alarm, name="other", acknowledged_by="ana")
    shown = for_strangers(msgspec.structs.replace(public, alarms=[alarm, seen_by]))
    assert (shown["alarms"], shown["alarms_waiting"]) == ([], 1)
    assert shown["step"]["prompt"] == public.step.prompt, "the prompt stays"
    asked = msgspec.structs.replace(public.step, backers=("Vera",), prompt={"en": "ask Vera", "pt": "Vera?"})
    shown = for_strangers(msgspec.structs.replace(public, step=asked))
    assert (shown["step"]["backers"], shown["step"]["prompt"]) == ([], {"en": "", "pt": ""})

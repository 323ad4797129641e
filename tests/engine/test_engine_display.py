"""The players' display and what a stranger sees: no card and no name before its time or at all."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from controller.engine.decisions.corrections import Complain, DecideComplaint
from controller.engine.decisions.devices import DeviceFound, DeviceMissed
from controller.engine.shown.device_orders import react
from controller.engine.shown.display import (
    _TABLE,
    ALL,
    EACH,
    NO_KEY,
    Shape,
    display,
    for_strangers,
    seen,
)
from controller.engine.shown.projection import project
from controller.engine.shown.prompts import interruption, public_alarm
from controller.engine.shown.public import PublicTable
from controller.engine.state.alarms import active, raised, recorded_alarm
from controller.engine.state.current import Settings
from controller.engine.state.persons import Misdealt, VoidRound
from controller.engine.state.table import Table
from controller.rulebook.house import House
from controller.rulebook.reading import Limits
from controller.rulebook.results import PastOutcome, past_outcome
from controller.words import CATALOGUES as ENCODED
from tests.engine.hands import WARNING_CARD, Hands
from tests.engine.places import TILE, Places
from tests.engine.playing import NAMED, PEOPLE, Play, stacked
from tests.engine.spaces import CUT_CARD, Spaces
from tests.engine.table_2008 import Play2008

PLAYER = "Vera"
CATALOGUES = {language: msgspec.json.decode(text) for language, text in ENCODED.items()}


def shown(table: Table, settings: Settings) -> bytes:
    return msgspec.json.encode(display(project(table, react(table, 2), settings), settings))


def read(play: Play) -> dict[str, Any]:
    shown_now: dict[str, Any] = msgspec.json.decode(shown(play.table, play.settings))
    return shown_now


def fortune_3() -> Play:
    return Play(stacked("2s 5s 9s", "7h 7d 7c", "Qd 9c 4h", "3c Ks 7s")).to_wagers().bet(1, ante=100).chips(1)


def blackjack() -> Play:
    return (
        Hands("Ac Th 9h Ad 9d 8h", prize="auto")
        .to_wagers()
        .place_bet(1, 200, vera=100)
        .place_bet(2, 200, PLAYER)
        .chips(1)
    )


def fortune_8() -> Play:
    return Spaces().to_wagers().place_bet(1, PLAYER, low=100)


def pai_kao() -> Play:
    play = Places().until("wagers")
    assert isinstance(play, Places)
    return play.place_bet(3, PLAYER, 100)


GAMES: dict[str, Callable[[], Play]] = {
    "2025": fortune_3,
    "2008": lambda: Play2008().to_wagers().bet(1, ante=100),
    "black-jack": blackjack,
    "fortune-8": fortune_8,
    "pai-kao": pai_kao,
}


def course(play: Play) -> Iterator[dict[str, Any]]:
    """The display at every step until the cards are cleared away."""
    while not play.at("begin"):
        yield read(play)
        play.proceed()
    yield read(play)


def cards_in(text: bytes) -> set[bytes]:
    return {*NAMED.findall(text), *TILE.findall(text)}


@pytest.mark.parametrize("game", GAMES)
def test_blackjack_rule_48_and_in_every_game_bets_then_no_more_bets_then_the_result(game: str) -> None:
    stages = [view["stage"] for view in course(GAMES[game]())]
    in_order = ["bets", "no_more", "result", "waiting"]
    assert list(dict.fromkeys(stages)) == in_order and stages == sorted(stages, key=in_order.index)


@pytest.mark.parametrize("game", GAMES)
def test_no_card_is_shown_before_a_rule_opens_it_and_those_that_are_open_are_all_shown(game: str) -> None:
    play, open_before = GAMES[game](), 0
    while not play.at("begin"):
        view = read(play)
        if view["stage"] in ("bets", "waiting"):
            assert not view["cards"]
        else:
            assert cards_in(shown(play.table, play.settings)) == cards_in(msgspec.json.encode(open_now(play)))
            open_before += view["stage"] != "result" and len(view["cards"])
        play.proceed()
    assert open_before


def open_now(play: Play) -> list[Any]:
    """The open cards of the round in the public table."""
    round = msgspec.json.decode(play.projection())["round"]
    return [round["shown"], round["hands"], round["bank"]]


def test_it_says_why_a_round_is_void_in_no_person_s_words() -> None:
    play = fortune_3()
    play.lock()
    play.say(VoidRound, actor="rui", reason="Vera shouted")
    assert read(play)["void"] == {"article": "policy: supervisor's void", "why": None}
    play = fortune_3()
    play.lock()
    play.until("deal")
    play.say(Misdealt, what="number", actor="rui", reason="Vera shouted")
    found = read(play)["void"]
    assert found["article"].startswith("17.º 1") and found["why"]["code"] != "with_words"
    assert "Vera" not in shown(play.table, play.settings).decode()


def test_it_says_for_which_device_the_game_waits() -> None:
    play = fortune_3()
    assert interruption(play.table, play.settings) == ""
    play.lock()
    play.until("deal")
    play.receive(DeviceMissed(device="shuffler", reason="x"))
    assert interruption(play.table, play.settings) == "shuffler"
    play.receive(DeviceFound(device="shuffler", outage_ms=1, tries=1))
    assert interruption(play.table, play.settings) == ""
    play.receive(DeviceMissed(device="sign", reason="x"))
    assert interruption(play.table, play.settings) == "", "the game continues"


@pytest.mark.parametrize("game", GAMES)
def test_no_name_reaches_it_and_nothing_else_that_is_not_for_players(game: str) -> None:
    play = GAMES[game]()
    play.say(Complain, round=1, seat=1, what="the count", by="Mr. Lei")
    for _ in course(play):
        text = shown(play.table, play.settings).decode()
        assert not [name for name in (*PEOPLE, PLAYER, "vera", "Mr. Lei", "the count") if name in text]
        if play.at("claims"):
            play.say(DecideComplaint, "rui", complaint=1, outcome="unchanged", reason="x")


def test_it_is_made_of_the_public_table_and_the_configuration_alone() -> None:
    kinds = display.__annotations__
    assert list(kinds) == ["table", "settings", "return"] and kinds["table"].__name__ == "PublicTable"


def test_it_says_what_is_offered_at_which_limits_with_pot_and_fixed_amounts() -> None:
    shown_now = read(fortune_3())
    assert shown_now["limits"] == {key: {"min": 100, "max": 10000} for key in ("ante", "pair_plus", "six_card_bonus")}
    assert (shown_now["without_limits"], shown_now["basic_bets"]) == (["jackpot"], "either")
    flush = {
        "wager": "jackpot",
        "name": "hand.flush",
        "odds": None,
        "percent": 0,
        "amount": 1_000,
        "article": "16.º 3 5)",
    }
    assert (shown_now["chip"], shown_now["pot"], shown_now["pays"][-1]) == (500, 600_000, flush)
    shown_now = read(fortune_8())
    assert list(shown_now["limits"]) == ["low", "eight", "high"] and shown_now["basic_bets"] is None
    assert (shown_now["pot"], shown_now["chip"], shown_now["without_limits"]) == (None, 0, [])
    assert list(read(pai_kao())["limits"]) == ["place"] and read(pai_kao())["own_words"] == "/place"
    assert list(read(Hands())["limits"]) == ["bet"] and read(Hands())["stage"] == "closed"


def test_art_10_1_it_shows_the_limits_of_each_wager_as_they_are_posted_and_how_basic_bets_are_offered() -> None:
    house = House(limits={"pair_plus": Limits(50, 500)}, basic_bets="combined")
    shown_now = read(Play(house=house))
    assert (shown_now["limits"]["pair_plus"], shown_now["limits"]["ante"]) == (
        {"min": 50, "max": 500},
        {"min": 100, "max": 10_000},
    )
    assert shown_now["basic_bets"] == "combined"


def test_the_result_has_the_seats_nets_and_the_cards_that_are_open() -> None:
    play = blackjack().until("confirm")
    shown_now = read(play)
    assert shown_now["stage"] == "result" and shown_now["nets"].keys() == {"1", "2"}
    assert shown_now["cards"]["bank"].startswith("9h") and shown_now["cards"]["seat 1"].startswith("Ac")
    play = pai_kao().until("confirm")
    assert {"1", "3"} <= read(play)["nets"].keys()


def test_the_pay_table_has_each_row_that_the_regulation_lists_with_its_article() -> None:
    odds = {(row["wager"], row["name"]): (row["odds"], row["article"]) for row in read(fortune_3())["pays"]}
    assert (
        odds["pair_plus", "hand.straight_flush"] == ("40:1", "16.º 1 1)") and odds["six_card_bonus", "hand.royal_flush"]
    )
    assert [(row["wager"], row["odds"]) for row in read(fortune_8())["pays"]] == [
        ("low", "1:1"), ("eight", "11:1"), ("high", "1:1")
    ]  # fmt: skip
    prize = {
        row["name"]: (row["percent"], row["amount"]) for row in read(blackjack())["pays"] if row["wager"] == "jackpot"
    }
    assert prize["hand.four_aces_one_colour"] == (100, None) and prize["hand.two_aces"] == (0, 25 * 50)
    assert read(pai_kao())["pays"] == []


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_the_pay_table_and_the_hands_are_named_by_has_words(game: str) -> None:
    shown_now = read(GAMES[game]().until("confirm"))
    names = {row["name"] for row in shown_now["pays"]} | {
        hand["name"] for hands in shown_now["hands"].values() for hand in hands
    }
    wagers = {f"wager.{row['wager']}" for row in shown_now["pays"]}
    assert not [key for key in names - {""} | wagers if any(key not in words for words in CATALOGUES.values())]


def test_art_16_1_a_seat_that_hits_a_row_is_named_with_the_article_that_pays_it() -> None:
    hands = ("9s 8s 7s", "Kh Kd 4c", "2h 5d 9c", "3s Jd")
    play = Play(stacked(*hands)).to_wagers().bet(1, ante=100, pair_plus=100).until("confirm")
    shown_now = read(play)
    assert shown_now["paid"][0] == {
        "seat": 1, "wager": "pair_plus", "name": "hand.straight_flush", "odds": "40:1", "amount": 4000,
        "article": "16.º 1 1)",
    }  # fmt: skip
    assert shown_now["hands"]["seat 1"] == [{"name": "hand.straight_flush", "points": None}]


def test_blackjack_rule_43_a_prize_of_the_pot_is_named_with_what_it_pays() -> None:
    paid = read(blackjack().until("confirm"))["paid"]
    assert [(prize["seat"], prize["name"], prize["amount"], prize["article"]) for prize in paid] == [
        (1, "hand.two_aces", 1250, "43 e)")
    ]


def test_pai_kao_art_3_a_the_banker_is_marked_from_the_bets_on() -> None:
    assert {view["banker"] for view in course(pai_kao()) if view["stage"] in ("bets", "no_more", "result")} == {1}


def test_a_past_round_has_no_name_and_no_card_where_it_is_void() -> None:
    play = blackjack().until("confirm")
    play.proceed()
    assert past_outcome(play.report) == PastOutcome(round=1, void=False, points=17, cards={}, won=2, lost=0)
    void = fortune_8()
    void.lock()
    void.say(VoidRound, "rui", reason="power")
    assert past_outcome(void.report) == PastOutcome(round=1, void=True, points=None, cards={}, won=0, lost=0)


def test_a_void_round_says_so() -> None:
    play = fortune_3()
    play.lock()
    play.say(VoidRound, "rui", reason="power")
    assert read(play)["stage"] == "void"
    play = blackjack().until("ask")
    play.change(Misdealt, "rui", what="order", reason="seen late")
    assert read(play)["stage"] == "void"


@pytest.mark.parametrize(("make", "out"), [(blackjack, WARNING_CARD), (fortune_8, CUT_CARD)])
def test_blackjack_rule_11_the_last_round_of_the_shoe_is_announced(make: Callable[[], Play], out: Any) -> None:
    play = make().until("deal")
    assert not read(play)["last_round"]
    play.receive(out)
    assert read(play)["last_round"]
    play.until("begin")
    assert not read(play)["last_round"]
    play.proceed()
    assert not read(play)["last_round"]  # another shoe


def test_blackjack_rule_11_a_warning_card_between_two_rounds_makes_the_next_one_the_last() -> None:
    play = blackjack().until("begin")
    play.receive(WARNING_CARD)
    assert not read(play)["last_round"]
    play.until("wagers")
    assert read(play)["last_round"]


# ---- What a stranger at the console sees of the table: no name, no alarm, and nothing that is not in its list.


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


def in_the_list(shape: Shape | None, path: str = "") -> Iterator[str]:
    """What the list has in."""
    if shape is ALL:
        yield path
    elif shape is not NO_KEY:
        for name, inside in shape.items():
            yield from in_the_list(inside, f"{path}/{name}".strip("/"))


def test_no_field_with_a_name_in_it_is_in_the_list_and_nothing_in_it_has_such_a_field_within() -> None:
    listed = set(in_the_list(_TABLE))
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
    alarm = public_alarm(lost, recorded_alarm(raised(lost, "2026-01-01T00:00:00Z")))
    seen_by = msgspec.structs.replace(alarm, name="other", acknowledged_by="ana")
    shown = for_strangers(msgspec.structs.replace(public, alarms=[alarm, seen_by]))
    assert (shown["alarms"], shown["alarms_waiting"]) == ([], 1)
    assert shown["step"]["prompt"] == public.step.prompt, "the prompt stays"
    asked = msgspec.structs.replace(public.step, backers=("Vera",), prompt={"en": "ask Vera", "pt": "Vera?"})
    shown = for_strangers(msgspec.structs.replace(public, step=asked))
    assert (shown["step"]["backers"], shown["step"]["prompt"]) == ([], {"en": "", "pt": ""})

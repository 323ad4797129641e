"""The journal keeps each accepted input with its events: who asked, in which role; no unshown card, no PIN in clear."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.decisions.betting import LockIn
from controller.engine.decisions.deciders import ROWS
from controller.engine.decisions.decision import Decision, Input
from controller.engine.decisions.played import CardsReported, Reveal
from controller.engine.decisions.session import BeginRound, OpenTable
from controller.engine.recorded import Origin, Recorded, read_input, record_of
from controller.engine.state.applied import Event
from controller.engine.state.current import Settings
from controller.engine.state.events import DealerNotified
from controller.engine.state.persons import CorrectCards, PersonInput
from controller.journal.sealing import KEY_BYTES, Hidden, Seal
from controller.rulebook.cards import Card
from controller.rulebook.events import CardsShown, RoundVoided
from controller.rulebook.games import GAMES
from controller.words import VERSION
from tests.engine.playing import PEOPLE, Play, terms
from tests.journal.keeping import KEY, open_journal, played, write
from tests.journal.recorded.kept import read_journal
from tests.journal.test_journal_loop import Running, at_wagers, opening, running
from tests.plays import tables as wild

pytestmark = pytest.mark.long

KINDS: list[type[Any]] = [*ROWS]
SETTINGS = Settings(terms=terms(), people=PEOPLE)


def without_ids(input: Input) -> Input:
    return replace(input, input_id="", step_id="") if isinstance(input, PersonInput) else input


def test_every_kind_of_input_has_a_name_of_its_own() -> None:
    names = [kind.__struct_config__.tag for kind in KINDS]
    assert len(set(names)) == len(names) > 70


def types_in(hint: Any) -> set[Any]:
    return {hint}.union(*map(types_in, get_args(hint)))


def names_cards(kind: type[Any]) -> bool:
    hints = {name: types_in(hint) for name, hint in get_type_hints(kind).items()}
    return any(Card in types or (name == "cards" and int not in types) for name, types in hints.items())


def test_the_inputs_that_name_cards_are_known_and_none_has_a_pin() -> None:
    assert {kind for kind in KINDS if names_cards(kind)} == {CardsReported, Reveal, CorrectCards}
    assert not [kind for kind in KINDS for name in get_type_hints(kind) if "pin" in name]


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_entered_is_read_again_as_it_was(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    entered: dict[int, Input] = {}
    keep = Play._record

    def record(play: Play, input: Input, decision: Decision, before: int) -> None:
        keep(play, input, decision, before)
        if before in play.inputs:
            entered[before] = input

    monkeypatch.setattr(Play, "_record", record)
    table = wild.played(game, seed=5)
    assert len(entered) > 50
    for at, input in entered.items():
        again = read_input(table.inputs[at], table.entries[at][1])
        assert again.input == without_ids(input)
        if isinstance(input, PersonInput):
            assert again.people[input.actor] == table.settings.people[input.actor]
        else:
            assert again.people == {}


@pytest.mark.parametrize("game", GAMES)
def test_every_event_of_a_station_has_an_input_and_no_card_in_clear_that_it_does_not_show(game: str) -> None:
    groups = list(grouped(game))
    assert read_input(groups[0][0], {}).settings is not None and not any(
        read_input(record, drawn).settings for record, drawn, _ in groups[1:]
    )
    count = 0
    for record, drawn, events in groups:
        input = read_input(record, drawn).input
        in_clear = msgspec.json.decode(record.text).get("input", {}).get("cards")
        if isinstance(input, CardsReported):
            count += len(input.cards)
            assert in_clear is None and (input.cards == tuple(drawn.values()) or record.cards == input.cards)
        elif isinstance(in_clear, str):
            assert any(isinstance(event, CardsShown) for event in events) or game == "blackjack-21"
    assert count > 20 or game == "taiwan-pai-kao"


def grouped(game: str) -> Iterator[tuple[Recorded, Any, list[Event]]]:
    """Each input that a station recorded, with the values that it drew and its events."""
    found: list[tuple[Recorded, Any, list[Event]]] = []
    for entry in read_journal(game).entries:
        if entry.input is not None:
            found.append((entry.input, entry.drawn, []))
        found[-1][2].append(entry.event)
    yield from found


def kept_of(input: Input, *events: Event, drawn: dict[int, Card | None] | None = None) -> Recorded:
    return record_of(input, Decision(events, [], drawn or {}), SETTINGS, with_settings=False)


def test_cards_that_no_event_shows_are_sealed_and_reported_nowhere() -> None:
    late = CardsReported("shoe", (Card("As"), None))
    not_due = kept_of(late, DealerNotified("card_not_due"))
    assert not_due.cards == late.cards and read_input(not_due, {}).input == late
    dealt = kept_of(late, DealerNotified("card_unread"), drawn={3: Card("As"), 4: None})
    assert dealt.cards is None and read_input(dealt, {3: Card("As"), 4: None}).input == late
    assert dealt.text == not_due.text, "nor is it visible which of them"
    entered = Reveal("i", "s", "ana", to="bank", cards="As Kd 2c")
    void = RoundVoided(article="policy: complete deck", code="too_many_of_one", values={})
    assert kept_of(entered, void).cards == entered.cards and b"As" not in kept_of(entered, void).text
    shown = kept_of(entered, CardsShown(to="bank", cards=(Card("As"), Card("Kd"), Card("2c"))))
    assert shown.cards is None and b"As Kd 2c" in shown.text
    for record in (not_due, dealt, kept_of(entered, void)):
        assert "As" not in repr(record)


def test_lengths_are_equal_whatever_the_cards_are() -> None:
    deck, seal = [Card("As"), Card("Td"), Card("2c")], Seal(bytes(KEY_BYTES))
    for card in deck:
        kept = kept_of(CardsReported("shoe", (card,)), DealerNotified("card_not_due"))
        assert len(kept.text) == len(kept_of(CardsReported("shoe", (deck[0],)), DealerNotified("card_not_due")).text)
        sealed = {len(seal.close(Hidden({}, (value,)), "here", 1, 1)) for value in (card, None)}
        assert len(sealed) == 1, "not even whether it was read"


def test_a_journal_seals_what_an_input_names_and_no_event_shows(tmp_path: Path) -> None:
    play = Play()
    play.to_wagers().bet(1, ante=100)
    play.receive(CardsReported("shuffler", (Card("As"), Card("Kd"), Card("2c")), order=play.step.order))
    write(tmp_path / "j.db", play)
    last = play.inputs[max(play.inputs)]
    assert last.cards == (Card("As"), Card("Kd"), Card("2c"))
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b'"As"' not in content
    with closing(open_journal(tmp_path / "j.db")) as journal:
        journal.restore()
        number, sealed = journal._db.execute("SELECT max(id), sealed FROM events WHERE sealed IS NOT NULL").fetchone()
        assert Seal(KEY).open(sealed, journal.uuid, number).named == last.cards


def rows_of(path: Path) -> list[tuple[int, str, dict[str, Any] | None, int]]:
    """Number, type and input of each event, and the commit by its clock."""
    with closing(sqlite3.connect(path)) as db:
        found = db.execute("SELECT id, body, input, monotonic_ns FROM events ORDER BY id").fetchall()
    return [
        (number, msgspec.json.decode(body)["type"], None if input is None else msgspec.json.decode(input), at)
        for number, body, input, at in found
    ]


async def test_who_asked_for_what_is_in_the_commit_of_its_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await station.until(lambda: station.loop.table.meter is not None)
        await at_wagers(station)
        before = station.loop.table.version
        status, _ = await station.say(LockIn(input_id="locked", step_id="1/wagers", actor="ana"))
        assert status == 422 and station.loop.table.version == before, "what is refused is no event"
    rows = rows_of(tmp_path / "j.db")
    [opened] = [row for row in rows if row[1] == "table_opened"]
    assert opened[2] == {"input": {"kind": "open_table", "actor": "ana"}, "people": {"ana": "dealer"}}
    begun = next(row for row in rows if row[1] == "round_begun")
    assert begun[2] is not None and begun[2]["input"]["kind"] == "begin_round"
    shuffled = next(row for row in rows if row[1] == "cards_shuffled")
    assert shuffled[2] == {"input": {"kind": "shuffle_reported", "order": 257, "count": 52}}
    last: dict[str, Any] = {}
    for number, _, input, at in rows:
        if input is None:
            assert at == last["at"], f"event {number} is of the commit of its input"
        else:
            last = {"at": at}
    assert "lock_in" not in [row[2]["input"]["kind"] for row in rows if row[2] and "input" in row[2]]


async def test_the_settings_are_kept_once_after_each_start_and_have_no_persons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def start(then: Callable[[Running], Any]) -> None:
        async with running(tmp_path, monkeypatch) as station:
            await station.until(lambda: station.loop.table.meter is not None)
            await then(station)

    async def opened(station: Running) -> None:
        station.fails = 1
        assert (await station.say(opening()))[0] == 503
        assert (await station.say(opening()))[0] == 200

    async def begun(station: Running) -> None:
        assert (await station.say(BeginRound(input_id="begun", step_id="1/begin", actor="ana")))[0] == 200

    await start(opened)
    await start(begun)
    kept = [row for row in rows_of(tmp_path / "j.db") if row[2] and "settings" in row[2]]
    assert [row[1] for row in kept] == ["meter_opened", "round_begun"]
    for *_, input, _ in kept:
        assert input is not None
        assert msgspec.convert(input["settings"], Settings) == replace(SETTINGS, people={})
        assert input["words"] == VERSION, "events keep codes: in whose sentences a person read them is on record"
    assert not any("words" in row[2] for row in rows_of(tmp_path / "j.db") if row[2] and row not in kept)


def test_what_the_station_records_of_itself_has_no_input() -> None:
    of_itself = record_of(None, Decision((), [], {}), SETTINGS, with_settings=False)
    assert of_itself == Recorded(b"{}") and read_input(of_itself, {}) == Origin(None, {}, None)


def test_what_is_no_input_of_this_version_is_named() -> None:
    with pytest.raises(msgspec.ValidationError, match="shout"):
        read_input(Recorded(b'{"input":{"kind":"shout","actor":"ana"}}'), {})
    assert read_input(Recorded(b'{"input":{"kind":"open_table","actor":"ana"}}'), {}).input == OpenTable("", "", "ana")


def test_the_journal_of_a_play_has_the_inputs_of_the_play(tmp_path: Path) -> None:
    play = played(1)
    write(tmp_path / "j.db", play)
    assert [row[0] - 1 for row in rows_of(tmp_path / "j.db") if row[2] is not None] == list(play.inputs)

"""The data of the floor's messages: one shape for one thing, CloudEvents to the letter."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest

from controller.engine.shown.device_orders import react
from controller.engine.shown.projection import project
from controller.engine.state.alarms import AlarmRaised
from controller.engine.state.applied import apply
from controller.engine.state.events import ComplaintOpened
from controller.engine.state.jackpot import E4
from controller.engine.state.table import Table
from controller.floor.messages import Retained, publications
from controller.rulebook.games import GAMES
from tests.engine.playing import IDENTITY, Play
from tests.floor.happened import NOW, happened, hit_and_paid, messages
from tests.journal.keeping import STAMP
from tests.journal.recorded.kept import read_journal, restored
from tests.referee.film.judge import read_rounds

CLOUD_EVENT = json.loads((Path(__file__).parent / "cloudevents.json").read_text(encoding="utf-8"))


def rounds_of(game: str) -> Iterator[dict[str, Any]]:
    return (json.loads(message.payload)["data"] for message in messages(game) if message.topic == "rounds")


def data_of(play: Play, *kinds: str) -> list[dict[str, Any]]:
    """The data of the messages of a play on these topics."""
    published = [channel.partition(b" ") for channel in play.channels if channel.startswith(IDENTITY.base.encode())]
    topics = [f"{IDENTITY.base}/{kind}".encode() for kind in kinds]
    return [json.loads(payload)["data"] for topic, _, payload in published if topic in topics]


def subjects(play: Play, kind: str) -> set[str | None]:
    topic = f"{IDENTITY.base}/{kind} ".encode()
    return {
        json.loads(channel.removeprefix(topic)).get("subject") for channel in play.channels if channel.startswith(topic)
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_message_is_a_cloud_event(game: str) -> None:
    check = fastjsonschema.compile(CLOUD_EVENT)
    numbers = []
    for topic, payload in messages(game):
        message = json.loads(payload)
        check(message)
        kind = message["type"].removeprefix("dealer.station.")
        assert message["dataschema"] == f"urn:dealer-station:schema:1:{kind}"
        assert message["data"]["schema"] == 1
        numbered = topic == "rounds" or topic.startswith("events/")
        assert ("sequence" in message) == ("sequence" in message["data"]) == numbered
        if numbered:
            assert int(message["sequence"]) == message["data"]["sequence"]
            numbers.append(message["sequence"])
        named = message["data"].get("round")
        assert message.get("subject") == (f"round/{named}" if isinstance(named, int) else None)
    assert numbers == sorted(numbers) and [*map(int, numbers)] == [*range(1, len(numbers) + 1)]


def test_every_round_has_its_times_and_who_confirmed_it_and_its_players() -> None:
    for game in GAMES:
        for published in rounds_of(game):
            assert published["began"] < published["confirmed"] == NOW and published["actor"]
            assert all(bet.keys() == {"seat", "wager", "player", "amount"} for bet in published["wagers"])
            assert all(isinstance(cards, list) for cards in (card["cards"] for card in published["shown_cards"]))
            seats = [seat["seat"] for seat in published["seats"]]
            assert seats == sorted(seats) and all(isinstance(seat, int) for seat in seats)
            for seat in published["seats"]:
                own = [line for line in seat["lines"] if game != "blackjack-21" or line["player"] is None]
                assert (
                    seat["net"] == sum(line["net"] for line in own)
                    or (published["bank"] or {}).get("seat") == seat["seat"]
                )
    assert any(bet["player"] for published in rounds_of("fortune-3-card-poker-2025") for bet in published["wagers"])


@pytest.mark.parametrize("game", GAMES)
def test_after_a_restart_in_mid_round_it_is_known_when_the_round_began(game: str, tmp_path: Path) -> None:
    found = restored(read_journal(game), tmp_path)
    assert found.table.round is not None and found.began == {found.table.round.id: STAMP.time}


def test_a_late_subscriber_computes_the_pot_from_the_retained_jackpot_and_what_follows_it() -> None:
    play = hit_and_paid()
    published = [channel.partition(b" ")[2] for channel in play.channels if channel.startswith(IDENTITY.base.encode())]
    numbered = [json.loads(payload) for payload in published]
    table, keep, sequence = Table(), Retained(IDENTITY), 0
    for event, _ in play.entries:
        before, table = table, apply(table, event)
        sequence += len(publications(IDENTITY, event, before, table, sequence, NOW))
        if table.meter is None:
            continue
        retained = keep.of(project(table, react(table, 2), play.settings), sequence, NOW, 1, table.meter)
        jackpot = json.loads(retained[f"{IDENTITY.base}/jackpot"])["data"]
        ledger = jackpot["ledger"]
        assert jackpot["currency"] == "MOP" and jackpot["parameters"]["increment_bp"] == 7_000
        came = ledger["initial_e4"] + ledger["contributions_e4"] - ledger["returned_e4"] + ledger["house_funded_e4"]
        balance = ledger["pot_e4"] + ledger["reserve_e4"] + ledger["overflow_e4"] + ledger["pending_e4"]
        assert came - ledger["paid_e4"] + ledger["adjustments_e4"] == balance
        pot = ledger["pot_e4"]
        for message in numbered[jackpot["as_of"] :]:
            kind, data = message["type"].rsplit(".", 1)[1], message["data"]
            if kind == "chip_contributed":
                pot += data["to_pot_e4"]
            elif kind == "hit_locked":
                pot -= data["from_pot"] * E4
        assert pot == play.meter.pot_e4
    assert jackpot["hits"][0]["roles"] == ["dealer", "supervisor"] and jackpot["hits"][0]["player"] is None


def test_what_moves_the_jackpot_belongs_to_its_round() -> None:
    play = hit_and_paid()
    for kind in ("chip_contributed", "hit_locked", "hit_made_payable", "hit_confirmed", "hit_paid"):
        assert subjects(play, f"events/{kind}") == {"round/1"}, kind
        assert {data["round"] for data in data_of(play, f"events/{kind}")} == {1}


def test_money_has_its_currency_beside_it() -> None:
    for game in GAMES:
        for _, payload in messages(game):
            data = json.loads(payload)["data"]
            money = {"amount", "pot", "capital", "settlement", "parameters", "to_pot_e4", "terms"} & data.keys()
            assert not money or (data["currency"], data["exponent"]) == ("MOP", 2), data


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_shown_says_which_draws_it_was(game: str) -> None:
    for _, payload in messages(game):
        message = json.loads(payload)
        if message["type"].endswith("cards_shown"):
            assert len(message["data"]["draws"]) == len(message["data"]["cards"]), message


def test_every_game_settles_its_round_in_a_round_settled() -> None:
    for game in GAMES:
        published = [
            json.loads(message.payload)["data"] for message in messages(game) if message.topic == "events/round_settled"
        ]
        rounds = {round["round"]: round for round in rounds_of(game)}
        assert published and {data["settlement"]["game"] for data in published} == {game}
        for number, data in {data["round"]: data["settlement"] for data in published}.items():  # the last of each round
            if number in rounds:
                nets = [(seat["seat"], seat["net"]) for seat in rounds[number]["seats"]]
                assert [(seat["seat"], seat["net"]) for seat in data["seats"]] == nets


def test_an_alarm_that_is_recorded_later_says_when_it_was_and_when_it_was_recorded() -> None:
    raised = AlarmRaised(alarm="journal", code="unwritable", values={}, at="2026-03-14T10:00:00.000Z")
    [published] = publications(IDENTITY, raised, Table(), Table(), 4, NOW)
    message = json.loads(published.payload)
    assert (message["time"], message["recordedtime"]) == (raised.at, NOW)
    [published] = publications(IDENTITY, raised, Table(), Table(), 4, raised.at)
    assert "recordedtime" not in json.loads(published.payload)


def test_a_complaint_names_its_round_as_everything_does() -> None:
    opened = ComplaintOpened(complaint=1, round=7, seat=2, what="cards", by="Ana", actor="rui")
    [published] = publications(IDENTITY, opened, Table(), Table(), 0, NOW)
    message = json.loads(published.payload)
    assert message["subject"] == "round/7" and message["data"]["round"] == 7 and "of_round" not in message["data"]


def test_the_recorded_tables_have_what_goes_wrong() -> None:
    kinds = {type(moment.event).__name__ for game in GAMES for moment in happened(game)}
    assert {"DeviceLost", "AlarmRaised", "InputCorrected", "DealerNotified", "CardsCounted"} <= kinds


@pytest.mark.parametrize("game", GAMES)
def test_the_referees_command_reads_a_file_of_messages(tmp_path: Path, game: str) -> None:
    published = tmp_path / "rounds.jsonl"
    published.write_bytes(b"".join(message.payload + b"\n" for message in messages(game) if message.topic == "rounds"))
    read = read_rounds(published)
    assert read and read == [*rounds_of(game)]
    published.write_text("".join(json.dumps(message) + "\n" for message in read))
    assert read_rounds(published) == read


@pytest.mark.parametrize(
    ("game", "continuous"),
    [("fortune-3-card-poker-2008", False), ("fortune-8", True), ("blackjack-21", True), ("taiwan-pai-kao", False)],
)
def test_the_beginning_of_a_round_says_whether_the_shuffler_is_a_dispenser(game: str, continuous: bool) -> None:
    begun = [json.loads(message.payload)["data"] for message in messages(game) if message.topic == "events/round_begun"]
    assert {data["continuous"] for data in begun} == {continuous}

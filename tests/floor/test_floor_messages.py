"""The messages of a table: numbered without a gap, retained topics, and a round with all that a settlement has."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.engine.decisions.alarms import Acknowledge
from controller.engine.decisions.devices import DeviceFound, DeviceMissed
from controller.engine.decisions.jackpot import Confirm, ConfirmHit
from controller.engine.shown.device_orders import react
from controller.engine.shown.projection import project
from controller.engine.state.applied import Event
from controller.engine.state.events import DeviceLost
from controller.floor import published
from controller.floor.messages import Identity, Retained, status
from controller.floor.published import PUBLISHED
from controller.rulebook.fortune_3_card_poker.wagers import stakes
from controller.rulebook.games import game_of
from controller.rulebook.packets import packets_of
from controller.rulebook.round_file import settle_text
from tests.engine.playing import FIXED, IDENTITY, NOW, PARAMETERS, Play, stacked
from tests.games import FORTUNE_3_2025
from tests.plays.tables import table_of

BASE = "dealer/site/t1"


def published_by(play: Play) -> list[tuple[str, dict[str, Any]]]:
    """The messages among the channels of a play: topic and envelope."""
    messages = [channel.partition(b" ") for channel in play.channels if channel.startswith(BASE.encode())]
    return [(topic.decode(), json.loads(payload)) for topic, _, payload in messages]


def played() -> Play:
    play = Play(stacked("2s 5s 9s", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c Ks 7s")).to_wagers()
    play.bet(1, ante=100).bet(2, pair_plus=200, six_card_bonus=100).bet(3, ante=300).chips(1)
    play.lock()
    play.deal().decisions(seat_3="fold").reveal()
    play.finish()
    return play


def test_every_message_is_a_cloud_event_of_this_journal() -> None:
    play = played()
    for number, (topic, message) in enumerate(published_by(play), start=1):
        kind = message["type"].removeprefix("dealer.station.")
        assert set(message) - {"subject"} == {
            *("specversion", "id", "source", "type", "time", "datacontenttype", "dataschema", "sequence", "data")
        }
        assert message["specversion"] == "1.0" and message["datacontenttype"] == "application/json"
        assert message["source"] == "/dealer/site/t1/00000000-0000"
        assert message["id"] == f"00000000-0000/{number}" and message["sequence"] == f"{number:012}"
        assert topic == f"{BASE}/rounds" if kind == "round" else topic == f"{BASE}/events/{kind.removeprefix('event.')}"
        assert message["data"]["schema"] == 1
        assert message.get("subject", "round/1") == "round/1"
    assert len(published_by(play)) == len(play.entries) + 1


def test_events_of_a_round_name_it_and_events_outside_name_none() -> None:
    messages = published_by(played())
    in_round = [message["data"].get("round") for topic, message in messages if topic.endswith("wager_placed")]
    assert set(in_round) == {1}
    opened = next(message for topic, message in messages if topic.endswith("table_opened"))
    assert "round" not in opened["data"] and "subject" not in opened
    closed = next(message for topic, message in messages if topic.endswith("claims_closed"))
    assert closed["data"]["round"] == 1


def test_a_paid_hit_is_published_with_its_slip_its_cards_its_amount_and_both_names() -> None:
    play = played()
    play.say(ConfirmHit, hit=1)
    play.say(ConfirmHit, "rui", hit=1)
    topic, message = published_by(play)[-1]
    assert topic == f"{BASE}/events/hit_paid" and message["subject"] == "round/1"
    assert message["data"] == {
        "schema": 1,
        "sequence": int(message["sequence"]),
        "hit": 1,
        "slip": 1,
        "round": 1,
        "seat": 1,
        "tier": "flush",
        "cards": ["2s", "5s", "9s", "Ks", "7s"],
        "amount": FIXED["flush"],
        "currency": "MOP",
        "exponent": 2,
        "confirmed_by": ["ana", "rui"],
        "roles": ["dealer", "supervisor"],
        "player": None,
    }
    locked = next(message["data"] for topic, message in published_by(play) if topic.endswith("/hit_locked"))
    same = ("hit", "round", "seat", "tier", "cards", "amount", "currency", "exponent")
    assert [locked[key] for key in same] == [message["data"][key] for key in same]


def test_the_round_follows_its_confirmation_at_once_and_comes_once() -> None:
    topics = [topic.removeprefix(f"{BASE}/") for topic, _ in published_by(played())]
    assert topics.count("rounds") == 1
    assert topics[topics.index("rounds") - 1] == "events/round_confirmed"


def round_file(play: Play, pot: int) -> dict[str, Any]:
    """The round as a file a person could have written from the table; cards no one saw are those the deck had."""
    round = play.round
    at = dict(enumerate(play.deck[: round.draws], start=1))
    place = {
        name: " ".join(str(at[draw]) for draw in game_of(round).draws_at(round, name))
        for name in ("bank", "community", *(f"seat {seat}" for seat in round.seats_in_play))
    }
    seats: dict[str, Any] = {}
    for seat in round.seats_in_play:
        seats[str(seat)] = {**stakes(round, seat), "cards": place[f"seat {seat}"]}
        if seat in packets_of(round).decisions:
            seats[str(seat)]["decision"] = packets_of(round).decisions[seat]
    file: dict[str, Any] = {"game": "fortune-3-card-poker-2025", "seats": seats, "dealer": place["bank"]}
    if round.chips:
        file["community"] = place["community"]
    file["jackpot"] = {"pot": pot, "minimum": PARAMETERS.minimum, "fixed": FIXED}
    return file


def lines_of(settled: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Lines in a settlement's keys, with those that a message has besides."""
    keys = {"carried": "chip_carried"}
    return [{"player": None, "commission": 0, **{keys.get(key, key): line[key] for key in line}} for line in settled]


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_the_message_of_a_round_has_what_settle_prints_of_it(seed: int) -> None:
    play = table_of(FORTUNE_3_2025, seed)
    while not play.at("reveal"):
        play.usual()
    pot = play.meter.pot
    play.reveal()
    round = play.round
    answer = json.loads(settle_text(json.dumps(round_file(play, pot))))
    play.finish()
    message = round_of(play)

    # The live table never sees the cards of a folded hand without a surviving bet.
    for seat in round.seats_in_play:
        if f"seat {seat}" not in round.play.shown:
            answer["seats"][str(seat)]["hand"] = None
    assert message["seats"] == [
        {"seat": int(seat), "net": result["net"], "hand_name": result["hand"], "lines": lines_of(result["lines"])}
        for seat, result in answer["seats"].items()
    ]
    assert message["bank"] == {"hand_name": answer["dealer"]["hand"], "qualifies": answer["dealer"]["qualifies"]}
    assert message["jackpot"] == answer["jackpot"]
    assert (message["game"], message["outcome"]) == (answer["game"], answer["outcome"])


def round_of(play: Play) -> dict[str, Any]:
    """The data of the message of its only round."""
    [data] = [message["data"] for topic, message in published_by(play) if topic.endswith("/rounds")]
    assert isinstance(data, dict)
    return data


def cards_of(message: dict[str, Any]) -> dict[str, str]:
    """The cards that a round shows, by their place."""
    return {card["to"]: " ".join(card["cards"]) for card in message["shown_cards"]}


def test_the_message_of_a_round_has_the_wagers_as_placed_and_the_cards_the_rules_showed() -> None:
    message = round_of(played())
    assert {key: message[key] for key in ("schema", "mode", "round", "currency", "exponent", "void")} == {
        "schema": 1, "mode": "simulation", "round": 1, "currency": "MOP", "exponent": 2, "void": None,
    }  # fmt: skip
    assert [(bet["seat"], bet["wager"], bet["amount"]) for bet in message["wagers"]] == [
        *((1, "ante", 100), (1, "jackpot", 500)),
        *((2, "pair_plus", 200), (2, "six_card_bonus", 100)),
        (3, "ante", 300),
    ]
    cards = cards_of(message)
    assert cards["bank"] == "Qd 9c 4h" and cards["community"] == "Ks 7s" and cards["seat 1"] == "2s 5s 9s"
    assert "seat 3" not in cards and message["seats"][2]["hand_name"] is None
    assert [(decision["seat"], decision["decision"]) for decision in message["decisions"]] == [(1, "play"), (3, "fold")]
    assert message["jackpot"]["pot_before"] == 600_350
    assert message["jackpot"]["awards"][0]["amount"] == FIXED["flush"]


def test_without_a_chip_no_community_cards_are_shown() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    play.finish()
    message = round_of(play)
    assert "community" not in cards_of(message)
    assert message["jackpot"] == {"pot_before": 600_000, "pot_after": 600_000, "awards": []}


def test_where_no_jackpot_is_offered_none_is_published() -> None:
    play = Play(additional=(), chip=0).to_wagers().bet(1, ante=100)
    play.lock()
    play.finish()
    assert "jackpot" not in round_of(play)


def test_a_void_round_says_why_and_shows_no_cards() -> None:
    play = Play().to_wagers().bet(1, ante=100).chips(1)
    play.lock()
    play.deal_one(count=2)
    play.say(Confirm)
    play.clear()
    message = round_of(play)
    assert message["outcome"] == "void"
    assert (message["void"]["article"], message["void"]["reason"]) == ("17.º 1 1)", "2 cards came where 3 were due")
    assert message["bank"] == {"hand_name": None, "qualifies": None}
    assert message["shown_cards"] == [] and message["seats"][0]["net"] == 0
    # 17.º 3: the chip is carried to the next round, and its contribution stays.
    chip = next(line for line in message["seats"][0]["lines"] if line["wager"] == "jackpot")
    assert chip["chip_carried"] is True and message["jackpot"]["pot_after"] == 600_350


def test_a_round_without_a_settlement_is_no_message() -> None:
    round = Play().to_wagers().round
    with pytest.raises(ValueError, match="round 1 has no settlement"):
        game_of(round).report(round)


def retained(play: Play, keep: Retained | None = None, as_of: int = 7) -> dict[str, bytes]:
    public = project(play.table, react(play.table, 2), play.settings)
    return (keep or Retained(IDENTITY)).of(public, as_of, "now", 1, play.table.meter)


def test_the_retained_topics_are_state_jackpot_devices_and_active_alarms() -> None:
    play = Play()
    assert set(retained(play)) == {f"{BASE}/state", f"{BASE}/jackpot"}
    play.receive(DeviceMissed(device="slots", reason="unplugged"))
    messages = retained(play)
    assert set(messages) == {f"{BASE}/{name}" for name in ("state", "jackpot", "devices/slots", "alarms/device-slots")}
    for topic, payload in messages.items():
        message = json.loads(payload)
        assert "sequence" not in message and message["specversion"] == "1.0"
        assert message["source"] == IDENTITY.source and message["data"]["schema"] == 1
        kind = topic.removeprefix(f"{BASE}/")
        assert message["id"].startswith("state/" if kind == "state" else f"{IDENTITY.journal}/{kind}/")
    state = json.loads(messages[f"{BASE}/state"])["data"]
    assert (state["as_of"], state["mode"], state["currency"], state["exponent"]) == (7, "simulation", "MOP", 2)
    assert json.loads(messages[f"{BASE}/devices/slots"])["data"] == {"schema": 1, "device": "slots", "link": "down"}
    alarm = json.loads(messages[f"{BASE}/alarms/device-slots"])["data"]
    assert alarm.pop("alarm") == "device-slots" and set(alarm.pop("texts")) == {"en", "pt", "zh"}
    assert alarm == {
        "schema": 1, "level": "warning", "code": "device_lost/unknown", "since": NOW, "over": False,
        "acknowledged_by": None, "details": "unplugged",
    }  # fmt: skip


def test_an_alarm_keeps_its_topic_until_it_is_over_and_acknowledged() -> None:
    topic = f"{BASE}/alarms/device-slots"
    play = Play()
    play.receive(DeviceMissed(device="slots", reason="unplugged"))
    play.receive(DeviceFound(device="slots", outage_ms=1, tries=1))
    alarm = json.loads(retained(play)[topic])["data"]
    assert (alarm["over"], alarm["acknowledged_by"]) == (True, None)
    play.say(Acknowledge, "mei", alarm="device-slots")
    assert topic not in retained(play)
    raised, cleared, acknowledged = [(topic, data) for topic, data in published_by(play) if "/events/alarm_" in topic]
    for (topic, message), kind in ((raised, "raised"), (cleared, "cleared"), (acknowledged, "acknowledged")):
        assert topic == f"{BASE}/events/alarm_{kind}" and "subject" not in message
        assert message["data"]["alarm"] == "device-slots" and int(message["sequence"]) > 0
    assert raised[1]["data"]["at"] == cleared[1]["data"]["at"] == NOW and set(raised[1]["data"]["texts"]) > {"en"}
    sequence = int(acknowledged[1]["sequence"])
    assert acknowledged[1]["data"] == {"schema": 1, "sequence": sequence, "alarm": "device-slots", "actor": "mei"}


def test_a_retained_message_stays_the_same_while_what_it_says_does() -> None:
    play, keep = Play(), Retained(IDENTITY)
    first = retained(play, keep)
    play.to_wagers()
    second = retained(play, keep, as_of=9)
    assert second[f"{BASE}/jackpot"] == first[f"{BASE}/jackpot"]
    assert second[f"{BASE}/state"] != first[f"{BASE}/state"]
    assert json.loads(first[f"{BASE}/state"])["id"] != json.loads(second[f"{BASE}/state"])["id"]


def test_without_a_jackpot_there_is_no_jackpot_topic() -> None:
    assert set(retained(Play(additional=(), chip=0))) == {f"{BASE}/state"}


@pytest.mark.parametrize("online", [True, False])
def test_birth_and_will_share_a_topic_and_say_the_mode(online: bool) -> None:
    topic, payload = status(IDENTITY, 4, "now" if online else None)
    message = json.loads(payload)
    assert topic == f"{BASE}/status"
    assert message["data"] == {"schema": 1, "online": online, "mode": "simulation"}
    assert message["type"] == "dealer.station.status" and "sequence" not in message


def test_an_alarm_is_the_tables_own_word_for_a_device_that_is_away() -> None:
    play = Play()
    assert play.receive(DeviceMissed(device="sign", reason="silent")) == (DeviceLost("sign", "silent", "unknown"),)
    assert play.receive(DeviceMissed(device="sign", reason="still silent")) == ()


def test_two_journals_are_two_sources() -> None:
    other = Identity(site="site", table="t1", journal="other", mode="live", currency="MOP", exponent=2)
    assert other.base == IDENTITY.base and other.source != IDENTITY.source


def test_every_event_is_published_and_only_with_the_keys_of_its_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    tags = {str(event.__struct_config__.tag) for event in get_args(Event)}
    assert tags == PUBLISHED.keys(), "decide for a new event what of it is published, and name it here if nothing is"
    monkeypatch.setitem(PUBLISHED, "decision_made", "round? seat decision")
    monkeypatch.delitem(PUBLISHED, "betting_closed")
    monkeypatch.setattr(published, "shape_of", published.shape_of.__wrapped__)
    play = played()
    kinds = [topic.removeprefix(f"{BASE}/") for topic, _ in published_by(play)]
    assert "events/betting_closed" not in kinds and "rounds" in kinds
    decided = [message["data"] for topic, message in published_by(play) if topic.endswith("/decision_made")]
    assert decided and all(data.keys() == {"schema", "sequence", "round", "seat", "decision"} for data in decided)
    numbers = [int(message["sequence"]) for _, message in published_by(play) if "sequence" in message]
    assert numbers == [*range(1, len(numbers) + 1)]

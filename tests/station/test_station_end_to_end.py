"""A whole simulated table, from the bytes on the wires to the floor's messages, compared with the referee."""

import json
from itertools import groupby

from tests.station.floor_ear import BASE, check_envelopes, round_messages, sequenced
from tests.station.judging import check_ledger, judged
from tests.station.simulated import Played


def test_every_round_is_settled_and_published_as_the_referee_settles_it(played: Played) -> None:
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.rounds == played.rounds == played.tally["rounds"]
    assert (played.tally["settled"], played.tally["void"]) == (report.settled, report.void)


def test_events_and_rounds_have_one_sequence_without_gap_or_double(played: Played) -> None:
    numbers = [
        json.loads(message.payload)["data"]["sequence"]
        for message in played.messages
        if b'"sequence":' in message.payload
    ]
    assert numbers == list(range(1, played.tally["last_sequence"] + 1))
    assert played.tally["published"] == played.tally["acknowledged"] == played.tally["last_sequence"]
    assert len(sequenced(played.messages)) == len(numbers)


def test_the_ledger_equals_the_referees_meter_to_the_last_fraction(played: Played) -> None:
    check_ledger(judged(played.config, played.camera, round_messages(played.messages)), played.tally)


def test_every_message_is_a_valid_cloud_event(played: Played) -> None:
    assert check_envelopes(played.messages) >= played.tally["last_sequence"]


def test_the_retained_status_is_online_during_play_and_offline_after_a_clean_end(played: Played) -> None:
    states = [json.loads(sent.payload)["data"]["online"] for sent in played.messages if sent.topic == f"{BASE}/status"]
    # It is published a second time where the play takes long.
    assert [online for online, _ in groupby(states)] == [True, False]
    assert json.loads(played.kept[f"{BASE}/status"])["data"]["online"] is False


def test_state_jackpot_statistics_and_devices_are_retained_and_events_are_not(played: Played) -> None:
    devices = {f"{BASE}/devices/{name}" for name in ("shuffler", "shoe", "slots", "sign", "floor")}
    assert set(played.kept) == {
        *(f"{BASE}/{topic}" for topic in ("status", "state", "jackpot", "statistics")),
        *devices,
    }
    state = json.loads(played.kept[f"{BASE}/state"])["data"]
    assert (state["open"], state["round_in_play"], state["as_of"]) == (False, None, played.tally["last_sequence"])
    jackpot = json.loads(played.kept[f"{BASE}/jackpot"])["data"]
    assert jackpot["pot"] == played.tally["pot"] // 10_000


def test_the_mode_is_unmistakable_in_state_status_and_rounds(played: Played) -> None:
    for topic in ("state", "status"):
        assert json.loads(played.kept[f"{BASE}/{topic}"])["data"]["mode"] == "simulation"
    assert {message["mode"] for message in round_messages(played.messages)} == {"simulation"}

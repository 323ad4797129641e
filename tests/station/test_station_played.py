"""A simulated table from the wires to the floor, compared with the referee; and no card is shown before its time."""

import json
from itertools import groupby

from tests.station.floor_ear import BASE, check_envelopes, round_messages, sequenced
from tests.station.journal_eye import event_bodies
from tests.station.simulated import Played, check_ledger, judged
from tests.station.unshown_cards import Film, Secrecy, cards_in, parsed, round_and_sequence


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


AT_LAST = 10**9


def secrecy_of(played: Played) -> Secrecy:
    shown = [
        (envelope["data"]["sequence"], envelope["data"])
        for topic, envelope in sequenced(played.messages)
        if topic == f"{BASE}/events/cards_shown"
    ]
    return Secrecy(Film(played.film()), shown)


def leaks(secrecy: Secrecy, payloads: list[bytes]) -> list[tuple[int | None, int, set[str]]]:
    found = []
    for payload in payloads:
        message, text, won = parsed(payload)
        number, sequence = round_and_sequence(message)
        if leaked := secrecy.leaks(text, number, sequence):
            found.append((number, sequence, leaked))
        for of_round, cards in won:
            # The retained jackpot message says of no sequence what it includes.
            if leaked := secrecy.leaks(" ".join(cards), of_round, sequence or AT_LAST):
                found.append((of_round, sequence, leaked))
    return found


def test_no_mqtt_payload_names_a_card_before_it_was_turned(played: Played) -> None:
    payloads = [message.payload for message in played.messages if message.payload]
    assert leaks(secrecy_of(played), payloads) == []
    assert sum(bool(cards_in(payload.decode())) for payload in payloads) > 5 * played.rounds


def test_no_screen_shows_a_card_before_it_was_turned(played: Played) -> None:
    assert leaks(secrecy_of(played), played.screens) == []
    # Fast as it is, the stream misses states; enough of them were caught in mid-round, before and after a card shows.
    with_cards = [bool(cards_in(screen.decode())) for screen in played.screens]
    assert with_cards.count(True) > played.rounds and with_cards.count(False) > played.rounds


def test_hands_given_up_and_the_burnt_card_are_never_published(played: Played) -> None:
    secrecy = secrecy_of(played)
    hidden = 0
    for topic, envelope in sequenced(played.messages):
        if topic == f"{BASE}/rounds":
            unshown = secrecy.never_shown(envelope["data"]["round"])
            hidden += len(unshown)
            assert not cards_in(json.dumps(envelope["data"], ensure_ascii=False)) & unshown
    assert hidden > played.rounds / 4


def test_the_log_names_no_card_at_all(played: Played) -> None:
    assert "running" in played.log
    assert cards_in(played.log) == set()


def test_the_plain_part_of_the_journal_names_no_card_before_its_event(played: Played) -> None:
    bodies = event_bodies(played.journal)
    secrecy = Secrecy(
        Film(played.film()),
        [(at, {"round": number, **body}) for at, number, body in with_rounds(bodies) if body["type"] == "cards_shown"],
    )
    wrong = [
        (at, body["type"])
        for at, number, body in with_rounds(bodies)
        if secrecy.leaks(json.dumps(body, ensure_ascii=False), number, at)
    ]
    assert wrong == []


def with_rounds(bodies: list[dict[str, object]]) -> list[tuple[int, int | None, dict[str, object]]]:
    number: int | None = None
    found = []
    for at, body in enumerate(bodies, 1):
        if body["type"] == "round_begun":
            assert isinstance(body["round"], int)
            number = body["round"]
        of_round = body["round"] if body["type"] == "hit_paid" else number  # it may be paid when another is in play
        assert of_round is None or isinstance(of_round, int)
        found.append((at, of_round, body))
        if body["type"] == "claims_closed":
            number = None
    return found


def test_the_proof_itself_finds_a_card_published_one_message_too_early(played: Played) -> None:
    secrecy = secrecy_of(played)
    shown = [e for topic, e in sequenced(played.messages) if topic == f"{BASE}/events/cards_shown"]
    early = {**shown[0], "data": {**shown[0]["data"], "sequence": shown[0]["data"]["sequence"] - 1}}
    assert leaks(secrecy, [json.dumps(early).encode()])[0][2] == set(shown[0]["data"]["cards"])
    number, hidden = next(
        (number, card) for number in range(1, played.rounds + 1) for card in secrecy.never_shown(number)
    )
    hit = {"jackpot": {"hits": [{"round": number, "cards": [hidden]}]}, "round": None, "as_of": AT_LAST}
    assert leaks(secrecy, [json.dumps(hit).encode()]) == [(number, AT_LAST, {hidden})]
    assert cards_in('{"a": "10♠, AS-kd Tc, as cartas"} 9d4f 2s-') == {"Ts", "As", "Kd", "Tc", "2s"}

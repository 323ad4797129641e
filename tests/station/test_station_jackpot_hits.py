"""A stacked deck: flush, straight flush and royal flush in one round, paid in the order of the law."""

import json
from typing import Any

import pytest

from controller.__main__ import main
from simulators.felt.cards import FULL_DECK, text_of
from simulators.felt.players import Players
from tests.station.floor_ear import BASE, events, round_messages
from tests.station.simulated import Played, check_ledger, judged, simulate

CHIP_TO_POT = 350  # 70 % of a chip of 500
CHIP_TO_RESERVE = 50
INITIAL_POT, MINIMUM = 60_000_000, 50_000_000
ROYAL, STRAIGHT, FLUSH = "As Ks Qs", "9s 8s 7s", "2s 3s 5s"  # with Js Ts in the middle
MIDDLE = "Js Ts"


def bets_of(seed: int) -> dict[int, Any]:
    """What the bench's players bet in the first round with this seed (its README: a stream of chance each)."""
    players = Players(str(seed), 6, 10_000, 1_000_000, ["six_card_bonus", "jackpot"], 0.6)
    return players.bets()


def seats_and_chips(seed: int) -> tuple[list[int], list[int]]:
    bets = bets_of(seed)
    seats = [seat for seat in bets if bets[seat].wagers]
    return seats, [seat for seat in seats if bets[seat].chip]


def stacked_deck(seats: list[int], hands: dict[int, str]) -> str:
    """52 cards: three a seat from the bank's left, the bank, one for the discard rack, two for the middle (11.º)."""
    named = " ".join([*hands.values(), MIDDLE]).split()
    rest = [text for card in FULL_DECK if (text := text_of([card])) not in named]
    packets = [hands.get(seat) or " ".join(rest.pop(0) for _ in range(3)) for seat in seats]
    packets += [" ".join(rest.pop(0) for _ in range(4)), MIDDLE]
    return " ".join([*packets, *rest])


@pytest.fixture(scope="module")
def hits(tmp_path_factory: pytest.TempPathFactory) -> tuple[Played, dict[str, int]]:
    """Two rounds, the first stacked, played slowly enough for the sign to follow; the seats of the three winners."""
    seed = next(seed for seed in range(100) if len(seats_and_chips(seed)[1]) == 3)
    seats, chips = seats_and_chips(seed)
    # The royal flush sits first and is nevertheless paid last (15.º 5).
    winners = dict(zip(("royal_flush", "flush", "straight_flush"), chips, strict=True))
    directory = tmp_path_factory.mktemp("hits")
    hands = {chips[0]: ROYAL, chips[1]: FLUSH, chips[2]: STRAIGHT}
    (directory / "stack.txt").write_text(stacked_deck(seats, hands) + "\n")
    played = simulate(directory, 2, "--seed", str(seed), "--stack", str(directory / "stack.txt"), speed="12")
    return played, winners


def test_the_stack_deals_the_winners_their_hands(hits: tuple[Played, dict[str, int]]) -> None:
    played, winners = hits
    cards: dict[str, list[str]] = {}
    for line in played.film():
        if line["event"] == "card" and line["round"] == 1:
            cards.setdefault(line["to"], []).append(line["card"])
    assert " ".join(cards[f"seat {winners['royal_flush']}"]) == ROYAL
    assert " ".join(cards[f"seat {winners['straight_flush']}"]) == STRAIGHT
    assert " ".join(cards["community"]) == MIDDLE


def test_art_15_5_the_straight_flush_is_paid_before_the_royal_flush_that_takes_the_rest(
    hits: tuple[Played, dict[str, int]],
) -> None:
    played, winners = hits
    jackpot = round_messages(played.messages)[0]["jackpot"]
    pot = INITIAL_POT + 3 * CHIP_TO_POT
    tenth = pot // 10
    assert jackpot["pot_before"] == pot
    assert [(award["tier"], award["seat"], award["amount"]) for award in jackpot["awards"]] == [
        ("flush", winners["flush"], 25_000),
        ("straight_flush", winners["straight_flush"], tenth),
        ("royal_flush", winners["royal_flush"], pot - tenth),
    ]
    locked = events(played.messages, "hit_locked")
    assert [hit["hit"] for hit in locked] == [1, 2, 3]
    assert [hit["amount"] for hit in locked] == [award["amount"] for award in jackpot["awards"]]


def test_art_15_6_the_emptied_pot_starts_again_at_its_minimum_out_of_the_reserve_first(
    hits: tuple[Played, dict[str, int]],
) -> None:
    played, _ = hits
    (restarted,) = events(played.messages, "pot_restarted")
    reserve = 3 * CHIP_TO_RESERVE * 10_000
    assert (restarted["from_reserve_e4"], restarted["from_house_e4"]) == (reserve, MINIMUM * 10_000 - reserve)
    assert round_messages(played.messages)[0]["jackpot"]["pot_after"] == MINIMUM


def test_every_hit_of_the_queue_is_paid_once_after_two_persons_confirmed_it(
    hits: tuple[Played, dict[str, int]],
) -> None:
    played, _ = hits
    story = events(played.messages, "hit_locked", "round_confirmed", "hit_made_payable", "hit_confirmed", "hit_paid")
    of_first = story[: next(at for at, hit in enumerate(story) if hit["kind"] == "hit_paid" and hit["hit"] == 3) + 1]
    assert [(event["kind"], event.get("hit")) for event in of_first] == [
        ("hit_locked", 1), ("hit_locked", 2), ("hit_locked", 3), ("round_confirmed", None),
        ("hit_made_payable", 1), ("hit_made_payable", 2), ("hit_made_payable", 3),
        ("hit_confirmed", 1), ("hit_confirmed", 1), ("hit_paid", 1),
        ("hit_confirmed", 2), ("hit_confirmed", 2), ("hit_paid", 2),
        ("hit_confirmed", 3), ("hit_confirmed", 3), ("hit_paid", 3),
    ]  # fmt: skip
    for paid in events(played.messages, "hit_paid"):
        assert sorted(zip(paid["confirmed_by"], paid["roles"], strict=True)) == [
            ("ana", "dealer"),
            ("rui", "supervisor"),
        ]
    handed = [line["amount"] for line in played.film() if line["event"] == "pay" and line["wager"] == "jackpot"]
    assert handed == [hit["amount"] for hit in events(played.messages, "hit_paid")]


def test_art_8_6_the_prize_whose_money_is_fetched_is_recorded_by_two_persons_before_its_cards_go(
    hits: tuple[Played, dict[str, int]],
) -> None:
    played, winners = hits
    story = events(played.messages, "hit_paid", "cards_witnessed", "claims_closed")
    first = [(event["kind"], event.get("hit"), event.get("of_hits")) for event in story][:4]
    assert first[:3] == [("hit_paid", 1, None), ("hit_paid", 2, None), ("cards_witnessed", None, [3])]
    assert first[3][0] == "claims_closed"
    [recorded] = [event for event in story if event["kind"] == "cards_witnessed"]
    assert (recorded["actor"], recorded["second"], recorded["second_role"]) == ("rui", "ana", "dealer")
    seen = [line for line in played.film() if line["event"] in ("cards_seen", "cleared") and line["round"] == 1]
    assert [line["event"] for line in seen] == ["cards_seen", "cleared"]
    assert seen[0]["seats"] == [winners["royal_flush"]]


def test_every_payment_leaves_a_slip_with_the_cards_that_were_there(
    hits: tuple[Played, dict[str, int]], capfd: pytest.CaptureFixture[str]
) -> None:
    played, winners = hits
    paid = events(played.messages, "hit_paid")[:3]
    assert [payment["slip"] for payment in paid] == [1, 2, 3]
    hands = [FLUSH, STRAIGHT, ROYAL]
    assert [" ".join(payment["cards"]) for payment in paid] == [f"{hand} {MIDDLE}" for hand in hands]
    assert main(["slip", "--config", str(played.config), "--json"]) == 0
    slips = json.loads(capfd.readouterr().out)[:3]
    for slip, jackpot, hand, tier in zip(slips, paid, hands, ("flush", "straight_flush", "royal_flush"), strict=True):
        same = {key: jackpot[key] for key in ("slip", "hit", "round", "tier", "amount")}
        assert same.items() <= slip.items()
        assert (slip["seat"], slip["cards"], slip["tier"]) == (winners[tier], f"{hand} {MIDDLE}", tier)
        assert slip["from_pot"] + slip["from_house"] == slip["amount"] == jackpot["amount"]
        assert [signature["name"] for signature in slip["confirmed"]] == jackpot["confirmed_by"]
        assert slip["won_at"] <= slip["confirmed"][0]["at"] <= slip["confirmed"][1]["at"] <= slip["paid_at"]


def test_the_sign_shows_the_amount_won_and_then_the_pot_in_portuguese_and_english(
    hits: tuple[Played, dict[str, int]],
) -> None:
    played, winners = hits
    shown = [line["text"] for line in played.film() if line["event"] == "sign" and line["round"] >= 1]
    first = f"GANHOU 250.00 LUGAR {winners['flush']} | WIN 250.00 SEAT {winners['flush']}"
    assert first in shown, shown
    after = shown[shown.index(first) + 1 :]
    assert "JACKPOT PROGRESSIVO 500,000.00 | PROGRESSIVE JACKPOT 500,000.00" in after, shown


def test_the_books_agree_with_the_referees_after_a_won_pot(hits: tuple[Played, dict[str, int]]) -> None:
    played, _ = hits
    check_ledger(judged(played.config, played.camera, round_messages(played.messages)), played.tally)
    assert json.loads(played.kept[f"{BASE}/jackpot"])["data"]["pending"] == 0

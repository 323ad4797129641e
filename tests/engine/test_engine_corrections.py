"""What was entered wrongly: one input replaced at any step, the round computed again, both versions kept."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.decisions.betting import LockIn, PlaceWager
from controller.engine.decisions.cards import UnreportedCard
from controller.engine.decisions.corrections import AdjustRound, ReleaseKey
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.jackpot import AdjustMeter, Confirm
from controller.engine.decisions.played import Decide, Reveal
from controller.engine.decisions.session import CloseClaims
from controller.engine.state.events import KeyReleased
from controller.engine.state.persons import (
    CorrectCards,
    CorrectDecision,
    CorrectSeat,
    CorrectWager,
    PersonInput,
    VoidRound,
)
from controller.rulebook.events import InputCorrected, RoundSettled, RoundVoided, SettlementWithdrawn
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import StepKind
from controller.words import sentence
from tests.engine.playing import Play, cards, published_round, stacked, stacked_for

HANDS = ("As Ks Qs", "9h 9d 2c", "Qd 9c 4h", "3c 3d 3h")  # seats 2 and 4, bank, rack and community
WHY = {"reason": "entered wrongly"}


def bets(play: Play) -> Play:
    """Ante and Pair Plus at seat 2, an ante at seat 4, chips at both."""
    play.to_wagers().bet(2, ante=100, pair_plus=100).bet(4, ante=300).chips(2, 4)
    play.lock()
    return play


def locked() -> Play:
    return bets(Play(stacked_for("shuffler", *HANDS)))


AMOUNTS, TEXTS = ("amount_before", "amount_after"), ("before", "after")


def settled(play: Play) -> Any:
    """The lines of the settlement that remains."""
    play.to_settled()
    assert play.round.settlement is not None and play.round.settlement.outcome == "settled"
    return play.round.settlement.seats


def weighed(play: Play) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats whose chip counts, and those whose chip goes back."""
    return play.round.chips, play.round.returned_chips


def kept(play: Play, count: int = 1) -> list[dict[str, Any]]:
    """The corrections, the same in the projection and in the message of the round."""
    seen = msgspec.json.decode(play.projection())["round"]["corrections"]
    assert seen == published_round(play)["corrections"]
    for correction in seen:
        before, after = correction["net_before"], correction["net_after"]
        known = before is not None and after is not None
        assert correction.pop("net_difference") == (after - before if known else None)
        amounts, texts = [[correction.pop(key) for key in keys] for keys in (AMOUNTS, TEXTS)]
        of_money = correction["what"] == "wager"
        assert (texts if of_money else amounts) == [None, None]
        correction |= dict(zip(TEXTS, amounts if of_money else texts, strict=True))
    assert len(seen) == count
    return list(seen)


# ---- at each step


@pytest.mark.parametrize("step", ["reveal", "confirm"])
@pytest.mark.parametrize("place", ["bank", "seat 2", "seat 4", "community"])
def test_cards_keyed_in_wrongly_are_replaced(step: StepKind, place: str) -> None:
    deck = stacked_for("shuffler", *HANDS)
    truth = {"bank": "Qd 9c 4h", "seat 2": "As Ks Qs", "seat 4": "9h 9d 2c", "community": "3d 3h"}[place]
    play = bets(Play(deck, unread=[deck.index(card) for card in truth.split()])).until("reveal")  # type: ignore[arg-type]
    while play.step.to != (place,):
        play.reveal_one()
    play.deck = [{truth[:2]: "8d"}.get(card, card) for card in deck]  # type: ignore[misc]
    play.reveal_one()
    play.deck = deck
    if step == "confirm" or place == "community":
        play.until("confirm")
    play.change(CorrectCards, to=place, cards=truth, **WHY)
    assert settled(play) == settled(locked())
    [correction] = kept(play)
    assert (correction["at"], correction["before"], correction["after"]) == (place, f"8d{truth[2:]}", truth)


# ---- the settlement that no longer holds


def test_a_settlement_is_withdrawn_before_it_is_made_again_and_only_then() -> None:
    play = locked().until("reveal")
    assert SettlementWithdrawn() not in play.change(CorrectWager, seat=2, wager="ante", amount=200, **WHY)
    play.until("confirm")
    events = play.change(CorrectWager, seat=2, wager="ante", amount=500, **WHY)
    assert [type(event) for event in events] == [SettlementWithdrawn, InputCorrected, RoundSettled]
    assert len(kept(play, 2)) == 2


def test_art_12_2_an_ante_that_was_never_there_leaves_no_decision() -> None:
    play = locked().until("confirm")
    play.change(CorrectWager, seat=2, wager="ante", amount=0, **WHY)
    assert [line.wager for line in settled(play)["2"].lines] == ["pair_plus", "jackpot"]
    data = published_round(play)
    assert 2 in {row["seat"] for row in data["seats"]} and 2 not in {decision["seat"] for decision in data["decisions"]}


# ---- refusals


@pytest.mark.parametrize("reason", ["", "   "])
def test_a_correction_before_its_moment_needs_no_reason(reason: str) -> None:
    play = locked()
    play.say(CorrectWager, seat=2, wager="ante", amount=200, reason=reason)
    assert [correction.reason for correction in play.round.corrections] == [""]


@pytest.mark.parametrize("reason", ["x" * 201, "red \x1b[31m", "two\nlines", "back\u202ewards"])
def test_the_reason_of_a_correction_can_be_printed(reason: str) -> None:
    play = locked()
    refusal = play.refused(CorrectWager, seat=2, wager="ante", amount=200, reason=reason)
    assert refusal.article == "policy: documented adjustment"


# ---- chips, weighed again


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
def test_art_11_3_community_cards_that_were_turned_are_there_when_the_last_chip_goes_back(source: str) -> None:
    play = Play(stacked_for(source, *HANDS), source=source).to_wagers().bet(2, ante=100).bet(4, ante=300).chips(2)
    play.lock()
    play.until("confirm")
    turned, right = play.round.play.shown["community"], settled(play)
    play.change(CorrectSeat, seat=2, to_seat=1, **WHY)
    assert weighed(play) == ((), (2,)) and play.round.play.shown["community"] == turned
    assert " ".join(turned) == play.lying_at("community")
    play.change(CorrectCards, "rui", to="community", cards="3d 5h", **WHY)
    play.change(CorrectCards, "rui", to="community", cards=" ".join(turned), **WHY)
    play.change(CorrectSeat, seat=1, to_seat=2, **WHY)
    assert weighed(play) == ((2,), ()) and settled(play) == right


# ---- after the confirmation: documented adjustments


def test_only_a_supervisor_documents_an_adjustment_of_a_confirmed_round() -> None:
    play = locked().until("confirm")
    fields: dict[str, Any] = {"round": 1, "seat": 2, "amount": -100, "reason": "paid twice", "second": "ana"}
    assert play.refused(AdjustRound, **fields).article == "policy: roles"
    assert play.refused(AdjustRound, "rui", **fields).article == "policy: documented adjustment"  # not confirmed yet
    play.say(Confirm)
    meter = play.meter
    play.say(AdjustRound, "rui", **fields)
    play.say(CloseClaims)
    play.say(AdjustRound, "rui", **fields)
    for wrong in ({"round": 2}, {"round": 0}, {"amount": 0}, {"amount": 2**64}, {"reason": " "}, {"seat": 99}):
        assert play.refused(AdjustRound, "rui", **{**fields, **wrong}).article is not None
    assert play.meter == meter and b"paid twice" in b"".join(play.channels)


@pytest.mark.parametrize("part", ["pot", "reserve", "overflow"])
def test_only_a_supervisor_adjusts_the_meter_between_two_rounds_and_its_identity_holds(part: str) -> None:
    play = Play(reserve=1_000)
    before = play.meter
    assert play.refused(AdjustMeter, part=part, amount=50, reason="x", second="ana").article == "policy: roles"
    play.say(AdjustMeter, "rui", part=part, amount=50, reason="audit", second="ana")
    assert getattr(play.meter, f"{part}_e4") - getattr(before, f"{part}_e4") == play.meter.adjustments_e4 == 500_000
    play.say(AdjustMeter, "rui", part=part, amount=-50, reason="back", second="ana")
    assert play.meter == before
    for amount, reason in ((-10_000_000, "x"), (50, ""), (0, "x")):
        refusal = play.refused(AdjustMeter, "rui", part=part, amount=amount, reason=reason, second="ana")
        assert refusal.article == "policy: documented adjustment"
    play.to_wagers()
    assert play.refused(AdjustMeter, "rui", part=part, amount=50, reason="x", second="ana").article is not None


def test_no_adjustment_empties_the_pot_or_lifts_it_above_its_ceiling() -> None:
    play = Play()
    for amount in (-600_000, 300_001):
        assert play.refused(AdjustMeter, "rui", part="pot", amount=amount, reason="x", second="ana").article is not None
    play.say(AdjustMeter, "rui", part="pot", amount=300_000, reason="x", second="ana")
    assert play.meter.pot == 900_000


def test_where_there_is_no_jackpot_there_is_no_meter_to_adjust() -> None:
    play = Play(additional=(), chip=0)
    assert play.refused(AdjustMeter, "rui", part="pot", amount=1, reason="x", second="ana").article is not None


def test_two_persons_release_the_key_of_a_round_that_is_confirmed_or_void_and_once() -> None:
    fields: dict[str, Any] = {"reason": "the inspection asks", "second": "ana"}
    play = locked().until("confirm")

    def refused(round: int) -> str:
        refusal = play.refused(ReleaseKey, "rui", round=round, **fields)
        assert refusal.article == "policy: two persons release a key"
        return refusal.reason.code

    assert refused(1) == refused(0) == refused(2) == "round_not_confirmed"
    play.say(Confirm)
    assert play.refused(ReleaseKey, "ana", round=1, reason="x", second="rui").article == "policy: roles"
    for second in ("rui", "mei", "zoe", ""):
        assert play.refused(ReleaseKey, "rui", round=1, reason="x", second=second).who == "second"
    assert play.refused(ReleaseKey, "rui", round=1, reason=" ", second="ana").who == "reason"
    before = play.table
    [event] = play.say(ReleaseKey, "rui", round=1, **fields)
    assert event == KeyReleased(round=1, actor="rui", reason="the inspection asks", second="ana")
    assert replace(play.table, released=(), version=before.version) == before
    assert refused(1) == "key_released"
    play.say(CloseClaims)
    play.to_wagers().bet(2, ante=100)
    play.lock()
    assert refused(2) == "round_not_confirmed"
    play.say(VoidRound, "rui", reason="fire")
    play.say(ReleaseKey, "rui", round=2, **fields)
    assert play.table.released == (1, 2)


ADJUSTMENTS: list[tuple[type[PersonInput], dict[str, Any]]] = [
    (AdjustRound, {"round": 1, "seat": 2, "amount": -100}),
    (AdjustMeter, {"part": "pot", "amount": 100}),
]


@pytest.mark.parametrize(("kind", "fields"), ADJUSTMENTS, ids=["of a round", "of the meter"])
def test_an_adjustment_needs_a_second_person_of_the_table(kind: type[PersonInput], fields: dict[str, Any]) -> None:
    play = locked().until("confirm")
    play.say(Confirm)
    play.say(CloseClaims)
    for second in ("rui", "mei", "zoe", ""):  # the same person, a technician, and no one
        refusal = play.refused(kind, "rui", reason="audit", second=second, **fields)
        assert (refusal.who, refusal.article) == ("second", "policy: two persons adjust")
    for second in ("ana", "sol"):
        play.say(kind, "rui", reason="audit", second=second, **fields)
        assert b'"second":"%s"' % second.encode() in b"".join(play.channels)


# ---- Decisions, the order in which hands are shown, settlement and confirmation; cards whose value no one received


THREE_SEATS = stacked("As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c 3d 3h")  # seats 1 to 3, bank, discard and two


def three_locked() -> Play:
    """Seat 1 ante with chip, seat 2 Pair Plus alone, seat 3 ante alone; the cards are dealt."""
    play = Play(THREE_SEATS).to_wagers()
    play.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).chips(1)
    play.lock()
    return play.deal()


def at_once(play: Play) -> list[str]:
    """What the screen reports cards of who gave up."""
    notices: list[dict[str, str]] = msgspec.json.decode(play.projection())["notices"]
    return [words["en"] for words in notices if "gives up" in words["en"]]


COLLECT, STAY = "Seat 3 gives up: collect its cards at once (12.º 3).", "Seat {} gives up: its cards stay for its other"


def test_art_12_3_live_the_dealer_is_notified_whose_cards_to_collect_at_once_and_whose_stay() -> None:
    play = three_locked()
    play.say(Decide, seat=3, decision="fold")
    assert at_once(play) == [COLLECT]
    play.say(Decide, seat=1, decision="fold")  # with a jackpot chip
    assert at_once(play) == [COLLECT, STAY.format(1) + " bets (12.º 3)."]
    assert at_once(three_locked().decisions()) == []


def test_art_12_3_live_what_is_notified_of_folded_cards_follows_a_correction() -> None:
    play = three_locked()
    play.say(Decide, seat=1, decision="play")
    play.say(Decide, seat=3, decision="fold")
    play.change(CorrectWager, seat=3, wager="pair_plus", amount=100, reason="slip")
    assert at_once(play) == [STAY.format(3) + " bets (12.º 3)."]
    play.change(CorrectWager, seat=3, wager="pair_plus", amount=0, reason="slip")
    assert at_once(play) == [COLLECT]
    play.change(CorrectDecision, seat=3, decision="play", reason="slip")
    assert at_once(play) == []
    play.change(CorrectDecision, seat=3, decision="fold", reason="slip")
    assert at_once(play) == [COLLECT]
    play.say(VoidRound, "rui", reason="slip")
    assert at_once(play) == [], "all cards are collected"


def test_art_12_3_a_folded_hand_without_a_surviving_bet_is_never_shown() -> None:
    play = three_locked().decisions(seat_3="fold").reveal()
    assert set(play.round.play.shown) == {"bank", "seat 1", "seat 2", "community"}
    assert play.round.settlement is not None
    assert play.round.settlement.seats["3"].hand is None
    play.say(Confirm)
    play.say(CloseClaims)
    for card in ("2d", "5h", "7c", "3c"):
        assert not any(card.encode() in channel for channel in play.channels)


@pytest.mark.parametrize(
    "deck",
    [
        ["As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c As 3h"],  # the bank's showing finds the double
        ["As As Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c 3d 3h"],
        ["As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c Qd", "3c 3d 3h"],
    ],
)
def test_a_card_that_came_twice_voids_at_the_reveal_and_is_named_nowhere(deck: list[str]) -> None:
    play = Play([card for hand in deck for card in cards(hand)]).to_wagers()
    play.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).chips(1)
    play.lock()
    play.deal().decisions()
    assert play.step.to == ("bank",)
    events = play.reveal_one()
    assert isinstance(events[0], RoundVoided) and events[0].article == "policy: complete deck"
    assert play.step.kind == "confirm" and play.round.play.shown == {}
    assert play.meter.contributions_e4 == play.meter.returned_e4
    for card in {card for hand in deck for card in hand.split()}:
        assert not any(card.encode() in channel for channel in play.channels)


def test_an_answer_to_another_step_is_stale_and_names_the_step_that_is() -> None:
    play = Play().to_wagers()
    late = PlaceWager(input_id="x", step_id="1/shuffle", actor="ana", seat=1, wager="ante", amount=100)
    with pytest.raises(StaleStep) as stale:
        play.check(late)
    assert stale.value.current == "1/wagers"


def test_answers_given_together_answer_the_step_the_person_saw() -> None:
    play = Play().to_wagers()
    both = (
        PlaceWager(input_id="x", step_id="1/wagers", actor="ana", seat=1, wager="ante", amount=100),
        LockIn(input_id="y", step_id="1/wagers", actor="ana"),
    )
    play.check(*both)
    with pytest.raises(StaleStep):
        play.check(both[0], LockIn(input_id="y", step_id="1/deal/1", actor="ana"))


def test_someone_the_configuration_does_not_know_is_refused_before_all_else() -> None:
    play = Play().to_wagers()
    with pytest.raises(Refusal) as refused:
        play.check(LockIn(input_id="x", step_id="stale", actor="eve"))
    assert (refused.value.who, refused.value.article) == ("actor", "policy: named actors")


def test_art_13_1_to_7_what_the_hands_decide_is_shown_before_the_community_cards_are_turned() -> None:
    play = Play(THREE_SEATS).to_wagers().bet(1, ante=100, pair_plus=100, six_card_bonus=100)
    play.bet(2, pair_plus=200).bet(3, ante=300).chips(1).lock()
    play.deal().decisions(seat_3="fold")

    def lines() -> dict[str, list[tuple[str, int, str]]]:
        found = msgspec.json.decode(play.projection())["round"]["lines"]
        return {seat: [(row["wager"], row["net"], row["article"]) for row in there] for seat, there in found.items()}

    while play.step.to != ("community",):
        assert lines() == {}
        play.reveal_one()
    before = lines()
    assert before == {
        "1": [
            ("ante", 100, "13.º 3)"),
            ("play", 100, "13.º 3)"),
            ("ante_bonus", 500, "13.º 4) (1)"),
            ("pair_plus", 4000, "16.º 1 1)"),
            ("six_card_bonus", -100, "14.º"),
        ],
        "2": [("pair_plus", 200, "16.º 1 5)")],
        "3": [("ante", -300, "12.º 2")],
    }
    assert "Then turn the community cards for the jackpot." in play.prompt["en"]
    play.reveal_one()
    settled = play.round.settlement
    assert settled is not None and lines() == {}
    for seat, seen in settled.seats.items():
        assert [(line.wager, line.net, line.article) for line in seen.lines if line.wager != "jackpot"] == before[seat]


def test_art_13_7_without_a_chip_nothing_is_turned_apart_and_the_lines_are_those_of_the_settlement() -> None:
    play = Play(stacked("As Ks Qs", "Qd 9c 4h")).to_wagers().bet(1, ante=100)
    play.lock()
    play.deal().decisions()
    while play.step.kind == "reveal":
        assert msgspec.json.decode(play.projection())["round"]["lines"] == {}
        play.reveal_one()
    assert play.round.settlement is not None


# ---- Cards whose value no one received: they are dealt like any other, keyed in when they are turned, and counted.


THREE_HANDS = ("As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c 3d 3h")  # seats 1 to 3, bank, rack and community


def locked_unread(source: str = "shuffler", unread: tuple[str, ...] = ()) -> Play:
    """Seat 1 ante with chip, seat 2 Pair Plus alone, seat 3 ante alone; some cards cannot be read."""
    deck = stacked_for(source, *THREE_HANDS)
    missing = [deck.index(card) for card in cards(" ".join(unread))]
    play = Play(deck, source=source, unread=missing).to_wagers()
    play.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).chips(1)
    play.lock()
    return play


TRUTH = {"bank": "Qd 9c 4h", "seat 1": "As Ks Qs", "seat 2": "9h 9d 2c", "seat 3": "2d 5h 7c", "community": "3d 3h"}


def test_art_18_3_cards_that_were_all_read_are_not_keyed_in_and_no_guess_is_answered() -> None:
    play = locked_unread().until("reveal")
    answers = {sentence(play.refused(Reveal, to="bank", cards=guess)) for guess in ("Qd 9c 4h", "Qd 9c 4c", "x")}
    assert len(answers) == 1
    play.reveal_one()
    assert play.shown == {"bank": TRUTH["bank"]}


def test_art_18_3_a_card_keyed_in_that_is_face_down_elsewhere_is_not_given_away() -> None:
    play = locked_unread(unread=("4h",)).until("reveal")
    answers = []
    for wrong in ("Qd 9c As", "Qd 9c 8d"):  # one is at seat 1, the other nowhere
        other = locked_unread(unread=("4h",)).until("reveal")
        answers.append(len(other.say(Reveal, to="bank", cards=wrong)))
    assert answers == [1, 1]
    play.say(Reveal, to="bank", cards="Qd 9c As")
    # Whether the deck or the hand that keyed it in is wrong no one knows: it can be corrected.
    assert play.refused(Reveal, to="seat 1").article == "policy: complete deck"
    play.change(CorrectCards, to="bank", cards="Qd 9c 4h", reason="keyed in wrongly")
    play.to_settled()
    assert play.round.void is None


# ---- a card no one received


def test_a_card_that_was_received_after_all_makes_the_report_that_it_was_not_stale() -> None:
    play = locked_unread("shoe")
    late = UnreportedCard(input_id="x", step_id=play.step.id, actor="ana")
    play.deal_one()
    with pytest.raises(StaleStep) as stale:
        play.check(late)
    assert stale.value.current == "1/deal/2"

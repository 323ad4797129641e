"""What the house offers and posts, and why an answer is not allowed now: at the table, on console, sign and floor."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.decisions.betting import LockIn, PlaceWager
from controller.engine.decisions.cards import Cut
from controller.engine.decisions.hands import DeclineAll, GiveUp
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import Decide, RevealAll
from controller.engine.decisions.session import CloseClaims
from controller.engine.shown.device_orders import posted, react
from controller.engine.shown.projection import project
from controller.engine.shown.prompts import question
from controller.engine.shown.public import PublicTable
from controller.engine.state.applied import Event
from controller.engine.state.current import Settings
from controller.engine.state.persons import CorrectWager
from controller.engine.state.table import Table
from controller.floor.messages import Retained
from controller.rulebook.blackjack_21.events import AnswerGiven
from controller.rulebook.events import CardsShown, Terms
from controller.rulebook.games import GAMES
from controller.rulebook.house import Authorisation, BasicBets, House
from controller.rulebook.reading import Limits
from controller.rulebook.steps import Step
from controller.words import SPOKEN, english
from tests.engine import table_2008
from tests.engine.hands import Hands
from tests.engine.places import Places
from tests.engine.playing import IDENTITY, Play, stacked, terms
from tests.engine.spaces import Spaces
from tests.engine.table_2008 import Play2008

OWN = {"ante": Limits(100, 500), "pair_plus": Limits(200, 10_000)}
WHY = {"reason": "entered wrongly"}


def offering(basic_bets: BasicBets) -> Play:
    return Play(house=House(basic_bets=basic_bets)).to_wagers()


def test_art_4_1_combined_is_both_or_none() -> None:
    play = offering("combined").bet(1, ante=100, pair_plus=100).bet(2, ante=100)
    for alone, other in (("ante", "pair_plus"), ("pair_plus", "ante")):
        play.bet(2, **{alone: 100, other: 0})
        refusal = play.refused(LockIn)
        assert (refusal.who, refusal.article) == ("seat 2", "4.º 1")
        assert english(refusal.reason) == "ante and pair_plus are offered together only"
    play.bet(2, ante=100)
    play.lock()
    assert play.round.locked
    assert play.refused(CorrectWager, seat=2, wager="pair_plus", amount=0, **WHY).article == "4.º 1"


def test_art_4_1_separately_is_one_of_the_two() -> None:
    play = offering("separate").bet(1, ante=100).bet(2, pair_plus=100, ante=100)
    refusal = play.refused(LockIn)
    assert (refusal.who, refusal.article) == ("seat 2", "4.º 1")
    assert english(refusal.reason) == "ante and pair_plus are offered separately only"
    play.bet(2, ante=0)
    play.lock()
    assert play.round.locked
    assert play.refused(CorrectWager, seat=1, wager="pair_plus", amount=100, **WHY).article == "4.º 1"


def test_art_4_1_without_a_word_it_is_the_player_s_choice() -> None:
    play = Play().to_wagers().bet(1, ante=100).bet(2, pair_plus=100).bet(3, ante=100, pair_plus=100)
    play.lock()
    assert play.round.locked and posted(play.table, play.settings).basic_bets == "either"


def test_art_4_1_it_is_shown_before_the_bets_and_posted() -> None:
    prompt = {offered: offering(offered).prompt for offered in ("either", "separate", "combined")}
    assert "4.º 1" not in "".join(prompt["either"].values())
    assert prompt["separate"]["en"].endswith("Ante or Pair Plus, not both (4.º 1): inform the players.")
    assert prompt["combined"]["pt"].endswith(
        "Aposta Inicial e Par Superior só em conjunto (4.º 1): informe os jogadores."
    )
    assert prompt["combined"]["zh"].endswith("原注與Pair Plus須一併下注（4.º 1），請告知玩家。")
    assert json.loads(offering("combined").projection())["posted"]["basic_bets"] == "combined"
    of_2008 = Play(**table_2008.TERMS)
    assert posted(of_2008.table, of_2008.settings).basic_bets is None


def test_art_10_1_each_wager_keeps_its_own_limits_also_when_it_is_corrected() -> None:
    play = Play(house=House(limits=OWN)).to_wagers()
    for wager, wrong in (("ante", (99, 501)), ("pair_plus", (199, 10_001)), ("six_card_bonus", (99, 10_001))):
        for amount in wrong:
            assert play.refused(PlaceWager, seat=1, wager=wager, amount=amount).article == "10.º 1)"
    play.bet(1, ante=500, pair_plus=200, six_card_bonus=10_000)
    play.lock()
    assert play.refused(CorrectWager, seat=1, wager="pair_plus", amount=199, **WHY).article == "10.º 1)"
    play.change(CorrectWager, seat=1, wager="pair_plus", amount=10_000, **WHY)


def test_2008_art_6_1_each_wager_keeps_its_own_limits() -> None:
    play = Play(**table_2008.TERMS, house=House(limits=OWN)).to_wagers()
    assert play.refused(PlaceWager, seat=1, wager="ante", amount=501).article == "6.º 1)"
    play.bet(1, pair_plus=501)


def test_fortune_8_art_4_3_each_box_keeps_its_own_limits() -> None:
    play = Spaces("8d")
    terms = replace(play.settings.terms, house=House(limits={"eight": Limits(10, 50)}))
    play.settings = replace(play.settings, terms=terms)
    play.to_wagers()
    for amount in (9, 51):
        assert play.refused(PlaceWager, seat=1, wager="eight", amount=amount).article == "4.º 3"
    assert play.refused(PlaceWager, seat=1, wager="low", amount=50).article == "4.º 3"
    play.place_bet(1, eight=50, low=100).place_bet(1, eight=0)


def test_fortune_8_art_4_3_several_bets_of_a_player_in_a_box_have_several_names() -> None:
    play = (
        Spaces("8d Kc 2c 2d 2h 2s 3c").to_wagers().place_bet(1, "Ana", eight=10_000).place_bet(1, "Ana 2", eight=10_000)
    )
    assert play.round.wagers == {1: {"eight": 20_000}}


@pytest.mark.parametrize(
    ("play", "limits"),
    [
        (Play(), {"ante": (100, 10_000), "pair_plus": (100, 10_000), "six_card_bonus": (100, 10_000)}),
        (Play(additional=(), chip=0), {"ante": (100, 10_000), "pair_plus": (100, 10_000)}),
        (
            Play(house=House(limits=OWN)),
            {"ante": (100, 500), "pair_plus": (200, 10_000), "six_card_bonus": (100, 10_000)},
        ),
        (Spaces(), dict.fromkeys(("low", "eight", "high"), (100, 10_000))),
        (Hands(), {"bet": (100, 3_000)}),
        (Places(), {"place": (100, 100_000)}),
    ],
    ids=["art_10_1", "without_bonus", "own", "fortune_8_art_4_3", "blackjack_rule_14_and_37", "pai_kao"],
)
def test_the_limits_of_each_wager_are_posted(play: Play, limits: dict[str, tuple[int, int]]) -> None:
    shown = posted(play.table, play.settings).limits
    assert {wager: (bounds.min, bounds.max) for wager, bounds in shown.items()} == limits


def sign_of(play: Play) -> list[str]:
    sign = react(play.table, 2, play.settings).sign
    return [] if sign is None else [page.text for page in sign.pages if "LIMIT" in page.text]


def test_art_10_1_the_sign_shows_the_limits_of_each_wager_between_two_rounds() -> None:
    play = Play(house=House(limits=OWN))
    assert sign_of(play) == []  # the table is closed
    play.until("begin")
    assert sign_of(play) == [
        "LIMITES APOSTA INICIAL 1.00 - 5.00, PAR SUPERIOR 2.00 - 100.00, BONUS SEIS CARTAS 1.00 - 100.00",
        "LIMITS ANTE 1.00 - 5.00, PAIR PLUS 2.00 - 100.00, SIX CARD BONUS 1.00 - 100.00",
    ]
    play.to_wagers().bet(1, ante=100)
    assert sign_of(play) == []
    play.lock()
    play.until("confirm").say(Confirm)
    assert len(sign_of(play)) == 2
    play.say(CloseClaims)
    assert len(sign_of(play)) == 2
    assert sign_of(Play().until("begin")) == []  # one range for all is printed on the table
    spaces = Spaces().until("begin")
    assert react(spaces.table, 2, spaces.settings).sign is None


# ---- What is posted at the table: the regulation with its legal status, and the authorisations, on console and floor.


BY_THE_SRIJ = Authorisation(subject="jackpot", reference="SRIJ 12/2026", date="2026-02-01")


def public(table: Table, settings: Settings) -> PublicTable:
    return project(table, react(table, 2), settings)


def settings_with(**changed: object) -> Settings:
    return Settings(terms=terms(chip=0, additional=(), **changed), people={})


def test_art_despacho_4_the_legal_status_is_shown_before_a_round_and_in_it() -> None:
    shown = posted(Table(), settings_with(game="fortune-3-card-poker-2008"))
    assert (shown.regulation, shown.state) == ("Macau, Despacho SEF 78/2008 (97/2008)", "revoked")
    assert shown.by == "Despacho SEF 89/2025, n.º 4"
    assert shown.legal_status == {
        "en": "Macau, Despacho SEF 78/2008 (97/2008); revoked by Despacho SEF 89/2025, n.º 4",
        "pt": "Macau, Despacho SEF 78/2008 (97/2008); revogado: Despacho SEF 89/2025, n.º 4",
        "zh": "Macau, Despacho SEF 78/2008 (97/2008)；已廢止：Despacho SEF 89/2025, n.º 4",
    }
    play = Play().to_wagers()
    assert posted(play.table, settings_with(game="fortune-8")).state == "in_force"
    assert posted(play.table, settings_with(game="fortune-8")).regulation == "Macau, Despacho SEF 89/2025 (94/2025)"


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_status_has_words_in_every_language_and_goes_to_the_floor(game: str) -> None:
    table = public(Table(), settings_with(game=game))
    legal_status = GAMES[game].legal_status
    assert table.posted.legal_status.keys() == SPOKEN.keys() and table.posted.legal_status["en"] == str(legal_status)
    assert all(
        legal_status.regulation in words and legal_status.by in words for words in table.posted.legal_status.values()
    )
    state = json.loads(Retained(IDENTITY).of(table, 0, "now", 1)[f"{IDENTITY.base}/state"])["data"]["posted"]
    assert (state["regulation"], state["state"], state["by"]) == (
        legal_status.regulation,
        legal_status.state,
        legal_status.by,
    )


def test_blackjack_rule_38_and_40_the_authorisation_is_in_the_round_and_on_the_floor() -> None:
    play = Hands()
    play.settings = replace(play.settings, terms=replace(play.settings.terms, house=House((BY_THE_SRIJ,))))
    play.to_wagers()
    assert play.round.terms.house.authorisations == (BY_THE_SRIJ,)
    state = json.loads(play.projection())["posted"]
    assert state["authorisations"] == [{"subject": "jackpot", "reference": "SRIJ 12/2026", "date": "2026-02-01"}]
    assert posted(play.table, settings_with(game="blackjack-21")).authorisations == (BY_THE_SRIJ,)  # of its round


def test_what_the_house_has_decided_is_kept_with_the_terms_of_a_round() -> None:
    begun = Terms("fortune-8", 7, "shoe", 1, 2)
    assert msgspec.to_builtins(begun)["house"] == {} and begun.house == House()
    kept = msgspec.to_builtins(replace(begun, house=House((BY_THE_SRIJ,))))
    assert msgspec.convert(kept, Terms).house.authorisations == (BY_THE_SRIJ,)


# ---- Why an answer is not allowed now is in the public table: a screen shows no button that would be refused.


def illegal(play: Play) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(play.projection())["step"].get("illegal", {})
    return found


def test_2008_a_seat_that_is_obliged_to_play_has_its_reason_and_the_others_have_none() -> None:
    play = Play2008().to_wagers().bet(1, ante=100).bet(3, ante=100, pair_plus=100)
    play.lock()
    play.until("decisions")
    why = illegal(play)
    assert why.keys() == {"3/fold"}
    refusal = play.refused(Decide, seat=3, decision="fold")
    assert why["3/fold"] == {
        "reason": english(refusal.reason),
        "code": refusal.reason.code,
        "values": refusal.reason.values,
        "rule": refusal.article,
    }
    play.say(Decide, seat=1, decision="fold")
    play.say(Decide, seat=3, decision="play")
    assert illegal(play) == {} and not play.at("decisions")


def test_2008_where_every_seat_may_choose_no_reason_is_given() -> None:
    play = Play2008().to_wagers().bet(1, ante=100).bet(3, ante=100)
    play.lock()
    assert illegal(play.until("decisions")) == {}


def test_black_jack_8_anyone_who_may_not_cut_now_has_the_reason() -> None:
    play = Hands(source="shoe").until("cut")
    turn, why = play.step.seat, illegal(play)
    assert turn is not None and f"seat {turn}" not in why and "bank" in why
    other = next(place for place in why if place != "bank")
    assert why[other]["reason"] == english(play.refused(Cut, by=other).reason)
    assert why["bank"]["rule"] == play.refused(Cut, by="bank").article


# ---- Amounts in prompts are written in units of the currency, as on the felt.


@pytest.mark.parametrize(("exponent", "shown"), [(0, "1,050"), (2, "10.50"), (3, "1.050")])
def test_an_amount_asked_for_is_written_in_units_of_the_currency(exponent: int, shown: str) -> None:
    step = Step(id="1/insurance/2", kind="ask", question="insurance", seat=2, most=(1050,))
    assert [shown in text for text in question(step, exponent).values()] == [True, True, True]


# ---- One answer for all: places turned, and what is asked before play declined, each as if it had been reported


DECK = stacked("As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c 3d 3h")  # seats 1 to 3, bank, discard and two


def at_2025(unread: tuple[int, ...] = ()) -> Play:
    play = Play(DECK, unread=unread).to_wagers().bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).chips(1)
    play.lock()
    return play.deal().decisions()


def at_places() -> Play:
    return Places().until("reveal")


def same(play: Play, other: Play) -> bool:
    return play.table == other.table and play.vault == other.vault


def turned_alike(dealt: Callable[[], Play], apart: tuple[str, ...] = ()) -> None:
    """All at once is as one by one; what is turned `apart` waits for a second answer."""
    by_one, at_once = dealt(), dealt()
    events: list[Event] = []
    while by_one.step.kind == "reveal":
        events += by_one.reveal_one()
    taps = [*at_once.say(RevealAll)]
    assert at_once.step.to == apart
    if apart:
        taps += at_once.say(RevealAll)
    assert events == taps
    assert at_once.step.kind == "confirm" and same(by_one, at_once)


def test_art_13_all_that_are_due_are_turned_in_the_order_of_the_rules() -> None:
    turned_alike(at_2025, apart=("community",))


def test_pai_kao_art_6_a_all_places_are_opened_in_the_order_of_the_rules() -> None:
    turned_alike(at_places)


def test_art_13_turning_ends_before_a_hand_that_is_to_be_keyed_in_and_continues_behind_it() -> None:
    play = at_2025(unread=(4,))
    assert [event.to for event in play.say(RevealAll) if isinstance(event, CardsShown)] == ["bank", "seat 1"]
    assert play.step.to == ("seat 2",) and play.step.key_in
    refusal = play.refused(RevealAll)
    assert (refusal.who, refusal.article) == ("seat 2", "policy: unread cards")
    play.reveal_one()
    play.say(RevealAll)
    assert play.step.to == ("community",)
    play.say(RevealAll)
    assert play.step.kind == "confirm"


def test_nothing_is_turned_before_it_is_due() -> None:
    assert Play(DECK).to_wagers().refused(RevealAll).article == "8.º"


def before_play(first: str, *seats: int) -> Hands:
    return Hands(first).to_ask(*seats, skip=False)


def answers(events: tuple[Event, ...]) -> list[tuple[int, str, object]]:
    return [
        (event.seat, event.question, event.amounts if event.question == "insurance" else event.yes)
        for event in events
        if isinstance(event, AnswerGiven)
    ]


TEN_SHOWN = "9c As Tc 8d 7h Kd 5s 6c"  # to seats 1 to 3 and the bank, twice: seat 2 has a black-jack


def test_blackjack_rule_36_no_one_gives_up_is_one_answer_for_all_who_are_asked() -> None:
    by_one, at_once = before_play(TEN_SHOWN, 1, 2, 3), before_play(TEN_SHOWN, 1, 2, 3)
    assert at_once.step.waiting == (1, 3)
    by_one.answers("no", "no")
    assert answers(at_once.say(DeclineAll)) == [(1, "give_up", False), (3, "give_up", False)]
    assert same(by_one, at_once) and at_once.step.question == "decision"


def test_blackjack_rule_36_those_named_give_up_and_no_one_else() -> None:
    play = before_play(TEN_SHOWN, 1, 2, 3)
    assert answers(play.say(DeclineAll, but=(3,))) == [(1, "give_up", False), (3, "give_up", True)]


def test_blackjack_rule_36_who_has_answered_is_not_asked_again() -> None:
    play = before_play(TEN_SHOWN, 1, 2, 3)
    play.say(GiveUp, seat=1, yes=True)
    assert play.step.waiting == (3,)
    refusal = play.refused(DeclineAll, but=(1,))
    assert (refusal.who, refusal.article) == ("seat 1", "18")
    assert answers(play.say(DeclineAll)) == [(3, "give_up", False)]


def test_blackjack_rule_18_a_hand_decides_for_itself() -> None:
    play = before_play(TEN_SHOWN, 1, 2, 3)
    play.say(DeclineAll)
    refusal = play.refused(DeclineAll)
    assert (refusal.who, refusal.article) == ("seat 1", "18")
    assert play.refused(DeclineAll, but=(1,)).who == "seat 1"


ACE_SHOWN = "9c As Tc Ad 7h Kd 5s 6c"


def test_blackjack_rule_33_and_34_no_one_insures_nor_takes_even_money() -> None:
    by_one, at_once = before_play(ACE_SHOWN, 1, 2, 3), before_play(ACE_SHOWN, 1, 2, 3)
    by_one.answers("no", "no", "no", "no")
    given = answers(at_once.say(DeclineAll))
    assert given == [
        (1, "insurance", (0,)), (2, "even_money", False), (2, "insurance", (0,)), (3, "insurance", (0,)),
    ]  # fmt: skip
    assert same(by_one, at_once)


def test_blackjack_rule_33_the_sweep_ends_at_a_seat_that_insures_which_says_how_much() -> None:
    play = before_play(ACE_SHOWN, 1, 2, 3)
    assert answers(play.say(DeclineAll, but=(2, 3))) == [(1, "insurance", (0,)), (2, "even_money", True)]
    assert (play.step.question, play.step.seat) == ("insurance", 3)
    assert play.refused(DeclineAll, but=(3,)).who == "seat 3"
    play.answer("insure 100")
    assert play.step.question == "decision"


def test_blackjack_rule_18_a_card_no_one_asked_for_is_reported_before_anybody_declines() -> None:
    play = before_play(TEN_SHOWN, 1, 2, 3)
    play.comes_out()
    assert play.refused(DeclineAll).article == "18"

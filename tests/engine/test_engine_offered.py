"""What the house offers and posts: basic bets separately or combined, limits of each wager, at the table and shown."""

import json

import pytest
from msgspec.structs import replace

from controller.engine.decisions.betting import LockIn, PlaceWager
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.session import CloseClaims
from controller.engine.shown.device_orders import posted, react
from controller.engine.state.persons import CorrectWager
from controller.rulebook.house import BasicBets, House
from controller.rulebook.reading import Limits
from controller.words import english
from tests.engine import table_2008
from tests.engine.hands import Hands
from tests.engine.places import Places
from tests.engine.playing import Play
from tests.engine.spaces import Spaces

OWN = {"ante": Limits(100, 500), "pair_plus": Limits(200, 10_000)}
WHY = {"reason": "entered wrongly"}


def offering(basic_bets: BasicBets) -> Play:
    return Play(house=House(basic_bets=basic_bets)).to_wagers()


def prompted(play: Play) -> dict[str, str]:
    prompt: dict[str, str] = json.loads(play.projection())["step"]["prompt"]
    return prompt


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
    prompt = {offered: prompted(offering(offered)) for offered in ("either", "separate", "combined")}
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

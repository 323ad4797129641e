"""Fortune 8, 4.º and 9.º at the table: any number of players, their names, the announcement, authorised bets."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.devices import CutCard
from controller.engine.decisions.played import Reveal
from controller.engine.shown.device_orders import posted, react
from controller.engine.state.events import CutCardOut
from controller.engine.state.persons import CorrectCards, CorrectWager, Misdealt, VoidRound
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import CardSource, Deal
from controller.rulebook.house import AddedBet, Authorisation, House, Pays
from controller.rulebook.reading import Limits
from controller.rulebook.reasons import LawReason
from controller.rulebook.report import AuthorisedBet, LineResult, OpenCards, Outcome, PlacedBet, RoundReport, SeatResult
from controller.rulebook.steps import StepKind
from tests.engine.playing import NAMED, Play, terms
from tests.engine.reported import lines, open_cards, reported_bets
from tests.engine.spaces import BOXES, CUT_CARD, Spaces
from tests.shuffling import shuffled

WHY = {"reason": "entered wrongly"}
SEVEN = "8d Kc 2c 2d 2h 2s 3c"


def bets(play: Spaces) -> list[dict[str, Any]]:
    """What the table's state says of every bet."""
    shown_bets: list[dict[str, Any]] = msgspec.json.decode(play.projection())["round"]["bets"]
    return shown_bets


def test_fortune_8_art_4_1_many_players_bet_in_one_box_and_one_player_in_many() -> None:
    players = [f"player {number}" for number in range(1, 31)]
    play = Spaces(SEVEN).to_wagers()
    for number, player in enumerate(players):
        play.place_bet(1, player, eight=100 + number)
    for space in range(1, 8):
        for box in BOXES:
            play.place_bet(space, "Inês", **{box: 500})
    state = msgspec.json.decode(play.projection())["round"]
    assert len(bets(play)) == 30 + 21
    assert state["wagers"]["1"] == {"low": 500, "eight": sum(range(100, 130)) + 500, "high": 500}
    assert state["wagers"]["7"] == {"low": 500, "eight": 500, "high": 500}
    play.settled_as_in_a_file()
    listed = lines(play.report)
    assert [line.player for line in listed if line.wager == "eight"][:31] == [*players, "Inês"]
    assert [line.wager for line in listed][30 + 3 :] == [*BOXES] * 6
    assert {line.outcome for line in listed[1:32]} == {"win"}


NO_NAMES = [" ", "x" * 41, "Rui\x07", "Rui\nInês", "\u202eiuR", "\ud800"]


@pytest.mark.parametrize("name", NO_NAMES)
def test_fortune_8_art_4_1_a_name_is_short_and_can_be_printed_also_where_a_correction_brings_it(name: str) -> None:
    play = Spaces(SEVEN).to_wagers()
    refusal = play.refused(PlaceWager, seat=1, wager="low", amount=100, player=name)
    assert refusal.reason.code == LawReason.NO_NAME
    play.place_bet(1, "何鴻燊 Inês O'Neill-2", low=100).settled_as_in_a_file()
    refusal = play.refused(CorrectWager, seat=1, wager="low", amount=100, player=name, **WHY)
    assert refusal.reason.code == LawReason.NO_NAME


# ---- Fortune 8, 9.º 1 at the table: a bet that was authorised beside the three boxes, from the wager to the message.


RED_EIGHT = AddedBet("red eight", (Pays((Card("8h"), Card("8d")), 20), Pays((Card("8h"), Card("Ah")), 2)))
AUTHORISED = Authorisation(subject="red eight", reference="DICJ 8/2026", date="2026-03-01")
HOUSE = House(authorisations=(AUTHORISED,), bets=(RED_EIGHT,), limits={"red eight": Limits(50, 5_000)})
DEALT = "8h Ah 2c 8c Ad 2s 3c"


def offering() -> Spaces:
    play = Spaces(DEALT)
    play.settings = replace(play.settings, terms=replace(play.settings.terms, house=HOUSE))
    return play.to_wagers()


def shown(play: Spaces, *keys: str) -> list[tuple[Any, ...]]:
    return [tuple(getattr(line, key) for key in keys) for line in lines(play.report)]


def test_fortune_8_art_9_1_an_authorised_bet_is_settled_on_the_card_of_its_space() -> None:
    play = offering()
    for space in (1, 2, 4, 5):
        play.place_bet(space, "Ana", **{"red eight": 100})
    play.until("confirm")
    assert shown(play, "wager", "player", "stake", "outcome", "odds", "net", "article") == [
        ("red eight", "Ana", 100, "win", "20:1", 2000, "9.º 1"),  # the first set that has the card
        ("red eight", "Ana", 100, "win", "2:1", 200, "9.º 1"),
        ("red eight", "Ana", 100, "lose", None, -100, "9.º 1"),
        ("red eight", "Ana", 100, "lose", None, -100, "9.º 1"),
    ]


def test_fortune_8_art_9_1_it_is_behind_the_three_boxes_and_changes_none_of_them() -> None:
    play = (
        offering()
        .place_bet(1, None, **{"red eight": 100})
        .place_bet(1, high=100)
        .place_bet(1, eight=100)
        .place_bet(1, low=100)
    )
    play.until("confirm")
    assert shown(play, "wager", "net", "article") == [
        ("low", -100, "6.º 1"),
        ("eight", 1100, "8.º 2"),
        ("high", -100, "6.º 1"),
        ("red eight", 2000, "9.º 1"),
    ]


def test_fortune_8_art_9_1_the_floor_receives_the_bet_with_its_odds_and_its_authorisation() -> None:
    play = offering().place_bet(1, "Ana", **{"red eight": 100})
    play.until("confirm")
    assert reported_bets(play.report) == [(1, "red eight", "Ana", 100)]
    pays = (Pays((Card("8h"), Card("8d")), 20), Pays((Card("8h"), Card("Ah")), 2))
    assert play.report.added_bets == (AuthorisedBet("red eight", pays, "DICJ 8/2026", "2026-03-01"),)
    plain = Spaces(DEALT).to_wagers().place_bet(1, low=100)
    plain.until("confirm")
    assert plain.report.added_bets == ()


def test_fortune_8_art_9_1_two_bets_are_published_each_with_its_own_authorisation() -> None:
    red = AddedBet("red", (Pays((Card("Ah"),), 1),))
    second = Authorisation(subject="red", reference="DICJ 9/2026", date="2026-03-02")
    play = Spaces(DEALT)
    house = House(authorisations=(AUTHORISED, second), bets=(RED_EIGHT, red))
    play.settings = replace(play.settings, terms=replace(play.settings.terms, house=house))
    play.to_wagers().place_bet(2, red=100)
    play.until("confirm")
    assert [(bet.name, bet.reference) for bet in play.report.added_bets] == [
        ("red eight", "DICJ 8/2026"),
        ("red", "DICJ 9/2026"),
    ]


def test_fortune_8_art_9_1_it_is_posted_with_its_limits() -> None:
    play = offering()
    shown_bets = json.loads(play.projection())["posted"]
    assert shown_bets["bets"][0]["name"] == "red eight"
    assert shown_bets["limits"]["red eight"] == {"min": 50, "max": 5_000}
    assert shown_bets["authorisations"] == [{"subject": "red eight", "reference": "DICJ 8/2026", "date": "2026-03-01"}]
    assert posted(Spaces().table, Spaces().settings).bets == ()


@pytest.mark.parametrize("amount", [49, 5_001])
def test_fortune_8_art_4_3_and_9_1_it_keeps_its_limits(amount: int) -> None:
    assert offering().refused(PlaceWager, seat=1, wager="red eight", amount=amount).article == "4.º 3"


def test_fortune_8_art_9_1_without_an_authorisation_there_is_no_such_box() -> None:
    refusal = Spaces(DEALT).to_wagers().refused(PlaceWager, seat=1, wager="red eight", amount=100)
    assert refusal.article == "4.º 2"
    assert offering().refused(PlaceWager, seat=1, wager="red", amount=100).article == "4.º 2"


def test_fortune_8_art_9_1_it_is_corrected_and_taken_back_like_any_bet() -> None:
    play = offering().place_bet(1, "Ana", **{"red eight": 100})
    play.until("deal").change(
        CorrectWager, seat=1, wager="red eight", amount=200, player="Ana", reason="entered wrongly"
    )
    play.until("confirm")
    assert shown(play, "stake", "net") == [(200, 4000)]
    play = offering().place_bet(1, "Ana", **{"red eight": 100})
    play.until("deal").say(VoidRound, "rui", reason="power")
    assert lines(play.report) == [
        LineResult(
            wager="red eight", player="Ana", stake=100, outcome="void", odds=None, net=0, commission=0,
            article="policy: supervisor's void",
        )
    ]  # fmt: skip


# ---- Fortune 8, 1.º and 2.º at the table: how many decks there are, the shoe that is kept, its cut card


COMPLETE = "policy: complete deck"
LOW = "2c 3c 4c 5c 6c 7c"
BOTH: list[CardSource] = ["shoe", "shuffler"]
SHUFFLE_AND_CUT = ["shuffle", "cut"]


def configured(play: Play, decks: int) -> None:
    """The configuration has so many decks from now on."""
    changed = msgspec.structs.replace(play.settings.terms, decks=decks)
    play.settings = msgspec.structs.replace(play.settings, terms=changed)


# ---- 1.º 1): one to eight decks


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("decks", [1, 2, 6])
def test_fortune_8_art_1_1_one_card_more_than_the_decks_hold_voids_the_round_as_it_comes(
    source: CardSource, decks: int
) -> None:
    Spaces("As " * decks + "Ks", decks=decks, source=source).to_deal(1, 7).settled_as_in_a_file()
    play = Spaces("As " * decks + "As", decks=decks, source=source).to_deal(1, 7)
    for _ in range(decks):
        play.deal_one()
    assert play.round.void is None
    play.deal_one()
    assert play.why_void() == (COMPLETE, f"more than {decks} of one card came")
    # It is face up for everybody to see: the record has it.
    assert open_cards(play.report) == {f"seat {space}": "As" for space in range(1, decks + 2)}


@pytest.mark.parametrize("decks", [1, 3, 8])
def test_fortune_8_art_1_1_a_shoe_is_counted_since_it_was_loaded_whichever_round_a_card_came_in(decks: int) -> None:
    play = Spaces(f"8d {LOW} " * decks + "8d", decks=decks)
    for _ in range(decks):
        play.whole_round()
    play.to_deal(1).deal_one()
    assert play.why_void() == (COMPLETE, f"more than {decks} of one card came")
    play.first = ()
    assert play.until("begin").preparations() == SHUFFLE_AND_CUT
    play.to_deal(1).settled_as_in_a_file()


def test_fortune_8_art_1_1_other_decks_in_the_configuration_are_shuffled_before_the_next_round() -> None:
    play = Spaces(decks=8).to_deal(1)
    configured(play, 6)
    assert play.settled_as_in_a_file().report.decks == 8
    assert play.until("begin").preparations() == SHUFFLE_AND_CUT
    assert len(play.deck) == 6 * 52 and play.round.terms.decks == 6
    assert play.whole_round().preparations() == []
    configured(play, 8)
    play.until("wagers").whole_round()
    assert play.preparations() == SHUFFLE_AND_CUT


# ---- 2.º 1: shuffled, cut by a player or the dealer, and kept in the shoe


@pytest.mark.parametrize("kind", ["wagers", "announce", "deal", "reveal", "confirm", "claims", "begin"])
@pytest.mark.parametrize("by_hand", [False, True])
def test_fortune_8_art_2_1_after_the_cut_card_the_round_is_finished_and_the_cards_are_shuffled(
    kind: StepKind, by_hand: bool
) -> None:
    play = Spaces(unread=(6,)).to_wagers().place_bet(1, eight=100)
    play.until(kind)
    before = play.step
    if by_hand:
        play.say(CutCard)
    else:
        play.receive(CUT_CARD)
    assert play.step == before
    assert [event.actor for event in play.events if isinstance(event, CutCardOut)] == ["ana" if by_hand else None]
    if kind != "begin":
        play.until("confirm", "claims")
        assert play.round.void is None and play.round.settlement is not None
    assert play.until("begin").preparations() == SHUFFLE_AND_CUT
    assert not play.table.shoe.cut_card_out
    play.unread.clear()
    assert play.whole_round().preparations() == []


def test_fortune_8_art_2_1_a_cut_card_that_was_not_reported_is_missed_by_the_count_of_the_cards() -> None:
    play = Spaces(decks=1)
    for left in (45, 38, 31, 24, 17):
        play.whole_round()
        assert play.table.shoe.left == left and play.overdue() == []
    play.to_deal(1)
    for left in (16, 15, 14, 13, 12):
        play.deal_one()
        assert play.table.shoe.left == left and play.overdue() == []
    play.deal_one()
    assert len(play.overdue()) == 1
    assert "11 cards are left" in play.overdue()[0] and "(2.º 1)" in play.overdue()[0]
    play.settled_as_in_a_file().until("begin")
    assert len(play.overdue()) == 1
    assert play.preparations() == SHUFFLE_AND_CUT and play.overdue() == []


def test_fortune_8_art_2_1_no_round_begins_behind_the_cut_card_though_no_one_reported_it() -> None:
    play = Spaces(decks=1, announced="spaces_with_bets")
    for _ in range(40):
        assert play.whole_round().table.shoe.cut_card_out is False
    assert play.table.shoe.left == 12 and play.kinds.count("cards_shuffled") == 1
    play.whole_round()
    assert play.table.shoe.left == 11 and play.preparations() == SHUFFLE_AND_CUT


def test_fortune_8_art_2_1_the_alarm_of_an_overdue_cut_card_is_over_once_it_is_reported_as_out() -> None:
    play = Spaces(decks=1)
    while play.table.shoe.left >= 12 or not play.table.shoe.decks:
        play.whole_round()
    assert len(play.overdue()) == 1
    play.say(CutCard)
    assert play.overdue() == [] and play.preparations() == SHUFFLE_AND_CUT


def test_fortune_8_art_2_1_the_shoe_is_open_while_cards_are_dealt_and_no_longer() -> None:
    play = Spaces().to_announce(1)
    assert react(play.table, 2).shoe_locked
    play.proceed()
    while play.at("deal"):
        assert not react(play.table, 2).shoe_locked
        play.deal_one()
    assert react(play.table, 2).shoe_locked


# ---- 2.º 2: from the dispenser there is neither shuffle nor cut, and no order is ever given


def test_fortune_8_art_2_2_from_the_dispenser_nothing_is_shuffled_or_cut() -> None:
    play = Spaces(source="shuffler")
    for number in range(1, 4):
        assert play.preparations() == []
        assert play.step.id == f"{number}/wagers"
        play.place_bet(3, low=100)
        while not play.at("begin"):
            effects = react(play.table, 2)
            assert effects.shuffler is None and play.step.order is None and effects.shoe_locked
            play.proceed()
    assert not {"cards_shuffled", "deck_cut"} & set(play.kinds)


# ---- another game on the same table


def playing_2025(play: Spaces) -> Spaces:
    """The configuration has another game from now on, dealt from one deck out of the same shoe."""
    play.settings = msgspec.structs.replace(play.settings, terms=terms(source="shoe", additional=(), chip=0))
    return play


def test_fortune_8_a_shoe_that_was_kept_is_not_dealt_from_in_another_game() -> None:
    assert playing_2025(Spaces(decks=1).whole_round()).preparations() == SHUFFLE_AND_CUT


def test_fortune_8_after_another_game_the_shoe_is_shuffled_again() -> None:
    play = Spaces(decks=8).whole_round()
    before = play.settings
    playing_2025(play).to_wagers().bet(1, ante=100)
    play.until("begin").settings = before
    assert play.preparations() == SHUFFLE_AND_CUT


def test_fortune_8_art_5_a_misdeal_is_no_failure_of_the_dispenser() -> None:
    for source in BOTH:
        play = Spaces(source=source).to_deal(1)
        play.change(Misdealt, what="order")
        assert play.table.shuffler_failures == 0


# ---- Fortune 8, 6.º to 8.º at the table: as `settle` has it; cards keyed in, and what the floor receives


KEYS = {
    "round", "act", "game", "outcome", "source", "decks", "deal", "rules", "wagers", "shown_cards", "irregularities",
    "corrections", "decisions", "added_bets", "bank", "seats",
}  # fmt: skip


def line(
    wager: str, player: str | None, stake: int, outcome: Outcome, odds: str | None, net: int, article: str
) -> LineResult:
    return LineResult(
        wager=wager, player=player, stake=stake, outcome=outcome, odds=odds, net=net, commission=0, article=article
    )


# ---- 6.º to 8.º: as the same round in a file


PLAYERS = st.sampled_from([None, "Inês", "Rui", "Zé"])
BETS = st.lists(
    st.tuples(st.integers(1, 7), st.sampled_from(BOXES), PLAYERS, st.integers(100, 10_000)), min_size=1, max_size=25
)


@given(
    BETS,
    shuffled([*DECK, *DECK]).map(lambda stock: stock[:7]),
    st.sampled_from(BOTH),
    st.sampled_from(["every_space", "spaces_with_bets"]),
    st.sets(st.integers(0, 6)),
    st.booleans(),
)
def test_fortune_8_art_6_and_art_7_and_art_8_the_live_table_settles_as_the_same_round_in_a_file(
    bets: list[tuple[int, str, str | None, int]],
    stock: list[str],
    source: CardSource,
    deal: Deal,
    unread: set[int],
    early: bool,
) -> None:
    play = Spaces(" ".join(stock), decks=2, source=source, deal=deal, announced=deal, unread=unread).to_wagers()
    for seat, box, player, amount in bets:
        play.place_bet(seat, player, **{box: amount})
    if early:
        play.comes_out()
    play.settled_as_in_a_file()
    stakes = {(seat, box, player): amount for seat, box, player, amount in bets}
    found = lines(play.report)
    assert sorted(line.stake for line in found) == sorted(stakes.values())
    assert sum(line.net for line in found) == sum(seat.net for seat in play.report.seats)
    assert set(msgspec.to_builtins(play.report)) == KEYS


# ---- what the floor is notified of


def test_fortune_8_a_settled_round_is_published_with_everything_and_nothing_else() -> None:
    play = Spaces("8d Kc", announced="spaces_with_bets").to_wagers()
    play.place_bet(3, "Inês", eight=500).place_bet(3, eight=100).place_bet(
        5, "Rui", low=200
    ).settled_as_in_a_file().until("claims")
    assert play.round.void is None and play.report == RoundReport(
        round=1,
        game="fortune-8",
        outcome="settled",
        source="shoe",
        decks=8,
        deal="spaces_with_bets",
        wagers=(PlacedBet(3, "eight", "Inês", 500), PlacedBet(3, "eight", None, 100), PlacedBet(5, "low", "Rui", 200)),
        shown_cards=(OpenCards(to="seat 3", cards=("8d",)), OpenCards(to="seat 5", cards=("Kc",))),
        act="71/2009",
        rules=(),
        decisions=(),
        added_bets=(),
        bank=None,
        irregularities=(),
        corrections=(),
        seats=(
            SeatResult(
                seat=3,
                net=6600,
                lines=(
                    line("eight", "Inês", 500, "win", "11:1", 5500, "8.º 2"),
                    line("eight", None, 100, "win", "11:1", 1100, "8.º 2"),
                ),
            ),
            SeatResult(seat=5, net=-200, lines=(line("low", "Rui", 200, "lose", None, -200, "6.º 1"),)),
        ),
    )
    assert b'"type":"dealer.station.round"' in b"".join(play.channels)
    state = msgspec.json.decode(play.projection())
    assert state["jackpot"] is None and state["sign"] is None and state["round"]["deal"] == "spaces_with_bets"


def test_fortune_8_art_5_a_void_round_is_published_with_its_bets_its_cards_and_no_deal_where_none_was_announced() -> (
    None
):
    play = Spaces(SEVEN).to_wagers().place_bet(3, "Inês", eight=500).place_bet(3, low=100)
    play.say(VoidRound, "rui", reason="alarm")
    report = play.report
    assert set(msgspec.to_builtins(report)) == KEYS
    assert (report.deal, report.shown_cards, report.outcome) == (None, (), "void")
    article = "policy: supervisor's void"
    void = (line("low", None, 100, "void", None, 0, article), line("eight", "Inês", 500, "void", None, 0, article))
    assert report.seats == (SeatResult(seat=3, net=0, lines=void),)
    assert reported_bets(report) == [(3, "low", None, 100), (3, "eight", "Inês", 500)]
    play.until("begin").to_deal(2)
    play.deal_one()
    play.deal_one()
    play.change(Misdealt, what="number")
    assert set(msgspec.to_builtins(play.report)) == KEYS and play.report.deal == "every_space"
    assert open_cards(play.report) == {"seat 1": "8d", "seat 2": "Kc"}
    assert play.round.void is not None and play.round.void.article == "5.º"


def test_fortune_8_a_void_round_in_which_no_one_bet_has_no_seats() -> None:
    play = Spaces().until("cut")
    play.say(VoidRound, "rui", reason="alarm")
    assert play.report.seats == () == play.report.wagers
    assert set(msgspec.to_builtins(play.report)) == KEYS
    play.until("begin")


# ---- cards that no one read


def test_fortune_8_art_1_1_a_card_keyed_in_that_came_in_an_earlier_round_of_the_shoe_is_refused() -> None:
    play = Spaces(SEVEN, decks=1).whole_round()
    play.unread.add(2)
    play.to_deal(1).until("reveal")
    assert play.refused(Reveal, to="seat 3", cards="8d").article == "policy: complete deck"


def test_fortune_8_art_1_1_a_correction_puts_no_card_that_came_in_an_earlier_round_of_the_shoe() -> None:
    play = Spaces(SEVEN, decks=1).whole_round()
    play.unread.add(0)
    play.to_deal(1).until("reveal")
    play.say(Reveal, to="seat 1", cards="5h")
    assert play.refused(CorrectCards, to="seat 1", cards="8d", reason="misread").article == "policy: complete deck"


def test_fortune_8_no_card_is_named_anywhere_before_its_source_reported_it() -> None:
    play = Spaces(SEVEN, unread=(2,)).to_wagers().place_bet(1, eight=100)
    while not play.at("begin"):
        play.proceed()
        named = {name.decode() for name in NAMED.findall(b" ".join(play.channels))}
        assert named == set() if play.table.round is None else named <= set(SEVEN.split()[: play.dealt])
        if play.table.round is not None and "seat 3" not in play.shown:
            assert "2c" not in named
        play.channels.clear()

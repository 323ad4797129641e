"""Fortune 8, 6.º to 8.º at the table: as `settle` has it; cards keyed in, lost reports, and what the
floor is notified of."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from controller.engine.decisions.played import Reveal
from controller.engine.state.persons import CorrectCards, Misdealt, VoidRound
from controller.rulebook.cards import DECK
from controller.rulebook.events import CardSource, Deal
from controller.rulebook.report import LineResult, OpenCards, Outcome, PlacedBet, RoundReport, SeatResult
from tests.engine.playing import NAMED
from tests.engine.reported import lines, open_cards, reported_bets
from tests.engine.spaces import BOXES, Spaces
from tests.shuffling import shuffled

BOTH: list[CardSource] = ["shoe", "shuffler"]
SEVEN = "8d Kc 2c 2d 2h 2s 3c"
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


def test_fortune_8_art_1_1_a_card_received_while_the_dealer_counts_is_counted_since_the_shoe_was_loaded() -> None:
    play = Spaces(f"{SEVEN} 8d", decks=1).whole_round().to_deal(1)
    play.report_lost(None)
    play.comes_out()
    play.report_count(1)
    play.until("confirm")
    assert play.why_void()[0] == "policy: complete deck"


# ---- reports of the shoe that never came


def test_fortune_8_a_deal_without_lost_reports_ends_without_a_count() -> None:
    for source in BOTH:
        play = Spaces(SEVEN, source=source).to_deal(1)
        kinds = set()
        while not play.at("confirm"):
            kinds.add(play.step.kind)
            play.proceed()
        assert kinds == {"deal"}
        play.report_lost(1)
        assert play.step.id == "1/confirm"


def test_fortune_8_no_card_is_named_anywhere_before_its_source_reported_it() -> None:
    play = Spaces(SEVEN, unread=(2,)).to_wagers().place_bet(1, eight=100)
    while not play.at("begin"):
        play.proceed()
        named = {name.decode() for name in NAMED.findall(b" ".join(play.channels))}
        assert named == set() if play.table.round is None else named <= set(SEVEN.split()[: play.dealt])
        if play.table.round is not None and "seat 3" not in play.shown:
            assert "2c" not in named
        play.channels.clear()

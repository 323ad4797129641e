"""The differences between the Fortune 3 Card Poker regulations: wagers, odds, articles. No I/O here."""

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from controller.rulebook.jackpot_award import Tier
from controller.rulebook.three_card import STRONGEST_FIRST, ThreeCardName


class Odds(Struct, frozen=True):
    """A fixed ratio of `to_one` to 1 and the article that sets it."""

    to_one: int
    article: str


class Articles(Struct, frozen=True, kw_only=True):
    """The articles that lines and refusals cite; an empty one belongs to a rule that the regulation does not have."""

    material: str
    bets: str
    basic_bet: str = ""
    offered: str = ""
    seats: str
    limits: str
    deal: str
    decision: str
    obliged_to_play: str = ""
    community_dealt: str = ""
    community_not_shown: str = ""
    fold: str
    bank_does_not_play: str
    higher_hand: str
    lower_hand: str
    tie: Mapping[str, str]
    pair_plus_lost: str
    six_card_bonus_lost: str = ""
    jackpot_lost: str = ""
    jackpot_terms: str = ""


class Rules(Struct, frozen=True, kw_only=True, dict=True):
    """One regulation as a table: an empty paytable is a wager the regulation does not have.

    `bank_plays_from` is the lowest card (2 to 14) with which the bank's odd cards still play, `order` that of the
    classes of three cards, strongest first.
    """

    game: str
    seats: range
    bank_plays_from: int
    ante_bonus: Mapping[str, Odds]
    pair_plus: Mapping[str, Odds]
    six_card_bonus: Mapping[str, Odds]
    jackpot: Mapping[str, Tier]
    articles: Articles
    order: tuple[ThreeCardName, ...] = STRONGEST_FIRST

    @cached_property
    def wagers(self) -> tuple[str, ...]:
        """The wagers a player may place before the deal, in the order in which their lines remain."""
        tables = (self.six_card_bonus, self.jackpot)
        return BASIC_WAGERS + tuple(wager for wager, table in zip(ADDITIONAL_WAGERS, tables, strict=True) if table)


BASIC_WAGERS = ("ante", "pair_plus")
ADDITIONAL_WAGERS = ("six_card_bonus", "jackpot")

RULES_2025 = Rules(
    game="fortune-3-card-poker-2025",
    seats=range(1, 8),
    bank_plays_from=12,
    ante_bonus={
        "straight_flush": Odds(5, "13.º 4) (1)"),
        "three_of_a_kind": Odds(4, "13.º 4) (2)"),
        "straight": Odds(1, "13.º 4) (3)"),
    },
    pair_plus={
        "straight_flush": Odds(40, "16.º 1 1)"),
        "three_of_a_kind": Odds(25, "16.º 1 2)"),
        "straight": Odds(5, "16.º 1 3)"),
        "flush": Odds(4, "16.º 1 4)"),
        "pair": Odds(1, "16.º 1 5)"),
    },
    six_card_bonus={
        "royal_flush": Odds(500, "16.º 2 1)"),
        "straight_flush": Odds(100, "16.º 2 2)"),
        "four_of_a_kind": Odds(50, "16.º 2 3)"),
        "full_house": Odds(20, "16.º 2 4)"),
        "flush": Odds(15, "16.º 2 5)"),
        "straight": Odds(10, "16.º 2 6)"),
        "three_of_a_kind": Odds(7, "16.º 2 7)"),
    },
    jackpot={
        "royal_flush": Tier(100, "16.º 3 1)"),
        "straight_flush": Tier(10, "16.º 3 2)"),
        "four_of_a_kind": Tier(0, "16.º 3 3)"),
        "full_house": Tier(0, "16.º 3 4)"),
        "flush": Tier(0, "16.º 3 5)"),
    },
    articles=Articles(
        material="2.º 1 1)",
        bets="3.º",
        basic_bet="4.º 3",
        offered="4.º 1",
        seats="5.º 2",
        limits="10.º 1)",
        deal="11.º",
        decision="12.º 2",
        community_dealt="11.º 3",
        community_not_shown="15.º 2",
        fold="12.º 2",
        bank_does_not_play="13.º 1)",
        higher_hand="13.º 3)",
        lower_hand="13.º 3)",
        # 7.º 1 6) grades equal odd cards equal without the word "empate", and 13.º 3) pays and takes only higher hands;
        # 7.º 1 2) cannot tie with one deck.
        tie={
            "straight_flush": "7.º 1 1)",
            "three_of_a_kind": "7.º 1 2)",
            "straight": "7.º 1 3)",
            "flush": "7.º 1 4)",
            "pair": "7.º 1 5)",
            "high_card": "7.º 1 6)",
        },
        pair_plus_lost="13.º 5)",
        six_card_bonus_lost="14.º",
        jackpot_lost="15.º 1",
        jackpot_terms="16.º 3",
    ),
)

RULES_2008 = Rules(
    game="fortune-3-card-poker-2008",
    seats=range(1, 8),
    bank_plays_from=12,
    ante_bonus={
        "straight_flush": Odds(5, "9.º 8) (1)"),
        "three_of_a_kind": Odds(4, "9.º 8) (2)"),
        "straight": Odds(1, "9.º 8) (3)"),
    },
    pair_plus={
        "straight_flush": Odds(40, "10.º 1)"),
        "three_of_a_kind": Odds(25, "10.º 2)"),
        "straight": Odds(5, "10.º 3)"),
        "flush": Odds(4, "10.º 4)"),
        "pair": Odds(1, "10.º 5)"),
    },
    six_card_bonus={},
    jackpot={},
    articles=Articles(
        material="1.º 1)",
        bets="5.º 1",
        seats="2.º 1",
        limits="6.º 1)",
        deal="7.º",
        decision="9.º 1)",
        obliged_to_play="9.º 3)",
        fold="9.º 2)",
        bank_does_not_play="9.º 5)",
        higher_hand="9.º 6)",
        lower_hand="9.º 7)",
        # 8.º 6) names no tie, as in 2025, and 8.º 2) can have none.
        tie={
            "straight_flush": "8.º 1)",
            "three_of_a_kind": "8.º 2)",
            "straight": "8.º 3)",
            "flush": "8.º 4)",
            "pair": "8.º 5)",
            "high_card": "8.º 6)",
        },
        pair_plus_lost="9.º 9)",
    ),
)

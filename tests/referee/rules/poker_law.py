"""What each regulation of Fortune 3 Card Poker says: articles, what voids, who goes where. No I/O."""

from dataclasses import dataclass, replace

from .hands import BEFORE_94_2025, THREE_CARD_HANDS
from .lines import ACTS


@dataclass(frozen=True)
class Regulation:
    """One regulation.

    Where an article is None its matter does not void: 2008 continues after exposed cards (11.º 2)).
    """

    game: str
    lines: dict[str, str]  # of the lines of a settlement, by what decides them
    broken_deal: str
    bank_exposed: str | None  # None: the card is left out, in view, and the bank gets the next one
    players_exposed: str | None  # more than one card of players
    shuffler_failed: str
    failures: int  # so many in a row, and the shuffler gives no more cards
    chips_carried: tuple[str, ...]  # void by these, and the jackpot chips continue to the next round
    exposed: dict[str, tuple[str, ...]]  # what an exposed card among the irregularities cites, by where it was
    empty_seat: tuple[str, ...]
    by_hand: tuple[str, ...]  # what is done to cards that go into the shoe, in this order
    cut_by: str  # how the cut has to be, in words with its article
    additional: bool = False  # Six Card Bonus, jackpot and community cards; and a button closes the betting
    bank_in_each_pass: bool = False  # from the shoe the last card of each pass is the bank's
    hands: tuple[str, ...] = (*THREE_CARD_HANDS,)  # of three cards, from the best down
    obliged: str | None = None  # by this an ante beside Pair Plus must be doubled


ART_2025 = Regulation(
    game="fortune-3-card-poker-2025",
    lines={
        "fold": "12.º 2",
        "bank below Q": "13.º 1)",
        "higher": "13.º 3)",
        "lower": "13.º 3)",
        "tie straight_flush": "7.º 1 1)",
        "tie straight": "7.º 1 3)",
        "tie flush": "7.º 1 4)",
        "tie pair": "7.º 1 5)",
        "tie high_card": "7.º 1 6)",
        "ante_bonus straight_flush": "13.º 4) (1)",
        "ante_bonus three_of_a_kind": "13.º 4) (2)",
        "ante_bonus straight": "13.º 4) (3)",
        "pair_plus straight_flush": "16.º 1 1)",
        "pair_plus three_of_a_kind": "16.º 1 2)",
        "pair_plus straight": "16.º 1 3)",
        "pair_plus flush": "16.º 1 4)",
        "pair_plus pair": "16.º 1 5)",
        "pair_plus lost": "13.º 5)",
        "six_card_bonus royal_flush": "16.º 2 1)",
        "six_card_bonus straight_flush": "16.º 2 2)",
        "six_card_bonus four_of_a_kind": "16.º 2 3)",
        "six_card_bonus full_house": "16.º 2 4)",
        "six_card_bonus flush": "16.º 2 5)",
        "six_card_bonus straight": "16.º 2 6)",
        "six_card_bonus three_of_a_kind": "16.º 2 7)",
        "six_card_bonus lost": "14.º",
        "jackpot royal_flush": "16.º 3 1)",
        "jackpot straight_flush": "16.º 3 2)",
        "jackpot four_of_a_kind": "16.º 3 3)",
        "jackpot full_house": "16.º 3 4)",
        "jackpot flush": "16.º 3 5)",
        "jackpot lost": "15.º 1",
    },
    broken_deal="17.º 1 1)",
    bank_exposed="17.º 1 2)",
    players_exposed="17.º 1 3)",
    shuffler_failed="17.º 2",
    failures=2,
    chips_carried=("17.º 1 1)", "17.º 2"),  # 17.º 3; after all others the players take them back
    exposed={
        "player": ("17.º 4 1)", "17.º 1 3)"),
        "bank": ("17.º 1 2)",),
        "community": ("policy: community cards seen", "11.º 5"),
    },
    empty_seat=("17.º 4 2)", "17.º 5"),
    by_hand=("shuffled", "cut"),
    cut_by="shuffled, then cut (9.º 2)",
    additional=True,
)

ART_2008 = Regulation(
    game="fortune-3-card-poker-2008",
    lines={
        "fold": "9.º 2)",
        "bank below Q": "9.º 5)",
        "higher": "9.º 6)",
        "lower": "9.º 7)",
        "tie straight_flush": "8.º 1)",
        "tie straight": "8.º 3)",
        "tie flush": "8.º 4)",
        "tie pair": "8.º 5)",
        "tie high_card": "8.º 6)",
        "ante_bonus straight_flush": "9.º 8) (1)",
        "ante_bonus three_of_a_kind": "9.º 8) (2)",
        "ante_bonus straight": "9.º 8) (3)",
        "pair_plus straight_flush": "10.º 1)",
        "pair_plus three_of_a_kind": "10.º 2)",
        "pair_plus straight": "10.º 3)",
        "pair_plus flush": "10.º 4)",
        "pair_plus pair": "10.º 5)",
        "pair_plus lost": "9.º 9)",
    },
    broken_deal="11.º 1)",
    bank_exposed=None,
    players_exposed=None,
    shuffler_failed="11.º 4)",
    failures=1,
    chips_carried=(),
    exposed={"player": ("11.º 2)",), "bank": ("11.º 2)",)},
    empty_seat=("11.º 3)",),
    by_hand=("cut", "shuffled"),
    cut_by="cut by the bank, then shuffled (3.º 1))",
    bank_in_each_pass=True,
    obliged="9.º 3)",
)

_TIES_FIRST = {f"tie {hand}": f"7.º 1 {item})" for item, hand in enumerate(BEFORE_94_2025, 1)}
_TIES_FIRST.pop("tie three_of_a_kind")  # one deck has no two equal ones
ART_2025_FIRST = replace(ART_2025, hands=(*BEFORE_94_2025,), lines=ART_2025.lines | _TIES_FIRST)

REGULATIONS = {regulation.game: regulation for regulation in (ART_2025, ART_2008)}


def law_by(game: str, act: str) -> Regulation:
    """A regulation as an act left it. Raises ValueError for an act that is none of the game's."""
    if act not in [name for _, name in ACTS[game]]:
        raise ValueError(f"no act {act!r} is known of {game}")
    return ART_2025_FIRST if act == "89/2025" else REGULATIONS[game]

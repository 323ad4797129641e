"""The differences between the regulations at the live table: seats, the deal, and which faults void a round. No I/O
here.
"""

from msgspec import Struct

from controller.rulebook.citations import Citations, LegalStatus, OtherReading
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Rules
from controller.rulebook.fortune_3_card_poker.versions import VALIDITY_2008, VALIDITY_2025
from controller.rulebook.jackpot_award import ROYAL_ON_THE_POT, TENTHS_IN_TURN
from controller.rulebook.parts.betting import Seats
from controller.rulebook.parts.deck import CutFirst, Deck

EXPOSED_BY_PLAYER = "exposed_cards_by_player"
COUNT_UNREPORTED = "wrong_count_is_unreported_card"
KEYS_2025 = (EXPOSED_BY_PLAYER, COUNT_UNREPORTED, TENTHS_IN_TURN, ROYAL_ON_THE_POT)


class TableRules(Struct, frozen=True, kw_only=True):
    """One regulation at the table. An empty article belongs to a rule that the regulation does not have.

    `bets_closed` is the article by which no bet counts any more.
    `bank_in_each_pass`: from the shoe the bank gets the last card of every pass, else its three at the end.
    `bank_exposed` voids; without it the card is left out under `bank_left_out` and the bank gets the next one.
    `players_exposed` voids when more than `players_exposed_at_most` cards of players were seen (None: none does).
    """

    rules: Rules
    legal_status: LegalStatus
    citations: Citations
    seats: Seats
    additional: tuple[str, ...] = ()
    bank_in_each_pass: bool = False
    deck: type[Deck] = Deck
    failures_of_a_shuffler: int
    bets_closed: str
    bank_exposed: str = ""
    bank_left_out: str = ""
    player_exposed: str
    players_exposed: str = ""
    players_exposed_at_most: int | None = None
    chips_stay: tuple[str, ...] = ()
    other_readings: tuple[OtherReading, ...] = ()


TABLE_2025 = TableRules(
    rules=RULES_2025,
    legal_status=LegalStatus("Macau, Despacho SEF 89/2025 (94/2025)", validity=VALIDITY_2025),
    citations=Citations(
        play="8.º",
        source="9.º 1",
        by_machine="9.º 3",
        cut="9.º 2",
        material="2.º 1 1)",
        seats="5.º 2",
        deal="11.º",
        decision="12.º 2",
        given_up="12.º 3",
        show="13.º",
        broken_deal="17.º 1 1)",
        shuffler_failed="17.º 2",
        no_records="18.º 1",
        exposed="17.º 1",
        null_cards="17.º 4 2)",
        display="2.º 2",
        unpaid="8.º 6)",
        witnessed="policy: two persons record winning cards",
        irregularities="17.º",
    ),
    seats=Seats(range(5, 8), "5 to 7: six to eight hands with the bank (5.º 2)"),
    additional=("six_card_bonus", "jackpot"),
    failures_of_a_shuffler=2,  # 17.º 2: it fails, the cards are shuffled again, it fails again
    bets_closed="10.º 3)",
    bank_exposed="17.º 1 2)",
    player_exposed="17.º 4 1)",
    players_exposed="17.º 1 3)",
    players_exposed_at_most=1,
    chips_stay=("17.º 1 1)", "17.º 2"),  # 17.º 3
    other_readings=(
        OtherReading(
            EXPOSED_BY_PLAYER,
            "17.º 1 3)",
            "Exposed cards are counted for each player: a round is void when two or more of one player were seen.",
            "The odds of a round that is played are the same.",
        ),
        OtherReading(
            COUNT_UNREPORTED,
            "17.º 1 1)",
            "A last count that differs from the shoe's reports is a report that is wrong, and no breach of 11.º: the "
            "round is void by policy, and jackpot chips go back.",
            "The odds of a round that is played are the same.",
        ),
        OtherReading(
            TENTHS_IN_TURN,
            "15.º 4",
            "Each straight flush of a round has a tenth of what the one before it left of the pot.",
            "Two in one round are rare: a chip's edge changes by less than a millionth at a pot of 120 000 chips.",
        ),
        OtherReading(
            ROYAL_ON_THE_POT,
            "15.º 5",
            "A royal flush has the whole pot as it was before the straight flushes of its round were paid, and the "
            "house makes up what they took.",
            "Both in one round are rare: a chip's edge changes by less than a millionth at a pot of 120 000 chips.",
        ),
    ),
)

TABLE_2008 = TableRules(
    rules=RULES_2008,
    legal_status=LegalStatus(
        "Macau, Despacho SEF 78/2008 (97/2008)", "revoked", "Despacho SEF 89/2025, n.º 4", VALIDITY_2008
    ),
    citations=Citations(
        play="9.º",
        source="3.º",
        by_machine="3.º 2)",
        cut="3.º 1)",
        material="1.º 1)",
        seats="2.º 1",
        deal="7.º",
        decision="9.º 1)",
        given_up="9.º 2)",
        show="9.º",
        broken_deal="11.º 1)",
        shuffler_failed="11.º 4)",
        exposed="11.º 2)",
        null_cards="11.º 3)",
        irregularities="11.º",
    ),
    seats=Seats(range(7, 8), "7: eight places with the bank (2.º 1)"),
    bank_in_each_pass=True,
    deck=CutFirst,
    failures_of_a_shuffler=1,
    bets_closed="6.º 3)",
    bank_left_out="11.º 2)",
    player_exposed="11.º 2)",
)

"""Which article the referee expects on a line, and what voids a round. No I/O here.

An entry of ARTICLES is the exact citation, or begins with "~": the citation must only begin with the rest ("~" alone:
there must be one). Exact where the regulation has one place for it, open where two readings are equally good.
"""

ARTICLES = {
    "fold": "12.º 2",
    "bank below Q": "13.º 1)",
    "higher or lower": "13.º 3)",
    "tie": "~7.º",
    "ante_bonus straight_flush": "13.º 4) (1)",
    "ante_bonus three_of_a_kind": "13.º 4) (2)",
    "ante_bonus straight": "13.º 4) (3)",
    "pair_plus straight_flush": "16.º 1 1)",
    "pair_plus three_of_a_kind": "16.º 1 2)",
    "pair_plus straight": "16.º 1 3)",
    "pair_plus flush": "16.º 1 4)",
    "pair_plus pair": "16.º 1 5)",
    "pair_plus lost": "~",
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
    "jackpot lost": "~",
}

BROKEN_DEAL = "17.º 1 1)"
BANK_EXPOSED = "17.º 1 2)"
PLAYERS_EXPOSED = "17.º 1 3)"
SHUFFLER_FAILED = "17.º 2"
COMPLETE_DECK = "policy: complete deck"
EVERY_CARD_HEARD = "policy: every card heard"
SUPERVISORS_VOID = "policy: supervisor's void"

# 17.º 3: the chips of these go on to the next round; the others are taken back by the players.
CHIPS_GO_ON = (BROKEN_DEAL, SHUFFLER_FAILED)

# What the message's list of irregularities cites: an exposed card by where it lay, cards at a seat without a bet, and
# cards that nobody read.
EXPOSED_CITATIONS = {
    "player": ("17.º 4 1)", PLAYERS_EXPOSED),
    "bank": (BANK_EXPOSED,),
    "community": ("policy: community cards seen", "11.º 5"),
}
EMPTY_SEAT_CITATIONS = ("17.º 4 2)", "17.º 5")
KEYED_IN_CITATIONS = ("policy: unread cards",)


def wanted(rule: str) -> str:
    """What a rule wants, in words for a difference."""
    citation = ARTICLES.get(rule, rule)
    return f"{citation[1:]} …" if citation.startswith("~") else citation


def agrees(rule: str, citation: object) -> bool:
    """Whether a citation on a message is the one the table above wants for `rule` (an entry, or a citation itself)."""
    known = ARTICLES.get(rule, rule)
    if not isinstance(citation, str) or not citation.strip():
        return False
    return citation.startswith(known[1:]) if known.startswith("~") else citation == known

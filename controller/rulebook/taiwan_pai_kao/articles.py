"""The name of the game and the articles that lines and refusals cite, as the regulation numbers them. No I/O here."""

from controller.rulebook.versions import RegulationVersion, Validity

GAME = "taiwan-pai-kao"

VALIDITY = Validity(
    zone="Asia/Macau",
    versions=(
        RegulationVersion(
            key="15/90/M",
            act="Portaria 15/90/M",
            signed="1990-01-18",
            published="1990-01-22",
            gazette="4/1990, page 268",
            in_force="1990-01-22",
            assumed=("in_force",),
            note="No article says when it enters into force; its six months count from the publication (Art. 2.º).",
        ),
    ),
    ended="1990-07-22",
)

MATERIAL = "1.º a)"
DICE = "1.º b)"
SHUFFLED = "2.º a)"
WHO_SHAKES = "2.º b)"
FIRST_PLACE = "2.º b)"
FOUR_TILES = "2.º d)"
ORDER_CHANGED = "2.º f)"
BEFORE_THE_DICE = "2.º g)"
PLACES = "3.º a)"
MORE_THAN_ONE = "3.º b)"
SEEN = "4.º"
TURN = "5.º a)"
PASSED_ON = "5.º b)"
CAPITAL = "5.º c)"
CAPITAL_KEPT = "5.º d)"
JOINED = "5.º e)"
TWO_PAIRS = "6.º a)"
OPENED = "6.º b)"
COMPARED = "6.º c)"

COMMISSION = "8.º"

BESIDE_BANKER = "deal_begins_beside_banker"
OVER_THE_ROUND = "limit_over_the_round"
CASINO_IN_PROPORTION = "casino_shares_in_proportion"
COMMISSION_OF_PLAYERS = "commission_of_players_alone"
KEYS_OF_RULES = (BESIDE_BANKER, OVER_THE_ROUND, CASINO_IN_PROPORTION, COMMISSION_OF_PLAYERS)
"""The other readings of 2.º b), 5.º c), 5.º e) and 8.º."""

MISDEAL = "policy: misdeal"
ERRORS_CORRECTED = "policy: errors corrected"
NO_ONE = "policy: no one takes the bank"
TABLE_LIMITS = "policy: table limits"
"""The limits of a table; the regulation has none."""

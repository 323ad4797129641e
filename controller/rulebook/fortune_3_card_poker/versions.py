"""When the two regulations of Fortune 3 Card Poker are in force, and the rules of each version. No I/O here."""

from msgspec.structs import replace

from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Rules
from controller.rulebook.three_card import FIRST_ORDER
from controller.rulebook.versions import RegulationVersion, Validity

BEGINS_2025 = "2025-11-04"

VALIDITY_2025 = Validity(
    zone="Asia/Macau",
    versions=(
        RegulationVersion(
            key="89/2025",
            act="Despacho SEF 89/2025",
            signed="2025-10-30",
            published="2025-11-03",
            gazette="44/2025",
            in_force=BEGINS_2025,
            assumed=("published", "gazette", "in_force"),
            note="The text says: in force on the day after its publication (n.º 5). The day assumed is the first "
            "Monday "
            "after the signature, two issues before 46/2025.",
        ),
        RegulationVersion(
            key="94/2025",
            act="Despacho SEF 94/2025",
            signed="",
            published="2025-11-17",
            gazette="46/2025, pages 10 to 11",
            in_force="2025-11-18",
            assumed=("signed", "in_force"),
            note="It puts article 7.º 1 into another order. Its clause on entry into force is not at hand: as for "
            "89/2025, the day after the publication is assumed.",
        ),
    ),
)

VALIDITY_2008 = Validity(
    zone="Asia/Macau",
    versions=(
        RegulationVersion(
            key="78/2008",
            act="Despacho SEF 78/2008",
            signed="2008-06-20",
            published="2008-08-11",
            gazette="32/2008, pages 814 to 818",
            in_force="2008-08-12",
            assumed=("text",),
            note="In force on the day after its publication (n.º 3). Whether the text of article 9.º at hand is that "
            "before or after 97/2008 is not known: both versions are decided by it.",
        ),
        RegulationVersion(
            key="97/2008",
            act="Despacho SEF 97/2008",
            signed="",
            published="2008-12-15",
            gazette="50/2008, pages 1299 to 1300",
            in_force="2008-12-16",
            assumed=("signed", "in_force", "text"),
            note="It amends article 9.º. Its clause on entry into force is not at hand: the day after is assumed.",
        ),
    ),
    ended=BEGINS_2025,  # 89/2025, n.º 4
    ended_assumed=True,
)

RULES_2025_FIRST = replace(
    RULES_2025,
    order=FIRST_ORDER,
    articles=replace(RULES_2025.articles, tie={name: f"7.º 1 {item})" for item, name in enumerate(FIRST_ORDER, 1)}),
)

RULES: dict[str, dict[str, Rules]] = {
    RULES_2025.game: {"89/2025": RULES_2025_FIRST, "94/2025": RULES_2025},
    RULES_2008.game: {"78/2008": RULES_2008, "97/2008": RULES_2008},
}
"""The rules of each version, by game."""

VALIDITY = {RULES_2025.game: VALIDITY_2025, RULES_2008.game: VALIDITY_2008}

"""A regulation as the table cites it: whether it is in force, its articles and its other readings. No I/O here."""

from typing import Literal

import msgspec
from msgspec import Struct

from controller.rulebook.cards import DECK
from controller.rulebook.versions import Validity

RegulationState = Literal["in_force", "revoked", "replaced", "lapsed"]
IN_WORDS: dict[RegulationState, str] = {
    "in_force": "in force",
    "revoked": "revoked by ",
    "replaced": "replaced by ",
    "lapsed": "lapsed, ",
}
CARDS_OF_A_DECK = len(DECK)
UNREAD_CARDS = "policy: unread cards"
COMPLETE_DECK = "policy: complete deck"
EVERY_CARD_REPORTED = "policy: every card reported"


class LegalStatus(Struct, frozen=True):
    """A regulation as it is cited, and whether it is in force; `by` cites the act that ended it. `validity` has its
    versions with their days.
    """

    regulation: str
    state: RegulationState = "in_force"
    by: str = ""
    validity: Validity = Validity()

    def __str__(self) -> str:
        return f"{self.regulation}; {IN_WORDS[self.state]}{self.by}"


class Citations(msgspec.Struct, frozen=True, kw_only=True):
    """The articles the live table cites; a policy is cited where the regulation has no rule."""

    play: str  # the order of a round
    source: str  # which of shoe and shuffler the cards come from
    by_machine: str
    cut: str
    material: str  # how many cards there are
    seats: str
    show: str
    broken_deal: str
    shuffler_failed: str
    exposed: str
    null_cards: str = ""  # cards at a seat without a bet; empty where there are none
    irregularities: str
    deal: str
    decision: str = ""
    decider: str = ""  # whose decision it is, where several bet at a seat
    display: str = "policy: the main game continues"  # the jackpot has one, and without it no new chip counts
    given_up: str = ""  # what becomes of the cards of those who give up
    complaints: str = "policy: complaints"  # beside a shuffler, when one is no longer accepted
    unpaid: str = ""  # the cards of a prize stay on the table until it is paid; empty where no rule says so
    witnessed: str = ""  # they may be cleared away once two persons have recorded them; empty where they may not
    no_bets: str = ""  # no one bets, and no round is played; empty where no rule says so
    no_records: str = ""  # players may record no results and forecast none; empty where no rule says so
    damaged: str = ""  # a damaged card is replaced; empty where no rule says so
    worn: str = ""  # from a shoe the whole deck is, or the card alone if that is authorised
    loading: str = ""  # of a shuffler that keeps its cards, as are the next three
    kept: str = ""  # they stay in it
    extracting: str = ""
    lid: str = ""


class OtherReading(msgspec.Struct, frozen=True):
    """Another reading of an article, as defensible as the one decided and of another outcome in money.

    The house chooses it by its `key` in the configuration's [rules]. `says` is the rule that then applies, `odds` its
    effect on the odds, as whole sentences.
    """

    key: str
    article: str
    says: str
    odds: str

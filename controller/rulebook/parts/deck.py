"""The cards of a game, how they are prepared, and when a shoe has to be filled again. No I/O here."""

import msgspec

from controller.rulebook.cards import Card, is_card, parse_cards
from controller.rulebook.citations import CARDS_OF_A_DECK, Citations
from controller.rulebook.events import CardSource, Deal, Left, Terms
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Reason, Refusal
from controller.rulebook.roles import People
from controller.rulebook.round import Round
from controller.rulebook.steps import Step, StepKind


class ShoeDecks(msgspec.Struct, frozen=True):
    """The shoe of a game that deals from it for many rounds: the number of decks, and how often each card came out.

    `one_more`: its cut card is out, but one more round is played (black-jack 11). `drawn` is how many cards left it;
    `warning` how many are behind its warning card, 0 if not known (9), or behind its cut card (Fortune 8, 2.º 1).
    """

    decks: int = 0
    cut_card_out: bool = False
    one_more: bool = False
    burned: bool = False
    seen: dict[str, int] = {}
    drawn: int = 0
    warning: int = 0

    @property
    def left(self) -> int:
        """The number of cards in it, according to the reports received."""
        return self.decks * CARDS_OF_A_DECK - self.drawn


class Deck:
    """Cards that are shuffled, cut and put into the shoe for each round; anyone at the table may cut them.

    `numbers` are the decks that a table may play with. `stopper` is the card that ends a shoe. The dealer
    announces one of the `deals`, where there are any. One of the `early_deals` holds where a card comes before that.
    """

    numbers: tuple[int, ...] = (1,)
    stopper: str = "cut_card"
    deals: tuple[Deal, ...] = ()
    early_deals: tuple[Deal, ...] = ("every_space",)

    def __init__(self, citations: Citations) -> None:
        self.citations = citations

    def pieces(self, terms: Terms) -> int:
        """The number of cards to be shuffled."""
        return terms.decks * CARDS_OF_A_DECK

    def copies(self, terms: Terms, piece: Card) -> int:
        """The number of copies of a card in the decks."""
        return terms.decks

    def knows(self, piece: Card) -> bool:
        """Whether the card exists."""
        return is_card(piece)

    def read(self, text: str, who: str) -> tuple[Card, ...]:
        """Reads cards from a text. Raises Refusal, blaming `who`."""
        return parse_cards(text, who)

    def refuse_count(self, terms: Terms, count: int) -> None:
        """Raises Refusal for another number of cards than there are."""
        whole, material = self.pieces(terms), self.citations.material
        if count != whole:
            if terms.decks == 1:
                raise Refusal("table", LawReason.NO_DECK, material, count=count, whole=whole)
            raise Refusal("table", LawReason.NO_DECKS, material, count=count, decks=terms.decks, whole=whole)

    def is_announced(self) -> bool:
        """Whether the dealer announces a deal before the first card."""
        return bool(self.deals)

    def refuse_deal(self, deal: Deal) -> None:
        """Raises Refusal for a deal that this game does not have."""
        if deal not in self.deals:
            known = " or ".join(self.deals)
            raise Refusal("deal", LawReason.NO_SUCH_DEAL, self.citations.deal, deals=known, deal=deal)

    # ---- its preparation

    def preparations(self, round: Round) -> list[StepKind]:
        """The preparations that are still due, in order."""
        return self.shuffling(round) + self.cutting(round)

    def shuffling(self, round: Round) -> list[StepKind]:
        """The shuffle, if it is still due."""
        return [] if round.shuffled else ["shuffle"]

    def cutting(self, round: Round) -> list[StepKind]:
        """The cut, if it is still due; a shuffler's cards are not cut."""
        return [] if round.cut or round.terms.source == "shuffler" else ["cut"]

    def refuse_cutter(self, by: str, seat: int | None) -> None:
        """Raises Refusal for a person who may never cut in this game."""
        if by != "bank" and seat is None:
            raise Refusal("by", LawReason.WHO_CUTS, self.citations.cut)

    def why_not_cut(self, round: Round, seat: int | None) -> Reason | None:
        """The reason why a seat (None: the bank) may not cut now; None if it may."""
        return None

    def cutters(self, people: People) -> list[str]:
        """The persons, with their roles, of whom one cuts for the bank and is named; empty if no rule requires a
        name.
        """
        return []

    def prompt(self, step: Step, source: CardSource) -> str:
        """The key of the prompt about the cards: to shuffle, to cut, or to clear them away."""
        return step.kind if step.kind == "cut" else f"{step.kind}/{source}"

    def beside(self) -> dict[StepKind, tuple[str, ...]]:
        """The actions that a screen offers at a step of the preparation, in addition to its answer."""
        return {"shuffle": ("cut",), "cut": ("seat",)}

    # ---- a shoe that is kept

    def is_kept(self, source: CardSource) -> bool:
        """Whether many rounds are dealt from the shoe."""
        return False

    def after_cut(self, shoe: ShoeDecks, terms: Terms) -> ShoeDecks:
        """The shoe once the cards of these terms are cut."""
        return shoe

    def is_ready(self, shoe: ShoeDecks, terms: Terms, left: Left | None) -> bool:
        """Whether the next round is dealt from the cards that the last one `left`, without preparation."""
        return False

    def is_overdue(self, shoe: ShoeDecks) -> bool:
        """Whether the cut card should have come out, by the number of cards drawn."""
        return False

    def is_misplaced(self, shoe: ShoeDecks) -> bool:
        """Whether the cut card came out too far from its place."""
        return False

    def allows_one_more(self, in_round: bool) -> bool:
        """Whether a round is still played after the cut card came out, in a round or between two."""
        return False


class CutFirst(Deck):
    """Cards that the bank cuts before they are shuffled."""

    def preparations(self, round: Round) -> list[StepKind]:
        return self.cutting(round) + self.shuffling(round)

    def refuse_cutter(self, by: str, seat: int | None) -> None:
        if by != "bank":
            raise Refusal("by", LawReason.BANK_CUTS, self.citations.cut)

    def beside(self) -> dict[StepKind, tuple[str, ...]]:
        return {"cut": ("shuffled",)}

    def prompt(self, step: Step, source: CardSource) -> str:
        if step.kind == "shuffle" and source == "shoe":
            return "shuffle/into_shoe"
        return "cut/bank" if step.kind == "cut" else super().prompt(step, source)


class KeptDeck(Deck):
    """Cards that stay in the shoe for many rounds, until its cut card comes out.

    `behind` cards are behind that card, 0 if no rule gives a number. A hand may miss the place by `near_enough` cards.
    """

    behind: int = 0
    near_enough: int = 0

    def prompt(self, step: Step, source: CardSource) -> str:
        kept = step.kind != "claims" or self.is_kept(source)
        return f"{step.kind}/kept" if kept else super().prompt(step, source)

    def is_kept(self, source: CardSource) -> bool:
        return source == "shoe"

    def after_cut(self, shoe: ShoeDecks, terms: Terms) -> ShoeDecks:
        return ShoeDecks(decks=terms.decks, warning=self.behind)

    def is_ready(self, shoe: ShoeDecks, terms: Terms, left: Left | None) -> bool:
        return self.is_kept(terms.source) and not self.is_overdue(shoe) and self.is_filled(shoe, terms)

    def is_filled(self, shoe: ShoeDecks, terms: Terms) -> bool:
        """Whether the source has the cards of these terms, and the cut card allows another round."""
        return shoe.decks == terms.decks and (shoe.one_more or not shoe.cut_card_out)

    def is_overdue(self, shoe: ShoeDecks) -> bool:
        return bool(shoe.warning) and not shoe.cut_card_out and shoe.left < shoe.warning - self.near_enough

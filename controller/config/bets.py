"""The bets that were authorised beside those of the regulation, in the configuration file."""

from controller.config.section import Section
from controller.rulebook.cards import DECK, RANKS, SUITS, Card
from controller.rulebook.game import Game
from controller.rulebook.house import AddedBet, Authorisation, Pays
from controller.rulebook.refusal import Refusal

LONGEST_NAME = 40  # characters
MOST_TO_ONE = 10**9
# What may be authorised and is played nowhere: the errata of docs/law/fortune-8.md say why.
NOT_ON_SEVERAL = "a bet on the card of its space: no text says at which space, and in which deal, another is"
NO_BONUS = "nothing: no text says to which prize, and how, a bonus is added"
OF_SEVERAL = ("spaces", "cards", "ranks", "suits", "decks")


def read_bets(wagers: Section, game: Game) -> tuple[tuple[AddedBet, ...], tuple[Authorisation, ...]]:
    """Each bet with its authorisation; they are described as `certify --paytable` reads them."""
    added_by = game.betting.added_by
    if not added_by:
        return (), ()
    bets: list[AddedBet] = []
    authorisations: list[Authorisation] = []
    taken = set(game.betting.wagers)
    for section in wagers.tables("bet"):
        name = section.line("name")
        if name and (name in taken or len(name) > LONGEST_NAME):
            section.report("name", name, f"a name of its own, of at most {LONGEST_NAME} characters")
        taken.add(name)
        pays = tuple(_pays(table, game) for table in section.tables("pays"))
        if "spaces" in section:
            section.report("spaces", section.peek("spaces"), f"{NOT_ON_SEVERAL} ({added_by})")
            for key in OF_SEVERAL:
                section.skip(key)
        elif not pays and section.peek("pays") in (None, []):
            section.report("pays", section.peek("pays"), "sets of cards of one space, each with to_one")
        bets.append(AddedBet(name=name, pays=pays))
        authorisations.append(
            Authorisation(subject=name, reference=section.line("reference"), date=section.date("date"))
        )
        section.end()
    if "bonus" in wagers:
        wagers.report("bonus", wagers.peek("bonus"), f"{NO_BONUS} ({added_by})")
        wagers.skip("bonus")
    return tuple(bets), tuple(authorisations)


def _pays(section: Section, game: Game) -> Pays:
    pays = Pays(cards=_cards(section, game), to_one=section.integer("to_one", 1, MOST_TO_ONE))
    section.end()
    return pays


def _cards(section: Section, game: Game) -> tuple[Card, ...]:
    """Those of `cards`, or of the `ranks` and `suits` given, all ranks or suits where one is left out."""
    if "cards" in section:
        text = section.text("cards")
        try:
            return game.deck.read(text, "cards")
        except Refusal:
            section.report("cards", text, 'cards such as "8h 8d"')
            return ()
    ranks, suits = section.text("ranks", default=RANKS), section.text("suits", default=SUITS)
    if "ranks" not in section and "suits" not in section:
        section.report_missing("cards", "cards, or ranks, or suits")
    for key, text, known in (("ranks", ranks, RANKS), ("suits", suits, SUITS)):
        if not text or not set(text) <= set(known):
            section.report(key, text, f"some of {known}")
    return tuple(card for card in DECK if card[0] in ranks and card[1] in suits)

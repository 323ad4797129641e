"""The irregularities of a round: which of them void it, and under which article. No I/O here."""

from collections.abc import Iterator

from controller.rulebook.citations import UNREAD_CARDS
from controller.rulebook.events import CardsExposed, CardsSetAside
from controller.rulebook.fortune_3_card_poker.reasons import ThreeCardReason
from controller.rulebook.fortune_3_card_poker.table_rules import EXPOSED_BY_PLAYER, TableRules
from controller.rulebook.game import Exposure
from controller.rulebook.packets import packets_of
from controller.rulebook.refusal import Refusal, because
from controller.rulebook.report import Irregularity
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_of, seat_place


def exposure(round: Round, place: str, count: int, table: TableRules) -> Exposure:
    """The effect of `count` exposed cards at a place, visible or not, together with cards exposed before."""
    exposed = CardsExposed(to=place, count=count)
    if place == "bank":
        return Exposure((exposed,), (table.bank_exposed, because(ThreeCardReason.BANK_CARD_SEEN)))
    if seat_of(place) is None or table.players_exposed_at_most is None:
        return Exposure((exposed,))
    players = count + _seen_of_players(round, place)
    if players <= table.players_exposed_at_most:
        return Exposure((exposed,))
    return Exposure((exposed,), (table.players_exposed, because(ThreeCardReason.PLAYERS_CARDS_SEEN, cards=players)))


def _seen_of_players(round: Round, place: str) -> int:
    """The cards that 17.º 1 3) counts: those of all players, or by another reading those of this place."""
    seen = packets_of(round).exposed
    if round.terms.reads_otherwise(EXPOSED_BY_PLAYER):
        return seen.get(place, 0)
    return sum(count for at, count in seen.items() if seat_of(at) is not None)


def left_out(place: str, draws: tuple[int, ...], which: tuple[int, ...], table: TableRules) -> Exposure:
    """The bank's exposed cards are set aside, face up; `which` counts `draws` from 1 (2008: 11.º 2))."""
    if not which or len(set(which)) != len(which) or not all(1 <= number <= len(draws) for number in which):
        raise Refusal(place, ThreeCardReason.SAY_WHICH, table.bank_left_out, there=len(draws))
    found = tuple(draws[number - 1] for number in sorted(which))
    return Exposure((CardsExposed(to=place, count=len(found)), CardsSetAside(to=place, draws=found)))


def irregularities(round: Round, keyed_in: tuple[str, ...], table: TableRules) -> Iterator[Irregularity]:
    """The irregularities: cards seen while dealt, null cards, and the places `keyed_in` because of unread cards."""
    most = table.players_exposed_at_most
    articles = {"bank": table.bank_exposed or table.bank_left_out, "community": "policy: community cards seen"}
    for place, count in packets_of(round).exposed.items():
        borne = most is None or _seen_of_players(round, place) <= most
        of_players = table.player_exposed if borne else table.players_exposed
        yield Irregularity("exposed", place, articles.get(place, of_players), count)
    for dealt in round.dealt:
        if dealt.null is not None:
            yield Irregularity("empty_seat", seat_place(dealt.null), table.citations.null_cards)
    for place in keyed_in:
        yield Irregularity("keyed_in", place, UNREAD_CARDS)

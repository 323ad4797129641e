"""Tiles dealt by hand, and four of them turned as their player laid them: Taiwan-Pai Kao. No I/O here."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from controller.engine.decisions import bank
from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.cards import Reveal, RevealAll, one_by_one, refuse_another_place, settle_if_complete
from controller.engine.decisions.corrections import Corrections, rows_of
from controller.engine.decisions.decision import Course, Input, Row, When, at
from controller.engine.decisions.void import void
from controller.engine.reasons import TableReason
from controller.engine.state.persons import CorrectCards, CorrectDice, PersonInput
from controller.rulebook.cards import Card
from controller.rulebook.citations import COMPLETE_DECK, UNREAD_CARDS
from controller.rulebook.corrected import CardsCorrected, Corrected, DiceCorrected
from controller.rulebook.events import CardsCounted, CardsDealt, CardsShown
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Refusal, because
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_of
from controller.rulebook.taiwan_pai_kao.arrange import arrange, put_right
from controller.rulebook.taiwan_pai_kao.live import TILES
from controller.rulebook.taiwan_pai_kao.state import PlacesRound, tiles_of
from controller.rulebook.taiwan_pai_kao.tiles import Tile, refuse_beyond_copies

Values = Sequence[Card | None]


class TilesDealt(PersonInput, frozen=True):
    """All tiles that are still due lie at their places, and the station heard of none of them."""


def tiles_dealt(course: Course, input: TilesDealt) -> None:
    """All tiles still due lie at their places, and no reader told of them."""
    while to := course.game.next_places(course.round):
        draw = course.round.draws + 1
        course.draw({draw: None})
        course.record(CardsDealt(draws=(draw,), places=to, unread=(draw,), unheard=True))
    course.record(CardsCounted(count=course.round.draws, unread=(), actor=input.actor))


def turned(course: Course, input: Reveal) -> None:
    """The four tiles of the place that is due are turned. Raises Refusal; none names a tile that lies face down."""
    refuse_another_place(course, input)
    round, vault = course.round, course.vault
    draws = game_of(round).draws_at(round, input.to)
    read = [vault.get(draw) for draw in draws]
    if _too_often(round, vault.values()):
        corrected = any(one.what == "cards" for one in round.corrections)
        if corrected or any(vault.get(draw) is not None for draw in round.unread):
            # A person may have keyed it in wrongly, and can put it right; a tile that was read cannot be.
            raise Refusal(input.to, TableReason.TILE_TOO_OFTEN_OR_KEYED, COMPLETE_DECK)
        void(course, COMPLETE_DECK, because(TableReason.TILE_TOO_OFTEN))
        return
    if input.cards is None:
        if None in read:
            raise Refusal(input.to, TableReason.KEY_IN_FOUR, UNREAD_CARDS)
        best = arrange([Tile(tile) for tile in read if tile is not None])
        laid = tuple(map(Card, (*best.front.tiles, *best.rear.tiles)))
    else:
        laid = laid_tiles(round, input.to, input.cards, read)
    keyed = keyed_values(laid, draws, read)
    course.draw(keyed)
    course.record(CardsShown(to=input.to, cards=laid, keyed_in=bool(keyed)))
    tell_if_rearranged(course, input.to, laid)
    settle_if_complete(course)


def laid_tiles(round: Round, place: str, text: str, read: Values) -> tuple[Card, ...]:
    """Four tiles as they lie, front pair then rear pair, those that were read among them. Raises Refusal."""
    game = game_of(round)
    laid = game.deck.read(text, place)
    if len(laid) != TILES:
        raise Refusal(place, TableReason.TILES_LIE_THERE, game.citations.show, there=TILES, keyed=len(laid))
    if Counter(tile for tile in read if tile is not None) - Counter(laid):
        raise Refusal(place, TableReason.OTHER_TILES, UNREAD_CARDS)
    elsewhere = [(at, map(Tile, tiles)) for at, tiles in round.play.shown.items() if at != place]
    refuse_beyond_copies([("table", tiles_of(round).used), *elsewhere, (place, map(Tile, laid))])
    return laid


def keyed_values(laid: Sequence[Card], draws: Sequence[int], read: Values) -> dict[int, Card | None]:
    """The tiles that nobody had read, by draw; which of them is which nobody knows, nor has to."""
    return changed_values(laid, dict(zip(draws, read, strict=True)))


def changed_values(laid: Sequence[Card], known: Mapping[int, Card | None]) -> dict[int, Card | None]:
    """The draws that had another value than any of these tiles, with the one that they have now."""
    left = Counter(laid)
    others = []
    for draw, tile in known.items():
        if tile is not None and left[tile]:
            left[tile] -= 1
        else:
            others.append(draw)
    return dict(zip(others, left.elements(), strict=True))


def tell_if_rearranged(course: Course, place: str, laid: Sequence[Card]) -> None:
    """The dealer puts pairs right whose rear is not the highest that can be (6.º b))."""
    front, rear = list(map(Tile, laid[:2])), list(map(Tile, laid[2:]))
    if put_right(front, rear).rearranged:
        course.tell("rearranged", seat_of(place))


def _too_often(round: Round, every: Iterable[Card | None]) -> bool:
    came = Counter([*(tile for tile in every if tile is not None), *map(Card, tiles_of(round).used)])
    return any(count > game_of(round).deck.copies(round.terms, tile) for tile, count in came.items())


class PlacesCorrections(Corrections):
    """Tiles lie as their player laid them, and dice are numbers that somebody entered."""

    def dice(self, round: Round, input: CorrectDice) -> DiceCorrected:
        return bank.corrected_dice(round, input.dice)

    def replaced(
        self, course: Course, input: CorrectCards, shown: Mapping[int, Card], read: Values
    ) -> tuple[Card, ...]:
        laid = laid_tiles(course.round, input.to, input.cards, read)
        course.draw(changed_values(laid, {draw: course.vault.get(draw) for draw in shown}))
        return laid

    def follow(self, course: Course, before: Round, corrected: Corrected) -> None:
        if isinstance(corrected, CardsCorrected):
            tell_if_rearranged(course, corrected.at, corrected.after)


PLAY = PlacesRound
OTHERWISE: dict[type[Input], Row] = {
    PlaceWager: Row(bank.bet, When("`wagers`")),
    Reveal: Row(turned, at("reveal")),
    RevealAll: Row(one_by_one(turned), at("reveal")),
    **rows_of(PlacesCorrections()),
}
"""What is decided otherwise where tiles lie at places and one of them holds the bank."""


ROWS: dict[type[Input], Row] = {TilesDealt: Row(tiles_dealt, at("deal"))}

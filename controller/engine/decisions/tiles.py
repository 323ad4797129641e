"""Taiwan-Pai Kao: the bank, the dice, the tiles as they are dealt by hand, and the pairs that are placed.

No I/O here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from controller.engine.decisions.betting import PlaceWager, place_wager
from controller.engine.decisions.decision import REPORT, Course, Input, Row, When, at
from controller.engine.decisions.played import CorrectedPlay, Reveal, RevealAll, one_by_one, refuse_another_place
from controller.engine.decisions.settling import settle_if_complete, void
from controller.engine.reasons import TableReason
from controller.engine.state.current import refuse_unless, refuse_when_over
from controller.engine.state.persons import CorrectCards, CorrectDice, PersonInput
from controller.rulebook.cards import Card
from controller.rulebook.citations import COMPLETE_DECK, UNREAD_CARDS
from controller.rulebook.corrected import CardsCorrected, Corrected, DiceCorrected
from controller.rulebook.events import CardsCounted, CardsDealt, CardsShown
from controller.rulebook.games import game_of, step_of
from controller.rulebook.refusal import CORRECTIONS as POLICY
from controller.rulebook.refusal import Refusal, because, quoted
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_of, seat_place
from controller.rulebook.taiwan_pai_kao.articles import (
    BEFORE_THE_DICE,
    CAPITAL,
    NO_ONE,
    ORDER_CHANGED,
    PLACES,
    WHO_SHAKES,
)
from controller.rulebook.taiwan_pai_kao.events import (
    BankPassed,
    BankTaken,
    DiceAnnulled,
    DiceThrown,
    FormAnnounced,
    HandsSet,
    TilesMoved,
)
from controller.rulebook.taiwan_pai_kao.live import TILES
from controller.rulebook.taiwan_pai_kao.pairs import arrange, correct_pairs
from controller.rulebook.taiwan_pai_kao.places import check_dice
from controller.rulebook.taiwan_pai_kao.state import PlacesRound, tiles_of
from controller.rulebook.taiwan_pai_kao.tiles import Tile, refuse_beyond_copies
from controller.rulebook.taiwan_pai_kao.turn import check_pass, check_take, offered

PLAYERS_WHO_MOVE = 2
LONGEST_FORM = 40  # characters
BANKER = "bank"
Values = Sequence[Card | None]


# ---- the bank and the dice


def bet(course: Course, input: PlaceWager) -> None:
    """A wager, placed or taken back before the bets are closed (2.º g))."""
    round = course.table.round
    if round is not None and round.locked:
        raise Refusal(seat_place(input.seat), TableReason.BETS_CLOSED, BEFORE_THE_DICE)
    refuse_unless(course.table, "wagers")
    place_wager(course, input)


class TakeBank(PersonInput, frozen=True):
    """A place takes the bank (Taiwan-Pai Kao, 5.º); minor units. `agreed` are the places that agree to a third.

    `bet_elsewhere`: its player bet in the round before on other places, or joined the bank (5.º b)).
    """

    place: int
    capital: int
    casino: int = 0
    agreed: tuple[int, ...] = ()
    bet_elsewhere: bool = False


def take(course: Course, input: TakeBank) -> None:
    """A place takes the bank, with its capital on the table (5.º a) to e))."""
    round = course.round
    agreed = tuple(sorted(set(input.agreed)))
    for place in agreed:
        if not 1 <= place <= round.terms.seat_count:
            raise Refusal(
                "agreed", TableReason.NO_PLACE_OF_TABLE, PLACES, place=quoted(place), places=round.terms.seat_count
            )
    bank = (input.place, input.capital, input.casino, agreed, input.bet_elsewhere)
    check_take(tiles_of(round), _places(round), *bank)
    course.record(BankTaken(*bank, actor=input.actor))


class PassBank(PersonInput, frozen=True):
    """The place that was asked does not take the bank (Taiwan-Pai Kao, 5.º b)). `absent`: no one sits there."""

    place: int
    absent: bool = False


def passed(course: Course, input: PassBank) -> None:
    """The place that was asked does not take the bank; after every place has been asked, no one does."""
    places = _places(course.round)
    check_pass(tiles_of(course.round), places, input.place)
    course.record(BankPassed(seat=input.place, absent=input.absent, actor=input.actor))
    if offered(tiles_of(course.round), places) is None:
        void(course, NO_ONE, because(TableReason.NO_ONE_TAKES_BANK))


class AnnounceForm(PersonInput, frozen=True):
    """The banker has announced how the tiles are distributed (Taiwan-Pai Kao, 5.º c)); his words, if written down."""

    by: int
    form: str = ""


def form_announced(course: Course, input: AnnounceForm) -> None:
    """The banker has announced how the tiles are distributed, before the dice (5.º c))."""
    banker = course.step.seat
    if banker is None:
        raise TypeError("no one has the bank")
    if input.by != banker:
        raise Refusal(seat_place(input.by), TableReason.NO_ONE_ANNOUNCES, CAPITAL, place=banker)
    if len(input.form) > LONGEST_FORM or not input.form.isprintable():
        raise Refusal("form", TableReason.STATEMENT_OF_BANKER, CAPITAL, most=LONGEST_FORM)
    course.record(FormAnnounced(form=input.form.strip(), seat=input.by, actor=input.actor))


class Dice(PersonInput, frozen=True):
    """The four dice, as the banker's place shook them (Taiwan-Pai Kao, 2.º b))."""

    by: int
    dice: tuple[int, ...]


def thrown(course: Course, input: Dice) -> None:
    """The banker has shaken the dice (2.º b))."""
    _check_banker(course.round, input.by)
    course.record(DiceThrown(dice=check_dice(input.dice), seat=input.by, actor=input.actor))


class DiceNull(PersonInput, frozen=True):
    """A die is cocked or jumped out: they are shaken again (Taiwan-Pai Kao, 2.º e))."""

    by: int


def annulled(course: Course, input: DiceNull) -> None:
    """A die was cocked or jumped out, and the banker shakes them again (2.º e))."""
    _check_banker(course.round, input.by)
    course.record(DiceAnnulled(seat=input.by, actor=input.actor))


class ReportTilesMoved(PersonInput, frozen=True, tag="tiles_moved"):
    """A player (``seat 5``) or the ``bank`` has changed the order of the tiles. Answers ``<round>/report``.

    Taiwan-Pai Kao, 2.º f).
    """

    by: str


def moved(course: Course, input: ReportTilesMoved) -> None:
    """The order of the tiles is changed before the dice: by two players at most, then by the banker (2.º f)).

    A null throw counts as a throw.
    """
    refuse_unless(course.table, "wagers", "dice")
    round = course.round
    state, place = tiles_of(round), seat_of(input.by)
    if state.bank is None:
        raise TypeError("no one has the bank")
    if input.by != BANKER and place is None:
        raise Refusal("by", TableReason.WHO_CHANGES_ORDER, ORDER_CHANGED)
    if place is not None:
        game_of(round).check_seat(round, place)
    if place == state.bank.seat:
        raise Refusal(input.by, TableReason.IS_THE_BANKER, ORDER_CHANGED)
    if state.null_dice:
        raise Refusal(input.by, TableReason.DICE_SHAKEN, ORDER_CHANGED)
    if BANKER in state.moved:
        raise Refusal(input.by, TableReason.BANKER_CHANGED_ORDER, ORDER_CHANGED)
    if input.by in state.moved:
        raise Refusal(input.by, TableReason.CHANGED_ORDER, ORDER_CHANGED)
    if place is not None and len(state.moved) >= PLAYERS_WHO_MOVE:
        raise Refusal(input.by, TableReason.PLAYERS_CHANGED_ORDER, ORDER_CHANGED, players=PLAYERS_WHO_MOVE)
    course.record(TilesMoved(by=input.by, actor=input.actor))


class Arranged(PersonInput, frozen=True):
    """Every place has placed its two pairs (Taiwan-Pai Kao, 6.º a))."""


def arranged(course: Course, input: Arranged) -> None:
    """Every place has placed its pairs (6.º a))."""
    course.record(HandsSet(actor=input.actor))


def corrected_dice(round: Round, dice: tuple[int, ...]) -> DiceCorrected:
    """The dice are corrected before a tile is shown: tiles stay where they are, and the first place follows from the
    new numbers.
    """
    state = tiles_of(round)
    if state.bank is None or not state.dice or round.play.shown:
        raise Refusal("dice", TableReason.DICE_ARE_FINAL if round.play.shown else TableReason.NO_DICE, POLICY)
    return DiceCorrected(state.bank.seat, before=state.dice, after=check_dice(dice))


def _check_banker(round: Round, by: int) -> None:
    banker = step_of(round).seat
    if banker is None:
        raise TypeError("no one has the bank")
    if by != banker:
        raise Refusal(seat_place(by), TableReason.BANKER_SHAKES, WHO_SHAKES, place=banker)


def _places(round: Round) -> int:
    return len(game_of(round).seats_dealt(round))


# ---- the tiles


class TilesDealt(PersonInput, frozen=True):
    """All remaining tiles are at their places, and the reader reported none of them."""


def tiles_dealt(course: Course, input: TilesDealt) -> None:
    """Records that all remaining tiles are at their places without a report of the reader."""
    while to := course.game.next_places(course.round):
        draw = course.round.draws + 1
        course.draw({draw: None})
        course.record(CardsDealt(draws=(draw,), places=to, unread=(draw,), unreported=True))
    course.record(CardsCounted(count=course.round.draws, unread=(), actor=input.actor))


def turn_tiles(course: Course, input: Reveal) -> None:
    """The four tiles of the place that is due are turned. Raises Refusal; none names a tile that is face down."""
    refuse_another_place(course, input)
    round, vault = course.round, course.vault
    draws = game_of(round).draws_at(round, input.to)
    read = [vault.get(draw) for draw in draws]
    if _too_often(round, vault.values()):
        corrected = any(correction.what == "cards" for correction in round.corrections)
        if corrected or any(vault.get(draw) is not None for draw in round.unread):
            # A person may have keyed it in wrongly, and can correct it; a tile that was read cannot be.
            raise Refusal(input.to, TableReason.TILE_TOO_OFTEN_OR_KEYED, COMPLETE_DECK)
        void(course, COMPLETE_DECK, because(TableReason.TILE_TOO_OFTEN))
        return
    if input.cards is None:
        if None in read:
            raise Refusal(input.to, TableReason.KEY_IN_FOUR, UNREAD_CARDS)
        best = arrange([Tile(tile) for tile in read if tile is not None])
        placed = tuple(map(Card, (*best.front.tiles, *best.rear.tiles)))
    else:
        placed = placed_tiles(round, input.to, input.cards, read)
    # Which of the tiles that no device read is which, no one knows or has to know.
    keyed = changed_values(placed, dict(zip(draws, read, strict=True)))
    course.draw(keyed)
    course.record(CardsShown(to=input.to, cards=placed, keyed_in=bool(keyed)))
    notify_if_rearranged(course, input.to, placed)
    settle_if_complete(course)


def placed_tiles(round: Round, place: str, text: str, read: Values) -> tuple[Card, ...]:
    """The four tiles of a place, front pair then rear pair, checked against those that were read. Raises Refusal."""
    game = game_of(round)
    placed = game.deck.read(text, place)
    if len(placed) != TILES:
        raise Refusal(place, TableReason.TILES_ARE_THERE, game.citations.show, there=TILES, keyed=len(placed))
    if Counter(tile for tile in read if tile is not None) - Counter(placed):
        raise Refusal(place, TableReason.OTHER_TILES, UNREAD_CARDS)
    elsewhere = [(at, map(Tile, tiles)) for at, tiles in round.play.shown.items() if at != place]
    refuse_beyond_copies([("table", tiles_of(round).used), *elsewhere, (place, map(Tile, placed))])
    return placed


def changed_values(placed: Sequence[Card], known: Mapping[int, Card | None]) -> dict[int, Card | None]:
    """The draws whose value is not among these tiles, each with its corrected value."""
    left = Counter(placed)
    others = []
    for draw, tile in known.items():
        if tile is not None and left[tile]:
            left[tile] -= 1
        else:
            others.append(draw)
    return dict(zip(others, left.elements(), strict=True))


def notify_if_rearranged(course: Course, place: str, placed: Sequence[Card]) -> None:
    """Notifies the dealer of pairs that had to be corrected, since a higher rear pair was possible (6.º b))."""
    front, rear = list(map(Tile, placed[:2])), list(map(Tile, placed[2:]))
    if correct_pairs(front, rear).rearranged:
        course.notify("rearranged", seat_of(place))


def _too_often(round: Round, every: Iterable[Card | None]) -> bool:
    came = Counter([*(tile for tile in every if tile is not None), *map(Card, tiles_of(round).used)])
    return any(count > game_of(round).deck.copies(round.terms, tile) for tile, count in came.items())


class PlacesCorrected(CorrectedPlay):
    """Corrections at Taiwan-Pai Kao: of tiles as their player placed them, and of dice as they were entered."""

    def dice(self, round: Round, input: CorrectDice) -> DiceCorrected:
        return corrected_dice(round, input.dice)

    def replaced(
        self, course: Course, input: CorrectCards, shown: Mapping[int, Card], read: Values
    ) -> tuple[Card, ...]:
        placed = placed_tiles(course.round, input.to, input.cards, read)
        course.draw(changed_values(placed, {draw: course.vault.get(draw) for draw in shown}))
        return placed

    def follow(self, course: Course, before: Round, corrected: Corrected) -> None:
        if isinstance(corrected, CardsCorrected):
            notify_if_rearranged(course, corrected.at, corrected.after)


PLAY, CORRECTED = PlacesRound, PlacesCorrected()
OTHERWISE: dict[type[Input], Row] = {
    PlaceWager: Row(bet, When("`wagers`")),
    Reveal: Row(turn_tiles, at("reveal")),
    RevealAll: Row(one_by_one(turn_tiles), at("reveal")),
}
"""The rows that differ where tiles are at places and a place has the bank."""


ROWS: dict[type[Input], Row] = {
    TakeBank: Row(take, at("bank")),
    PassBank: Row(passed, at("bank")),
    AnnounceForm: Row(form_announced, at("form")),
    Dice: Row(thrown, at("dice")),
    DiceNull: Row(annulled, at("dice")),
    Arranged: Row(arranged, at("arrange")),
    ReportTilesMoved: Row(moved, When("`wagers`, `dice`", refuse_when_over), answers=REPORT, play=PlacesRound),
    TilesDealt: Row(tiles_dealt, at("deal"), play=PlacesRound),
}

"""The bank offered and taken, the dice, the order of the tiles, and the pairs laid: Taiwan-Pai Kao. No I/O here."""

from collections.abc import Iterator

from controller.engine import inputs as heard
from controller.engine.decide_void import void
from controller.engine.due import refuse_unless, require
from controller.engine.events import Event
from controller.engine.table import Table, fold
from controller.rulebook.answers import POLICY
from controller.rulebook.events import InputCorrected
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.round import Round, tiles_of
from controller.rulebook.steps import seat_of, seat_place
from controller.rulebook.taiwan_pai_kao.articles import NOBODY, ORDER_CHANGED, PLACES, WHO_SHAKES
from controller.rulebook.taiwan_pai_kao.events import (
    BankPassed,
    BankTaken,
    DiceAnnulled,
    DiceThrown,
    HandsSet,
    TilesMoved,
)
from controller.rulebook.taiwan_pai_kao.places import check_dice
from controller.rulebook.taiwan_pai_kao.turn import check_pass, check_take, offered

PLAYERS_WHO_MOVE = 2
BANKER = "bank"


def take(table: Table, input: heard.TakeBank) -> Iterator[Event]:
    """A place takes the bank, with its capital on the table (5.º a) to e))."""
    round = require(table, "bank")
    agreed = tuple(sorted(set(input.agreed)))
    for place in agreed:
        if not 1 <= place <= round.terms.seats:
            raise Refusal("agreed", f"{quoted(place)} is no place; places are 1 to {round.terms.seats}", PLACES)
    check_take(tiles_of(round), _places(round), input.place, input.capital, input.casino, agreed)
    yield BankTaken(place=input.place, capital=input.capital, casino=input.casino, agreed=agreed, actor=input.actor)


def passed(table: Table, input: heard.PassBank) -> Iterator[Event]:
    """The place that is asked does not take the bank; when it has come round, nobody does."""
    round = require(table, "bank")
    check_pass(tiles_of(round), _places(round), input.place)
    answer = BankPassed(place=input.place, absent=input.absent, actor=input.actor)
    yield answer
    after = fold(table, (answer,))
    if after.round is not None and offered(tiles_of(after.round), _places(after.round)) is None:
        yield from void(after, NOBODY, "nobody takes the bank")


def thrown(table: Table, input: heard.Dice) -> Iterator[Event]:
    """The banker has shaken the dice (2.º b))."""
    _check_banker(require(table, "dice"), input.by)
    yield DiceThrown(dice=check_dice(input.dice), by=input.by, actor=input.actor)


def annulled(table: Table, input: heard.DiceNull) -> Iterator[Event]:
    """A die lay cocked or jumped out, and the banker shakes them again (2.º e))."""
    _check_banker(require(table, "dice"), input.by)
    yield DiceAnnulled(by=input.by, actor=input.actor)


def moved(table: Table, round: Round, input: heard.TilesMoved) -> Iterator[Event]:
    """The order of the tiles is changed before the dice: by two players at most, then by the banker (2.º f))."""
    refuse_unless(table, "wagers", "dice")
    state, place = tiles_of(round), seat_of(input.by)
    if state.bank is None:
        raise TypeError("nobody holds the bank")
    if input.by != BANKER and place is None:
        raise Refusal("by", 'a player or the banker changes the order: "seat 3", "bank"', ORDER_CHANGED)
    if place is not None:
        game_of(round).check_seat(round, place)
    if place == state.bank.place:
        raise Refusal(input.by, f'is the banker: say "{BANKER}"', ORDER_CHANGED)
    if BANKER in state.moved:
        raise Refusal(input.by, "the banker has changed the order: nobody does after him", ORDER_CHANGED)
    if input.by in state.moved:
        raise Refusal(input.by, "has changed the order already", ORDER_CHANGED)
    if place is not None and len(state.moved) >= PLAYERS_WHO_MOVE:
        raise Refusal(
            input.by, f"{PLAYERS_WHO_MOVE} players have changed the order: only the banker may", ORDER_CHANGED
        )
    yield TilesMoved(by=input.by, actor=input.actor)


def arranged(table: Table, actor: str) -> Iterator[Event]:
    """Every place has laid its pairs (6.º a))."""
    require(table, "arrange")
    yield HandsSet(actor=actor)


def corrected_dice(round: Round, dice: tuple[int, ...], actor: str, reason: str) -> InputCorrected:
    """Other numbers than were entered, while no tile is shown: they lie where they lie, and the places follow anew."""
    state = tiles_of(round)
    if state.bank is None or not state.dice or round.shown:
        reason = "tiles are shown: the dice stand" if round.shown else "no dice were entered yet"
        raise Refusal("dice", reason, POLICY)
    place = seat_place(state.bank.place)
    before, after = (" ".join(map(str, thrown)) for thrown in (state.dice, check_dice(dice)))
    return InputCorrected("dice", place, before, after, actor, reason)


def _check_banker(round: Round, by: int) -> None:
    banker = game_of(round).next_step(round).seat
    if by != banker:
        raise Refusal(seat_place(by), f"nobody shakes the dice for the banker, place {banker}", WHO_SHAKES)


def _places(round: Round) -> int:
    return len(game_of(round).seats_dealt(round))

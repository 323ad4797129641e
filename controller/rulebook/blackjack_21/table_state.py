"""The state of a live round: the bets as they lie, then every card and answer in order. No I/O here."""

from collections.abc import Iterator

from msgspec import Struct

from controller.rulebook.blackjack_21.bets import Backer, Interest, SeatBet, decider
from controller.rulebook.blackjack_21.play import opened, with_answer, with_card
from controller.rulebook.blackjack_21.state import (
    BANK_PLACE,
    Answer,
    Decided,
    Followed,
    GaveUp,
    Insured,
    State,
    TookEvenMoney,
)
from controller.rulebook.blackjack_21.waits import CardDue, Wait, waits_for
from controller.rulebook.derived import derived
from controller.rulebook.events import AnswerGiven
from controller.rulebook.refusal import STEP_BY_STEP, Refusal
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_place

BOXES = BET, BACKING, VACANT = "bet", "backing", "vacant"
CHIP = "jackpot"
NOWHERE = 99  # the seat of a player who has none of his own: behind every other


class Followed21(Struct, frozen=True):
    """A round followed as far as it can be: a card that lies open and was not read stops it until it is keyed in.

    `places` are those of the draws, with the hand a card lay at when it came; `unread` is the draw that stops it.
    """

    state: State
    places: dict[int, tuple[str, int | None]]
    unread: int | None = None


@derived
def follow(round: Round) -> Followed21:
    """The state that the bets, cards and answers so far make."""
    state = opened(seat_bets(round))
    places: dict[int, tuple[str, int | None]] = {}
    for move in round.moves:
        if move.answer is not None:
            _check_whose(waits_for(state), move.answer)
            state = with_answer(state, answer_of(move.answer))
        elif move.draw is None:
            state = with_card(state, round.faces.get(hole_of(places)))
        else:
            wait = waits_for(state)
            if not isinstance(wait, CardDue):  # after a correction: what was drawn would have been drawn by nobody
                raise Refusal("table", "a card was drawn that would not have been due", STEP_BY_STEP)
            places[move.draw] = (wait.place, wait.hand)
            card = round.faces.get(move.draw) if wait.face_up else None
            if card is None and wait.face_up:
                return Followed21(state, places, unread=move.draw)
            state = with_card(state, card)
    return Followed21(state, places)


def _check_whose(wait: Wait, given: AnswerGiven) -> None:
    """Raises Refusal for an answer of another seat or hand than is asked: after a correction it may be."""
    asked = getattr(wait, "seat", None), getattr(wait, "hand", None)
    if asked != (given.seat, given.hand):
        raise Refusal(seat_place(given.seat), "it answered, and would not have been asked", STEP_BY_STEP)


def hole_of(places: dict[int, tuple[str, int | None]]) -> int:
    """The draw of the bank's second card."""
    return [draw for draw, (place, _) in places.items() if place == BANK_PLACE][1]


def seat_bets(round: Round) -> Iterator[SeatBet]:
    """What lies at each seat with a bet, ascending; at a vacant one the decider's bet comes first (16)."""
    seats = sorted(round.bets.items(), reverse=True)  # one who sits at two has the lower of them
    owners = {player: seat for seat, boxes in seats for player in boxes.get(BET, {}) if player}
    for seat, boxes in sorted(round.bets.items()):
        chip = round.terms.chip if seat in round.chips else 0
        own = dict(boxes.get(BET, {}))
        shared = {**boxes.get(BACKING, {}), **boxes.get(VACANT, {})}
        if not own and boxes.get(VACANT):
            interests = [Interest(player, bet, owners.get(player, NOWHERE)) for player, bet in shared.items()]
            first = decider(interests)
            own = {first.player: shared.pop(first.player)}
        if own or shared:
            backers = tuple(Backer(player, bet) for player, bet in shared.items())
            yield SeatBet(seat=seat, bet=sum(own.values()), backers=backers, chip=chip)


def player_of(round: Round, seat: int) -> str | None:
    """Whose bet decides at a seat, if he was named."""
    boxes = round.bets.get(seat, {})
    if boxes.get(BET):
        return next(iter(boxes[BET])) or None
    backers = {backer.player for laid in seat_bets(round) if laid.seat == seat for backer in laid.backers}
    shared = {**boxes.get(BACKING, {}), **boxes.get(VACANT, {})}
    return next((player for player in shared if player not in backers), None)


def answer_of(given: AnswerGiven) -> Answer:
    """An answer as the play of a round knows it."""
    match given.question:
        case "decision":
            return Decided(given.decision)
        case "give_up":
            return GaveUp(given.yes)
        case "even_money":
            return TookEvenMoney(given.yes)
        case "insurance":
            return Insured(given.amounts)
        case "follow":
            return Followed(given.who)

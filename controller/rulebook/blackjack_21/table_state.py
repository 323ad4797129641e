"""The play of a live round: the present bets, then each card and answer, followed as it comes. No I/O here."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from controller.rulebook.blackjack_21.answers import last_answered, reworded
from controller.rulebook.blackjack_21.bets import Backer, Interest, SeatBet, decider
from controller.rulebook.blackjack_21.events import (
    AnswerGiven,
    BankTurned,
    CardAnnulled,
    CardTaken,
    CardUncalled,
    UncalledSettled,
)
from controller.rulebook.blackjack_21.play import opened_round, with_answer, with_card
from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.blackjack_21.state import (
    BANK_PLACE,
    Decided,
    Followed,
    GaveUp,
    Insured,
    PlayerAnswer,
    RoundState,
    TookEvenMoney,
)
from controller.rulebook.blackjack_21.waits import CardDue, TurnDue, Wait, waits_for
from controller.rulebook.cards import Card
from controller.rulebook.corrected import CardsCorrected, Corrected, DecisionCorrected, SeatCorrected, corrected_by
from controller.rulebook.events import (
    BettingClosed,
    CardBurned,
    CardsDealt,
    CardsShown,
    CutPassed,
    DeckCut,
    IncrementEntered,
    InputCorrected,
    PlayEvent,
    SharedEvent,
    WagerPlaced,
    WarningCardPlaced,
)
from controller.rulebook.refusal import STEP_BY_STEP, Reason, Refusal
from controller.rulebook.round import Dealt, Play, Round, moved_places
from controller.rulebook.steps import seat_of, seat_place

BOXES = BET, BACKING, VACANT = "bet", "backing", "vacant"
CHIP = "jackpot"
NOWHERE = 99  # the seat of a player who has none of his own: behind every other


class Move(Struct, frozen=True):
    """One step of the play: a card drawn, an answer, or, with neither, the bank's second card turned."""

    draw: int | None = None
    answer: AnswerGiven | None = None


class Uncalled(Struct, frozen=True):
    """A card that no one asked for (18, 19), and its use; `seen` is None until the dealer has reported."""

    draw: int
    what: str
    to: str
    seen: bool | None = None
    taken: bool = False
    annulled: bool = False

    @property
    def waits(self) -> bool:
        """Whether the card waits for the next place that is due one: it is neither annulled nor taken."""
        return self.what == "unasked" and not (self.taken or self.annulled) and self.seen is not True


class Followed21(Struct, frozen=True):
    """The moves followed so far: `count` of them.

    An open card that was not read (the draw `unread`) stops it until the card is keyed in; a move that the rules refuse
    after a correction stops it for good. `places` are those of the draws, with the hand that each card came to.
    """

    state: RoundState = RoundState()
    places: dict[int, tuple[str, int | None]] = {}
    count: int = 0
    unread: int | None = None
    refused: tuple[str, Reason, str | None] | None = None


class HandsRound(Play, frozen=True, tag_field="kind", tag="hands"):
    """Hands that are played card by card: `moves` in their order, and `faces`, the cards shown, by draw.

    `followed` is the state after them. It is extended with every move, and computed again if bets or earlier moves
    change. `marked` is whose chips count at each seat; None if every counted chip belongs to the player who decides
    there. `increment` is the amount that the dealer put on the display for them, minor units (41 b)). `cut_after` is
    the seat that cut last, and `cut_passed` are the seats that passed (8). `warned`: the warning card is in its place
    (9). `burned`: a card was burned (10). `alone`: only one seat had a bet in the round before (9).
    """

    moves: tuple[Move, ...] = ()
    faces: dict[int, Card] = {}  # noqa: RUF012 each struct has its own
    uncalled: tuple[Uncalled, ...] = ()
    followed: Followed21 = Followed21()
    marked: dict[int, tuple[str, ...]] | None = None
    increment: int | None = None
    alone: bool = False
    cut_after: int = 0
    cut_passed: tuple[int, ...] = ()
    warned: bool = False
    burned: bool = False

    def prepared(self, ready: bool) -> "HandsRound":
        return replace(self, cut_passed=(), warned=ready, burned=ready)

    def advance(self, round: Round, event: SharedEvent | PlayEvent) -> Round:
        match event:
            case WagerPlaced():
                return replace(round, play=self.from_the_bets(round))
            case BettingClosed(marked=marked):
                # What was put on the display for other chips holds no longer (41 b)).
                increment = self.increment if marked == self.marked else None
                closed = replace(self, marked=marked, increment=increment)
                return replace(round, play=closed.from_the_bets(round))
            case CardsDealt(draws=draws):
                return self._moved(round, *map(Move, draws))
            case CardsShown(draws=draws, cards=cards):
                faces = {**self.faces, **dict(zip(draws, cards, strict=True))}
                return replace(round, play=_followed(replace(self, faces=faces)))
            case AnswerGiven():
                return self._moved(round, Move(answer=event))
            case BankTurned():
                return self._moved(round, Move())
            case CardUncalled(draw=draw, what=what, to=to):
                dealt = (*round.dealt, Dealt(draws=(draw,), order=None))
                uncalled = (*self.uncalled, Uncalled(draw=draw, what=what, to=to))
                return replace(round, dealt=dealt, play=replace(self, uncalled=uncalled))
            case UncalledSettled(draw=draw, seen=seen):
                return replace(round, play=self._with_fate(draw, seen=seen))
            case CardAnnulled(draw=draw):
                return replace(round, play=self._with_fate(draw, annulled=True))
            case CardTaken(draw=draw, unreadable=unread):
                unknown = (*round.unread, draw) if unread else round.unread
                return self._with_fate(draw, taken=True)._moved(replace(round, unread=unknown), Move(draw=draw))
            case DeckCut(by=by):
                return replace(round, play=replace(self, cut_after=seat_of(by) or 0))
            case CutPassed(seat=seat):
                return replace(round, play=replace(self, cut_passed=(*self.cut_passed, seat)))
            case WarningCardPlaced():
                return replace(round, play=replace(self, warned=True))
            case CardBurned():
                return replace(round, play=replace(self, burned=True))
            case IncrementEntered(amount=amount):
                return replace(round, play=replace(self, increment=amount))
            case InputCorrected():
                return replace(round, play=self._corrected(round, corrected_by(event)).from_the_bets(round))
            case _:
                return round

    def _moved(self, round: Round, *moves: Move) -> Round:
        return replace(round, play=_followed(replace(self, moves=(*self.moves, *moves))))

    def _with_fate(self, draw: int, **found: bool) -> "HandsRound":
        uncalled = tuple(replace(card, **found) if card.draw == draw else card for card in self.uncalled)
        return replace(self, uncalled=uncalled)

    def from_the_bets(self, round: Round) -> "HandsRound":
        """The play followed again from its beginning."""
        state = opened_round(seat_bets(replace(round, play=self)), round.terms.rules)
        return _followed(replace(self, followed=Followed21(state)))

    def _corrected(self, round: Round, corrected: Corrected) -> "HandsRound":
        match corrected:
            case DecisionCorrected(seat=seat, after=words, asked_again=asked_again):
                return self._answered_otherwise(seat, words, asked_again)
            case CardsCorrected(after=cards, draws=draws):
                return replace(self, faces={**self.faces, **dict(zip(draws, cards, strict=True))})
            case SeatCorrected(seat=seat, to=to):
                places = moved_places(round, seat, to)
                moves = tuple(_answered_for(to, move, seat) for move in self.moves)
                uncalled = tuple(replace(card, to=places.get(card.to, card.to)) for card in self.uncalled)
                return replace(self, moves=moves, uncalled=uncalled)
            case _:
                return self

    def _answered_otherwise(self, seat: int, words: str, asked_again: int) -> "HandsRound":
        """The play with another last answer of the seat to that question, without `asked_again` answers after it."""
        moves = list(self.moves[: len(self.moves) - asked_again])
        at = last_answered([move.answer for move in moves], seat, words)
        given = moves[at].answer
        if given is not None:
            moves[at] = Move(answer=reworded(given, words))
        return replace(self, moves=tuple(moves))


def hands_of(round: Round) -> HandsRound:
    """The hands of a round. Raises TypeError for a game without them."""
    if not isinstance(round.play, HandsRound):
        raise TypeError(f"{round.terms.game} asks no hands")
    return round.play


def follow(round: Round) -> Followed21:
    """The state after the bets, cards and answers so far. Raises Refusal if the rules do not allow them."""
    followed = hands_of(round).followed
    if followed.refused is not None:
        raise Refusal(*followed.refused)
    return followed


def _followed(play: HandsRound) -> HandsRound:
    """The play with its moves followed from the point reached."""
    followed = replace(play.followed, unread=None)
    for move in play.moves[followed.count :]:
        if followed.unread is not None or followed.refused is not None:
            break
        try:
            followed = _one_more(followed, move, play.faces)
        except Refusal as refusal:
            followed = replace(followed, refused=(refusal.who, refusal.reason, refusal.article))
    return replace(play, followed=followed)


def _one_more(followed: Followed21, move: Move, faces: Mapping[int, Card]) -> Followed21:
    """The play with one more move followed; or the same, with the draw that must be keyed in first. Raises Refusal."""
    state, places, count = followed.state, followed.places, followed.count + 1
    wait = waits_for(state)
    if move.answer is not None:
        _check_whose(wait, move.answer)
        return Followed21(with_answer(state, answer_of(move.answer)), places, count)
    # After a correction what was drawn or turned may not be due.
    if move.draw is None and isinstance(wait, TurnDue):
        return Followed21(with_card(state, faces.get(hole_of(places))), places, count)
    if move.draw is None or not isinstance(wait, CardDue):
        raise Refusal("table", BlackjackReason.CARD_NOT_DUE, STEP_BY_STEP)
    places = {**places, move.draw: (wait.place, wait.hand)}
    card = faces.get(move.draw) if wait.face_up else None
    if card is None and wait.face_up:
        return replace(followed, places=places, unread=move.draw)
    return Followed21(with_card(state, card), places, count)


def _answered_for(to: int, move: Move, seat: int) -> Move:
    """A move in which `to` answers instead of `seat`."""
    if move.answer is None or move.answer.seat != seat:
        return move
    return replace(move, answer=replace(move.answer, seat=to))


def _check_whose(wait: Wait, given: AnswerGiven) -> None:
    """Raises Refusal for an answer of another seat or hand than is asked: after a correction it may be."""
    asked = getattr(wait, "seat", None), getattr(wait, "hand", None)
    if asked != (given.seat, given.hand):
        raise Refusal(seat_place(given.seat), BlackjackReason.ANSWER_NOT_DUE, STEP_BY_STEP)


def hole_of(places: dict[int, tuple[str, int | None]]) -> int:
    """The draw of the bank's second card."""
    return [draw for draw, (place, _) in places.items() if place == BANK_PLACE][1]


def to_turn(round: Round) -> tuple[int, bool]:
    """The draw that waits to be turned or keyed in, and whether it is face down, the bank's second."""
    followed = follow(round)
    return (hole_of(followed.places), True) if followed.unread is None else (followed.unread, False)


def seat_bets(round: Round) -> Iterator[SeatBet]:
    """The bets at each seat with one, ascending; at a vacant seat the decider's bet comes first (16)."""
    marked = hands_of(round).marked
    for seat, own, shared in _placed_at_each(round):
        names = marked.get(seat, ()) if marked is not None else ("",) if seat in round.chips else ()
        bettors = (*own, *shared)
        with_chip = {whose_chip(bettors, name) for name in names}
        chips = [round.terms.chip if who in with_chip else 0 for who in range(len(bettors))]
        own_chip = chips.pop(0) if own else 0
        backers = tuple(Backer(name, bet, chip) for (name, bet), chip in zip(shared.items(), chips, strict=True))
        yield SeatBet(seat=seat, bet=sum(own.values()), backers=backers, chip=own_chip)


def bettors_at(round: Round, seat: int) -> tuple[str, ...]:
    """The names of all players with a bet at a seat, the deciding player first; "" for one without a name."""
    return next(((*own, *shared) for at, own, shared in _placed_at_each(round) if at == seat), ())


def whose_chip(bettors: Sequence[str], name: str) -> int | None:
    """The player whose chip is marked with this name: 0 is the deciding player; None if no one of that name bets there
    (45).

    A chip without a name belongs to the deciding player, and so does one with another name if that player has no name.
    """
    if name in bettors:
        return bettors.index(name)
    return 0 if not name or bettors[:1] == ("",) else None


def _placed_at_each(round: Round) -> Iterator[tuple[int, dict[str, int], dict[str, int]]]:
    """The seats with a bet, ascending: the bet of him who decides, and the others, by name."""
    seats = sorted(round.bets.items(), reverse=True)  # one who sits at two has the lower of them
    owners = {player: seat for seat, boxes in seats for player in boxes.get(BET, {}) if player}
    for seat, boxes in sorted(round.bets.items()):
        own = dict(boxes.get(BET, {}))
        shared = {**boxes.get(BACKING, {}), **boxes.get(VACANT, {})}
        if not own and boxes.get(VACANT):
            interests = [Interest(player, bet, owners.get(player, NOWHERE)) for player, bet in shared.items()]
            first = decider(interests)
            own = {first.player: shared.pop(first.player)}
        if own or shared:
            yield seat, own, shared


def deciding_player(round: Round, seat: int) -> str | None:
    """The name of the player whose bet decides at a seat, if it is known."""
    boxes = round.bets.get(seat, {})
    if boxes.get(BET):
        return next(iter(boxes[BET])) or None
    backers = {backer.player for seat_bet in seat_bets(round) if seat_bet.seat == seat for backer in seat_bet.backers}
    shared = {**boxes.get(BACKING, {}), **boxes.get(VACANT, {})}
    return next((player for player in shared if player not in backers), None)


def answer_of(given: AnswerGiven) -> PlayerAnswer:
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

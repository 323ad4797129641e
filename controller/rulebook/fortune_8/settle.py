"""The settlement of every bet of a completed round of Fortune 8, line by line, with its article. No I/O here."""

from collections.abc import Callable, Mapping, Sequence

from controller.rulebook.cards import Card
from controller.rulebook.fortune_8.paytable import BOXES, GAME, THE_DEAL, Box, NewBox
from controller.rulebook.fortune_8.wagers import Bet
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal
from controller.rulebook.settlement import Line, SettledSeat, Settlement


def settle_spaces(bets: Sequence[Bet], cards: Mapping[int, Card], boxes: Sequence[Box | NewBox] = BOXES) -> Settlement:
    """Settles bets that check_bet has let pass on the card of their space (6.º to 8.º), at the odds of these boxes.

    One entry for each space with bets, ascending: its boxes from the player (4.º 2), a box in the order placed; nothing
    else depends on the order of `bets`. Raises Refusal where the card of a space with a bet is missing; cards of other
    spaces do not matter.

    >>> settlement = settle_spaces([Bet(2, "eight", "ana", 1000), Bet(2, "low", "rui", 1000)], {2: "8d"})
    >>> [(line.player, line.odds, line.net) for line in settlement.seats["2"].lines]
    [('rui', None, -1000), ('ana', '11:1', 11000)]
    """
    for bet in bets:
        if bet.seat not in cards:
            raise Refusal(f"space {bet.seat}", LawReason.CARD_MISSING, THE_DEAL)
    seats = _by_space(bets, lambda box, bet: _line(box, bet, cards), boxes)
    return Settlement(game=GAME, outcome="settled", seats=seats)


def void_spaces(bets: Sequence[Bet], article: str, boxes: Sequence[Box | NewBox] = BOXES) -> Settlement:
    """The answer for a round that is void under `article` (5.º): every bet is taken back.

    >>> [line] = void_spaces([Bet(2, "eight", "ana", 1000)], "5.º").seats["2"].lines
    >>> line.outcome, line.net
    ('void', 0)
    """
    return Settlement(game=GAME, outcome="void", seats=_by_space(bets, lambda _, bet: _void(bet, article), boxes))


def _by_space(
    bets: Sequence[Bet], line_of: Callable[[Box | NewBox, Bet], Line], boxes: Sequence[Box | NewBox]
) -> dict[str, SettledSeat]:
    names = [box.name for box in boxes]
    seats: dict[str, list[Line]] = {}
    for bet in sorted(bets, key=lambda bet: (bet.seat, names.index(bet.box))):
        seats.setdefault(str(bet.seat), []).append(line_of(boxes[names.index(bet.box)], bet))
    return {space: SettledSeat(net=sum(line.net for line in lines), lines=lines) for space, lines in seats.items()}


def _line(box: Box | NewBox, bet: Bet, cards: Mapping[int, Card]) -> Line:
    to_one = box.to_one_on(cards[bet.seat])
    return Line(
        wager=box.name,
        player=bet.player,
        stake=bet.amount,
        outcome="lose" if to_one is None else "win",
        odds=None if to_one is None else f"{to_one}:1",
        net=-bet.amount if to_one is None else bet.amount * to_one,
        article=box.lost if to_one is None else box.article,
    )


def _void(bet: Bet, article: str) -> Line:
    return Line(wager=bet.box, player=bet.player, stake=bet.amount, outcome="void", odds=None, net=0, article=article)

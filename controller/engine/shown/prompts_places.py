"""What the dealer of Taiwan-Pai Kao does next, in plain words of every language. No I/O here."""

from functools import partial

from controller.rulebook.round import Round
from controller.rulebook.steps import Step, seat_of
from controller.rulebook.taiwan_pai_kao.live import places_of
from controller.rulebook.taiwan_pai_kao.state import PlacesRound, tiles_of
from controller.rulebook.taiwan_pai_kao.turn import offered
from controller.words import Words, in_every_language, joined, shown_amount

_told = partial(in_every_language, "prompts_places")


def said_at_places(round: Round, step: Step, pieces: int, exponent: int) -> Words | None:
    """The prompt of a step of this game; `pieces` is how many tiles there are, `exponent` that of the currency.

    None at another game, and where a void round is confirmed as at every game.
    """
    if not isinstance(round.play, PlacesRound) or (step.kind == "confirm" and round.void is not None):
        return None
    if step.kind == "bank":
        return _offered(round, step, exponent)
    if step.kind == "count":
        return _told("count/gap" if step.cards is None else "count", cards=step.cards)
    if step.kind == "deal":
        return _told("deal" if round.terms.reader else "deal/all", seat=seat_of(step.to[0]))
    if step.kind == "reveal":
        bank = tiles_of(round).bank
        own = bank is not None and seat_of(step.to[0]) == bank.seat
        opened = _told("reveal/bank" if own else "reveal", seat=seat_of(step.to[0]))
        return joined((opened, _told("reveal/key_in"))) if step.key_in else opened
    return _told(step.kind, seat=step.seat, pieces=pieces)


def _offered(round: Round, step: Step, exponent: int) -> Words:
    offer = offered(tiles_of(round), places_of(round) or round.terms.seat_count)
    least = shown_amount(step.least, exponent)
    told = _told("bank/goes_on" if offer is not None and offer.goes_on else "bank", seat=step.seat, least=least)
    if not step.waiting:
        return told
    return joined((told, _told("bank/agree", places=", ".join(map(str, step.waiting)))))

"""The report of a round by its places, so that a test can name the one that it is about."""

from typing import Any

import msgspec

from controller.rulebook.games import game_of
from controller.rulebook.report import RoundReport
from controller.rulebook.round import Round
from controller.words import english

Told = dict[str, Any]


def by_place(round: Round) -> Told:
    """Its settlement as `settle` prints it, and by place what was laid and shown, cards as text; all from JSON."""
    report = game_of(round).report(round)
    told: Told = _json(report) | _json(round.settled)
    told |= {
        "wagers": _laid(report),
        "cards": _shown(report),
        "answers": [{"seat": one.seat, "hand": one.hand, "answer": one.decision} for one in report.decisions],
        "void": None if round.void is None else {"article": round.void.article, "reason": english(round.void.why)},
        "corrections": [_correction(one) for one in told["corrections"]],
    }
    del told["shown_cards"], told["decisions"]
    return told | _tiles(report, told) if report.tiles else told


def _json(value: object) -> Told:
    found: Told = msgspec.json.decode(msgspec.json.encode(value))
    return found


def _laid(report: RoundReport) -> Told:
    """By seat: at black-jack one amount a wager, and who bets along; else one amount for each player of a space."""
    found: dict[str, Any] = {}
    for laid in report.wagers:
        here = found.setdefault(str(laid.seat), {})
        if report.game != "blackjack-21":
            here.setdefault(laid.wager, []).append({"player": laid.player, "amount": laid.amount})
        elif laid.wager == "backing":
            here.setdefault("backers", []).append({"player": laid.player, "bet": laid.amount})
        elif laid.wager == "jackpot" and (along := _along(here, laid.player)) is not None:
            along["jackpot"] = laid.amount
        else:
            here |= {laid.wager: laid.amount} | ({} if laid.player is None else {"player": laid.player})
    return found


def _along(here: Told, player: str | None) -> Told | None:
    """The last one who bets along, where this is he, and the chip not the seat's own."""
    last = next(reversed(here.get("backers", [])), None)
    return last if last is not None and last["player"] == player and "jackpot" not in last else None


def _shown(report: RoundReport) -> Told:
    """By place, ``3`` a seat: text, or a list of it where a seat may have several hands."""
    found: dict[str, Any] = {}
    for shown in report.shown_cards:
        place, text = shown.to.removeprefix("seat "), " ".join(shown.cards)
        if shown.hand:
            found.setdefault(place, []).append(text)
        else:
            found[place] = text
    return found


def _correction(one: Told) -> Told:
    of_money = one["what"] == "wager"
    return one | {key: one[f"amount_{key}"] for key in ("before", "after") if of_money}


def _tiles(report: RoundReport, told: Told) -> Told:
    """What Taiwan-Pai Kao has beside."""
    of_tiles: Told = told["tiles"]
    wagers = {seat: laid["place"] for seat, laid in told["wagers"].items()}
    holders = {str(one["seat"]): one["player"] for one in of_tiles["holders"]}
    titles = {
        str(seat.seat): {"front": seat.front.title, "rear": seat.rear.title}
        for seat in report.seats
        if seat.front and seat.rear
    }
    bank = report.bank and {
        "place": report.bank.seat,
        "capital": report.bank.capital,
        "casino": report.bank.casino.share if report.bank.casino else 0,
        "rounds": report.bank.turn_rounds,
    }
    own = {"places": of_tiles["place_count"], "bank": bank, "tiles": told["cards"], "wagers": wagers}
    return of_tiles | own | {"holders": holders, "titles": titles}

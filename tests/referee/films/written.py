"""What the messages of the referee's own tests are written with: the shape that is published, put down by hand."""

import json
from pathlib import Path
from typing import Any

from tests.referee.film.judge import Report, judge
from tests.referee.film.message import replaced_in
from tests.referee.rules.lines import ACTS

Message = dict[str, Any]


class Filmed:
    """One evening on camera; `judge` holds it against messages."""

    def __init__(self, folder: Path, station: str, source: str) -> None:
        self.station = folder / "station.toml"
        self.station.write_text(station, encoding="utf-8")
        self.camera = folder / "cam.jsonl"
        self.source = source
        self.lines: list[Message] = []
        self.number = 0

    def see(self, event: str, **seen: object) -> None:
        self.lines.append({"round": self.number, "event": event, **seen})

    def wrong(self, kind: str, **seen: object) -> None:
        self.see("irregularity", kind=kind, **seen)

    def fault(self, device: str, kind: str, on: bool = True, **value: object) -> None:
        self.see("fault", device=device, kind=kind, on=on, **value)

    def end(self) -> None:
        self.see("round_end")

    def judge(self, *messages: Message, away: bool = False) -> Report:
        self.camera.write_text("".join(json.dumps(line) + "\n" for line in self.lines), encoding="utf-8")
        return judge(self.station, self.camera, list(messages), away=away)


def line(wager: str, stake: int, outcome: str, odds: str | None, net: int, article: str, **other: object) -> Message:
    own = {"wager": wager, "player": None, "stake": stake, "outcome": outcome, "odds": odds, "net": net}
    return own | {"commission": 0, "article": article} | other


def back(wager: str, stake: int, article: str, **other: object) -> Message:
    return line(wager, stake, "void", None, 0, article, **other)


def a_wager(seat: int, wager: str, player: str | None, amount: int) -> Message:
    return {"seat": seat, "wager": wager, "player": player, "amount": amount}


def lying(place: str, cards: str, hand: int | None = None) -> Message:
    """Cards at a place, of one of its hands where it may have several."""
    return {"to": place, **({} if hand is None else {"hand": hand}), "cards": cards.split()}


def decided(seat: int, decision: str, hand: int | None = None) -> Message:
    return {"seat": seat, "hand": hand, "decision": decision}


def award(seat: int, tier: str, amount: int, article: str, player: str | None = None, from_house: int = 0) -> Message:
    """A prize, and out of what it is paid."""
    paid = {"amount": amount, "from_pot": amount - from_house, "from_house": from_house}
    named = {} if player is None else {"player": player}
    return {"seat": seat, **named, "tier": tier, **paid, "article": article}


def pots(before: int, after: int, *awards: Message) -> Message:
    """The pot around a round, and the prizes in the order they are paid."""
    return {"pot_before": before, "pot_after": after, "awards": list(awards)}


def why(article: str) -> Message:
    return {"article": article, "reason": "why", "code": "misdeal", "values": {}}


def correction(what: str, at: str, before: object, after: object, **other: object) -> Message:
    """What was entered wrongly and replaced; `other` is its wager and its player."""
    by = {"actor": "ana", "reason": "keyed in wrongly"}
    nets = dict.fromkeys(("net_before", "net_after", "net_difference"))
    own: Message = {
        "wager": None,
        "player": None,
        "asked_again": 0,
        "change": None,
        "after_result": False,
        "approved_by": [],
    }
    nothing = {"before": None, "after": None, "amount_before": None, "amount_after": None}
    entry = {"what": what, "at": at, **nothing, **by, **own, **nets}
    return entry | dict(zip(replaced_in(entry), (before, after), strict=True)) | other


def numbered(number: int) -> Message:
    """The round with this number, confirmed within a minute of its own."""
    began, confirmed = (f"2026-03-14T14:{number:02}:{seconds}Z" for seconds in ("01.007", "24.184"))
    return {"round": number, "sequence": 40 * number, "began": began, "confirmed": confirmed}


def a_round(game: str, number: int = 1, *irregularities: Message, **other: object) -> Message:
    """A message in which nothing happened; `other` is what is to be different."""
    message: Message = {
        "schema": 1,
        **numbered(number),
        "mode": "simulation",
        "currency": "MOP",
        "exponent": 2,
        "actor": "ana",
        "game": game,
        "outcome": "settled",
        "void": None,
        "act": ACTS[game][-1][1],
        "rules": [],
        "source": "shuffler",
        "decks": 1,
        "deal": None,
        "bank": None,
        "seats": [],
        "wagers": [],
        "shown_cards": [],
        "decisions": [],
        "added_bets": [],
        "irregularities": list(irregularities),
        "corrections": [],
    }
    return message | other


def cannot_be_known(key: object, wrong: object) -> bool:
    """Whether the camera cannot report that this is wrong: persons, the words of a reason, and what is only counted."""
    if key in ("reason", "code", "actor"):
        return isinstance(wrong, str) and bool(wrong)
    return key in ("sequence", "asked_again") and type(wrong) is int and wrong > 0


def seat_in(message: Message, seat: int) -> Message:
    found: Message = next(result for result in message["seats"] if result["seat"] == seat)
    return found


def wager_in(message: Message, seat: int, wager: str) -> Message:
    found: Message = next(bet for bet in message["wagers"] if (bet["seat"], bet["wager"]) == (seat, wager))
    return found


def show(message: Message, place: str, cards: str | None, hand: int | None = None) -> None:
    others = [card for card in message["shown_cards"] if (card["to"], card.get("hand")) != (place, hand)]
    message["shown_cards"] = others if cards is None else [*others, lying(place, cards, hand)]


def decide(message: Message, seat: int, decision: str) -> None:
    others = [row for row in message["decisions"] if row["seat"] != seat]
    message["decisions"] = sorted([*others, decided(seat, decision)], key=lambda decision: int(decision["seat"]))

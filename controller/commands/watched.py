"""The public table in words: seats with bets and cards, results, alarms. No I/O here.

Everything is read from the projection, `GET /stream`; a seat is the place of Taiwan-Pai Kao too.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from controller.rulebook.round import Voided
from controller.rulebook.steps import seat_of, seat_place
from controller.words import cards_shown, english, shown_amount

PublicDict = dict[str, Any]
"""The projection as in JSON: numbers of seats are text where they are keys."""

_LIVELY = ("locked", "payable")  # a hit that still waits


@dataclass(frozen=True)
class Sight:
    """One look at the station: the game it plays and its table, or why there is none."""

    game: str = ""
    table: PublicDict = field(default_factory=dict)
    away: str | None = None


class FeltRow(NamedTuple):
    """A place on the felt: its bets, cards and result; `net` in minor units.

    `due` marks the place that the step is about. `results` are the lines of its settlement.
    """

    place: str
    due: bool
    wagers: tuple[str, ...]
    cards: str
    says: str
    net: int | None
    results: tuple[str, ...]


def money(table: PublicDict, minor: int) -> str:
    """An amount of the table's money, without its name."""
    return shown_amount(minor, table["exponent"])


def signed(table: PublicDict, minor: int) -> str:
    """An amount that someone won or lost, with its sign."""
    return f"{'+' if minor > 0 else ''}{money(table, minor)}"


def worded(name: str) -> str:
    """A name of the protocol as words: ``pair_plus`` is "pair plus"."""
    return name.replace("_", " ")


def title(table: PublicDict, game: str) -> str:
    """The table's name and game."""
    return f"{table['site']}/{table['table']}  {game}, {table['currency']}"


def unseen_alarms(table: dict[str, Any]) -> str:
    """A line with the number of alarms that a table with PINs does not show here; empty if there are none."""
    count = table.get("alarms_waiting")
    return f"alarms not acknowledged: {count}; the console shows them to anyone who is logged in" if count else ""


def alarm_state(alarm: dict[str, Any]) -> str:
    """An alarm as a line: its state, then its text."""
    if alarm["over"]:
        state = "alarm over, not acknowledged"
    elif alarm["acknowledged_by"] is not None:
        state = f"alarm, acknowledged by {alarm['acknowledged_by']}"
    else:
        state = "alarm"
    details = f" ({alarm['details']})" if alarm["details"] else ""
    return f"{state}: {alarm['texts']['en']}{details}"


def progress_line(table: PublicDict) -> str:
    """The progress of the table: round, phase and source of the cards."""
    round = table["round"]
    if round is None:
        return "between two rounds" if table["open"] else "the table is closed"
    source = "" if round["dice"] is not None or round["places"] is not None else f", from the {round['source']}"
    return f"round {round['id']}, {round['phase']}{source}"


def prompt_line(table: PublicDict) -> str:
    """What the table waits for, in English."""
    text: str = table["step"]["prompt"]["en"]
    return text


def felt_rows(table: PublicDict) -> list[FeltRow]:
    """The bank, the community cards and every seat that plays or shows something, in that order."""
    round = table["round"]
    if round is None:
        return []
    places = [name for name in ("bank", "community") if _has_anything(round, name)]
    return [_row(table, round, place) for place in [*places, *map(seat_place, seats_shown(round))]]


def seats_shown(round: dict[str, Any]) -> list[int]:
    """The seats that play or show something in a round."""
    found = {int(key) for part in ("wagers", "hands", "holders", "decisions", "lines") for key in round[part]}
    found |= {*round["chips"], *round["carried_chips"], *(bet["seat"] for bet in round["bets"])}
    if round["banker"] is not None:
        found.add(round["banker"]["place"])
    places_dealt_to = (place for dealt in round["dealt"] if not dealt["null"] for place in dealt["to"])
    return sorted(
        found | {seat for place in (*round["shown"], *places_dealt_to) if (seat := seat_of(place)) is not None}
    )


def lines_of_round(table: PublicDict) -> list[str]:
    """Lines about the whole round: the bank of Taiwan-Pai Kao, the dice, the announced deal, why it is void."""
    round = table["round"]
    if round is None:
        return []
    lines = []
    if (bank := round["banker"]) is not None:
        share = f", the casino {money(table, bank['casino'])}" if bank["casino"] else ""
        lines.append(f"place {bank['place']} holds the bank with {money(table, bank['capital'])}{share}")
    if round.get("form"):
        lines.append(f"the form of the deal: {round['form']}")
    if round["dice"] is not None:
        lines.append(f"dice {' '.join(map(str, round['dice']))}, the first place is {round['first_place']}")
    if round["deal"] is not None:
        lines.append(f"the deal: {worded(round['deal'])}")
    if round["void"] is not None:
        void = msgspec.convert(round["void"], Voided)
        why = f"{english(void.why)} " if void.code else ""  # strangers do not see it
        lines.append(f"void: {why}({void.article})")
    if round["corrections"]:
        lines.append(f"corrected: {len(round['corrections'])}")
    return lines


def pot(table: PublicDict) -> str | None:
    """The jackpot's meter; None at a table without a jackpot."""
    jackpot = table["jackpot"]
    if jackpot is None:
        return None
    more = [f"minimum {money(table, jackpot['minimum'])}"]
    more += [f"{part} {money(table, jackpot[part])}" for part in ("reserve", "overflow", "pending") if jackpot[part]]
    return f"{money(table, jackpot['pot'])}  ({', '.join(more)})"


def hit_lines(table: PublicDict) -> list[str]:
    """The jackpot hits that wait for their round or for payment."""
    found = table["jackpot"]["hits"] if table["jackpot"] is not None else ()
    return [line_of_hit(table, hit) for hit in found if hit["state"] in _LIVELY]


def line_of_hit(table: PublicDict, hit: dict[str, Any]) -> str:
    """A hit with its state."""
    by = f", confirmed by {' and '.join(hit['confirmed_by'])}" if hit["confirmed_by"] else ""
    won = f"hit {hit['hit']} of round {hit['round']}, seat {hit['seat']}: {worded(hit['tier'])}"
    return f"{won}, {money(table, hit['amount'])}, {hit['state']}{by}"


def _has_anything(round: dict[str, Any], place: str) -> bool:
    bank_has_cards = place == "bank" and (round["bank"] is not None or _bank(round))
    return bool(bank_has_cards) or place in round["shown"] or _cards_dealt(round, place) > 0


def _cards_dealt(round: dict[str, Any], place: str) -> int:
    return sum(dealt["to"].count(place) for dealt in round["dealt"] if not dealt["null"])


def _bank(round: dict[str, Any]) -> dict[str, Any]:
    """Who or what is the bank after the settlement; empty before it, or if the game has no bank."""
    return (round["settlement"] or {}).get("bank") or {}


def _settled(round: dict[str, Any], seat: int | None) -> dict[str, Any] | None:
    """The seat after the settlement."""
    return next((result for result in (round["settlement"] or {}).get("seats", ()) if result["seat"] == seat), None)


def _row(table: PublicDict, round: dict[str, Any], place: str) -> FeltRow:
    seat = seat_of(place)
    answer = _answer(round, seat)
    return FeltRow(
        place=place if seat is None or round["places"] is None else f"place {seat}",
        due=_is_due(table["step"], place, seat),
        wagers=() if seat is None else tuple(_wagers(table, round, seat)),
        cards=_cards(round, place, seat),
        says=", ".join(_says(table, round, place, seat)),
        net=answer["net"] if answer else None,
        results=tuple(_result(table, line) for line in answer["lines"]) if answer else (),
    )


def _is_due(step: dict[str, Any], place: str, seat: int | None) -> bool:
    return place in step.get("to", ()) or (
        seat is not None and (step.get("seat") == seat or seat in step.get("waiting", ()))
    )


def _wagers(table: PublicDict, round: dict[str, Any], seat: int) -> Iterator[str]:
    shared = [bet for bet in round["bets"] if bet["seat"] == seat]
    for bet in shared:
        yield f"{worded(bet['wager'])} {money(table, bet['amount'])}" + (f" {bet['player']}" if bet["player"] else "")
    if not shared:
        for wager, amount in round["wagers"].get(str(seat), {}).items():
            yield f"{worded(wager)} {money(table, amount)}"
    if seat in round["chips"] and not any(bet["wager"] == "jackpot" for bet in shared):
        yield f"jackpot {money(table, table['jackpot']['chip'])}" if table["jackpot"] else "jackpot"
    if seat in round["carried_chips"]:
        yield "a chip carried over"


def _cards(round: dict[str, Any], place: str, seat: int | None) -> str:
    hands = [hand for hand in round["hands"].get(str(seat), ()) if hand["cards"]]
    if hands:
        return " / ".join(f"{cards_shown(hand['cards'])} ({hand['total']})" for hand in hands)
    if place == "bank" and round["bank"] is not None:
        open_cards, total = round["bank"]["cards"], f" ({round['bank']['total']})"
    elif pairs := round["pairs"].get(place):
        open_cards, total = " | ".join(" ".join(pairs[pair]["cards"]) for pair in ("front", "rear")), ""
    else:
        open_cards, total = round["shown"].get(place, ""), ""
    down = _cards_dealt(round, place) - len(open_cards.replace("|", "").split())
    hidden = [f"{down} face down"] if down > 0 else []
    return " + ".join([cards_shown(open_cards) + total, *hidden] if open_cards else hidden)


def _says(table: PublicDict, round: dict[str, Any], place: str, seat: int | None) -> Iterator[str]:
    if place == "bank":
        bank = _bank(round)
        if bank.get("hand_name"):
            yield worded(bank["hand_name"])
            yield "plays" if bank["qualifies"] else "does not play"
        if bank.get("black_jack"):
            yield "black-jack"
        return
    if seat is None:
        return
    if player := round["players"].get(str(seat)):
        yield player
    if round["banker"] is not None and round["banker"]["place"] == seat:
        yield "the bank"
    if holder := round["holders"].get(str(seat)):
        yield f"tiles with {holder}"
    if pairs := round["pairs"].get(place):
        yield " | ".join(pairs[pair]["title"] or worded(pairs[pair]["name"]) for pair in ("front", "rear"))
        if pairs["rearranged"]:
            yield "corrected"
    if decision := round["decisions"].get(str(seat)):
        yield decision
    for hand in round["hands"].get(str(seat), ()):
        if hand["cards"]:
            yield worded(hand["state"]) + (" doubled" if hand["doubled"] else "")
    if hand_name := (_settled(round, seat) or {}).get("hand_name"):
        yield worded(hand_name)


def _answer(round: dict[str, Any], seat: int | None) -> dict[str, Any] | None:
    """What a seat won or lost: its net and lines; before the settlement, what is paid already."""
    if round["settlement"] is None:
        lines = round["lines"].get(str(seat))
        return {"net": sum(line["net"] for line in lines), "lines": lines} if lines else None
    bank, answer = _bank(round), _settled(round, seat)
    if "seat" in bank and bank["seat"] == seat:
        return {"net": bank["net"], "lines": bank["joiners"]}
    return answer if answer is not None and answer["lines"] else None


def _result(table: PublicDict, line: dict[str, Any]) -> str:
    whose = f" {line['player']}" if line.get("player") else ""
    odds = f" {line['odds']}" if line.get("odds") else ""
    hand = f" {line['hand']}" if line.get("hand", 1) > 1 else ""
    return f"{worded(line['wager'])}{hand} {line['outcome']}{odds} {signed(table, line['net'])}{whose}"

"""The changes between two states of the public table, a line each. No I/O here.

A stream shows the newest table and leaves out what came in between, so only visible changes are reported: a bet that
was placed and taken back at once is not.
"""

from collections.abc import Iterator
from typing import Any

from controller.commands.watched import (
    PublicDict,
    alarm_state,
    felt_rows,
    line_of_hit,
    lines_of_round,
    money,
    seats_shown,
    signed,
    unseen_alarms,
    worded,
)
from controller.words import cards_shown

_Alarm = dict[str, Any]


def change_lines(before: PublicDict | None, after: PublicDict) -> list[str]:
    """The lines of changes, in the order of a round; without an earlier state, only the present one and its alarms."""
    lines = list(_of_the_table(before, after))
    if before is not None and before["journal"] == after["journal"]:
        lines += _of_the_round(before, after)
        lines += _of_the_pot(before, after)
    return lines


def _of_the_table(before: PublicDict | None, after: PublicDict) -> Iterator[str]:
    if before is not None and before["journal"] != after["journal"]:
        yield f"another journal: {after['journal']}"
    if before is not None and before["open"] != after["open"]:
        yield f"the table is {'open' if after['open'] else 'closed'}"
    links = before["devices"] if before is not None else {}
    active = {alarm["name"] for alarm in after["alarms"] if not alarm["over"]}
    for device, link in after["devices"].items():
        if links.get(device, "up") != link and _absence(device) not in active:  # an alarm says why as well
            yield f"{device} is {link}"
    yield from _of_the_alarms(before["alarms"] if before is not None else [], after["alarms"])
    if (unseen := unseen_alarms(after)) and unseen != (unseen_alarms(before) if before is not None else ""):
        yield unseen


def _of_the_alarms(before: list[_Alarm], after: list[_Alarm]) -> Iterator[str]:
    """Alarms raised, over and acknowledged. Who acknowledged an alarm after its end is not shown."""
    known, listed = ({alarm["name"]: alarm for alarm in alarms} for alarms in (before, after))
    for name, alarm in listed.items():
        was = known.get(name)
        if was is None or was["since"] != alarm["since"] or (was["over"] and not alarm["over"]):
            yield alarm_state(alarm)
        elif alarm["acknowledged_by"] != was["acknowledged_by"]:
            yield f"{alarm['acknowledged_by']} acknowledges {name}"
        elif alarm["over"] and not was["over"]:
            yield f"alarm over: {name}"
    for name, was in known.items():
        if name not in listed:
            yield f"{name} is acknowledged" if was["over"] else f"alarm over: {name}"


def _absence(device: str) -> str:
    """The name of the alarm for a device that does not answer."""
    return f"device-{device}"


def _of_the_round(before: PublicDict, after: PublicDict) -> Iterator[str]:
    was, round = before["round"], after["round"]
    if was is not None and was["phase"] != "claims" and (round is None or round["id"] != was["id"]):
        yield f"round {was['id']} is over"
    if round is None:
        return
    if was is None or was["id"] != round["id"]:
        was = None
        yield f"round {round['id']} begins"
    earlier = lines_of_round(before) if was is not None else []
    yield from (line for line in lines_of_round(after) if line not in earlier and not line.startswith("corrected"))
    if round["locked"] and not (was is not None and was["locked"]):
        yield "no more bets"
        for row in felt_rows(after):
            if row.wagers:
                yield f"  {row.place}: {', '.join(row.wagers)}"
    yield from _cards(was, round)
    for seat, decision in round["decisions"].items():
        if was is None or was["decisions"].get(seat) != decision:
            yield f"seat {seat}: {decision}"
    known = len(was["corrections"]) if was is not None else 0
    for correction in round["corrections"][known:]:
        yield _corrected(after, correction)
    unseen = before["notices"] if was is not None else []
    yield from (notice["en"] for notice in after["notices"] if notice not in unseen)
    yield from _settlement(was, after)
    if was is not None and round["phase"] == "claims" and was["phase"] != "claims":
        yield f"round {round['id']} is confirmed"


def _corrected(table: PublicDict, correction: dict[str, Any]) -> str:
    if correction["what"] == "wager":
        before, after = money(table, correction["amount_before"]), money(table, correction["amount_after"])
    else:
        before, after = cards_shown(correction["before"]), cards_shown(correction["after"])
    wager = f"{worded(correction['wager'])} " if correction["wager"] else ""
    where = f"the {correction['what']} at {_named(table['round'], correction['at'])}"
    return f"{correction['actor']} corrects {where}: {wager}{after} instead of {before} ({correction['reason']})"


def _named(round: dict[str, Any], place: str) -> str:
    return place if round["places"] is None else place.replace("seat", "place")


def _cards(was: dict[str, Any] | None, round: dict[str, Any]) -> Iterator[str]:
    for seat in seats_shown(round):
        for number, hand in enumerate(round["hands"].get(str(seat), ()), 1):
            earlier = was["hands"].get(str(seat), []) if was is not None else []
            if hand["cards"] and (len(earlier) < number or earlier[number - 1]["cards"] != hand["cards"]):
                which = f" hand {number}" if len(round["hands"][str(seat)]) > 1 else ""
                yield f"seat {seat}{which}: {cards_shown(hand['cards'])} ({hand['total']})"
    bank = round["bank"]
    if bank is not None and bank["cards"] and (was is None or was["bank"] != bank):
        yield f"bank: {cards_shown(bank['cards'])} ({bank['total']})"
    for place, cards in round["shown"].items():
        if place not in round["pairs"] and (was is None or was["shown"].get(place) != cards):
            yield f"{place}: {cards_shown(cards)}"
    for place, pairs in round["pairs"].items():
        if was is None or was["pairs"].get(place) != pairs:
            names = " and ".join(pairs[pair]["title"] or worded(pairs[pair]["name"]) for pair in ("front", "rear"))
            pairs_text = " | ".join(" ".join(pairs[pair]["cards"]) for pair in ("front", "rear"))
            yield f"{_named(round, place)}: {pairs_text}, {names}"


def _settlement(was: dict[str, Any] | None, after: PublicDict) -> Iterator[str]:
    earlier = was["settlement"] if was is not None else None
    settlement = after["round"]["settlement"]
    if settlement == earlier:
        return
    if settlement is None:
        yield "the settlement is withdrawn"
        return
    yield "settled again" if earlier is not None else "settled"
    for row in felt_rows(after):
        if row.net is not None:
            why = f"  {', '.join(row.results)}" if row.results else ""
            yield f"  {row.place}: {signed(after, row.net)}{why}"


def _of_the_pot(before: PublicDict, after: PublicDict) -> Iterator[str]:
    if before["jackpot"] is None or after["jackpot"] is None:
        return
    known = {hit["hit"]: hit for hit in before["jackpot"]["hits"]}
    for hit in after["jackpot"]["hits"]:
        if known.pop(hit["hit"], None) != hit:
            yield f"jackpot: {line_of_hit(after, hit)}"
    for hit in known.values():
        if hit["state"] == "locked":
            yield f"jackpot: hit {hit['hit']} is withdrawn"
    if after["jackpot"]["pot"] < before["jackpot"]["pot"]:
        yield f"jackpot: the pot is now {money(after, after['jackpot']['pot'])}"

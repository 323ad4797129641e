"""One fact of a bundle altered. Plainly, so that a hash reports; or with all that follows from it written again.

Who alters a fact and computes every hash again is found by the rules alone, until someone else has signed the hashes.
"""

import base64
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec

from controller.journal.chain import chained
from controller.journal.records import Stamp
from controller.journal.segments import SegmentRow
from controller.queries.disputes import _Link, bundle_of
from tests.disputes.rounds import IDENTITY

Bundle = dict[str, Any]
Object = dict[str, Any]
Alteration = Callable[[Bundle, Random], Bundle | None]
"""The altered bundle; None where it has not what would be altered."""

SETTLED = ("round_settled", "places_settled")


def copied(bundle: Bundle) -> Bundle:
    copy: Bundle = json.loads(json.dumps(bundle))
    return copy


# ---- plainly


def a_byte_of_an_event(bundle: Bundle, dice: Random) -> Bundle:
    row = dice.choice(bundle["chain"]["rows"])
    numbers = [at for at, character in enumerate(row[5]) if character.isdigit()] or [len(row[5]) - 3]
    at = dice.choice(numbers)
    row[5] = row[5][:at] + ("7" if row[5][at] != "7" else "1") + row[5][at + 1 :]
    return bundle


def the_time_of_an_event(bundle: Bundle, dice: Random) -> Bundle:
    dice.choice(bundle["chain"]["rows"])[1] = "2026-01-02T03:04:05.679Z"
    return bundle


def a_hash(bundle: Bundle, dice: Random) -> Bundle:
    row = dice.choice(bundle["chain"]["rows"])
    row[7] = ("0" if row[7][0] != "0" else "1") + row[7][1:]
    return bundle


def the_hash_before_the_round(bundle: Bundle, dice: Random) -> Bundle:
    bundle["chain"]["before"] = "ab" * 32
    return bundle


def an_event_missing(bundle: Bundle, dice: Random) -> Bundle:
    rows = bundle["chain"]["rows"]
    del rows[dice.randrange(1, len(rows) - 1)]
    return bundle


def two_events_in_another_order(bundle: Bundle, dice: Random) -> Bundle:
    rows = bundle["chain"]["rows"]
    at = dice.randrange(1, len(rows) - 2)
    rows[at], rows[at + 1] = rows[at + 1], rows[at]
    return bundle


def sealed_cards(bundle: Bundle, dice: Random) -> Bundle | None:
    rows = [row for row in bundle["chain"]["rows"] if row[6]]
    if not rows:
        return None
    row = dice.choice(rows)
    sealed = bytearray(base64.b64decode(row[6]))
    sealed[-1] ^= 1
    row[6] = base64.b64encode(sealed).decode()
    return bundle


def what_is_published_beside_the_events(bundle: Bundle, dice: Random) -> Bundle | None:
    contents = bundle["contents"]
    match dice.randrange(4):
        case 0:
            contents["parameters"]["terms"]["minimum"] += 1
        case 1:
            contents["articles"].append("1.º")
        case 2:
            contents["inputs"].pop()
        case _:
            lines = _lines(contents["settlement"] or {})
            if not lines:
                return None
            dice.choice(lines)["net"] += 100
    return bundle


PLAINLY: tuple[Alteration, ...] = (
    a_byte_of_an_event,
    the_time_of_an_event,
    a_hash,
    the_hash_before_the_round,
    an_event_missing,
    two_events_in_another_order,
    sealed_cards,
    what_is_published_beside_the_events,
)


# ---- with every hash after it, and all that the bundle reports it, written again


def written_again(bundle: Bundle, events: list[tuple[Object, list[Any]]]) -> Bundle:
    """The bundle of these events, each with the row it had."""
    before = bytes.fromhex(bundle["chain"]["before"])
    links: list[_Link] = [(bytes.fromhex(link["before"]), _row(link["row"])) for link in bundle["earlier"]]
    for number, (event, was) in enumerate(events, start=bundle["chain"]["rows"][0][0]):
        row = (number, *_row(was)[1:5], msgspec.json.encode(event), _row(was)[6])
        input = _row(was)[8]
        stamp = Stamp(time=row[1], boot=row[2], monotonic_ns=row[3], synchronised=bool(row[4]))
        hash = chained(before, number, stamp, row[5], row[6], input)
        links.append((before, (*row, hash, input)))
        before = hash
    found = bundle_of(iter(links), IDENTITY, bundle["journal"], bundle["round"])
    again: Bundle = json.loads(msgspec.json.encode(found))
    return again


def _row(contents: list[Any]) -> SegmentRow:
    sealed = None if contents[6] is None else base64.b64decode(contents[6])
    input = None if contents[8] is None else contents[8].encode()
    return (*contents[:5], contents[5].encode(), sealed, bytes.fromhex(contents[7]), input)


def _events(bundle: Bundle) -> list[tuple[Object, list[Any]]]:
    return [(json.loads(row[5]), row) for row in bundle["chain"]["rows"]]


def _lines(settlement: Object) -> list[Object]:
    lines = [line for seat in settlement.get("seats", {}).values() for line in seat.get("lines", [])]
    return [*lines, *settlement.get("banker", {}).get("joiners", [])]


def _altered(alter: Callable[[Object, Random], bool], *kinds: str) -> Alteration:
    """An alteration of the last event of these kinds that it can alter."""

    def alteration(bundle: Bundle, dice: Random) -> Bundle | None:
        events = _events(bundle)
        for event, _ in reversed(events):
            if event["type"] in kinds and alter(event, dice):
                return written_again(bundle, events)
        return None

    alteration.__name__ = alter.__name__
    return alteration


def _a_line(of: str, *values: Any) -> Callable[[Object, Random], bool]:
    """The first of these values that a line of the settlement has not, in its place; an amount is 100 more."""

    def alter(event: Object, dice: Random) -> bool:
        lines = [line for line in _lines(event["settlement"]) if line.get(of) is not None]
        if not lines:
            return False
        line = dice.choice(lines)
        line[of] = next(value for value in values if value != line[of]) if values else line[of] + 100
        return True

    alter.__name__ = f"the_{of}_of_a_line"
    return alter


def net_and_total(event: Object, dice: Random) -> bool:
    """A line's net, and its seat's with it."""
    seats = [seat for seat in event["settlement"]["seats"].values() if seat.get("lines")]
    if not seats:
        return False
    seat = dice.choice(seats)
    line = dice.choice(seat["lines"])
    line["net"] += line["stake"]
    if not line.get("player"):
        seat["net"] += line["stake"]
    return True


def a_seat_that_is_not_settled(event: Object, dice: Random) -> bool:
    seats = event["settlement"]["seats"]
    with_lines = [number for number, seat in seats.items() if seat.get("lines")]
    if not with_lines:
        return False
    del seats[dice.choice(with_lines)]
    return True


def the_outcome_of_the_round(event: Object, dice: Random) -> bool:
    event["settlement"]["outcome"] = "void" if event["settlement"]["outcome"] == "settled" else "settled"
    return True


def the_pot_after(event: Object, dice: Random) -> bool:
    if not event["settlement"].get("jackpot"):
        return False
    event["settlement"]["jackpot"]["pot_after"] -= 100_000
    return True


def the_amount_of_a_hit(event: Object, dice: Random) -> bool:
    event["amount"] += 100
    return True


def chips_that_count(event: Object, dice: Random) -> bool:
    if not event["chips"] or event.get("marked"):
        return False
    event["chips"].pop()
    return True


def _active_wagers(events: list[tuple[Object, list[Any]]]) -> list[int]:
    """Where wagers were placed that no one changed later."""
    if any(event["type"] == "input_corrected" for event, _ in events):
        return []
    bets = [(event["seat"], event["wager"], event["player"]) if event["type"] == "wager_placed" else None
            for event, _ in events]  # fmt: skip
    return [
        at
        for at, which in enumerate(bets)
        if which and which[1] != "jackpot" and bets.count(which) == 1 and events[at][0]["amount"]
    ]


def _of_a_wager(alter: Callable[[list[tuple[Object, list[Any]]], int], None]) -> Alteration:
    """An alteration of a wager that no one changed later, where it is among the events."""

    def alteration(bundle: Bundle, dice: Random) -> Bundle | None:
        events = _events(bundle)
        active = _active_wagers(events)
        if not active:
            return None
        alter(events, dice.choice(active))
        return written_again(bundle, events)

    alteration.__name__ = alter.__name__
    return alteration


def a_wager(events: list[tuple[Object, list[Any]]], at: int) -> None:
    events[at][0]["amount"] *= 3


def whose_wager(events: list[tuple[Object, list[Any]]], at: int) -> None:
    events[at][0]["seat"] = events[at][0]["seat"] % 4 + 1


def a_wager_that_is_missing(events: list[tuple[Object, list[Any]]], at: int) -> None:
    del events[at]


def why_it_is_void(bundle: Bundle, dice: Random) -> Bundle | None:
    events = _events(bundle)
    voided = [event for event, _ in events if event["type"] == "round_voided"]
    if not voided or not any(line["outcome"] == "void" for line in _lines(bundle["contents"]["settlement"])):
        return None
    voided[0]["article"] = "99.º"
    return written_again(bundle, events)


def a_card_of_the_bank(bundle: Bundle, dice: Random) -> Bundle | None:
    """Another card than any that was shown; where that decides nothing, one that is there already."""
    events = _events(bundle)
    if any(event["type"] == "round_voided" for event, _ in events):
        return None
    decided_by = {"fortune-8": "seat", "taiwan-pai-kao": "seat"}.get(bundle["game"], "bank")
    shown = [event for event, _ in events if event["type"] == "cards_shown" and event["to"].startswith(decided_by)]
    if not shown or any(event["type"] == "input_corrected" for event, _ in events):
        return None
    cards = shown[-1]["cards"]
    match bundle["game"]:
        case "fortune-8":
            seats = (bundle["contents"]["settlement"] or {}).get("seats", {})
            shown = [event for event in shown if event["to"].removeprefix("seat ") in seats]
            if not shown:
                return None
            cards = shown[-1]["cards"]
            line = seats[shown[-1]["to"].removeprefix("seat ")]["lines"][0]
            wins = {"low": "2", "eight": "8", "high": "K"}[line["wager"]]
            loses = "2" if line["wager"] == "high" else "K"
            cards[0] = (loses if line["outcome"] == "win" else wins) + cards[0][1]
        case "taiwan-pai-kao":
            cards[:] = ["2-1", "4-2", "6-6", "1-1"] if cards != ["2-1", "4-2", "6-6", "1-1"] else cards[::-1]
        case "blackjack-21":
            cards[0] = ("5" if cards[0][0] != "5" else "9") + cards[0][1]
        case _:
            others = [card for event, _ in events if event["type"] == "cards_shown" and event["to"] != "bank"
                      for card in event["cards"]]  # fmt: skip
            if not others:
                return None
            cards[0] = others[0]
    return written_again(bundle, events)


CONSISTENTLY: tuple[Alteration, ...] = (
    _altered(_a_line("net"), *SETTLED),
    _altered(_a_line("stake"), *SETTLED),
    _altered(_a_line("article", "13.º 3)", "24"), *SETTLED),
    _altered(_a_line("outcome", "win", "lose"), *SETTLED),
    _altered(_a_line("odds", "7:1", "9:1"), *SETTLED),
    _altered(net_and_total, *SETTLED),
    _altered(a_seat_that_is_not_settled, *SETTLED),
    _altered(the_outcome_of_the_round, *SETTLED),
    _altered(the_pot_after, *SETTLED),
    _altered(the_amount_of_a_hit, "hit_locked"),
    _altered(chips_that_count, "betting_closed"),
    why_it_is_void,
    *map(_of_a_wager, (a_wager, whose_wager, a_wager_that_is_missing)),
    a_card_of_the_bank,
)


def alterations(bundle: Bundle, dice: Random) -> Iterator[tuple[str, Bundle]]:
    """Every alteration that this bundle allows, by its name."""
    for alteration in (*PLAINLY, *CONSISTENTLY):
        altered = alteration(copied(bundle), dice)
        if altered is not None:
            yield alteration.__name__, altered

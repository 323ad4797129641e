"""The statistics of a day computed again from the published messages alone; shares no code with the station."""

import json
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from typing import Any

Message = dict[str, Any]
OF_ONE_SEAT = {"low", "eight", "high", "pair_plus"}
THEORY = ("edge", "edge_interval", "theoretical", "theoretical_interval", "deviation", "sigmas")
BY_HAND = {"taiwan-pai-kao"}  # no device is needed to deal it


def text(number: Fraction, places: int) -> str:
    with localcontext() as context:
        context.prec = 60
        shown = Decimal(number.numerator) / Decimal(number.denominator)
        shown = shown.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return f"{abs(shown) if shown == 0 else shown:.{places}f}"


def when(text: str) -> datetime:
    return datetime.fromisoformat(text)


def ms(length: timedelta) -> int:
    return length // timedelta(milliseconds=1)


def bets_of(message_data: Mapping[str, Any]) -> Iterable[tuple[str, int, int, int, int, int]]:
    """Wager, seat, number, first stake, all that was staked, and what the house won."""
    for seat in message_data["seats"]:
        at, lines = seat["seat"], [line for line in seat["lines"] if line["outcome"] != "void"]
        if message_data["outcome"] == "void":
            for line in lines:
                yield "decided_before_void", at, 1, line["stake"], line["stake"], -line["net"]
            continue
        ante = {line["wager"]: line for line in lines}
        if "ante" in ante:
            obliged = message_data["game"] == "fortune-3-card-poker-2008" and "pair_plus" in ante
            parts = [ante[name] for name in ("ante", "play", "ante_bonus") if name in ante]
            staked = sum(line["stake"] for line in parts if line["wager"] != "ante_bonus")
            name = "ante_obliged_to_play" if obliged else "ante"
            yield name, at, 1, ante["ante"]["stake"], staked, -sum(line["net"] for line in parts)
        if any(line["wager"] == "hand" for line in lines):
            first = [
                wager["amount"]
                for wager in message_data["wagers"]
                if wager["seat"] == at and wager["wager"] in ("bet", "backing")
            ]
            staked = sum(line["stake"] for line in lines if line["wager"] == "hand")
            won = -sum(line["net"] for line in lines if line["wager"] in ("hand", "special_prize"))
            yield "main_game", at, len(first), sum(first), staked, won
        for line in lines:
            if line["wager"] in ("ante", "play", "ante_bonus", "hand", "special_prize"):
                continue
            name, won = line["wager"], -line["net"]
            if name == "insurance":
                name = f"insurance_{message_data['decks']}_decks"
            elif name == "place":
                won = line["commission"]
                name = "place_limited" if message_data["bank"].get("limited") else name
            yield name, at, 1, line["stake"], line["stake"], won
    bank = message_data["bank"] or {}
    if message_data["outcome"] != "void" and (bank.get("casino") or {}).get("net") is not None:
        yield "bank", bank["seat"], 1, bank["casino"]["share"], bank["casino"]["share"], bank["casino"]["net"]


def known(odds: Mapping[str, Any], message_data: Mapping[str, Any], wager: str) -> Mapping[str, Any] | None:
    for row in odds[message_data["game"]]:
        fits = all(row.get(key, message_data[key]) == message_data[key] for key in ("source", "decks"))
        changed = wager == "main_game" and "double_after_split_three_cards" in message_data["rules"]
        if row["wager"] == wager and fits and not changed:
            return dict(row)
    return None


def wagers_of(rounds: list[Message], odds: Mapping[str, Any]) -> list[Message]:
    sums: dict[str, dict[str, Any]] = {}
    for message_data in rounds:
        stakes: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for name, seat, count, staked, handle, win in bets_of(message_data):
            total = sums.setdefault(
                name,
                dict.fromkeys(("bet_count", "staked", "handle", "win"), 0)
                | {
                    "theory": Fraction(0),
                    "low": Fraction(0),
                    "high": Fraction(0),
                    "variance": Fraction(0),
                    "known": True,
                },
            )
            for key, value in zip(("bet_count", "staked", "handle", "win"), (count, staked, handle, win), strict=True):
                total[key] += value
            its = known(odds, message_data, name)
            if its is None:
                total["known"] = False
                continue
            low, high = its.get("interval", (its["edge"], its["edge"]))
            total["theory"] += Fraction(its["edge"]) * staked
            total["low"] += Fraction(low) * staked
            total["high"] += Fraction(high) * staked
            stakes[name][seat if name in OF_ONE_SEAT else 0] += staked
        for name, together in stakes.items():
            its = known(odds, message_data, name)
            assert its is not None
            sums[name]["variance"] += Fraction(its["variance"]) * sum(stake * stake for stake in together.values())
    return [_wager(name, own) for name, own in sorted(sums.items())]


def _wager(name: str, total: Mapping[str, Any]) -> Message:
    message_data = {"wager": name, **{key: total[key] for key in ("bet_count", "staked", "handle", "win")}}
    if not total["known"]:
        return message_data | dict.fromkeys(THEORY)
    with localcontext() as context:
        context.prec = 60
        root = (Decimal(total["variance"].numerator) / Decimal(total["variance"].denominator)).sqrt()
    deviation = Fraction(root)
    exact = total["low"] == total["high"]
    return message_data | {
        "edge": str(total["theory"] / total["staked"]),
        "edge_interval": None if exact else [str(total[end] / total["staked"]) for end in ("low", "high")],
        "theoretical": text(total["theory"], 2),
        "theoretical_interval": None if exact else [text(total[end], 2) for end in ("low", "high")],
        "deviation": text(deviation, 2),
        "sigmas": text((total["win"] - total["theory"]) / deviation, 2) if deviation else None,
    }


class Clockwork:
    """What is from one message to the next, and for how long within a day."""

    def __init__(self, midnight: datetime, since: datetime) -> None:
        self.from_ = max(midnight, since)
        self.now = since
        self.open = False
        self.needed = {"shuffler", "shoe"}  # of the sources of cards
        self.active: dict[str, set[Any]] = defaultdict(set)
        self.lasted: dict[str, timedelta] = defaultdict(timedelta)

    def until(self, moment: datetime) -> None:
        passed = moment - max(self.now, self.from_)
        if self.open and passed > timedelta():
            holds = {**self.active, **{cause: self.active[cause] & self.needed for cause in ("jam", "device")}}
            for cause in ["open", *(cause for cause, things in holds.items() if things)]:
                self.lasted[cause] += passed
        self.now = moment


def recomputed(messages: Iterable[Message], odds: Mapping[str, Any], now: str, seats: int) -> Message:
    """`statistics` of the day of `now`, without `as_of`, from everything reported before, in order,
    from the beginning."""
    every = list(messages)
    midnight = when(now).replace(hour=0, minute=0, second=0, microsecond=0)
    clock = Clockwork(midnight, when(every[0]["time"]))
    phases: dict[str, list[int]] = {name: [] for name in ("shuffle", "betting", "play", "payment", "pause")}
    marks: dict[str, datetime] = {}
    before: datetime | None = None
    continuous = False
    rounds, counts = [], dict.fromkeys(("correction_count", "adjustment_count", "adjusted_amount"), 0)
    for message in every:
        at, kind, data = when(message["time"]), message["type"].removeprefix("dealer.station."), message["data"]
        today = at >= midnight
        clock.until(at)
        active = clock.active
        match kind.removeprefix("event."):
            case "table_opened" | "table_closed":
                clock.open, before = kind == "event.table_opened", None
            case "device_lost":
                active["broker" if data["device"] == "floor" else "device"].add(data["device"])
            case "device_up" | "device_forgotten":
                active["broker" if data["device"] == "floor" else "device"].discard(data["device"])
                if kind == "event.device_forgotten":
                    active["jam"].discard(data["device"])
            case "shuffler_known":
                active["jam"].discard("shuffler")
            case "device_reported" if data["what"] == "jam":
                active["jam"].add(data["device"])
            case "device_reported" if data["what"] == "cleared":
                active["jam"].discard(data["device"])
            case "complaint_opened":
                active["dispute"].add(data["complaint"])
            case "complaint_decided":
                active["dispute"].discard(data["complaint"])
            case "round_begun":
                marks, continuous = {"begun": at}, data["continuous"]
                clock.needed = {data["terms"]["source"]} if data["terms"]["game"] not in BY_HAND else set()
                if not data["ready"] and not (continuous and data["terms"]["source"] == "shuffler"):
                    active["shuffle"].add(1)
                if before is not None and today:
                    phases["pause"].append(ms(at - before))
                before = None
            case "shuffle_lost" | "deck_faulted":
                active["shuffle"].add(1)
            case "source_chosen":
                clock.needed = {data["source"]}
                if marks:
                    active["shuffle"].add(1)
                if marks and continuous and data["source"] == "shuffler":
                    active["shuffle"].clear()
            case "cards_shuffled":
                active["shuffle"].clear()
                if "closed" not in marks:
                    marks["shuffled"] = at
            case "betting_closed":
                marks["closed"] = at
            case "round_settled":
                marks["settled"] = at
            case "round_voided":
                active["shuffle"].clear()
                marks.pop("settled", None)
                marks["void"] = at
            case "no_bet_made" | "claims_closed":
                active["shuffle"].clear()
                marks = {}
            case "input_corrected":
                counts["correction_count"] += today
            case "round_adjusted" if today:
                counts["adjustment_count"] += 1
                counts["adjusted_amount"] += data["amount"]
            case "round":
                before = at
                if today:
                    rounds.append(data)
                    ends = [("shuffle", "begun", "shuffled"), ("betting", "shuffled", "closed")]
                    if "shuffled" not in marks:
                        ends = [("betting", "begun", "closed")]
                    if "void" not in marks:
                        marks["confirmed"] = at
                        ends += [("play", "closed", "settled"), ("payment", "settled", "confirmed")]
                    for phase, first, last in ends:
                        if first in marks and last in marks:
                            phases[phase].append(ms(marks[last] - marks[first]))
    clock.until(when(now))
    opened = ms(clock.lasted["open"])
    wagers = wagers_of(rounds, odds)
    taken = sum(len({wager["seat"] for wager in message_data["wagers"]}) for message_data in rounds)
    return {
        "since": max(clock.from_, midnight).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "open_ms": opened,
        "round_count": len(rounds),
        "void_rounds": sum(message_data["void"] is not None for message_data in rounds),
        "per_hour": text(Fraction(len(rounds) * 3_600_000, opened), 1) if opened else None,
        "seat_count": seats,
        "occupied": text(Fraction(taken, len(rounds)), 2) if rounds else None,
        "phases": {
            name: {
                "median_ms": int(statistics.median(lengths)) if lengths else None,
                "longest_ms": max(lengths, default=None),
            }
            for name, lengths in phases.items()
        },
        "handle": sum(wager["handle"] for wager in wagers),
        "win": sum(wager["win"] for wager in wagers),
        "wager_totals": wagers,
        "lost_time": {
            f"{cause}_ms": ms(clock.lasted[cause]) for cause in ("shuffle", "jam", "dispute", "device", "broker")
        },
        **counts,
    }


def odds_in(path: Any) -> Mapping[str, Any]:
    """The odds of a file."""
    found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found

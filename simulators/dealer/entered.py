"""Finds out from the screen alone what a person has entered at the station. No I/O here."""

from typing import Any

from simulators.dealer.http_face import Input, Projection

CHANGING = (
    "correct_wager", "correct_seat", "correct_decision", "correct_cards", "correct_dice", "misdealt", "exposed",
    "to_empty_seat", "shuffler_failed", "cards_counted", "void_round",
)  # fmt: skip
"""The inputs that wait for a supervisor once the result is open."""
ALARM_OF = {
    "card_replaced": "damaged-card",
    "inform_inspection": "inspection-not-informed",
    "jam_cleared": "clearing-not-entered",
}
"""The alarm that an input ends."""
BESIDE = ("acknowledge", "card_replaced", "confirm_hit", "decide_complaint")


def is_entered(item: Input, before: Projection, now: Projection) -> bool:
    """Whether the screen `now` shows the content of this input; `before` is the screen at which it was wanted.

    Content that the screen does not show counts as entered if any input came since: meanwhile the hands wait.
    """
    round, was = now.get("round") or {}, before.get("round") or {}
    if len(round.get("changes_waiting") or ()) > len(was.get("changes_waiting") or ()) and item["kind"] in CHANGING:
        return True
    match item["kind"]:
        case "wager":
            return _is_there(round, item)
        case "decide" if "waiting" in before["step"]:
            return item["seat"] not in now["step"].get("waiting", ())
        case "use_source":
            return bool(now.get("source") == item["source"])
        case "shuffler_replaced":
            return bool(now.get("shuffler_failures", 0) < before.get("shuffler_failures", 1))
        case "confirm_hit":
            return _is_confirmed(now, item)
        case "decide_complaint":
            return all(complaint["complaint"] != item["complaint"] for complaint in now.get("complaints", ()))
        case "witness_cards":
            return _are_seen(now, item)
        case "acknowledge" | "card_replaced" | "inform_inspection" | "jam_cleared":
            return not _alarms(now, item) or len(_alarms(now, item)) < len(_alarms(before, item))
        case "misdealt" | "void_round" | "shuffler_failed":
            return bool(round.get("void"))
        case "exposed" if "exposed" in round:
            seen = _sum(round["exposed"]) + len(round.get("aside", ()))
            return bool(round.get("void")) or seen > _sum(was.get("exposed", {})) + len(was.get("aside", ()))
        case "cut_card" if "shoe" in now:
            return bool(now["shoe"]["cut_card_out"] or not now["shoe"]["loaded"])
        case "correct_wager" if _is_there(round, item):
            return True
        case kind if kind.startswith("correct_") and "corrections" in round:
            return len(round["corrections"]) > len(was.get("corrections", ()))
    if _is_of_round(item, before):
        return bool(now["as_of"] > before["as_of"])
    return has_moved_on(before, now)


def has_moved_on(before: Projection, now: Projection) -> bool:
    """Whether the station now waits for something else."""
    return bool(now["step"]["id"] != before["step"]["id"])


def is_locked(item: Input, now: Projection) -> bool:
    """Whether the station names a reason why this may not be entered now: another person's act comes first."""
    kind = "close_claims" if item["kind"] == "hold_cards" else item["kind"]  # what keeps cards on the table keeps both
    return kind in (now["step"].get("illegal") or {})


def is_past(item: Input, before: Projection, now: Projection) -> bool:
    """Whether it is too late to enter this: its round is over or void, or its step is over."""
    if not _is_of_round(item, before):
        return has_moved_on(before, now)
    round = now.get("round") or {}
    return bool(round.get("void")) or round.get("id") != (before.get("round") or {}).get("id")


def is_beside(item: Input) -> bool:
    """Whether play continues without this: it answers neither the step nor a question of the round."""
    return item["kind"] in BESIDE


def wagers_on_screen(round: Projection) -> dict[int, dict[str, int]]:
    """The wagers that the screen has on the felt, by seat, in minor units, without the chips of a jackpot."""
    on_screen: dict[int, dict[str, int]] = {}
    bets = round.get("bets") or [
        {"seat": int(seat), "wager": wager, "amount": amount}
        for seat, wagers in (round.get("wagers") or {}).items()
        for wager, amount in wagers.items()
    ]
    for bet in bets:
        if bet["amount"] and bet["wager"] != "jackpot":
            here = on_screen.setdefault(bet["seat"], {})
            here[bet["wager"]] = here.get(bet["wager"], 0) + bet["amount"]
    return on_screen


def _is_of_round(item: Input, before: Projection) -> bool:
    """Whether this reports or corrects something of the round, at whatever step the round is."""
    return item["kind"] in before["answers"] and not is_beside(item)


def _is_there(round: Projection, item: Input) -> bool:
    """Whether this wager is on the screen; if the screen names its player, the wager of this player."""
    player = item.get("player")
    for bet in round.get("bets") or ():
        if (bet["seat"], bet["wager"]) == (item["seat"], item["wager"]) and bet["player"] in (None, player):
            return bool(bet["amount"] == item["amount"])
    wagers: dict[str, int] = (round.get("wagers") or {}).get(str(item["seat"]), {})
    several = any(bet["player"] is not None for bet in round.get("bets") or ())
    return not several and wagers.get(item["wager"], 0) == item["amount"]


def _is_confirmed(now: Projection, item: Input) -> bool:
    for hit in (now.get("jackpot") or {}).get("hits", []):
        if hit["hit"] == item["hit"]:
            return hit["state"] != "payable" or item["actor"] in hit.get("confirmed_by", [])
    return True


def _are_seen(now: Projection, item: Input) -> bool:
    hits = (now.get("jackpot") or {}).get("hits", [])
    return all(hit["state"] == "paid" or hit["witnessed_by"] for hit in hits if hit["hit"] in item["hits"])


def _alarms(view: Projection, item: Input) -> list[dict[str, Any]]:
    """The alarms of this input on which no one has acted yet."""
    alarms = view.get("alarms", ())
    if item["kind"] == "acknowledge":
        return [alarm for alarm in alarms if alarm["name"] == item["alarm"] and not alarm.get("acknowledged_by")]
    name = ALARM_OF[item["kind"]]
    return [alarm for alarm in alarms if alarm["name"].endswith(name) and not alarm.get("over")]


def _sum(exposed: dict[str, int]) -> int:
    return sum(exposed.values())

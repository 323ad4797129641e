"""What can be read of a table, in lines of words: each word of a demand, and what it shows."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from msgspec import UNSET

from controller.engine.state.jackpot import E4, ChipContributed, ContributionReturned
from controller.rulebook.events import CardsDealt, RoundBegun
from controller.rulebook.jackpot_award import SettledJackpot
from controller.rulebook.report import LineResult, RoundResult
from controller.words import english
from tests.engine.playing import Play
from tests.engine.reported import irregularities, open_cards, reported_bets


def line_in_words(seat: int, line: LineResult) -> str:
    """``seat 1 ante 100 wins 100 at 1:1 by 13.º 3)``; a loss of another amount than the stake says it."""
    bet = f"seat {seat} {line.wager}" + (f" {line.hand}" if line.hand is not UNSET else "")
    bet += (f" of {line.player}" if line.player else "") + f" {line.stake}"
    match line.outcome:
        case "win":
            came = f"wins {line.net}"
        case "lose":
            came = "loses" if line.net == -line.stake else f"loses {-line.net}"
        case "push":
            came = "goes back" if line.net == 0 else f"goes back with {line.net}"
        case _:
            came = "is void" if line.net == 0 else f"is void with {line.net}"
    came += f" at {line.odds}" if line.odds else ""
    came += f" less {line.commission}" if line.commission else ""
    came += f" with {line.combination}" if line.combination else ""
    came += " and its chip is carried" if line.chip_carried is True else ""
    return f"{bet} {came} by {line.article}"


def paid(result: RoundResult) -> list[str]:
    """Every line of every seat."""
    return [line_in_words(seat.seat, line) for seat in result.seats for line in seat.lines]


def hands(result: RoundResult) -> list[str]:
    """The hand of every seat that has one."""
    return [f"seat {seat.seat} {seat.hand_name or 'not shown'}" for seat in result.seats if seat.hand_name is not UNSET]


def bank(result: RoundResult) -> list[str]:
    """What the bank has: its hand and whether it plays, its total, its black-jack."""
    found = result.bank
    if found is None:
        return []
    words = [str(value) for value in (found.hand_name, found.total) if value is not UNSET and value is not None]
    words += [] if found.qualifies in (UNSET, None) else ["plays" if found.qualifies else "does not play"]
    words += ["black-jack"] if found.black_jack is True else []
    return [" ".join(words)] if words else []


def jackpot(result: RoundResult) -> list[str]:
    """The awards, and the pot before and after."""
    prize = result.jackpot
    if not isinstance(prize, SettledJackpot):
        return []
    awards = [
        f"seat {award.seat}{f' {award.player}' if award.player else ''} {award.tier} {award.amount}"
        f" ({award.from_pot} of the pot, {award.from_house} of the house) by {award.article}"
        for award in prize.awards
    ]
    return [*awards, f"pot {prize.pot_before} → {prize.pot_after}"]


OF_A_RESULT: dict[str, Callable[[RoundResult], list[str]]] = {
    "paid": paid,
    "net": lambda result: [f"seat {seat.seat} {seat.net}" for seat in result.seats],
    "hands": hands,
    "bank": bank,
    "jackpot": jackpot,
}
"""What a settlement shows, of the table or of a file."""


def packet(places: Iterable[str]) -> str:
    """The places of cards that left their source together: ``discard + community ×2``."""
    counted = [(place, len(list(alike))) for place, alike in groupby(places)]
    return " + ".join(f"{place} ×{count}" if count > 1 else place for place, count in counted)


def dealt(play: Play) -> list[str]:
    """Where the cards of the round went, packet by packet."""
    packets: list[str] = []
    for event in play.events:
        if isinstance(event, RoundBegun):
            packets = []
        elif isinstance(event, CardsDealt):
            packets.append(packet(event.places))
    return packets


def shown(play: Play) -> list[str]:
    """The open cards of every place."""
    over = play.round.settlement is not None or play.round.void is not None
    found = (
        open_cards(play.report) if over else {place: " ".join(cards) for place, cards in play.round.play.shown.items()}
    )
    return [f"{place} {cards}" for place, cards in found.items()]


def bets_placed(play: Play) -> list[str]:
    """Every bet on the table, with its player where one is named."""
    if play.round.settlement is None and play.round.void is None:
        there = play.public()["round"]
        bets = [(bet["seat"], bet["wager"], bet["player"], bet["amount"]) for bet in there.get("bets") or ()] or [
            (int(seat), wager, None, amount) for seat, here in there["wagers"].items() for wager, amount in here.items()
        ]
    else:
        bets = reported_bets(play.report)
    return [f"seat {seat} {wager} {amount}{f' of {player}' if player else ''}" for seat, wager, player, amount in bets]


def waits(play: Play) -> list[str]:
    """What the table waits for: ``deal bank``, ``count 12``, ``decisions seat 1, seat 3``, ``ask insurance seat 3``."""
    step = play.step
    waiting = ", ".join(f"seat {seat}" for seat in step.waiting if step.kind != "ask")
    seat = "" if step.seat is None else f"seat {step.seat}{'' if step.hand is None else f'/{step.hand}'}"
    more = "keyed in" if step.key_in else ""
    words = (step.kind, step.question, packet(step.to), "" if step.cards is None else str(step.cards), waiting, seat)
    return [" ".join(filter(None, (*words, more)))]


def corrections(play: Play) -> list[str]:
    """What was replaced: ``wager seat 2 ante 100 → 500``."""
    return [
        " ".join(
            str(word)
            for word in (
                correction.what,
                correction.at,
                correction.wager,
                f"of {correction.player}" if correction.player else None,
                correction.before if correction.amount_before is None else correction.amount_before,
                "→",
                correction.after if correction.amount_after is None else correction.amount_after,
            )
            if word is not None
        )
        for correction in play.report.corrections
    ]


def why(play: Play) -> list[str]:
    """Why the round is void."""
    return [] if play.round.void is None else [english(play.round.void.why)]


def chips(play: Play) -> list[str]:
    """The seats whose chips count, of these the carried ones; who has contributed so far, and who got it back."""
    seats = {
        "counting": play.round.chips,
        "carried": play.round.carried_chips,
        "contributed": [event.seat for event in play.happened(ChipContributed)],
        "returned": [event.seat for event in play.happened(ContributionReturned)],
    }
    return [f"{what} {' '.join(map(str, found))}".strip() for what, found in seats.items()]


def meter(play: Play) -> list[str]:
    """The parts of the meter in minor units, and the chips that were counted."""
    now = play.meter
    parts = {"pot": now.pot_e4, "reserve": now.reserve_e4, "overflow": now.overflow_e4}
    parts |= {"contributions": now.contributions_e4, "returned": now.returned_e4}
    return [*(f"{name} {e4 / E4:.10g}" for name, e4 in parts.items()), f"chips {now.chips_counted}"]


def illegal(play: Play) -> Iterable[str]:
    """What the screen offers no button for, and why: ``close_claims 8.º 6) hit_unpaid_or_seen``."""
    for answer, why_not in play.public()["step"].get("illegal", {}).items():
        yield f"{answer} {why_not['rule']} {why_not['code']}"


OF_A_TABLE: dict[str, Callable[[Play], Iterable[Any]]] = {
    "shown": shown,
    "dealt": dealt,
    "irregularities": lambda play: (" ".join(map(str, irregularity)) for irregularity in irregularities(play.report)),
    "corrections": corrections,
    "notices": lambda play: (
        f"{notice.notice}{'' if notice.seat is None else f' seat {notice.seat}'}" for notice in play.table.notices
    ),
    "alarms": lambda play: play.active_alarms(),
    "bets_placed": bets_placed,
    "draws": lambda play: [play.round.draws],
    "unread": lambda play: play.public()["round"]["unread"],
    "why": why,
    "chips": chips,
    "meter": meter,
    "slots": lambda play: (f"seat {seat} {chip.state}" for seat, chip in sorted(play.table.slots.items())),
    "hits": lambda play: (f"round {hit.round} seat {hit.seat} {hit.tier}" for hit in play.meter.hits),
    "waits": waits,
    "may": lambda play: play.step.legal,
    "rules": lambda play: play.report.rules,
    "step": lambda play: [play.step.id],
    "illegal": illegal,
}
"""What else the table shows."""

"""Rounds of five games at tables in memory, one in ten disturbed: money conserved after each event, nothing grows.

No wires, no journal, no floor: what is played is decided and applied. Round N is the same whenever it is played, so a
run continues with `--first` where another has stopped: `python -m tests.soak.rounds_in_memory --rounds 1000000`.
"""

import argparse
import gc
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.engine.decisions.decision import Input
from controller.engine.decisions.devices import DeviceFound, DeviceMissed, DeviceReport
from controller.engine.decisions.played import CardsReported
from controller.engine.state.applied import Event, apply
from controller.engine.state.jackpot import Meter
from controller.engine.state.persons import Misdealt, VoidRound
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import ClaimsClosed, RoundBegun, RoundSettled
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Refusal
from controller.rulebook.settlement import Settlement
from tests.engine.hands import WARNING_CARD, Hands
from tests.engine.places import Places, whole_set
from tests.engine.playing import Play
from tests.engine.spaces import Spaces

DEVICES: tuple[DeviceName, ...] = ("shuffler", "shoe", "slots", "sign", "floor")
FAULTS = 0.1
STEPS = 2000  # of a round: black-jack at seven seats has some hundred
LOW = 120  # cards in a shoe: its warning card comes out
SESSION = 200  # rounds at one table, then it is another
SAY_EVERY = 5000  # rounds


class NotConserved(Exception):
    """Money appeared or vanished."""


class Nothing(list[Any]):
    """What is not kept."""

    def append(self, _: Any) -> None:
        """Forget it."""


class Lean(Play):
    """Keeps the table as it is and nothing else, and holds each event against the books."""

    def receive(self, input: Input) -> tuple[Event, ...]:
        self.entries, self._unwritten = Nothing(), Nothing()
        return super().receive(input)

    def _absorb(self, events: tuple[Event, ...], drawn: Mapping[int, Card | None]) -> None:
        for event in events:
            self.table = apply(self.table, event)
            if self.table.meter is not None:
                check_meter(self.table.meter)
            if isinstance(event, RoundSettled):
                check_settlement(event.settlement)
            if isinstance(event, RoundBegun | ClaimsClosed):
                self.vault = {}


def check_meter(meter: Meter) -> None:
    """What came in was paid out, or is there."""
    came = meter.initial_e4 + meter.contributions_e4 + meter.house_funded_e4 + meter.adjustments_e4
    gone = meter.returned_e4 + meter.paid_e4
    parts = (meter.pot_e4, meter.reserve_e4, meter.overflow_e4, meter.pending_e4)
    if came - gone != sum(parts) or min(parts) < 0:
        raise NotConserved(meter)


def check_settlement(settlement: Settlement) -> None:
    """What a seat wins or loses is what its lines say."""
    for seat, settled in settlement.seats.items():
        if settled.net != sum(line.net for line in settled.lines):
            raise NotConserved(seat, settled)


class Poker2025(Lean):
    """A round has a fresh deck."""


class Poker2008(Lean):
    """Likewise, out of a shoe."""

    def __init__(self) -> None:
        super().__init__(game="fortune-3-card-poker-2008", seat_count=7, additional=(), chip=0, source="shoe")


class EightSpaces(Lean, Spaces):
    """A shoe of eight decks."""


class BlackJack(Lean, Hands):
    """A shoe of four decks."""


class PaiKao(Lean, Places):
    """The tiles are mixed for each round."""


def bet(play: Any, chance: random.Random) -> None:
    """Someone places something."""
    seats = chance.sample(range(1, play.settings.terms.seat_count + 1), chance.randint(1, 4))
    for seat in seats:
        match play:
            case PaiKao():
                continue  # its players place when the bank is taken
            case EightSpaces():
                play.place_bet(seat, eight=chance.choice((100, 500)))
            case BlackJack():
                play.place_bet(seat, chance.choice((100, 300)))
                if chance.random() < 0.5:
                    play.mark(seat)
            case Poker2008():
                play.bet(seat, ante=100, **({"pair_plus": 200} if chance.random() < 0.5 else {}))
            case _:
                play.bet(seat, ante=chance.choice((100, 500)))
                if chance.random() < 0.7:
                    play.chips(seat)


def disturb(play: Any, chance: random.Random) -> None:
    """Something goes wrong; what cannot be now is refused."""
    source = play.round.terms.source
    device = chance.choice(DEVICES)
    anything: list[Callable[[], object]] = [
        lambda: play.say(VoidRound, "rui", reason="soak"),
        lambda: play.change(Misdealt, "rui", what="order", reason="soak"),
        lambda: play.receive(DeviceMissed(device=device, reason="soak")),
        lambda: play.receive(DeviceFound(device=device, outage_ms=10, tries=1)),
        lambda: play.receive(CardsReported(source=source, cards=play.take(chance.randint(1, 3)))),
        lambda: play.receive(DeviceReport(device="shuffler", what=chance.choice(("jam", "cleared")), details="soak")),
        lambda: play.unread.add(chance.randrange(20)),
        lambda: play.chips(chance.randint(1, 6)),
    ]
    chance.choice(anything)()


TABLES: dict[str, Callable[[], Any]] = {
    "2025 shuffler": Poker2025,
    "2025 shoe": lambda: Poker2025(source="shoe"),
    "2008": Poker2008,
    "fortune-8": EightSpaces,
    "blackjack-21": lambda: BlackJack(prize="manual"),
    "taiwan-pai-kao": PaiKao,
}


def fresh(play: Any, chance: random.Random) -> None:
    """Other cards for the next round."""
    play.unread = set()
    match play:
        case PaiKao():
            play.deck = whole_set()
            chance.shuffle(play.deck)
            play.dice = (chance.randint(1, 6), chance.randint(1, 6), chance.randint(1, 6), chance.randint(1, 6))
        case EightSpaces() | BlackJack():
            play.first = tuple(chance.sample(DECK, 52))
            if play.table.shoe.decks and not play.table.shoe.cut_card_out and len(play.deck) - play.dealt < LOW:
                play.receive(WARNING_CARD)
        case _:
            play.deck = chance.sample(DECK, 52)


def play_round(play: Any, chance: random.Random) -> str:
    """A round, or as much of it as there was; what became of it."""
    fresh(play, chance)
    wrong_at = chance.randint(0, 40) if chance.random() < FAULTS else -1
    has_bet, ended = False, "settled"
    for step in range(STEPS):
        try:
            if play.at("wagers") and not has_bet:
                has_bet = True
                bet(play, chance)
            if step >= wrong_at >= 0 and play.table.round is not None:
                wrong_at = -1
                disturb(play, chance)
            before = play.table
            play.proceed()
        except (Refusal, AssertionError, IndexError):
            # The simple people of these tables do not know how to continue from whatever was disturbed.
            if play.table.round is None:
                return "left"
            ended = "given up"
            try:
                play.say(VoidRound, "rui", reason="soak")
            except Refusal:
                return "left"
            continue
        if before.round is not None and play.table.round is None:
            if before.round.void is not None and ended == "settled":
                ended = "void"
            play.sweep()
            return ended
    return "left"


def soak(first: int, rounds: int, say: Callable[[str], None] = print) -> Counter[str]:
    """So many rounds from this number on; how many of them ended how."""
    ended: Counter[str] = Counter()
    names = list(TABLES)
    begun, play = time.process_time(), None
    for number in range(first, first + rounds):
        name = names[number // SESSION % len(names)]
        if play is None or number % SESSION == 0:
            play = TABLES[name]()
        what = play_round(play, random.Random(number))
        ended[f"{name}: {what}"] += 1
        if what == "left":
            play = None
        if (number + 1 - first) % SAY_EVERY == 0:
            say(f"{number + 1 - first} rounds, {taken()}, {time.process_time() - begun:.0f} s of a processor")
    return ended


def taken() -> dict[str, int]:
    """What this process has of the machine."""
    gc.collect()
    status = Path("/proc/self/status").read_text()
    [kib] = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    return {"rss_kib": int(kib), "files": len(os.listdir("/proc/self/fd"))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first round (default: %(default)s)")
    options = parser.parse_args()
    ended = soak(options.first, options.rounds, lambda line: print(line, flush=True))
    for what, count in sorted(ended.items()):
        print(f"{count:>9} {what}")


if __name__ == "__main__":
    main()

"""Simulates the main game in parts that are saved; every outcome comes from the live table's settlement.

The cards are dealt and the hands played by `quick_play`. How a seat ends is a class: its hands' totals, stakes,
black-jack and special prize, and the bank's end. The first round of each class is played again from its cards by the
rulebook and settled; later ones of the class take over what that settlement reported. One round of every COMPARED_EVERY
is also played again and settled, even if its class is known. A round that the rulebook plays or settles differently
ends the simulation with Disagreement.
"""

from functools import lru_cache
from random import Random

import msgspec
from msgspec import Struct

from controller.certify.blackjack.by_the_rulebook import lines_by_seat, play_round
from controller.certify.blackjack.dealing import DealtCards, SimulatedSeats, cards_of, dealing_for
from controller.certify.blackjack.infinite_deck import InfiniteDeck
from controller.certify.blackjack.quick_play import PlayTables, SeatEnd, round_player
from controller.certify.blackjack.strategy import Strategy
from controller.certify.blackjack.variation import REGULATION, Variation
from controller.certify.result import Progress, ResultCache
from controller.rulebook.cards import show_cards
from controller.system.processes import spread

COMPARED_EVERY = 250
PART_ROUNDS = 100_000

EndClass = tuple[SeatEnd, int]


class Disagreement(Exception):
    """The quick play and the rulebook differ: a defect of one of them, and no result can be trusted."""


class SimulationPart(Struct, frozen=True):
    """One part of a simulation: at least so many rounds of a seat at a table, from a seed of its own."""

    table: SimulatedSeats
    seed: int
    number: int
    rounds: int
    rules: Variation = REGULATION


class SimulationTally(Struct, kw_only=True):
    """The result of one or more parts. Money is in halves of the bet.

    `rounds` counts those of each seat. Dependent rounds form a `stretch`: all seats of a round, and all rounds of a
    shoe; the four sums of squares and products are over stretches. `outcomes` counts rounds by their net, the special
    prize included, `special` what it paid. A round is void where the shoe ran out. `compared` is how many rounds the
    rulebook played again: each process has to meet a class of outcome for itself.
    """

    rounds: int = 0
    net: int = 0
    stretches: int = 0
    net_by_net: int = 0
    net_by_rounds: int = 0
    rounds_by_rounds: int = 0
    outcomes: dict[int, int] = {}
    special: int = 0
    special_prizes: int = 0
    compared: int = 0
    void: int = 0

    def add(self, other: "SimulationTally") -> None:
        """Adds the result of another part."""
        for name in self.__struct_fields__:
            if name != "outcomes":
                setattr(self, name, getattr(self, name) + getattr(other, name))
        for net, count in other.outcomes.items():
            self.outcomes[net] = self.outcomes.get(net, 0) + count


@lru_cache
def best_strategy(rules: Variation = REGULATION) -> Strategy:
    """The best play under the regulation, or with another reading of it, computed on an infinite deck."""
    return InfiniteDeck(rules).best()


@lru_cache
def _tables(rules: Variation) -> PlayTables:
    return PlayTables(best_strategy(rules), rules)


def simulate_seat(
    table: SimulatedSeats,
    rounds: int,
    seed: int,
    progress: Progress,
    kept: ResultCache,
    processes: int,
    read: Variation = REGULATION,
) -> SimulationTally:
    """Plays at least so many rounds of a seat.

    The same seed gives the same tally, with any number of processes and interruptions; only `compared` depends on them.
    """
    parts = [
        SimulationPart(table, seed, number, min(PART_ROUNDS, rounds - start), read)
        for number, start in enumerate(range(0, rounds, PART_ROUNDS))
    ]
    whole = SimulationTally()
    missing = []
    for part in parts:
        stored = kept.load(_key(part))
        if stored is None:
            missing.append(part)
        else:
            whole.add(msgspec.convert(stored, SimulationTally, strict=False))
    done = len(parts) - len(missing)
    progress.advance(done, len(parts), table.name)
    for part, tally in spread(play_part, missing, processes):
        kept.store(_key(part), msgspec.to_builtins(tally, str_keys=True))
        whole.add(tally)
        done += 1
        progress.advance(done, len(parts), table.name)
    return whole


def _key(part: SimulationPart) -> str:
    more = ", doubles more after a split" if part.rules.doubles_more else ""
    return (
        f"blackjack-21 main game{more}, {part.table.name}, seed {part.seed}, part {part.number} of {part.rounds} rounds"
    )


def play_part(part: SimulationPart, compared_every: int = COMPARED_EVERY) -> SimulationTally:
    """Plays one part; raises Disagreement."""
    random = Random(f"{part.seed} {part.table.name} {part.number}")
    return _Session(part, dealing_for(part.table, random), _settled_so_far(part.rules)).played(compared_every)


@lru_cache
def _settled_so_far(rules: Variation) -> dict[EndClass, tuple[int, int]]:
    """For each class that this process has met: the net, and the part of it that the special prize pays."""
    return {}


class _Session:
    """A table while it plays."""

    def __init__(self, part: SimulationPart, dealing: DealtCards, settled: dict[EndClass, tuple[int, int]]) -> None:
        self._seats = part.table.seats
        self._rounds = part.rounds
        self._rules = part.rules
        self._dealing = dealing
        self._settled = settled
        self._play = round_player(_tables(part.rules), dealing, self._seats)
        self._tally = SimulationTally()

    def played(self, compared_every: int) -> SimulationTally:
        """Plays `rounds` rounds of a seat and, with a shoe, the rest of the last shoe."""
        tally, settled, dealing, play = self._tally, self._settled, self._dealing, self._play
        met: dict[EndClass, int] = {}
        net = in_stretch = done = 0
        while True:
            if dealing.begin_round():
                self._end_stretch(net, in_stretch)
                if tally.rounds >= self._rounds:
                    break
                net = in_stretch = 0
            try:
                ends, bank_end = play()
            except IndexError:
                tally.void += 1
                continue
            done += 1
            if done % compared_every == 0:
                self._compare(ends, bank_end)
            for end in ends:
                of_class = (end, bank_end)
                if of_class not in settled:
                    self._compare(ends, bank_end)
                net += settled[of_class][0]
                met[of_class] = met.get(of_class, 0) + 1
            in_stretch += self._seats
        for of_class, count in met.items():
            won, special = settled[of_class]
            tally.outcomes[won] = tally.outcomes.get(won, 0) + count
            tally.special += special * count
            tally.special_prizes += count if special else 0
        return tally

    def _end_stretch(self, net: int, rounds: int) -> None:
        if rounds:
            tally = self._tally
            tally.rounds += rounds
            tally.net += net
            tally.stretches += 1
            tally.net_by_net += net * net
            tally.net_by_rounds += net * rounds
            tally.rounds_by_rounds += rounds * rounds

    def _compare(self, ends: list[SeatEnd], bank_end: int) -> None:
        """Lets the rulebook play and settle the same round, and records its settlement."""
        cards = cards_of(self._dealing.drawn)
        try:
            state = play_round(cards, self._seats, best_strategy(self._rules), self._rules)
        except ValueError as error:
            raise Disagreement(f"{show_cards(cards)}: {error}") from error
        for end, lines in zip(ends, lines_by_seat(state), strict=True):
            net = sum(line.net for line in lines)
            special = sum(line.net for line in lines if line.wager == "special_prize")
            if self._settled.setdefault((end, bank_end), (net, special)) != (net, special):
                known = self._settled[end, bank_end]
                raise Disagreement(f"{show_cards(cards)}: a seat nets {net}, {special} of it special, not {known}")
        self._tally.compared += 1

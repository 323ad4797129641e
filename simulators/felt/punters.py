"""The players of black-jack/21: where they sit, what they bet and how they play, from a seed. No I/O here."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from simulators.felt.cards import Card
from simulators.felt.players import BYSTANDERS, MULTIPLES, NAMES, NamedBet

MOST_TIMES = 30  # the bets at a seat together, in minimums (15, 37)
BET, BACKING, VACANT = "bet", "backing", "vacant"

COME_AND_GO = 0.12  # share of rounds before which the players at the table change
ALONE = 0.15  # chance that then only one is left
SIT_OUT = 0.1
BACKS = 0.1  # chance of each player for each seat of another's with a bet
FILLS_UP = 0.15  # share of complementary bets that take what is left up to the maximum
HIGH_BET = 0.04  # share of bets of the maximum
BETS_ON_VACANT = 0.2  # chance for each vacant seat
SECOND_ON_VACANT, SAME_AMOUNT = 0.5, 0.3
LATE_BET = 0.05  # share of rounds in which a player bets when the deal has begun (13)
STRAY_CHIP = 0.05
AGAINST_ADVICE = 0.08
SPLITS, SPLITS_TENS, DOUBLES_SOFT = 0.85, 0.35, 0.5
INSURES, TAKES_EVEN_MONEY = 0.4, 0.5
GIVES_UP_BADLY, GIVES_UP_WELL = 0.03, 0.6
FOLLOWS = 0.6


@dataclass(slots=True)
class RoundBets:
    """The bets of a round, in the order placed; `owners` are the deciding players by seat (16), and chips by seat.

    A wager is a player's own bet, a complementary one, or one at a vacant seat.

    `beside` are the chips of players who bet along, by seat and name, at tables where the dealer marks chips (41 b),
    47).
    """

    bets: list[NamedBet] = field(default_factory=list)
    late: list[NamedBet] = field(default_factory=list)  # when the deal has begun
    chips: list[int] = field(default_factory=list)
    beside: list[tuple[int, str]] = field(default_factory=list)
    owners: dict[int, str] = field(default_factory=dict)


class Punters:
    """Players at their seats, who come and go; some of them, and some standing players, also bet on others' hands."""

    def __init__(
        self, seed: int | str, seats: int, minimum: int, maximum: int, jackpot: bool, chip_rate: float
    ) -> None:
        self._random = random.Random(f"{seed}/punters")
        self._minds = random.Random(f"{seed}/punters' minds")  # apart: however the hands go, the bets are the same
        self._chips_beside = random.Random(f"{seed}/punters' chips beside")  # apart too: slots have none of them
        self._names = {seat: NAMES[(seat - 1) % len(NAMES)] for seat in range(1, seats + 1)}
        self._minimum, self.maximum = minimum, min(maximum, MOST_TIMES * minimum)
        self._chip_rate = chip_rate if jackpot else 0.0
        self._jackpot = jackpot
        self.present = self._some_seats()

    def bets(self) -> RoundBets:
        """The bets of the next round; at least one player bets at his own seat."""
        if self._chance(COME_AND_GO):
            self.present = self._some_seats()
        round_bets = RoundBets()
        someone = self._random.choice(self.present)
        betting = [seat for seat in self.present if seat == someone or not self._chance(SIT_OUT)]
        late = self._late(betting)
        for seat in betting:
            bet = NamedBet(seat, BET, self._names[seat], self._amount(self.maximum))
            (round_bets.late if seat == late else round_bets.bets).append(bet)
            round_bets.owners[seat] = bet.player
        own = list(round_bets.bets)
        for bet in own:
            self._back(round_bets, bet)
        for seat in self._names:
            if seat not in self.present and self._chance(BETS_ON_VACANT):
                self._bet_on_vacant(round_bets, seat, own)
        round_bets.chips = self._chips(
            [bet.seat for bet in own], [seat for seat in self.present if seat not in betting]
        )
        along = [bet for bet in round_bets.bets if bet.player != round_bets.owners[bet.seat]]
        round_bets.beside = [(bet.seat, bet.player) for bet in along if self._chips_beside.random() < self._chip_rate]
        return round_bets

    def bets_beside(self, own: Sequence[NamedBet], chips: Collection[int]) -> RoundBets:
        """The bets of the next round if these persons bet only these amounts at their seats.

        An amount of 0 is no bet; `chips` are the seats whose players place a chip.
        """
        names = {bet.player for bet in own}
        while True:
            round_bets = self.bets()
            free = {bet.seat for bet in own}
            free |= {bet.seat for bet in round_bets.bets if bet.player in names and bet.wager == VACANT}
            for bets in (round_bets.bets, round_bets.late):
                bets[:] = [bet for bet in bets if bet.seat not in free and bet.player not in names]
            round_bets.beside = [(at, name) for at, name in round_bets.beside if at not in free and name not in names]
            round_bets.chips = [at for at in round_bets.chips if at not in free]
            round_bets.owners = {at: name for at, name in round_bets.owners.items() if at not in free}
            for bet in own:
                if bet.amount:
                    round_bets.bets.append(bet)
                    round_bets.owners[bet.seat] = bet.player
                    round_bets.chips += [bet.seat] * (bet.seat in chips)
            if round_bets.bets:
                return round_bets

    def decides(self, cards: Sequence[Card], bank: Card, legal: Sequence[str]) -> str:
        """The decision of a player about a hand, among the legal ones: mostly the basic strategy."""
        if self._thinks(AGAINST_ADVICE):
            return self._minds.choice(list(legal))
        if "split" in legal and self._thinks(SPLITS_TENS if value(cards[0]) == 10 else SPLITS):
            return "split"
        if "double" in legal and (not is_soft(cards) or self._thinks(DOUBLES_SOFT)):
            lowest = sum(map(value, cards))
            if lowest == 11 or value(bank) in range(2, 7 if lowest == 9 else 10) or is_soft(cards):
                return "double"
        wish = "hit" if takes_card(cards, bank) else "stand"
        return wish if wish in legal else legal[0]

    def gives_up(self, cards: Sequence[Card], bank: Card) -> bool:
        """Whether a player gives up half his bet (36)."""
        badly_off = not is_soft(cards) and total(cards) in (15, 16) and value(bank) in (9, 10)
        return self._thinks(GIVES_UP_WELL if badly_off else GIVES_UP_BADLY)

    def takes_even_money(self) -> bool:
        """Whether a black-jack takes its bet's value now (34)."""
        return self._thinks(TAKES_EVEN_MONEY)

    def insures(self, most: int) -> int:
        """The insurance of a player, 0 for none: at most half of his bet (33)."""
        if not self._thinks(INSURES):
            return 0
        return most if self._thinks(0.6) else self._minds.randint(1, most)

    def follows(self) -> bool:
        """Whether a backer follows a double or a split (28, 30)."""
        return self._thinks(FOLLOWS)

    def _some_seats(self) -> list[int]:
        count = 1 if self._chance(ALONE) else self._random.randint(1, len(self._names))
        return sorted(self._random.sample(list(self._names), count))

    def _amount(self, room: int) -> int:
        """A multiple of the minimum that still has room."""
        if self._chance(HIGH_BET):
            return room // self._minimum * self._minimum
        return min(self._minimum * self._random.choice(MULTIPLES), room // self._minimum * self._minimum)

    def _late(self, betting: list[int]) -> int | None:
        """The players who bet late (13): never the first, so that a deal can begin before that; none with a prize
        (48).
        """
        late = self._random.choice(betting[1:]) if len(betting) > 1 and self._chance(LATE_BET) else None
        return None if self._jackpot else late

    def _back(self, round_bets: RoundBets, own: NamedBet) -> None:
        room = self.maximum - own.amount
        for player in self._others(own.player):
            if room >= self._minimum and self._chance(BACKS):
                amount = room // self._minimum * self._minimum if self._chance(FILLS_UP) else self._amount(room)
                round_bets.bets.append(NamedBet(own.seat, BACKING, player, amount))
                room -= amount

    def _bet_on_vacant(self, round_bets: RoundBets, seat: int, own: list[NamedBet]) -> None:
        """One or two players with a bet at their own seats; the highest bet decides, or the one from the lower seat
        (16).
        """
        count = 2 if len(own) > 1 and self._chance(SECOND_ON_VACANT) else 1
        room, here = self.maximum, list[NamedBet]()
        for bettor in self._random.sample(own, count):
            amount = here[0].amount if here and self._chance(SAME_AMOUNT) else self._amount(room)
            if self._minimum <= amount <= room:
                here.append(NamedBet(seat, VACANT, bettor.player, amount))
                room -= amount
        sits_at = {bet.player: bet.seat for bet in own}
        round_bets.bets += here
        round_bets.owners[seat] = min(here, key=lambda bet: (-bet.amount, sits_at[bet.player])).player

    def _chips(self, with_bet: list[int], without: list[int]) -> list[int]:
        chips = [seat for seat in with_bet if self._chance(self._chip_rate)]
        return chips + [seat for seat in without if self._jackpot and self._chance(STRAY_CHIP)]

    def _others(self, player: str) -> list[str]:
        present = [self._names[seat] for seat in self.present]
        return [name for name in (*present, *BYSTANDERS) if name != player]

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _thinks(self, share: float) -> bool:
        return self._minds.random() < share


def value(card: Card) -> int:
    """The value of a card, 1 to 10: an ace is 1, figures are 10 (6)."""
    return min(card.rank, 10)


def is_soft(cards: Sequence[Card]) -> bool:
    """Whether an ace counts 11."""
    return any(card.rank == 1 for card in cards) and sum(map(value, cards)) <= 11


def total(cards: Sequence[Card]) -> int:
    """The points of the cards, with one ace as 11 unless that passes 21 (6)."""
    return sum(map(value, cards)) + (10 if is_soft(cards) else 0)


def is_black_jack(cards: Sequence[Card]) -> bool:
    """Whether two cards are an ace and a ten or figure (1 a))."""
    return len(cards) == 2 and total(cards) == 21


def takes_card(cards: Sequence[Card], bank: Card) -> bool:
    """Whether the basic strategy takes another card."""
    if is_soft(cards):
        return total(cards) < (19 if value(bank) in (1, 9, 10) else 18)
    return total(cards) < (12 if value(bank) in (4, 5, 6) else 13 if value(bank) in (2, 3) else 17)

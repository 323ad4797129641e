"""The results of wagers for the house, compared with their odds; exact, and sums can be added. No I/O here."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isqrt

from msgspec import Struct

from controller.floor.shapes import PublishedWager
from controller.rulebook.events import Terms
from controller.rulebook.report import LineResult, RoundReport, SeatResult
from controller.statistics.odds import WagerOdds, odds_at, odds_of

MAIN_GAME, ANTE, OBLIGED = "main_game", "ante", "ante_obliged_to_play"
OF_ANTE = ("ante", "play", "ante_bonus")
OF_MAIN_GAME = ("hand", "special_prize")
FIRST_BETS = ("bet", "backing")  # of black-jack, by the seat's own and by who bets along
NO_STAKE = ("ante_bonus", "special_prize")  # lines that pay on a stake of another line
BEFORE_VOID, LIMITED, BANK = "decided_before_void", "place_limited", "bank"
ROOT_DIGITS = 10**6


class WageredBet(Struct, frozen=True):
    """The stake of one seat on a wager, under the wager's name in the odds; minor units."""

    wager: str
    seat: int
    bets: int
    staked: int
    handle: int
    win: int


class CertifiedEdge(Struct, frozen=True):
    """The house's part of a first stake in percent, with two decimals, and whether it was simulated."""

    percent: str
    simulated: bool


def edge_shown(terms: Terms, wager: str) -> CertifiedEdge | None:
    """The edge of a wager offered at a table; None if it has not been computed."""
    odds = odds_at(terms, MAIN_GAME if wager == "bet" else wager)
    if odds is None:
        return None
    return CertifiedEdge(f"{float(100 * odds.edge):.2f}", odds.interval is not None)


class Theory(Struct, frozen=True):
    """The expected result of a stake by the odds, and the ends of its interval, which are equal for exact odds."""

    win: Fraction
    low: Fraction
    high: Fraction

    def plus(self, other: "Theory") -> "Theory":
        """Both together."""
        return Theory(self.win + other.win, self.low + other.low, self.high + other.high)


class Wagered(Struct, frozen=True):
    """A wager's exact sums over rounds. `theory` is None if the odds of any of its bets are not known."""

    bets: int
    staked: int
    handle: int
    win: int
    theory: Theory | None
    variance: Fraction

    def plus(self, other: "Wagered") -> "Wagered":
        """Both together."""
        theory = None if self.theory is None or other.theory is None else self.theory.plus(other.theory)
        return Wagered(
            bets=self.bets + other.bets,
            staked=self.staked + other.staked,
            handle=self.handle + other.handle,
            win=self.win + other.win,
            theory=theory,
            variance=self.variance + other.variance,
        )

    def published(self, wager: str) -> PublishedWager:
        """The sums in the published form."""
        theory = self.theory
        if theory is None:
            return PublishedWager(
                wager, self.bets, self.staked, self.handle, self.win, None, None, None, None, None, None
            )
        deviation = square_root(self.variance)
        ends = None if theory.low == theory.high else (theory.low, theory.high)
        return PublishedWager(
            wager=wager,
            bet_count=self.bets,
            staked=self.staked,
            handle=self.handle,
            win=self.win,
            edge=str(theory.win / self.staked),
            edge_interval=None if ends is None else (str(ends[0] / self.staked), str(ends[1] / self.staked)),
            theoretical=decimals(theory.win, 2),
            theoretical_interval=None if ends is None else (decimals(ends[0], 2), decimals(ends[1], 2)),
            deviation=decimals(deviation, 2),
            sigmas=decimals((self.win - theory.win) / deviation, 2) if deviation else None,
        )


def square_root(square: Fraction) -> Fraction:
    """The square root, rounded down to the millionth."""
    return Fraction(isqrt(square.numerator * ROOT_DIGITS**2 // square.denominator), ROOT_DIGITS)


def decimals(value: Fraction, places: int) -> str:
    """A fraction with `places` decimals, rounded half up, away from zero: 2/3 with one is ``0.7``."""
    scaled = abs(value) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if value < 0 and whole else ""
    return f"{sign}{whole // 10**places}.{whole % 10**places:0{places}d}"


def wagered(rounds: Iterable[RoundReport]) -> dict[str, Wagered]:
    """The sums of rounds by wager, in the order of their names."""
    found: dict[str, Wagered] = {}
    for round in rounds:
        add_sums(found, of_round(round))
    return dict(sorted(found.items()))


def add_sums(sums: dict[str, Wagered], more: dict[str, Wagered]) -> None:
    """Add sums of more rounds to those of others."""
    for wager, own in more.items():
        sums[wager] = sums[wager].plus(own) if wager in sums else own


def of_round(round: RoundReport) -> dict[str, Wagered]:
    """The sums of one round by wager."""
    by_wager: dict[str, list[WageredBet]] = {}
    for bet in bets(round):
        by_wager.setdefault(bet.wager, []).append(bet)
    return {wager: _summed(of_wager, odds_of(round, wager)) for wager, of_wager in by_wager.items()}


def _summed(of_wager: list[WageredBet], odds: WagerOdds | None) -> Wagered:
    staked = sum(bet.staked for bet in of_wager)
    theory, variance = None, Fraction(0)
    if odds is not None:
        low, high = odds.interval or (odds.edge, odds.edge)
        theory = Theory(odds.edge * staked, low * staked, high * staked)
        # Seats that play against the same cards hang together: at most they win and lose as one stake.
        stakes: dict[int, int] = {}
        for bet in of_wager:
            with_it = bet.seat if odds.alone else 0
            stakes[with_it] = stakes.get(with_it, 0) + bet.staked
        variance = odds.variance * sum(stake**2 for stake in stakes.values())
    return Wagered(
        bets=sum(bet.bets for bet in of_wager),
        staked=staked,
        handle=sum(bet.handle for bet in of_wager),
        win=sum(bet.win for bet in of_wager),
        theory=theory,
        variance=variance,
    )


def bets(round: RoundReport) -> Iterator[WageredBet]:
    """The bets of each seat by wager, without those taken back."""
    limited = round.bank is not None and round.bank.limited is True
    for seat in round.seats:
        lines = [line for line in seat.lines if line.outcome != "void"]
        if round.outcome == "void":
            yield from (_bet(BEFORE_VOID, seat.seat, [line]) for line in lines)
            continue
        ante = [line for line in lines if line.wager in OF_ANTE]
        if ante:
            yield _ante(round, seat, ante)
        hands = [line for line in lines if line.wager in OF_MAIN_GAME]
        if hands:
            yield _main_game(round, seat.seat, hands)
        for line in lines:
            if line.wager == "place":
                stake, name = line.stake, LIMITED if limited else "place"
                yield WageredBet(name, seat.seat, 1, stake, stake, line.commission)
            elif line.wager == "insurance":
                yield _bet(f"insurance_{round.decks}_decks", seat.seat, [line])
            elif line.wager not in (*OF_ANTE, *OF_MAIN_GAME):
                yield _bet(line.wager, seat.seat, [line])
    casino = round.bank.casino if round.bank is not None else None
    if casino and casino.net is not None and round.outcome != "void":
        assert round.bank is not None and isinstance(round.bank.seat, int)
        yield WageredBet(BANK, round.bank.seat, 1, casino.share, casino.share, casino.net)


def _bet(wager: str, seat: int, lines: list[LineResult]) -> WageredBet:
    """A bet whose stake is all that is staked on it."""
    handle = sum(line.stake for line in lines if line.wager not in NO_STAKE)
    return WageredBet(wager, seat, len(lines), handle, handle, -sum(line.net for line in lines))


def _ante(round: RoundReport, seat: SeatResult, lines: list[LineResult]) -> WageredBet:
    """The ante with its double and bonus; beside Pair Plus the 2008 game obliges the player to play, at separate
    odds.
    """
    beside = any(line.wager == "pair_plus" for line in seat.lines) and odds_of(round, OBLIGED) is not None
    whole = _bet(OBLIGED if beside else ANTE, seat.seat, lines)
    staked = sum(line.stake for line in lines if line.wager == ANTE)
    return WageredBet(whole.wager, seat.seat, 1, staked, whole.handle, whole.win)


def _main_game(round: RoundReport, seat: int, lines: list[LineResult]) -> WageredBet:
    """The hands of a seat with who bets along; the odds count on the first bets."""
    whole = _bet(MAIN_GAME, seat, lines)
    first = [of_wager.amount for of_wager in round.wagers if of_wager.seat == seat and of_wager.wager in FIRST_BETS]
    return WageredBet(MAIN_GAME, seat, len(first), sum(first), whole.handle, whole.win)

"""What every wager of Taiwan-Pai Kao is worth: places and their order, the bank's limit, commission (2.º, 5.º, 8.º)."""

from collections import Counter
from dataclasses import dataclass

from .lines import Worth
from .pai_hands import Hand, against

LIMIT, COMPARED, SHARED = "5.º c)", "6.º c)", "5.º e)"


@dataclass(frozen=True)
class Wager:
    """What a player laid on a place."""

    place: int
    player: str
    amount: int


def with_amount(wagers: list[Wager], place: int, player: str, amount: int, *, later: bool = True) -> list[Wager]:
    """What lies there once a player's wager comes to an amount: what is new is a `later` bet, laid behind the others.

    Corrected, it is what he laid last that was another amount. What he takes back is what he laid last (5.º e), 8.º).
    """
    own = [one for one in wagers if (one.place, one.player) == (place, player)]
    had = sum(one.amount for one in own)
    if amount > had:
        last = next(one for one in reversed(wagers) if one.place == place) if own else None
        if own and (not later or last is own[-1]):
            grown = Wager(place, player, own[-1].amount + amount - had)
            return [grown if one is own[-1] else one for one in wagers]
        return [*wagers, Wager(place, player, amount - had)]
    left, kept = amount, []
    for one in wagers:
        if not any(one is mine for mine in own):
            kept.append(one)
        elif left:
            kept.append(Wager(place, player, min(left, one.amount)))
            left -= kept[-1].amount
    return kept


@dataclass(frozen=True)
class Bank:
    """Who holds the bank, and with how much."""

    place: int
    capital: int
    casino: int
    rounds: int  # in this turn, this one included


def worth(wager: Wager, outcome: str, net: int, commission: int, article: str, name: str = "place") -> Worth:
    """What became of a wager, on a place or behind the bank."""
    return Worth(name, wager.player, wager.amount, outcome, None, net, article, commission=commission)


@dataclass
class Result:
    """A round settled: the lines by place in the order laid, and the shares of who stands behind the bank."""

    first: int
    order: list[int]
    outcomes: dict[int, str]
    lines: dict[int, list[Worth]]
    cut: Counter[str]  # wagers cut by the limit: "paying", "collecting"
    own: int
    casino: int
    joiners: list[Worth]

    def left_over(self) -> int:
        """What all nets and commissions sum to: nothing, or the computation is wrong."""
        moved = sum(line.net + line.commission for here in self.lines.values() for line in here)
        return moved + self.own + self.casino + sum(line.net for line in self.joiners)


def around(first: int, places: int) -> list[int]:
    """All places from one on, counter-clockwise: the next number sits at the right (2.º c))."""
    return [*range(first, places + 1), *range(1, first)]


def named_by(dice: list[int], banker: int, places: int, *, beside: bool = False) -> int:
    """The place the dice name, counted to the right from the banker, who is one (2.º b)).

    Where it is his own, by the other reading the next one `beside` him is the first.
    """
    step = (sum(dice) - 1) % places
    return around(banker, places)[1 if beside and step == 0 else step]


def settle(bank: Bank, dice: list[int], hands: dict[int, Hand], wagers: list[Wager], *, beside: bool = False) -> Result:
    """Every wager in the order of the dice, inside a place as laid, never beyond what stands behind the bank.

    The bank collects while its gain before commission is below the limit, and pays out of the limit and its gain after
    commission; of each wager won the house has 5 %, rounded down (8.º).
    """
    first = named_by(dice, bank.place, len(hands), beside=beside)
    order = [place for place in around(first, len(hands)) if place != bank.place]
    outcomes = {place: against(hands[place], hands[bank.place]) for place in order}
    behind = [wager for wager in wagers if wager.place == bank.place]
    limit = bank.capital + bank.casino + sum(wager.amount for wager in behind)
    gross = after = 0  # the bank's gain before and after commission
    lines: dict[int, list[Worth]] = {place: [] for place in order}
    cut: Counter[str] = Counter()
    for place in order:
        for wager in (wager for wager in wagers if wager.place == place):
            outcome = outcomes[place]
            room = {"win": limit + after, "lose": limit - gross, "push": wager.amount}[outcome]
            moves = 0 if outcome == "push" else min(wager.amount, room)
            commission = moves // 20
            if outcome == "win":
                gross, after, net = gross - moves, after - moves, moves - commission
            else:
                gross, after, net = gross + moves, after + moves - commission, -moves
            article = LIMIT if room < wager.amount else COMPARED
            cut["paying" if outcome == "win" else "collecting"] += room < wager.amount
            lines[place].append(worth(wager, outcome, net, commission, article))
    own, casino, *shares = _shared(after, [bank.capital, bank.casino, *(wager.amount for wager in behind)])
    joiners = [
        worth(wager, "win" if share > 0 else "lose" if share < 0 else "push", share, 0, SHARED, "bank")
        for wager, share in zip(behind, shares, strict=True)
    ]
    return Result(first, order, outcomes, lines, +cut, own, casino, joiners)


def void(wagers: list[Wager], bank: Bank | None, article: str) -> tuple[dict[int, list[Worth]], list[Worth]]:
    """Every wager goes back: the lines by place, and those of who is behind the bank."""
    lines: dict[int, list[Worth]] = {}
    joiners = []
    for wager in wagers:
        if bank and wager.place == bank.place:
            joiners.append(worth(wager, "void", 0, 0, article, "bank"))
        else:
            lines.setdefault(wager.place, []).append(worth(wager, "void", 0, 0, article))
    return lines, joiners


def _shared(result: int, parts: list[int]) -> list[int]:
    """The bank's result on the banker, then the casino, then each joiner, each up to his part (5.º e))."""
    shares = []
    for part in parts:
        share = max(-part, min(part, result))
        result -= share
        shares.append(share)
    return shares


def holders(wagers: list[Wager], bank: Bank | None, places: int) -> list[dict[str, object]]:
    """Who may hold the tiles of each place but the bank's: who laid the most, of equals who was first (3.º b), c))."""
    found: list[dict[str, object]] = []
    for place in range(1, places + 1):
        if bank is None or place == bank.place:
            continue
        stakes: dict[str, int] = {}
        for wager in (wager for wager in wagers if wager.place == place):
            stakes[wager.player] = stakes.get(wager.player, 0) + wager.amount
        most = max(stakes.values(), default=0)
        holder = next((player for player, amount in stakes.items() if amount == most), None)
        found.append({"seat": place, "player": holder})
    return found

"""What every wager of Taiwan-Pai Kao is worth: places and their order, the bank's limit, commission (2.º, 5.º, 8.º)."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from .lines import Worth
from .pai_hands import Hand, against

LIMIT, COMPARED, SHARED = "5.º c)", "6.º c)", "5.º e)"
BESIDE, OVER = "deal_begins_beside_banker", "limit_over_the_round"
IN_PROPORTION, OF_PLAYERS = "casino_shares_in_proportion", "commission_of_players_alone"

Rules = Collection[str]  # the keys of the readings that the house chose


@dataclass(frozen=True)
class Wager:
    """What a player placed on a place."""

    place: int
    player: str
    amount: int


def with_amount(wagers: list[Wager], place: int, player: str, amount: int, *, later: bool = True) -> list[Wager]:
    """What is there once a player's wager comes to an amount: what is new is a `later` bet, placed behind the others.

    Corrected, it is what he placed last that was another amount. What he takes back is what he placed last (5.º e),
    8.º).
    """
    own = [wager for wager in wagers if (wager.place, wager.player) == (place, player)]
    had = sum(wager.amount for wager in own)
    if amount > had:
        last = next(wager for wager in reversed(wagers) if wager.place == place) if own else None
        if own and (not later or last is own[-1]):
            grown = Wager(place, player, own[-1].amount + amount - had)
            return [grown if wager is own[-1] else wager for wager in wagers]
        return [*wagers, Wager(place, player, amount - had)]
    left, kept = amount, []
    for wager in wagers:
        if not any(wager is mine for mine in own):
            kept.append(wager)
        elif left:
            kept.append(Wager(place, player, min(left, wager.amount)))
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
    """A round settled: the lines by place in the order placed, and the shares of who is behind the bank."""

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


def settle(bank: Bank, dice: list[int], hands: dict[int, Hand], wagers: list[Wager], rules: Rules = ()) -> Result:
    """Every wager in the order of the dice, inside a place as placed, never beyond what is behind the bank.

    The bank collects while its gain before commission is below the limit, and pays out of the limit and its gain after
    commission; of each wager won the house has 5 %, rounded down (8.º). `rules` are the readings that were chosen.
    """
    first = named_by(dice, bank.place, len(hands), beside=BESIDE in rules)
    order = [place for place in around(first, len(hands)) if place != bank.place]
    outcomes = {place: against(hands[place], hands[bank.place]) for place in order}
    behind = [wager for wager in wagers if wager.place == bank.place]
    limit = bank.capital + bank.casino + sum(wager.amount for wager in behind)
    in_turn = [wager for place in order for wager in wagers if wager.place == place]
    turns = [(wager.amount, outcomes[wager.place]) for wager in in_turn]
    bears = 0 if OF_PLAYERS in rules else 1  # how much of its commission the bank bears
    moved = _over_the_round(turns, limit, bears) if OVER in rules else _one_by_one(turns, limit, bears)
    after = 0  # the bank's gain after commission
    lines: dict[int, list[Worth]] = {place: [] for place in order}
    cut: Counter[str] = Counter()
    for wager, moves in zip(in_turn, moved, strict=True):
        outcome = outcomes[wager.place]
        commission = moves // 20 * (1 if outcome == "win" else bears)
        after += {"win": -moves, "lose": moves - commission, "push": 0}[outcome]
        net = {"win": moves - commission, "lose": -moves, "push": 0}[outcome]
        short = outcome != "push" and moves < wager.amount
        cut["paying" if outcome == "win" else "collecting"] += short
        lines[wager.place].append(worth(wager, outcome, net, commission, LIMIT if short else COMPARED))
    own, casino, *shares = _shared(after, bank, [wager.amount for wager in behind], rules)
    joiners = [
        worth(wager, "win" if share > 0 else "lose" if share < 0 else "push", share, 0, SHARED, "bank")
        for wager, share in zip(behind, shares, strict=True)
    ]
    return Result(first, order, outcomes, lines, +cut, own, casino, joiners)


def _one_by_one(turns: list[tuple[int, str]], limit: int, bears: int) -> list[int]:
    """What moves of each wager where the limit holds after every one of them (5.º c))."""
    gross = after = 0
    moved = []
    for stake, outcome in turns:
        moves = min(stake, {"win": limit + after, "lose": limit - gross, "push": 0}[outcome])
        if outcome == "lose":
            gross, after = gross + moves, after + moves - moves // 20 * bears
        else:
            gross, after = gross - moves, after - moves
        moved.append(moves)
    return moved


def _over_the_round(turns: list[tuple[int, str]], limit: int, bears: int) -> list[int]:
    """What moves where the bank's net over all keeps to the limit: the side that passes it is served in turn."""
    lost = sum(stake - stake // 20 * bears for stake, outcome in turns if outcome == "lose")
    won = sum(stake for stake, outcome in turns if outcome == "win")
    room = {"lose": limit + won, "win": limit + lost}  # both in what comes to the bank, or leaves it
    moved = []
    for stake, outcome in turns:
        moves = 0 if outcome == "push" else stake
        while outcome == "lose" and moves and moves - moves // 20 * bears > room["lose"]:
            spare = moves - moves // 20 * bears - room["lose"]
            moves -= min(spare, moves)
        if outcome == "win":
            moves = min(moves, room["win"])
        if outcome != "push":
            room[outcome] -= moves - (moves // 20 * bears if outcome == "lose" else 0)
        moved.append(moves)
    return moved


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


def _shared(result: int, bank: Bank, joined: list[int], rules: Rules) -> list[int]:
    """The bank's result on the banker, then the casino, then each joiner, each up to his part (5.º e)).

    By the other reading banker and casino have of theirs what their money is of both; the odd coin is the banker's.
    """
    shares = []
    together = IN_PROPORTION in rules
    for part in [bank.capital + bank.casino, *joined] if together else [bank.capital, bank.casino, *joined]:
        share = max(-part, min(part, result))
        result -= share
        shares.append(share)
    if together:
        coins = abs(shares[0]) * bank.casino // (bank.capital + bank.casino)
        casino = coins if shares[0] > 0 else -coins
        shares[:1] = [shares[0] - casino, casino]
    return shares


def holders(wagers: list[Wager], bank: Bank | None, places: int) -> list[dict[str, object]]:
    """Who may hold the tiles of each place but the bank's: who placed the most, of equals who was
    first (3.º b), c))."""
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

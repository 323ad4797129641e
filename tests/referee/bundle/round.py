"""What the events say of a round of any game: its bets, what was decided, the cards shown."""

from typing import Any

from ..rules.lines import Message, Stakes, Worth
from .forms import Event, Wrong
from .parameters import Parameters


class Shown(dict[str, list[str]]):
    """The cards by place. Raises Wrong where the rules ask for cards that were never shown."""

    def __missing__(self, place: str) -> list[str]:
        raise Wrong(f"the cards of {place} are wanted to settle, and were never shown")


class Round:
    """A game adds what its events mean, and how its rules settle."""

    everywhere = False  # a place has cards whether or not anyone has bet there

    def __init__(self, begun: Event, act: str) -> None:
        self.act = act  # by which it is decided
        self.terms = begun["terms"]
        self.bets: dict[int, dict[str, dict[str, int]]] = {}  # by seat, wager and player, in the order placed
        self.chips: list[int] = []
        self.marked: dict[int, list[str]] | None = None
        self.carried: list[Any] = []
        self.deal: str | None = None
        self.decisions: dict[int, str] = {}
        self.shown = Shown()
        self.void: Event | None = None
        self.decided_chips: list[Any] = []

    def follow(self, event: Event) -> None:
        """Take one event."""
        match event["type"]:
            case "wager_placed":
                self.place_bet(event["seat"], event["wager"], event["amount"], event.get("player"))
            case "betting_closed":
                self.chips, self.carried = event["chips"], event.get("carried", [])
                marked = event.get("marked")
                self.marked = {int(seat): names for seat, names in marked.items()} if marked else None
            case "deal_announced":
                self.deal = event["deal"]
            case "decision_made":
                self.decisions[event["seat"]] = event["decision"]
            case "cards_shown":
                self.show(event)
            case "input_corrected":
                self.correct(event)
            case "round_voided":
                self.void, self.decided_chips = event, event.get("decided", [])

    def show(self, event: Event) -> None:
        """Cards are shown."""
        self.shown[event["to"]] = event["cards"]

    def place_bet(self, seat: int, wager: str, amount: int, player: str | None) -> None:
        """What a bet is now; 0 takes it back. One that is changed keeps its turn."""
        whose = (player or "") if self.terms.get("shared") else ""
        stakes = self.bets.setdefault(seat, {}).setdefault(wager, {})
        if amount:
            stakes[whose] = amount
        else:
            stakes.pop(whose, None)
        self.bets[seat] = {name: bets for name, bets in self.bets[seat].items() if bets}
        self.bets = {at: bets for at, bets in sorted(self.bets.items()) if bets}

    def correct(self, event: Event) -> None:
        """What was entered is replaced."""
        if event["what"] == "cards":
            self.shown[event["at"]] = event["after"].split()
            return
        seat = seat_number(event["at"])
        match event["what"]:
            case "wager":
                self.place_bet(seat, event["wager"], int(event["after"]), event.get("player"))
                if event["wager"] == "ante" and not int(event["after"]):
                    self.decisions.pop(seat, None)
            case "seat":
                self.move(seat, seat_number(event["after"]))
            case "decision":
                self.decisions[seat] = event["after"]

    def move(self, seat: int, to: int) -> None:
        """All that was entered for a seat belongs to another one."""
        self.bets = dict(sorted((to if at == seat else at, bets) for at, bets in self.bets.items()))
        self.decisions = {to if at == seat else at: decision for at, decision in self.decisions.items()}
        if not (self.everywhere or self.deal == "every_space"):
            here, there = f"seat {seat}", f"seat {to}"
            self.shown = Shown({there if at == here else at: cards for at, cards in self.shown.items()})

    def stakes(self) -> Stakes:
        """The bets by seat, wager and player."""
        return {
            (seat, wager, player or None): amount
            for seat, wagers in self.bets.items()
            for wager, stakes in wagers.items()
            for player, amount in stakes.items()
        }

    def copies(self, card: str) -> int:
        """How many there are of a card."""
        decks: int = self.terms["decks"]
        return decks if len(card) == 2 and card[0] in "23456789TJQKA" and card[1] in "cdhs" else 0

    def shown_cards(self) -> list[tuple[str | int, str]]:
        """Each with its place, or the number of its draw."""
        return [(place, card) for place, cards in self.shown.items() for card in cards]

    def faces(self) -> list[str]:
        """The cards that this round cannot have oftener than there are of them."""
        return [card for _, card in self.shown_cards()]

    def check_cards(self) -> None:
        """No card is there oftener than there are of it."""
        seen: dict[str, int] = {}
        for card in self.faces():
            seen[card] = seen.get(card, 0) + 1
            if seen[card] > self.copies(card):
                raise Wrong(f"{card} was shown {seen[card]} times, and there are {self.copies(card)} of it")

    def answer(self, **more: object) -> Event:
        """The settlement, with what only some games have in it."""
        return {"game": self.terms["game"], "outcome": "void" if self.void else "settled", **more}

    def settled(self, pot: int | None, parameters: Parameters) -> Event:
        """The settlement by the rules; `pot` None: the table has no jackpot."""
        raise NotImplementedError

    def voided(self, pot: int | None, parameters: Parameters, after: int | None) -> Event:
        """The settlement of a void round; `after` is the pot once the chips went back."""
        raise NotImplementedError

    def prize(self, seat: int) -> list[str]:
        """The cards that win a seat's prize."""
        raise NotImplementedError

    @property
    def void_by(self) -> str:
        """The article that voids it."""
        assert self.void is not None
        return str(self.void["article"])


def written(line: Worth) -> Message:
    """A line as a settlement has it."""
    own = {"wager": line.wager, "stake": line.stake, "outcome": line.outcome, "odds": line.odds, "net": line.net}
    named = {} if line.player is None else {"player": line.player}
    numbered = {} if line.hand is None else {"hand": line.hand}
    return own | {"article": line.article} | named | numbered | line.more


def by_seat(lines: list[tuple[int, Worth]]) -> dict[str, Message]:
    """The lines of a settlement by seat, with what each seat wins or loses."""
    seats: dict[str, Message] = {}
    for seat, line in lines:
        there = seats.setdefault(str(seat), {"net": 0, "lines": []})
        there["net"] += line.net
        there["lines"].append(written(line))
    return seats


def seat_number(place: str) -> int:
    """The seat of a place. Raises Wrong where it is none."""
    word, _, number = place.partition(" ")
    if word != "seat" or not number.isdigit():
        raise Wrong(f"{place} is no seat")
    return int(number)

"""Films of black-jack for the referee's own tests: a round is written down as bets, cards and answers."""

from pathlib import Path
from typing import Any

from tests.referee.films.written import Filmed, Message, a_round, a_wager, decided, line, lying, why

STATION = """
schema = 1
mode = "simulation"
[table]
site = "laptop"
id = "table-21"
game = "blackjack-21"
seats = 7
decks = {decks}
card_source = "{source}"
currency = "EUR"
exponent = 2
[table.limits]
min = 100
max = 3000
{wagers}[devices.shoe]
driver = "angel-eye"
[devices.shuffler]
driver = "shuffler-link"
"""
JACKPOT = """
[jackpot]
chip = 50
initial_pot = {pot}
initial_reserve = {reserve}
minimum = 500000
increment_bp = 7000
reserve_bp = 1000
ceiling = 90000000
overflow_to = "reserve"
unreasonable_chips = 7
marking = "{marking}"
"""
CHIP, START = 50, 500000
Chips = tuple[int | tuple[int, str], ...]  # a seat's own chip, or a seat and who bets along there
Shown = dict[Any, Any]  # the hands of each seat by its number, and the bank's cards as "bank"
NAMES = {1: "Ana", 2: "Rui", 3: "Eva", 4: "Tia", 5: "Leo", 6: "Ivo", 7: "Noa"}


class Film21(Filmed):
    def __init__(
        self,
        folder: Path,
        *,
        source: str = "shoe",
        decks: int = 6,
        prize: bool = False,
        marking: str = "automatic",
        pot: int = 600000,
        reserve: int = 0,
    ) -> None:
        wagers = '[table.wagers]\nadditional = ["jackpot"]\n' if prize else ""
        text = STATION.format(decks=decks, source=source, wagers=wagers)
        text += JACKPOT.format(pot=pot, reserve=reserve, marking=marking) if prize else ""
        super().__init__(folder, text, source)
        self.decks = decks
        self.manual = marking == "manual"
        self.drawn = 0  # cards of this round
        self.cuts = 0  # shoes, each cut by the next seat
        self.stakes = ""  # the bets of this round

    def load(self, *packets: int) -> None:
        for cards in packets:
            self.see("load", cards=cards)

    def shuffle(self, burn: str = "2c") -> None:
        """The cards are shuffled by hand, cut, and the first is burned (8, 10)."""
        self.see("shuffled", cards=52 * self.decks, source="shoe")
        self.cuts += 1
        self.see("cut", by=f"seat {self.cuts}")
        self.see("burn", card=burn)

    def wager(self, seat: int, amount: int, wager: str = "bet", player: str | None = None) -> None:
        self.see("wager", seat=seat, player=player or NAMES[seat], wager=wager, amount=amount)

    def open(self, bets: str, chips: Chips = (), *, shuffle: bool = False) -> None:
        """A round up to the lock-in; bets as in "1:500 1:200+Rui 3:300?Ana": own, complementary, at a vacant seat."""
        self.number += 1
        self.stakes = bets
        self.drawn = 0
        if self.number == 1 and self.source == "shuffler":
            self.number = 0
            self.load(26 * self.decks, 26 * self.decks)
            self.number = 1
        self.see("round_begin", source=self.source)
        if shuffle or (self.number == 1 and self.source == "shoe"):
            self.shuffle()
        for bet in bets.split():
            at, rest = bet.split(":")
            for mark, wager in (("+", "backing"), ("?", "vacant"), (" ", "bet")):
                if mark in rest or mark == " ":
                    amount, _, player = rest.partition(mark)
                    self.wager(int(at), int(amount), wager, player or None)
                    break
        places: list[Message] = [
            {"seat": chip} if isinstance(chip, int) else {"seat": chip[0], "player": chip[1]} for chip in chips
        ]
        for whose in places:
            self.see("chip", **whose)
        self.see("lock_in")
        if self.manual and chips:
            for whose in places:
                self.see("marker", **whose)
            self.see("increment", amount=35 * len(chips))

    def card(self, place: int | str, card: str, hand: int | None = None, face: str = "up") -> None:
        self.drawn += 1
        numbered = {} if hand is None else {"hand": hand}
        self.see("card", to=place if isinstance(place, str) else f"seat {place}", **numbered, card=card, face=face)

    def deal(self, **cards: str) -> None:
        """The first two cards of each seat and the bank: s1="9h 3d", bank="As 2c" (17)."""
        for turn in (0, 1):
            for place, two in cards.items():
                if place != "bank":
                    self.card(int(place[1:]), two.split()[turn])
            self.card("bank", cards["bank"].split()[turn], face="down" if turn else "up")

    def asked(self, seat: int, question: str, answer: str, hand: int | None = None) -> None:
        numbered = {} if hand is None else {"hand": hand}
        self.see("answer", seat=seat, **numbered, question=question, answer=answer)

    def stays(self, *seats: int) -> None:
        for seat in seats:
            self.asked(seat, "give_up", "no")

    def says(self, seat: int, decision: str, *cards: str, hand: int = 1, follow: str | None = None) -> None:
        self.asked(seat, "decision", decision, hand)
        if follow is not None:
            self.asked(seat, "follow", f"follow {follow}", hand)
        for card in cards:
            self.card(seat, card, hand)

    def bank(self, turned: str, *draws: str) -> None:
        self.see("turned", to="bank", cards=turned)
        for card in draws:
            self.card("bank", card)

    def pay(self, seat: int, amount: int, wager: str = "hand", player: str | None = None) -> None:
        self.see("pay", seat=seat, player=player or NAMES[seat], wager=wager, amount=amount)

    def moved(self, place: str, to: str, card: str) -> None:
        self.see("moved", **{"from": place, "to": to, "card": card})

    def end(self, *, insert: bool = True) -> None:
        """The round is over; its cards go into the dispenser if that is where they came from."""
        super().end()
        if self.source == "shuffler" and insert:
            self.put_in(self.drawn, self.number)

    def no_bets(self, *, spread: bool, within: bool = True, shuffle: bool = False) -> None:
        """No one bets: a round of its own that ends without play, or reported between two (12)."""
        if within:
            self.number += 1
            self.see("round_begin", source=self.source)
        if shuffle:
            self.shuffle()
        self.see("no_bets", spread=spread)
        self.cuts = 0
        if within:
            self.see("round_end")

    def put_in(self, cards: int, *rounds: int) -> None:
        """The lid opens by itself, and the cards go in (59, 60)."""
        self.see("lid", open=True)
        self.see("insert", cards=cards, rounds=list(rounds))
        self.see("lid", open=False)


def dealt(folder: Path, bets: str, **cards: str) -> Film21:
    """A round with these bets up to its first answer."""
    film = Film21(folder)
    film.open(bets)
    film.deal(**cards)
    return film


def hand(stake: int, outcome: str, net: int, article: str, number: int = 1, odds: str | None = "1:1") -> Message:
    return line("hand", stake, outcome, odds if outcome == "win" else None, net, article, hand=number)


def insurance(stake: int, *, won: bool) -> Message:
    if won:
        return line("insurance", stake, "win", "2:1", 2 * stake, "33")
    return line("insurance", stake, "lose", None, -stake, "33")


def special(bet: int, number: int = 1) -> Message:
    return line("special_prize", bet, "win", "3:1", 3 * bet, "35", hand=number)


def chip(won: int = 0, tier: str | None = None, article: str = "43") -> Message:
    return line("jackpot", CHIP, "win" if tier else "lose", None, won - CHIP, article)


def of(player: str, *lines: Message) -> list[Message]:
    return [line | {"player": player} for line in lines]


def seat(*lines: Message) -> Message:
    return {"net": sum(line["net"] for line in lines if line["player"] is None), "lines": list(lines)}


def bets(text: str, chips: Chips = ()) -> list[Message]:
    """The wagers of a message, from the text of `Film21.open`; where a seat is vacant the first one decides."""
    published: list[Message] = []
    own: list[Message] = []  # the chip of who decides at a seat comes last there
    for bet in text.split():
        at, rest = int(bet.split(":")[0]), bet.split(":")[1]
        mark = next((mark for mark in "+?" if mark in rest), " ")
        amount, _, player = rest.partition(mark)
        if not any(decision["seat"] == at for decision in published):
            published += own
            published.append(a_wager(at, "bet", player or NAMES[at], int(amount)))
            own = [a_wager(at, "jackpot", player or NAMES[at], CHIP)] * (at in chips)
        else:
            published.append(a_wager(at, "backing", player, int(amount)))
            published += [a_wager(at, "jackpot", player, CHIP)] * ((at, player) in chips)
    return published + own


def cards_of(shown: Shown) -> list[Message]:
    hands = ((at, number, text) for at in shown if isinstance(at, int) for number, text in enumerate(shown[at], 1))
    return [*(lying(f"seat {at}", text, number) for at, number, text in hands), lying("bank", str(shown["bank"]))]


def published(
    wagers: list[Message],
    shown: Shown,
    answers: str,
    dealer: tuple[int | None, bool | None],
    seats: dict[int, Message],
    **other: Any,
) -> Message:
    """A settled round; `answers` as "1.1 hit, 1.1 stand"; `other` is what is to be different."""
    decisions = []
    for part in answers.split(", ") if answers else []:
        where, _, answer = part.partition(" ")
        at, number = map(int, where.split("."))
        of_hand = answer.split(" ")[0] in ("hit", "stand", "double", "split", "follow")
        decisions.append(decided(at, answer.replace("/", ","), number if of_hand else None))
    message = a_round("blackjack-21", other.pop("number", 1), currency="EUR", source="shoe", decks=6)
    total, black_jack = dealer
    message |= {"wagers": wagers, "shown_cards": cards_of(shown), "decisions": decisions}
    message |= {"bank": {"total": total, "black_jack": black_jack}}
    return message | {"seats": [{"seat": at, **seats[at]} for at in seats]} | other


def voided(message: Message, article: str, decided_by: tuple[str, ...] = (), **other: Any) -> Message:
    """The same round, void: every bet goes back but for what is decided by one of the rules `remaining`."""
    seats = []
    for place in message["seats"]:
        lines = [
            row if row["article"] in decided_by else _back(row, article)
            for row in place["lines"]
            if row["article"] in decided_by or row["wager"] != "special_prize"
        ]
        seats.append({"seat": place["seat"], **seat(*lines)})
    void = {"outcome": "void", "void": why(article), "seats": seats, "bank": {"total": None, "black_jack": None}}
    return message | void | other


def _back(bet: Message, article: str) -> Message:
    carried = {"chip_carried": False} if bet["wager"] == "jackpot" else {}
    return bet | {"outcome": "void", "odds": None, "net": 0, "article": article} | carried

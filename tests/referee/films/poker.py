"""Films for the referee's own tests: camera lines and messages put down by hand, so that nothing checks itself."""

import json
from pathlib import Path
from typing import Any

from tests.referee.films import written as referee_written
from tests.referee.films.written import Filmed, Message, a_round, a_wager, decided, lying, pots, show, why
from tests.referee.rules.hands import PACK

GAME = "fortune-3-card-poker-2025"
GAME_2008 = "fortune-3-card-poker-2008"

STATION = """
schema = 1
mode = "simulation"
[table]
site = "laptop"
id = "table-1"
game = "{game}"
seats = {seats}
card_source = "{source}"
currency = "MOP"
exponent = 2
[table.limits]
min = 1000
max = 1000000
{wagers}[devices.shuffler]
driver = "shuffler-link"
packet_sizes = {packets}
"""
JACKPOT = """
[jackpot]
chip = 500
initial_pot = {pot}
initial_reserve = {reserve}
minimum = {minimum}
increment_bp = {increment_bp}
reserve_bp = {reserve_bp}
ceiling = {ceiling}
overflow_to = "{overflow_to}"
unreasonable_chips = {unreasonable}
[jackpot.fixed]
royal_flush = {royal}
straight_flush = {straight}
four_of_a_kind = 150000
full_house = 50000
flush = 25000
"""
METER = {
    "pot": 60000000,
    "reserve": 0,
    "minimum": 50000000,
    "increment_bp": 7000,
    "reserve_bp": 1000,
    "ceiling": 200000000,
    "overflow_to": "overflow",
    "royal": 5000000,
    "straight": 1000000,
    "unreasonable": 7,
}


class Film(Filmed):
    def __init__(
        self,
        folder: Path,
        *,
        source: str = "shuffler",
        additional: tuple[str, ...] = ("six_card_bonus", "jackpot"),
        packets: tuple[int, ...] = (3,),
        game: str = GAME,
        **meter: int | str,
    ) -> None:
        self.old = game == GAME_2008
        wagers = "" if self.old else f"[table.wagers]\nadditional = {json.dumps(additional)}\n"
        text = STATION.format(
            game=game, seats=7 if self.old else 6, source=source, wagers=wagers, packets=list(packets)
        )
        if "jackpot" in additional and not self.old:
            text += JACKPOT.format(**(METER | meter))
        super().__init__(folder, text, source)
        self.packets = packets

    def begin(self, bets: dict[int, dict[str, int]], chips: tuple[int, ...] = ()) -> None:
        """A round up to the lock-in."""
        self.open(bets, chips)
        self.see("lock_in")

    def open(self, bets: dict[int, dict[str, int]], chips: tuple[int, ...] = ()) -> None:
        """A round while bets may still be placed."""
        self.number += 1
        self.see("round_begin", source=self.source)
        if self.old and self.source == "shoe":
            self.see("cut", by="bank")
            self.see("shuffled", cards=52, source="shoe")
        for seat, wagers in bets.items():
            for wager, amount in wagers.items():
                self.see("wager", seat=seat, player=f"p{seat}", wager=wager, amount=amount)
        for seat in chips:
            self.see("chip", seat=seat)

    def back(self, *seats: int) -> None:
        for seat in seats:
            self.see("chip_back", seat=seat)

    def card(self, place: str, cards: str, face: str = "down") -> None:
        for card in cards.split():
            self.see("card", to=place, card=card, face=face)

    def deal(self, hands: dict[int, str], bank: str, community: str = "") -> None:
        """A faultless deal (11.º; 2008: 7.º), in the order of this film's card source."""
        if self.source == "shoe":
            for turn in range(3):
                for seat, cards in hands.items():
                    self.card(f"seat {seat}", cards.split()[turn])
                if self.old:
                    self.card("bank", bank.split()[turn])
        else:
            for seat, cards in hands.items():
                self.card(f"seat {seat}", cards)
        if not (self.old and self.source == "shoe"):
            self.card("bank", bank)
        if community and self.source == "shuffler" and 2 not in self.packets:
            dealt = {line["card"] for line in self.lines if line["round"] == self.number and line["event"] == "card"}
            self.card("discard", next(card for card in PACK if card not in dealt | set(community.split())))
        self.card("community", community)

    def decide(self, **decisions: str) -> None:
        """Decisions as seat_1="play"."""
        for seat, decision in decisions.items():
            self.see("decision", seat=int(seat.removeprefix("seat_")), hand=1, decision=decision)

    def turn(self, **hands: str) -> None:
        for place, cards in hands.items():
            self.see("turned", to=place.replace("_", " "), cards=cards)

    def pay(self, seat: int, **amounts: int) -> None:
        for wager, amount in amounts.items():
            self.see("pay", seat=seat, wager=wager, amount=amount)


Seats = dict[int, Message]
Bets = dict[int, dict[str, int]]
COMBINED = ("six_card_bonus", "jackpot")


def line(
    wager: str, stake: int, outcome: str, odds: str | None, net: int, article: str, combination: str | None = None
) -> Message:
    combined = {"combination": combination} if wager in COMBINED else {}
    return referee_written.line(wager, stake, outcome, odds, net, article, **combined)


def seat(cards: str | None, hand: str | None, decision: str | None, net: int, *lines: Message) -> Message:
    """What a seat comes to; `cards` None: never shown."""
    return {"cards": cards, "hand": hand, "decision": decision, "net": net, "lines": list(lines)}


def settled(
    number: int,
    wagers: Bets,
    dealer: tuple[str, str | None, bool | None],
    seats: Seats,
    community: str | None = None,
    jackpot: tuple[int, int] | None = None,
    awards: tuple[Message, ...] = (),
    **other: Any,
) -> Message:
    """A message of a settled round; `jackpot` is the pot before and after, None where the table has none."""
    cards, hand, qualifies = dealer
    shown = {"bank": cards, "community": community} | {f"seat {at}": seats[at]["cards"] for at in seats}
    published = a_round(other.get("game", GAME), number, bank={"hand_name": hand, "qualifies": qualifies})
    published["wagers"] = [a_wager(at, name, f"p{at}", here[name]) for at, here in wagers.items() for name in here]
    published["shown_cards"] = [lying(place, text) for place, text in shown.items() if text]
    published["decisions"] = [decided(at, seats[at]["decision"]) for at in seats if seats[at]["decision"]]
    published["seats"] = [
        {"seat": at, **{key: seats[at][key] for key in ("net", "lines")}, "hand_name": seats[at]["hand"]}
        for at in seats
    ]
    if jackpot:
        published["jackpot"] = pots(*jackpot, *awards)
    return published | other


def hide_bank(message: Message) -> Message:
    show(message, "bank", None)
    return message | {"bank": {"hand_name": None, "qualifies": None}}


def wrong(message: Message, *irregularities: Message, **other: object) -> Message:
    return message | {"irregularities": list(irregularities)} | other


def void(
    number: int, wagers: Bets, article: str, jackpot: tuple[int, int] | None, *, carried: bool, **other: Any
) -> Message:
    """A message of a void round in which every wager goes back, the chips perhaps into the next round."""
    seats = {}
    for at, stakes in wagers.items():
        lines = [line(name, stake, "void", None, 0, article) for name, stake in stakes.items()]
        for row in lines:
            if row["wager"] == "jackpot":
                row["chip_carried"] = carried
        seats[at] = seat(None, None, None, 0, *lines)
    published = settled(number, wagers, ("", None, None), seats, None, jackpot, **other)
    return published | {"outcome": "void", "void": why(article)} | other

"""The physical table: seats, bets, cards and slots, filmed as they change."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic

from simulators.felt.camera import Camera
from simulators.felt.cards import Card
from simulators.felt.chips import CAGE, JACKPOT_BOX, RACK, Chips
from simulators.felt.deck import P, Pieces

BANK, COMMUNITY, DISCARD, ASIDE = "bank", "community", "discard", "aside"
DOWN, UP = "down", "up"
BANKROLL_OF_PLAYER, BANKROLL_OF_RACK, BANKROLL_OF_CAGE = 500_000_000, 10**13, 10**15  # minor units


@dataclass(slots=True)
class FeltSeat:
    """One seat in the round: wagers in minor units, the place of the jackpot chip, whether the hand was given up.

    If several players may bet in a box of the seat, a wager is the sum of their bets.
    """

    player: str
    wagers: dict[str, int] = field(default_factory=dict)
    chip_in_slot: bool = False
    chip_swept: bool = False
    folded: bool = False

    @property
    def survives_fold(self) -> bool:
        """Whether a bet is left on the hand after the ante was given up (12.º 3)."""
        return self.chip_swept or "pair_plus" in self.wagers or "six_card_bonus" in self.wagers


def seat_place(seat: int) -> str:
    """The place of a seat's hand: `seat 3`."""
    return f"seat {seat}"


def felt_place(seat: int, wager: str, player: str | None = None) -> str:
    """The place of a wager; with a named player, in a box where others may bet too."""
    return f"felt {seat} {wager}" if player is None else f"felt {seat} {wager} {player}"


class Felt(Generic[P]):
    """The visible and tangible part of the table; `sense` drives the sensor of a seat's slot."""

    def __init__(
        self, names: dict[int, str], chip: int, deck: Pieces[P], camera: Camera, sense: Callable[[int, bool], None]
    ) -> None:
        self.seats = {seat: FeltSeat(name) for seat, name in names.items()}
        self.deck = deck
        self.camera = camera
        self.turned: set[str] = set()
        self._taken_up: dict[str, list[P]] = {}  # hands that were given up, by their place
        self.carried: set[int] = set()  # seats whose chip is in the box for the next round
        self.chips = Chips(
            {CAGE: BANKROLL_OF_CAGE, RACK: BANKROLL_OF_RACK, **dict.fromkeys(names.values(), BANKROLL_OF_PLAYER)}
        )
        self.bankroll = dict.fromkeys(names.values(), BANKROLL_OF_PLAYER)  # what a player buys when his money is gone
        self.bought: dict[str, int] = {}  # so much in all, by player
        self._chip = chip
        self._sense = sense

    @property
    def places(self) -> list[str]:
        """Every place on the felt where cards can be."""
        return [*map(seat_place, self.seats), BANK, COMMUNITY, DISCARD, ASIDE]

    @property
    def dealt_cards(self) -> int:
        """How many cards are at places of the deal, including those set aside in view, without the discard rack."""
        return self.deck.count(*(place for place in self.places if place != DISCARD))

    def begin_round(self, source: str) -> None:
        """A new round from the shuffler or the shoe: the seats as the players left them."""
        self.seats = {seat: FeltSeat(old.player) for seat, old in self.seats.items()}
        self.turned.clear()
        self._taken_up.clear()
        self.camera.round_begin(source)

    def sits_down_with(self, player: str, amount: int) -> None:
        """A player sits down with this money, and buys the same again when it is gone."""
        self.chips.move(self.chips.balance(player), player, CAGE)
        self.chips.move(amount, CAGE, player)
        self.bankroll[player] = amount

    def place_wager(self, seat: int, wager: str, amount: int, player: str | None = None) -> None:
        """A player places chips on the felt: who sits there, or someone else by name."""
        sitting = self.seats[seat]
        bettor = player or sitting.player
        self._buy_in(bettor, amount)
        self.chips.move(amount, bettor, felt_place(seat, wager, player))
        sitting.wagers[wager] = sitting.wagers.get(wager, 0) + amount
        self.camera.saw("wager", seat=seat, player=bettor, wager=wager, amount=amount)

    def place_chip(self, seat: int) -> None:
        """A player puts a jackpot chip into the slot, on its sensor."""
        sitting = self.seats[seat]
        self._buy_in(sitting.player, self._chip)
        self.chips.move(self._chip, sitting.player, f"slot {seat}")
        sitting.chip_in_slot = True
        self._sense(seat, True)
        self.camera.saw("chip", seat=seat)

    def take_chip_back(self, seat: int) -> None:
        """The chip in a slot goes back to its player."""
        self._empty_slot(seat, self.seats[seat].player)

    def sweep_slots(self, counting: set[int]) -> None:
        """The dealer sweeps the chips: into the box if they count, else back to the player.

        A carried chip is in the box already: it counts, or is handed back; a second chip at that seat never counts.
        """
        for seat, sitting in self.seats.items():
            carried = seat in self.carried
            if sitting.chip_in_slot:
                counts = seat in counting and not carried
                self._empty_slot(seat, JACKPOT_BOX if counts else sitting.player)
                sitting.chip_swept = counts
            if carried:
                self.carried.discard(seat)
                sitting.chip_swept = True
                if seat not in counting:
                    self.hand_chip_back(seat)

    def hand_chip_back(self, seat: int) -> None:
        """A chip that was in the box goes back to its player."""
        sitting = self.seats[seat]
        self.chips.move(self._chip, JACKPOT_BOX, sitting.player)
        sitting.chip_swept = False
        self.carried.discard(seat)
        self.camera.saw("chip_back", seat=seat)

    def carry_chip(self, seat: int) -> None:
        """A chip stays in the box for the next round."""
        self.carried.add(seat)

    def place_card(self, source: str, place: str, face: str = DOWN) -> P:
        """The top card of `source` goes to `place`."""
        card = self.deck.move_top(source, place)[0]
        self.card_placed(place, card, face)
        return card

    def card_placed(self, place: str, card: P, face: str = DOWN) -> None:
        """Film a card at its place; face up for a moment if it was exposed."""
        self.camera.saw("card", to=place, card=str(card), face=face)

    def move_card(self, card: P, source: str, place: str) -> None:
        """Film a card that is taken up and placed elsewhere."""
        self.deck.move_card(card, source, place)
        self.camera.saw("moved", **{"from": source, "to": place, "card": str(card)})

    def set_aside(self, card: P, source: str) -> None:
        """A card stays in view and out of play (2008: 11.º 2))."""
        self.deck.move_card(card, source, ASIDE)
        self.camera.saw("set_aside", **{"from": source, "card": str(card)})

    def decide(self, seat: int, decision: str) -> None:
        """A player doubles or gives up; the dealer takes up a hand without another bet (12.º 3)."""
        sitting = self.seats[seat]
        if decision == "play":
            ante = sitting.wagers["ante"]
            self._buy_in(sitting.player, ante)
            self.chips.move(ante, sitting.player, f"felt {seat} play")
        sitting.folded = decision != "play"
        self.camera.saw("decision", seat=seat, hand=1, decision=decision)
        if sitting.folded and not sitting.survives_fold:
            self._taken_up[seat_place(seat)] = self.deck.at(seat_place(seat))
            self.deck.gather([seat_place(seat)], DISCARD)

    def put_back_down(self, place: str) -> None:
        """A hand that was given up and taken up is put back at its place, since a person entered another decision."""
        for card in self._taken_up.pop(place, []):
            self.move_card(card, DISCARD, place)

    def turn(self, place: str) -> bool:
        """Turn the cards of a place face up, once; False when no cards are there."""
        cards = self.deck.at(place)
        if cards and place not in self.turned:
            self.turned.add(place)
            self.camera.saw("turned", to=place, cards=" ".join(map(str, cards)))
        return bool(cards)

    def pay(self, seat: int, wager: str, amount: int, player: str | None = None) -> None:
        """The dealer pushes winnings to a player, the stake not included."""
        self.chips.move(amount, RACK, player or self.seats[seat].player)
        named = {} if player is None else {"player": player}
        self.camera.saw("pay", seat=seat, **named, wager=wager, amount=amount)

    def hand_back(self, seat: int, wager: str, player: str | None = None) -> int:
        """Return the stake to the player; returns its amount."""
        return self._clear(felt_place(seat, wager, player), player or self.seats[seat].player)

    def collect(self, seat: int, wager: str, player: str | None = None) -> int:
        """Move the stake into the rack; returns its amount."""
        return self._clear(felt_place(seat, wager, player), RACK)

    def clear_felt(self) -> list[str]:
        """Give back everything on the felt and in slots, as after a void round; returns the places that had any."""
        left = self.chips.holders("felt ") + self.chips.holders("slot ")
        for place in left:
            _, seat, *box = place.split(" ", 3)
            if place.startswith("slot "):
                self.take_chip_back(int(seat))
            else:
                bettor = box[1] if len(box) > 1 else self.seats[int(seat)].player
                self.chips.move(self.chips.balance(place), place, bettor)
        return left

    def _empty_slot(self, seat: int, taker: str) -> None:
        self.chips.move(self._chip, f"slot {seat}", taker)
        self.seats[seat].chip_in_slot = False
        self._sense(seat, False)

    def _clear(self, place: str, taker: str) -> int:
        amount = self.chips.balance(place)
        self.chips.move(amount, place, taker)
        return amount

    def _buy_in(self, player: str, amount: int) -> None:
        if self.chips.balance(player) < amount:
            more = max(self.bankroll.get(player, BANKROLL_OF_PLAYER), amount)
            self.chips.move(more, CAGE, player)
            self.bought[player] = self.bought.get(player, 0) + more


class CardFelt(Felt[Card]):
    """A felt for cards."""

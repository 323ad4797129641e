"""The felt of black-jack/21: several hands at a seat, each with its cards, and with the chips of all who bet on it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from simulators.felt.camera import Camera
from simulators.felt.cards import Card
from simulators.felt.chips import JACKPOT_BOX, RACK
from simulators.felt.deck import Pieces
from simulators.felt.table import BANK, DISCARD, UP, CardFelt, felt_place, seat_place

INSURANCE, MARKED = "insurance", "marked"
_Key = tuple[int, str, int | None, str]  # seat, wager, hand and player of a line


@dataclass(slots=True)
class FeltHand:
    """One hand: the place of its cards and the box of its chips, which keep their names when others are split."""

    place: str
    box: str
    taken_up: bool = False  # its cards are on the discard rack


class BlackjackTable(CardFelt):
    """Hands are numbered from 1 in the order they are played, so that a split moves the numbers behind it.

    `drawn` is how many cards were placed at each seat and at the bank in this round, including moved ones.
    """

    def __init__(
        self, names: dict[int, str], chip: int, deck: Pieces[Card], camera: Camera, sense: Callable[[int, bool], None]
    ) -> None:
        super().__init__(names, chip, deck, camera, sense)
        self.drawn: Counter[str] = Counter()
        self._new_round()

    @property
    def chip(self) -> int:
        """The value of a chip for the accumulated prize, in minor units."""
        return self._chip

    def _new_round(self) -> None:
        self.hands: dict[int, list[FeltHand]] = {}
        self.beside: dict[tuple[int, str], bool] = {}  # chips of who bets along, by seat and name: if in the box
        self.owners: dict[int, str] = {}  # whose decisions hold at the seat (16)
        self.bets: dict[int, dict[str, int]] = {}  # by seat and player, as placed before the deal
        self.drawn.clear()
        self.came: dict[str, list[Card]] = {}  # by seat, and for the bank, what was placed there, in order
        self.latest: dict[str, str] = {}  # by seat, and for the bank, the place that got a card last
        self._paid: list[tuple[_Key, int]] = []

    @property
    def places(self) -> list[str]:
        """Every place on the felt where cards can be."""
        split = [hand.place for hands in self.hands.values() for hand in hands if " split " in hand.place]
        return [*super().places, *split]

    def begin_round(self, source: str) -> None:
        """A new round: no bets, no hands."""
        self._new_round()
        super().begin_round(source)

    # bets

    def place_wager(self, seat: int, wager: str, amount: int, player: str | None = None) -> None:
        """A player places a bet at a seat, the player's own or another's; the first to bet decides there until that
        changes.
        """
        sitting = self.seats[seat]
        bettor = player or sitting.player
        self._buy_in(bettor, amount)
        self.hands.setdefault(seat, [FeltHand(seat_place(seat), "hand-1")])
        self.chips.move(amount, bettor, felt_place(seat, "hand-1", bettor))
        self.bets.setdefault(seat, {})[bettor] = amount
        self.owners.setdefault(seat, bettor)
        sitting.wagers[wager] = sitting.wagers.get(wager, 0) + amount
        self.camera.saw("wager", seat=seat, player=bettor, wager=wager, amount=amount)

    def take_wager_back(self, seat: int, wager: str, player: str) -> None:
        """A bet that was not accepted goes back."""
        amount = self.bets[seat].pop(player)
        self.chips.move(amount, felt_place(seat, "hand-1", player), player)
        self.seats[seat].wagers.pop(wager, None)
        if not self.bets[seat]:
            del self.hands[seat], self.owners[seat], self.bets[seat]
        self.camera.saw("wager", seat=seat, player=player, wager=wager, amount=0)

    def place_chip_beside(self, seat: int, player: str) -> None:
        """Someone who bets along places a chip for the accumulated prize, which the dealer marks (41 b), 47)."""
        self._buy_in(player, self._chip)
        self.chips.move(self._chip, player, felt_place(seat, MARKED, player))
        self.beside[seat, player] = False
        self.camera.saw("chip", seat=seat, player=player)

    def sweep_beside(self, counting: set[tuple[int, str]]) -> None:
        """Such chips go into the box where they count, or back to their players."""
        for seat, player in list(self.beside):
            counts = (seat, player) in counting
            self.chips.move(self._chip, felt_place(seat, MARKED, player), JACKPOT_BOX if counts else player)
            if counts:
                self.beside[seat, player] = True
            else:
                del self.beside[seat, player]

    def hand_back_beside(self, decided: set[int]) -> None:
        """Chips in the box go back to their players, except at seats where they have won or lost."""
        for seat, player in [whose for whose, in_box in self.beside.items() if in_box and whose[0] not in decided]:
            self.chips.move(self._chip, JACKPOT_BOX, player)
            del self.beside[seat, player]
            self.camera.saw("chip_back", seat=seat, player=player)

    def raise_bet(self, seat: int, hand: int, player: str) -> None:
        """A player adds the amount of the bet to a hand: for a double, or for the second hand of a split."""
        amount = self.bets[seat][player]
        self._buy_in(player, amount)
        self.chips.move(amount, player, felt_place(seat, self.hand(seat, hand).box, player))

    def insure(self, seat: int, player: str, amount: int) -> None:
        """A player places insurance (33)."""
        self._buy_in(player, amount)
        self.chips.move(amount, player, felt_place(seat, INSURANCE, player))

    # hands

    def hand(self, seat: int, number: int) -> FeltHand:
        """A hand of a seat, from 1."""
        return self.hands[seat][number - 1]

    def cards(self, seat: int, number: int) -> list[Card]:
        """The cards of a hand, in the order they came."""
        return self.deck.at(self.hand(seat, number).place)

    def first_two(self, seat: int) -> list[Card]:
        """The first two cards that came to a seat, even if they were moved since."""
        return self.came.get(seat_place(seat), [])[:2]

    def place_of(self, place: str, number: int | None) -> str:
        """The place of the cards of this hand of `seat 3`; the bank has one place."""
        return place if number is None or not place.startswith("seat ") else self.hand(int(place[5:]), number).place

    def split(self, seat: int, number: int) -> None:
        """The second card of a hand begins a hand of its own, which follows at once (26, 27)."""
        hands = self.hands[seat]
        old = hands[number - 1]
        new = FeltHand(f"{seat_place(seat)} split {len(hands) + 1}", f"hand-{len(hands) + 1}")
        hands.insert(number, new)
        card = self.deck.at(old.place)[1]
        self.deck.move_card(card, old.place, new.place)
        where = {"from": seat_place(seat), "to": seat_place(seat), "hand": number + 1}
        self.camera.saw("moved", **where, card=str(card))

    def follow_hands(self, seat: int, shown: list[int]) -> None:
        """Makes the hands of a seat as many as on the screen, which has this number of cards at each."""
        hands = self.hands.get(seat, [])
        while hands and len(hands) < len(shown):
            pairs = [at for at, hand in enumerate(hands, 1) if self.deck.count(hand.place) == 2]
            if not pairs:
                return
            alone = [at for at in pairs if shown[at - 1] == 1]
            number = (alone or pairs)[0]
            self.split(seat, number)
            self.raise_bet(seat, number + 1, self.owners[seat])
        while len(hands) > len(shown) > 0:
            halves = [at for at in range(len(hands) - 1) if self._are_halves(hands[at], hands[at + 1])]
            if not halves:
                return
            self._put_together(seat, halves[-1])

    def _are_halves(self, hand: FeltHand, next_one: FeltHand) -> bool:
        return self.deck.count(hand.place) == self.deck.count(next_one.place) == 1

    def _put_together(self, seat: int, at: int) -> None:
        """A pair that was split is together again, and the chips of its second half go back."""
        hands = self.hands[seat]
        half = hands.pop(at + 1)
        (card,) = self.deck.at(half.place)
        self.deck.move_card(card, half.place, hands[at].place)
        self.camera.saw("moved", **{"from": seat_place(seat), "to": seat_place(seat), "card": str(card)})
        for player in self.bets[seat]:
            place = felt_place(seat, half.box, player)
            self.chips.move(self.chips.balance(place), place, player)

    def card_placed(self, place: str, card: Card, face: str = UP) -> None:
        """Film a card at its place, with its hand if the seat has several."""
        seat, named = self._named(place)
        self.drawn[seat] += 1
        self.came.setdefault(seat, []).append(card)
        self.latest[seat] = place
        self.camera.saw("card", to=seat, **named, card=str(card), face=face)

    def move_card(self, card: Card, source: str, place: str) -> None:
        """Film a card that is taken up and placed elsewhere."""
        self.deck.move_card(card, source, place)
        (left, _), (seat, named) = self._named(source), self._named(place)
        self.drawn[left] -= 1
        self.drawn[seat] += 1
        self.came[left].remove(card)
        self.came.setdefault(seat, []).append(card)
        self.latest[seat] = place
        self.camera.saw("moved", **{"from": left, "to": seat, **named, "card": str(card)})

    def burn(self, card: Card) -> None:
        """Film the first card of a shoe, which is on the discard rack unseen (10)."""
        self.camera.saw("burn", card=str(card))

    def take_up(self, place: str) -> None:
        """The cards of a place go to the discard rack, as hands that are settled do."""
        if self.deck.gather([place], DISCARD):
            seat, named = self._named(place)
            self.camera.saw("taken_up", **{"from": seat, **named})

    def _named(self, place: str) -> tuple[str, dict[str, int]]:
        """A place as it is filmed: the seat, and the hand's number if it has several."""
        if not place.startswith("seat "):
            return place, {}
        seat = int(place.split()[1])
        hands = self.hands.get(seat, [])
        if len(hands) < 2:
            return seat_place(seat), {}
        return seat_place(seat), {"hand": next(at for at, hand in enumerate(hands, 1) if hand.place == place)}

    # settlement

    def lying(self, seat: int, box: str, player: str) -> int:
        """The amount of a player in a box of a seat."""
        return self.chips.balance(felt_place(seat, box, player))

    def settle_stake(self, key: _Key, box: str, lost: int) -> None:
        """Moves this part of the stake into the rack, and returns the rest to the player."""
        seat, _, _, player = key
        place = felt_place(seat, box, player)
        stake = self.chips.balance(place)
        lost = min(lost, stake)
        self.chips.move(lost, place, RACK)
        self.chips.move(stake - lost, place, player)
        self._paid.append((key, -lost))

    def pay_bettor(self, key: _Key, amount: int) -> None:
        """The winnings are pushed to the person who bet, for a hand or for insurance."""
        seat, wager, hand, player = key
        self.chips.move(amount, RACK, player)
        numbered = {} if hand is None else {"hand": hand}
        self.camera.saw("pay", seat=seat, player=player, wager=wager, **numbered, amount=amount)
        self._paid.append((key, amount))

    def undo_settled(self, settled: set[_Key]) -> None:
        """A round is void after all: everything paid or collected goes back, except results that stay."""
        undone = [(key, amount) for key, amount in reversed(self._paid) if key not in settled]
        for (seat, wager, _, player), amount in undone:
            if amount < 0:
                self.chips.move(-amount, RACK, player)
            elif amount:
                self._buy_in(player, amount)
                self.chips.move(amount, player, RACK)
                self.camera.saw("pay", seat=seat, player=player, wager=wager, amount=-amount)
        self._paid.clear()

    def bank_cards(self) -> list[Card]:
        """The bank's cards, including the one that is face down."""
        return self.deck.at(BANK)

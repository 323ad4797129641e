"""Black-jack: a round as rules 17 to 22 and 26 to 36 have it, compared with what was filmed of it. No I/O here."""

from collections.abc import Collection
from dataclasses import dataclass, field

from .blackjack_cards import DISCARD, Answer, Card, Hand, Move, Place, Turned, is_black_jack, points, total
from .lines import Lying

NO = "no"
BEFORE_PLAY = ("even_money", "insurance", "give_up")


class Stopped(Exception):
    """The film does not continue as the rules do."""


@dataclass
class Seat:
    """One seat's part of the round; `dealt` are its cards in the order drawn (42)."""

    place: Place
    hands: list[Hand]
    dealt: list[str] = field(default_factory=list)
    insured: int = 0
    backers_insured: dict[str, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)


class Course:
    """Follow a round; `complete` when it was played to its end, else `broken` says where film and rules part."""

    def __init__(self, places: dict[int, Place], moves: list[Move], rules: Collection[str] = ()) -> None:
        """`rules` are the keys of the readings that the house chose."""
        self.backers_insure = "backers_insure_for_themselves" in rules
        doubles_more = "double_after_split_three_cards" in rules
        self.events = list(moves)
        self.seats = {
            at: Seat(place, [Hand([], place.bet, dict(place.backers), doubles_more=doubles_more)])
            for at, place in places.items()
        }
        self.bank: list[str] = []
        self.turned = False
        self.complete = False
        self.broken = ""
        self.broken_at = 0
        self.wrong: list[str] = []  # what was done against the rules, though the round continued
        self.aside: list[Card] = []
        self.kept: list[Card] = []  # drawn against a player's wish and not seen (18)
        self.answers: list[Answer] = []
        self.last_at = 0
        self.deal_ended_at = 0
        try:
            self._play()
        except Stopped as stopped:
            self.broken, self.broken_at = str(stopped), self.last_at

    @property
    def black_jack(self) -> bool:
        """Whether the bank has one; only where its second card was turned."""
        return self.turned and is_black_jack(self.bank)

    @property
    def bank_total(self) -> int:
        """The bank's points (6, 19)."""
        return total(self.bank)

    @property
    def in_play(self) -> bool:
        """22: someone neither lost nor gave up nor was paid."""
        return any(hand.waits for seat in self.seats.values() for hand in seat.hands)

    @property
    def insured(self) -> bool:
        """Whether insurance is open (33)."""
        return any(seat.insured or any(seat.backers_insured.values()) for seat in self.seats.values())

    @property
    def left(self) -> list[str]:
        """The cards that came after the film and the rules part."""
        return [event.card for event in self.events if isinstance(event, Card)]

    def shown(self) -> Lying:
        """The cards by seat and hand, and those of the bank that were turned up."""
        hands = ((at, number, hand) for at, seat in self.seats.items() for number, hand in enumerate(seat.hands, 1))
        published: Lying = {(f"seat {at}", number): hand.cards for at, number, hand in hands}
        return published | {("bank", None): self.bank if self.turned else self.bank[:1]}

    def _next(self) -> Move | None:
        """What comes next that is someone's; cards for the discard rack are placed there."""
        while self.events:
            first = self.events[0]
            if isinstance(first, Card) and first.unasked is False:
                self.kept.append(first)
            elif isinstance(first, Card) and (first.unasked or first.position == DISCARD):
                self.aside.append(first)
            else:
                return first
            self.last_at = first.at
            self.events.pop(0)
        return None

    def _stop(self, wanted: str, got: Move | None) -> Stopped:
        what = "nothing"
        if got is not None:
            self.last_at = got.at
        if isinstance(got, Card):
            what = f"{got.card} to {got.position}" + (f", hand {got.hand}" if got.hand else "")
        elif isinstance(got, Answer):
            what = f"seat {got.seat}, hand {got.hand} asked {got.question}: {got.says[0]}"
        elif got is not None:
            what = "the bank's card turned"
        return Stopped(f"expected {wanted}, got {what}")

    def _card(self, place: str, hand: int = 0, face: str = "up") -> str:
        """The card this place is due; of a seat's hand if it has several."""
        wanted = f"a card to {place}" + (f", hand {hand}" if hand else "")
        self._next()
        if self.kept:
            card = self.kept.pop(0)
            if card.moved and card.position != place:
                self.wrong.append(f"{card.card}, unseen: expected to go to {place} (18), got {card.position}")
            return card.card
        card_or = self._next()
        if not isinstance(card_or, Card) or card_or.position not in (None, place):
            raise self._stop(wanted, card_or)
        if hand and not card_or.moved and card_or.position and (card_or.hand or 1) != hand:
            raise self._stop(wanted, card_or)
        if not card_or.moved and card_or.position and card_or.face != face:
            self.wrong.append(f"{place}: expected a card face {face} (17), got {card_or.card} face {card_or.face}")
        self.events.pop(0)
        self.last_at = card_or.at
        return card_or.card

    def _to_seat(self, at: int, number: int) -> None:
        seat = self.seats[at]
        card = self._card(f"seat {at}", number)
        seat.dealt.append(card)
        seat.hands[number - 1].take(card)

    def _answer(self, at: int, number: int, question: str) -> Answer:
        got = self._next()
        if not isinstance(got, Answer) or (got.seat, got.hand, got.question) != (at, number, question):
            raise self._stop(f"seat {at}, hand {number} asked {question}", got)
        self.events.pop(0)
        self.last_at = got.at
        self.answers.append(got)
        return got

    def _play(self) -> None:
        for turn in (1, 2):  # 17
            for at in self.seats:
                self._to_seat(at, 1)
            self.bank.append(self._card("bank", face="up" if turn == 1 else "down"))
        self.deal_ended_at = self.last_at
        if self.bank[0][0] != "A" and points(self.bank[0]) != 10:  # 21
            for seat in self.seats.values():
                if seat.hands[0].black_jack:
                    seat.hands[0].ended = "paid"
        self._before_play()
        for at in self.seats:
            self._play_seat(at)
        self._bank()
        if (left := self._next()) is not None:
            raise self._stop("nothing more", left)
        self.complete = True

    def _before_play(self) -> None:
        """Insurance and even money against an ace (33, 34), else giving up (36), before any further card."""
        before: dict[str, int] = {}
        while isinstance(got := self._next(), Answer) and got.question in BEFORE_PLAY:
            if got.seat not in self.seats or got.hand != 1 or got.question not in self._open(got.seat):
                raise self._stop("a question that is open", got)
            if got.seat < before.get(got.question, 0):
                self.wrong.append(f"seat {got.seat}: expected to be asked {got.question} in its turn, got after it")
            before[got.question] = got.seat
            self._answer(got.seat, 1, got.question)
            self._take(got)
        for at, seat in self.seats.items():
            natural, ace = seat.hands[0].black_jack, self.bank[0][0] == "A"
            due = {(False, False): "give_up", (False, True): "insurance", (True, True): "even_money"}
            question = due.get((natural, ace))
            if question and question not in seat.asked:
                raise self._stop(f"seat {at} asked {question}", got)

    def _open(self, at: int) -> tuple[str, ...]:
        """What may still be asked at a seat before the play; nothing is given up against an ace (36)."""
        seat = self.seats[at]
        hand = seat.hands[0]
        if hand.ended:
            return ()
        if self.bank[0][0] != "A":
            questions: tuple[str, ...] = ("give_up",)
        else:
            questions = ("even_money", "insurance") if hand.black_jack else ("insurance",)
        return tuple(question for question in questions if question not in seat.asked)

    def _take(self, got: Answer) -> None:
        seat = self.seats[got.seat]
        seat.asked.append(got.question)
        word, numbers = got.says
        if got.question != "insurance":
            if word not in (got.question, NO) or numbers:
                raise Stopped(f"expected seat {got.seat} to say {got.question} or no, got {word!r}")
            if word != NO:
                if any((seat.insured, *seat.backers_insured.values())):
                    self.wrong.append(f"seat {got.seat}: expected insurance or even money, got both")
                seat.hands[0].ended = {"give_up": "given_up"}.get(word, word)
            return
        bets = [seat.place.bet, *seat.place.backers.values()]
        amounts = numbers + (0,) * (len(bets) - len(numbers))
        if (
            word != "insure"
            or len(amounts) != len(bets)
            or any(a < 0 or a > b // 2 for a, b in zip(amounts, bets, strict=True))
        ):
            raise Stopped(f"expected seat {got.seat} to insure up to half of {bets} (33), got {numbers}")
        if any(amounts[1:]) and not amounts[0] and not self.backers_insure:
            raise Stopped(f"expected seat {got.seat} to insure before its backers do (15), got {numbers}")
        seat.insured = amounts[0]
        seat.backers_insured = dict(zip(seat.place.backers, amounts[1:], strict=True))

    def _play_seat(self, at: int) -> None:
        """Each hand is played out, then the next; a hand that was split off follows at once (26, 27)."""
        seat = self.seats[at]
        number = 1
        while number <= len(seat.hands):
            if len(seat.hands[number - 1].cards) == 1:
                self._to_seat(at, number)
            while legal := seat.hands[number - 1].legal():
                word = self._answer(at, number, "decision").says[0]
                if word not in legal:
                    raise Stopped(f"seat {at}, hand {number}: expected one of {', '.join(legal)}, got {word}")
                if word == "stand":
                    break
                self._asked_for(at, number, word)
                self._to_seat(at, number)
            number += 1

    def _asked_for(self, at: int, number: int, word: str) -> None:
        seat = self.seats[at]
        hand = seat.hands[number - 1]
        followers: list[str] = []
        if word in ("double", "split") and hand.on:
            got = self._answer(at, number, "follow")
            if got.says[0] != "follow" or len(got.says[1]) != len(hand.on) or set(got.says[1]) - {0, 1}:
                raise Stopped(f"seat {at}, hand {number}: expected {len(hand.on)} who follow or not, got {got.says}")
            followers = [player for player, yes in zip(hand.on, got.says[1], strict=True) if yes]
        if word == "double":
            hand.double(followers)
        elif word == "split":
            seat.hands[number - 1 : number] = hand.split(followers)

    def _bank(self) -> None:
        """The second card is turned where something hangs on it (22, 33); the bank draws to 16 (19)."""
        if not (self.in_play or self.insured):
            return
        got = self._next()
        if not isinstance(got, Turned) or got.cards not in (" ".join(self.bank), self.bank[1]):
            raise self._stop(f"the bank's {self.bank[1]} turned", got)
        self.events.pop(0)
        self.last_at = got.at
        self.turned = True
        while self.in_play and total(self.bank) < 17:
            self.bank.append(self._card("bank"))

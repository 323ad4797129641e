"""A `rounds` message of poker compared with what the referee made of the round; every difference a sentence."""

from collections import Counter
from collections.abc import Collection

from ..rules.lines import Lying, Message, Stakes
from ..rules.poker import Settled, back
from ..rules.poker_law import Regulation
from .camera import Play, same_cards
from .message import Difference, Due, lying, parts, published_seat
from .poker_deal import Deal


class Against(Difference):
    """The differences of one message of Fortune 3 Card Poker."""

    def __init__(self, number: int, message: Message, law: Regulation) -> None:
        super().__init__(number, message)
        self.law = law

    def settled(self, result: Settled, bank_was_turned: bool) -> None:
        """A round that was played to its end."""
        self.outcome()
        hidden = not result.bank_matters and not bank_was_turned
        due: Lying = {} if hidden else {("bank", None): result.bank}
        if result.community:
            due["community", None] = result.community
        due |= {(f"seat {seat}", None): place.cards for seat, place in result.places.items() if place.cards}
        self.cards(due, same_cards)
        self.bank(None if hidden else result.bank_hand, None if hidden else result.qualifies)
        places = result.places.items()
        self.decisions([(seat, None, place.decision) for seat, place in places if place.decision])
        self.seats({seat: Due(place.lines, place.net, {"hand_name": place.hand}) for seat, place in places})

    def bank(self, hand: str | None, qualifies: bool | None) -> None:
        """The bank's hand, and whether it plays."""
        self.values("bank", {"hand_name": hand, "qualifies": qualifies}, self.message.get("bank"))

    def voided(self, article: str, wagers: Stakes, carried: set[int], dealt: Deal, played: Play) -> None:
        """A round in which nothing is won or lost, and nothing is seen but what was turned or seen by accident."""
        self.outcome(article)
        self.bank(None, None)
        due: dict[int, Due] = {}
        for (seat, wager, _), stake in wagers.items():
            lines = due.setdefault(seat, Due([], 0, {"hand_name": None})).lines
            lines.append(back(wager, stake, article))
            published = [line.get("wager") for line in parts(published_seat(self.message, seat), "lines")]
            if wager == "ante" and "play" in published and played.decisions.get(seat) == "play":
                lines.append(back("play", stake, article))
            elif wager == "jackpot":
                lines[-1].more |= {"chip_carried": seat in carried}
        self._decided(due.keys(), played)
        self.seats(due)
        turned = {place for place, _ in played.turned}
        seen = dealt.exposed | {card for _, cards in played.turned for card in cards.split(" ")}
        for (place, _), cards in lying(self.message).items():
            if place == "community" and place not in turned:
                self.say(f"{place}, cards", None, " ".join(cards))
            hidden = [card for card in cards if card not in seen]
            if hidden:
                self.say("void, cards", "no card that was not shown", " ".join(hidden))

    def _decided(self, seats: Collection[int], played: Play) -> None:
        """The void may have come before a decision was entered, or before a slip was corrected."""
        published = self.entries("decisions")
        at = [decision_read.get("seat") for decision_read in published]
        if at != [seat for seat in sorted(seats) if seat in at]:
            self.say("decisions", f"one of each of the seats {sorted(seats)} at most", at)
        for decision_read in published:
            seat, decision = decision_read.get("seat"), decision_read.get("decision")
            slip = seat in played.slipped and decision in ("play", "fold")
            filmed = played.decisions.get(seat) if isinstance(seat, int) else None
            if decision is None or (decision != filmed and not slip):
                self.say(f"seat {seat}, decision", filmed, decision)
            self.values(f"seat {seat}, decision", {"seat": seat, "hand": None, "decision": decision}, decision_read)

    def turned(self, result: Settled, played: Play) -> None:
        """The hands turned on the table against those the rules show."""
        due: dict[str, list[str]] = {
            f"seat {seat}": place.cards for seat, place in result.places.items() if place.cards
        }
        if result.community:
            due["community"] = result.community
        if result.bank_matters:
            due["bank"] = result.bank
        for place, cards in played.turned:
            right = due.get(place) or (result.bank if place == "bank" else None)
            if right is None:
                self.say(f"{place}, turned on the table", "nothing: the rules do not show it", cards)
            elif not same_cards(cards.split(" "), right):
                self.say(f"{place}, turned on the table", " ".join(right), cards)
        for place in due.keys() - {place for place, _ in played.turned}:
            self.say(f"{place}, turned on the table", " ".join(due[place]), "nothing")

    def pushed(self, result: Settled | None, played: Play) -> None:
        """The winnings pushed to the players against the lines; the jackpot has its own way (`report.py`)."""
        due: Counter[tuple[int, str]] = Counter()
        for seat, place in (result.places if result else {}).items():
            for line in place.lines:
                if line.net > 0 and line.wager != "jackpot":
                    due[seat, line.wager] += line.net
        pushed: Counter[tuple[int, str]] = Counter()
        for seat, wager, amount in played.pays:
            if wager != "jackpot":
                pushed[seat, wager] += amount
        for seat, wager in sorted(due.keys() | pushed.keys()):
            got = pushed[seat, wager]
            if got != due[seat, wager] and (played.ended or got):
                self.say(f"seat {seat}, line {wager}, pushed on the table", due[seat, wager], got)

    def doubles(self, result: Settled, played: Play) -> None:
        """The double is of the ante's value (12.º 2; 2008: 9.º 1))."""
        for seat, amount in played.doubles.items():
            place = result.places.get(seat)
            ante = place.lines[0].stake if place and place.decision == "play" else 0
            self.same(f"seat {seat}, double on the table", ante, amount)


def decisions_out_of_place(result: Settled, played: Play) -> list[int]:
    """Seats that were asked though they had no ante."""
    return [seat for seat in played.decisions if seat not in result.places or result.places[seat].decision is None]

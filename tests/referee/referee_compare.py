"""A `rounds` message of poker held against what the referee made of the round; every difference a sentence."""

from collections import Counter
from typing import Any

from referee_articles import Regulation
from referee_camera import Play, same_cards
from referee_deal import Deal
from referee_message import Difference, Message, part, parts
from referee_settle import Settled


def told_wagers(message: Message) -> dict[int, dict[str, int]]:
    """The wagers a message tells, by seat, as far as they are wagers."""
    told = part(message, "wagers")
    return {
        int(seat): {wager: amount for wager, amount in part(told, seat).items() if type(amount) is int and amount > 0}
        for seat in told
        if seat.isdecimal()
    }


class Against(Difference):
    """The differences of one message of Fortune 3 Card Poker."""

    def __init__(self, number: int, message: Message, law: Regulation) -> None:
        super().__init__(number, message)
        self.law = law

    def _cards(self, where: str, expected: list[str] | None, got: object) -> None:
        if expected is None:
            self.same(where, None, got)
        elif not (isinstance(got, str) and same_cards(got, expected)):
            self.say(where, " ".join(expected), got)

    def heading(self, station: dict[str, Any], source: str, wagers: dict[int, dict[str, int]] | None) -> None:
        """What every message has, void or not; `wagers` None: there is nothing to hold them against."""
        self.table(station, source)
        for key in ("community", "jackpot"):
            if key in self.message and not self.law.additional:
                self.say(key, "no such key: the game has none", self.message[key])
        if wagers is not None:
            self.same("wagers", {str(seat): wagers[seat] for seat in wagers}, self.message.get("wagers"))

    def settled(self, result: Settled, bank_was_turned: bool) -> None:
        """A round that was played to its end."""
        self.same("outcome", "settled", self.message.get("outcome"))
        self.same("void", None, self.message.get("void"))
        dealer = part(self.message, "dealer")
        hidden = not result.bank_matters and not bank_was_turned
        self._cards("bank, cards", None if hidden else result.bank, dealer.get("cards"))
        self.same("bank, hand", None if hidden else result.bank_hand, dealer.get("hand"))
        self.same("bank, qualifies", None if hidden else result.qualifies, dealer.get("qualifies"))
        self._cards("community", result.community, self.message.get("community"))
        seats = part(self.message, "seats")
        if set(seats) != {str(seat) for seat in result.places}:
            self.say("seats", sorted(str(seat) for seat in result.places), sorted(seats))
        for seat, place in result.places.items():
            got = part(seats, str(seat))
            where = f"seat {seat}"
            self._cards(f"{where}, cards", place.cards, got.get("cards"))
            for key in ("hand", "decision", "net"):
                self.same(f"{where}, {key}", getattr(place, key), got.get(key))
            lines = parts(got, "lines")
            names = [line.get("wager") for line in lines]
            self.same(f"{where}, lines", [line.wager for line in place.lines], names)
            for worth in place.lines:
                line = next((line for line in lines if line.get("wager") == worth.wager), None)
                if line is None:
                    continue
                at = f"{where}, line {worth.wager}"
                keys = ["stake", "outcome", "odds", "net"]
                if worth.wager in ("six_card_bonus", "jackpot"):
                    keys.append("combination")
                for key in keys:
                    self.same(f"{at}, {key}", getattr(worth, key), line.get(key, "nothing"))
                if not self.law.agrees(worth.rule, line.get("article")):
                    self.say(f"{at}, article", self.law.wanted(worth.rule), line.get("article"))

    def voided(
        self, article: str, wagers: dict[int, dict[str, int]], carried: set[int], dealt: Deal, played: Play
    ) -> None:
        """A round in which nothing is won or lost, and nothing is seen but what was turned or seen by accident."""
        self.same("outcome", "void", self.message.get("outcome"))
        void = part(self.message, "void")
        if not self.law.agrees(article, void.get("article")):
            self.say("void, article", self.law.wanted(article), void.get("article"))
        self.void_reason()
        dealer = part(self.message, "dealer")
        for key in ("hand", "qualifies"):
            self.same(f"bank, {key}", None, dealer.get(key))
        turned = {place for place, _ in played.turned}
        if "community" not in turned:
            self.same("community", None, self.message.get("community"))
        shown = [dealer.get("cards"), self.message.get("community")]
        seats = part(self.message, "seats")
        if seats.keys() != {str(seat) for seat in wagers}:
            self.say("seats", sorted(str(seat) for seat in wagers), sorted(seats))
        for seat, laid in wagers.items():
            place = part(seats, str(seat))
            where = f"seat {seat}"
            shown.append(place.get("cards"))
            for key, expected in (("hand", None), ("net", 0)):
                self.same(f"{where}, {key}", expected, place.get(key, "nothing"))
            decision = place.get("decision")
            # The void may have come before the decision was entered, or before a slip was put right.
            slip = seat in played.slipped and decision in ("play", "fold")
            if decision is not None and decision != played.decisions.get(seat) and not slip:
                self.say(f"{where}, decision", played.decisions.get(seat), decision)
            lines = parts(place, "lines")
            doubled = played.decisions.get(seat) == "play"
            names = [line.get("wager") for line in lines if not (doubled and line.get("wager") == "play")]
            self.same(f"{where}, lines", list(laid), names)
            for line in lines:
                self._void_line(f"{where}, line {line.get('wager')}", line, laid, article, carried=seat in carried)
        seen = dealt.exposed | {card for _, cards in played.turned for card in cards.split(" ")}
        for cards in shown:
            hidden = [card for card in str(cards or "").split() if card not in seen]
            if hidden:
                self.say("void, cards", "no card that was not shown", " ".join(hidden))

    def _void_line(self, at: str, line: Message, laid: dict[str, int], article: str, *, carried: bool) -> None:
        wager = str(line.get("wager"))
        expected = {"stake": laid.get("ante" if wager == "play" else wager), "outcome": "void", "odds": None, "net": 0}
        for key, value in expected.items():
            self.same(f"{at}, {key}", value, line.get(key, "nothing"))
        told = line.get("carried", "nothing" if wager == "jackpot" else False)
        self.same(f"{at}, carried", wager == "jackpot" and carried, told)
        if not self.law.agrees(article, line.get("article")):
            self.say(f"{at}, article", self.law.wanted(article), line.get("article"))

    def jackpot(self, before: int | None, after: int | None, awards: list[dict[str, Any]]) -> None:
        """The meter around the round; `before` None: the table offers no jackpot."""
        got = self.message.get("jackpot")
        if before is None:
            self.same("jackpot", None, got)
            return
        told = part(self.message, "jackpot")
        self.same("jackpot, pot_before", before, told.get("pot_before"))
        self.same("jackpot, pot_after", after, told.get("pot_after"))
        listed = parts(told, "awards")
        if len(listed) != len(awards) or not isinstance(told.get("awards"), list):
            self.say("jackpot, awards", awards, told.get("awards"))
            return
        for award, paid in zip(awards, listed, strict=True):
            for key in award:
                self.same(f"jackpot, award to seat {award['seat']}, {key}", award[key], paid.get(key))

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
            elif not same_cards(cards, right):
                self.say(f"{place}, turned on the table", " ".join(right), cards)
        for place in due.keys() - {place for place, _ in played.turned}:
            self.say(f"{place}, turned on the table", " ".join(due[place]), "nothing")

    def pushed(self, result: Settled | None, played: Play) -> None:
        """The winnings pushed to the players against the lines; the jackpot has its own way (`referee.py`)."""
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
            self.same(f"seat {seat}, double laid on the table", ante, amount)


def decisions_out_of_place(result: Settled, played: Play) -> list[int]:
    """Seats that were asked though they had no ante."""
    return [seat for seat in played.decisions if seat not in result.places or result.places[seat].decision is None]

"""The questions to the players of black-jack/21: each is asked once, and the answer is carried out with chips and
cards and keyed in.
"""

from collections.abc import Callable
from typing import Any

from simulators.dealer import hands
from simulators.dealer.blackjack_21.dealing import HandDealing
from simulators.dealer.blackjack_21.desk import HandDesk
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import is_void, single_place
from simulators.dealer.showing import Showing
from simulators.felt.cards import Card, text_of
from simulators.felt.guest import HAND
from simulators.felt.guest import INSURANCE as INSURED
from simulators.felt.punters import is_black_jack
from simulators.felt.table import BANK

_Answer = dict[str, Any]
_Wish = tuple[object, ...]  # what was asked, of whom, and with how many cards

GIVE_UP, EVEN_MONEY, INSURANCE, DECISION, FOLLOW = "give_up", "even_money", "insurance", "decision", "follow"
ALL_AT_ONCE = 0.5  # share of rounds in which what is asked before the play is keyed in for all seats together
AHEAD_OF_THE_SCREEN = 0.02  # share of cards drawn before it is keyed in that the player wants one
CARDS_SEEN = 0.5  # share of cards drawn against a player's wish that are turned already


class Asking(Showing):
    """The questions and turned cards of one round. A player's answer stays the same if it is keyed in again."""

    def __init__(self, desk: HandDesk, dealing: HandDealing) -> None:
        super().__init__(desk)
        self._felt, self._punters, self._dealing = desk.felt, desk.punters, dealing
        self._answers: dict[_Wish, _Answer] = {}
        self._ahead: tuple[str, _Answer] | None = None  # at which step a card was drawn before this was keyed in
        self._slipped: tuple[str, _Answer, _Answer] | None = None  # at which step this was keyed in for the true answer
        self._all_at_once = self._at.chance.random() < ALL_AT_ONCE

    async def ask(self, view: Projection) -> bool:
        """Ask the prompt's question and key the answer in; perhaps together with the next questions, if these are
        known.
        """
        step = view["step"]
        seat, question = self._memory.seat(int(step["seat"])), step["question"]
        if self._reporting.waiting or self._memory.halted or is_void(view):
            return False
        if self._slip_noticed(view):
            return True
        if question == INSURANCE and self._reporting.hurry_seat(seat):
            return True  # half of a bet keyed in wrongly is not half of the bet
        match question:
            case "decision":
                return await self._ask_hand(view, seat)
            case "follow":
                items = [await self._follow(step, seat)]
            case _:
                items = [await self._before_play(seat, question, step.get("most"), step.get("backers") or [])]
                together = self._all_at_once and not self._at.desk.person.on
                if together and await self._desk_takes(view, items + await self._others(view, seat, items[0])):
                    return True
        return await self._at.desk.say(view, [self._keyed(item) for item in items])

    async def reveal(self, view: Projection) -> bool:
        """The bank's second card is turned (17), or a card that was not read is keyed in."""
        if self._slip_noticed(view):
            return True
        step = view["step"]
        named = single_place(step["to"])
        item: _Answer = {"kind": "reveal", "to": named}
        place = self._felt.latest.get(self._memory.place(named), BANK)
        if place == BANK and len(self._felt.bank_cards()) > 1:
            await self._turn(BANK)
        if step.get("key_in"):
            await self._at.pace.person(hands.KEY_IN_SECONDS)
            item["cards"] = text_of(self._felt.deck.at(place)[-1:])
        if not await self._at.desk.say(view, [item]):
            return False
        if place == BANK and BANK in self._felt.turned:
            await self._dealing.one_too_many(view)
        return True

    async def _desk_takes(self, view: Projection, items: list[_Answer]) -> bool:
        """Whether the station accepts them together; if not, they are keyed in one by one."""
        if len(items) > 1 and await self._at.desk.say(view, [self._keyed(item) for item in items]):
            return True
        self._all_at_once = False
        return False

    # one hand

    async def _ask_hand(self, view: Projection, seat: int) -> bool:
        step = view["step"]
        number = int(step["hand"])
        place = self._felt.hand(seat, number).place
        if self._ahead is not None and self._ahead[0] == step["id"]:
            on_its_way = self._dealing.card_on_its_way(view)
            return not on_its_way and await self._at.desk.say(view, [self._keyed(self._ahead[1])])
        new = self._wish(DECISION, seat, place) not in self._answers
        answer = await self._decision(step, seat, number)
        ahead = new and answer["decision"] == "hit" and self._at.chance.random() < AHEAD_OF_THE_SCREEN
        if ahead and await self._dealing.ahead(view, place):
            self._ahead = step["id"], answer
            return True
        if new and answer["decision"] == "stand" and (value := self._at.mistakes.take("unasked_card")) is not None:
            seen = value == "seen" if value else self._at.chance.random() < CARDS_SEEN
            if await self._dealing.against_wish(view, place, seen):
                return True
            self._at.mistakes.put_back("unasked_card", value)
        if new and answer["decision"] == "hit":
            self._key_in_wrongly(step, answer)
        if self._slipped is not None and self._slipped[0] == step["id"]:
            answer = self._slipped[1]
        return await self._at.desk.say(view, [self._keyed(answer)])

    def _key_in_wrongly(self, step: Projection, answer: _Answer) -> None:
        """`remain` is keyed in for `hit`: noticed as soon as the next hand is asked, before a card has followed.

        A seat that has split is left alone: its next hand would get its card at once.
        """
        seat, may = answer["seat"], "stand" in step["legal"]
        if not may or len(self._felt.hands[seat]) > 1 or self._at.mistakes.take("slip_decision") is None:
            return
        self._felt.camera.saw("irregularity", kind="slip_decision", seat=seat)
        self._slipped = step["id"], {**answer, "decision": "stand"}, answer

    def _slip_noticed(self, view: Projection) -> bool:
        """A wrong entry is noticed and corrected: the prompt has moved on although the player wants a card."""
        if self._slipped is None or self._slipped[0] == view["step"]["id"]:
            return False
        answer = self._slipped[2]
        self._slipped = None
        item = {"kind": "correct_decision", "seat": answer["seat"], "decision": answer["decision"]}
        self._reporting.correct(item, ("deal",))
        return True

    async def _decision(self, step: Projection, seat: int, number: int) -> _Answer:
        hand = self._felt.hand(seat, number)
        wish = self._wish(DECISION, seat, hand.place)
        if wish not in self._answers:
            await self._at.pace.person(hands.LOOK_AND_DECIDE_SECONDS)
            cards = self._felt.deck.at(hand.place)
            decision = await self._wishes(seat, number, cards, list(step["legal"]))
            self._film(seat, number, DECISION, decision)
            owner = self._felt.owners[seat]
            if decision == "double":
                self._felt.raise_bet(seat, number, owner)
            elif decision == "split":
                self._felt.split(seat, number)
                self._felt.raise_bet(seat, number + 1, owner)
            self._answers[wish] = {"kind": "decide", "seat": seat, "hand": number, "decision": decision}
        return self._answers[wish]

    async def _follow(self, step: Projection, seat: int) -> _Answer:
        """The players with a bet on the hand, and whether each follows."""
        number, backers = int(step["hand"]), list(step["backers"])
        hand = self._felt.hand(seat, number)
        wish = self._wish(FOLLOW, seat, hand.place)
        if wish not in self._answers:
            await self._at.pace.person(hands.LOOK_AND_DECIDE_SECONDS)
            split = self._felt.deck.count(hand.place) == 1
            who = []
            for player in backers:
                follows = self._punters.follows()
                who.append(follows)
                if follows:
                    self._felt.raise_bet(seat, number + 1 if split else number, player)
            self._film(seat, number, FOLLOW, "follow " + ",".join(str(int(follows)) for follows in who))
            self._answers[wish] = {"kind": "follow", "seat": seat, "hand": number, "who": who}
        return self._answers[wish]

    # before the play

    async def _others(self, view: Projection, seat: int, first: _Answer) -> list[_Answer]:
        """The remaining questions before the play, for this seat and those after it, in order (33, 34, 36)."""
        ace = self._bank_card().rank == 1
        items = []
        for other in sorted(self._felt.hands, key=self._memory.keyed):  # in the order the station asks in
            black_jack = is_black_jack(self._felt.first_two(other))  # it may be paid and taken up already
            if self._memory.keyed(other) < self._memory.keyed(seat) or (black_jack and not ace):
                continue
            if not ace:
                items += [] if other == seat else [await self._before_play(other, GIVE_UP)]
                continue
            if other == seat and first["kind"] == "insure":
                continue
            taken = first["yes"] if other == seat else False
            if other != seat and black_jack:
                items.append(await self._before_play(other, EVEN_MONEY))
                taken = items[-1]["yes"]
            if not taken:
                bets = self._felt.bets[other]
                backers = [player for player in bets if player != self._felt.owners[other]]
                most = [bets[player] // 2 for player in (self._felt.owners[other], *backers)]
                items.append(await self._before_play(other, INSURANCE, most, backers))
        return items

    async def _before_play(
        self, seat: int, question: str, most: list[int] | None = None, backers: list[str] | None = None
    ) -> _Answer:
        wish = self._wish(question, seat, f"seat {seat}")
        if wish not in self._answers:
            await self._at.pace.person(hands.LOOK_AND_DECIDE_SECONDS)
            cards = self._felt.cards(seat, 1)
            match question:
                case "give_up":
                    yes = await self._yes(seat, question, lambda: self._punters.gives_up(cards, self._bank_card()))
                    self._film(seat, None, question, "give_up" if yes else "no")
                    self._answers[wish] = {"kind": "give_up", "seat": seat, "yes": yes}
                case "even_money":
                    yes = await self._yes(seat, question, self._punters.takes_even_money)
                    self._film(seat, None, question, "even_money" if yes else "no")
                    self._answers[wish] = {"kind": "even_money", "seat": seat, "yes": yes}
                case _:
                    amounts = await self._insured(seat, most or [])
                    if not amounts[0]:  # who bets along insures only where the seat does (15)
                        amounts = [0] * len(amounts)
                    players = (self._felt.owners[seat], *(backers or ()))
                    for player, amount in zip(players, amounts, strict=True):
                        self._felt.insure(seat, player, amount)
                    self._film(seat, None, question, "insure " + ",".join(map(str, amounts)))
                    self._answers[wish] = {"kind": "insure", "seat": seat, "amounts": amounts}
        return self._answers[wish]

    async def _wishes(self, seat: int, number: int, cards: list[Card], legal: list[str]) -> str:
        guest = self._at.guest_at(seat)
        if guest is not None:
            wish = await guest.asked(HAND, self._at.while_asked(), legal=legal, hand=number)
            if wish is not None:
                return str(wish)
        return self._punters.decides(cards, self._bank_card(), legal)

    async def _yes(self, seat: int, question: str, robot: Callable[[], bool]) -> bool:
        guest = self._at.guest_at(seat)
        yes = await guest.says_yes(question, self._at.while_asked()) if guest is not None else None
        return robot() if yes is None else yes

    async def _insured(self, seat: int, most: list[int]) -> list[int]:
        guest = self._at.guest_at(seat)
        if guest is not None and len(most) == 1:
            amount = await guest.asked(INSURED, self._at.while_asked(), most=most[0])
            if amount is not None:
                return [int(amount)]
        return [self._punters.insures(half) for half in most]

    def _bank_card(self) -> Card:
        return self._felt.bank_cards()[0]

    def _wish(self, question: str, seat: int, place: str) -> _Wish:
        """The same question again: no card came to the seat meanwhile."""
        return question, seat, place, self._felt.drawn[f"seat {seat}"]

    def _keyed(self, answer: _Answer) -> _Answer:
        """An answer with the seat as the station calls it now."""
        return {**answer, "seat": self._memory.keyed(answer["seat"])}

    def _film(self, seat: int, hand: int | None, question: str, answer: str) -> None:
        numbered = {} if hand is None else {"hand": hand}
        self._felt.camera.saw("answer", seat=seat, **numbered, question=question, answer=answer)

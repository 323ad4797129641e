"""A table of black-jack/21 played in memory: cards one by one, each question answered, rounds as round files."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Self

import msgspec

from controller.engine.decisions.betting import EnterIncrement, PlaceWager
from controller.engine.decisions.cards import Cut
from controller.engine.decisions.decision import Input
from controller.engine.decisions.devices import DeviceReport
from controller.engine.decisions.hands import EvenMoney, Follow, GiveUp, Insure, PlaceWarningCard
from controller.engine.decisions.jackpot import ConfirmHit
from controller.engine.decisions.played import Decide, Reveal
from controller.engine.decisions.session import Extracted, InsertionReported, Loaded
from controller.engine.state.applied import Event
from controller.engine.state.jackpot import E4
from controller.rulebook.blackjack_21.events import AnswerGiven
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import CardSource, InputCorrected, RoundBegun, RoundSettled
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.round_file import settle_text
from tests.engine.playing import Stock, cards
from tests.engine.reported import lines, prize_of, seat_of

MINIMUM = 100
CHIP = 50
BURNT = "6h"
PRIZE = Parameters(
    chip=CHIP,
    minimum=500_000,
    increment_bp=7_000,
    reserve_bp=1_000,
    ceiling=900_000,
    overflow_to="overflow",
    unreasonable_chips=7,
    fixed={},
)
DECIDED_BY = {"21", "22", "34", "35", "36", "43", "50"}  # whatever the bank's second card is
WARNING_CARD = DeviceReport(device="shoe", what="cut_card")
LID_OPENS = DeviceReport(device="shuffler", what="lid_opened")
LID_CLOSES = DeviceReport(device="shuffler", what="lid_closed")


class Hands(Stock):
    """Plays `blackjack-21`, four decks, seven seats, minimum 100; `first` is dealt first, the burnt card left out.

    `prize` says how the accumulated prize is marked, if there is one. `unread` counts the burnt card too.
    """

    def __init__(
        self,
        first: str = "",
        *,
        source: CardSource = "shoe",
        decks: int = 4,
        seats: int = 7,
        prize: str = "",
        pot: int = 600_000,
        unread: Iterable[int] = (),
        parameters: Parameters = PRIZE,
        rules: tuple[str, ...] = (),
    ) -> None:
        self.left_the_source: dict[int, Card] = {}  # by draw, read or not
        self.followed: dict[tuple[int, str], list[bool]] = defaultdict(list)
        super().__init__(
            cards(f"{BURNT} {first}" if source == "shoe" else first),
            decks,
            parameters,
            pot,
            seats,
            unread=unread,
            game="blackjack-21",
            source=source,
            minimum=MINIMUM,
            maximum=30 * MINIMUM,
            additional=("jackpot",) if prize else (),
            chip=CHIP if prize else 0,
            manual=prize == "manual",
            rules=rules,
        )

    # ---- the course of a round

    def receive(self, input: Input) -> tuple[Event, ...]:
        """As at any table; a round is dealt from what the last one left, and after a cut the shoe is whole."""
        asked, before = self.step, 0 if self.table.round is None else self.round.draws
        events = super().receive(input)
        for event in events:
            match event:
                case RoundBegun():
                    self.left_the_source, self.followed = {}, defaultdict(list)
                case AnswerGiven(question="follow", seat=seat, who=who):
                    for player, yes in zip(asked.backers, who, strict=True):
                        self.followed[seat, player].append(yes)
                case InputCorrected(what="seat", at=at, after=after):
                    here, there = int(at[-1]), int(str(after)[-1])
                    for seat, player in [of for of in self.followed if of[0] == here]:
                        self.followed[there, player] = self.followed.pop((seat, player))
        if self.table.round is not None and self.round.draws > before:
            self.left_the_source[self.round.draws] = self.deck[self.dealt - 1]
        return events

    def proceed(self) -> tuple[Event, ...]:
        """What people and devices do next: no one gives up, insures or follows, and all draw to 12 and remain."""
        step = self.step
        match step.kind:
            case "load":
                whole_load = self.settings.terms.decks * 52
                self.receive(InsertionReported(count=whole_load - 100))
                self.receive(InsertionReported(count=100))
                return self.say(Loaded, "rui")
            case "cut":
                return self.say(Cut, by="bank" if step.seat is None else f"seat {step.seat}")
            case "warning":
                return self.say(PlaceWarningCard, place="end")
            case "burn" | "deal":
                return self.comes_out()
            case "increment":
                return self.say(EnterIncrement, amount=self.increment())
            case "ask":
                return self.answer({"decision": "stand" if "stand" in step.legal else "hit"}.get(step.question, "no"))
            case "claims":
                self.pay()
                return self.put_in() if self.round.terms.source == "shuffler" else super().proceed()
            case "extract":
                return self.say(Extracted, "rui", cards=self.settings.terms.decks * 52)
            case _:
                return super().proceed()

    def place_bet(self, seat: int, bet: int = 0, player: str | None = None, **others: int) -> Self:
        """A seat's own bet, and the complementary ones beside it by the names of who places them."""
        if bet:
            self.say(PlaceWager, seat=seat, wager="bet", amount=bet, player=player)
        for name, amount in others.items():
            self.say(PlaceWager, seat=seat, wager="backing", amount=amount, player=name)
        return self

    def vacant(self, seat: int, **bets: int) -> Self:
        """Bets at a seat where no one sits."""
        for name, amount in bets.items():
            self.say(PlaceWager, seat=seat, wager="vacant", amount=amount, player=name)
        return self

    def mark(self, *seats: int, player: str | None = None) -> Self:
        """The dealer takes chips where they are marked by hand."""
        for seat in seats:
            self.say(PlaceWager, seat=seat, wager="jackpot", amount=CHIP, player=player)
        return self

    def to_deal(self, *seats: int) -> Self:
        """So far as the first card, 200 at each of these seats beside what is there."""
        self.to_wagers()
        for seat in seats:
            self.place_bet(seat, 200)
        return self.until("deal")

    def to_ask(self, *seats: int, skip: bool = True) -> Self:
        """So far as the first question, or with `skip` the first that decides on a hand."""
        self.to_deal(*seats).until("ask")
        while skip and self.at("ask") and self.step.question != "decision":
            self.proceed()
        return self

    def answer(self, word: str) -> tuple[Event, ...]:
        """The question asked is answered: `hit`, `yes`, `no`, `insure 100,50`, `follow 1,0`; no is none of it."""
        step, (what, _, values) = self.step, word.partition(" ")
        assert step.kind == "ask" and step.seat is not None, f"asked is {step.id}"
        match step.question:
            case "decision":
                return self.say(Decide, seat=step.seat, hand=step.hand, decision=word)
            case "give_up":
                return self.say(GiveUp, seat=step.seat, yes={"yes": True, "no": False}[what])
            case "even_money":
                return self.say(EvenMoney, seat=step.seat, yes={"yes": True, "no": False}[what])
            case "insurance":
                amounts = tuple(map(int, values.split(","))) if values else (0,) * len(step.most)
                return self.say(Insure, seat=step.seat, amounts=amounts)
            case _:
                who = tuple(part == "1" for part in values.split(",")) if values else (False,) * len(step.backers)
                return self.say(Follow, seat=step.seat, hand=step.hand, who=who)

    def answers(self, *words: str) -> Self:
        """Questions answered as they are asked, the cards between them drawn."""
        for word in words:
            self.until("ask", "confirm").answer(word)
        return self

    def decides(self, *words: str) -> Self:
        """The same, all before the decisions declined."""
        for word in words:
            while not self.at("ask") or self.step.question != "decision":
                assert not self.at("confirm"), f"no one is asked to {word}"
                self.proceed()
            self.answer(word)
        return self

    def reveal_one(self) -> tuple[Event, ...]:
        """The bank's second card is turned, or a card that was not read keyed in."""
        step = self.step
        return self.say(Reveal, to=step.to[0], cards=self.unread_card() if step.key_in else None)

    def unread_card(self) -> Card:
        """The card that is where the dealer is asked for one."""
        draw = int(self.step.id.rpartition("/")[2]) if self.step.id.count("/") == 3 else self.hole
        return self.left_the_source[draw]

    @property
    def hole(self) -> int:
        """The draw of the bank's second card."""
        draws = [move.draw for move in hands_of(self.round).moves if move.draw is not None]
        return draws[2 * len(self.seats_that_bet()) + 1]

    def seats_that_bet(self) -> list[int]:
        """The seats that cards are dealt to."""
        return [seat for seat, wagers in self.round.wagers.items() if set(wagers) - {"jackpot"}]

    def increment(self) -> int:
        """What the dealer puts on the display: what the pot gained, in whole minor units."""
        gained = sum(chip.to_pot_e4 for chip in self.table.contributed)
        return self.meter.pot - (self.meter.pot_e4 - gained) // E4

    def pay(self) -> Self:
        """Every hit that waits for it is paid by two persons."""
        for hit in self.meter.hits if self.table.meter is not None else ():
            if hit.state == "payable":
                self.say(ConfirmHit, hit=hit.hit)
                self.say(ConfirmHit, "rui", hit=hit.hit)
        return self

    def put_in(self) -> tuple[Event, ...]:
        """The lid opens, all the cards that are there go in, and the dealer closes it."""
        self.receive(LID_OPENS)
        events = self.receive(InsertionReported(count=self.round.draws + sum(own.cards for own in self.table.on_hold)))
        self.receive(LID_CLOSES)
        return events

    # ---- what can be read of it

    @property
    def waits(self) -> str:
        """What the table waits for, and for a question which and of whom: `decision 3/1`, `deal seat 3`, `confirm`."""
        step = self.step
        if step.kind == "ask":
            return f"{step.question} {step.seat}" + (f"/{step.hand}" if step.hand is not None else "")
        return " ".join((step.kind, *step.to))

    def hands(self, seat: int) -> list[str]:
        """The hands at a seat with their state: `8s 2c waiting`."""
        return [f"{hand['cards']} {hand['state']}" for hand in self.public()["round"]["hands"][str(seat)]]

    def bank(self) -> str:
        """The bank's cards that are open."""
        shown = self.public()["round"]["bank"]
        return str(shown["cards"]) if shown else ""

    def why_void(self) -> str:
        """The article of the round's void, with what every void has in common."""
        void = self.void()
        assert void.carried == ()
        undecided = [line for line in lines(self.report) if line.outcome == "void"]
        assert {(line.net, line.article) for line in undecided} <= {(0, void.article)}
        chips = [line for line in self.lines_decided() if line[1].startswith("jackpot")]
        assert {line[3].rstrip("abcde) ") for line in self.lines_decided()} <= DECIDED_BY
        assert self.table.meter is None or len(self.table.contributed) == len(chips)
        return void.article

    def lines_decided(self) -> list[tuple[int, str, int, str]]:
        """What a void round won and lost all the same: seat, wager with hand and player, net, article."""
        return [
            (
                of.seat,
                " ".join(str(value) for value in (line.wager, line.hand, line.player) if value),
                line.net,
                line.article,
            )
            for of in self.report.seats
            for line in of.lines
            if line.outcome != "void"
        ]

    def settled(self) -> Self:
        """The round comes to its settlement, which is the one that the same round has as a file."""
        self.until("confirm")
        assert self.round.void is None
        assert msgspec.json.encode(self.round.settlement) == settled_as_a_file(self)
        return self

    def lines(self, seat: int = 1) -> list[tuple[str, str, int, int, str]]:
        """A seat's lines of the settlement: wager with its hand, player, stake, net, article."""
        self.settled()
        return [
            (
                f"{line.wager} {line.hand}" if line.hand else line.wager,
                line.player or "",
                line.stake,
                line.net,
                line.article,
            )
            for line in seat_of(self.report, seat).lines
        ]


def round_file(play: Hands) -> dict[str, Any]:
    """The round file of what was placed, answered and drawn, from the report and what left the source."""
    round, report = play.round, play.report
    seats: dict[str, dict[str, Any]] = {}
    for wagers in report.wagers:
        if wagers.wager == "bet":
            seat: dict[str, Any] = {"bet": wagers.amount, "decisions": [], "backers": []}
            seats[str(wagers.seat)], owner = seat, wagers.player
        elif wagers.wager == "backing":
            follows = play.followed[wagers.seat, str(wagers.player)]
            seat["backers"].append({"player": wagers.player, "bet": wagers.amount, "insurance": 0, "follows": follows})
        else:
            whose = seat if wagers.player == owner else seat["backers"][-1]
            assert whose is seat or whose["player"] == wagers.player
            whose[wagers.wager] = wagers.amount
    for answer in report.decisions:
        seat = seats[str(answer.seat)]
        match answer.decision.split(" "):
            case ["give_up"]:
                seat["decisions"].insert(0, "surrender")
            case ["even_money"]:
                seat["even_money"] = True
            case ["insure", amounts]:
                seat["insurance"], *others = map(int, amounts.split(","))
                for backer, amount in zip(seat["backers"], others, strict=True):
                    backer["insurance"] = amount
            case [("hit" | "stand" | "double" | "split") as decision]:
                seat["decisions"].append(decision)
    drawn = [hands_of(round).faces.get(move.draw) for move in hands_of(round).moves if move.draw is not None]
    never_turned = next(card for card in DECK if drawn.count(card) < round.terms.decks)  # whatever it is
    file = {"game": "blackjack-21", "minimum": round.terms.minimum, "decks": report.decks, "seats": seats}
    file["shoe"] = " ".join(card or never_turned for card in drawn)
    if report.rules:
        file["rules"] = report.rules
    if round.terms.chip:
        file["jackpot"] = {"pot": prize_of(report).pot_before, "minimum": play.meter.parameters.minimum}
    return file


def settled_as_a_file(play: Hands) -> bytes:
    """What `settle` answers to the round as a file."""
    assert any(isinstance(event, RoundSettled) for event in play.events)
    return settle_text(msgspec.json.encode(round_file(play)))

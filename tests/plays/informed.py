"""Random rounds of every game in which anyone changes anything at any step, and what must hold of each change.

When a change is informed is computed here from the course of the round, and not from the moments that the games name.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any, Literal

import msgspec

from controller.engine.decisions.betting import LockIn, PlaceWager
from controller.engine.decisions.deciders import ApproveChanges, decide
from controller.engine.decisions.decision import Input
from controller.engine.decisions.played import Decide
from controller.engine.state.applied import Event, apply, fold
from controller.engine.state.persons import (
    ChangeEntered,
    CorrectCards,
    CorrectDecision,
    CorrectDice,
    CorrectSeat,
    CorrectWager,
    Exposed,
    Misdealt,
    PersonInput,
    VoidRound,
)
from controller.engine.state.table import Table
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import ClaimsClosed, Deal, RoundBegun
from controller.rulebook.games import game_of
from controller.rulebook.packets import packets_of
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round
from controller.rulebook.settlement import Party, net_by_party
from controller.rulebook.taiwan_pai_kao.state import tiles_of
from controller.rulebook.taiwan_pai_kao.tiles import SET
from tests.engine.hands import Hands
from tests.engine.places import Places
from tests.engine.playing import Play, source_of
from tests.engine.spaces import Spaces

PLAYERS = ("Ana", "Bia", "Rui")
Change = tuple[type[PersonInput], dict[str, Any]]


class Quiet(Play):
    """Plays as any table, and writes nothing down of what could be read of it."""

    def receive(self, input: Input) -> tuple[Event, ...]:
        decision = decide(self.table, input, self.settings, self.vault)
        for event in decision.events:
            self.table = apply(self.table, event)
            if isinstance(event, RoundBegun | ClaimsClosed):
                self.vault = {}
        self.vault |= decision.drawn
        for event in decision.events:
            self.follow(event)
        return decision.events


class QuietSpaces(Spaces, Quiet):
    """Fortune 8."""


class QuietHands(Hands, Quiet):
    """Black-jack/21."""


class Course:
    """A round of one game, played by chance: its bets, what its players decide, and when a change of it is informed."""

    game: str

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.insures = True
        self.slip: Slip | None = None  # of an answer, made once
        self.right: Change | None = None  # what corrects it, once it was made
        self.play = self.table()

    def table(self) -> Play:
        """The table, with its cards in some order."""
        raise NotImplementedError

    def bets(self) -> Iterator[dict[str, Any]]:
        """What is placed before the bets are closed."""
        raise NotImplementedError

    def on(self) -> None:
        """What comes next."""
        self.play.proceed()

    def change(self) -> Change:
        """Something that a person might change now."""
        raise NotImplementedError

    def informed(self, kind: type[PersonInput], fields: dict[str, Any]) -> bool:
        """Whether a change of the round as it is now is informed."""
        raise NotImplementedError

    def seat(self) -> int:
        return self.dice.randint(1, self.play.settings.terms.seat_count)

    def void(self) -> Change:
        voids: list[Change] = [(Misdealt, {"what": "order"}), (Misdealt, {"what": "number"}), (VoidRound, {})]
        return self.dice.choice(voids)

    def begin(self) -> None:
        """As far as the closing of the bets."""
        self.play.to_wagers()
        for bet in self.bets():
            self.play.attempt(PlaceWager, **bet)


class Cards(Course):
    """Fortune 3 Card Poker."""

    game = "fortune-3-card-poker-2025"
    wagers: tuple[str, ...] = ("ante", "pair_plus", "six_card_bonus")

    def table(self) -> Play:
        deck = [*DECK]
        self.dice.shuffle(deck)
        unread = {self.dice.randrange(20)} if self.dice.random() < 0.3 else set()
        source = self.dice.choice(("shuffler", "shoe"))
        return Quiet(deck, unread=unread, source=source, **self.terms())

    def terms(self) -> dict[str, Any]:
        return {}

    def bets(self) -> Iterator[dict[str, Any]]:
        for seat in self.dice.sample(range(1, self.play.settings.terms.seat_count + 1), self.dice.randint(1, 4)):
            yield {"seat": seat, "wager": "ante", "amount": self.dice.choice((100, 200, 500))}
            if self.dice.random() < 0.4:
                yield {"seat": seat, "wager": "pair_plus", "amount": self.dice.choice((100, 200))}
        if self.dice.random() < 0.3 and self.play.settings.terms.chip:
            self.play.chips(seat)

    def on(self) -> None:
        if self.play.at("decisions"):
            seat, decision = self.play.step.waiting[0], self.dice.choice(("play", "fold"))
            other = {"play": "fold", "fold": "play"}[decision]
            slips = self.slip == "decision" and not self.right and self._may_fold(seat)
            if self._may_fold(seat) and self.play.attempt(Decide, seat=seat, decision=other if slips else decision):
                if slips:
                    self.right = CorrectDecision, {"seat": seat, "decision": decision}
                return
        self.play.proceed()

    def _may_fold(self, seat: int) -> bool:
        return self.game.endswith("2025") or "pair_plus" not in self.play.round.wagers[seat]

    def change(self) -> Change:
        match self.dice.randrange(6):
            case 0 | 1:
                amount = self.dice.choice((0, 100, 200, 500))
                return CorrectWager, {"seat": self.seat(), "wager": self.dice.choice(self.wagers), "amount": amount}
            case 2:
                return CorrectSeat, {"seat": self.seat(), "to_seat": self.seat()}
            case 3:
                return CorrectDecision, {"seat": self.seat(), "decision": self.dice.choice(("play", "fold"))}
            case 4 if self.play.round.play.shown:
                place = self.dice.choice(list(self.play.round.play.shown))
                return CorrectCards, {"to": place, "cards": " ".join(self.dice.sample(DECK, 3))}
            case 5 if self.dice.random() < 0.5:
                return Exposed, {
                    "to": self.dice.choice(("bank", f"seat {self.seat()}")),
                    "count": self.dice.randint(1, 2),
                }
        return self.void()

    def informed(self, kind: type[PersonInput], fields: dict[str, Any]) -> bool:
        play, shown = packets_of(self.play.round), list(self.play.round.play.shown)
        if kind in (CorrectWager, CorrectSeat):
            return not self.play.at("deal") or bool(play.decisions or shown)
        if kind is CorrectDecision:
            return "bank" in shown
        if kind is CorrectCards:
            return self.play.round.settled is not None or shown[-1:] != [fields["to"]]
        return bool(play.decisions or shown)


class Cards2008(Cards):
    """The regulation of 2008."""

    game = "fortune-3-card-poker-2008"
    wagers = ("ante", "pair_plus")

    def terms(self) -> dict[str, Any]:
        return {"game": self.game, "seat_count": 7, "additional": (), "chip": 0}


class OpenSpaces(Course):
    """Fortune 8."""

    game = "fortune-8"

    def table(self) -> Play:
        cards = [*DECK] * 2
        self.dice.shuffle(cards)
        self.deal: Deal = "every_space" if self.dice.random() < 0.5 else "spaces_with_bets"
        unread = {self.dice.randrange(7)} if self.dice.random() < 0.3 else set()
        source = source_of(self.dice.choice(("shoe", "shuffler")))
        first = " ".join(cards[:30])
        return QuietSpaces(first, source=source, decks=2, deal=self.deal, announced=self.deal, unread=unread)

    def bets(self) -> Iterator[dict[str, Any]]:
        for seat in self.dice.sample(range(1, 8), self.dice.randint(1, 3)):
            yield {"seat": seat, "player": self.dice.choice(PLAYERS), **self.box()}

    def box(self) -> dict[str, Any]:
        return {"wager": self.dice.choice(("low", "eight", "high")), "amount": self.dice.choice((100, 500))}

    def change(self) -> Change:
        match self.dice.randrange(6):
            case 0 | 1:
                player = self.dice.choice(PLAYERS)
                box = {**self.box(), "amount": self.dice.choice((0, 100, 200, 500))}
                return CorrectWager, {"seat": self.dice.randint(1, 7), "player": player, **box}
            case 2 | 3:
                return CorrectSeat, {"seat": self.dice.randint(1, 7), "to_seat": self.dice.randint(1, 7)}
            case 4 if self.play.round.play.shown:
                place = self.dice.choice(list(self.play.round.play.shown))
                return CorrectCards, {"to": place, "cards": self.dice.choice(DECK)}
        return self.void()

    def informed(self, kind: type[PersonInput], fields: dict[str, Any]) -> bool:
        round = self.play.round
        spaces = range(1, 8) if self.deal == "every_space" else sorted(round.wagers)
        open_spaces = set(list(spaces)[: self.play.dealt])
        if kind is CorrectCards:
            return round.settled is not None or list(round.play.shown)[-1:] != [fields["to"]]
        if kind in (CorrectWager, CorrectSeat):
            return bool(open_spaces & {fields["seat"], fields.get("to_seat", fields["seat"])})
        return bool(open_spaces & set(round.wagers))


class AskedHands(Course):
    """Black-jack/21."""

    game = "blackjack-21"

    def table(self) -> Play:
        cards = [*DECK] * 4
        self.dice.shuffle(cards)
        rich = self.dice.random() < 0.4
        if rich:
            cards[:12] = self.dice.choices([Card(card) for card in ("Ah", "Ad", "Kc", "Td", "8s", "6c")], k=12)
        prize = self.dice.choice(("", "manual", "slots"))
        # Of a card that comes too often and was not read, no one could key in the truth.
        unread = {self.dice.randrange(12)} if not rich and self.dice.random() < 0.2 else set()
        return QuietHands(" ".join(cards[:60]), prize=prize, unread=unread)

    def bets(self) -> Iterator[dict[str, Any]]:
        for seat in self.dice.sample(range(1, 8), self.dice.randint(1, 3)):
            yield {"seat": seat, "wager": "bet", "amount": self.dice.choice((100, 200, 400)), "player": None}
            if self.dice.random() < 0.3:
                yield {"seat": seat, "wager": "backing", "amount": 100, "player": self.dice.choice(PLAYERS)}
            if self.dice.random() < 0.5:
                yield {"seat": seat, "wager": "jackpot", "amount": 50, "player": None}

    def on(self) -> None:
        play = self.play
        assert isinstance(play, Hands)
        if not play.at("ask"):
            play.proceed()
            return
        step = play.step
        if step.question == "decision":
            words = self.dice.choice(step.legal)
        elif step.question == "insurance":
            stakes = [most * self.insures * self.dice.randint(0, 1) for most in step.most]
            words = "insure " + ",".join(str(stake if stakes[0] else 0) for stake in stakes)
        elif step.question == "follow":
            words = "follow " + ",".join(self.dice.choice("01") for _ in step.backers)
        else:
            words = self.dice.choice(("yes", "no"))
        play.answer(words)

    def change(self) -> Change:
        seat = self.seat()
        match self.dice.randrange(7):
            case 0 | 1:
                wager = self.dice.choice(("bet", "backing", "jackpot"))
                amount = self.dice.choice((0, 50)) if wager == "jackpot" else self.dice.choice((0, 100, 200, 400))
                player = self.dice.choice(PLAYERS) if wager == "backing" else None
                return CorrectWager, {"seat": seat, "wager": wager, "amount": amount, "player": player}
            case 2:
                return CorrectSeat, {"seat": seat, "to_seat": self.seat()}
            case 3 | 4:
                words = (
                    "hit",
                    "stand",
                    "no",
                    "give_up",
                    "even_money",
                    "insure 0",
                    "insure 100",
                    "insure 50,50",
                    "follow 1",
                )
                return CorrectDecision, {"seat": seat, "decision": self.dice.choice(words)}
            case 5:
                place = self.dice.choice([f"seat {at}" for at in self.play.round.wagers] or ["seat 1"])
                there = game_of(self.play.round).shown_at(self.play.round, place)
                cards = list(there.values())
                if cards:
                    cards[self.dice.randrange(len(cards))] = self.dice.choice(DECK)
                return CorrectCards, {"to": place, "cards": " ".join(cards)}
        return self.void()

    def informed(self, kind: type[PersonInput], fields: dict[str, Any]) -> bool:
        round = self.play.round
        game = game_of(round)
        cards = [to for packet in game.placed(round) for to in packet.to]
        if kind in (CorrectWager, CorrectSeat):
            return any(f"seat {seat}" in cards for seat in (fields["seat"], fields.get("to_seat", 0)))
        if kind is CorrectCards:
            shown = game.shown_at(round, fields["to"])
            changed = {
                draw for (draw, was), now in zip(shown.items(), fields["cards"].split(), strict=False) if was != now
            }
            return round.settled is not None or not changed <= set(list(hands_of(round).faces)[-1:])
        moves = hands_of(round).moves
        if kind is CorrectDecision and fields["decision"].split()[0] in ("insure", "even_money"):
            return any(move.answer is None and move.draw is None for move in moves)
        if kind is CorrectDecision:
            return round.settled is not None  # after a card has followed it is refused, no matter who asks
        return any(cards.count(f"seat {seat}") > 1 for seat in range(1, 8))


class ArrangedTiles(Course):
    """Taiwan-Pai Kao."""

    game = "taiwan-pai-kao"

    def table(self) -> Play:
        tiles = [str(tile) for tile in SET]
        self.dice.shuffle(tiles)
        seats = self.dice.choice((4, 8))
        reader, capital = self.dice.random() < 0.7, self.dice.choice((2_000, 100_000))
        return Places(" ".join(tiles), seats=seats, reader=reader, capital=capital)

    def bets(self) -> Iterator[dict[str, Any]]:
        for _ in range(self.dice.randint(1, 4)):
            yield self.wager()

    def on(self) -> None:
        play = self.play
        assert isinstance(play, Places)
        if play.at("dice") and self.slip == "dice" and not self.right:
            play.throw(6, 6, 6, 5)
            self.right = CorrectDice, {"dice": play.dice}
        elif play.at("bank") and self.slip == "capital" and not self.right:
            place = play.step.seat
            play.take_bank(form=None, capital=play.capital + 1_000)
            self.right = CorrectWager, {"seat": place, "wager": "capital", "amount": play.capital, "player": None}
        else:
            play.proceed()

    def wager(self) -> dict[str, Any]:
        player, amount = self.dice.choice(PLAYERS), self.dice.choice((1_000, 2_000, 5_000))
        return {"seat": self.seat(), "wager": "place", "amount": amount, "player": player}

    def change(self) -> Change:
        round = self.play.round
        match self.dice.randrange(7):
            case 0 | 1:
                return CorrectWager, {**self.wager(), "amount": self.dice.choice((0, 1_000, 5_000))}
            case 2 | 3:
                bank = tiles_of(round).bank
                wager, amount = self.dice.choice(("capital", "casino")), self.dice.choice((500, 5_000, 200_000))
                at = bank.seat if bank is not None else 1
                return CorrectWager, {"seat": at, "wager": wager, "amount": amount, "player": None}
            case 4:
                return CorrectSeat, {"seat": self.seat(), "to_seat": self.seat()}
            case 5 if round.play.shown:
                place = self.dice.choice(list(round.play.shown))
                tiles = list(round.play.shown[place])
                self.dice.shuffle(tiles)
                return CorrectCards, {"to": place, "cards": " ".join(tiles)}
            case 6 if not round.play.shown:
                return CorrectDice, {"dice": tuple(self.dice.randint(1, 6) for _ in range(4))}
        return self.void()

    def informed(self, kind: type[PersonInput], fields: dict[str, Any]) -> bool:
        shown = list(self.play.round.play.shown)
        if kind is CorrectCards:
            return self.play.round.settled is not None or shown[-1:] != [fields["to"]]
        if kind in (CorrectWager, CorrectSeat, CorrectDice):
            return bool(shown)
        return self.play.at("reveal", "confirm")


COURSES: tuple[type[Any], ...] = (Cards, Cards2008, OpenSpaces, AskedHands, ArrangedTiles)


class Tally(msgspec.Struct):
    """How many rounds, changes that were effective at once or waited, approvals, and voids."""

    rounds: int = 0
    at_once: int = 0
    waited: int = 0
    approved: int = 0
    voids: int = 0


def play_round(kind: Callable[[random.Random], Course], seed: int, tally: Tally) -> None:
    """One random round; at every step of it anyone tries to change it. Raises AssertionError where one alone may."""
    dice = random.Random(seed)
    course = kind(dice)
    course.begin()
    play = course.play
    if not play.attempt(LockIn):
        return
    tally.rounds += 1
    for _ in range(400):
        if play.at("claims", "begin") or play.table.round is None:
            return
        for _ in range(dice.randint(0, 3)):
            _try_to_change(course, tally)
        if play.round.void is not None:
            tally.voids += 1
            return
        try:
            course.on()
        except Refusal:
            if not play.attempt(VoidRound, "rui", reason="what was entered cannot be there"):
                raise
    raise AssertionError(f"no end to {play.step}")


Slip = Literal["amount", "seat", "decision", "capital", "dice"]
SLIPS: dict[str, tuple[Slip, ...]] = {
    "fortune-3-card-poker-2025": ("amount", "seat", "decision"),
    "fortune-3-card-poker-2008": ("amount", "seat", "decision"),
    "fortune-8": ("amount", "seat"),
    "blackjack-21": ("amount", "seat"),
    "taiwan-pai-kao": ("amount", "seat", "capital", "dice"),
}


class Corrections(msgspec.Struct):
    """How many slips were corrected, how many of them waited for a supervisor, and what was refused instead."""

    slips: int = 0
    by_supervisor: int = 0
    refused: dict[str, int] = {}


def correct(kind: Callable[[random.Random], Course], seed: int, tally: Corrections) -> None:
    """A round with one slip that the dealer corrects at some step, beside the same one without: they end alike."""
    right, slipped = kind(random.Random(seed)), kind(random.Random(seed))
    chance = random.Random(f"{seed}/slip")
    if not _begin_wrongly(slipped, right, chance):
        return
    if not all(course.play.attempt(LockIn) for course in (right, slipped)):
        return
    done = False
    at, steps, late = chance.randrange(14), 0, chance.random() < 0.5
    while not slipped.play.at("claims"):
        soon = slipped.slip == "dice" and slipped.play.at("reveal")
        over = slipped.play.round.void is not None
        if slipped.right and not done and not over and (steps >= at or soon or slipped.play.at("confirm")):
            what, fields = slipped.right
            try:
                slipped.play.say(what, **fields)
            except Refusal as refusal:
                tally.refused[refusal.reason.code] = tally.refused.get(refusal.reason.code, 0) + 1
                return
            tally.slips += 1
            tally.by_supervisor += bool(slipped.play.table.waiting)
            done = True
            if slipped.play.table.waiting and not late:
                slipped.play.approve()
            continue
        if slipped.play.at("confirm") and slipped.play.table.waiting:
            slipped.play.approve()
            continue
        steps += 1
        slipped.on()
    while not right.play.at("claims"):
        right.on()
    if right.play.round.void is not None:  # one card too many of a kind: the void is the machine's
        assert slipped.play.round.void == right.play.round.void
        return
    assert slipped.play.round.void is None and _nets(right.play.round) == _nets(slipped.play.round)


def _begin_wrongly(slipped: Course, right: Course, chance: random.Random) -> bool:
    """Both rounds with their bets, one of them wrongly; whether a slip is possible in them."""
    kind = chance.choice(SLIPS[slipped.game])
    right.insures = slipped.insures = False
    slipped.slip = kind
    right.play.to_wagers()
    while not slipped.play.at("wagers"):
        slipped.on()
    bets = list(right.bets())
    list(slipped.bets())
    placed = [bet for bet in bets if right.play.attempt(PlaceWager, **bet)]
    whole = {(bet["seat"], bet["wager"], bet.get("player")): bet for bet in placed}
    if not whole:
        return False
    wrong = chance.choice(list(whole.values()))
    match kind:
        case "amount" if wrong["wager"] != "jackpot":
            other = chance.choice([amount for amount in (1_000, 2_000, 100, 200, 400) if amount != wrong["amount"]])
            keyed = [bet | ({"amount": other} if bet == wrong else {}) for bet in whole.values()]
            correction: Change | None = (CorrectWager, wrong)
        case "seat":
            free = [at for at in (wrong["seat"] - 1, wrong["seat"] + 1) if at not in {bet["seat"] for bet in placed}]
            free = [at for at in free if 1 <= at <= slipped.play.settings.terms.seat_count]
            if not free:
                return False
            to = chance.choice(free)
            keyed = [bet | ({"seat": to} if bet["seat"] == wrong["seat"] else {}) for bet in whole.values()]
            correction = CorrectSeat, {"seat": to, "to_seat": wrong["seat"]}
        case "amount":
            return False
        case _:
            keyed, correction = list(whole.values()), None  # an answer is keyed in wrongly when it is asked for
    if not all(slipped.play.attempt(PlaceWager, **bet) for bet in keyed):
        return False
    slipped.right = correction or slipped.right
    return True


def _try_to_change(course: Course, tally: Tally) -> None:
    kind, fields = course.change()
    actor = "rui" if kind is VoidRound else course.dice.choice(("ana", "ana", "rui"))
    play = course.play
    before, informed = play.table, course.informed(kind, fields)
    reason = course.dice.choice(("", "seen")) if actor == "rui" else ""
    try:
        events = decide(before, play.answering(kind, actor, **fields, reason=reason), play.settings, play.vault).events
    except Refusal:
        return
    after = fold(before, events)
    waits = any(isinstance(event, ChangeEntered) for event in events)
    if waits:
        # What is legal only beside what waits is informed as that is.
        assert (informed or before.waiting) and after.round == before.round and after.meter == before.meter
    else:
        _holds(before, after, actor, informed)
    if course.dice.random() < (0.1 if kind in (Misdealt, VoidRound, Exposed) else 0.5):
        play.say(kind, actor, **fields, reason=reason)
        tally.waited += waits
        tally.at_once += not waits
        if waits and course.dice.random() < 0.5:
            number = play.table.changes
            alone = {"changes": (number,), "reason": "seen"}
            assert not play.attempt(ApproveChanges, "ana", **alone, second="rui")
            assert not play.attempt(ApproveChanges, "rui", **alone, second="rui")
            if play.table.waiting[-1].two_persons:
                assert not play.attempt(ApproveChanges, "rui", **alone)
            tally.approved += play.attempt(ApproveChanges, "rui", **alone, second="ana")


def _holds(before: Table, after: Table, actor: str, informed: bool) -> None:
    """What one alone has done: no dealer changes an open result, and no one makes or moves an informed bet."""
    assert before.round is not None and after.round is not None
    if actor == "ana" and after.round != before.round:
        assert not informed or (after.round.void is None and _money(before.round) == _money(after.round))
        if before.round.settled is not None:
            assert after.round.settled is not None and _nets(before.round) == _nets(after.round)
    if informed and after.round.void is None:
        placed, now_there = _stakes(before.round), _stakes(after.round)
        assert all(amount <= placed.get(bet, 0) for bet, amount in now_there.items())
        assert _behind_the_bank(before.round) == _behind_the_bank(after.round)


def _money(round: Round) -> set[tuple[Any, ...]]:
    """What is entered of a round that money hangs on."""
    play: Any = round.play
    decisions = getattr(play, "decisions", None)
    asked = [move.answer for move in play.moves if move.answer] if hasattr(play, "moves") else []
    cards = {**play.shown} if decisions is not None else {**play.faces}
    return {
        *_stakes(round).items(),
        *_behind_the_bank(round),
        *((decisions or {}).items()),
        *((row.question, row.seat, row.hand, row.decision, row.yes, row.amounts, row.who) for row in asked),
        *cards.items(),
    }


def _stakes(round: Round) -> dict[tuple[int, str, str], int]:
    if round.terms.shared:
        return {
            (seat, wager, player): amount
            for seat, boxes in round.bets.items()
            for wager, bets in boxes.items()
            for player, amount in bets.items()
        }
    return {(seat, wager, ""): amount for seat, bets in round.wagers.items() for wager, amount in bets.items()}


def _behind_the_bank(round: Round) -> tuple[tuple[str, int], ...]:
    bank = getattr(round.play, "bank", None)
    return () if bank is None else (("capital", bank.capital), ("casino", bank.casino_share))


def _nets(round: Round) -> dict[Party, int]:
    return {} if round.settled is None else net_by_party(round.settled)

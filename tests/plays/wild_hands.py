"""A table of black-jack/21 at which anything happens in any order."""

from collections.abc import Callable
from typing import Any

from controller.engine.decisions.betting import (
    ChipGone,
    ChipPassed,
    ChipSensed,
    EnterIncrement,
    LockIn,
    LockInPressed,
    PlaceWager,
)
from controller.engine.decisions.cards import (
    Cut,
    DeckChecked,
    DeckComplete,
    PassCut,
    ReportsMissed,
    Shuffled,
    ShuffleHeard,
    UnheardCard,
)
from controller.engine.decisions.corrections import AdjustRound, DealCorrected
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.devices import (
    CutCard,
    DeviceFound,
    DeviceMissed,
    DeviceSaid,
    ShufflerGreeted,
    ShufflerReplaced,
)
from controller.engine.decisions.hands import EvenMoney, Follow, GiveUp, Insure, PlaceWarningCard, UnaskedCard
from controller.engine.decisions.jackpot import AdjustMeter, Confirm, ConfirmHit
from controller.engine.decisions.played import CardsHeard, Decide, Reveal
from controller.engine.decisions.session import (
    BeginRound,
    CardReplaced,
    CloseClaims,
    CloseTable,
    Extracted,
    HoldCards,
    InsertionHeard,
    Loaded,
    OpenTable,
    UseSource,
)
from controller.engine.state.persons import (
    CorrectCards,
    CorrectDecision,
    CorrectSeat,
    CorrectWager,
    EnterCount,
    Exposed,
    Misdealt,
    PersonInput,
    ShufflerFailed,
    ToEmptySeat,
    VoidRound,
)
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.events import (
    CardSource,
)
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Refusal
from tests.engine.hands import CHIP, WARNING_CARD
from tests.engine.watched_hands import WatchedHands

WAGERS = ("bet", "backing", "vacant", "jackpot", "ante")
AMOUNTS = (0, 100, 200, 400, 3_000, 3_100, CHIP, 150, -100)
PLAYERS = (None, "Rui", "Inês", "Zé")
PLACES = ("seat 1", "seat 2", "seat 3", "seat 8", "bank", "discard", "pending", "")
SAYINGS = ("jam", "cleared", "lid_opened", "lid_closed", "damaged_card", "error", "error_cleared", "cut_card")
WHY = {"reason": "entered wrongly"}
WITNESSED = {**WHY, "second": "ana"}
ANSWERS = (
    "hit", "stand", "double", "split", "give_up", "no", "even_money", "insure 50", "insure 50,100", "follow 1", "x",
)  # fmt: skip
RAISES = ("split", "double", "hit", "stand")
Said = tuple[type[PersonInput], dict[str, Any]]


class WildHands(WatchedHands):
    """What is usual at each step, and all that may happen instead; two numbers choose what exactly."""

    # ---- what is usual

    def usual(self, choice: int = 0) -> None:
        """What is usual at the step, `choice` among the answers, or what makes it possible."""
        if self.at("wagers") and not self.seats_that_bet():
            self.open_bets(choice)
        elif self.at("ask") and any(one.seen is None and not one.taken for one in hands_of(self.round).uncalled):
            self.attempt(UnaskedCard, seen=choice % 2 == 0) or self.go_on()
        elif self.at("ask") and self.step.question == "decision":
            wished = [decision for decision in RAISES if decision in self.step.legal]
            self.answer(wished[choice % len(wished)])
        elif self.at("ask") and self.step.question == "follow":
            self.answer(f"follow {','.join(str((choice + at) % 2) for at, _ in enumerate(self.step.backers))}")
        elif self.at("ask") and self.step.question == "insurance":
            self.answer(f"insure {','.join(str(most * (choice % 2)) for most in self.step.most)}")
        elif self.at("ask"):
            self.answer("yes" if choice % 5 == 4 else "no")
        elif self.at("reveal"):
            # A card that cannot lie where it was keyed in is nobody's to know.
            self.attempt_reveal() or self.say(VoidRound, "rui", reason="nobody knows which card lies there")
        elif self.at("claims") and choice % 3 == 1 and self.attempt(HoldCards):
            return
        elif self.at("load"):
            self.loads() or self.say(CloseTable)
        else:
            self.go_on()

    def open_bets(self, choice: int) -> None:
        """A bet, and by `choice` others beside it, and chips."""
        seat = 1 + choice % 3
        self.lay(seat, 200, "Rui", **({"Zé": 400} if choice % 2 else {}))
        if choice % 4 > 1:
            self.lay(5, 100).vacant(6, Rui=300, Zé=300)
        if self.settings.terms.chip and choice % 3:
            self.mark(seat) if self.settings.terms.manual else self.sweep().chips(seat, 5)

    def attempt_reveal(self) -> bool:
        before = self.step
        try:
            self.reveal_one()
        except Refusal:
            return False
        return self.step != before or self.round.void is not None

    def loads(self) -> bool:
        """The packets that are still wanted, if not too many were put in already."""
        assert self.table.load is not None
        wanted = self.table.load.cards - sum(self.table.load.packets)
        if wanted < 0 or (wanted == 0 and len(self.table.load.packets) < 2):
            return False
        for count in (wanted // 2, wanted - wanted // 2) if wanted else ():
            self.hear(InsertionHeard(count=count))
        self.say(Loaded, "rui")
        return True

    def to_rest(self) -> None:
        """The usual leads out of everything, in a bounded number of steps, and by way of a settlement or a void."""
        for _ in range(120):
            if self.table.round is None and self.at("begin"):
                return
            self.usual(3)
        raise AssertionError(f"no end to {self.step}")

    # ---- what may happen

    def move(self, name: str, a: int, b: int) -> None:
        """One thing happens; `a` and `b` choose what exactly."""
        MOVES[name](self, a, b)

    def on(self, steps: int, choice: int) -> None:
        for step in range(steps):
            self.usual(choice + step)

    def bet(self, a: int, b: int) -> None:  # type: ignore[override]
        self.attempt(PlaceWager, seat=a % 9, wager=WAGERS[b % 5], amount=AMOUNTS[(a + 2 * b) % 9],
                     player=PLAYERS[(a + b) % 4])  # fmt: skip

    def chip(self, a: int, b: int) -> None:
        if not self.settings.terms.chip or self.settings.terms.manual:
            return
        kinds = (ChipSensed, ChipSensed, ChipGone, ChipPassed)
        kind = kinds[b % 4]
        counter = next(self._counters)
        seat = 1 + a % 7
        if kind is ChipGone:
            self.hear(ChipGone(seat=seat, counter=counter))
        elif kind is ChipPassed:
            self.hear(ChipPassed(seat=seat, counter=counter, edges=1 + b % 6))
        else:
            self.hear(ChipSensed(seat=seat, counter=counter, edges=1 + (b == 11)))

    def answer_anything(self, a: int, b: int) -> None:
        seat = self.step.seat if self.at("ask") and a % 3 else a % 9
        hand = self.step.hand if self.at("ask") and a % 2 else b % 4
        said: tuple[Said, ...] = (
            (Decide, {"hand": hand or 1, "decision": (*RAISES, "surrender", "play", "")[b % 7]}),
            (GiveUp, {"yes": a % 3 == 0}), (EvenMoney, {"yes": a % 2 == 0}),
            (Insure, {"amounts": (*self.step.most[: a % 4], *(b * 25,) * (a % 2))}),
            (Follow, {"hand": hand or 1, "who": tuple(bool(b >> at & 1) for at in range(a % 4))}),
        )  # fmt: skip
        kind, fields = said[(a + b) % 5]
        self.attempt(kind, seat=seat, **fields)

    def out_of_turn(self, a: int, b: int) -> None:
        """A card comes out of the source in use, whatever is wanted; if it was not due it lies aside."""
        if self.table.round is None:
            self.hear(CardsHeard(source="shoe", cards=(self.deck[-1],)))
            return
        before = self.round.draws
        self.unread |= {self.dealt} if a % 5 == 0 else set()
        self.comes_out()
        if self.round.draws == before:
            self.dealt -= 1
            del self.deck[self.dealt]  # type: ignore[attr-defined]
        elif b % 2:
            self.attempt(UnaskedCard, seen=b % 4 == 1)

    def unasked(self, a: int, b: int) -> None:
        """On to a decision, and a card comes that was not asked for."""
        for step in range(30):
            if self.at("ask") and self.step.question == "decision":
                self.out_of_turn(1 + a, b)
                return
            self.usual(b + step if not self.at("ask") else 0)

    def stray(self, a: int, b: int) -> None:
        """Cards of the source that is not in use, or several at once."""
        source = self.round.terms.source if self.table.round is not None else "shoe"
        other: CardSource = "shuffler" if source == "shoe" else "shoe"
        self.hear(CardsHeard(source=other, cards=(self.deck[-1],) * (b % 3), order=a or None))
        self.hear(CardsHeard(source=source, cards=(self.deck[-1], self.deck[-2])))

    def comes_unread(self, a: int, b: int) -> None:
        if self.at("deal", "burn"):
            self.unread |= {self.dealt}
            self.comes_out()

    def dealers_word(self, a: int, b: int) -> None:
        if self.at("deal", "burn") and self.round.terms.source == "shoe":
            self.unheard_card()
        else:
            assert not self.attempt(UnheardCard)

    def key_in(self, a: int, b: int) -> None:
        """A card is keyed in that may be another one than lies there, and that may be too many."""
        place = self.step.to[0] if self.at("reveal") else "seat 1"
        self.attempt(Reveal, to=place, cards=(None, "8d", "As 8d", str(self.deck[a]), "8d 8d")[b % 5])

    def correct(self, a: int, b: int) -> None:
        for _ in range(a * 2):
            if self.table.round is None or not self.round.locked or not self.at("confirm"):
                self.usual(b)
        betting = self.seats_that_bet() if self.table.round is not None else []
        seat = betting[a % len(betting)] if betting and a % 4 else a % 9
        match b % 5:
            case 0 | 1:
                bets = self.round.bets.get(seat, {}) if betting else {}
                wager = list(bets)[b % len(bets)] if bets and a % 3 else WAGERS[(a + b) % 5]
                player = next(iter(bets.get(wager, {})), PLAYERS[(a + b) % 4])
                self.attempt(CorrectWager, seat=seat, wager=wager, amount=AMOUNTS[(a + b) % 9], player=player, **WHY)
            case 2:
                self.attempt(CorrectSeat, seat=seat, to_seat=(a + b) % 9, **WHY)
            case 3:
                self.attempt(CorrectDecision, seat=seat, decision=ANSWERS[(a + b) % len(ANSWERS)], **WHY)
            case _ if self.table.round is not None:
                place = "bank" if a % 4 == 3 else f"seat {seat}"
                there = [*self.public()["round"]["hands"].get(str(seat), []), {"cards": self.bank()}]
                cards = there[-1 if place == "bank" else 0]["cards"].split()
                cards[b % 3 : b % 3 + 1] = [str(self.deck[a])]
                self.attempt(CorrectCards, ("ana", "rui")[a % 2], to=place, cards=" ".join(cards), **WHY)

    def device(self, a: int, b: int) -> None:
        devices: tuple[DeviceName, ...] = ("shuffler", "shoe", "slots", "sign")
        device = devices[a % 4]
        match b % 4:
            case 0:
                self.hear(DeviceMissed(device=device, reason="unplugged"))
            case 1:
                self.hear(DeviceFound(device=device, outage_ms=1, tries=1))
            case 2:
                self.hear(DeviceSaid(device="shuffler", what=SAYINGS[a % 8], details="x"))  # type: ignore[arg-type]
            case _:
                self.hear(ShufflerGreeted(boot=a % 3, last_order=a * 300, mode=("batch", "continuous", None)[a % 3]))

    def machine(self, a: int, b: int) -> None:
        match b % 5:
            case 0:
                self.hear(InsertionHeard(count=a * 20))
            case 1:
                self.hear(ShuffleHeard(order=257 + a, count=208))
            case 2:
                self.hear(DeckChecked(found=200 + a, missing=b % 2, duplicated=a % 2))
            case 3:
                self.hear(ReportsMissed(count=a or None, gap_cause="reports_lost"))
            case _:
                self.hear(LockInPressed())

    def out_of_order(self, a: int, b: int) -> None:
        """Somebody presses what is not asked for, or answers what is not on the screen any more."""
        kinds: tuple[type[PersonInput], ...] = (
            OpenTable, BeginRound, Confirm, CloseClaims, DeckComplete, LockIn, ShufflerReplaced, Loaded, HoldCards,
        )  # fmt: skip
        kind = kinds[a % 9]
        if b % 2:
            answer: Any = kind(input_id="x", step_id="0/wagers", actor="ana")
            try:
                self.check(answer)
            except StaleStep:
                return
            raise AssertionError("an answer to no step was taken")
        self.attempt(kind, ("ana", "rui")[b // 2 % 2])

    def more_out_of_order(self, a: int, b: int) -> None:
        said: tuple[Said, ...] = (
            (Shuffled, {"count": (None, 52, 208)[b % 3]}), (Cut, {"by": ("bank", "seat 7", "seat 8")[b % 3]}),
            (PassCut, {"seat": a, "vacant": not b % 2}), (PlaceWarningCard, {"place": ("end", "middle")[b % 2]}),
            (EnterIncrement, {"amount": 35 * b}), (EnterCount, {"count": b}), (Extracted, {"cards": 204 + b}),
            (Exposed, {"to": PLACES[b % 8], "which": (b,)}), (ToEmptySeat, {"meant_for": PLACES[b % 8], "seat": a}),
            (CardReplaced, {"reason": "torn"}), (ConfirmHit, {"hit": b}), (UseSource, {"source": "shoe"}),
            (AdjustRound, {"round": b, "seat": 1, "amount": a - 3, **WITNESSED}),
            (AdjustMeter, {"part": ("pot", "reserve", "overflow")[b % 3], "amount": a * 100 - 300, **WITNESSED}),
        )  # fmt: skip
        kind, fields = said[(2 * a + b) % len(said)]
        self.attempt(kind, ("rui", "ana", "mei")[b % 3] if b % 3 != 2 else "sol", **fields)

    def warning_card(self, a: int, b: int) -> None:
        if b % 2:
            self.hear(WARNING_CARD)
        else:
            self.attempt(CutCard)


Move = Callable[[WildHands, int, int], object]


def report(kind: type[PersonInput], actor: str = "ana", **fields: Any) -> Move:
    """What would end most rounds too soon is tried rarely."""
    return lambda table, a, b: table.attempt(kind, actor, **fields) if a % 4 == 0 else None


MOVES: dict[str, Move] = {
    "on": lambda table, a, b: table.on(1 + b % 3, a),
    "on and on": lambda table, a, b: table.on(6 + b, a),
    "bet": WildHands.bet,
    "chip": WildHands.chip,
    "answer": WildHands.answer_anything,
    "out of turn": WildHands.out_of_turn,
    "unasked": WildHands.unasked,
    "stray": WildHands.stray,
    "unread": WildHands.comes_unread,
    "unheard": WildHands.dealers_word,
    "key in": WildHands.key_in,
    "correct": WildHands.correct,
    "put right": lambda table, a, b: table.attempt(DealCorrected, what="place", to=PLACES[a % 8]),
    "device": WildHands.device,
    "machine": WildHands.machine,
    "out of order": WildHands.out_of_order,
    "more out of order": WildHands.more_out_of_order,
    "warning card": WildHands.warning_card,
    "misdealt": report(Misdealt, what="order"),
    "misdealt and told late": report(Misdealt, "rui", what="number", reason="seen late"),
    "failed": report(ShufflerFailed),
    "broken off": report(VoidRound, "rui", reason="power cut"),
    "closed": report(CloseTable),
}

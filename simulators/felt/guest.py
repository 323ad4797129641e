"""The person who plays at one seat: the questions to him, and whether an answer is valid. No I/O here."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simulators.felt.tiles import ArrangedTiles, Tile

BETS, DECIDE, HAND, YES_NO, INSURANCE, BANK, PAIRS = KINDS = (
    "bets", "decide", "hand", "yes_no", "insurance", "bank", "pairs",
)  # fmt: skip
CHIPS_IN_MINIMUMS = (1, 5, 10, 50)
GLANCE_SECONDS = 0.1
START_IN_MINIMUMS = 200  # the money he sits down with, and what he buys when that is gone
NOT_ASKED, NO_ANSWER, LIMITS, NEEDS_BASIC, LEAST = REFUSALS = (
    "not_asked",
    "no_answer",
    "limits",
    "needs_basic",
    "least",
)


class RefusedAnswer(ValueError):
    """An answer cannot be taken: which of REFUSALS."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """What the guest may place, minor units; bets that are not `basic`, and a jackpot chip, only beside a basic bet."""

    basic: tuple[str, ...]
    additional: tuple[str, ...] = ()
    chip: int = 0
    minimum: int = 1
    maximum: int = 1


@dataclass(frozen=True, slots=True)
class Laying:
    """What he places in a round: wagers in minor units, and a jackpot chip or none."""

    wagers: Mapping[str, int] = field(default_factory=dict)
    chip: bool = False


@dataclass(frozen=True, slots=True)
class GuestQuestion:
    """A question to the guest, and its details."""

    number: int
    kind: str
    what: dict[str, Any]


class Guest:
    """The guest is asked one thing at a time; a question waits as long as the table does."""

    def __init__(self, seat: int, name: str, boxes: Boxes) -> None:
        self.seat = seat
        self.name = name
        self.boxes = boxes
        self.question: GuestQuestion | None = None
        self.on_change: Callable[[], None] = lambda: None
        self._count = 0
        self._answer: Any = None
        self._answered = asyncio.Event()

    async def asked(self, kind: str, still: Callable[[], bool], **what: Any) -> Any:
        """The guest's answer; None if the table no longer waits for it."""
        self._count += 1
        self.question = GuestQuestion(self._count, kind, what)
        self._answer = None
        self._answered.clear()
        self.on_change()
        try:
            while still():
                try:
                    async with asyncio.timeout(GLANCE_SECONDS):
                        await self._answered.wait()
                except TimeoutError:
                    continue
                return self._answer
            return None
        finally:
            self.question = None
            self.on_change()

    @property
    def chips(self) -> list[int]:
        """The chips that he may place, in minor units."""
        minimum, maximum = self.boxes.minimum, self.boxes.maximum
        return [minimum * times for times in CHIPS_IN_MINIMUMS if minimum * times <= maximum]

    async def bets(self, still: Callable[[], bool]) -> Laying:
        """His bets."""
        boxes = self.boxes
        answer = await self.asked(
            BETS,
            still,
            boxes=[*boxes.basic, *boxes.additional],
            basic=list(boxes.basic),
            chip=boxes.chip,
            minimum=boxes.minimum,
            maximum=boxes.maximum,
            chips=self.chips,
        )
        return answer if isinstance(answer, Laying) else Laying()

    async def says_yes(self, question: str, still: Callable[[], bool]) -> bool | None:
        """Whether the guest accepts the offer."""
        answer: bool | None = await self.asked(YES_NO, still, question=question)
        return answer

    async def takes_bank(self, least: int, still: Callable[[], bool]) -> int | None:
        """The capital with which he takes the bank, 0 if he does not."""
        capital: int | None = await self.asked(BANK, still, least=least, chips=self.chips)
        return capital

    def answer(self, number: object, answer: object) -> None:
        """Take his answer to the question of this number. Raises RefusedAnswer."""
        question = self.question
        if question is None or question.number != number or self._answered.is_set():
            raise RefusedAnswer(NOT_ASKED)
        self._answer = READERS[question.kind](question.what, answer)
        self._answered.set()


def _bets(what: Mapping[str, Any], answer: object) -> Laying:
    if not isinstance(answer, dict) or set(answer) != {"wagers", "chip"}:
        raise RefusedAnswer(NO_ANSWER)
    wagers, chip = answer["wagers"], answer["chip"]
    if not isinstance(wagers, dict) or not isinstance(chip, bool) or not set(wagers) <= set(what["boxes"]):
        raise RefusedAnswer(NO_ANSWER)
    bets = {box: _amount(wagers[box]) for box in what["boxes"] if wagers.get(box) != 0 and box in wagers}
    if any(not what["minimum"] <= amount <= what["maximum"] for amount in bets.values()):
        raise RefusedAnswer(LIMITS)
    if (bets or chip) and not set(bets) & set(what["basic"]):
        raise RefusedAnswer(NEEDS_BASIC)
    if chip and not what["chip"]:
        raise RefusedAnswer(NO_ANSWER)
    return Laying(bets, chip)


def _one_of_legal(what: Mapping[str, Any], answer: object) -> str:
    if not isinstance(answer, str) or answer not in what["legal"]:
        raise RefusedAnswer(NO_ANSWER)
    return answer


def _yes_or_no(what: Mapping[str, Any], answer: object) -> bool:
    if not isinstance(answer, bool):
        raise RefusedAnswer(NO_ANSWER)
    return answer


def _insured(what: Mapping[str, Any], answer: object) -> int:
    amount = _amount(answer)
    if amount > what["most"]:
        raise RefusedAnswer(LIMITS)
    return amount


def _capital(what: Mapping[str, Any], answer: object) -> int:
    """The guest's capital as the banker; None passes the bank on."""
    amount = _amount(answer)
    if amount and amount < what["least"]:
        raise RefusedAnswer(LEAST)
    return amount


def _front(what: Mapping[str, Any], answer: object) -> tuple[int, int]:
    """The two of his four tiles that are in front."""
    if not isinstance(answer, list) or len(answer) != 2 or not all(_is_whole(at) and 0 <= at < 4 for at in answer):
        raise RefusedAnswer(NO_ANSWER)
    if answer[0] == answer[1]:
        raise RefusedAnswer(NO_ANSWER)
    return answer[0], answer[1]


READERS: dict[str, Callable[[Mapping[str, Any], object], Any]] = {
    BETS: _bets, DECIDE: _one_of_legal, HAND: _one_of_legal, YES_NO: _yes_or_no, INSURANCE: _insured, BANK: _capital,
    PAIRS: _front,
}  # fmt: skip


def arranged_with(tiles: Sequence[Tile], front: Sequence[int]) -> ArrangedTiles:
    """Four tiles as two pairs, these in front."""
    behind = [at for at in range(len(tiles)) if at not in front]
    return ArrangedTiles(tuple(tiles[at] for at in front), tuple(tiles[at] for at in behind))


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _amount(amount: object) -> int:
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 0:
        raise RefusedAnswer(NO_ANSWER)
    return amount

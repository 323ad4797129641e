"""One evening of Taiwan-Pai Kao, judged round after round: whose bank it is, wagers, dice, tiles, the settlement."""

from collections import Counter
from typing import Any

from ..rules.lines import Message
from ..rules.pai_hands import COPIES, Hand, arrange, rank
from ..rules.pai_kao import Result, settle
from .camera import Line
from .faults import BROKEN, DECK_NOT_WHOLE, PERHAPS_UNREAD, REPORTS_LOST, UNREAD, Faults
from .pai_felt import EACH, FOUR, Before, Felt, felt
from .pai_message import AgainstPlaces, corrections, entered, irregularities
from .referee import Referee
from .void import COMPLETE_DECK, EVERY_CARD_REPORTED, MISDEAL, SUPERVISORS_VOID, Dealt, why_void

PAI_KAO = "taiwan-pai-kao"
NO_BANKER = "policy: no one takes the bank"


class PaiKaoReferee(Referee):
    """Of Taiwan-Pai Kao, which has no meter."""

    def __init__(self, station: dict[str, Any], faults: Faults) -> None:
        super().__init__(station, faults)
        self.reader = "shoe" in station.get("devices", {})
        self.before = Before()
        self.dealt_until = 0.0  # the line where the last deal ended

    def round(self, number: int, lines: list[Line], message: Message | None, *, last: bool) -> None:
        """Judge one round; `message` is None if none was sent."""
        self.report.rounds += 1
        seen = felt(lines, self.station, self.before)
        dealt = self._deal(seen, lines)
        wrong = [*seen.wrong, *(seen.asking.wrong if seen.asking else ())]
        if seen.places not in (None, FOUR, int(self.station["table"]["seats"])):
            wrong.append(f"the places: expected four, or as many as the table has (3.º a)), got {seen.places}")
        if not seen.whole and not self.faults.any("deck", DECK_NOT_WHOLE, 0, seen.last):
            wrong.append("the tiles: expected the 32 of the set (1.º a)), got others")
        self.report.differences += [f"round {number}, on the table, {difference}" for difference in wrong]
        if message is None:
            if last and not seen.ended:
                return
            self.report.differences.append(f"round {number}: expected a message, got none")
        against = AgainstPlaces(number, message or {})
        article = why_void(against, dealt, self.report.notes, playable=seen.bank is not None)
        if article is None:
            self._settled(against, seen, dealt)
        else:
            self._voided(against, seen, dealt, article)
        if message is not None:
            self.report.differences += against.differences

    def _deal(self, seen: Felt, lines: list[Line]) -> Dealt:
        dealt = Dealt("shoe", ended_at=seen.last)
        dealt.complete = bool(seen.due) and seen.right and len(seen.dealt) == len(seen.due) == EACH * len(seen.turned)
        over = Counter(tile.face for tile in seen.dealt) + Counter(self.before.used) - COPIES
        for line in lines:
            kind = str(line.get("kind")) if line["event"] == "irregularity" else ""
            article = MISDEAL if kind in BROKEN else SUPERVISORS_VOID if kind == "supervisor_void" else None
            if article and not dealt.void:
                dealt.void, dealt.void_at = article, float(line["line"])
        if seen.asking and seen.asking.over and seen.bank is None:
            dealt.void, dealt.void_at = NO_BANKER, seen.last
        elif over and not dealt.void:
            dealt.void, dealt.void_at = COMPLETE_DECK, seen.last
            if not self.faults.any("deck", {"doubled"}, 0, seen.last):
                seen.wrong.append(f"the tiles: expected none oftener than the set has it (1.º a)), got more of {over}")
        elif seen.dealt and not dealt.void and not (seen.right and len(seen.dealt) <= len(seen.due)):
            dealt.void, dealt.void_at = MISDEAL, seen.last
        if self.reader and seen.dealt:
            self._machine(seen, dealt)
        return dealt

    def _machine(self, seen: Felt, dealt: Dealt) -> None:
        """What the reader's faults may have done, and the camera cannot report."""
        first, last = seen.dealt[0].at, seen.dealt[-1].at
        for fault in self.faults.of("shoe", REPORTS_LOST):
            if fault.touches(self.dealt_until, dealt.ended_at):
                at = max(fault.start, self.dealt_until)
                dealt.allow(EVERY_CARD_REPORTED, at, f"the reader's fault {fault.kind}")
        dealt.unread = any(seen.diced_at < fault.start < last for fault in self.faults.of("shoe", UNREAD["shoe"]))
        dealt.perhaps_unread = self.faults.any("shoe", PERHAPS_UNREAD["shoe"], self.dealt_until, dealt.ended_at)
        self.dealt_until = max(first, last)

    def _settled(self, against: AgainstPlaces, seen: Felt, dealt: Dealt) -> None:
        self.report.settled += 1
        bank, dice = seen.bank, seen.dice
        assert bank and dice  # else the deal was not complete
        hands = {place: arrange(*stakes) for place, stakes in sorted(seen.turned.items())}
        result = settle(bank, dice, hands, seen.wagers, seen.rules)
        against.course(self.station, seen, bank, dice, seen.wagers)
        against.settled(seen, hands, bank, result)
        against.pushed(seen, bank, result)
        if result.left_over():
            against.differences.append(f"round {against.number}: the referee's own computation is off")
        self._rearranged(against, seen, hands)
        irregularities(against, seen, dealt, reader=self.reader, void=False)
        corrections(against, seen, void=False)
        for way in result.cut:
            self.report.limited[way] += 1
        previous = self.before.bank
        self.report.bankers += previous is not None and previous.place != bank.place
        self._leave(seen, result)

    def _rearranged(self, against: AgainstPlaces, seen: Felt, hands: dict[int, Hand]) -> None:
        """6.º b): the dealer corrects what must be, and nothing else; of equal pairs any will do."""
        due = {place: (rank(hand.front), rank(hand.rear)) for place, hand in hands.items() if hand.rearranged}
        got = {place: (rank(front), rank(rear)) for place, (front, rear) in seen.corrected_pairs.items()}
        if due != got and seen.ended:
            against.say("ranks of the pairs corrected on the table (6.º b))", due, got)

    def _leave(self, seen: Felt, result: Result) -> None:
        """What the round leaves to the next one."""
        first_of_two = seen.places == FOUR and not self.before.used
        used = [tile.face for tile in seen.dealt] if first_of_two else []
        rest = seen.stack[len(used) :] if first_of_two else []
        if seen.ended and sorted(used) != sorted(seen.used or []):
            self.report.differences.append(
                f"round {self.report.rounds}, on the table: expected the tiles used face up (2.º d)): {used}, "
                f"got {seen.used}"
            )
        self.before = Before(seen.bank, result.own, {wager.place for wager in seen.wagers}, used, rest)

    def _voided(self, against: AgainstPlaces, seen: Felt, dealt: Dealt, article: str) -> None:
        self.report.void += 1
        self.report.void_by[article] += 1
        bank, dice, wagers = entered(seen, against.message)
        against.course(self.station, seen, bank, dice, wagers)
        against.voided(seen, article, bank, wagers)
        against.pushed(seen, bank, None)
        irregularities(against, seen, dealt, reader=self.reader, void=True)
        corrections(against, seen, void=True)
        self.before.used, self.before.rest = [], []

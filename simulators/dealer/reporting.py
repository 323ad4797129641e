"""The dealer's reports to the station without a prompt: irregularities, wrong entries, acknowledged alarms."""

from collections.abc import Callable
from dataclasses import dataclass, field

from simulators.dealer import hands
from simulators.dealer.hands import KEY_IN_SECONDS
from simulators.dealer.http_face import Input, Projection
from simulators.dealer.memory import AnyWorkplace, RoundMemory, is_void
from simulators.dealer.station_desk import ACCEPTED

NOTICED_AT = {
    "deal": 1,
    "count": 1,
    "decisions": 2,
    "ask": 2,
    "arrange": 2,
    "reveal": 3,
    "confirm": 4,
}  # in the order a round comes to them
BROKEN_DEAL = ("misdealt", "shuffler_failed")

Moment = Callable[[Projection], bool]


@dataclass(slots=True)
class _Report:
    """A report not yet made: not before its moment, which depends on what the station has received."""

    item: Input
    moment: Moment
    accepted: Callable[[], None]
    refused: Callable[[], None]


@dataclass(slots=True)
class _Correction:
    """A slip not yet corrected, with seat and place as on the felt: noticed at a step of this number or a later one."""

    item: Input
    noticed_at: int
    accepted: Callable[[], None]


def _nothing() -> None:
    """Does nothing."""


@dataclass(slots=True)
class Reporting:
    """Makes each report and each correction once. A refused one is reported, and the round continues by the screen."""

    workplace: AnyWorkplace
    memory: RoundMemory
    _reports: list[_Report] = field(default_factory=list)
    _corrections: list[_Correction] = field(default_factory=list)

    @property
    def waiting(self) -> bool:
        """Whether a report is due: no card is placed before it is made."""
        return bool(self._reports)

    def report(
        self,
        item: Input,
        moment: Moment = lambda view: True,
        accepted: Callable[[], None] = _nothing,
        refused: Callable[[], None] = _nothing,
    ) -> None:
        """Report this as soon as its moment has come."""
        self._reports.append(_Report(item, moment, accepted, refused))

    def correct(self, item: Input, moments: tuple[str, ...], accepted: Callable[[], None] = _nothing) -> None:
        """Corrects this at one of these steps, or as soon after it as the round allows."""
        noticed_at = NOTICED_AT[self.workplace.chance.choice(moments)]
        self._corrections.append(_Correction({**item, "reason": "keyed in wrongly"}, noticed_at, accepted))

    def hurry(self, kind: str, seat: int) -> bool:
        """This correction cannot wait any longer; False when there is none."""
        for correction in self._corrections:
            if correction.item["kind"] == kind and correction.item["seat"] == seat:
                correction.noticed_at = 0
                return True
        return False

    @property
    def corrections_due(self) -> bool:
        """Whether a wrong entry is not corrected yet."""
        return bool(self._corrections)

    def hurry_seat(self, seat: int) -> bool:
        """What was keyed in wrongly for this seat cannot wait any longer; False when there is nothing."""
        here = [correction for correction in self._corrections if self.memory.seat(correction.item["seat"]) == seat]
        for correction in here:
            correction.noticed_at = 0
        return bool(here)

    async def send(self, view: Projection) -> bool:
        """Make one report or correction that is due."""
        return await self._send_report(view) or await self._send_correction(view)

    async def _send_report(self, view: Projection) -> bool:
        if not self._reports:
            return False
        report = self._reports[0]
        if view.get("round") is None or is_void(view):
            self._reports.clear()
            return True
        if not report.moment(view):
            return False
        item = dict(report.item)
        if item["kind"] in BROKEN_DEAL and view["round"].get("result_open") and self.workplace.desk.supervisor:
            # A card that decides is open: a supervisor is called, who says why.
            item |= {"actor": self.workplace.desk.supervisor, "reason": "seen by the supervisor"}
        status = await self.workplace.desk.mention(view, item)
        self._reports.remove(report)
        (report.accepted if status == 200 else report.refused)()
        return True

    async def _send_correction(self, view: Projection) -> bool:
        at = NOTICED_AT.get(view["step"]["kind"])
        if at is None or is_void(view):
            return False
        for correction in self._corrections:
            if correction.noticed_at <= at:
                await self.workplace.pace.person(KEY_IN_SECONDS)
                status = await self.workplace.desk.mention(view, self._as_keyed(correction.item))
                self._corrections.remove(correction)
                if status == 200:
                    correction.accepted()
                return True
        return False

    def _as_keyed(self, item: Input) -> Input:
        """The correction with seat and place as the station knows them now."""
        named = dict(item)
        if item["kind"] != "correct_seat" and "seat" in item:
            named["seat"] = self.memory.keyed(item["seat"])
        if "to" in item:
            named["to"] = self.memory.named(item["to"])
        return named


class Approving:
    """Calls the supervisor for entries after the result was open, who approves them together with the dealer."""

    def __init__(self, workplace: AnyWorkplace) -> None:
        self._at = workplace
        self.calls = 0

    async def look_after(self, view: Projection) -> bool:
        """Approve all that waits, or reject what cannot be approved; False when nothing waits."""
        desk = self._at.desk
        waiting = (view.get("round") or {}).get("changes_waiting") or []
        if not waiting or not desk.supervisor:
            return False
        await self._at.pace.person(hands.COUNT_SECONDS)
        self.calls += 1
        seen = {"actor": desk.supervisor, "reason": "seen by the supervisor"}
        good = [change["change"] for change in waiting if change["why_not"] is None]
        two = any(change["two_persons"] for change in waiting)
        approval = {"kind": "approve_changes", "changes": good, "second": desk.dealer if two else "", **seen}
        if not good or await desk.mention(view, approval) != ACCEPTED:
            every = [change["change"] for change in waiting]
            await desk.mention(view, {"kind": "reject_changes", "changes": every, **seen})
        return True


class Acknowledging:
    """Acknowledges each alarm that is over once, between two rounds; an active one is left to the person who repairs
    it.
    """

    def __init__(self, workplace: AnyWorkplace) -> None:
        self._at = workplace
        self._step = ""
        self._acknowledged: set[tuple[str, str]] = set()  # name and beginning, at this step

    async def look_after(self, view: Projection) -> bool:
        """Acknowledge the first alarm that is over; False if there is none."""
        if view["step"]["id"] != self._step:
            self._step, self._acknowledged = view["step"]["id"], set()
        for alarm in view.get("alarms", ()):
            named = (alarm["name"], alarm.get("since", ""))
            if not alarm["over"] or named in self._acknowledged:
                continue
            self._acknowledged.add(named)
            await self._at.pace.person(hands.ACKNOWLEDGE_SECONDS)
            seen = {"kind": "acknowledge", "alarm": alarm["name"], "since": alarm["since"]}
            await self._at.desk.mention(view, seen)
            return True
        return False


class Complaints:
    """Records a requested complaint at the end of the round; the supervisor decides open ones."""

    def __init__(self, workplace: AnyWorkplace) -> None:
        self._at = workplace
        self._tried: set[int] = set()  # each is decided once; a refusal is reported

    async def look_after(self, view: Projection) -> bool:
        """Closes a complaint or records one; False if there is nothing to do, or a person has taken over."""
        desk, round, kind = self._at.desk, view.get("round"), view["step"]["kind"]
        if not desk.supervisor:
            return False
        if (
            not desk.person.on
            and round
            and kind in ("confirm", "claims")
            and (seat := self._at.mistakes.take("complaint")) is not None
        ):
            await self._at.pace.person(KEY_IN_SECONDS)
            seats = [int(key) for key in round.get("wagers") or {}] or [1]
            about = {"round": round["id"], "seat": int(seat or self._at.chance.choice(seats)), "what": "the count"}
            self._at.table.camera.saw("complaint", seat=about["seat"])
            await desk.mention(view, {"kind": "complaint", **about})
            return True
        for complaint in view.get("complaints", ()):
            number = complaint["complaint"]
            if number not in self._tried and kind in ("claims", "begin", "extract"):
                decision = {
                    "kind": "decide_complaint",
                    "complaint": number,
                    "outcome": "unchanged",
                    "reason": "counted again",
                    "actor": desk.supervisor,
                }
                if desk.person.on:
                    await desk.mention(view, decision)
                    continue
                self._tried.add(number)
                await self._at.pace.person(hands.COUNT_SECONDS)
                await desk.mention(view, decision)
                return True
        return False


def soon(at: AnyWorkplace, moment: Moment) -> Moment:
    """At this moment, or when the dealer has waited long enough for it."""
    patience = hands.DealerPatience(at.desk.looked_at)
    wait = at.patience(hands.UNREPORTED_SECONDS, hands.UNREPORTED_AT_MAX_SECONDS)
    return lambda view: moment(view) or patience.lost("the station receives it", wait)

"""Acknowledging alarms: between two rounds the dealer takes note of what is over."""

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import AnyWorkplace


class Acknowledging:
    """Each alarm that is over is acknowledged once between two rounds; one that stands is left to whoever mends it."""

    def __init__(self, workplace: AnyWorkplace) -> None:
        self._at = workplace
        self._step = ""
        self._said: set[tuple[str, str]] = set()  # name and beginning, at this step

    async def look_after(self, view: Projection) -> bool:
        """Acknowledge the first alarm that is over; False when there is none left to be told of."""
        if view["step"]["id"] != self._step:
            self._step, self._said = view["step"]["id"], set()
        for alarm in view.get("alarms", ()):
            named = (alarm["name"], alarm.get("since", ""))
            if not alarm["over"] or named in self._said:
                continue
            self._said.add(named)
            await self._at.pace.person(hands.ACKNOWLEDGE_SECONDS)
            seen = {"kind": "acknowledge", "alarm": alarm["name"], "since": alarm["since"], "step_id": "table"}
            await self._at.desk.mention(view, seen)
            return True
        return False

"""The dealer's side of the screen: inputs with ids and actors, refusals reported; gives up a table that does not
continue.
"""

import asyncio
import sys
import uuid
from collections.abc import Callable
from typing import Any

from simulators.dealer.entered import has_moved_on, is_beside, is_entered
from simulators.dealer.http_face import Input, Projection, StationAnswer, StationFace
from simulators.dealer.take_over import TakeOver

NO_PROGRESS_SECONDS = 30.0  # refused and still at the same step: the bench gives up
WAITING_SECONDS = 60.0  # nothing refused, nothing happens: say so once
AFTER_REFUSAL_SECONDS = 0.5
STALE_VIEW_SECONDS = 1.0
ACCEPTED, LEFT_OUT = 200, 0  # statuses of what a person was to enter


class NoProgress(Exception):
    """The station and the robot dealer cannot continue together; the text says at which prompt."""


class StationDesk:
    """Posts for the dealer and watches whether the prompt moves; `people` maps a role to a name.

    Taken over, it posts nothing, and waits until a person has entered it.
    """

    def __init__(self, face: StationFace, people: dict[str, str], changed: Callable[[float], Any]) -> None:
        self.face = face
        self.dealer = people["dealer"]
        self.supervisor = people.get("supervisor", "")
        self._changed = changed
        self._name = uuid.uuid4().hex[:12]
        self._count = 0
        self._step_id: str | None = None
        self._step_since = 0.0
        self._refused_since: float | None = None
        self._reported_waiting = False
        self._reported = ""
        self._journal: str | None = None
        self._as_of = 0
        self.refused: dict[str, Any] = {}  # why the last post was refused
        self.person = TakeOver()

    def view(self) -> Projection | None:
        """The projection to act on; None while the station is offline or has not caught up with its accepted inputs.
        Raises NoProgress if it is another journal.
        """
        view = self.face.view
        if view is None or not self.face.connected:
            return None
        self._journal = self._journal or view.get("journal")
        if view.get("journal") != self._journal:
            raise NoProgress("the station came back with another journal")
        return view if view["as_of"] >= self._as_of else None

    async def look(self) -> None:
        """Asks for the present screen, instead of the one received last."""
        await self.face.look()

    def looked_at(self) -> float:
        """When the last look began, by the loop's clock."""
        return self.face.looked_at

    async def say(self, view: Projection, items: list[Input]) -> bool:
        """Post inputs at the step of `view`; True when accepted and the projection has caught up with them.

        A person has entered them when the screen shows them, or waits for something else.
        """
        if self.person.on:
            if self._put_beside(view, items):
                return False
            entered = await self._person_enters(view, items)
            now = self.view()
            if entered or (now is not None and has_moved_on(view, now)):
                return True
            if entered is False:
                return False
            items = [item for item in items if now is None or not is_entered(item, view, now)]
        answer = await self._post(view, items)
        loop = asyncio.get_running_loop()
        if not answer.accepted:
            if self._refused_since is None:
                self._refused_since = loop.time()
            await self._until_other_view(view, loop.time() + AFTER_REFUSAL_SECONDS, 0)
            return False
        await self._until_other_view(view, loop.time() + STALE_VIEW_SECONDS, answer.as_of)
        return True

    async def mention(self, view: Projection, item: Input) -> int:
        """Posts something without which the round can continue; returns the status. A refusal is only reported."""
        if self.person.on:
            if self._put_beside(view, [item]):
                return LEFT_OUT
            entered = await self._person_enters(view, [item], optional=True)
            if entered is not None:
                return ACCEPTED if entered else LEFT_OUT
        answer = await self._post(view, [item])
        if answer.accepted:
            await self._until_other_view(view, asyncio.get_running_loop().time() + STALE_VIEW_SECONDS, answer.as_of)
        return answer.status

    async def _person_enters(self, view: Projection, items: list[Input], optional: bool = False) -> bool | None:
        self._refused_since = None
        inputs = [self._named(view, item) for item in items]
        return await self.person.person_enters(self.view, self._changed, view, inputs, optional)

    def _put_beside(self, view: Projection, items: list[Input]) -> bool:
        """Whether play continues without these, although they were shown to be wanted."""
        if not all(is_beside(item) for item in items):
            return False
        for item in items:
            self.person.put_beside(view, self._named(view, item))
        return True

    async def _post(self, view: Projection, items: list[Input]) -> StationAnswer:
        answer = await self.face.post([self._input(view, item) for item in items])
        if answer.accepted:
            self._as_of = max(self._as_of, answer.as_of)
            return answer
        self.refused = answer.body
        text = f"refused ({answer.status}) at {prompt_of(view)}: {answer.body}"
        if text != self._reported:
            self._reported = text
            print(text, file=sys.stderr, flush=True)
        return answer

    def watch(self, view: Projection | None, busy: bool) -> None:
        """Raises NoProgress if a refusal has kept the step for too long; `busy` says that work continues."""
        now = asyncio.get_running_loop().time()
        step_id = view["step"]["id"] if view else None
        if view is None or busy or step_id != self._step_id:
            if step_id != self._step_id:
                self._refused_since = None
            self._step_id, self._step_since, self._reported_waiting = step_id, now, False
            if self._refused_since is not None:
                self._refused_since = now
            return
        if self._refused_since is not None and now - self._refused_since > NO_PROGRESS_SECONDS:
            raise NoProgress(f"no progress for {NO_PROGRESS_SECONDS:.0f} s at {prompt_of(view)}")
        if now - self._step_since > WAITING_SECONDS and not self._reported_waiting:
            self._reported_waiting = True
            print(f"waiting for {WAITING_SECONDS:.0f} s at {prompt_of(view)}", file=sys.stderr, flush=True)

    def _input(self, view: Projection, item: Input) -> Input:
        self._count += 1
        return {"input_id": f"{self._name}-{self._count}", **self._named(view, item)}

    def _named(self, view: Projection, item: Input) -> Input:
        other = view["answers"].get(item["kind"])
        step_id = other.format(**item) if other else view["step"]["id"]
        return {"step_id": step_id, "actor": self.dealer, **item}

    async def _until_other_view(self, old: Projection, deadline: float, as_of: int) -> None:
        """Waits for a projection other than the last one used, with at least the sequence `as_of`."""
        loop = asyncio.get_running_loop()
        while (left := deadline - loop.time()) > 0:
            view = self.view()
            if view is not None and view["version"] != old["version"] and view["as_of"] >= as_of:
                return
            if view is None:
                deadline = loop.time() + STALE_VIEW_SECONDS
            await self._changed(left)


def prompt_of(view: Projection) -> str:
    """The step and its prompt in words."""
    step = view["step"]
    return f"step {step['id']}: {step.get('prompt', {}).get('en', step['kind'])}"

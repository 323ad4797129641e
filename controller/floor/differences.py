"""What changed in `state`, as JSON merge patches (RFC 7396) over the message before. No I/O here.

A merge patch cannot set a member to null, which deletes it. `state` has no member for which null and absence differ, so
followers first merge a message into an empty object. This removes the nulls, and an absent member means null.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any

import msgspec

TOPIC = "state/differences"


class Differences:
    """Makes a patch from each `state` to the next of the same session; the first of a session has none."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._message = b""
        self._state: dict[str, Any] = {}
        self._due: deque[bytes] = deque()

    def follow(self, message: bytes) -> None:
        """The `state` is this now."""
        if message == self._message:
            return
        state = msgspec.json.decode(message)
        if _session(state) == _session(self._state):
            self._due.append(msgspec.json.encode(difference(self._state, state)))
        else:
            self._due.clear()
        self._message, self._state = message, state

    def due(self) -> Iterator[tuple[str, bytes]]:
        """The topic and each patch that was not sent yet, in order."""
        while self._due:
            yield self._topic, self._due.popleft()


def _session(state: dict[str, Any]) -> str:
    """The part of the id that all states of a session have in common."""
    return str(state.get("id", "")).rpartition("/")[0]


def difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The merge patch that makes one object another; members that are null count as absent.

    >>> difference({"a": 1, "b": {"c": 2, "d": [3]}, "e": 4}, {"a": 1, "b": {"c": 2, "d": [3, 4]}, "e": None})
    {'e': None, 'b': {'d': [3, 4]}}
    """
    patch: dict[str, Any] = {key: None for key in before if before[key] is not None and after.get(key) is None}
    for key, member in after.items():
        earlier = before.get(key)
        if isinstance(member, dict) and isinstance(earlier, dict):
            if inner := difference(earlier, member):
                patch[key] = inner
        elif isinstance(member, dict):
            patch[key] = difference({}, member)
        elif member is not None and member != earlier:
            patch[key] = member
    return patch

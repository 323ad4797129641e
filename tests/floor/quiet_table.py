"""A table that has nothing to say to its floor's client, and takes no notice of what that reports."""

import json
from collections.abc import Iterable, Sequence

from controller.floor.outbox import UnsentMessage
from controller.rulebook.parts.faults import LossCause


def quiet_status(session: int, online: bool) -> bytes:
    """The status of a quiet table in this session."""
    return json.dumps({"source": "/dealer/site/t1/quiet", "session": session, "data": {"online": online}}).encode()


class QuietTable:
    """What a test is about, it overrides."""

    session = 0

    def begin_session(self) -> None:
        self.session += 1

    def status(self, online: bool) -> tuple[str, bytes]:
        return "dealer/status", quiet_status(self.session, online)

    def retained(self) -> dict[str, bytes]:
        return {}

    def differences(self) -> Iterable[tuple[str, bytes]]:
        return ()

    def due(self) -> Iterable[tuple[str, bytes]]:
        return ()

    def on_hold(self) -> bool:
        return False

    def overtakes(self, payload: bytes) -> bool:
        return False

    def on_link(self, reason: str | None, outage_seconds: float, tries: int, cause: LossCause) -> None: ...

    def on_acknowledged(self, sequence: int) -> None: ...

    def on_undelivered(self, row: UnsentMessage) -> None: ...

    def on_untaken(self, row: UnsentMessage, reason: str) -> None: ...

    def on_refused(self, reasons: Sequence[str]) -> None: ...

    def on_forged(self, topic: str) -> None: ...

    def on_overflow(self, topic: str) -> None: ...

    def on_other(self, source: str) -> None: ...

    def on_contested(self) -> None: ...

    def on_received(self, topic: str, payload: bytes, retained: bool) -> None: ...

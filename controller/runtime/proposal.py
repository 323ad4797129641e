"""The set-up from the console: the plugged-in devices, and a proposed configuration, which only root applies."""

import asyncio
from collections.abc import Callable
from typing import Any

import structlog

from controller.config.document import BadConfiguration
from controller.config.file import Config, parse_draft
from controller.config.section import Mistake
from controller.runtime.workbench import Workbench
from controller.system.files import write_whole

PROPOSED = "station.toml.proposed"  # beside the journal: the service may write nowhere else

log = structlog.get_logger()


class Proposing:
    """`look` returns the plugged-in devices as JSON; it blocks. `workbench` has the wires."""

    def __init__(self, config: Config, look: Callable[[], Any], workbench: Workbench) -> None:
        self._config = config
        self._look = look
        self.wires = workbench
        self._file = config.journal.parent / PROPOSED
        self._one_at_a_time = asyncio.Lock()  # one child

    async def shown(self) -> dict[str, Any]:
        """The configuration on the disk, whether another is proposed, and the devices that are plugged in."""
        return {
            "configuration": self._config.path.read_text(encoding="utf-8"),
            "path": str(self._config.path),
            "proposed": self._file.exists(),
            "plugged": await asyncio.to_thread(self._look),
        }

    async def proposed(self, text: str, by: str | None) -> list[dict[str, str]]:
        """The mistakes of another configuration; without mistakes it is stored as proposed by `by`."""
        octets = text.encode(errors="surrogatepass")  # a lone half is refused as no UTF-8
        async with self._one_at_a_time:
            mistakes = await asyncio.to_thread(self._mistakes, octets)
        if not mistakes and by is not None:
            await asyncio.to_thread(write_whole, self._file, octets)
            log.info("configuration proposed", by=by, file=str(self._file))
        return [mistake._asdict() for mistake in mistakes]

    def _mistakes(self, octets: bytes) -> list[Mistake]:
        try:
            parse_draft(self._config.path, octets)
        except BadConfiguration as bad:
            return bad.mistakes
        except OSError as error:
            log.error("no child reads a draft of the configuration", error=str(error))
            return [Mistake("(file)", "text", f"a process that reads it; {error}. Try again")]
        return []

"""The page's figure of what the archive does not have yet."""

import asyncio
import json

import msgspec
import pytest

from controller.pit import backlog as backlog_module
from controller.pit.backlog import Backlog
from controller.pit.live import Live
from controller.system.tasks import ended
from tests.pit.broadcasting import JOURNAL, message, retained
from tests.pit.conftest import opened


def state(as_of: int) -> bytes:
    content = json.loads(retained("state"))
    content["source"] = f"/dealer/{JOURNAL.site}/{JOURNAL.table}/{JOURNAL.name}"
    content["data"]["as_of"] = as_of
    return json.dumps(content).encode()


async def test_the_page_shows_how_many_messages_of_a_table_the_archive_does_not_have(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlog_module, "LOOK_SECONDS", 0.02)
    topic, backlog = f"dealer/{JOURNAL.site}/{JOURNAL.table}/state", Backlog(database)
    live = Live(backlog=backlog)

    async def shown(behind: int | None) -> None:
        picture = b""
        while True:
            picture = await live.changed(picture)
            found = [table["behind"] for table in msgspec.json.decode(picture)["tables"]]
            if found == [behind]:
                return

    running = asyncio.create_task(backlog.run())
    live.receive(topic, state(7))
    await shown(None)  # there is no archive
    archive = await opened(database)
    await shown(7)
    await archive.store([*map(message, range(1, 6))])
    await shown(2)
    live.receive(topic, state(40))
    await shown(35)
    await archive.store([*map(message, range(6, 41))])
    await shown(0)
    await archive.close()
    live.receive(topic, b"")
    while backlog.behind:  # noqa: ASYNC110 the database is another process
        await asyncio.sleep(0.01)
    await ended(running)

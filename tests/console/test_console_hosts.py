"""Whose page may speak to a screen: only one that names the screen's own address."""

import pytest
from starlette.testclient import TestClient

from controller.console.app import make_app
from controller.engine.inputs import FromPerson


class Face:
    """A station that always shows the same."""

    def projection(self) -> bytes:
        return b"{}"

    def setting(self) -> bytes:
        return b'{"mode": "simulation"}'

    async def rounds(self, last: int, before: int | None) -> bytes:
        return b"{}"

    async def changed(self, since: bytes) -> bytes:
        return since

    async def answer(self, inputs: list[FromPerson]) -> tuple[int, bytes]:
        return 200, b"{}"

    async def slip(self, number: int) -> tuple[int, bytes]:
        return 404, b"{}"

    async def alarms(self, last: int) -> tuple[int, bytes]:
        return 200, b"{}"

    def metrics(self) -> bytes:
        return b""


@pytest.mark.parametrize(
    ("listens", "asked", "status"),
    [
        ("127.0.0.1", "127.0.0.1:8080", 200),
        ("127.0.0.1", "localhost:8080", 200),
        ("::1", "[::1]:8080", 200),
        ("127.0.0.1", "evil.example:8080", 400),
        ("::1", "[::2]:8080", 400),
        ("::1", "evil.example", 400),
    ],
)
def test_a_page_under_another_name_is_not_this_tables_screen(listens: str, asked: str, status: int) -> None:
    client = TestClient(make_app(Face(), listens, None))
    assert client.get("/table", headers={"host": asked}).status_code == status

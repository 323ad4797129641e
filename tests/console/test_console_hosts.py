"""Whose page may speak to a screen: only one that names the screen's own address."""

import pytest
from starlette.testclient import TestClient

from controller.console.app import make_app
from tests.console.test_console_page import Face


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
    face = Face()
    client = TestClient(make_app(face, face.answer, listens, None))
    assert client.get("/table", headers={"host": asked}).status_code == status

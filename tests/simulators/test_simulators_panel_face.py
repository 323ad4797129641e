"""The panel's HTTP face: who is received, what is refused, and that it is not there unless asked for."""

import json
from pathlib import Path
from typing import Any

import pytest

from simulators.http_stream import asked
from simulators.station_toml import TOML, read_setting
from tests.simulators.table_in_memory import bench, in_memory

TYPE = {"content-type": "application/json"}
PAUSE = {"paused": True}


async def ask(
    port: int, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None, host: str = ""
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body."""
    content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    if host:
        headers = {"Host": host, **(headers or {})}
    async with asked(("127.0.0.1", port), method, path, headers, content) as (answer, panel):
        fields = {name.decode(): value.decode() for name, value in answer.headers}
        return answer.status_code, fields, await panel.whole()


async def refused(port: int, *request: Any, **more: Any) -> tuple[int, str]:
    """Status, and what was expected instead."""
    status, _, body = await ask(port, *request, **more)
    return status, json.loads(body)["error"]


@in_memory
async def test_whose_input_is_taken_and_what_is_refused(tmp_path: Path) -> None:
    async with bench(tmp_path, "--panel --speed 20"):
        port = read_setting(tmp_path / TOML).panel
        assert port is not None
        scripts = [(f"/{name}.js", "text/javascript") for name in ("panel", "bench", "tour", "sign", "wanted", "words")]
        words = [(f"/words/{code}.json", "application/json") for code in ("en", "pt", "zh")]
        for path, kind in (("/", "text/html"), *scripts, *words):
            status, headers, body = await ask(port, "GET", path)
            assert status == 200 and headers["content-type"].startswith(kind) and body
            assert "default-src 'none'" in headers["content-security-policy"]
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert "access-control-allow-origin" not in headers
        assert b"SIMULATION" in (await ask(port, "GET", "/"))[2]
        status, headers, _ = await ask(port, "GET", "/hint.html")
        framed = "frame-ancestors http://127.0.0.1:* http://localhost:*"
        assert status == 200 and framed in headers["content-security-policy"]

        foreign = [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}]
        for origin in foreign:
            assert (await refused(port, "POST", "/robot", PAUSE, TYPE | origin))[0] == 403
            assert (await refused(port, "GET", "/furnishing", None, origin))[0] == 403
        followed = {"sec-fetch-site": "same-site", "sec-fetch-mode": "navigate"}
        assert (await ask(port, "GET", "/", None, followed))[0] == 200
        assert (await refused(port, "GET", "/", host="evil.example"))[0] == 421

        assert await refused(port, "POST", "/robot", PAUSE) == (415, "content-type: application/json expected")
        bad: list[tuple[Any, int]] = [(b"[]", 400), (b"{", 400), (b"[" * 4000, 400), ({"pause": True}, 400)]
        for wrong, status in [*bad, (b"x" * 5000, 413)]:
            assert (await refused(port, "POST", "/robot", wrong, TYPE))[0] == status
        assert (await refused(port, "POST", "/robot", None, TYPE))[0] == 411
        assert (await refused(port, "GET", "/robot"))[0] == (await refused(port, "POST", "/", {}, TYPE))[0] == 405
        assert (await refused(port, "GET", "/../face.py"))[0] == 404
        assert (await refused(port, "GET", "/" + "x" * 20_000))[0] == 431

        wishes = {
            "/robot": ({"paused": 1}, "true or false"),
            "/actor": ({"actor": "zoe"}, "robot or you"),
            "/leave-out": ({"number": True}, "a number"),
            "/lock-in": ({"pressed": 1}, "true expected"),
            "/speed": ({"speed": "-1"}, "human, device, max or a positive number"),
            "/chip": ({"seat": 3}, "from the wagers on"),
            "/fault": ({"fault": "shoe:nix"}, "'nix' is no kind of shoe"),
            "/hit": ({"wanted": 1}, "true expected"),
            "/preset": ({"preset": "nix"}, "bad_evening"),
        }
        for path, (wish, expected) in wishes.items():
            status, reason = await refused(port, "POST", path, wish, TYPE)
            assert status == 422 and expected in reason
        cannot = {
            "/leave-out": ({"number": 7}, "not_left_out"),
            "/lock-in": ({"pressed": True}, "no_button"),
            "/chip": ({"seat": 3}, "no_chip"),
            "/fault": ({"fault": "shoe:mute=off"}, "no_fault"),
        }
        for path, (wish, key) in cannot.items():
            status, _, answer = await ask(port, "POST", path, wish, TYPE)
            assert status == 422 and json.loads(answer)["refusal"] == key
        own = {"origin": f"http://127.0.0.1:{port}"}
        assert (await ask(port, "POST", "/speed", {"speed": "device"}, TYPE | own))[0] == 200
        assert (await ask(port, "POST", "/fault", {"fault": "shoe:mute@for=60"}, TYPE))[0] == 200
        now = await first_of_stream(port)
        assert now["speed"] == "device" and now["lasting"] == ["shoe:mute"] and not now["paused"]
        assert now["prompt"] is None, "no station answers"
        assert now["actor"] == "robot" and now["wanted"] == []


async def first_of_stream(port: int) -> dict[str, Any]:
    async with asked(("127.0.0.1", port), "GET", "/stream", {"Host": f"localhost:{port}"}) as (_, panel):
        shown: dict[str, Any] = json.loads((await anext(panel.body())).removeprefix(b"data: "))
    return shown


@pytest.mark.parametrize(("game", "devices", "slots", "sign", "places"), [
    ("fortune-8", ["shuffler", "shoe", "deck", "dealer"], [], None, ["discard"]),
    ("taiwan-pai-kao", ["shoe", "sign", "deck", "dealer"], [], {"width": 120, "height": 7}, ["discard"]),
])  # fmt: skip
@in_memory
async def test_what_a_game_has_not_is_not_offered(
    tmp_path: Path, game: str, devices: list[str], slots: list[int], sign: dict[str, int] | None, places: list[str]
) -> None:
    async with bench(tmp_path, f"--panel --game {game}"):
        port = read_setting(tmp_path / TOML).panel
        assert port is not None
        has = json.loads((await ask(port, "GET", "/furnishing"))[2])
        assert has["game"] == game and has["slots"] == slots and has["sign"] == sign
        assert has["card_places"] == places
        assert list(dict.fromkeys(fault["device"] for fault in has["faults"])) == devices


@in_memory
async def test_without_being_asked_for_it_is_not_there(tmp_path: Path) -> None:
    async with bench(tmp_path, ""):
        assert read_setting(tmp_path / TOML).panel is None
        assert "[simulation]" not in (tmp_path / TOML).read_text()

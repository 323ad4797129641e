"""The robot dealer's PINs: it logs in as it is asked to, and signs an act of two persons with those asked for."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from simulators.dealer.http_face import StationAnswer, StationFace

PINS = {"ana": "274951", "josé": "862043"}
HIT = [{"input_id": "1", "kind": "confirm_hit", "actor": "ana"}]
Fields = dict[str, str]


class Station:
    """Answers each request with the next of these, and keeps what was asked."""

    def __init__(self, *answers: tuple[int, dict[str, Any]]) -> None:
        self._answers = iter(answers)
        self.asked: list[tuple[str, Fields, Any]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        body = json.loads(await reader.readexactly(int(fields["content-length"])))
        self.asked.append((head[0].split()[1], fields, body))
        status, answer = next(self._answers)
        text = json.dumps(answer).encode()
        cookie = "set-cookie: c=1; HttpOnly\r\n" if "key" in answer else ""
        writer.write(
            f"HTTP/1.1 {status} x\r\n{cookie}connection: close\r\ncontent-length: {len(text)}\r\n\r\n".encode() + text
        )
        writer.close()


def posted(station: Station, pins: Callable[[], dict[str, str]] | None = lambda: PINS) -> StationAnswer:
    """What a post of the robot's comes to there."""

    async def post() -> StationAnswer:
        async with await asyncio.start_server(station.serve, "127.0.0.1", 0) as server:
            face = StationFace("127.0.0.1", server.sockets[0].getsockname()[1], lambda: None, pins)
            answer = await face.post(HIT)
            face.close()
            return answer

    return asyncio.run(post())


LET_IN: tuple[int, dict[str, Any]] = (200, {"persons": [], "key": "k", "screen": "s.t"})
TAKEN: tuple[int, dict[str, Any]] = (200, {"answers": []})


def wanted(error: str, who: str, status: int = 403) -> tuple[int, dict[str, Any]]:
    return status, {"error": error, "who": who}


def test_it_logs_in_and_signs_with_the_pins_it_is_asked_for() -> None:
    station = Station(wanted("log_in", "ana", 401), LET_IN, wanted("pin", "ana"), wanted("pin", "josé"), TAKEN)
    assert posted(station).accepted
    assert [path for path, _, _ in station.asked] == ["/inputs", "/session", "/inputs", "/inputs", "/inputs"]
    given = [fields.get("dealer-station-pin") for _, fields, _ in station.asked]
    assert given == [None, None, None, "ana=274951", "ana=274951,jos%C3%A9=862043"]
    for path, fields, body in station.asked[2:]:
        shown = [fields.get(name) for name in ("cookie", "dealer-station-key", "dealer-station-screen")]
        assert (path, shown, body) == ("/inputs", ["c=1", "k", "s.t"], HIT)


def test_what_is_asked_again_or_of_a_person_it_has_no_pin_of_is_its_answer() -> None:
    again = Station(wanted("pin", "ana"), wanted("pin", "ana"))
    assert posted(again).body == {"error": "pin", "who": "ana"} and len(again.asked) == 2
    assert "has no PIN" in posted(Station(wanted("pin", "rui"))).body["reason"]
    assert posted(Station(wanted("pin", "ana")), None).body["error"] == "pin"
    assert posted(Station(wanted("pin", "ana"), wanted("wrong_pin", "ana"))).body["error"] == "wrong_pin"

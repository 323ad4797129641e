"""The panel: who is received, what is refused, and its words in every language."""

import json
import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from simulators.dealer.showing import REFUSED
from simulators.faults.syntax import KINDS, PHASES, WIRE_COUNTED, WIRE_LASTING, WIRES, Ends, read_fault
from simulators.http_stream import asked
from simulators.panel.drawn import MOVES
from simulators.panel.face import PAGE, PLAY_PAGE
from simulators.panel.panel import ACTORS, REFUSALS
from simulators.panel.presets import PRESETS
from simulators.setting import DEALS
from simulators.station_toml import TOML, read_setting
from tests.console.test_console_words import SIMPLIFIED
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


CATALOGUES: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((PAGE / "words").iterdir())
}
ENGLISH = CATALOGUES["en"]
SOURCES = [path.read_text(encoding="utf-8") for path in Path("simulators").rglob("*.py")]
PAGES = {path.name: path.read_text(encoding="utf-8") for path in PAGE.iterdir() if path.suffix in (".js", ".html")}
AS_BUTTONS = (
    "open_table", "close_table", "begin_round", "shuffler_replaced", "deck_complete", "lock_in", "confirm",
    "confirm.void", "close_claims", "hold_cards", "tiles_dealt", "arranged", "unreported_card", "announce_form",
)  # fmt: skip
VARIANTS = {
    "give_up": ("yes", "no"), "even_money": ("yes", "no"), "pass_bank": ("absent", "refused"),
    "pass_cut": ("vacant", "declined"), "no_bets": ("spread", "kept"),
}  # fmt: skip


def holes(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def assert_named(*keys: str) -> None:
    assert not [key for key in keys if key not in ENGLISH]


def test_every_key_is_in_every_language_with_the_same_holes() -> None:
    for code, words in CATALOGUES.items():
        assert words.keys() == ENGLISH.keys(), code
        for key, text in words.items():
            assert text.strip() and holes(text) == holes(ENGLISH[key]), f"{code}: {key}"
    assert not set(SIMPLIFIED) & set(json.dumps(CATALOGUES["zh"], ensure_ascii=False))


def test_every_fault_has_a_name_and_a_meaning_and_every_end_and_device_is_named() -> None:
    for kind in KINDS.values():
        wire = kind.device in WIRES and kind.name in (*WIRE_LASTING, *WIRE_COUNTED, "restart")
        where = "wire" if wire else kind.device
        assert_named(f"fault.{where}.{kind.name}", f"means.{where}.{kind.name}", f"device.{kind.device}")
        assert not (wire and f"fault.{kind.device}.{kind.name}" in ENGLISH)
    assert_named(*(f"ends.{end.name.lower()}" for end in Ends), *(f"phase.{phase}" for phase in PHASES))
    assert_named("device.reader", "device.tiles", *(f"refusal.{key}" for key in REFUSALS))
    assert_named(*(f"actor.{actor}" for actor in ACTORS))


def test_every_preset_is_of_faults_and_has_words_and_so_has_every_move_and_stop_of_the_tour() -> None:
    for name, faults in PRESETS.items():
        assert_named(f"preset.{name}", f"preset.{name}.means")
        for later, fault in faults:
            assert later >= 0 and read_fault(fault)
    assert_named(*(f"move.{move}" for move in MOVES))
    stops = re.findall(r'^  \["([a-z_]+:[a-z_]+)"', PAGES["tour.js"], re.MULTILINE)
    assert len(stops) > 10 and {tuple(stop.split(":")) for stop in stops} <= KINDS.keys()
    assert_named(*(f"tour.{stop}" for stop in stops))
    groups = re.search(r"GROUPS = \[(.*)\]", PAGES["stops.js"])
    assert groups is not None
    assert_named(*(f"stops.{group}" for group in re.findall(r'"(\w+)"', groups[1])))


def test_whatever_people_do_wrong_has_words() -> None:
    kinds = {kind for text in SOURCES for kind in re.findall(r'"irregularity",\s+kind="([a-z_]+)"', text)}
    kinds |= {kind for text in SOURCES for kind in re.findall(r'(?:noticed|_film)\("([a-z_]+)"', text)}
    assert {"slip_wager", "exposed", "late_chip", "entered_otherwise", "supervisor_void"} < kinds
    assert_named(*(f"odd.{kind}" for kind in {*kinds, "order", "number"}))


def test_whatever_the_robot_says_can_be_wanted_of_a_person_in_words() -> None:
    dealer = [path.read_text(encoding="utf-8") for path in Path("simulators/dealer").rglob("*.py")]
    kinds = {kind for text in dealer for kind in re.findall(r'"kind": "([a-z_]+)"', text)}
    assert len(kinds) > 45
    assert_named(*(f"wanted.{kind}" for kind in kinds - VARIANTS.keys()))
    assert_named(*(f"wanted.{kind}.{variant}" for kind, variants in VARIANTS.items() for variant in variants))
    assert_named(*(f"deal.{deal}" for deal in (*DEALS, "eight_places", "four_places")))
    hands = ("hit", "stand", "double", "split", "give_up", "even_money", "no", "insure", "follow")
    assert_named(*(f"decision.{name}" for name in (*hands, "play", "fold", REFUSED)))


def test_what_is_to_be_entered_is_called_as_the_button_of_the_dealers_screen() -> None:
    for code, words in CATALOGUES.items():
        console = json.loads(Path(f"controller/words/{code}.json").read_text(encoding="utf-8"))
        dot = "。" if code == "zh" else "."
        for kind in AS_BUTTONS:
            assert words[f"wanted.{kind}"] == console[f"input.{kind.replace('.', '_')}"] + dot, f"{code}: {kind}"
        assert words["wanted.reveal"] == console["input.reveal"].replace("{place}", "{to}") + dot


def test_what_another_player_decides_has_words_on_the_page_of_a_seat() -> None:
    for path in (PLAY_PAGE / "words").iterdir():
        words = json.loads(path.read_text(encoding="utf-8"))
        assert {f"decision.{name}.done" for name in ("play", "fold", REFUSED)} <= words.keys(), path.name


def test_the_page_names_no_key_that_is_missing() -> None:
    for name, text in PAGES.items():
        keys = re.findall(r'\bsay\("([^"]+)"', text) + re.findall(r'data-say="([^"]+)"', text)
        assert not [key for key in keys if key not in ENGLISH], name
        for start in re.findall(r"\bsay\(`([a-z_.]+)\.\$\{", text):
            assert any(key.startswith(f"{start}.") for key in ENGLISH), f"{name}: {start}"

"""What the page is made of: its files, their headers, and who may ask for what."""

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import get_args, get_origin

import msgspec
import pytest
from starlette.testclient import TestClient

from controller.console.answers import STATUSES
from controller.console.app import make_app
from controller.console.files import DISPLAY, IMPORT, PAGE, STYLE, WHEN_WANTED
from controller.console.readings import MOST_ROUNDS
from controller.engine.decisions.deciders import ROWS
from controller.engine.outcomes import JournalUnreadable, NoSlip, NotFound, OutcomeOfAll
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import SlotChip
from controller.rulebook.steps import StepKind
from controller.system.tasks import ProgramStops

HOST = {"host": "127.0.0.1"}
WHOLE = [path for path in sorted(PAGE.rglob("*")) if path.is_file()]
OURS = [path for path in WHOLE if "vendor" not in path.parts]
SOURCES = {
    path: path.read_text(encoding="utf-8")
    for path in (*OURS, *sorted(DISPLAY.iterdir()))
    if path.suffix in (".js", ".html", ".css")
}
STYLES = [path for path in OURS if path.suffix == ".css"]
OF_THE_DISPLAY = sorted(DISPLAY.glob("*.css"))
OF_ITS_SCRIPTS = sorted(DISPLAY.glob("*.js"))


class Face:
    """A station in one mode, whose journal may not be read now."""

    def __init__(self, mode: str = "simulation", unreadable: bool = False) -> None:
        self._mode, self._unreadable = mode, unreadable
        self.inputs: list[PersonInput] = []
        self.outcome: OutcomeOfAll = []
        self.asked: tuple[int, int | None] | None = None
        self.asked_alarms: int | None = None

    def projection(self) -> bytes:
        return b"{}"

    def display(self) -> bytes:
        return b'{"stage": "closed"}'

    def setting(self) -> bytes:
        return msgspec.json.encode({"mode": self._mode, "people": {"ana": "dealer"}, "terms": {"game": "fortune-8"}})

    def strangers(self) -> bytes:
        return b"{}"

    async def changed(self, since: bytes, shown: Callable[[], bytes]) -> bytes:
        if shown == self.display:
            raise ProgramStops
        return since

    async def answer(self, inputs: list[PersonInput]) -> OutcomeOfAll:
        self.inputs += inputs
        return self.outcome

    async def rounds(self, last: int, before: int | None) -> bytes | NotFound:
        self.asked = last, before
        return JournalUnreadable("the disk is away") if self._unreadable else b"{}"

    async def found(self, query: str, on: tuple[int, ...]) -> bytes | NotFound:
        return msgspec.json.encode([query, on])

    async def figures(self, since: str, until: str, dealer: str | None) -> bytes | NotFound:
        return msgspec.json.encode([since, until, dealer])

    async def slip(self, number: int) -> bytes | NotFound:
        return NoSlip(slip=number, last=0)

    async def alarms(self, last: int) -> bytes | NotFound:
        self.asked_alarms = last
        return JournalUnreadable("the disk is away") if self._unreadable else b"{}"

    async def sign_ins(self, last: int) -> bytes | NotFound:
        return msgspec.json.encode({"last": last})

    async def register(self, day: date | None) -> bytes | NotFound:
        return msgspec.json.encode({"day": day})

    def metrics(self) -> bytes:
        return b""


def client(face: Face | None = None) -> TestClient:
    face = face or Face()
    return TestClient(make_app(face, face.answer, "127.0.0.1", None), headers=HOST)


@pytest.mark.parametrize(("mode", "is_simulation"), [("simulation", True), ("live", False)])
def test_the_page_of_a_simulated_table_says_so_before_any_script_has_run(mode: str, is_simulation: bool) -> None:
    text = client(Face(mode)).get("/").text
    assert all((word in text) is is_simulation for word in ("SIMULATION", "SIMULAÇÃO", "模擬"))


def test_every_file_the_page_names_is_served_with_its_type_and_asked_for_again() -> None:
    asking = client()
    types = {".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml"}
    for path in WHOLE:
        if path.suffix not in types:
            continue
        answer = asking.get(f"/page/{path.relative_to(PAGE).as_posix()}")
        assert answer.status_code == 200, path
        assert answer.content == path.read_bytes() or path == PAGE / STYLE, path
        assert answer.headers["content-type"].startswith(types[path.suffix])
        assert answer.headers["cache-control"] == "no-cache"
        again = asking.get(answer.url.path, headers={"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304 and not again.content
    named = re.findall(r'(?:from|import) "(\.[^"]+)"', "".join(SOURCES.values()))
    assert named
    for path, text in SOURCES.items():
        for name in re.findall(r'(?:from|import) "(\.[^"]+)"', text):
            assert (path.parent / name).exists(), f"{path.name} imports {name}"


def test_the_style_sheets_come_joined_in_their_order_with_one_request() -> None:
    assert re.findall(r'rel="stylesheet" href="([^"]+)"', client().get("/").text) == [f"/page/{STYLE}"]
    named = [name.decode() for name in IMPORT.findall((PAGE / STYLE).read_bytes())]
    of_felts = [path for path in STYLES if path.parent == PAGE / "felts"]
    assert sorted([*named, "index.css"]) == sorted(path.name for path in STYLES if path not in of_felts)
    joined = client().get(f"/page/{STYLE}").text
    assert "@import" not in joined
    shared = "".join(SOURCES[PAGE / "style" / name] for name in named)
    assert joined.endswith("\n".join([shared, *(SOURCES[path] for path in of_felts)])) and of_felts


@pytest.mark.parametrize(("mode", "is_simulation"), [("simulation", True), ("live", False)])
def test_the_players_display_is_served_with_a_stream_of_its_own_to_anyone_who_asks(
    mode: str, is_simulation: bool
) -> None:
    asking = client(Face(mode))
    page = asking.get("/display")
    assert page.headers["content-type"].startswith("text/html") and ("SIMULATION" in page.text) is is_simulation
    for name in re.findall(r'(?:href|src)="(/display/[^"]+)"', page.text):
        assert asking.get(name).content == (DISPLAY / name.rpartition("/")[2]).read_bytes()
    stream = asking.get("/display/stream")
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.text == 'data: {"stage": "closed"}\n\n'


def test_the_players_display_has_nothing_to_tap_and_asks_for_no_other_stream() -> None:
    script = "".join(SOURCES[path] for path in OF_ITS_SCRIPTS)
    assert not re.search(r"<(?:button|input|a|select|form|textarea)\b|on[A-Z]\w*=|fetch\(", script)
    assert re.findall(r'\bfollow\("([^"]+)"', script) == ["/display/stream"]
    for name in re.findall(r'from "/page/([^"]+)"', script):
        assert (PAGE / name).exists()


def test_the_players_display_has_no_text_below_four_hundredths_of_the_screen() -> None:
    sizes = re.findall(
        r"(?:font-size|--name|--high|--most): ([^;]+);", "".join(SOURCES[path] for path in OF_THE_DISPLAY)
    )
    fixed = [float(size) for size in re.findall(r"(?<![-\w.(])([\d.]+)vmin(?![^(]*\*)", " ".join(sizes))]
    assert len(fixed) > 15 and min(fixed) >= 4


def test_the_players_display_moves_nothing_when_it_is_drawn_again() -> None:
    style = "".join(SOURCES[path] for path in OF_THE_DISPLAY)
    frames = re.findall(r"@keyframes \w+ \{(.*?)\n\}", style, re.DOTALL)
    moved = {name for text in frames for name in re.findall(r"([a-z-]+):", text)}
    assert frames and moved <= {"transform", "opacity"} and "transition" not in style
    scripts = "".join(SOURCES[path] for path in OF_ITS_SCRIPTS)
    assert set(re.findall(r"\.style\.(\w+)", scripts)) == {"transform", "setProperty", "removeProperty"}
    scaled = set(re.findall(r'(?:set|remove)Property\("([^"]+)', scripts))
    assert scaled == {"--scale"}  # where a text is new, or the window's size


OF_THE_STATION = get_args(SlotChip.__annotations__["state"])


def test_no_rule_is_for_what_the_page_never_draws() -> None:
    drawn = "".join(text for path, text in SOURCES.items() if path.suffix != ".css")
    words = set(re.findall(r"[\w-]+", drawn))
    for path in (*STYLES, *OF_THE_DISPLAY):
        rules = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", SOURCES[path], flags=re.DOTALL)
        rules = re.sub(r'@import "[^"]*";', "", rules)
        dead = {
            name for name in re.findall(r"\.([a-z][\w-]*)", rules) if not (name in words or _draws_part(drawn, name))
        }
        assert not dead, path.name


def _draws_part(drawn: str, name: str) -> bool:
    """Whether a module says how this class begins, where the rest is the station's word or a number."""
    begun = [name[: at + 1] for at, sign in enumerate(name) if sign == "-"] + [name.rstrip("0123456789")]
    return name in OF_THE_STATION or any(f"{start}${{" in drawn for start in begun)


def test_nothing_else_in_the_folder_is_served_and_no_path_leads_out_of_it() -> None:
    asking = client()
    for path in ("/page/vendor/README.md", "/page/../app.py", "/page/%2e%2e/app.py", "/page/"):
        assert asking.get(path).status_code == 404


def test_a_simulated_table_may_frame_its_panel_and_nothing_else() -> None:
    face = Face()
    app = TestClient(make_app(face, face.answer, "127.0.0.1", None, "http://127.0.0.1:8090"), headers=HOST)
    policy = app.get("/").headers["content-security-policy"].split("; ")
    assert "frame-src http://127.0.0.1:8090" in policy and "connect-src 'self'" in policy


@pytest.mark.parametrize(
    "path", ["/", "/table", "/setting", "/rounds", "/page/main.js", "/display", "/display/stream", "/nothing"]
)
def test_every_answer_says_what_a_browser_may_do_with_it(path: str) -> None:
    headers = client().get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy and "frame-src" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] in ("no-store", "no-cache") if path != "/nothing" else True


FOREIGN = [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_page_of_another_origin_is_not_answered(headers: dict[str, str]) -> None:
    asking = client()
    body = {"input_id": "1", "step_id": "1/begin", "actor": "ana", "kind": "begin_round"}
    assert asking.post("/inputs", json=body, headers=headers).status_code == 403
    assert asking.get("/table", headers=headers).status_code == 403
    assert asking.post("/inputs", json=body, headers={"origin": "http://127.0.0.1"}).status_code == 200


def test_a_link_from_elsewhere_may_be_followed_to_the_page() -> None:
    followed = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client().get("/", headers=followed).status_code == 200


@pytest.mark.parametrize("query", ["last=0", "last=101", "last=x", "last=", "before=-1", "before=1e3", "last=１"])
def test_rounds_are_asked_for_in_whole_numbers(query: str) -> None:
    answer = client().get(f"/rounds?{query}")
    assert answer.status_code == 400 and answer.json()["key"] == query.partition("=")[0]


def test_rounds_are_the_last_hundred_unless_fewer_or_earlier_ones_are_asked_for() -> None:
    for query, asked in (("", (MOST_ROUNDS, None)), ("?last=7&before=12", (7, 12))):
        face = Face()
        assert client(face).get(f"/rounds{query}").status_code == 200
        assert face.asked == asked
    assert client(Face(unreadable=True)).get("/rounds").status_code == 503


def test_the_last_hundred_alarms_are_shown_or_as_many_as_are_asked_for() -> None:
    for query, asked in (("", 100), ("?last=7", 7), ("?last=1000", 1000)):
        face = Face()
        answer = client(face).get(f"/alarms{query}")
        assert answer.status_code == 200 and answer.headers["cache-control"] == "no-store"
        assert face.asked_alarms == asked
    for wrong in ("0", "1001", "x", ""):
        answer = client().get("/alarms", params={"last": wrong})
        assert answer.status_code == 400 and answer.json()["key"] == "last"
    assert client(Face(unreadable=True)).get("/alarms").status_code == 503


def test_the_register_is_asked_for_of_a_day_or_of_all() -> None:
    assert client().get("/register").json() == {"day": None}
    assert client().get("/register?day=2026-01-31").json() == {"day": "2026-01-31"}
    for wrong in ("", "yesterday", "2026-02-30"):
        answer = client().get("/register", params={"day": wrong})
        assert answer.status_code == 400 and answer.json()["key"] == "day"


def test_figures_are_asked_for_of_at_most_two_days_and_of_one_dealer_or_all() -> None:
    asked = client().get("/figures?since=2026-01-31T16:00Z&until=2026-01-31T23:59:59.5Z&dealer=ana")
    assert asked.json() == ["2026-01-31T16:00:00.000Z", "2026-01-31T23:59:59.500Z", "ana"]
    day = client().get("/figures?since=2026-01-31T16:00:00Z")
    assert day.json() == ["2026-01-31T16:00:00.000Z", "2026-02-01T16:00:00.000Z", None]
    for query, key in (
        ("", "since"), ("since=2026-01-31", "since"), ("since=2026-02-30T00:00Z", "since"),
        ("since=9999-12-31T00:00Z", "since"), ("since=2026-01-31T16:00Z&until=2026-01-31T16:00Z", "until"),
        ("since=2026-01-31T16:00Z&until=2026-02-03T00:00Z", "until"),
    ):  # fmt: skip
        refused = client().get(f"/figures?{query}")
        assert (refused.status_code, refused.json()["key"]) == (400, key), query


def test_rounds_are_searched_for_from_the_end_or_on_from_where_it_was_left() -> None:
    assert client().get("/rounds/found").json() == ["", []]
    assert client().get("/rounds/found?query=seat:3+not+void&on=57,90").json() == ["seat:3 not void", [57, 90]]
    for wrong in ("", "57,", "x", "-1"):
        answer = client().get("/rounds/found", params={"on": wrong})
        assert answer.status_code == 400 and answer.json()["key"] == "on"


def test_every_outcome_has_a_status() -> None:
    kinds = {get_origin(kind) or kind for kind in (*get_args(OutcomeOfAll), *get_args(NotFound))}
    assert kinds == set(STATUSES)


def test_the_page_asks_no_other_host_and_holds_no_inline_script_or_style() -> None:
    for path, text in SOURCES.items():
        assert not re.findall(r"https?://(?!www\.w3\.org/)", text), path
        assert "innerHTML" not in text and "eval(" not in text, path
    index = SOURCES[PAGE / "index.html"]
    assert re.findall(r"<script[^>]*>(.*?)</script>", index) == [""]
    assert "style=" not in index and "<style" not in index


def test_the_index_names_every_module_of_its_game_before_the_first_is_run() -> None:
    head, _, _ = client().get("/").text.partition("<script")
    preloaded = re.findall(r'<link rel="modulepreload" href="/page/([^"]+)">', head)
    modules = [path.relative_to(PAGE).as_posix() for path in WHOLE if path.suffix == ".js"]
    later = {WHEN_WANTED, *(name for name in modules if name.startswith("felts/") and name != "felts/fortune-8.js")}
    assert preloaded == [name for name in modules if name not in later]
    assert len(later) > 3 and later < set(modules)


def test_every_input_a_person_gives_can_be_tapped() -> None:
    kinds = {input.__struct_config__.tag for input in ROWS if issubclass(input, PersonInput)}
    page = "".join(SOURCES.values())
    # A question's input is called as the question; a form's and a button's are in quotes.
    unreachable = {kind for kind in kinds if f'"{kind}"' not in page} - {"give_up", "even_money"}
    assert not unreachable
    assert "kind=${step.question}" in page


def test_a_form_with_a_reason_is_given_the_usual_ones_and_no_step() -> None:
    sheet = SOURCES[PAGE / "sheets" / "report.js"]
    given = re.findall(r'withReason\("\w+", ([^,)]+)', sheet) + re.findall(r"<\$\{Reason\} usual=\$\{([^}]*)\}", sheet)
    assert len(given) >= 5 and not [usual for usual in given if usual.startswith('"')]


def test_every_step_of_a_round_has_its_answers() -> None:
    answers = SOURCES[PAGE / "prompt.js"]
    missing = {kind for kind in get_args(StepKind) if f"  {kind}:" not in answers}
    assert not missing


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(colour: str, other: str) -> float:
    light, dark = sorted((luminance(colour), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


GROUNDS = {
    "text": ("ground", "panel", "raised", "felt"), "quiet": ("ground", "panel", "raised", "felt"),
    "won": ("felt", "panel"), "lost": ("felt", "panel", "raised"), "brass": ("felt", "panel", "raised"),
    "warn": ("felt",), "alarm": ("panel", "raised"), "brass-ink": ("brass",), "ink": ("ivory",), "red": ("ivory",),
}  # fmt: skip


TRANSLUCENT = {"shade", "shade-deep", "brass-light", "chip"}  # they darken or light the felt; a chip's ink is white


def test_text_differs_from_its_ground_as_wcag_aa_wants() -> None:
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", SOURCES[PAGE / "style" / "measures.css"]))
    for text, grounds in GROUNDS.items():
        for ground in grounds:
            assert contrast(colours[text], colours[ground]) >= 4.5, f"{text} on {ground}"
    for style in (*STYLES, *OF_THE_DISPLAY):
        for rule in re.findall(r"\{([^}]*)\}", SOURCES[style]):
            written = re.search(r"(?<!-)\bcolor: (?:var\(--([\w-]+)\)|(#[0-9a-f]{6}));", rule)
            under = re.search(r"background: (?:var\(--([\w-]+)\)|(#[0-9a-f]{6}));", rule)
            if written and under and under[1] not in TRANSLUCENT:
                ink, ground = (colours[found[1]] if found[1] else found[2] for found in (written, under))
                assert contrast(ink, ground) >= 4.5, f"{style.name}: {rule}"
    # What is off is read too.
    for ground in ("ground", "panel", "raised"):
        assert contrast(colours["off"], colours[ground]) >= 4.5


def test_no_file_of_the_page_is_longer_than_people_read() -> None:
    lengths: dict[Path, int] = {path: text.count("\n") for path, text in SOURCES.items()}
    assert max(lengths.values()) < 400
    assert max(lengths[path] for path in STYLES) < 300

"""`dealer-station certify` as a person and a program meet it: table, JSON, page, refusals."""

import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.certify.drawing import growth_drawing, histogram_drawing, short, ticks
from controller.certify.games import GAMES, CertifyRequest, certify, jobs
from controller.certify.output import as_json, as_text
from controller.certify.pot import certify_pot
from controller.certify.pot_play import certify_played, play_hits
from controller.certify.report import amount_text, as_page
from controller.certify.result import Certified, OutcomeOdds, Unkept, Unwatched, exact
from controller.rulebook.games import GAMES as LIVE
from tests.certify.pots import POT_2025, PRIZE, pot_2025
from tests.certify.test_certify_pot import tiers

NEW_BET = """\
game = "fortune-8"
[boxes]
eight = 10
[[bet]]
name = '<script>alert("8 & A")</script>'
pays = [{cards = "8h 8d", to_one = 20}, {ranks = "A", to_one = 2}]
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def run(capfdbinary: pytest.CaptureFixture[bytes], *arguments: str) -> tuple[int, str, str]:
    code = main(["certify", *arguments])
    out, error = capfdbinary.readouterr()
    return code, out.decode(), error.decode()


def test_json_has_the_edge_of_each_wager_by_game(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, error = run(capfdbinary, "fortune-8", "--json")
    found = json.loads(out)
    assert (code, error) == (0, "")
    assert list(found) == ["fortune-8"]
    assert list(found["fortune-8"]) == ["low", "eight", "high"]
    low = found["fortune-8"]["low"]
    assert {key: low[key] for key in ("house_edge", "decimal", "method")} == {
        "house_edge": "1/13",
        "decimal": 0.076923,
        "method": "exact",
    }
    assert low["odds"][0] == {"outcome": "win", "chance": "6/13", "decimal": 0.461538462, "net": "1"}
    assert low["variance"] == "168/169"


def test_a_person_reads_a_table(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = run(capfdbinary, "fortune-8")
    assert code == 0
    assert out.startswith("fortune-8\n=========\n\nlow ")
    assert "house edge 7.6923 % = 1/13, exact; standard deviation 0.997" in out
    assert re.search(r"win +7\.692308 % +1 in 13\.0 +\+11\n", out)


def test_games_come_in_one_order_and_once(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("controller.commands.certify.certify", lambda asked, *others: [])
    (tmp_path / "new.toml").write_text(NEW_BET)
    (tmp_path / "pot.toml").write_text(POT_2025)
    paytable, jackpot = ("--paytable", str(tmp_path / "new.toml")), ("--jackpot", str(tmp_path / "pot.toml"))
    for arguments, games in (
        ((), list(GAMES)),
        (("fortune-8", "fortune-3-card-poker-2008", "fortune-8"), ["fortune-3-card-poker-2008", "fortune-8"]),
        (paytable, ["fortune-8"]),
        (jackpot, list(GAMES)),
        ((*paytable, *jackpot), ["fortune-3-card-poker-2025", "fortune-8"]),
        (("taiwan-pai-kao", "fortune-8", *paytable), ["fortune-8", "taiwan-pai-kao"]),
    ):
        assert list(json.loads(run(capfdbinary, *arguments, "--json")[1])) == games


def test_what_is_exact_can_be_had_alone(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = run(capfdbinary, "blackjack-21", "--exact", "--json")
    found = json.loads(out)["blackjack-21"]
    assert code == 0
    assert {wager["method"] for wager in found.values()} == {"exact"}
    assert {"main_game_infinite_deck", "insurance_6_decks", "even_money_4_decks", "jackpot_6_decks"} <= set(found)


def test_every_game_has_its_jobs() -> None:
    assert tuple(GAMES) == (
        "fortune-3-card-poker-2025",
        "fortune-3-card-poker-2008",
        "fortune-8",
        "blackjack-21",
        "taiwan-pai-kao",
    )
    assert all(jobs(CertifyRequest(game=game)) for game in GAMES)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["fortune-9"], 'game: "fortune-9" is not a game; known: fortune-3-card-poker-2025, '),
        (["--paytable", "none.toml"], "none.toml: cannot be read: No such file or directory"),
        (["--paytable", "bad.toml"], "bad.toml: file: is not TOML: "),
        (["--paytable", "latin.toml"], "latin.toml: is not UTF-8 text"),
        (
            ["fortune-3-card-poker-2008", "--paytable", "new.toml"],
            "game: the paytable is one of fortune-8, which is not",
        ),
        (["fortune-8", "--jackpot", "pot.toml"], "game: the jackpot is one of fortune-3-card-poker-2025, which is not"),
        (["fortune-8", "--hits", "5"], "--hits: no pot is played: that needs --jackpot, and no --exact"),
        (["fortune-8", "--rounds", "5"], "--rounds: no main game is played: that needs blackjack-21, and no --exact"),
        (["fortune-8", "--report", "nowhere/a.html"], "nowhere/a.html: there is no such folder to write the report to"),
        (["fortune-8", "--report", "."], ".: cannot be written: Is a directory"),
        (["fortune-8", "--work", "new.toml"], "new.toml: cannot be written: "),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    capfdbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "new.toml").write_text(NEW_BET)
    (tmp_path / "pot.toml").write_text(POT_2025)
    (tmp_path / "bad.toml").write_text("game =")
    (tmp_path / "latin.toml").write_bytes('name = "é"'.encode("latin-1"))
    code, out, error = run(capfdbinary, *arguments)
    assert (code, out) == (2, "")
    assert error.startswith(f"dealer-station: {complaint}")
    assert error.count("\n") == 1


def test_a_cache_that_cannot_be_written_keeps_nothing_and_says_so(
    capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    code, out, error = run(capfdbinary, "fortune-8")
    assert code == 0
    assert "house edge 7.6923 %" in out
    assert error.startswith("dealer-station: nothing is kept for another run: ")


class Page(HTMLParser):
    """The tags of a page and their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "path", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def whole_page() -> str:
    terms = pot_2025()
    results = {
        "fortune-3-card-poker-2025": [
            certify_pot(tiers(), terms),
            certify_played(play_hits(tiers(), terms, 120, "1"), terms, 1),
        ]
    }
    return as_page(results, terms, ["Jackpot: <b>pot</b>.toml"])


def test_the_page_asks_no_one_for_anything(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    (tmp_path / "new.toml").write_text(NEW_BET)
    report = tmp_path / "report.html"
    code, out, _ = run(capfdbinary, "--paytable", str(tmp_path / "new.toml"), "--report", str(report))
    assert code == 0
    assert "fortune-8" in out and "blackjack" not in out
    for page in (report.read_text(encoding="utf-8"), whole_page()):
        read = Page(page)
        assert read.open == []
        names = {tag for tag, _ in read.tags}
        assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "a", "base", "image", "use"}
        keys = {key for _, attributes in read.tags for key in attributes}
        assert not keys & {"src", "href", "xlink:href", "style", "onload", "srcset", "action"}
        assert "url(" not in page and "@import" not in page and "http" not in page.replace("http-equiv", "")


def test_everything_from_outside_is_escaped(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    (tmp_path / "new.toml").write_text(NEW_BET)
    report = tmp_path / "report.html"
    assert run(capfdbinary, "--paytable", str(tmp_path / "new.toml"), "--report", str(report))[0] == 0
    page = report.read_text(encoding="utf-8")
    assert '<script>alert("8 & A")</script>' in Page(page).text
    assert "<script" not in page
    assert "<b>pot</b>.toml" in Page(whole_page()).text


def test_the_page_has_tables_that_a_screen_reader_reads_and_drawings_that_have_a_name() -> None:
    read = Page(whole_page())
    tables = [tag for tag, _ in read.tags if tag == "table"]
    assert len(tables) == len([tag for tag, _ in read.tags if tag == "caption"]) >= 3
    assert {attributes.get("scope") for tag, attributes in read.tags if tag == "th"} == {"col", "row"}
    drawings = [attributes for tag, attributes in read.tags if tag == "svg"]
    assert [drawing["role"] for drawing in drawings] == ["img", "img"]
    assert all(drawing["aria-label"] for drawing in drawings)
    assert ("html", {"lang": "en"}) in read.tags
    assert "prefers-color-scheme: dark" in whole_page() and "@page { size: A4" in whole_page()


def test_the_page_has_the_figures_of_the_pot_as_money() -> None:
    text = Page(whole_page()).text
    assert "1 172 342.11 MOP" in text  # the break-even pot
    assert "3.1736 %" in text
    assert "pot at hit: 95 % of the hits up to" in text
    assert amount_text(5, pot_2025()) == "0.05 MOP"
    assert amount_text(-150.4, pot_2025()) == "-1.50 MOP"


def test_a_drawing_goes_from_its_first_point_to_its_last_and_marks_its_rounds() -> None:
    drawn = growth_drawing(
        [(0, 100.0, 1.0), (50, 150.0, 0.5), (100, 175.0, 0.25)], [(50, "half"), (900, "late")], "<u>"
    )
    assert 'class="curve" d="M78.0 113.0L372.0 64.5L666.0 40.2"' in drawn
    assert "half" in drawn and "late" not in drawn and "<u>" not in drawn


def test_a_histogram_has_a_bar_for_each_step_as_high_as_its_hits() -> None:
    drawn = histogram_drawing([(10.0, 5), (20.0, 10), (30.0, 0)], "MOP")
    assert re.findall(r'height="([0-9.]+)"', drawn) == ["97.0", "194.0", "0.0"]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0, 100, [0, 20, 40, 60, 80, 100]), (0, 7, [0, 2, 4, 6, 8]), (130, 290, [100, 150, 200, 250, 300])],
)
def test_a_scale_has_round_numbers_and_reaches_both_ends(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == expected
    assert (short(1500), short(2.5e6), short(40)) == ("1.5 k", "2.5 M", "40")


def test_a_jackpot_s_terms_bring_its_pot_played_out() -> None:
    """With the accumulated prize, whose five tiers are quickly computed."""
    from controller.certify.reading import read_pot

    asked = CertifyRequest(game="blackjack-21", terms=read_pot(PRIZE), simulates=True, hits=2)
    certified = [row for job in jobs(asked)[1:] for row in job(Unwatched(), Unkept(), 1)]
    assert [wager.wager for wager in certified][-2:] == ["jackpot", "jackpot_played"]
    assert json.loads(as_json({"g": certified}))["g"]["jackpot_played"]["hits"] == 2


def simulated() -> Certified:
    return Certified(
        wager="main",
        method="simulated",
        house_edge=None,
        edge=0.0123456789,
        interval=(0.01, 0.015),
        variance=1.21,
        odds=(
            OutcomeOdds(outcome="never", chance=Fraction(0), net=Fraction(-1)),
            OutcomeOdds(outcome="pot", chance=Fraction(1), net=None),
        ),
        notes=("a table\n  of a strategy", "word " * 40),
        further={"nested": {"deep": [1, "2/3"], "none": None, "yes": True}, "growth": [[1, 2, 3]], "x_decimal": 0.5},
    )


def test_a_simulation_shows_its_interval_and_whatever_it_has_besides() -> None:
    shown: dict[str, Any] = json.loads(as_json({"g": [simulated()]}))["g"]["main"]
    assert (shown["house_edge"], shown["decimal"], shown["interval"]) == (None, 0.012346, [0.01, 0.015])
    assert (shown["standard_deviation"], shown["nested"]["deep"]) == (1.1, [1, "2/3"])
    text = as_text({"g": [simulated()]})
    assert "house edge 1.2346 %, 95 % interval 1.0000 % to 1.5000 %, simulated; standard deviation 1.100" in text
    assert "    a table\n      of a strategy\n" in text
    assert "deep: 1, 2/3 = 0.666666667" in text and "growth" not in text and "x decimal" not in text
    assert "never" in text and "always" in text and "of the pot" in text
    page = as_page({"g": [simulated()]}, None, [])
    assert "<pre>a table\n  of a strategy</pre>" in page


def test_odds_that_do_not_sum_to_one_or_have_no_net_are_no_exact_result() -> None:
    with pytest.raises(ValueError, match="x: the chances sum to 1/2, not to 1"):
        exact("x", [OutcomeOdds(outcome="win", chance=Fraction(1, 2), net=Fraction(1))])
    with pytest.raises(ValueError, match="x: pot has no fixed net, so no edge"):
        exact("x", [OutcomeOdds(outcome="pot", chance=Fraction(1), net=None)])


def test_a_reading_that_the_house_chose_is_beside_its_odds(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    key = "exposed_cards_by_player"
    code, out, error = run(capfdbinary, "fortune-3-card-poker-2008", "--rule", key)
    assert (code, out) == (2, "") and f'--rule: "{key}" is no key of [rules] here; known: none' in error
    asked = CertifyRequest(game="fortune-8", rules=LIVE["fortune-3-card-poker-2025"].other_readings[:1])
    for row in certify(asked, Unwatched(), Unkept(), 1):
        assert row.notes[-1].startswith(f"[rules] {key} (17.º 1 3)): Exposed cards are counted for each player")


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["certify", "--help"])
    assert "dealer-station certify --paytable asked.toml --report request.html" in capsys.readouterr().out

"""Pages, man pages and completions that are made from the code: each has what the code has."""

import re
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from controller.__main__ import COMMANDS
from controller.pit.database import DatabaseCause
from controller.rulebook.parts.faults import LossCause
from tests.docs import connections, manual, who_may_do_what, written

GENERAL = {"unknown"}  # where nothing of the table is known


def test_the_page_of_alarms_has_the_table_of_connections() -> None:
    assert connections.TABLE.on_page() == [connections.table()], "run make pages"


def test_every_cause_is_in_it() -> None:
    reports = [*connections.reports()]
    of_the_pit = {cause for connection, cause, _ in reports if connection == connections.DATABASE}
    assert of_the_pit == set(get_args(DatabaseCause))
    of_a_table = {cause for connection, cause, _ in reports if connection != connections.DATABASE}
    assert of_a_table == set(get_args(LossCause)) - GENERAL


# ---- The page of inputs has who may do what when as the table of deciders has it.


def test_the_page_of_inputs_has_the_table_of_the_deciders() -> None:
    assert who_may_do_what.WHO_MAY.on_page() == [who_may_do_what.table()], "run make pages"


def test_the_page_of_inputs_has_the_fields_of_each_and_what_it_means() -> None:
    assert who_may_do_what.FIELDS.on_page() == [who_may_do_what.fields()], "run make pages"


# ---- The page of budgets has each kind of input and alarm as the code has it.


def test_the_page_has_the_budgets_of_the_code() -> None:
    assert written.BUDGETS_TABLE.on_page() == [written.budgets_table()], "run make pages"


# ---- The page of columns has each column of an export and of a return as the code has it.


def test_the_page_has_the_columns_of_the_code() -> None:
    assert written.COLUMNS_PAGE.read_text(encoding="utf-8") == written.columns_page(), "run make pages"
    assert (
        "`win` (int64, minor units of `currency`)" in written.columns_page()
        and "| `gaps` | Messages" in written.columns_page()
    )


# ---- The page of the compatibility kit has each assertion as the code has it.


def test_the_page_has_the_assertions_of_the_code() -> None:
    for table in written.ASSERTIONS_TABLES:
        assert table.on_page() == [table.from_code()], "run make pages"


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("share")
    manual.write(folder)
    return folder


def test_every_command_has_a_page_with_its_options(share: Path) -> None:
    pages = {path.name: path.read_text() for path in (share / "man" / "man1").iterdir()}
    assert {f"dealer-station-{name}.1" for name in COMMANDS} < set(pages)
    assert {"dealer-station.1", "dealer-station-sim.1", "dealer-station-sim-bench.1"} < set(pages)
    assert r"\fB\-\-url http://HOST:PORT\fR" in pages["dealer-station-watch.1"]
    assert r"\fB\-\-seal\-key FILE\fR" in pages["dealer-station-audit.1"], "of a command of a command"
    assert ".SH COMMANDS\n.TP\n\\fBrun\\fR\nrun the station of a table\n" in pages["dealer-station.1"]


def test_no_line_of_a_page_is_taken_for_a_request_that_is_none(share: Path) -> None:
    ours = re.compile(r"\.(TH|SH|TP|PP|nf|fi)\b")
    for path in (share / "man" / "man1").iterdir():
        wrong = [line for line in path.read_text().splitlines() if line[:1] in (".", "'") and not ours.match(line)]
        assert not wrong, path.name


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["wat"], {"watch"}), (["simulate", "--spe"], {"--speed"}), (["audit", "rou"], {"rounds"}),
        (["simulate", "--game", "fortune-8"], {"fortune-8"}), (["rank", "tai"], {"taiwan-pai-kao"}),
    ],
)  # fmt: skip
def test_bash_completes_commands_options_and_games(share: Path, typed: list[str], meant: set[str]) -> None:
    script = (
        'source "$0"; COMP_WORDS=(dealer-station "$@"); COMP_CWORD=$#; _shtab_dealer_station; echo "${COMPREPLY[@]}"'
    )
    completion = share / "bash-completion" / "completions" / "dealer-station"
    completed = subprocess.run(
        ["bash", "-c", script, str(completion), *typed], capture_output=True, text=True, check=True
    )
    assert set(completed.stdout.split()) - {"-h", "--help"} == meant


@pytest.mark.parametrize(
    "place", ["zsh/site-functions/_dealer-station", "fish/vendor_completions.d/dealer-station.fish"]
)
def test_the_other_shells_have_the_same_commands(share: Path, place: str) -> None:
    text = (share / place).read_text()
    assert not [name for name in COMMANDS if name not in text]

"""What a person watching a simulation reads: whatever the dealer is notified of, at every game, and in
the console's words."""

from pathlib import Path
from typing import get_args

import pytest

from controller.commands.account import Account
from controller.config.file import read_config
from controller.engine.shown.prompts import notices
from controller.engine.state.applied import Event, apply
from controller.engine.state.events import ComplaintOpened, DealerNotified, DeviceLost, Notice
from controller.engine.state.table import Table
from controller.rulebook.games import GAMES
from controller.runtime.bus import Committed
from controller.words import ENGLISH
from tests.configured import configured

OWN_WORDS = GAMES["blackjack-21"].own_words
TEXT = "[/dev/ttyUSB0] 7"  # what a terminal's mark-up would take for its own


@pytest.fixture
def account(game: str, tmp_path: Path) -> Account:
    source = "shoe" if GAMES[game].source.needs_device("shoe") else "hand"
    config = configured(tmp_path, game=game, source=source)
    return Account(read_config(config), rounds=1, quiet=False, on_gone=lambda: None)


def printed(account: Account, event: Event, capsys: pytest.CaptureFixture[str]) -> tuple[str, Table]:
    about = ComplaintOpened(complaint=1, round=1, seat=3, what="the count", by="", actor="ana")
    table = apply(apply(Table(), about), event)
    account.committed(Committed(time="", events=(event,), table=table, outbox=(), marks=(), sequence=0))
    return capsys.readouterr().out.strip(), table


@pytest.mark.parametrize("game", GAMES)
def test_every_notice_of_every_game_is_reported_in_the_words_of_its_console(
    game: str, account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    of_hands = {text.removesuffix(OWN_WORDS) for text in ENGLISH.dealer_notified if text.endswith(OWN_WORDS)}
    own = ENGLISH.dealer_notified.keys() | (of_hands if GAMES[game].own_words == OWN_WORDS else set())
    for notice in (kind for kind in get_args(Notice) if kind in own):
        line, table = printed(account, DealerNotified(notice=notice, seat=3, text=TEXT), capsys)
        assert [line] == [words["en"] for words in notices(table, GAMES[game])]


def test_every_notice_is_of_some_game() -> None:
    assert {
        key.removesuffix(OWN_WORDS).removesuffix("/pit").removesuffix("/shoe") for key in ENGLISH.dealer_notified
    } == set(get_args(Notice))


@pytest.mark.parametrize("game", GAMES)
def test_why_a_device_is_lost_is_reported_in_its_own_words(
    game: str, account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    line, _ = printed(account, DeviceLost(device="shoe", reason=TEXT, cause="unknown"), capsys)
    assert line == f"shoe lost: {TEXT}"

"""The page of a disputed round: what was shown, bet and settled, in three languages, and nothing that was sealed."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.__main__ import main
from controller.commands.round_page import round_page
from controller.engine.decisions.corrections import Complain, DecideComplaint
from controller.engine.decisions.session import HoldCards
from controller.queries.disputes import Bundle, dispute
from controller.rulebook.games import GAMES
from controller.words import SPOKEN, article_words
from tests.configured import configured
from tests.disputes.rounds import bundles, wild_events
from tests.engine.hands import LID_CLOSES, LID_OPENS, Hands
from tests.engine.playing import Play
from tests.journal.recorded.kept import IDENTITY, read_journal

CARD = re.compile(r'<span class="card[^>]*><b>(\w+)</b><i>(.)</i>')
LAST_CELL = re.compile(r"<td>([^<]+)</td></tr>")
TILE = re.compile(r'<svg class="tile".*?</svg>')
SUITS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
CONFIRMED, OPEN = 3, 8  # of each recorded journal's rounds


def recorded(game: str, folder: Path, round: int) -> Bundle:
    path = folder / "journal.db"
    path.write_bytes(read_journal(game).journal)
    found = dispute(path, IDENTITY, round)
    assert found is not None
    return found


def page(bundle: Bundle, language: str = "en") -> str:
    return round_page(bundle, b"the file", "dispute-1-3.json", language)


def shown(bundle: Bundle) -> list[str]:
    """The cards and tiles that the events have shown, as the events write them."""
    events: list[dict[str, Any]] = [json.loads(row.body) for row in bundle.chain.rows]
    return [card for event in events if event["type"] == "cards_shown" for card in event["cards"]]


def drawn(text: str) -> list[str]:
    return [("T" if rank == "10" else rank) + SUITS[suit] for rank, suit in CARD.findall(text)]


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("game", GAMES)
def test_every_card_that_was_shown_is_drawn_and_each_line_has_its_article(
    game: str, language: str, tmp_path: Path
) -> None:
    bundle = recorded(game, tmp_path, CONFIRMED)
    text = page(bundle, language)
    if game == "taiwan-pai-kao":
        assert len(TILE.findall(text)) == 32
    else:
        assert sorted(drawn(text)) == sorted(shown(bundle))
    cited = set(LAST_CELL.findall(text))
    assert cited and cited <= set(bundle.contents.articles)
    assert hashlib.sha256(b"the file").hexdigest() in text
    assert SPOKEN[language].round_texts["page/open"] not in text
    for key in ("wager.", "place.", "outcome.", "rank.", "line.", "policy:", "{"):
        assert key not in re.sub(r"<style>.*</style>", "", text, flags=re.S), key


@pytest.mark.parametrize("game", GAMES)
def test_a_round_that_is_not_confirmed_is_marked_and_no_sealed_card_is_drawn(game: str, tmp_path: Path) -> None:
    bundle = recorded(game, tmp_path, OPEN)
    text = page(bundle)
    assert SPOKEN["en"].round_texts["page/open"] in text and bundle.contents.settlement is None
    assert not LAST_CELL.search(text)
    assert sorted(drawn(text)) == ([] if game == "taiwan-pai-kao" else sorted(shown(bundle)))


@pytest.mark.parametrize(("game", "seed"), [("blackjack-21", 8), ("fortune-8", 9), ("taiwan-pai-kao", 6)])
def test_rounds_in_which_anything_happens_have_a_page_and_a_void_one_its_reason(game: str, seed: int) -> None:
    for bundle in bundles(wild_events(game, seed)):
        text = page(msgspec.convert(bundle, Bundle))
        events = [json.loads(row[5]) for row in bundle["chain"]["rows"]]
        articles = [article_words(event["article"])["en"] for event in events if event["type"] == "round_voided"]
        assert re.findall(r"<b>void</b>: \S.* \((.*)\)</p>", text) == articles


def test_a_complaint_is_on_the_page_with_how_it_ended() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    play.until("claims")
    play.say(Complain, round=1, seat=1, what="the count", by="Mr. <Lei>")
    play.say(DecideComplaint, actor="rui", complaint=1, outcome="unchanged", reason="counted again")
    [bundle] = bundles(play.events)
    text = page(msgspec.convert(bundle, Bundle))
    assert "Complaint 1, seat 1, Mr. &lt;Lei&gt;: the count" in text
    assert "Complaint 1 decided, the result is unchanged. counted again" in text


def test_blackjack_rule_61_a_complaint_of_a_round_whose_cards_are_kept_back_is_on_its_page_alone() -> None:
    play = Hands("Tc Th 9c 7h", source="shuffler").to_wagers().place_bet(1, 200).until("claims")
    play.receive(LID_OPENS)
    play.receive(LID_CLOSES)
    play.say(HoldCards)
    play.to_wagers()
    play.say(Complain, round=1, seat=1, what="the count", by="Mr. Lei")
    play.say(DecideComplaint, actor="rui", complaint=1, outcome="unchanged", reason="counted again")
    first, second = (page(msgspec.convert(bundle, Bundle)) for bundle in bundles(play.events))
    assert "Complaint 1, seat 1, Mr. Lei: the count" in first and "Complaint 1 decided" in first
    assert "Complaint" not in second


def test_a_page_runs_nothing_and_fetches_nothing_and_names_are_escaped(tmp_path: Path) -> None:
    bundle = recorded("fortune-8", tmp_path, CONFIRMED)
    text = page(msgspec.structs.replace(bundle, site="<script>alert(1)</script>"))
    assert "<script" not in text and "default-src 'none'" in text and "&lt;script&gt;" in text
    assert not re.findall(r"(?:src|href)=|url\(|@import|https?:", text)


def test_the_command_writes_the_page_beside_the_bundle_and_overwrites_neither(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(read_journal("fortune-8").journal)
    out = tmp_path / "three.json"
    asked = ["dispute", "3", "--config", str(configured(tmp_path)), "--journal", str(path), "--output", str(out)]
    assert main([*asked, "--language", "pt"]) == 0
    written = out.with_suffix(".html")
    assert written.stat().st_mode & 0o777 == 0o600 and str(written) in capsys.readouterr().out
    text = written.read_text(encoding="utf-8")
    assert hashlib.sha256(out.read_bytes()).hexdigest() in text and 'lang="pt"' in text
    out.unlink()
    assert main(asked) == 2 and f"{written} is there already" in capsys.readouterr().err and not out.exists()
    assert main([*asked[:-1], str(written)]) == 2 and "ends in .json" in capsys.readouterr().err

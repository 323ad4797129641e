"""A round in one file: the referee agrees with the station's settlement and rules, and with no altered fact."""

import itertools
import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.__main__ import main
from controller.journal.records import JournalCorrupt, JournalEntry
from controller.journal.segments import Segment, SegmentReader, SegmentRow
from controller.queries.disputes import dispute
from controller.rulebook.cards import DECK
from controller.rulebook.events import RoundBegun
from controller.rulebook.five_card import best_combination
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Rules
from controller.rulebook.games import GAMES
from controller.rulebook.taiwan_pai_kao.pairs import PAIRS
from controller.rulebook.three_card import rank_three
from tests.configured import configured
from tests.disputes.altered import CONSISTENTLY, PLAINLY, alterations
from tests.disputes.rounds import bundles, wild_events
from tests.engine.playing import PARAMETERS, Play
from tests.journal.keeping import close_segments, open_journal, tamper, write, write_entries
from tests.journal.recorded.kept import IDENTITY, read_journal
from tests.referee.archive import build
from tests.referee.bundle.verify import verify
from tests.referee.rules import hands, meter, pai_hands, poker
from tests.referee.rules.poker_law import REGULATIONS

PLAIN = {way.__name__ for way in PLAINLY}
ROUNDS = 7  # of each recorded journal are confirmed


def kept(game: str, folder: Path) -> Path:
    path = folder / "journal.db"
    path.write_bytes(read_journal(game).journal)
    return path


def bundle(path: Path, round: int) -> dict[str, Any]:
    found = dispute(path, IDENTITY, round)
    assert found is not None
    document: dict[str, Any] = json.loads(msgspec.json.encode(found))
    return document


@pytest.mark.parametrize("game", GAMES)
def test_recorded_rounds_are_settled_by_the_rules_written_a_second_time(game: str, tmp_path: Path) -> None:
    path = kept(game, tmp_path)
    for round in range(1, ROUNDS + 1):
        found = verify(bundle(path, round))
        assert (found["verdict"], found["wrong"]) == ("agrees", [])
        assert found["lines"] and found["outcome"] == "settled" and found["round"] == round
    assert verify(bundle(path, ROUNDS + 1))["verdict"] == "not ended"
    assert dispute(path, IDENTITY, ROUNDS + 2) is None


SEEDS = {  # with what is rare in them
    "fortune-3-card-poker-2025": (3, 7, 35),  # cards of an empty seat; a jackpot withdrawn; one paid, and an adjustment
    "fortune-3-card-poker-2008": (7, 17, 18),  # each source of cards
    "fortune-8": (6, 9),
    "blackjack-21": (4, 8, 18),  # insurance; a prize that is paid; an adjustment
    "taiwan-pai-kao": (6, 22),  # a wager cut by the limit, and an adjustment
}


@pytest.mark.parametrize("game", GAMES)
def test_rounds_in_which_anything_happens_agree_too(game: str) -> None:
    found = [verify(document) for seed in SEEDS[game] for document in bundles(wild_events(game, seed))]
    assert [verdict["wrong"] for verdict in found if verdict["wrong"]] == []
    assert {verdict["outcome"] for verdict in found if verdict["ended"]} == {"settled", "void"}


@pytest.mark.parametrize("game", GAMES)
def test_one_altered_fact_is_refused_by_the_check_that_is_there_for_it(game: str, tmp_path: Path) -> None:
    path, dice, names = kept(game, tmp_path), Random(game), set()
    for round in (2, 5):
        for name, altered in alterations(bundle(path, round), dice):
            found = verify(altered)
            assert found["verdict"] == "does not agree", name
            by_hash = any(
                "hash" in wrong or "is missing" in wrong or "bundle gives" in wrong for wrong in found["wrong"]
            )
            assert by_hash is (name in PLAIN), (name, found["wrong"])
            names.add(name)
    assert names >= PLAIN and len(names) >= 16


@pytest.mark.parametrize(
    ("game", "alteration"), [("fortune-8", "why_it_is_void"), ("fortune-3-card-poker-2025", "the_amount_of_a_hit")]
)
def test_a_rare_fact_is_refused_when_it_is_altered_too(game: str, alteration: str) -> None:
    found = (
        verify(altered)["verdict"]
        for seed in range(100)
        for document in bundles(wild_events(game, seed))
        for name, altered in alterations(document, Random(1))
        if name == alteration
    )
    assert next(found) == "does not agree"


def test_the_program_runs_by_itself_and_says_by_its_exit_code_what_it_found(tmp_path: Path) -> None:
    def run(document: object, *options: str) -> tuple[int, str]:
        (tmp_path / "bundle.json").write_text(json.dumps(document), encoding="utf-8")
        # Without site-packages nothing of ours can be imported, nor anything else that is not Python's own.
        command = [sys.executable, "-I", "-S", str(program), "bundle", *options, str(tmp_path / "bundle.json")]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path)
        return done.returncode, done.stdout + done.stderr

    program = tmp_path / "referee.pyz"
    build(program)
    path = kept("blackjack-21", tmp_path)
    good = bundle(path, 2)
    code, output = run(good)
    assert code == 4
    assert "hall, table 1: blackjack-21, round 2" in output and "AGREES" in output and "proof: none" in output
    assert "   5  hand 2                                400.00        400.00  win     1:1    23" in output.splitlines()
    _, altered = next(alterations(good, Random(1)))
    code, output = run(altered, "--json")
    assert code == 1 and json.loads(output)["wrong"]
    assert run({"kind": "something else"})[0] == 2
    assert run(bundle(path, ROUNDS + 1))[0] == 3


def test_events_in_segments_are_the_same_and_segments_that_have_nothing_of_a_round_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, events = tmp_path / "journal.db", wild_events("blackjack-21", 8)
    write_entries(path, [JournalEntry(event=event) for event in events], snapshot_at=len(events) - 3)
    rounds = range(1, 1 + sum(isinstance(event, RoundBegun) for event in events))
    before = [bundle(path, round) for round in rounds]
    with closing(open_journal(path)) as journal:
        journal.restore()
        close_segments(journal, 20)
    assert len(list(tmp_path.glob("*.zst"))) > 3
    read: list[Segment] = []
    verified = SegmentReader._verified

    def watched(self: SegmentReader, at: int) -> list[SegmentRow]:
        read.append(self.segment)
        return verified(self, at)

    monkeypatch.setattr(SegmentReader, "_verified", watched)
    for round, document in zip(rounds, before, strict=True):
        read.clear()
        assert bundle(path, round) == document
        rows = [*document["chain"]["rows"], *(link["row"] for link in (*document["earlier"], *document["later"]))]
        needed = {number - at for number, *_ in rows for at in (0, 1)}  # each with the hash of the one before it
        assert all(needed & set(range(stretch.first, stretch.last + 1)) for stretch in read)


def test_an_event_that_was_changed_behind_the_station_goes_into_no_bundle(tmp_path: Path) -> None:
    path = kept("fortune-8", tmp_path)
    tamper(path, ("UPDATE events SET body = CAST(replace(body, '\"amount\":10000', '\"amount\":90000') AS BLOB)", ()))
    with pytest.raises(JournalCorrupt, match="hash chain"):
        dispute(path, IDENTITY, 1)


def test_the_command_writes_a_new_file_with_sealed_cards_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    config, path = configured(tmp_path), kept("fortune-8", tmp_path)
    asked = ["dispute", "3", "--config", str(config), "--journal", str(path)]
    assert main(asked) == 0
    [written] = tmp_path.glob("dispute-*-3.json")
    assert written.stat().st_mode & 0o777 == 0o600
    assert "round 3" in capsys.readouterr().out
    document = json.loads(written.read_bytes())
    assert verify(document)["verdict"] == "agrees"
    dealt = [row for row in document["chain"]["rows"] if row[6] is not None]
    assert dealt and all('"draws"' in row[5] and '"cards":' not in row[5] for row in dealt)
    assert main(asked) == 2 and "is there already" in capsys.readouterr().err
    assert main(["dispute", "99", *asked[2:]]) == 2 and "has no round 99" in capsys.readouterr().err
    assert main([*asked, "--output", str(tmp_path / "none" / "x.json")]) == 2


def test_every_alteration_is_distinguished_by_its_name() -> None:
    names = [way.__name__ for way in (*PLAINLY, *CONSISTENTLY)]
    assert len(names) == len(set(names))


def test_a_round_after_approved_parameters_has_the_minimum_at_which_its_pot_restarts(tmp_path: Path) -> None:
    play = Play()
    other = replace(PARAMETERS, minimum=PARAMETERS.minimum + 5_000, fixed=PARAMETERS.fixed | {"flush": 1})
    play.agree(other)
    play.to_wagers().bet(1, ante=100).chips(1).lock()
    play.finish()
    write(tmp_path / "journal.db", play)
    found = bundle(tmp_path / "journal.db", 1)
    terms = found["contents"]["parameters"]["jackpot"]
    assert (terms["minimum"], terms["fixed"]) == (other.minimum, PARAMETERS.fixed)
    assert verify(found)["verdict"] == "agrees"


def test_all_22100_hands_of_three_have_the_same_name_and_order() -> None:
    ranks: dict[tuple[int, ...], set[int]] = {}
    for cards in itertools.combinations(DECK, 3):
        hand = rank_three(cards)
        assert hands.three_card_hand(list(cards)) == hand.name
        ranks.setdefault(hands.order(list(cards)), set()).add(hand.rank)
    assert [ranks[order] for order in sorted(ranks)] == [{rank} for rank in range(1, 742)]


@pytest.mark.parametrize(("count", "ranks"), [(5, "AKQJT95432"), (6, "AKQJT9")])
def test_the_best_of_five_and_six_cards_is_the_same(count: int, ranks: str) -> None:
    few = [card for card in DECK if card[0] in ranks and card[1] in "sh"]  # that are rich in combinations
    found = set()
    for cards in itertools.combinations(few, count):
        name = hands.six_card_hand(list(cards[:3]), list(cards[3:]))
        assert name == best_combination(cards), cards
        found.add(name)
    assert found >= {"royal_flush", "straight_flush", "straight", "flush", None}


@pytest.mark.parametrize("rules", [RULES_2025, RULES_2008])
def test_every_odds_of_poker_is_the_same(rules: Rules) -> None:
    lines = REGULATIONS[rules.game].lines
    odds = {"ante_bonus": poker.ANTE_BONUS, "pair_plus": poker.PAIR_PLUS, "six_card_bonus": poker.SIX_CARD_BONUS}
    for wager, pays in odds.items():
        expected = {hand: (odds.to_one, odds.article) for hand, odds in getattr(rules, wager).items()}
        assert {hand: (pays[hand], lines[f"{wager} {hand}"]) for hand in expected} == expected
        assert not expected or pays.keys() == expected.keys()
    articles = {hand: tier.article for hand, tier in rules.jackpot.items()}
    assert {hand: lines[f"jackpot {hand}"] for hand in articles} == articles
    assert {hand: tier.percent for hand, tier in rules.jackpot.items() if tier.percent} in ({}, meter.PERCENT)
    ties = {hand: article for hand, article in rules.articles.tie.items() if hand != "three_of_a_kind"}
    assert {hand: lines[f"tie {hand}"] for hand in ties} == ties, "one deck has no two equal threes of a kind"


def test_all_pairs_of_tiles_have_the_same_name_and_rank() -> None:
    for first, second in PAIRS:
        pair, two = PAIRS[first, second], (str(second), str(first))
        found = pai_hands.named(two)[0], pai_hands.rank(two), tuple(pai_hands.ordered(two))
        assert found == (pair.name, pair.rank, pair.tiles)
    assert len(pai_hands.RANKS) == 118

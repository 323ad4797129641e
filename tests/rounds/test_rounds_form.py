"""That a round of a file can fail, and says so in words; and that a file with a slip in it is refused."""

from pathlib import Path

import pytest

from tests.rounds.form import cases_of, name_of, read_file
from tests.rounds.refusal import refuse
from tests.rounds.stage import play_round

ROUND = '''game = "fortune-3-card-poker-2025"
[[round]]
article = "13.º 3)"
sentence = "A higher hand wins"
bets = "seat 1 ante 100"
cards = "seat 1 Qs 9h 5s; bank Qd 9c 4h"
course = "then waits: deal seat 1 ×3"
then.paid = """
seat 1 ante 100 wins 100 at 1:1 by 13.º 3)
seat 1 play 100 wins 100 at 1:1 by 13.º 3)
"""
'''


def played(folder: Path, old: str = "", new: str = "") -> str:
    """The error of the round once a text of it is another."""
    assert old in ROUND
    path = folder / "some.toml"
    path.write_text(ROUND.replace(old, new), "utf-8")
    try:
        file = read_file(path)
        for round in file.round:
            for _, filled in cases_of(round):
                play_round(file.game, filled)
    except (AssertionError, ValueError) as wrong:
        return str(wrong)
    return ""


def test_a_round_that_comes_to_what_it_demands_is_played(tmp_path: Path) -> None:
    assert played(tmp_path) == ""
    file = read_file(tmp_path / "some.toml")
    assert name_of(file.round[0], file.game) == "test_art_13_3_a_higher_hand_wins"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("ante 100 wins 100", "ante 100 wins 200", "paid: wanted is\n  seat 1 ante 100 wins 200 at 1:1 by 13.º 3)"),
        ("seat 1 play 100 wins 100 at 1:1 by 13.º 3)\n", "", "and there is\n  seat 1 ante 100 wins 100 at 1:1"),
        ("then.paid", 'ends = "void 17.º 1 1)"\nthen.paid', "the round has not ended"),
        ("then waits: deal seat 1 ×3", "then waits: count", "'then waits: count': waits: wanted is"),
        ("then waits: deal seat 1 ×3", "dealer misdealt, what order: refused by 17.º", "Misdealt was not refused"),
        ("then waits: deal seat 1 ×3", "dealer lock_in", "'dealer lock_in' was refused: "),
        ("then waits: deal seat 1 ×3", "dealer lock_in: refused by 3.º", "it was refused so: "),
        ("then waits: deal seat 1 ×3", "dealer misdeals, what order", "no input is called 'misdeals'"),
        ("then waits: deal seat 1 ×3", "dealer misdealt, who order", "misdealt has no 'who'"),
        ("then waits: deal seat 1 ×3", "anyone waits", "no line begins with 'anyone'"),
        ("Qd 9c 4h", "Qs 9c 4h", "Qs: named twice"),
        ("seat 1 ante 100", "seat one ante 100", "'seat one ante 100' does not begin with a place"),
        ("bets =", "bet =", 'some.toml, round "A higher hand wins": Object contains unknown field `bet`'),
        ("then.paid", "then.pays", "pays: no such demand"),
        ("13.º 3)\"\nsentence", "13 3)\"\nsentence", "names no article"),
        ('sentence = "A', 'sentence = "3', "a sentence begins with a word"),
        ("then.paid", "table.shoe = 1\nthen.paid", "Object contains unknown field `shoe`"),
        ("ante 100\"", "ante {much}\"", "{much}: no column is called so"),
        ("then.paid", 'each.much = [100]\nthen.paid', "much: nothing of the round names this column"),
        ("then.paid", 'cases = """\na | b\n1\n"""\nthen.paid', "as many columns as the heading has"),
    ],
)  # fmt: skip
def test_a_round_that_comes_to_something_else_or_cannot_be_read_says_what_is_wrong(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    assert says in played(tmp_path, old, new)


GOOD = """{"game": "fortune-8", "decks": 1, "deal": "spaces_with_bets",
  "boxes": {"1": {"low": 5}}, "cards": {"1": "8d"}}"""


def test_a_file_that_is_refused_otherwise_than_is_written_says_so() -> None:
    refuse(GOOD, "", "", None)
    refuse(GOOD, "decks = 9", "decks", "1.º 1)")
    with pytest.raises(AssertionError, match="refused so: decks: "):
        refuse(GOOD, "decks = 9", "decks", "1.º")
    with pytest.raises(AssertionError, match="decks = 2: the file was settled"):
        refuse(GOOD, "decks = 2", "decks", "1.º 1)")
    with pytest.raises(AssertionError, match="the good file is not settled"):
        refuse(GOOD.replace("8d", "8x"), "", "", None)

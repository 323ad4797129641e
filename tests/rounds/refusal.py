"""A round file that cannot be: a good one with a change, refused by the code and by the command, in one line."""

import contextlib
import io
import json
import tempfile
from pathlib import Path
from typing import Any

from controller.__main__ import main
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.words import sentence
from tests.rounds.form import RefusedFile, rows_of

LONGEST = 400


def changes(round: RefusedFile) -> list[tuple[str, str, str | None]]:
    """Each change, whom its refusal blames, and the article, None without one."""
    return [(row["change"], row["blamed"], row["article"] or None) for row in rows_of(round.refused)]


def changed(good: str, change: str) -> str:
    """The text of the good file with changes: ``seats.1.ante = 0``, ``without dealer``, ``twice ante``."""
    file, twice = json.loads(good), ""
    for part in filter(None, change.split(" and ")):
        word, _, rest = part.partition(" ")
        if word == "twice":
            twice = rest
            continue
        path, _, value = part.partition(" = ")
        *parents, last = (rest if word == "without" else path).split(".")
        inner: Any = file
        for key in parents:
            inner = inner[int(key) if isinstance(inner, list) else key]
        at = int(last) if isinstance(inner, list) else last
        if word == "without":
            del inner[at]
        else:
            inner[at] = json.loads(value)
    text = json.dumps(file)
    assert not twice or f'"{twice}": ' in text
    return text.replace(f'"{twice}": ', f'"{twice}": 1, "{twice}": ', 1) if twice else text


def settled(text: str) -> tuple[int, str, str]:
    """What `dealer-station settle` does with it: exit code, standard output and error."""
    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        path = Path(folder) / "round.json"
        path.write_text(text, "utf-8")
        code = main(["settle", str(path)])
    return code, out.getvalue(), err.getvalue()


def refuse(good: str, change: str, blamed: str, article: str | None) -> None:
    """Raises AssertionError, in words, unless the change is refused so; without a change the file must be settled."""
    text = changed(good, change)
    code, out, err = settled(text)
    if not change:
        assert (code, out.count("\n"), err) == (0, 1, ""), f"the good file is not settled: {err}"
        return
    try:
        settle_text(text)
    except Refusal as refusal:
        answer = sentence(refusal)
        assert (refusal.who, refusal.article) == (blamed, article), f"{change}: refused so: {answer}"
        assert len(answer.splitlines()) == 1 and len(answer) < LONGEST, f"{change}: not one short line: {answer!r}"
    else:
        raise AssertionError(f"{change}: the file was settled")
    assert (code, out, err) == (2, "", f"dealer-station: {answer}\n"), f"{change}: {code}, {out!r}, {err!r}"

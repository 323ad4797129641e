"""Each field of a bundle, as its structs list them, is falsified: it is refused, or named as not covered."""

import copy
import hmac
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.journal.records import JournalEntry
from controller.queries.disputes import Bundle, bundle_of
from tests.disputes.altered import written_again
from tests.disputes.rounds import IDENTITY, bundles, checked, wild_events
from tests.disputes.test_disputes_keys import SEAL, links_of, released
from tests.disputes.test_disputes_proof import STRANGER, TABLE, WITNESS, with_proofs
from tests.journal.recorded.kept import read_journal
from tests.referee.bundle import ciphers
from tests.referee.bundle.command import printable
from tests.referee.bundle.forms import NoBundle
from tests.referee.bundle.verify import verify

GAME, ROUND, RUN = "fortune-3-card-poker-2025", 2, "run"
Place = tuple[str | int, ...]
REFEREE = (sys.executable, "-m", "tests.referee", "bundle")
ANY = "*"


def fields_of(kind: Any, at: Place = ()) -> Iterator[Place]:
    """Each field of a struct and of those in it; `*` is every element of a list or mapping."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        as_list = kind.__struct_config__.array_like
        for number, field in enumerate(msgspec.structs.fields(kind)):
            yield from fields_of(field.type, (*at, number if as_list else field.name))
    elif get_origin(kind) is list and isinstance(get_args(kind)[0], type):
        yield from fields_of(get_args(kind)[0], (*at, ANY))
    else:
        yield at


FIELDS = sorted(fields_of(Bundle), key=str)


def places(document: Any, field: Place) -> Iterator[Place]:
    """Each place in a bundle that a field has, down to what is no object and no list."""
    if field and field[0] != ANY:
        inner = document[field[0]]
        yield from ((field[0], *place) for place in places(inner, field[1:]))
    elif isinstance(document, dict | list) and document:
        for key in document if isinstance(document, dict) else range(len(document)):
            yield from ((key, *place) for place in places(document[key], field[1:]))
    else:
        yield ()


def falsified(document: Any) -> list[Any]:
    """Other values in the place of this one, of its type and of none that is expected."""
    match document:
        case bool():
            return [not document, int(document), None]
        case int():
            return [document + 1, -document - 1, str(document), float(document), 10**30, None]
        case str():
            changed = ("b" if document[:1] != "b" else "c") + document[1:]
            return [changed, document + "\n\x1b[31mproof: made up", document[:-1] + "\ud800", 7, None]
        case None:
            return ["", "00", 0, {}]
        case _:
            return [[7], {"x": 7}, None, "x"]


def replaced(document: Any, place: Place, value: Any) -> Any:
    """A copy with another value at this place, which shares all that is not on the way to it."""
    if not place:
        return value
    changed = copy.copy(document)
    changed[place[0]] = replaced(document[place[0]], place[1:], value)
    return changed


@pytest.fixture(scope="module", autouse=True)
def _the_key_stream_is_computed_once() -> Iterator[None]:
    """The same seals are opened in thousands of bundles."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ciphers, "_block", cache(ciphers._block))
        yield


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """A bundle with something in each field."""
    entries: list[JournalEntry] = [*read_journal(GAME).entries, released(ROUND)]
    links = list(links_of(entries))  # once: each seal has its nonce
    released_key = SEAL.round_key("made", ROUND).hex()
    document = msgspec.json.decode(msgspec.json.encode(bundle_of(iter(links), IDENTITY, "made", ROUND, released_key)))
    key = hmac.digest(bytes.fromhex(document["released_key"]), b"dealer-station wires", "sha256")
    content = json.dumps({"began": "2026-01-02T03:04:05Z", "monotonic_ns": 1, "drivers": {}, "dropped": 0, "rows": []})
    blocks = [
        msgspec.json.decode(msgspec.json.encode(b"n" * 12 + ChaCha20Poly1305(key).encrypt(
            b"n" * 12, content.encode(), f"made:wires:{RUN}:{number}".encode())))
        for number in (1, 2)
    ]  # fmt: skip
    document["wires"] = [[RUN, number, block] for number, block in enumerate(blocks, start=1)]
    return with_proofs(document, [row[7] for _, row in links], TABLE, WITNESS)


def refused_or_named(document: dict[str, Any], field: Place, keys: list[str]) -> bool:
    try:
        found = verify(document, keys)
    except NoBundle:
        return True
    return found["verdict"] == "does not agree" or field[0] in found["not_covered"]


def test_the_bundle_that_is_falsified_agrees_and_is_proved(whole: dict[str, Any]) -> None:
    found = verify(whole, [TABLE.public], [WITNESS.public])
    assert (found["verdict"], found["wrong"], len(found["signed"])) == ("agrees", [], 2)
    assert list(found["not_covered"]) == ["mode", "currency", "exponent", "later", "chain", "wires"]
    assert len(FIELDS) > 30 and all(whole[name] for name in Bundle.__struct_fields__)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: ".".join(map(str, field)))
@pytest.mark.parametrize("keys", [[], [TABLE.public]], ids=["without a key", "with the key"])
def test_a_falsified_field_is_refused_or_named(whole: dict[str, Any], field: Place, keys: list[str]) -> None:
    tried = 0
    every = list(places(whole, field))
    for place in every[:: len(every) // 5 + 1]:
        was: Any = whole
        for key in place:
            was = was[key]
        for value in falsified(was):
            tried += 1
            assert refused_or_named(replaced(whole, place, value), field, keys), (place, value)
    assert tried and verify(whole, [TABLE.public], [WITNESS.public])["verdict"] == "agrees"


@pytest.mark.parametrize("name", Bundle.__struct_fields__)
def test_a_field_that_is_missing_or_empty_is_refused_or_named(whole: dict[str, Any], name: str) -> None:
    without = {key: value for key, value in whole.items() if key != name}
    with pytest.raises(NoBundle):
        verify(without)
    empty = {**whole, name: None if name == "released_key" else type(whole[name])()}
    assert refused_or_named(empty, (name,), [])
    with pytest.raises(NoBundle):
        verify({**whole, f"{name}s_other": 1})


@pytest.mark.parametrize("name", ["site", "table", "journal"])
def test_the_signed_origin_names_site_table_and_journal(whole: dict[str, Any], name: str) -> None:
    other = {**whole, name: "other", "released_key": None}  # which is bound to the journal
    wrong = verify(other, [TABLE.public])["wrong"]
    assert "the checkpoint is of dealer/hall/1/made" in wrong[0] and "other" in wrong[0]


@pytest.mark.parametrize("exponent", ["2", 2.0, None, True, -1, 10, [], {}])
def test_an_exponent_that_is_no_number_of_decimals_is_refused(
    whole: dict[str, Any], exponent: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bundle.json"
    file.write_text(json.dumps({**whole, "exponent": exponent}), encoding="utf-8")
    assert checked(str(file)) == 2
    assert "exponent of the bundle" in capsys.readouterr().err


ATTACK = "x\nproof: made up\r\x1b[2J\x9b31m\x7f\u202e\u2028\ud800\\"


@pytest.mark.parametrize("name", [field for field in Bundle.__struct_fields__ if field not in ("version", "exponent")])
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_text_of_a_bundle_is_printed_escaped(
    whole: dict[str, Any], name: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, printed = tmp_path / "bundle.json", []
    texts = [place for place in places(whole, (name,)) if isinstance(place[-1], str | int)]
    for place in texts[:: len(texts) // 8 + 1]:
        file.write_text(json.dumps(replaced(whole, place, ATTACK)), encoding="utf-8")
        checked(str(file), *options)
        out, err = capsys.readouterr()
        printed.append(out + err)
    file.write_text(json.dumps({**whole, ATTACK: 1}), encoding="utf-8")  # a key is text as well
    checked(str(file), *options)
    printed.append("".join(capsys.readouterr()))
    assert printed and all(printed)
    for line in "".join(printed).split("\n"):
        assert line.isprintable() and not line.startswith("proof: made up")


def test_letters_and_signs_of_a_text_are_printed_as_they_are() -> None:
    assert printable("an\na\x1b[1m\\") == r"an\na\x1b[1m\\"
    assert printable("Ana Ué, 13.º 3)") == "Ana Ué, 13.º 3)"


def test_an_event_with_a_hostile_player_agrees_and_is_printed_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A forger who computes every hash again can give a player any name."""
    player = "an\nproof: made up\x1b[2J"
    document = next(
        bundled for bundled in bundles(wild_events("fortune-8", 6)) if '"player":"Rui"' in str(bundled["chain"])
    )
    events = [(json.loads(row[5].replace('"Rui"', json.dumps(player))), row) for row in document["chain"]["rows"]]
    file = tmp_path / "bundle.json"
    file.write_text(json.dumps(written_again(document, events)), encoding="utf-8")
    assert checked(str(file)) == 4
    out = capsys.readouterr().out
    assert r"an\nproof: made up\x1b[2J" in out and all(map(str.isprintable, out.split("\n")))


def test_a_terminal_without_the_letters_shows_them_escaped(whole: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "bundle.json"
    file.write_text(json.dumps({**whole, "mode": "é"}), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*REFEREE, str(file)], capture_output=True, env=environment)
    assert done.returncode == 4 and b"13.\\xba 3)" in done.stdout and not done.stderr


def test_each_verdict_has_its_exit_code(
    whole: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bundle.json"

    def run(document: object, *options: str) -> tuple[int, str]:
        file.write_text(json.dumps(document), encoding="utf-8")
        try:
            code: object = checked(*options, str(file))
        except SystemExit as end:
            code = end.code
        assert isinstance(code, int)
        return code, "".join(capsys.readouterr())

    code, output = run(whole, "--key", TABLE.public, "--witness", WITNESS.public)
    assert code == 0 and "; cosigned by witness.example" in output
    assert "\nAGREES AND PROVED: " in output and "\nnot covered: currency: " in output
    code, output = run(whole)
    assert code == 4 and "\nAGREES, SIGNED BY NO ONE: " in output and "\nnot covered: proofs: " in output
    assert run({**whole, "proofs": {}})[0] == 4
    code, output = run({**whole, "round": 3}, "--key", TABLE.public)
    assert code == 1 and "\nDOES NOT AGREE" in output
    assert run(whole, "--key", STRANGER.public)[0] == 1
    assert run({**whole, "exponent": "two"})[0] == 2 and run([])[0] == 2 and run(whole, "--key", "x")[0] == 2
    code, output = run(whole, "--help")
    assert code == 0 and all(f"\n  {number}  " in output for number in range(5))

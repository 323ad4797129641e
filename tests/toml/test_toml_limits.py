"""The reader of TOML: each text that cannot be read is refused with its line and the reason, and costs little."""

import asyncio
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from controller.commands.running import running
from controller.config.document import BadConfiguration
from controller.config.file import Config, parse_draft, read_config
from controller.pit.config import read_config as read_pit
from controller.runtime.workbench import PROPOSED, Proposing
from controller.tlog.notes import Signer
from controller.toml import apart, text
from controller.toml.apart import parse_apart
from controller.toml.text import LONGEST_VALUE, MOST_OCTETS, MOST_OPEN, MOST_PARTS, MOST_SECONDS, BadToml, parse_toml
from tests.toml.hostile import EXAMPLE, KINDS, hostile_texts

ROOT = Path(__file__).parents[2]
REFUSED = {
    "a deep key": (b"b = 1\n" + b"a." * MOST_PARTS + b"a = 1", "line 2: a key has more than 8 parts"),
    "a key of many parts": (b"a." * 20_000 + b"a = 1", "line 1: a key has more than 8 parts"),
    "a quoted key": (b"a = {" + b"'x' . " * MOST_PARTS + b"'x' = 1}", "line 1: a key has more than 8 parts"),
    "a deep header": (b"[" + b"a." * MOST_PARTS + b"a]", "line 1: a key has more than 8 parts"),
    "deep arrays": (b"a =" + b"[" * (MOST_OPEN + 1), "line 1: more than 8 brackets are open"),
    "deep tables": (b"a =" + b"{a = " * (MOST_OPEN + 1), "line 1: more than 8 brackets are open"),
    "nine lines": (b"a =" + b"[ # [\n" * (MOST_OPEN + 1), "line 9: more than 8 brackets are open"),
    "a hexadecimal number": (b"\n\na = 0x" + b"f" * 9000, "line 3: a number or date has more than 64 characters"),
    "a decimal number": (b"a = " + b"9" * 5000, "line 1: a number or date has more than 64 characters"),
    "a number in a table": (b"a = {b = [1], c = " + b"1" * 65 + b"}", "line 1: a number or date has more than 64 char"),
    "65 bits": (b"a = [0xffffffffffffffff]", "line 1: an integer does not fit in 64 bits"),
    "too small": (b"a = -9_223_372_036_854_775_809", "line 1: an integer does not fit in 64 bits"),
    "a date": (b"a = 2026-02-30", "line 1: Invalid date or datetime"),
    "no UTF-8": (b"a = 1\nb = '\xff'", "line 2: octet 0xff is not UTF-8"),
    "half a character": (b"a = '\xed\xa0\x80'", "line 1: octet 0xed is not UTF-8"),
    "NUL": (b"a = '\0'", "line 1: Found invalid character"),
    "CR alone": (b"a = 1\rb = 2", "line 1: Expected newline or end of document"),
    "two byte order marks": (b"\xef\xbb\xbf\xef\xbb\xbfa = 1", "line 1: Invalid statement"),
    "a key twice": (b"a = 1\n\na = 2", "line 3: Cannot overwrite a value"),
    "a text without end": (b'a = 1\nb = """\n\n', 'line 2: a text begins with " and does not end'),
    "an array without end": (b"a = [1,\n2", "line 2: Unclosed array"),
    "a long text": (b"#\n" * 40_000, f"line {1 + MOST_OCTETS // 2}: the text is longer than {MOST_OCTETS} octets"),
}  # fmt: skip

_TEXTS = (
    r'"""a "" [ \" \\"""""', r'"\u00e9 \\"', '""', '"#"', "'''b ' { '''''", r"'c\'", "''", "'''\n#'''", '"""\\\n  d"""'
)  # fmt: skip
TEXTS = f"texts = [{', '.join(_TEXTS)}]"


@pytest.mark.parametrize("name", REFUSED)
def test_a_text_is_refused_with_its_line_and_the_reason_here_and_in_the_child(name: str) -> None:
    octets, sentence = REFUSED[name]
    for parse in (parse_toml, parse_apart):
        with pytest.raises(BadToml) as bad:
            parse(octets)
        assert str(bad.value).startswith(sentence)


def test_what_is_within_the_limits_is_read_as_it_was_here_and_in_the_child() -> None:
    deep = ".".join("a" * MOST_PARTS)
    octets = f"""
[[{deep}]]
1234567890123456789012345678901234567890123456789012345678901234567890 = 9223372036854775807 # a key of digits
"quoted.{"x." * 20}" . 'literal=[[[[[[[[[[' = [-9223372036854775808, 0xff, 0o7, 0b1, 1_000]
times = [1979-05-27T07:32:00.999999-07:00, 1979-05-27 07:32:00, 1979-05-27, 07:32:00.5]
floats = [1.5, -0.0, 1e400, inf]
{TEXTS}
inline = {{a = {{b.c = [{{}}, [[]]]}}, "[[[[" = true}} # ]]
nested = [[[[[[[[]]]]]]]]
""".replace("\n", "\r\n").encode()  # fmt: skip
    document = tomllib.loads(octets.decode())
    assert document and parse_toml(octets) == parse_apart(octets) == document
    assert parse_toml(b"\xef\xbb\xbf" + octets) == parse_apart(b"\xef\xbb\xbf" + octets) == document
    date = f"a = 0x{'0' * (LONGEST_VALUE - 2)}".encode()
    assert parse_toml(date) == {"a": 0}


def test_the_longest_pit_is_read(tmp_path: Path) -> None:
    """200 tables at a witness, a dozen pots of sixteen tables, and a hundred persons."""
    page = (ROOT / "docs" / "pit.md").read_text(encoding="utf-8")
    link = "[[link]]" + page.partition("[[link]]")[2].partition("```")[0]
    people = "".join(f'"Maria da Conceição {number}" = "inspector"\n' for number in range(100)) + 'rui = "supervisor"\n'
    tables = [f"hall-{number // 16}/table-{number}" for number in range(200)]
    written = '[floor]\nbroker = "mqtt://127.0.0.1:1"\n[archive]\nname = "cellar"\ndatabase = "dbname=pit"\n'
    written += f'[console]\n[people]\n{people}[signing]\nkey_file = "pit.key"\n'
    written += '[witness]\nkey_file = "witness.key"\ntables = [\n'
    written += "".join(
        f'  "{Signer(f"dealer/{table}", number.to_bytes(32)).verifier}",\n' for number, table in enumerate(tables)
    )
    written += "]\n"
    for number in range(12):
        own = ", ".join(f'"{table}"' for table in tables[16 * number : 16 * number + 16])
        written += link.replace('"hall"', f'"hall-{number}"').replace('"macau-1/table-1", "macau-1/table-2"', own)
    (file := tmp_path / "pit.toml").write_text(written, encoding="utf-8")
    config = read_pit(file)
    assert config.witness is not None and (len(config.witness.tables), len(config.links)) == (200, 12)
    assert 1 << 14 < file.stat().st_size < MOST_OCTETS


def test_a_thousand_hostile_texts_end_in_a_sentence_with_little_work_and_flat_memory(tmp_path: Path) -> None:
    """A process of its own, so that its memory is that of the reader alone; processor time, which waits for no one."""
    words = [sys.executable, "-m", "tests.toml.read_all", str(tmp_path)]
    ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    answer = json.loads(ended.stdout)
    assert answer["refused"] > 900
    assert answer["seconds"] < 1, answer
    assert answer["kib"] < 32 << 10, answer


def _verdict(read: object) -> Config | list[str]:
    try:
        return read()  # type: ignore[operator, no-any-return]
    except BadConfiguration as bad:
        return [str(mistake) for mistake in bad.mistakes]


def test_a_draft_is_judged_in_the_child_as_a_file_is(tmp_path: Path) -> None:
    path = tmp_path / "station.toml"
    for octets in hostile_texts(len(KINDS), seed=40):
        path.write_bytes(octets)
        assert _verdict(lambda octets=octets: parse_draft(path, octets)) == _verdict(lambda: read_config(path))


def table(folder: Path) -> Proposing:
    """What takes drafts at a table of the example."""
    (folder / "state").mkdir()
    written = EXAMPLE.replace(b"/var/lib/dealer-station", str(folder / "state").encode())
    (file := folder / "station.toml").write_bytes(written)
    return Proposing(read_config(file), lambda: [], None)  # type: ignore[arg-type]


def program(folder: Path, lines: str, seconds: int = MOST_SECONDS) -> str:
    """A program in place of the child's, which does this where it would parse."""
    (file := folder / "child.py").write_text(
        f"import runpy\nreader = runpy.run_path({text.__file__!r})\n"
        f"def parse(octets):\n    {lines}\n"
        f"reader['_main'].__globals__.update(parse_toml=parse, MOST_SECONDS={seconds})\nreader['_main']()\n"
    )
    return str(file)


def test_a_child_that_takes_too_much_memory_or_time_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "PATIENCE", 60)  # the limits end it, however busy the computer is
    for lines, seconds in (("bytearray(1 << 28); return {}", 60), ("while True: pass", 0)):
        monkeypatch.setattr(apart, "PROGRAM", program(tmp_path, lines, seconds))
        with pytest.raises(BadToml, match="more memory or time than is allowed"):
            parse_apart(b"")
    monkeypatch.setattr(apart, "PATIENCE", 0.2)
    monkeypatch.setattr(apart, "PROGRAM", program(tmp_path, "import time; time.sleep(1000)"))
    with pytest.raises(BadToml, match="not read within"):
        parse_apart(b"")
    monkeypatch.setattr(apart, "PATIENCE", 60)
    monkeypatch.setattr(apart, "PROGRAM", str(tmp_path / "none.py"))
    with pytest.raises(OSError, match=r"none.py"):
        parse_apart(b"")


def test_the_limit_of_time_does_not_count_the_start_of_the_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "PATIENCE", 60)
    slow = tmp_path / "slow.py"
    slow.write_text(
        f"import runpy, time\nwhile time.process_time() < {MOST_SECONDS + 0.1}: pass\n"
        f"runpy.run_path({text.__file__!r}, run_name='__main__')\n"
    )
    monkeypatch.setattr(apart, "PROGRAM", str(slow))
    assert parse_apart(b"a = 1") == {"a": 1}


def test_a_draft_that_no_child_reads_is_kept_nowhere_and_answered_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposing = table(tmp_path)
    monkeypatch.setattr(apart, "PROGRAM", str(tmp_path / "none.py"))
    [mistake] = asyncio.run(proposing.proposed(tmp_path.joinpath("station.toml").read_text(encoding="utf-8"), "mei"))
    assert mistake["key"] == "(file)" and "a process that reads it" in mistake["expected"]
    assert not (tmp_path / "state" / PROPOSED).exists()


def test_a_child_has_no_descriptor_and_no_environment_of_the_station(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", "/run/credentials/secret")
    lines = (
        "import os; return {'files': sorted(map(int, os.listdir('/proc/self/fd'))), "
        "'environment': str(os.environ), 'cwd': os.getcwd()}"
    )
    monkeypatch.setattr(apart, "PROGRAM", program(tmp_path, lines))
    secret = os.open(__file__, os.O_RDONLY)
    try:
        os.set_inheritable(secret, True)
        found = parse_apart(b"")
    finally:
        os.close(secret)
    assert found["files"][:3] == [0, 1, 2] and len(found["files"]) == 4, "the fourth is the folder that lists them"
    assert "secret" not in found["environment"] and found["cwd"] == "/"


def test_the_loop_runs_while_a_draft_is_read_and_one_is_read_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child waits for a file that only the loop writes: a reader in the loop would wait for ever."""
    proposing = table(tmp_path)
    written = (tmp_path / "station.toml").read_bytes()
    seen, go = tmp_path / "seen", tmp_path / "go"
    lines = (
        f"import os, time, tomllib; os.mkdir({str(seen)!r})\n"
        f"    while not os.path.exists({str(go)!r}): time.sleep(0.01)\n"
        f"    os.rmdir({str(seen)!r}); return tomllib.loads(octets.decode())"
    )
    monkeypatch.setattr(apart, "PROGRAM", program(tmp_path, lines))
    monkeypatch.setattr(apart, "PATIENCE", 60)

    async def run() -> None:
        drafts = [asyncio.create_task(proposing.proposed(written.decode(), by)) for by in ("mei", None, None)]
        for _ in iter(seen.exists, True):
            await asyncio.sleep(0.01)
        go.touch()
        assert await asyncio.gather(*drafts) == [[], [], []], "a second child at once would find the folder"

    asyncio.run(run())
    assert (tmp_path / "state" / PROPOSED).read_bytes() == written


def test_a_configuration_that_is_a_pipe_or_has_no_end_holds_no_command_up(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "station.toml")
    (process := tmp_path / "1").mkdir()
    (process / "cmdline").write_bytes(b"\0".join((b"dealer-station", b"run", b"--config", bytes(pipe))))
    assert running(tmp_path) == []
    with pytest.raises(BadConfiguration, match="mistake"):
        read_config(Path("/dev/zero"))

"""The file of PINs and the command that sets them: what is taken, what is kept, and for whom the file is readable."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.command_line import pins as command
from controller.config.file import read_config
from controller.console.pins import PinHasher, PinsUnreadable, WeakPin, changing_pins, read_pins, refuse_weak
from tests.configured import table_toml
from tests.console.gates import QUICK

PIN = "274951"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A simulated table's configuration that asks for PINs."""
    text = table_toml()
    path = tmp_path / "station.toml"
    path.write_text(text.replace("[console]\n", "[console]\npins = true\n"), encoding="utf-8")
    (tmp_path / "state").mkdir()
    return path


def file_of(config: Path) -> Path:
    return config.parent / "state" / "pins.json"


def set_pin(config: Path, name: str, ask: Callable[[str], str]) -> int:
    return command.set_pin(read_config(config), name, ask, QUICK)


def typing(*pins: str) -> Callable[[str], str]:
    """Someone who types these, one at each question."""
    typed: Iterator[str] = iter(pins)
    return lambda question: next(typed)


@pytest.mark.parametrize(
    "pin",
    ["", "27495", "2749512749512", "27495a", "²74951", "٢٧٤٩٥١", "000000", "777777", "123456", "654321", "890123",
     "210987", "0123456789", " 274951", "-27495"],
)  # fmt: skip
def test_a_pin_that_is_tried_first_or_is_none_is_not_taken(pin: str) -> None:
    with pytest.raises(WeakPin):
        refuse_weak(pin)


@pytest.mark.parametrize("pin", ["274951", "112233", "123457", "19840726", "135791", "012345678912"])
def test_any_other_pin_is_taken(pin: str) -> None:
    refuse_weak(pin)


def test_a_pin_is_kept_by_a_memory_hard_hash_and_never_as_it_is() -> None:
    kept = PinHasher().hash(PIN)
    name, parameters = kept.split("$")[1], dict(part.split("=") for part in kept.split("$")[3].split(","))
    assert name == "argon2id" and int(parameters["m"]) >= 64 * 1024 and int(parameters["t"]) >= 3
    assert PIN not in kept and PinHasher().verify(kept, PIN) and QUICK.hash(PIN) != QUICK.hash(PIN)
    assert not QUICK.verify(QUICK.hash(PIN), "274952")
    with pytest.raises(PinsUnreadable, match="again"):
        QUICK.verify("x" * 20, PIN)


def test_a_pin_is_set_changed_listed_and_removed(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert set_pin(config, "ana", typing(PIN, PIN)) == 0
    file = file_of(config)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and [*file.parent.iterdir()] == [file]
    first = read_pins(file)["ana"]
    assert QUICK.verify(first, PIN) and PIN not in file.read_text(encoding="utf-8")
    assert set_pin(config, "rui", typing("862043", "862043")) == 0
    assert set_pin(config, "ana", typing("590318", "590318")) == 0
    assert QUICK.verify(read_pins(file)["ana"], "590318") and read_pins(file).keys() == {"ana", "rui"}
    capsys.readouterr()
    assert main(["pin", "--list", "--config", str(config)]) == 0
    assert capsys.readouterr().out.split() == ["ana", "PIN", "dealer", "rui", "PIN", "supervisor"]
    assert main(["pin", "ana", "--remove", "--config", str(config)]) == 0
    assert read_pins(file).keys() == {"rui"}
    assert main(["pin", "ana", "--remove", "--config", str(config)]) == 2
    capsys.readouterr()
    main(["pin", "--list", "--config", str(config)])
    assert "–" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize(
    ("name", "typed", "expected"),
    [
        ("eva", (PIN, PIN), "not in [people], which has ana, rui"),
        ("ana", ("123456", "123456"), "count up"),
        ("ana", (PIN, "274952"), "two different"),
        ("ana", ("27", "27"), "6 to 12 digits"),
    ],
)
def test_what_is_not_taken_changes_nothing(
    config: Path, name: str, typed: tuple[str, ...], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert set_pin(config, name, typing(*typed)) == 2
    complaint = capsys.readouterr().err
    assert expected in complaint and not any(pin in complaint for pin in typed) and not file_of(config).exists()


def test_someone_who_is_in_the_configuration_no_more_is_listed_and_removed(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with changing_pins(file_of(config)) as pins:
        pins["eva"] = QUICK.hash(PIN)
    main(["pin", "--list", "--config", str(config)])
    assert "eva  PIN  in [people] no more" in capsys.readouterr().out
    assert main(["pin", "eva", "--remove", "--config", str(config)]) == 0 and read_pins(file_of(config)) == {}


def pipe_in_place_of(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o600)


SPOILT = {
    "open to its group": lambda file: file.chmod(0o640),
    "open to all": lambda file: file.chmod(0o604),
    "no JSON": lambda file: file.write_text("{"),
    "of another schema": lambda file: file.write_text('{"schema":2,"pins":{}}'),
    "no text": lambda file: file.write_bytes(b"\xff\xfe"),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    "a pipe": pipe_in_place_of,
    "a link": lambda file: file.symlink_to(file.rename(file.with_name("elsewhere"))),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT.keys())
def test_a_file_that_is_not_as_it_was_written_is_not_believed_and_not_written_over(
    config: Path, spoil: Callable[[Path], object], capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(config)
    set_pin(config, "ana", typing(PIN, PIN))
    spoil(file)
    with pytest.raises(PinsUnreadable):
        read_pins(file)
    before = file.read_bytes() if file.is_file() else None
    assert set_pin(config, "rui", typing(PIN, PIN)) == 78
    assert main(["pin", "--list", "--config", str(config)]) == 78
    assert main(["check-config", str(config)]) == 0 and f"the PINs: {file}" in capsys.readouterr().out
    assert before is None or file.read_bytes() == before


def test_a_change_that_cannot_be_written_leaves_the_file_as_it_was(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_pin(config, "ana", typing(PIN, PIN))
    before = file_of(config).read_bytes()

    def full(*paths: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert set_pin(config, "rui", typing(PIN, PIN)) == 78
    assert file_of(config).read_bytes() == before and len([*file_of(config).parent.iterdir()]) == 1


def test_root_gives_the_file_to_whom_the_folder_belongs(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda file, user, group: given.append((user, group)))
    set_pin(config, "ana", typing(PIN, PIN))
    owner = file_of(config).parent.stat()
    assert given == [(owner.st_uid, owner.st_gid)]


def test_check_config_says_who_has_no_pin_and_what_to_do(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wanted in ("no PIN is set for ana, rui: dealer-station pin NAME", "no PIN is set for rui: "):
        assert main(["check-config", str(config)]) == 0
        expected = capsys.readouterr().out
        assert wanted in expected and ("read-only" in expected) is ("ana" in wanted)
        set_pin(config, "ana", typing(PIN, PIN))
    set_pin(config, "rui", typing(PIN, PIN))
    config.write_text(config.read_text(encoding="utf-8").replace("pins = true", "pins = false"), encoding="utf-8")
    capsys.readouterr()
    assert main(["check-config", str(config)]) == 0 and "PIN" not in capsys.readouterr().out


def test_the_command_asks_without_showing_what_is_typed(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def getpass(question: str) -> str:
        asked.append(question)
        raise EOFError

    monkeypatch.setattr(command.set_pin, "__defaults__", (getpass, QUICK))
    assert main(["pin", "ana", "--config", str(config)]) == 2
    assert asked == ["PIN of ana: "] and not file_of(config).exists()

"""Every input that fuzzing found worth keeping, once more."""

from pathlib import Path

import pytest

from tests.fuzz import corpus
from tests.fuzz.targets import TARGETS, http


def test_each_target_has_a_corpus_and_each_corpus_a_target() -> None:
    assert corpus.targets() == sorted(TARGETS) and all(corpus.read(target) for target in TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus_finds_nothing_wrong(target: str) -> None:
    for name, octets in corpus.read(target).items():
        try:
            TARGETS[target](octets)
        except Exception as error:
            error.add_note(f"{target}: {name}")
            raise


@pytest.mark.parametrize("target", TARGETS)
def test_an_archive_is_the_same_when_its_inputs_are_added_to_an_empty_one(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = corpus.path_of(target).read_bytes()
    corpus.unpack(target, tmp_path / "unpacked")
    monkeypatch.setattr(corpus, "FOLDER", tmp_path)
    inputs = list((tmp_path / "unpacked").iterdir())
    assert corpus.add(target, inputs) == len(inputs) > 0
    assert corpus.path_of(target).read_bytes() == kept


def test_an_input_is_added_once_and_its_name_is_not_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "FOLDER", tmp_path)
    (found := tmp_path / "crash-1").write_bytes(b"one")
    assert (corpus.add("http", [found]), corpus.add("http", [found])) == (1, 0)
    found.write_bytes(b"two")
    with pytest.raises(ValueError, match=r"http\.zip holds another input with the name crash-1"):
        corpus.add("http", [found])
    assert corpus.read("http") == {"crash-1": b"one"}


def test_a_failure_of_the_console_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(face: object) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr("tests.console.test_console_page.Face.projection", fails)
    with pytest.raises(AssertionError, match=r"500|ZeroDivisionError"):
        http(b"\xff" + b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")

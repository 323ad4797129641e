"""Every input that fuzzing found worth keeping, once more."""

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS, http

CORPUS = Path(__file__).parent / "corpus"


def test_each_target_has_a_corpus_and_each_corpus_a_target() -> None:
    assert {folder.name for folder in CORPUS.iterdir()} == set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus_finds_nothing_wrong(target: str) -> None:
    for kept in sorted((CORPUS / target).iterdir()):
        try:
            TARGETS[target](kept.read_bytes())
        except Exception as error:
            error.add_note(f"{kept.relative_to(CORPUS)}")
            raise


def test_a_failure_of_the_console_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(face: object) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr("tests.console.test_console_page.Face.projection", fails)
    with pytest.raises(AssertionError, match=r"500|ZeroDivisionError"):
        http(b"\xff" + b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")

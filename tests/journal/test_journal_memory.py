"""Between deal and turn the core image of a station holds no text that says which cards are where."""

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journal.dealt import SHIFT

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def core_image(pid: int) -> Iterator[bytes]:
    """What a core dump would hold: every page that the process can write."""
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in maps:
            place, access, *_ = line.split()
            first, last = (int(at, 16) for at in place.split("-"))
            if access.startswith("rw"):
                memory.seek(first)
                yield memory.read(last - first)


def test_no_text_in_memory_says_what_is_face_down(tmp_path: Path) -> None:
    cards = random.sample(DECK, 3)
    encoded = [".".join(str(ord(sign) + SHIFT) for sign in card) for card in cards]
    # As the journal's seal takes them, as one text, and as the codes beside one another.
    first, second, third = (card.encode() for card in cards)
    texts = re.compile(rb'%b"?[ ,]*"?(?:[0-9]+":")?%b"?[ ,]*"?(?:[0-9]+":")?%b' % (first, second, third))
    command = [sys.executable, "-m", "tests.journal.dealt", str(tmp_path), *encoded]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as station:
        assert station.stdout is not None
        assert any(line == "dealt\n" for line in station.stdout)
        image = list(core_image(station.pid))
        station.communicate("\n")
    assert sum(map(len, image)) > 10_000_000 and any(b"PacketDispensed" in part for part in image)
    assert [found for part in image for found in texts.findall(part)] == []

"""A shadow table reads the wires of another table, plays its rounds beside it, and writes nothing."""

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from simulators.games import GAMES
from simulators.playback_file import read_recording
from tests.station.floor_ear import Published
from tests.station.shadow import shadow
from tests.station.simulated import simulate

WITH_SLOTS = {"fortune-3-card-poker-2025", "blackjack-21"}  # at others there is no jackpot
FIRST, *OTHERS = ((game, "adu218" if game in WITH_SLOTS else "", ()) for game in GAMES)
SHADOWED = [  # game, the driver of its slots, options
    FIRST,
    *(pytest.param(*other, marks=pytest.mark.soak) for other in OTHERS),
    pytest.param("fortune-3-card-poker-2025", "numato", ("--slots", "numato"), marks=pytest.mark.soak),
    pytest.param("blackjack-21", "", ("--marking", "manual"), marks=pytest.mark.soak),
]
OF_ITS_OWN = {"mode", "began", "confirmed", "sequence", "journal"}


def rounds(messages: list[Published]) -> list[dict[str, Any]]:
    datas = [json.loads(message.payload)["data"] for message in messages if message.topic.endswith("/rounds")]
    return [{key: value for key, value in data.items() if key not in OF_ITS_OWN} for data in datas]


def compared(config: Path, other: Path, *options: str) -> tuple[int, list[dict[str, Any]]]:
    shown = io.StringIO()
    with redirect_stdout(shown):
        code = main(["audit", "differences", str(other), "--config", str(config), "--json", *options])
    found = json.loads(shown.getvalue())
    assert found["mode"] == "shadow" and code == (65 if found["differences"] else 0)
    return found["rounds"], found["differences"]


def assert_differences_are_found(config: Path, messages: list[Published], file: Path) -> None:
    """None where the other table did the same; each one where it errs, by messages and as a person enters it."""
    published = [json.loads(message.payload) for message in messages if message.topic.endswith("/rounds")]
    file.write_text("".join(f"{json.dumps(message)}\n" for message in published))
    assert compared(config, file) == (5, [])
    seat = published[1]["data"]["seats"][0]
    right, name = seat["net"], f"seats/{seat['seat']}/net"
    seat["net"] += 100
    shown = next(card for card in published[3]["data"]["shown_cards"] if card["cards"])
    cards = " ".join(shown["cards"])
    shown["cards"] = shown["cards"][::-1] if len(set(shown["cards"])) > 1 else ["??"]
    file.write_text("".join(f"{json.dumps(message['data'])}\n" for message in published[:4]))
    both, found = compared(config, file)
    assert both == 4
    assert {"round": 2, "name": name, "here": str(right), "there": str(right + 100)} in found
    assert [difference["here"] for difference in found if difference["name"].startswith("shown_cards/")] == [cards]
    assert {"round": 5, "name": "round", "here": "confirmed", "there": None} in found and len(found) == 3
    file.write_text(f"round,{name},outcome\n102,{right + 1},settled\n", encoding="utf-8")
    both, found = compared(config, file, "--first", "101")
    assert both == 1 and {"round": 2, "name": name, "here": str(right), "there": str(right + 1)} in found


@pytest.mark.parametrize(("game", "slots", "chosen"), SHADOWED)
def test_its_rounds_are_those_of_the_other_table(
    game: str, slots: str, chosen: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "shadow").mkdir()
    record = tmp_path / "record"
    options = ("--game", game, "--record", str(record), "--seed", "5", *chosen)
    other = simulate(tmp_path / "other", 5, *options)
    wires = sorted(path.stem for path in record.glob("*.wire") if path.stem in ("shoe", "shuffler", "slots"))
    played = {wire.name: wire.device for wire in read_recording(record)}
    assert played.get("slots", "") == slots
    beside = shadow(record, tmp_path / "shadow", wires)
    assert (beside.written, beside.writable) == (0, [])
    assert rounds(beside.messages) == rounds(other.messages) and len(rounds(beside.messages)) == 5
    assert_differences_are_found(beside.config, other.messages, tmp_path / "other.jsonl")
    modes = {json.loads(sent.payload)["data"]["mode"] for sent in beside.messages if sent.topic.endswith("/rounds")}
    assert modes == {"shadow"} and b"SHADOW" in beside.screen

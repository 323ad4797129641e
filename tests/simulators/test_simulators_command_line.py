"""The command line of the bench and the station.toml it writes."""

import asyncio
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from controller.config.file import read_config
from drivers.betabrite.make import BetaBriteSettings
from drivers.numato.make import NumatoSettings
from simulators import broker
from simulators.__main__ import main
from simulators.dealer.http_face import StationFace
from simulators.dealer.station_desk import NoProgress, StationDesk
from simulators.pace import pace_from_text
from simulators.station_toml import read_setting
from tests.configured import table_toml
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_8, TAIWAN_PAI_KAO
from tests.station.forked import Forked, forked_run

TOML = table_toml(game="fortune-3-card-poker-2025", seats=5)


class RunUntilReady:
    """A bench that is ready; it ends with its standard input."""

    def __init__(self, directory: Path, *options: str) -> None:
        asked, self._stdin = os.pipe()
        printed, stdout = os.pipe()
        arguments = ("bench", "--dir", str(directory), "--speed", "max", *options)
        with open(asked, "rb") as stdin, open(stdout, "wb") as out, open(2, "wb", closefd=False) as complaints:
            self.process = Forked("simulators", *arguments, stdin=stdin, stdout=out, stderr=complaints)
        with open(printed, encoding="utf-8") as lines:
            assert lines.readline().startswith("ready ")

    def end(self) -> None:
        os.close(self._stdin)
        assert self.process.wait(60) == 0


def test_it_ends_at_sigterm_and_leaves_no_device_behind(tmp_path: Path) -> None:
    running = RunUntilReady(tmp_path, "--broker", "none")
    assert (tmp_path / "usb.sock").exists() and (tmp_path / "shuffler").is_symlink()
    running.process.terminate()
    running.end()
    assert not (tmp_path / "usb.sock").exists() and not (tmp_path / "shuffler").is_symlink()


def test_the_toml_is_a_simulation_with_every_section() -> None:
    setting = tomllib.loads(TOML)
    assert setting["mode"] == "simulation"
    assert setting["table"] == {
        "site": "laptop", "id": "table-1", "game": "fortune-3-card-poker-2025", "seats": 5, "card_source": "shoe",
        "currency": "MOP", "exponent": 2, "limits": {"min": 10000, "max": 1000000},
        "wagers": {"additional": ["six_card_bonus", "jackpot"]},
    }  # fmt: skip
    assert setting["devices"]["slots"]["seats"] == {"0": 1, "1": 2, "2": 3, "3": 4, "4": 5}
    assert set(setting["devices"]) == {"shuffler", "shoe", "slots", "sign"}
    assert setting["journal"]["path"] == "state/journal.db"


def test_the_toml_names_the_table_as_it_was_asked_for() -> None:
    table = tomllib.loads(other_game(FORTUNE_8, site="lisboa", table="f8-2"))["table"]
    assert (table["site"], table["id"]) == ("lisboa", "f8-2")


def other_game(game: str, **more: Any) -> str:
    return table_toml(game=game, source="shuffler", **more)


def test_the_toml_of_2008_has_seven_seats_and_neither_jackpot_nor_slots_nor_sign(tmp_path: Path) -> None:
    (tmp_path / "station.toml").write_text(text := other_game(FORTUNE_3_2008))
    written = tomllib.loads(text)
    assert "jackpot" not in written and "wagers" not in written["table"]
    assert written["table"]["seats"] == 7
    assert not {"decks", "deal"} & set(written["table"])
    assert set(written["devices"]) == {"shuffler", "shoe"}
    assert written["devices"]["shuffler"]["packet_sizes"] == [3]
    setting = read_setting(tmp_path / "station.toml")
    assert (setting.game, setting.seats, setting.decks, setting.additional, setting.chip) == (
        FORTUNE_3_2008, 7, 1, [], 0,
    )  # fmt: skip
    assert setting.slots is None and "sign" not in setting.makes


def test_the_toml_of_fortune_8_says_how_many_decks_and_which_deal(tmp_path: Path) -> None:
    table = tomllib.loads(other_game(FORTUNE_8))["table"]
    assert (table["seats"], table["decks"], table["deal"]) == (7, 8, "every_space")
    (tmp_path / "station.toml").write_text(text := other_game(FORTUNE_8, decks=3, deal="spaces_with_bets"))
    written = tomllib.loads(text)
    assert "jackpot" not in written and "wagers" not in written["table"]
    assert written["devices"] == {
        "shuffler": {"driver": "shuffler-link", "port": "shuffler"}, "shoe": {"driver": "angel-eye", "port": "shoe"}
    }  # fmt: skip
    setting = read_setting(tmp_path / "station.toml")
    assert (setting.game, setting.decks, setting.deal) == (FORTUNE_8, 3, "spaces_with_bets")
    assert (setting.minimum, setting.maximum, setting.slots, setting.makes.get("sign")) == (10000, 1000000, None, None)


@pytest.mark.parametrize("marking", ["automatic", "manual"])
def test_the_toml_of_blackjack_has_slots_only_where_the_prize_is_marked_by_them(tmp_path: Path, marking: str) -> None:
    (tmp_path / "station.toml").write_text(text := other_game(BLACKJACK_21, marking=marking, decks=4))
    written = tomllib.loads(text)
    assert (written["table"]["seats"], written["table"]["decks"]) == (7, 4)
    assert written["table"]["limits"] == {"min": 10000, "max": 300000}, "thirty times the minimum (37)"
    assert written["jackpot"]["marking"] == marking and "fixed" not in written["jackpot"]
    assert written["jackpot"]["minimum"] >= 10000 * written["jackpot"]["chip"], "44"
    assert set(written["devices"]) == {"shuffler", "shoe", "sign", *(["slots"] if marking == "automatic" else [])}
    setting = read_setting(tmp_path / "station.toml")
    assert (setting.decks, setting.additional, setting.chip, setting.increment_bp) == (4, ["jackpot"], 500, 7000)
    assert (setting.slots is None) == (marking == "manual")


@pytest.mark.parametrize("options", [("--source", "shoe"), ("--marking", "manual", "--decks", "4", "--seats", "6")])
def test_a_table_of_blackjack_comes_up(tmp_path: Path, options: tuple[str, ...]) -> None:
    RunUntilReady(tmp_path, "--broker", "none", "--game", BLACKJACK_21, *options).end()


@pytest.mark.parametrize(("source", "devices"), [("shoe", {"shoe", "sign"}), ("hand", {"sign"})])
def test_the_toml_of_pai_kao_has_a_sign_and_perhaps_a_reader(tmp_path: Path, source: str, devices: set[str]) -> None:
    text = table_toml(game=TAIWAN_PAI_KAO, source=source)
    (tmp_path / "station.toml").write_text(text)
    written = tomllib.loads(text)
    assert (written["table"]["seats"], written["table"]["card_source"], set(written["devices"])) == (8, "shoe", devices)
    assert "jackpot" not in written and not {"decks", "deal"} & set(written["table"])
    setting = read_setting(tmp_path / "station.toml")
    assert ("shoe" in setting.makes, setting.slots, setting.makes["sign"]) == (source == "shoe", None, "alpha")
    config = read_config(tmp_path / "station.toml")
    assert (config.game, config.seats, config.shoe is not None) == (TAIWAN_PAI_KAO, 8, source == "shoe")


@pytest.mark.parametrize(("right", "wrong"), [('"fortune-8"', '"baccarat"'), ('"every_space"', '"some"')])
def test_a_game_or_a_deal_that_is_not_on_the_bench_is_named(tmp_path: Path, right: str, wrong: str) -> None:
    (tmp_path / "station.toml").write_text(other_game(FORTUNE_8).replace(right, wrong))
    with pytest.raises(ValueError, match=f"{wrong.strip(chr(34))}' is not on the bench"):
        read_setting(tmp_path / "station.toml")


def test_a_table_without_the_slots_that_its_game_needs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "station.toml").write_text(re.sub(r"\[devices\.slots[^[]*", "", TOML))
    command = ["bench", "--dir", str(tmp_path), "--keep", "--broker", "none"]
    code, _, complaint = forked_run("simulators", *command, seconds=60)
    assert (code, complaint) == (
        1, "dealer-station-sim: the chips of this game are placed in slots, and this table has none\n"
    )  # fmt: skip


@pytest.mark.parametrize("game", [FORTUNE_3_2008, FORTUNE_8])
@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_a_table_of_the_other_games_comes_up_with_its_two_devices(tmp_path: Path, game: str, source: str) -> None:
    running = RunUntilReady(tmp_path, "--broker", "none", "--game", game, "--source", source)
    opened = set(os.listdir(tmp_path))
    running.end()
    assert not {"usb.sock", "sign"} & opened
    assert read_setting(tmp_path / "station.toml").card_source == source
    RunUntilReady(tmp_path, "--broker", "none", "--keep").end()
    assert read_setting(tmp_path / "station.toml").game == game


def test_a_toml_without_a_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "station.toml").write_text(TOML.replace("lock_lamp_relay = 7\n", ""))
    with pytest.raises(ValueError, match="lock_lamp_relay"):
        read_setting(tmp_path / "station.toml")


def test_a_kept_toml_is_left_alone_and_a_directory_is_used_again(tmp_path: Path) -> None:
    RunUntilReady(tmp_path, "--broker", "none").end()
    first = (tmp_path / "station.toml").read_text()
    RunUntilReady(tmp_path, "--broker", "none", "--keep", "--seats", "5").end()
    assert (tmp_path / "station.toml").read_text() == first
    RunUntilReady(tmp_path, "--broker", "mqtts://casino:8883", "--listen", "127.0.0.1:18080").end()
    setting = tomllib.loads((tmp_path / "station.toml").read_text())
    assert setting["floor"]["broker"] == "mqtts://casino:8883"
    assert setting["console"]["listen"] == "127.0.0.1:18080"


async def answers_mqtt(port: int) -> bytes:
    """CONNECT of MQTT 3.1.1; the first bytes of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(bytes.fromhex("10 0d 00 04 4d 51 54 54 04 02 00 3c 00 01 61"))
    answer = await reader.read(4)
    writer.close()
    await writer.wait_closed()
    return answer


@pytest.mark.skipif(broker.find_mosquitto() is None, reason="mosquitto is not installed")
async def test_mosquitto_is_started_and_ends_with_the_bench(tmp_path: Path) -> None:
    running = await asyncio.to_thread(RunUntilReady, tmp_path)
    setting = tomllib.loads((tmp_path / "station.toml").read_text())
    assert setting["floor"]["protocol"] == "5"
    port = int(setting["floor"]["broker"].rpartition(":")[2])
    assert await answers_mqtt(port) == b"\x20\x02\x00\x00"
    await asyncio.to_thread(running.end)
    assert not await broker.is_listening(port)


async def test_amqtt_replaces_it() -> None:
    embedded = broker.Amqtt(broker.free_port())
    await embedded.start()
    assert await answers_mqtt(embedded._port) == b"\x20\x02\x00\x00"
    await embedded.stop()


def refusal(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """What a bench prints when it refuses these options as wrong usage."""
    with pytest.raises(SystemExit) as ended:
        main(["bench", *options])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong",
    [
        ["--speed", "quick"], ["--speed", "-1"], ["--rounds", "0"], ["--chip-rate", "2"], ["--seats", "8"],
        ["--broker", "localhost"], ["--game", "baccarat"], ["--seats", "6", "--game", "fortune-8"],
        ["--decks", "9", "--game", "fortune-8"], ["--decks", "2", "--game", "fortune-3-card-poker-2008"],
        ["--decks", "5", "--game", "blackjack-21"], ["--seats", "5", "--game", "blackjack-21"],
        ["--source", "shuffler", "--game", "taiwan-pai-kao"], ["--source", "hand", "--game", "fortune-8"],
        ["--seats", "7", "--game", "taiwan-pai-kao"], ["--places", "4", "--game", "fortune-8"],
        ["--places", "8", "--game", "taiwan-pai-kao", "--seats", "4"],
        ["--site", "a/b"], ["--table", ""], ["--protocol", "4"],
        ["--marking", "manual", "--game", "fortune-8"], ["--marking", "by-hand", "--game", "blackjack-21"],
    ],
)  # fmt: skip
def test_wrong_usage_is_exit_code_two(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert wrong[0] in refusal(capsys, "--dir", "unused", *wrong)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--fault shoe:jam", "no kind of shoe"), ("--fault slots:stuck=7", "seats 1 to 6"),
        ("--fault shoe:mute=off", "fault socket"), ("--faults 2", "--faults"),
        ("--slots numato --fault slots:watchdog", "no watchdog"),
        (f"--game {TAIWAN_PAI_KAO} --source hand --fault shoe:mute", "nothing at this table reads the tiles"),
        ("--seats 5 --play 6", "seats 1 to 5, not 6"), ("--play 3 --play-at 0.0.0.0:8100", "argument --play-at"),
        ("--play-at 127.0.0.1:8100", "only with --play"), ("--play 1,2,3,4,5,6", "at most 5 persons"),
        (f"--game {TAIWAN_PAI_KAO} --play 1,2,3", "at most 2 persons"),
    ],
)  # fmt: skip
def test_a_fault_or_a_person_that_the_table_cannot_have_is_refused(
    capsys: pytest.CaptureFixture[str], options: str, expected: str
) -> None:
    assert expected in refusal(capsys, "--dir", "unused", *options.split())


def test_speeds() -> None:
    assert pace_from_text("max").instant
    assert pace_from_text("device") == type(pace_from_text("max"))(0.0, 1.0, True)
    assert pace_from_text("4").people == 0.25


async def test_a_refusal_that_stops_everything_ends_the_bench_with_the_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulators.dealer.station_desk.NO_PROGRESS_SECONDS", 0.05)
    monkeypatch.setattr("simulators.dealer.station_desk.AFTER_REFUSAL_SECONDS", 0.01)
    step = {"id": "3/confirm/1", "kind": "confirm", "prompt": {"en": "Pay seat 2."}}
    view = {"version": 1, "as_of": 1, "answers": {}, "step": step}
    port = broker.free_port()

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.lower().split(b"content-length:")[1].split()[0]))
        writer.write(b"HTTP/1.1 422 X\r\nContent-Length: 19\r\nConnection: close\r\n\r\n" + b'{"error":"refused"}')
        writer.close()

    face = StationFace("127.0.0.1", port, lambda: None)
    face.view, face.connected = view, True
    desk = StationDesk(face, {"dealer": "ana"}, asyncio.sleep)
    async with await asyncio.start_server(refuse, "127.0.0.1", port):
        with pytest.raises(NoProgress, match=r"3/confirm/1: Pay seat 2\."):
            while True:
                desk.watch(view, await desk.say(view, [{"kind": "confirm"}]))
    face.close()


def second_makes(seats: int) -> str:
    return table_toml(game="fortune-3-card-poker-2025", seats=seats, slots="numato", sign="betabrite")


def test_the_second_makes_in_the_toml_are_what_the_bench_reads(tmp_path: Path) -> None:
    (tmp_path / "station.toml").write_text(second_makes(7))
    setting = read_setting(tmp_path / "station.toml")
    assert setting.slots is not None
    assert (setting.makes["slots"], setting.makes["sign"], setting.sign_address) == ("numato", "betabrite", "00")
    lines = [*setting.slots.input_of_seat.values(), *setting.slots.lamp_of_seat.values()]
    lines += [setting.slots.button_input, setting.slots.lock_lamp]
    assert sorted(lines) == list(range(16)) and setting.slots.lamp_of_seat[1] == 7
    config = read_config(tmp_path / "station.toml")
    assert isinstance(config.slots, NumatoSettings) and config.slots.lamps == setting.slots.lamp_of_seat
    assert isinstance(config.sign, BetaBriteSettings) and config.sign.usb is not None


def test_a_make_that_is_not_on_the_bench_is_named(tmp_path: Path) -> None:
    (tmp_path / "station.toml").write_text(TOML.replace('"adu218"', '"adu200"'))
    with pytest.raises(ValueError, match="'adu200' is not on the bench, which has adu218 and numato"):
        read_setting(tmp_path / "station.toml")

"""The configuration: the documented example is good, and every mistake is named, all at once."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from controller.config.file import Recorder, read_config
from controller.config.floor import Tls
from controller.rulebook.games import GAMES
from drivers.adu218.make import Adu218Settings
from drivers.alpha.make import AlphaSignSettings
from drivers.betabrite.make import BetaBriteSettings
from drivers.make import SimulatedUsb
from drivers.numato.make import NumatoSettings
from tests.config.texts import EXAMPLE, example, mistakes, read, replaced

OPTIONAL = {"floor.protocol", "floor.username", "floor.password_file", "devices.shuffler.packet_sizes",
            "devices.sign.address", "journal.keep_days", "table.time_zone"}  # fmt: skip


def lines_with_keys() -> list[tuple[str, int]]:
    """Every key of the example by its full name, with its line."""
    found, section = [], ""
    for number, line in enumerate(EXAMPLE.splitlines()):
        if match := re.match(r"\[(.+)\]", line):
            section = match[1] + "."
        elif match := re.match(r"(\w+) = ", line):
            found.append((section + match[1], number))
    return found


CHECKPOINT = """[checkpoint]
key_file = "checkpoint.key"
witnesses = ["remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"]
"""


def test_checkpoints_are_signed_where_it_is_configured_with_what_and_for_whom(tmp_path: Path) -> None:
    assert read(tmp_path, EXAMPLE).checkpoint is None
    found = read(tmp_path, EXAMPLE + CHECKPOINT).checkpoint
    assert found is not None
    assert (found.key_file, found.within) == (tmp_path / "checkpoint.key", 900)
    assert [witness.name for witness in found.witnesses] == ["remora.n621.de"]
    [soon, key, kind] = mistakes(
        tmp_path,
        EXAMPLE
        + CHECKPOINT.replace(
            '"remora', '"zoe", "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "remora'
        )
        + "cosigned_minutes = 1\n",
    )
    assert (soon.key, key.key, kind.key) == (
        "checkpoint.witnesses",
        "checkpoint.witnesses",
        "checkpoint.cosigned_minutes",
    )
    assert "NAME+ID+KEY of a witness" in soon.expected and "of cosignatures" in key.expected


def test_the_documented_example_is_good(tmp_path: Path) -> None:
    config = read(tmp_path, EXAMPLE)
    assert (config.mode, config.site, config.table, config.seats) == ("live", "macau-1", "table-1", 6)
    assert (config.minimum, config.maximum, config.additional) == (10_000, 1_000_000, ("six_card_bonus", "jackpot"))
    assert config.jackpot is not None and config.jackpot.parameters.chip == 500
    assert config.jackpot.parameters.fixed["flush"] == 25_000
    assert config.people == {"ana": "dealer", "rui": "supervisor", "mei": "technician"}
    assert config.floor.tls and (config.floor.host, config.floor.port) == ("broker.example", 8883)
    assert config.listen == ("127.0.0.1", 8080)
    assert config.update_wait == 1800
    assert read(tmp_path, EXAMPLE + "[update]\nwait_minutes = 5\n").update_wait == 300
    [long] = mistakes(tmp_path, EXAMPLE + "[update]\nwait_minutes = 1441\n")
    assert long.key == "update.wait_minutes"
    assert config.slots == Adu218Settings(
        {0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6}, button_input=7, lock_lamp_relay=7, usb=None
    )
    assert isinstance(config.sign, AlphaSignSettings) and (config.sign.format, config.sign.address) == ("7E1", "00")
    assert config.shuffler is not None and config.shuffler.packet_sizes == (3,)
    assert config.journal == Path("/var/lib/dealer-station/journal.db")


def test_paths_are_relative_to_the_folder_of_the_file(tmp_path: Path) -> None:
    config = read(tmp_path, example(('path = "/var/lib/dealer-station/journal.db"', 'path = "state/j.db"')))
    assert config.journal == tmp_path / "state" / "j.db"


@pytest.mark.parametrize(("key", "line"), lines_with_keys(), ids=lambda value: str(value))
def test_a_key_left_out_is_one_mistake_that_names_it(tmp_path: Path, key: str, line: int) -> None:
    lines = EXAMPLE.splitlines()
    text = "\n".join(lines[:line] + lines[line + 1 :])
    if key in OPTIONAL or key.startswith(("devices.slots.seats.", "people.mei")):
        read(tmp_path, text)
    elif key.startswith("people."):
        [mistake] = mistakes(tmp_path, text)
        assert mistake.key == "people" and "at least one" in mistake.expected
    elif key == "table.wagers.additional":
        [mistake] = mistakes(tmp_path, text)
        assert mistake.key == "jackpot" and "table.wagers.additional" in mistake.expected
    else:
        [mistake] = mistakes(tmp_path, text)
        assert (mistake.key, mistake.value) == (key, "(missing)") and mistake.expected


def sections() -> list[str]:
    return re.findall(r"^\[(.+)\]", EXAMPLE, flags=re.MULTILINE)


@pytest.mark.parametrize("section", sections())
def test_a_section_left_out_is_one_mistake_that_names_it(tmp_path: Path, section: str) -> None:
    document = tomllib.loads(EXAMPLE)
    *outer, last = section.split(".")
    inside: Any = document
    for name in outer:
        inside = inside[name]
    del inside[last]
    text = to_toml(document)
    if section == "devices.shoe":
        read(tmp_path, text)
        return
    [mistake] = mistakes(tmp_path, text)
    if section == "devices.shuffler":
        assert mistake.key == "table.card_source" and "[devices.shuffler]" in mistake.expected
    elif section == "devices.slots":
        assert mistake.key == "table.wagers.additional" and "[devices.slots]" in mistake.expected
    elif section == "devices.sign":
        assert mistake.key == "jackpot.display" and "[devices.sign]" in mistake.expected
    else:
        assert mistake == (section, "(missing)", f"a table [{section}]")


def to_toml(table: dict[str, Any], name: str = "") -> str:
    """Enough TOML for this file."""
    here = [f"{key} = {toml_value(value)}" for key, value in table.items() if not isinstance(value, dict)]
    inside = [
        to_toml(value, f"{name}.{key}" if name else key) for key, value in table.items() if isinstance(value, dict)
    ]
    return "\n".join([*([f"[{name}]"] if name else []), *here, *inside])


def toml_value(value: object) -> str:
    return repr(value).replace("'", '"')


TEN = (
    ('mode = "live"', 'mode = "lively"'),
    ("seats = 6  ", "seats = 8  "),
    ('card_source = "shuffler"', 'card_source = "shufler"'),
    ("exponent = 2", "exponent = true"),
    ("min = 10000", 'min = "100"'),
    ("ceiling = 200000000", "ceiling = 1"),
    ('rui = "supervisor"', 'rui = "supervisr"'),
    ('broker = "mqtts://broker.example:8883"', 'broker = "http://broker.example"'),
    ('listen = "127.0.0.1:8080"', 'listem = "127.0.0.1:8080"'),
    ('format = "7E1"', 'format = "7E"'),
)


ROLES_EXPECTED = '"dealer" or "supervisor" or "inspector" or "technician"'


def test_all_mistakes_are_named_at_once_with_key_value_and_what_was_expected(tmp_path: Path) -> None:
    found = {mistake.key: mistake for mistake in mistakes(tmp_path, example(*TEN))}
    expected = {
        "mode": ('"lively"', '"simulation" or "live" or "shadow"; did you mean "live"?'),
        "table.seats": ("8", "5 to 7: six to eight hands with the bank (5.º 2)"),
        "table.card_source": ('"shufler"', '"shuffler" or "shoe"; did you mean "shuffler"?'),
        "table.exponent": ("true", "a whole number from 0 to 4"),
        "table.limits.min": ('"100"', "a whole number from 1 to 1000000000000000"),
        "jackpot.ceiling": ("1", "not below the pot and the minimum: 60000000 or more"),
        "people.rui": ('"supervisr"', f'{ROLES_EXPECTED}; did you mean "supervisor"?'),
        "floor.broker": ('"http://broker.example"', "mqtt://host:port or mqtts://host:port, the user in username"),
        "console.listen": ("(missing)", "a text"),
        "console.listem": ('"127.0.0.1:8080"', 'no such key; did you mean "listen"?'),
        "devices.sign.format": ('"7E"', '"7E1" or "8N1"; did you mean "7E1"?'),
    }
    complaints = {key: (mistake.value, mistake.expected) for key, mistake in found.items()}
    # A role that is misspelt leaves no one in it: that is reported too.
    complaints.pop("people", None)
    assert complaints == expected
    assert str(found["table.seats"]) == "table.seats = 8: expected 5 to 7: six to eight hands with the bank (5.º 2)"


WRONG = [
    ("schema = 1", "schema = 2", "schema"),
    ("schema = 1", "schema = 1.0", "schema"),
    ('site = "macau-1"', 'site = "macau/1"', "table.site"),
    ('site = "macau-1"', 'site = "#"', "table.site"),
    ('game = "fortune-3-card-poker-2025"', 'game = "fortune-3-card-poker-2026"', "table.game"),
    ("max = 1000000", "max = 9999", "table.limits.max"),
    ("increment_bp = 5000", "increment_bp = 9001", "jackpot.reserve_bp"),
    ("chip = 500", "chip = 0", "jackpot.chip"),
    ("flush = 25000", "flush = -1", "jackpot.fixed.flush"),
    ("packet_sizes = [3]", "packet_sizes = [2]", "devices.shuffler.packet_sizes"),
    ("packet_sizes = [3]", "packet_sizes = [3.0]", "devices.shuffler.packet_sizes"),
    ("packet_sizes = [3]", "packet_sizes = [3, 3]", "devices.shuffler.packet_sizes"),
    ("packet_sizes = [3]", "packet_sizes = [[3]]", "devices.shuffler.packet_sizes"),
    ("lock_lamp_relay = 7", "lock_lamp_relay = 3", "devices.slots.lock_lamp_relay"),
    ("button_input = 7", "button_input = 5", "devices.slots.seats.5"),
    ("\n5 = 6", "\n5 = 5", "devices.slots.seats.5"),
    ("\n5 = 6", "\n5 = 7", "devices.slots.seats.5"),
    ("\n5 = 6", "\n8 = 6", "devices.slots.seats.8"),
    ('address = "00"', 'address = "0g"', "devices.sign.address"),
    ('driver = "adu218"', 'driver = "adu208"', "devices.slots.driver"),
    ('driver = "alpha"', "driver = 3", "devices.sign.driver"),
    ('listen = "127.0.0.1:8080"', 'listen = "127.0.0.1"', "console.listen"),
    ('listen = "127.0.0.1:8080"', 'listen = "127.0.0.1:99999"', "console.listen"),
    ('listen = "127.0.0.1:8080"', 'listen = "[]:8080"', "console.listen"),
    ('protocol = "5"', "keep_days = 0", "floor.keep_days"),
    ('protocol = "5"', 'archives = "hall"', "floor.archives"),
    ('protocol = "5"', 'archives = ["hall", "hall"]', "floor.archives"),
    ('protocol = "5"', 'archives = ["hall/1"]', "floor.archives"),
    ('protocol = "5"', 'archives = [""]', "floor.archives"),
    ('protocol = "5"', 'protocol = "3.1.1"\narchives = ["hall"]', "floor.archives"),
    ('protocol = "5"', "archive_messages = 0", "floor.archive_messages"),
    ('protocol = "5"', 'state_differences = "yes"', "floor.state_differences"),
    ('protocol = "5"', "archive_minutes = 0.5", "floor.archive_minutes"),
    ("mqtts://broker.example:8883", "mqtts://broker.example:port", "floor.broker"),
    ("mqtts://broker.example:8883", "mqtts://[broker", "floor.broker"),
    ("mqtts://broker.example:8883", "mqtts://broker.example/topic", "floor.broker"),
    ("mqtts://broker.example:8883", "mqtts://table-1:secret@broker.example", "floor.broker"),
    ("mqtts://broker.example:8883", "mqtts://broker.example?qos=2", "floor.broker"),
    ('protocol = "5"', 'cert_file = "table.pem"', "floor.cert_file"),
    ('protocol = "5"', 'key_file = "table.key"', "floor.key_file"),
    ('protocol = "5"', 'client_id = "table 1"', "floor.client_id"),
    ('protocol = "5"', 'client_id = "a-name-of-24-characters-"', "floor.client_id"),
    ('additional = ["six_card_bonus", "jackpot"]', "additional = []", "jackpot"),
]


@pytest.mark.parametrize(("old", "new", "key"), WRONG)
def test_a_value_that_cannot_be_is_named_by_its_key(tmp_path: Path, old: str, new: str, key: str) -> None:
    found = {mistake.key for mistake in mistakes(tmp_path, example((old, new)))}
    assert key in found
    assert found <= {key, "devices.shuffler.packet_sizes"}


CERTIFICATES = 'ca_file = "ca.pem"\ncert_file = "table.pem"\nkey_file = "/run/table.key"\nclient_id = "table-1"'


def test_station_and_broker_may_prove_by_certificates_who_they_are(tmp_path: Path) -> None:
    text = example(('protocol = "5"', CERTIFICATES))
    floor = read(tmp_path, text).floor
    assert floor.tls == Tls(tmp_path / "ca.pem", tmp_path / "table.pem", Path("/run/table.key"))
    assert floor.client_id == "table-1"
    found = mistakes(tmp_path, text.replace("mqtts://", "mqtt://"))
    assert [mistake.key for mistake in found] == ["floor.ca_file", "floor.cert_file", "floor.key_file", "floor.broker"]
    assert all("mqtts://" in mistake.expected for mistake in found)


def test_simulated_devices_are_refused_in_live_mode_and_taken_in_simulation(tmp_path: Path) -> None:
    simulated = 'button_input = 7\nusb_backend = "simulators.usb_backend:open_backend"\nusb_socket = "usb.sock"'
    text = example(("button_input = 7", simulated))
    [mistake] = mistakes(tmp_path, text)
    assert mistake.key == "devices.slots.usb_backend" and 'mode is "live"' in mistake.expected
    config = read(tmp_path, text.replace('mode = "live"', 'mode = "simulation"'))
    assert isinstance(config.slots, Adu218Settings)
    assert config.slots.usb == SimulatedUsb("simulators.usb_backend:open_backend", tmp_path / "usb.sock")


NUMATO = """
[devices.slots]
driver = "numato"
port = "/dev/ttyACM0"
button_input = 14
lock_lamp_output = 15

[devices.slots.seats]
0 = 1
1 = 2
13 = 3

[devices.slots.lamps]
1 = 7
2 = 8
3 = 9
"""


def with_numato(*changes: tuple[str, str]) -> str:
    before, _, rest = EXAMPLE.partition("[devices.slots]")
    return before + replaced(NUMATO, *changes) + "[devices.sign]" + rest.partition("\n[devices.sign]")[2]


def test_the_slots_can_be_a_numato_board(tmp_path: Path) -> None:
    assert read(tmp_path, with_numato()).slots == NumatoSettings(
        port="/dev/ttyACM0", seats={0: 1, 1: 2, 13: 3}, lamps={1: 7, 2: 8, 3: 9}, button_input=14, lock_lamp_output=15
    )


def test_the_example_in_the_comments_is_good(tmp_path: Path) -> None:
    commented = re.search(r"^# \[devices\.slots\]\n(#.*\n)+", EXAMPLE, flags=re.MULTILINE)
    assert commented is not None
    before, _, rest = EXAMPLE.partition("[devices.slots]")
    shown = re.sub(r"^# ?", "", commented[0], flags=re.MULTILINE)
    text = before + shown + "\n[devices.sign]" + rest.partition("\n[devices.sign]")[2]
    slots = read(tmp_path, text).slots
    assert isinstance(slots, NumatoSettings) and len(slots.seats) == len(slots.lamps) == 6


TAKEN = "a line of its own; line "


@pytest.mark.parametrize(
    ("old", "new", "key", "expected"),
    [
        ('port = "/dev/ttyACM0"\n', "", "port", "a text"),
        ("button_input = 14", "button_input = 16", "button_input", "a whole number from 0 to 15"),
        ("button_input = 14", "button_input = [14]", "button_input", "a whole number from 0 to 15"),
        ("button_input = 14\n", "", "button_input", "a whole number from 0 to 15"),
        ("lock_lamp_output = 15", "lock_lamp_output = 14", "lock_lamp_output", TAKEN + "14 is the button's"),
        ("lock_lamp_output = 15", "lock_lamp_relay = 15", "lock_lamp_relay", "no such key"),
        ("13 = 3", "14 = 3", "seats.14", TAKEN + "14 is the button's"),
        ("13 = 3", "15 = 3", "seats.15", TAKEN + "15 is the lock lamp's"),
        ("13 = 3", "16 = 3", "seats.16", "as the key an input 0 to 15"),
        ("13 = 3", "013 = 3", "seats.013", "as the key an input 0 to 15"),
        ("13 = 3", "13 = 2", "seats.13", "each seat once; seat 2 has a sensor already"),
        ("13 = 3", "13 = 7", "seats.13", "a seat, 1 to 6"),
        ("3 = 9", "3 = 8", "lamps.3", TAKEN + "8 is seat 2's lamp"),
        ("3 = 9", "3 = 13", "lamps.3", TAKEN + "13 is seat 3's sensor"),
        ("3 = 9", "3 = 14", "lamps.3", TAKEN + "14 is the button's"),
        ("3 = 9", "3 = 16", "lamps.3", "an output 0 to 15, the lamp of the seat's slot"),
        ("3 = 9\n", "", "lamps.3", "an output 0 to 15, the lamp of the seat's slot"),
        ("3 = 9", "3 = 9\n4 = 10", "lamps.4", "as the key a seat that has a sensor in seats"),
    ],
)
def test_a_line_of_a_numato_board_is_used_once(tmp_path: Path, old: str, new: str, key: str, expected: str) -> None:
    old, new = (f"\n{old}", f"\n{new}") if not new.endswith("\n") and new else (old, new)
    found = mistakes(tmp_path, with_numato((old, new)))
    assert (f"devices.slots.{key}", True) in {(mistake.key, mistake.expected.startswith(expected)) for mistake in found}
    assert len(found) == (2 if "relay" in new else 1)


def test_a_numato_board_without_its_tables_names_them(tmp_path: Path) -> None:
    text = with_numato().replace("[devices.slots.lamps]\n1 = 7\n2 = 8\n3 = 9\n", "")
    [mistake] = mistakes(tmp_path, text)
    assert (mistake.key, mistake.value) == ("devices.slots.lamps", "(missing)")


BETABRITE = (next(line for line in EXAMPLE.splitlines() if 'driver = "alpha"' in line), 'driver = "betabrite"')
NO_PORT = ('port = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A10KSIGN-if00-port0"\nformat = "7E1"\n', "")


def test_the_sign_can_be_on_usb(tmp_path: Path) -> None:
    assert read(tmp_path, example(BETABRITE, NO_PORT)).sign == BetaBriteSettings(address="00", usb=None)
    found = {mistake.key: mistake.expected for mistake in mistakes(tmp_path, example(BETABRITE))}
    assert found == {"devices.sign.port": "no such key", "devices.sign.format": "no such key"}


def test_a_simulated_sign_on_usb_is_refused_in_live_mode_too(tmp_path: Path) -> None:
    simulated = 'usb_backend = "simulators.usb_backend:open_betabrite"\nusb_socket = "sign.sock"\n'
    text = example(BETABRITE, (NO_PORT[0], simulated))
    [mistake] = mistakes(tmp_path, text)
    assert mistake.key == "devices.sign.usb_backend" and 'mode is "live"' in mistake.expected
    config = read(tmp_path, text.replace('mode = "live"', 'mode = "simulation"'))
    assert config.sign == BetaBriteSettings(
        "00", SimulatedUsb("simulators.usb_backend:open_betabrite", tmp_path / "sign.sock")
    )


def test_an_unknown_driver_is_one_mistake(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, with_numato(('driver = "numato"', 'driver = "numata"')))
    assert mistake.key == "devices.slots.driver" and 'did you mean "numato"?' in mistake.expected


@pytest.mark.parametrize(
    "text", [b"mode = ", b"mode = 'live'\nmode = 'live'", b"\xff\xfe", b"a = " + b"9" * 5000, b"a = " + b"[" * 100_000]
)
def test_what_is_no_toml_or_no_text_is_one_mistake_of_the_file(tmp_path: Path, text: bytes) -> None:
    [mistake] = mistakes(tmp_path, text)
    assert mistake.key == "(file)"


def test_a_file_that_is_not_utf_8_says_so(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, EXAMPLE.encode("latin-1"))
    assert "UTF-8" in mistake.expected


def test_what_would_move_a_terminal_is_shown_as_toml_would_write_it(tmp_path: Path) -> None:
    complaints = [str(mistake) for mistake in mistakes(tmp_path, '"a\\u001b[2J" = 1\ntable.game = "b\\nc"\n')]
    assert all(complaint.isprintable() for complaint in complaints)
    assert complaints[-1].startswith(r"a\U0000001b[2J = 1: expected no such key")
    assert any(complaint.startswith(r'table.game = "b\U0000000ac": expected') for complaint in complaints)


@pytest.mark.parametrize("code", ["XYZ", "mop", "Pataca"])
def test_a_currency_outside_iso_4217_is_a_mistake(tmp_path: Path, code: str) -> None:
    [mistake] = mistakes(tmp_path, example(('currency = "MOP"', f'currency = "{code}"')))
    assert str(mistake) == f'table.currency = "{code}": expected a code of ISO 4217, such as MOP or EUR'


@pytest.mark.parametrize("game", [game for game in GAMES if game != "fortune-3-card-poker-2025"])
def test_another_games_name_is_one_mistake(tmp_path: Path, game: str) -> None:
    other = example(('game = "fortune-3-card-poker-2025"', f'game = "{game}"'))
    [mistake] = mistakes(tmp_path, other)
    assert mistake.key == "table.game" and mistake.value == f'"{game}"'
    assert mistake.expected.startswith('"fortune-3-card-poker-2025", which the file is for;')
    assert "jackpot" in mistake.expected, "what the named game needs otherwise"
    also = mistakes(tmp_path, other.replace('currency = "MOP"', "currency = 1"))
    assert [mistake.key for mistake in also] == ["table.game", "table.currency"], "other mistakes are named too"


@pytest.mark.parametrize("game", ["fortune-9", "blackjack", "poker"])
def test_a_game_that_there_is_not_is_one_mistake(tmp_path: Path, game: str) -> None:
    unknown = example(('game = "fortune-3-card-poker-2025"', f'game = "{game}"'))
    [mistake] = mistakes(tmp_path, unknown)
    assert (mistake.key, mistake.value) == ("table.game", f'"{game}"')
    assert "fortune-3-card-poker-2025" in mistake.expected
    also = mistakes(tmp_path, unknown.replace('currency = "MOP"', "currency = 1"))
    assert [mistake.key for mistake in also] == ["table.game", "table.currency"]


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_config(tmp_path / "none.toml")
    with pytest.raises(OSError, match="Is a directory"):
        read_config(tmp_path)


def test_an_empty_file_names_every_section(tmp_path: Path) -> None:
    keys = {mistake.key for mistake in mistakes(tmp_path, "")}
    assert {"schema", "mode", "table", "people", "journal", "floor", "console", "devices"} <= keys


def test_a_live_table_records_its_wires_and_a_simulation_where_it_is_configured(tmp_path: Path) -> None:
    live, simulated = EXAMPLE, EXAMPLE.replace('mode = "live" ', 'mode = "simulation" ')
    assert read(tmp_path, live).recorder == Recorder(10, 32)
    assert read(tmp_path, simulated).recorder.minutes == 0
    assert read(tmp_path, simulated + "[recorder]\n").recorder == Recorder(10, 32)
    assert read(tmp_path, live + "[recorder]\nminutes = 0\n").recorder.minutes == 0
    most = "[recorder]\nminutes = 60\nmegabytes = 1024\naside_days = 366\n"
    assert read(tmp_path, live + most).recorder == Recorder(60, 1024, 366)
    wrong = mistakes(tmp_path, live + "[recorder]\nminutes = 61\nmegabytes = 0\naside_days = -1\nseconds = 1\n")
    assert [mistake.key for mistake in wrong] == [
        f"recorder.{key}" for key in ("minutes", "megabytes", "aside_days", "seconds")
    ]

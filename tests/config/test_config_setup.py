"""`dealer-station setup`: from an installed package to a table that runs, with a terminal and without."""

import os
import re
import socket
import threading
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from controller.__main__ import main, parser
from controller.command_line.options import CONFIG
from controller.commands.setup import SOCKET_LISTENS, set_up
from controller.commands.setup_answers import Surroundings
from controller.config.checkpoint import read_signer
from controller.config.credentials import CREDENTIALS
from controller.config.file import read_config
from controller.console.pins import PinHasher, read_pins
from controller.rulebook.games import GAMES
from controller.runtime.workbench import PROPOSED
from controller.system.times import zone_of_computer
from controller.toml.text import parse_toml
from drivers.inventory import Inventory, Plugged
from tests.config.texts import EXAMPLE

pytestmark = pytest.mark.long

RULES = (Path(__file__).parents[2] / "systemd" / "dealer-station.nft").read_text(encoding="utf-8")
QUICK = PinHasher(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
SLOTS = Plugged(wire="usb", device="bus 1 device 2", make="Ontrak", name="ADU218", fits=("adu218",))
SIGN = Plugged(wire="usb", device="bus 1 device 3", make="Adaptive", name="Prism", fits=("betabrite",))
SHUFFLER, SHOE = (
    Plugged(
        wire="serial", device=f"/dev/ttyUSB{number}", make="FTDI", name="FT232R", usb_id="0403:6001",
        fits=("shuffler-link", "angel-eye", "alpha"), port=f"/dev/serial/by-id/{number}",
    )
    for number in range(2)
)  # fmt: skip
FOUND = Inventory((SHUFFLER, SHOE, SLOTS, SIGN))
PINS = "ana 274951\nrui 862043\n"
OPTIONS = {
    "--site": ["hall"],
    "--table": ["7"],
    "--broker": ["mqtt://127.0.0.1:1"],
    "--username": ["seven"],
    "--person": ["ana=dealer", "--person", "rui=supervisor"],
    "--device": ["shuffler-link=/dev/serial/by-id/0", "--device", "angel-eye=/dev/serial/by-id/1"],
    "--reviewed": [],
    "--broker-password": ["password"],
    "--pins": ["pins"],
    "--by": ["rui"],
    "--and": ["ana"],
}


NO_TPM = 0b1011  # what `systemd-creds has-tpm2` returns then: firmware, driver and the kernel's subsystem are missing


class Machine:
    """A machine with the package and its devices, where commands are noted and not run."""

    def __init__(self, folder: Path, tpm: int = NO_TPM, users: tuple[str, ...] = ()) -> None:
        self.zone = ""
        self.folder = folder
        self.config = folder / "etc" / "station.toml"
        self.state = folder / "state"
        self.ran: list[str] = []
        self.users = users
        self._tpm = tpm
        for path in (self.config.parent, self.state):
            path.mkdir()
        example = EXAMPLE.replace("/var/lib/dealer-station", str(self.state))
        self.config.with_name("station.toml.example").write_text(example, encoding="utf-8")
        (folder / "password").write_text("secret\n")
        (folder / "pins").write_text(PINS)

    def set_up(self, options: dict[str, list[str]], *answers: str, more: Sequence[str] = (), hidden: str = "") -> int:
        words = [word for option, values in options.items() for word in (option, *values)]
        words = [str(self.folder / word) if word in ("password", "pins") else word for word in words]
        waiting = iter(answers)
        ask: Callable[[str], str] | None = (lambda _: next(waiting)) if answers else None
        hands = Surroundings(
            ask, lambda _: hidden, lambda: FOUND, self._run, QUICK, drop_ins=self.folder / "units",
            is_user=lambda name: name in self.users, zone=lambda: self.zone,
        )  # fmt: skip
        arguments = ["setup", "--config", str(self.config), *words, *more]
        code = set_up(parser(arguments).parse_args(arguments), hands)
        assert next(waiting, None) is None, "everything was asked for"
        return code

    def _run(self, words: Sequence[str | Path]) -> int:
        self.ran.append(" ".join(map(str, words)))
        if tuple(words[:2]) == ("systemd-creds", "has-tpm2"):
            return self._tpm
        return 0

    def on_another_board(self, tpm: int) -> "Machine":
        """The same disk beside another TPM, or none."""
        other = copy(self)
        other._tpm, other.ran = tpm, []
        return other

    def left(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


@pytest.fixture(autouse=True)
def _read_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are read in this process but in the first test: the child that reads them has tests of its own."""
    if request.function is not test_without_a_terminal_every_step_is_an_option:
        monkeypatch.setattr("controller.config.document.parse_apart", parse_toml)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_without_a_terminal_every_step_is_an_option(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert machine.set_up(OPTIONS) == 0
    config = read_config(machine.config)
    assert (config.site, config.table, config.floor.host, config.floor.username) == ("hall", "7", "127.0.0.1", "seven")
    assert config.people == {"ana": "dealer", "rui": "supervisor"}
    assert re.search(
        r'(?m)^\[people\] +# dealer, .*\nana = "dealer"\nrui = "supervisor"\n\n?\[', machine.config.read_text()
    )
    assert config.shuffler is not None and config.shuffler.port == "/dev/serial/by-id/0"
    assert config.shoe is not None and config.shoe.port == "/dev/serial/by-id/1"
    assert [type(slot).__name__ for slot in (config.slots, config.sign)] == ["Adu218Settings", "BetaBriteSettings"]
    key, password = machine.config.with_name("seal.key"), machine.config.with_name("broker.password")
    assert (len(key.read_bytes()), password.read_text()) == (32, "secret")
    assert [path.stat().st_mode & 0o777 for path in (machine.config, key, password)] == [0o640, 0o600, 0o600]
    assert read_pins(machine.state / "pins.json").keys() == {"ana", "rui"}
    assert (machine.state / "journal.db").exists()
    assert [words for words in machine.ran if words.startswith("systemctl")] == [
        "systemctl daemon-reload", "systemctl enable --now dealer-station.socket dealer-station"
    ]  # fmt: skip
    printed = capsys.readouterr().out
    assert "does not let the table in: Connection refused. The floor does not answer: its computer is there" in printed
    assert "without a TPM" in printed


def test_without_the_packages_example_it_says_where_there_is_one(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    example = machine.config.with_name("station.toml.example")
    example.unlink()
    assert machine.set_up(OPTIONS) == 2 and not machine.config.exists()
    printed = capsys.readouterr().err
    assert f"{example} is missing: the package installs it" in printed and "systemd/station.toml" in printed


def test_the_key_that_signs_the_record_is_made(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert machine.set_up(OPTIONS) == 0
    config = read_config(machine.config)
    file = machine.config.with_name("checkpoint.key")
    assert config.checkpoint is not None and config.checkpoint.key_file == CREDENTIALS / file.name
    signer = read_signer(file, "dealer/hall/7", create=False)
    assert str(signer.verifier) in capsys.readouterr().out, "a witness is to know it"
    assert file.stat().st_mode & 0o777 == 0o600
    drop_in = machine.folder / "units" / "checkpoint.conf"
    assert drop_in.read_text() == f"[Service]\nLoadCredential=checkpoint.key:{file}\n"


def test_an_earlier_table_gets_a_key_once_its_configuration_names_one(machine: Machine) -> None:
    assert machine.set_up(OPTIONS) == 0
    file = machine.config.with_name("checkpoint.key")
    file.unlink()
    written = machine.config.read_text(encoding="utf-8")
    without = written.replace("[checkpoint]", "# [checkpoint]").replace('key_file = "/run', '# key_file = "/run')
    machine.config.write_text(without.replace("seal_# key_file", "seal_key_file"), encoding="utf-8")
    assert machine.set_up({}) == 0 and not file.exists()
    machine.config.write_text(written, encoding="utf-8")
    assert machine.set_up({}) == 0 and file.exists()


def test_what_is_there_already_is_kept(machine: Machine) -> None:
    assert machine.set_up(OPTIONS) == 0
    left = machine.left()
    assert machine.set_up({}) == 0
    assert machine.left() == left


def test_a_proposal_is_put_in_place_once_it_was_looked_at(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert machine.set_up(OPTIONS) == 0
    before, proposal = machine.config.read_text(encoding="utf-8"), machine.state / PROPOSED
    assert machine.set_up({}, more=["--apply"]) == 2, "there is none"
    other = before.replace("keep_days = 1826", "keep_days = 365")
    for wrong in ("= no TOML", before.replace("schema = 1", "schema = 7")):
        proposal.write_text(wrong, encoding="utf-8")
        assert machine.set_up({}, more=["--apply", "--reviewed"]) == 78
    proposal.write_text(other, encoding="utf-8")
    assert machine.set_up({}, more=["--apply"]) == 2 and "--reviewed is required" in capsys.readouterr().err
    assert machine.set_up({}, "no", more=["--apply"]) == 2
    assert machine.config.read_text(encoding="utf-8") == before and proposal.exists()
    assert machine.set_up({}, "yes", more=["--apply"]) == 0
    assert machine.config.read_text(encoding="utf-8") == other and not proposal.exists()
    assert machine.config.stat().st_mode & 0o777 == 0o640
    printed = capsys.readouterr().out
    assert any(line.startswith("+") for line in printed.splitlines()) and "systemctl restart dealer-station" in printed
    elsewhere = machine.folder / "elsewhere"
    elsewhere.write_text(before, encoding="utf-8")
    proposal.symlink_to(elsewhere)
    assert machine.set_up({}, more=["--apply", "--reviewed"]) == 2, "no link is followed"
    proposal.unlink()
    os.link(elsewhere, proposal)
    assert machine.set_up({}, more=["--apply", "--reviewed"]) == 2, "no hard link is read"
    proposal.unlink()
    os.mkfifo(proposal)
    assert machine.set_up({}, more=["--apply", "--reviewed"]) == 2, "no pipe holds root up"
    proposal.unlink()
    proposal.write_bytes(b"\xff")
    assert machine.set_up({}, more=["--apply", "--reviewed"]) == 78
    assert machine.config.read_text(encoding="utf-8") == other


def test_the_socket_holds_the_port_of_the_configuration(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    unit = (Path(__file__).parents[2] / "systemd" / "dealer-station.socket").read_text(encoding="utf-8")
    assert f"\nListenStream={SOCKET_LISTENS}\n" in unit
    drop_in = machine.folder / "dealer-station.socket.d" / "port.conf"
    assert machine.set_up(OPTIONS) == 0
    assert not drop_in.exists() and "dealer-station.socket holds" not in capsys.readouterr().out
    written = machine.config.read_text(encoding="utf-8")
    for listen in ("127.0.0.1:8081", "[::1]:8080"):
        machine.config.write_text(written.replace(SOCKET_LISTENS, listen), encoding="utf-8")
        assert machine.set_up({}) == 0
        assert drop_in.read_text() == f"[Socket]\nListenStream=\nListenStream={listen}\n"
        assert f"dealer-station.socket holds {listen}" in capsys.readouterr().out
        assert machine.set_up({}) == 0 and "dealer-station.socket holds" not in capsys.readouterr().out
    machine.config.write_text(written, encoding="utf-8")
    assert machine.set_up({}) == 0 and not drop_in.exists()


@pytest.mark.parametrize("option", [option for option in OPTIONS if option != "--username"])
def test_without_a_terminal_the_option_that_is_wanted_is_named(
    machine: Machine, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {name: values for name, values in OPTIONS.items() if name != option}
    code = machine.set_up(given)
    printed = capsys.readouterr()
    if option == "--person":
        assert code == 78 and "at least one dealer" in printed.err
    else:
        assert code == 2 and f"{option} " in printed.err
    assert not [words for words in machine.ran if words.startswith("systemctl")], "nothing was started"
    written = ("--reviewed", "--broker-password", "--pins", "--by", "--and")
    assert machine.config.exists() == (option in written)
    if option in written:
        assert machine.set_up(given) == 2, "it is wanted still"
        assert machine.set_up({option: OPTIONS[option], **given}) == 0, "it continues where it stopped"


def test_at_a_terminal_what_is_not_given_is_asked(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    answers = (
        "", "hall", "7", "", "mqtt://127.0.0.1:1", "seven", "ana", "dealer", "rui", "supervisor", "",
        "shuffler-link", "angel-eye", "yes", "rui", "ana",
    )  # fmt: skip
    assert machine.set_up({}, *answers, hidden="274951") == 0
    assert "initial_pot" in capsys.readouterr().out, "the amounts are shown before they are agreed to"
    config = read_config(machine.config)
    assert (config.table, config.people) == ("7", {"ana": "dealer", "rui": "supervisor"})
    assert config.time_zone == "Asia/Macau"
    assert machine.config.with_name("broker.password").read_text() == "274951"


@pytest.mark.parametrize(
    ("of_the_computer", "given", "written"),
    [
        ("", [], "Europe/Lisbon"),
        ("Asia/Shanghai", [], "Asia/Shanghai"),
        ("Asia/Shanghai", ["Atlantic/Azores"], "Atlantic/Azores"),
    ],
)
def test_the_computers_time_zone_is_offered_and_that_of_the_regulation_where_it_is_utc(
    machine: Machine, of_the_computer: str, given: list[str], written: str
) -> None:
    machine.zone = of_the_computer
    more = {"--game": ["blackjack-21"], "--authorisation": ["DICJ 7/2026=2026-01-31"]}
    machine.set_up({**OPTIONS, **more, **({"--time-zone": given} if given else {})})
    assert f'\ntime_zone = "{written}"\n' in machine.config.read_text(encoding="utf-8")
    assert read_config(machine.config).time_zone == written


@pytest.mark.parametrize(
    ("target", "zone"),
    [
        ("/usr/share/zoneinfo/Asia/Macau", "Asia/Macau"),
        ("../usr/share/zoneinfo/America/Argentina/Ushuaia", "America/Argentina/Ushuaia"),
        ("/usr/share/zoneinfo/Etc/UTC", ""),
        ("/usr/share/zoneinfo/UTC", ""),
        ("/elsewhere/Asia/Macau", ""),
        ("", ""),
    ],
)
def test_the_computers_time_zone_is_where_its_link_leads(tmp_path: Path, target: str, zone: str) -> None:
    link = tmp_path / "localtime"
    if target:
        link.symlink_to(target)
    assert zone_of_computer(link) == zone


def test_amounts_that_are_not_the_tables_start_nothing(machine: Machine) -> None:
    given = {name: values for name, values in OPTIONS.items() if name != "--reviewed"}
    assert machine.set_up(given, "", "", "no") == 2
    assert not machine.ran and not (machine.state / "journal.db").exists()


@pytest.mark.parametrize("missing", [0, 1])  # 1: a firmware that is no UEFI
def test_a_key_is_sealed_by_the_tpm_where_there_is_one(tmp_path: Path, missing: int) -> None:
    machine = Machine(tmp_path, tpm=missing)
    assert machine.set_up(OPTIONS, more=("--network", "192.0.2.0/24")) == 0
    key = machine.config.with_name("seal.key")
    assert f"systemd-creds encrypt --with-key=tpm2 --name=seal.key {key} {key}.cred" in machine.ran
    units = {path.name: path.read_text().splitlines() for path in (tmp_path / "units").iterdir()}
    assert units == {
        "key.conf": ["[Service]", f"LoadCredentialEncrypted=seal.key:{key}.cred"],
        "checkpoint.conf": [
            "[Service]", f"LoadCredentialEncrypted=checkpoint.key:{key.with_name('checkpoint.key')}.cred"
        ],
        "addresses.conf": [
            "[Service]", "IPAddressDeny=any", "IPAddressAllow=localhost", "IPAddressAllow=192.0.2.0/24"
        ],
    }  # fmt: skip


@pytest.mark.parametrize(("tpm", "drop_ins"), [(0, {"key.conf", "checkpoint.conf"}), (NO_TPM, {"checkpoint.conf"})])
def test_keys_that_were_put_back_on_another_board_are_loaded_as_that_has_it(
    tmp_path: Path, tpm: int, drop_ins: set[str]
) -> None:
    before = Machine(tmp_path, tpm=0)
    assert before.set_up(OPTIONS) == 0
    keys = [before.config.with_name(name) for name in ("seal.key", "checkpoint.key")]
    contents = [key.read_bytes() for key in keys]
    machine = before.on_another_board(tpm)
    assert machine.set_up({}) == 0
    assert [key.read_bytes() for key in keys] == contents
    sealed = [f"systemd-creds encrypt --with-key=tpm2 --name={key.name} {key} {key}.cred" for key in keys]
    assert [words for words in machine.ran if "encrypt" in words] == (sealed if tpm == 0 else [])
    units = {path.name: path.read_text() for path in (tmp_path / "units").iterdir()}
    assert units.keys() == drop_ins
    assert ("LoadCredentialEncrypted=" in units["checkpoint.conf"]) == (tpm == 0)


def test_a_key_that_is_sealed_is_not_sealed_again(tmp_path: Path) -> None:
    machine = Machine(tmp_path, tpm=0)
    assert machine.set_up(OPTIONS) == 0
    for name in ("seal.key", "checkpoint.key"):
        machine.config.with_name(name).rename(machine.config.with_name(f"{name}.cred"))
    machine.ran.clear()
    assert machine.set_up({}) == 0
    assert not [words for words in machine.ran if "encrypt" in words]


def test_commands_find_the_key_that_systemd_hands_to_the_service(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert machine.set_up(OPTIONS) == 0
    capsys.readouterr()
    verify = ["audit", "verify", "--config", str(machine.config)]
    assert main(verify) == 0 and "MAC" not in capsys.readouterr().out
    machine.config.with_name("seal.key").unlink()
    assert main(verify) == 0 and "the MAC was not verified" in capsys.readouterr().out


def test_the_configuration_of_the_package_is_the_default() -> None:
    for words in (
        ["run"],
        ["check-config"],
        ["pin", "ana"],
        ["audit", "verify"],
        ["devices", "prove", "shoe", "--by", "ana"],
    ):
        options = parser(words).parse_args(words)
        assert (options.file if words == ["check-config"] else options.config) == CONFIG


def test_a_broker_that_asks_for_no_password_is_given_none(machine: Machine) -> None:
    assert machine.set_up({**OPTIONS, "--username": [""]}) == 0
    config = read_config(machine.config)
    assert (config.floor.username, config.floor.password_file) == (None, None)
    assert machine.config.with_name("broker.password").read_bytes() == b"", "what the unit hands over"


@pytest.mark.parametrize("game", GAMES)
def test_the_configuration_of_each_game_is_whole_with_its_authorisation(machine: Machine, game: str) -> None:
    in_force = GAMES[game].legal_status.state == "in_force"
    authorisation = {} if in_force else {"--authorisation": ["DICJ 7/2026=2026-01-31"]}
    machine.set_up({**OPTIONS, "--game": [game], **authorisation})
    config = read_config(machine.config)
    assert config.game == game
    authorised = [] if in_force else [("DICJ 7/2026", "2026-01-31")]
    assert [(own.reference, str(own.date)) for own in config.house.authorisations] == authorised


@pytest.mark.parametrize(
    ("option", "wrong", "reason"),
    [
        ("--site", "hall one", "table.site = hall one: expected"),
        ("--table", "links", "table.id = links: expected another name"),
        ("--time-zone", "Asia/Makau", "such as Asia/Macau"),
        ("--broker", "broker.example", "floor.broker = broker.example: expected mqtt://host:port"),
        ("--authorisation", "DICJ 7/2026", "'DICJ 7/2026' is not REFERENCE=DATE"),
        ("--authorisation", "DICJ 7/2026=31.1.2026", "'31.1.2026' is not a day"),
        ("--person", "ana=boss", "people.ana = boss: expected"),
        ("--person", "ana=dealer", "people = ['ana']: expected at least one supervisor"),
    ],
)
def test_an_option_that_the_check_would_refuse_writes_nothing(
    machine: Machine, option: str, wrong: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {**OPTIONS, "--game": ["blackjack-21"], "--authorisation": ["DICJ 7/2026=2026-01-31"], option: [wrong]}
    before = machine.left()
    assert machine.set_up(given) in (2, 78)
    assert reason in capsys.readouterr().err.replace('"', "")
    assert machine.left() == before and not machine.ran


def test_a_wrong_answer_is_asked_again(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    answers = (
        "poker", "blackjack-21", "hall one", "hall", "links", "7",
        "Asia/Makau", "Asia/Macau", "broker.example", "mqtt://127.0.0.1:1", "seven",
        "soon", "DICJ 7/2026=2026-01-31",
        "", "ana=boss", "ana=dealer", "", "rui", "chief", "rui", "supervisor", "",
        "shuffle", "shuffler-link", "angel-eye", "perhaps", "yes", "joe", "rui", "rui", "ana",
    )  # fmt: skip
    assert machine.set_up({}, *answers, hidden="274951") == 0
    printed = capsys.readouterr().out
    assert printed.count("Please answer again") == 14
    assert "'poker' is not a game" in printed and "rui is one person; it takes two" in printed
    config = read_config(machine.config)
    assert (config.site, config.table, config.game) == ("hall", "7", "blackjack-21")
    assert config.people == {"ana": "dealer", "rui": "supervisor"}


def test_a_broker_that_lets_the_table_in_is_reported(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            line, _ = server.accept()
            with line:
                line.recv(4096)
                line.sendall(bytes.fromhex("2003000000"))  # CONNACK of MQTT 5: welcome
                line.recv(4096)

        thread = threading.Thread(target=answer)
        thread.start()
        broker = f"mqtt://127.0.0.1:{server.getsockname()[1]}"
        assert machine.set_up({**OPTIONS, "--broker": [broker]}) == 0
        thread.join()
    assert "the broker lets seven in" in capsys.readouterr().out


def test_where_there_is_a_kiosk_user_the_rules_are_loaded_now_and_by_the_socket_unit(tmp_path: Path) -> None:
    machine = Machine(tmp_path, users=("kiosk",))
    rules = machine.config.with_name("dealer-station.nft")
    assert machine.set_up(OPTIONS) == 2, "a machine without the file reports where it comes from"
    rules.with_name("dealer-station.nft.example").write_text(RULES, encoding="utf-8")
    assert machine.set_up(OPTIONS) == 0
    assert rules.read_text(encoding="utf-8") == RULES and f"nft -f {rules}" in machine.ran
    drop_in = machine.folder / "dealer-station.socket.d" / "rules.conf"
    assert drop_in.read_text() == f"[Socket]\nExecStartPre=-/usr/sbin/nft -f {rules}\n"
    loaded = machine.ran.index(f"nft -f {rules}")
    assert loaded < machine.ran.index("systemctl enable --now dealer-station.socket dealer-station"), machine.ran
    rules.write_text(RULES.replace('"kiosk", ', '"kiosk", "prometheus", '), encoding="utf-8")
    text = machine.config.read_text(encoding="utf-8")
    machine.config.write_text(text.replace("127.0.0.1:8080", "127.0.0.1:9090"), encoding="utf-8")
    assert machine.set_up({}) == 0
    kept = rules.read_text(encoding="utf-8")
    assert "define console = 9090" in kept and '"prometheus"' in kept, "what was added stays"


def test_without_a_kiosk_user_no_rules_are_loaded_and_it_is_reported(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert machine.set_up(OPTIONS) == 0
    assert not [words for words in machine.ran if words.startswith("nft")]
    assert "no user kiosk: every user of this computer may connect to the console" in capsys.readouterr().out

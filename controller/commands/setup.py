"""`dealer-station setup`: from an installed package to a table that runs, step by step, with a terminal or without.

Each step is one of the other commands. Existing files are kept, so that it can be run again after a correction.
"""

import argparse
import asyncio
import difflib
import getpass
import re
import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import aiomqtt
import msgspec

from controller.command_line.argument import driver_and_port, network, person
from controller.command_line.failures import load_config
from controller.command_line.options import add_config
from controller.command_line.output import EXIT_CONFIGURATION, refuse, say
from controller.command_line.pins import not_in_people, set_pin
from controller.commands import check_config, journal, key
from controller.commands.setup_answers import Stopped, Surroundings
from controller.commands.setup_configuration import MODE, write_configuration
from controller.config.credentials import credential_file
from controller.config.document import BadConfiguration
from controller.config.file import Config, parse_draft
from controller.config.floor_connection import broker_of
from controller.console.listening import KIOSK, RULES, rules_for
from controller.console.pins import PinsUnreadable, read_pins
from controller.engine.shown.prompts import alarm_words
from controller.engine.state.table import FLOOR
from controller.floor.causes import cause_of
from controller.floor.mqtt import connection
from controller.journal.sealing import read_key
from controller.rulebook.games import GAMES
from controller.runtime.workbench import PROPOSED
from controller.system.addresses import bracketed
from controller.system.files import open_one, write_shared
from controller.toml.text import MOST_OCTETS
from drivers.inventory import look

UNIT = "dealer-station"
SOCKET_LISTENS = "127.0.0.1:8080"  # as the package brings its unit
ONLY_OWNER = 0o600
# `systemd-creds has-tpm2` returns a bit for each part that is missing. 1 is the firmware's, which measures itself only
# where it is UEFI; the key is sealed without it.
HAS_TPM = (0, 1)
PIN_TRIES = 3  # of a person at the terminal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Asks for what is not given: writes the configuration with the devices that are plugged in, checks it, makes "
        "the keys that seal cards and sign the record, tries the broker, asks for PINs, begins the journal and starts "
        "the service. Without a terminal each answer is an option. What is there already is kept: run it again after a "
        "correction."
    )
    add_config(parser)
    parser.add_argument(
        "--game", choices=tuple(GAMES), help="of a configuration that is not there yet, as what follows"
    )
    parser.add_argument("--site", metavar="NAME")
    parser.add_argument("--table", metavar="NAME")
    parser.add_argument(
        "--time-zone",
        metavar="NAME",
        help="of the table, such as Asia/Macau (default: the computer's, if it is not UTC)",
    )
    parser.add_argument("--broker", metavar="URL", help="mqtts://HOST:PORT")
    parser.add_argument("--username", metavar="NAME", help="at the broker; empty for none")
    parser.add_argument(
        "--authorisation",
        metavar="REFERENCE=DATE",
        help="of the authority, for a regulation that is not in force, such as 'DICJ 7/2026=2026-01-31'",
    )
    parser.add_argument("--person", type=person, action="append", metavar="NAME=ROLE", help="repeatable")
    parser.add_argument(
        "--device",
        type=driver_and_port,
        action="append",
        default=[],
        metavar="DRIVER=PORT",
        help="where ports look alike; repeatable",
    )
    parser.add_argument("--reviewed", action="store_true", help="the amounts of the configuration are the table's")
    parser.add_argument("--broker-password", type=Path, metavar="FILE", help="a file with it")
    parser.add_argument("--network", type=network, action="append", default=[], help="of the broker; repeatable")
    parser.add_argument("--pins", type=Path, metavar="FILE", help="a line for each person: NAME PIN")
    parser.add_argument("--by", metavar="NAME", help="who begins the journal")
    parser.add_argument("--and", metavar="NAME", dest="second", help="the other one")
    parser.add_argument(
        "--apply",
        action="store_true",
        help="first put the configuration in place that a technician proposes on the console",
    )
    parser.add_argument("--no-start", action="store_true", help="leave the service as it is")


def run(options: argparse.Namespace) -> int:
    """Set the table up; returns the exit code."""
    terminal = sys.stdin.isatty()
    command = lambda words: subprocess.run(words, check=False).returncode  # noqa: E731
    return set_up(options, Surroundings(input if terminal else None, getpass.getpass, look, command))


def set_up(options: argparse.Namespace, hands: Surroundings) -> int:
    """All steps in their order; returns the exit code."""
    try:
        if options.apply:
            _apply(options, hands)
        write_configuration(options, hands)
        if code := check_config.run(argparse.Namespace(file=options.config)):
            raise Stopped(f"correct {options.config}, then run this again", code)
        config = load_config(options.config)
        assert config is not None
        if not config.journal.exists():
            _review(options, hands)
        seal_key = _key(hands, config)
        _checkpoint_key(hands, config)
        _password(options, hands, config)
        _try_broker(options, hands, config)
        _pins(options, hands, config)
        _journal(options, hands, config, seal_key)
        _port(hands, config)
        _rules(hands, config)
        _start(options, hands)
    except Stopped as stopped:
        return refuse(stopped, stopped.code)
    except (OSError, EOFError) as error:
        return refuse(error)
    return 0


def _apply(options: argparse.Namespace, hands: Surroundings) -> None:
    """Puts the proposed configuration in place, after a person has seen the changes."""
    path: Path = options.config
    config = load_config(path)
    if config is None:
        raise Stopped(f"correct {path}, then run this again", EXIT_CONFIGURATION)
    proposal = config.journal.parent / PROPOSED
    before = path.read_text(encoding="utf-8")
    try:
        with open_one(proposal) as file:
            octets = file.read(MOST_OCTETS + 1)
        parse_draft(path, octets)
    except BadConfiguration as bad:
        wrong = "; ".join(map(str, bad.mistakes))
        raise Stopped(f"{proposal}: {wrong}; nothing is changed", EXIT_CONFIGURATION) from None
    text = octets.decode()
    changes = difflib.unified_diff(before.splitlines(), text.splitlines(), str(path), str(proposal), lineterm="")
    say("\n".join(line if line.isprintable() else repr(line) for line in changes) or f"{proposal} changes nothing")
    if not options.reviewed and hands.ask is None:
        raise Stopped("--reviewed is required: there is no terminal to ask at")
    if not options.reviewed and not hands.agrees("Put it in place?", "--reviewed"):
        raise Stopped(f"{path} is as it was")
    write_shared(path, octets, MODE)
    proposal.unlink()
    say(f"{path} is changed; it holds once the station is started again: systemctl restart {UNIT}, between two rounds")


def _review(options: argparse.Namespace, hands: Surroundings) -> None:
    """Asks for a review of the amounts: no table starts with the amounts of the example unseen."""
    if options.reviewed:
        return
    if hands.ask is None:
        raise Stopped(f"--reviewed is required: the amounts in {options.config} are those of the example")
    shown = re.search(r"^\[table\.limits\](.*?)^\[people\]", options.config.read_text(encoding="utf-8"), re.M | re.S)
    say("[table.limits]" + (shown[1] if shown is not None else ""))
    if not hands.agrees("Are these the table's?", "--reviewed"):
        raise Stopped(f"correct {options.config}, then run this again")


def _key(hands: Surroundings, config: Config) -> Path:
    """Makes the seal key, or keeps one that was restored; on a machine with a TPM the unit loads it sealed."""
    key = credential_file(config, config.seal_key_file)
    if not _is_there(key):
        read_key(key, create=True)
    _protect(hands, key, "key")
    return key


def _checkpoint_key(hands: Surroundings, config: Config) -> None:
    """As `_key`, for the key that signs the record, if the configuration names one."""
    if config.checkpoint is None:
        return
    signing = credential_file(config, config.checkpoint.key_file)
    if not _is_there(signing):
        name = f"dealer/{config.site}/{config.table}"
        if code := key.run(argparse.Namespace(what="new", file=signing, name=name)):
            raise Stopped("no key signs the record", code)
    _protect(hands, signing, "checkpoint", f"LoadCredential={signing.name}:{signing}")


def _is_there(key: Path) -> bool:
    if found := key.exists() or _sealed(key).exists():
        say(f"{key} exists already, and is kept")
    return found


def _sealed(key: Path) -> Path:
    return key.with_name(key.name + ".cred")


def _protect(hands: Surroundings, key: Path, drop_in: str, *plain: str) -> None:
    """Lets the unit load a key sealed by the TPM, if the machine has one; else by these lines, if any."""
    sealed = _sealed(key)
    if sealed.exists():
        return
    if hands.command(("systemd-creds", "has-tpm2", "--quiet")) in HAS_TPM:
        if hands.command(("systemd-creds", "encrypt", "--with-key=tpm2", f"--name={key.name}", key, sealed)):
            raise Stopped("the TPM does not seal the key")
        _drop_in(hands, drop_in, f"LoadCredentialEncrypted={key.name}:{sealed}")
        say(f"{key} is sealed by the TPM: take it away to a safe place when the table runs")
        return
    _drop_in(hands, drop_in, *plain)
    say(f"{key} is loaded without a TPM: keep a copy of it in a safe place")


def _drop_in(hands: Surroundings, name: str, *lines: str) -> None:
    """Write a drop-in of the unit, or remove it if there are no lines."""
    path = hands.drop_ins / f"{name}.conf"
    if not lines:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_shared(path, "\n".join(("[Service]", *lines, "")).encode(), 0o644)


def _password(options: argparse.Namespace, hands: Surroundings, config: Config) -> None:
    wanted = config.floor.password_file
    file = config.path.with_name("broker.password") if wanted is None else credential_file(config, wanted)
    if file.exists():
        return
    if wanted is None:
        password = ""  # the unit hands one over, whether it is asked for or not
    elif options.broker_password is not None:
        password = options.broker_password.read_text(encoding="utf-8").strip()
    elif hands.ask is not None:
        password = hands.hidden("Password at the broker: ")
    else:
        raise Stopped("--broker-password is required: there is no terminal to ask at")
    write_shared(file, password.encode(), ONLY_OWNER)


def _try_broker(options: argparse.Namespace, hands: Surroundings, config: Config) -> None:
    """Whether the broker accepts the table. A broker that is offline now is no mistake."""
    floor = config.floor
    tls = floor.tls
    if tls is not None and tls.key_file is not None:
        tls = msgspec.structs.replace(tls, key_file=credential_file(config, tls.key_file))
    password = None if floor.password_file is None else credential_file(config, floor.password_file)
    floor = msgspec.structs.replace(floor, tls=tls, password_file=password)

    async def connect() -> None:
        async with connection(broker_of(floor, config.path)):
            pass

    try:
        asyncio.run(connect())
        say(f"the broker lets {floor.username or 'the table'} in")
    except (aiomqtt.MqttError, OSError) as error:
        cause, reason = cause_of(error)
        what_to_do = alarm_words(f"device_lost/{cause}", {"device": FLOOR})
        say(f"the broker does not let the table in: {reason}. {what_to_do['en']}")
        say("The station tries again by itself")
    except BadConfiguration as bad:
        raise Stopped(str(bad.mistakes[0]), EXIT_CONFIGURATION) from None
    if options.network:
        _drop_in(
            hands,
            "addresses",
            "IPAddressDeny=any",
            "IPAddressAllow=localhost",
            *(f"IPAddressAllow={n}" for n in options.network),
        )


def _pins(options: argparse.Namespace, hands: Surroundings, config: Config) -> None:
    given = dict(line.split() for line in options.pins.read_text().splitlines() if line) if options.pins else {}
    try:
        there = read_pins(config.log_in.pin_file)
    except PinsUnreadable as error:
        raise Stopped(str(error)) from None
    for name in config.people if config.log_in.required else ():
        if name in there:
            continue
        if name not in given and hands.ask is None:
            raise Stopped(f"--pins is required, with a line for {name}: there is no terminal to ask at")
        ask = (lambda _, pin=given[name]: pin) if name in given else hands.hidden
        for _ in range(1 if name in given else PIN_TRIES):
            if not (code := set_pin(config, name, ask, hands.hasher)):
                break
        else:
            raise Stopped(f"{name} has no PIN", code)


def _journal(options: argparse.Namespace, hands: Surroundings, config: Config, key: Path) -> None:
    if config.journal.exists():
        say(f"{config.journal} exists already, and is kept")
        return

    def first(name: str) -> str:
        if name not in config.people:
            raise ArgumentTypeError(not_in_people(config, name))
        return name

    def other(name: str) -> str:
        if (wrong := journal.why_not_by(config, by, name)) is not None:
            raise ArgumentTypeError(wrong)
        return name

    by = hands.checked(first, options.by, "Who begins the journal", "--by")
    second = hands.checked(other, options.second, "And who with them, one of both a supervisor", "--and")
    begin = argparse.Namespace(what="new", config=config.path, by=by, second=second, seal_key=key)
    if code := journal.run(begin):
        raise Stopped("no journal was begun", code)


def _port(hands: Surroundings, config: Config) -> None:
    """Writes a drop-in for the socket unit if the console's port is not the package's."""
    host, port = config.listen
    named = f"{bracketed(host)}:{port}"
    drop_in = hands.drop_ins.with_name(f"{UNIT}.socket.d") / "port.conf"
    wanted = None if named == SOCKET_LISTENS else f"[Socket]\nListenStream=\nListenStream={named}\n"
    if wanted == (drop_in.read_text() if drop_in.exists() else None):
        return
    if wanted is None:
        drop_in.unlink()
    else:
        drop_in.parent.mkdir(parents=True, exist_ok=True)
        write_shared(drop_in, wanted.encode(), 0o644)
    say(f"{UNIT}.socket holds {named}; where it holds another now, between two rounds: systemctl stop {UNIT}, then")
    say(f"systemctl restart {UNIT}.socket {UNIT}. The rules by user follow it")


def _rules(hands: Surroundings, config: Config) -> None:
    """Lets the socket unit load the rules by user, where the screen runs under a user of its own."""
    if not hands.is_user(KIOSK):
        say(f"there is no user {KIOSK}: every user of this computer may connect to the console")
        return
    rules = config.path.with_name(RULES)
    example = rules.with_name(RULES + ".example")
    if not rules.exists() and not example.exists():
        raise Stopped(f"{example} is missing: the package installs it; else copy the source's systemd/{RULES} to it")
    text = (rules if rules.exists() else example).read_text(encoding="utf-8")
    wanted = rules_for(config.listen[1], text)
    if not rules.exists() or wanted != text:
        write_shared(rules, wanted.encode(), 0o644)
    drop_in = hands.drop_ins.with_name(f"{UNIT}.socket.d") / "rules.conf"
    drop_in.parent.mkdir(parents=True, exist_ok=True)
    write_shared(drop_in, f"[Socket]\nExecStartPre=-/usr/sbin/nft -f {rules}\n".encode(), 0o644)
    if hands.command(("nft", "-f", rules)):
        raise Stopped(f"nft does not load {rules}: apt-get install nftables, or correct the file")
    say(f"only the users that {rules} names connect to the console")


def _start(options: argparse.Namespace, hands: Surroundings) -> None:
    if options.no_start:
        return
    for words in (("daemon-reload",), ("enable", "--now", f"{UNIT}.socket", UNIT)):
        if hands.command(("systemctl", *words)):
            raise Stopped(f"it does not start: systemctl status {UNIT}")
    say("the table runs: systemctl status dealer-station, and the console says what is next")

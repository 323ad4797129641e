"""The configuration that `setup` writes: its example with the answers, each checked as the station reads the file."""

import argparse
import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from controller.command_line import argument
from controller.command_line.output import EXIT_CONFIGURATION, say
from controller.commands.devices import block, device_lines, section
from controller.commands.setup_answers import Stopped, Surroundings
from controller.config.document import BadConfiguration
from controller.config.file import ROLES, parse_draft
from controller.config.regulation import not_at
from controller.config.section import Mistake
from controller.rulebook.games import FIRST_GAME, GAMES
from controller.system.files import write_shared

MODE = 0o640  # of the configuration: root writes it, the group of its folder reads it
BARE = re.compile(r"[A-Za-z0-9_-]+")  # a key that TOML takes without quotes
AUTHORISATION = re.compile(r"(?m)^# (\[table\.authorisation\].*)\n# reference = .*\n# date = .*$")

Keys = Mapping[str, str]


class ConfigurationDraft:
    """The example of a configuration with the answers so far."""

    def __init__(self, path: Path, example: str) -> None:
        self._path = path
        # A new table signs its record; who cosigns it is written there once a witness has its key.
        self._example = re.sub(r"(?m)^# (\[checkpoint\]|key_file = )", r"\1", example)
        self.answers: dict[str, str] = {}
        self.people: dict[str, str] = {}
        self.devices: dict[str, list[str]] = {}
        self.authorisation: tuple[str, str] | None = None

    def text(self) -> str:
        """The file."""
        game = self.answers["table.game"]
        devices = {name: lines for name, lines in self.devices.items() if name not in dict(not_at(GAMES[game]))}
        source = "shuffler" if "shuffler" in devices else "shoe"
        if not GAMES[game].source.packet_sizes and source in devices:
            devices[source] = [line for line in devices[source] if not line.startswith("packet_sizes")]
        keys = {name: _text(value) for name, value in {**self.answers, "table.card_source": source}.items()}
        without = []
        if f'game = "{game}"' not in self._example:
            # No other game than the example's own has a jackpot to begin with.
            keys |= {**GAMES[game].example(), "table.wagers.additional": "[]"}
            without += ["jackpot", "jackpot.fixed"]
        if not self.answers.get("floor.username"):
            keys.pop("floor.username", None)
            without += ["floor.username", "floor.password_file"]
        example = self._example
        if self.authorisation is not None:
            reference, date = self.authorisation
            example = AUTHORISATION.sub(
                lambda found: f"{found[1]}\nreference = {_text(reference)}\ndate = {date}", example
            )
        lines = [*_edited(example, keys, without), *(line for block in devices.values() for line in (*block, ""))]
        named = [
            f"{name if BARE.fullmatch(name) else _text(name)} = {_text(role)}" for name, role in self.people.items()
        ]
        return re.sub(r"(?m)^\[people\].*$", lambda found: "\n".join((found[0], *named, "")), "\n".join(lines), count=1)

    def mistakes(self) -> list[Mistake]:
        """The mistakes that `check-config` would find."""
        try:
            parse_draft(self._path, self.text().encode())
        except BadConfiguration as bad:
            return bad.mistakes
        return []

    def taking(self, key: str) -> Callable[[str], str]:
        """A function that checks and keeps an answer; it raises ArgumentTypeError if the file cannot have it."""

        def read(text: str) -> str:
            self.answers[key] = text
            self.refuse(key)
            return text

        return read

    def refuse(self, key: str) -> None:
        """Raises ArgumentTypeError if the file has a mistake at this key."""
        for mistake in self.mistakes():
            if mistake.key == key:
                raise ArgumentTypeError(str(mistake))


def write_configuration(options: argparse.Namespace, hands: Surroundings) -> None:
    """Write the configuration, if there is none yet. Raises Stopped, and writes nothing, if the answers do not make
    one.
    """
    path: Path = options.config
    if path.exists():
        say(f"{path} exists already, and is kept")
        return
    example_file = path.with_name(path.name + ".example")
    if not example_file.exists():
        raise Stopped(
            f"{example_file} is missing: the package installs it; else copy the source's systemd/station.toml to it"
        )
    draft = ConfigurationDraft(path, example_file.read_text(encoding="utf-8"))
    draft.answers["table.game"] = hands.checked(_game, options.game, f"Game ({', '.join(GAMES)})", "--game", FIRST_GAME)
    of_regulation = GAMES[draft.answers["table.game"]].legal_status.validity.zone
    for key, given, question, option, default in (
        ("table.site", options.site, "Site", "--site", ""),
        ("table.id", options.table, "Table", "--table", ""),
        ("table.time_zone", options.time_zone, "Time zone of the table", "--time-zone", hands.zone() or of_regulation),
        ("floor.broker", options.broker, "Broker, as mqtts://HOST:PORT", "--broker", ""),
        ("floor.username", options.username, "User name at the broker, empty for none", "--username", " "),
    ):
        hands.checked(draft.taking(key), given, question, option, default)
    draft.answers["floor.username"] = draft.answers["floor.username"].strip()
    _ask_authorisation(options, hands, draft)
    _ask_people(options, hands, draft)
    draft.devices = _devices(options, hands)
    for name, reason in not_at(GAMES[draft.answers["table.game"]]):
        if name in draft.devices:
            say(f"{name} is left out: {reason}")
    if mistakes := draft.mistakes():
        advice = f"correct the answers or {example_file}, then run this again"
        listed = "".join(f"\n  {mistake}" for mistake in mistakes)
        raise Stopped(f"{path} is not written: {advice}{listed}", EXIT_CONFIGURATION)
    write_shared(path, draft.text().encode(), MODE)
    say(f"{path} is written")


def _game(text: str) -> str:
    if text not in GAMES:
        raise ArgumentTypeError(f"{text!r} is not a game; the games are {', '.join(GAMES)}")
    return text


def _ask_authorisation(options: argparse.Namespace, hands: Surroundings, draft: ConfigurationDraft) -> None:
    """Asks for the authorisation, without which no live table plays a regulation that is not in force."""
    game = GAMES[draft.answers["table.game"]]
    if game.legal_status.state == "in_force":
        return
    say(f"{game.id}: {game.legal_status}. A live table needs an authorisation for it")

    def read(text: str) -> tuple[str, str]:
        reference, _, date = text.rpartition("=")
        if not reference:
            raise ArgumentTypeError(f"{text!r} is not REFERENCE=DATE, such as 'DICJ 7/2026=2026-01-31'")
        return reference.strip(), argument.day(date.strip()).isoformat()

    draft.authorisation = hands.checked(
        read, options.authorisation, "Authorisation, as REFERENCE=DATE", "--authorisation"
    )


def _ask_people(options: argparse.Namespace, hands: Surroundings, draft: ConfigurationDraft) -> None:
    """Asks for a name for each role, until the file has the people that it needs."""
    if options.person:
        draft.people = dict(options.person)
        return
    while True:
        name = hands.answer(None, "A person's name, empty after the last", "--person", " ").strip()
        try:
            if not name:
                draft.refuse("people")
                return
            if "=" in name:
                name, role = argument.person(name)
            else:
                role = hands.answer(None, f"{name} is {', '.join(ROLES)}", "--person")
            draft.people[name] = role
            draft.refuse(f"people.{name}")
        except ArgumentTypeError as wrong:
            draft.people.pop(name, None)
            if hands.ask is None:
                raise Stopped(f"--person: {wrong}", EXIT_CONFIGURATION) from None
            say(f"{wrong}. Please answer again")


def _devices(options: argparse.Namespace, hands: Surroundings) -> dict[str, list[str]]:
    """The lines of each device: the given ones, and for plugged-in devices those that are certain or were chosen."""
    chosen = {section(driver): block(driver, port) for driver, port in options.device}
    named = {port for _, port in options.device}
    for plugged_device in hands.find().plugged:
        free = [driver for driver in plugged_device.fits if section(driver) not in chosen]
        if not free or plugged_device.port in named:
            continue
        driver = free[0]
        if len(plugged_device.fits) > 1:
            say("\n".join(device_lines(plugged_device)))
            if hands.ask is None:
                raise Stopped(
                    f"--device DRIVER={plugged_device.port} is required: {', '.join(free)} may be at its other end"
                )
            question = f"At its other end ({', '.join(free)}), empty for nothing"
            driver = hands.checked(_one_of(free), None, question, "--device", " ")
            if not driver:
                continue
        chosen[section(driver)] = block(driver, plugged_device.port)
    say(f"devices: {', '.join(name.removeprefix('devices.') for name in chosen) or 'none is plugged in'}")
    return {name.removeprefix("devices."): lines for name, lines in chosen.items()}


def _one_of(drivers: list[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.strip() not in ("", *drivers):
            raise ArgumentTypeError(f"{text!r} is none of {', '.join(drivers)}")
        return text.strip()

    return read


def _edited(example: str, keys: Keys, without: Iterable[str]) -> Iterator[str]:
    """The example's lines with other values, without some sections and keys, its persons and its devices."""
    name = ""
    for line in example.splitlines():
        if found := re.match(r"(?:# )?\[([\w.]+)\]", line):
            name = found[1]
        if name.startswith("devices") or name in without:
            continue
        if name == "people" and not line.startswith("["):
            continue
        key = re.match(r"(\w+) = ", line)
        if key is None or f"{name}.{key[1]}" not in {*keys, *without}:
            yield line
        if line.startswith("["):
            own = (key.rpartition(".") for key in keys)
            yield from (f"{key} = {keys[f'{section}.{key}']}" for section, _, key in own if section == name)


def _text(value: str) -> str:
    return msgspec.json.encode(value).decode()

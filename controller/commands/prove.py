"""`dealer-station devices prove` and `verify`: the compatibility kit with a person at the device, and its report."""

import argparse
import asyncio
import hashlib
import sys
from functools import partial
from pathlib import Path

import msgspec

from controller.command_line.argument import count
from controller.command_line.failures import with_config
from controller.command_line.options import add_config
from controller.command_line.output import EXIT_CONFIGURATION, EXIT_CORRUPT, EXIT_INTERRUPTED, EXIT_REFUSED, refuse, say
from controller.command_line.signals import until_signal
from controller.config.checkpoint import read_signing_key
from controller.config.file import Config
from controller.runtime.wired import device_of, device_settings, wiring_of
from controller.system.files import write_whole
from controller.system.times import now
from controller.tlog.notes import BadKey, BadNote, Note, Signer, VerifierKey
from drivers import kit
from drivers.device import DeviceName
from drivers.inventory import Inventory, look
from drivers.kit.assertion import TYPED, Assertion, Bench, Instruction
from drivers.kit.proof import ASSERTIONS, Result, prove_all
from drivers.make import DeviceSettings, ShufflerSettings
from drivers.registry import origin_of
from drivers.unheld import unheld

CARDS = 416  # eight decks
TITLE = "dealer-station proof of a device 1"


class StoredProof(msgspec.Struct):
    """A proof as saved on the disk: of which device, when it began, and the result of each assertion so far."""

    subject: dict[str, str]
    began: str
    results: list[Result] = []


class Ended(Exception):
    """Standard input is closed, so no more answers can come."""


def add_prove(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Proves a device against numbered assertions, with a person who does what is asked for. Stop the station "
        "first. A proof that was interrupted resumes with the same command. The report is signed with the key of the "
        "station's checkpoints."
    )
    parser.add_argument("device", choices=tuple(ASSERTIONS), metavar="DEVICE", help=", ".join(ASSERTIONS))
    add_config(parser)
    parser.add_argument("--by", required=True, metavar="NAME", help="who helps; the report has the name")
    parser.add_argument(
        "--cards", type=count, default=CARDS, metavar="N", help=f"of the sign-off of a shoe or shuffler ({CARDS})"
    )
    parser.add_argument("--key", type=Path, metavar="FILE", help="of `key new`; without it that of [checkpoint]")
    parser.add_argument("--folder", type=Path, default=Path(), metavar="FOLDER", help="for report and progress (.)")
    parser.set_defaults(work=run_prove)


def add_verify(parser: argparse.ArgumentParser) -> None:
    parser.description = "Prints the report of a proof, if it is signed by this key; exit code 65 where it is not."
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("key", metavar="NAME+ID+KEY", help="the first line of `dealer-station key show`")
    parser.set_defaults(work=run_verify)


def run_verify(options: argparse.Namespace) -> int:
    try:
        note = Note.copied(options.file.read_bytes())
        verifier = VerifierKey.read(options.key)
        verifier.signed(note)
    except OSError as error:
        return refuse(f"{options.file}: {error.strerror}")
    except BadKey as bad:
        return refuse(bad)
    except BadNote as bad:
        return refuse(f"{options.file}: {bad}", EXIT_CORRUPT)
    if not note.text.startswith(f"{TITLE}\n"):
        return refuse(f"{options.file}: it is no proof of a device", EXIT_CORRUPT)
    return say(f"{note.text}signed by {verifier.name}")


@with_config
def run_prove(config: Config, options: argparse.Namespace) -> int:
    settings = device_settings(config, options.device)
    if settings is None:
        return refuse(f"{options.config} has no [devices.{options.device}]", EXIT_CONFIGURATION)
    packet = settings.packet if isinstance(settings, ShufflerSettings) else 0
    if options.device == "shuffler" and not packet:
        return refuse("the kit has no assertions for a continuous shuffler, which this game has", EXIT_CONFIGURATION)
    key = options.key or (None if config.checkpoint is None else config.checkpoint.key_file)
    if key is None:
        return refuse("name the key that signs the report: --key FILE; `dealer-station key new FILE NAME` makes one")
    try:
        signer = read_signing_key(key)
    except BadKey as bad:
        return refuse(bad)
    subject = subject_of(options, settings, look())
    opening = partial(device_of, config, options.device, settings)
    bench = Bench(opening, typed, wiring_of(config), options.cards, _note, packet)
    return run_proof(options.device, subject, options.folder, signer, bench)


def subject_of(options: argparse.Namespace, settings: DeviceSettings, found: Inventory) -> dict[str, str]:
    """The values that identify the subject of a proof; if one differs, it is another proof. Raises OSError."""
    origin = origin_of(settings.driver)
    port = getattr(settings, "port", None)
    hardware = [
        " ".join(
            filter(
                None, (plugged_device.usb_id, plugged_device.make, plugged_device.name, plugged_device.serial_number)
            )
        )
        for plugged_device in found.plugged
        if (
            settings.driver in plugged_device.fits
            if port is None
            else port in (plugged_device.port, plugged_device.device)
        )
    ]
    return {
        "device": options.device,
        "driver": settings.driver,
        "package": f"{origin.package} {origin.version}",
        "make": origin.sha256,
        "kit": _sha256(b"".join(file.read_bytes() for file in sorted(Path(kit.__path__[0]).glob("*.py")))),
        "configuration": _sha256(repr(settings).encode()),
        "hardware": ", ".join(hardware) or "not known to this computer",
        "cards": str(options.cards),
        "by": options.by,
    }


def run_proof(device: DeviceName, subject: dict[str, str], folder: Path, signer: Signer, bench: Bench) -> int:
    """Prove from where it was interrupted, and write the report; returns the exit code."""
    state, report = folder / f"{device}.proof.json", folder / f"{device}.proof"
    kept = _kept(state, subject)
    assertions = ASSERTIONS[device]

    def keep(result: Result) -> None:
        kept.results.append(result)
        write_whole(state, msgspec.json.encode(kept))
        say(f"{result.id} {'true' if not result.reason else 'FALSE: ' + result.reason}")

    async def again(assertion: Assertion, result: Result) -> bool:
        say(f"{result.id} failed: {result.reason}")
        return (await bench.ask("again")).lower() == "again"

    def begins(assertion: Assertion) -> None:
        say(f"[{assertions.index(assertion) + 1}/{len(assertions)}] {assertion.id} {assertion.sentence}")

    async def prove() -> bool:
        await prove_all(assertions, kept.results, bench, begins, keep, again)
        return True

    try:
        whole = asyncio.run(until_signal(prove()))
    except Ended:
        whole = None
    except OSError as error:
        return refuse(f"{state}: {error.strerror}")
    if whole is None:
        say(f"{len(kept.results)} of {len(assertions)} are done. The same command resumes.")
        return EXIT_INTERRUPTED
    text = report_text(kept)
    write_whole(report, str(signer.sign(text)).encode())
    state.unlink()
    say(f"{text}{report}, signed by {signer.verifier}")
    return EXIT_REFUSED if any(result.reason for result in kept.results) else 0


def _kept(state: Path, subject: dict[str, str]) -> StoredProof:
    """The earlier proof of this very subject."""
    try:
        kept = msgspec.json.decode(state.read_bytes(), type=StoredProof)
    except FileNotFoundError:
        return StoredProof(subject, now())
    except (OSError, msgspec.DecodeError) as error:
        say(f"{state} cannot be read ({error}): the proof begins from the start")
        return StoredProof(subject, now())
    if changed := [key for key, value in subject.items() if kept.subject.get(key) != value]:
        say(f"{', '.join(changed)} changed since the proof in {state}: it begins from the start")
        return StoredProof(subject, now())
    say(f"resumes: {len(kept.results)} were done since {kept.began}")
    return kept


def report_text(kept: StoredProof) -> str:
    """The report, a line for each assertion; it names no card."""
    head = [TITLE, *(f"{key}: {value}" for key, value in kept.subject.items()), f"began: {kept.began}"]
    rows = [
        f"{result.id} {'true' if not result.reason else f'FALSE: {result.reason}'} "
        f"({result.seconds:g} s, tries: {result.tries})"
        for result in kept.results
    ]
    good = sum(not result.reason for result in kept.results)
    return "\n".join([*head, f"ended: {now()}", *rows, f"true: {good} of {len(rows)}", ""])


async def typed(act: Instruction) -> str:
    """Ask at the terminal. Raises Ended."""
    print(f"  {act}{'' if act.name in TYPED else ' Then press Enter.'}", flush=True)
    line: str = await unheld(sys.stdin.readline, lambda late: None, "terminal")
    if not line:
        raise Ended
    return line.strip()


def _note(text: str) -> None:
    print(f"  {text}", file=sys.stderr, flush=True)


def _sha256(octets: bytes) -> str:
    return hashlib.sha256(octets).hexdigest()

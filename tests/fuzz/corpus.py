"""The corpus of each target, an archive of its own: what fuzzing found worth keeping, one member an input.

An archive depends on its members alone: it has no times, is not compressed, and is in the order of their names.
"""

import argparse
import zipfile
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"


def path_of(target: str) -> Path:
    """The archive of a target."""
    return FOLDER / f"{target}.zip"


def targets() -> list[str]:
    """The targets that have an archive, by name."""
    return sorted(path.stem for path in FOLDER.iterdir())


def read(target: str) -> dict[str, bytes]:
    """The inputs of a target by name; none where it has no archive."""
    if not path_of(target).exists():
        return {}
    with zipfile.ZipFile(path_of(target)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(target: str, inputs: dict[str, bytes]) -> None:
    """Replace the archive of a target."""
    with zipfile.ZipFile(path_of(target), "w") as archive:
        for name in sorted(inputs):
            archive.writestr(zipfile.ZipInfo(name), inputs[name])


def unpack(target: str, folder: Path) -> None:
    """Write the inputs of a target into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, octets in read(target).items():
        (folder / name).write_bytes(octets)


def add(target: str, files: list[Path]) -> int:
    """Add files to the archive of a target, but those whose octets are in it; returns how many were added.

    Raises ValueError where another input of the archive has the name of a file.
    """
    inputs = read(target)
    known, before = set(inputs.values()), len(inputs)
    for file in sorted(files):
        octets = file.read_bytes()
        if octets in known:
            continue
        if file.name in inputs:
            raise ValueError(f"{path_of(target).name} holds another input with the name {file.name}")
        inputs[file.name] = octets
        known.add(octets)
    write(target, inputs)
    return len(inputs) - before


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.corpus", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    command = commands.add_parser("unpack", help="write the inputs of a target into a folder")
    command.add_argument("target", metavar="TARGET")
    command.add_argument("folder", type=Path, metavar="FOLDER")
    command = commands.add_parser("add", help="add inputs that the archive of a target does not hold")
    command.add_argument("target", metavar="TARGET")
    command.add_argument("files", type=Path, metavar="FILE", nargs="+")
    options = parser.parse_args()
    if options.command == "unpack":
        unpack(options.target, options.folder)
        return
    try:
        print(f"{options.target}: {add(options.target, options.files)} added")
    except (OSError, ValueError) as wrong:
        parser.error(str(wrong))


if __name__ == "__main__":
    main()

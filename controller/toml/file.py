"""The octets of a TOML file, up to the largest size that is read."""

from pathlib import Path

from controller.toml.text import MOST_OCTETS


def read_octets(path: Path) -> bytes:
    """The octets of a file that `parse_toml` may accept; of a longer file only enough for it to be refused. Raises
    OSError.
    """
    with path.open("rb") as file:
        return file.read(MOST_OCTETS + 1)

"""Builds the referee as one file that Python runs: `python3 -m tests.referee.archive FILE`.

The same sources make the same bytes.
"""

import sys
import zipfile
from pathlib import Path

FOLDER = Path(__file__).parent
ROOMS = ("rules", "bundle", "film")
MADE = (1980, 1, 1, 0, 0, 0)  # of every file in it: an archive has no other reason to change than its sources
MAIN = "import sys\n\nfrom referee.__main__ import main\n\nsys.exit(main())\n"


def sources() -> list[Path]:
    """The modules that are in the archive, in its order."""
    return [FOLDER / "__main__.py", *(path for room in ROOMS for path in sorted((FOLDER / room).glob("*.py")))]


def build(target: Path) -> None:
    """Write the archive, in place of one that is there."""
    with target.open("wb") as file:
        file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo("__main__.py", MADE), MAIN)
            for folder in ("referee/", *(f"referee/{room}/" for room in ROOMS)):  # Python finds no module without it
                archive.writestr(zipfile.ZipInfo(folder, MADE), b"")
            for path in sources():
                entry = zipfile.ZipInfo(f"referee/{path.relative_to(FOLDER).as_posix()}", MADE)
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    target.chmod(0o755)


if __name__ == "__main__":
    build(Path(sys.argv[1]))

"""Reads hostile texts as a station's configuration, and prints how many were read, and the work and memory as JSON."""

import json
import resource
import sys
import time
from pathlib import Path

from controller.config.document import BadConfiguration
from controller.config.file import read_config
from tests.toml.hostile import hostile_texts

COUNT = 1000


def main() -> None:
    """Raises where a text is neither read nor refused with a sentence."""
    path = Path(sys.argv[1], "station.toml")
    before, most, refused = _peak(), 0.0, 0
    for octets in hostile_texts(COUNT):
        path.write_bytes(octets)
        begun = time.process_time()
        try:
            read_config(path)
        except BadConfiguration as bad:
            refused += 1
            assert 0 < len(bad.mistakes) <= 100
            for mistake in bad.mistakes:
                assert str(mistake).isprintable() and len(mistake.key) + len(mistake.value) < 1000, mistake
        most = max(most, time.process_time() - begun)
    print(json.dumps({"refused": refused, "seconds": most, "kib": _peak() - before}))


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


main()

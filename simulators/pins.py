"""The PINs of the people at the simulated table, in a file that is its owner's alone."""

import json
import stat
from pathlib import Path

OF_OTHERS = 0o077


def plain_pins(path: Path) -> dict[str, str]:
    """The PIN of each person, by name. Raises ValueError naming what is wrong with the file."""
    expected = f'{path}: a JSON object of names and PINs expected, {{"ana": "…"}}, readable by its owner alone'
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & OF_OTHERS:
                raise ValueError(f"{expected}; it is open to others ({mode:04o})")
            pins = json.load(file)
    except OSError as error:
        raise ValueError(f"{expected}; {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(expected) from None
    except json.JSONDecodeError:
        raise ValueError(expected) from None
    if not isinstance(pins, dict) or not all(isinstance(pin, str) for pin in pins.values()):
        raise ValueError(expected)
    return pins

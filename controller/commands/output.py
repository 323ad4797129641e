"""What a command says: its answer on standard output, a refusal on standard error."""

import sys

EXIT_REFUSED = 2  # a round, a hand or an argument that cannot be


def say(text: str | bytes) -> int:
    """An answer; gives the exit code 0."""
    # UTF-8 whatever the terminal's encoding, which may have neither the suits nor a person's name.
    sys.stdout.buffer.write((text.encode() if isinstance(text, str) else text) + b"\n")
    sys.stdout.flush()
    return 0


def refuse(text: object, code: int = EXIT_REFUSED) -> int:
    """What is refused and why; gives the exit code."""
    print(f"dealer-station: {text}", file=sys.stderr)
    return code

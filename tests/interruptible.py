"""A child that receives SIGINT, though a shell that starts the tests in its background has it ignored."""

import sys


def interruptible(program: str, *arguments: str) -> list[str]:
    """The command of a program that may be sent SIGINT."""
    return ["env", "--default-signal=INT", sys.executable, "-m", program, *arguments]

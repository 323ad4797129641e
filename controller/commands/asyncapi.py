"""dealer-station asyncapi: the document of the floor's messages, for tools and people."""

import argparse

from controller.floor.asyncapi import text


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Adds nothing: the messages of every table and game are the same."""


def run(options: argparse.Namespace) -> int:
    """Print it."""
    print(text(), end="")
    return 0

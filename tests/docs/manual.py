"""`make manual`: a man page of each command, and the completion of bash, zsh and fish, made from the parsers."""

import argparse
import os
import re
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import shtab

from controller.__main__ import COMMANDS
from controller.__main__ import parser as station_parser
from simulators.__main__ import parser as simulators_parser

WIDTH = "80"  # of a usage, whatever the terminal is
COMPLETIONS = {  # as each shell names them
    "bash": "bash-completion/completions/{program}",
    "zsh": "zsh/site-functions/_{program}",
    "fish": "fish/vendor_completions.d/{program}.fish",
}


def write(share: Path) -> None:
    """Everything, in a folder that is arranged as /usr/share is."""
    for top in (station_parser(tuple(COMMANDS)), simulators_parser()):
        _name_files(top)
        for shell, place in COMPLETIONS.items():
            _put(share / place.format(program=top.prog), shtab.complete(top, shell))
        for name, text in pages(top):
            _put(share / "man" / "man1" / f"{name}.1", text)


def pages(top: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """The page of a program, and one of each of its commands, by name."""
    commands = _commands(top)
    names = [_name(command) for command in commands.values()]
    yield top.prog, _page(top, top.description or "", names)
    for word, command in commands.items():
        yield _name(command), _page(command, _purposes(top)[word], [top.prog])


def _page(parser: argparse.ArgumentParser, purpose: str, see_also: list[str]) -> str:
    lines = [f'.TH "{_name(parser).upper()}" 1 "" "Dealer Station {version("dealer-station")}"']
    lines += [".SH NAME", rf"{_text(_name(parser))} \- {_text(purpose.partition('. ')[0].rstrip('.'))}"]
    lines += [".SH SYNOPSIS", ".nf", _usage(parser), ".fi"]
    if parser.description:
        lines += [".SH DESCRIPTION", _text(parser.description)]
    lines += _options(parser, ".SH OPTIONS")
    if " " in parser.prog:
        for word, command in _commands(parser).items():
            lines += [f".SH {word.upper()}", ".nf", _usage(command), ".fi", ".PP", _text(_purposes(parser)[word])]
            lines += _options(command, ".PP")
    else:
        lines.append(".SH COMMANDS")
        for word in _commands(parser):
            lines += [".TP", rf"\fB{_text(word)}\fR", _text(_purposes(parser)[word])]
    if parser.epilog:
        lines += [".SH NOTES", ".nf", _text(parser.epilog), ".fi"]
    lines += [".SH SEE ALSO", ", ".join(rf"\fB{_text(name)}\fR(1)" for name in see_also)]
    return "\n".join(lines) + "\n"


def _usage(parser: argparse.ArgumentParser) -> str:
    return _text(parser.format_usage().removeprefix("usage: ").rstrip())


def _options(parser: argparse.ArgumentParser, head: str) -> list[str]:
    formatter = parser._get_formatter()
    lines = [head]
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction) and action.help is not argparse.SUPPRESS:
            called = _text(formatter._format_action_invocation(action))
            lines += [".TP", rf"\fB{called}\fR", _text(formatter._expand_help(action) if action.help else "")]
    return lines


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(found[0].choices) if found else {}


def _purposes(parser: argparse.ArgumentParser) -> dict[str, str]:
    (found,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {choice.dest: choice.help or "" for choice in found._choices_actions}


def _name(parser: argparse.ArgumentParser) -> str:
    return parser.prog.replace(" ", "-")


def _text(text: str) -> str:
    """Text that troff shows as it is written."""
    shown = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", shown, flags=re.MULTILINE)


def _name_files(parser: argparse.ArgumentParser) -> None:
    """Where a path is wanted, files or folders are completed."""
    for action in parser._actions:
        if action.type is Path or action.metavar == "FILE":
            action.complete = shtab.DIRECTORY if action.metavar == "DIR" else shtab.FILE  # type: ignore[attr-defined]
    for command in _commands(parser).values():
        _name_files(command)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    os.environ["COLUMNS"] = WIDTH
    write(Path(sys.argv[1]))

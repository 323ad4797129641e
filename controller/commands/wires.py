"""The wires of a disputed round for `dealer-station audit wires`: decoded by the drivers' codecs, as lines and as a
page with a timeline.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from controller.commands.paper import paper, table
from controller.journal.past import released_keys
from controller.journal.reading import opened_journal as opened_journal
from controller.journal.sealing import SealBroken, wires_key
from controller.journal.wires import SealedBlock, WireBlock, unseal
from controller.queries.disputes import Bundle
from controller.slips.printed import local_time
from controller.words import in_language, on_the_page
from drivers.make import Decode
from drivers.recording import named
from drivers.registry import all_drivers, make_of


class BundledWires(msgspec.Struct, frozen=True):
    """The parts of a dispute bundle that are needed to read its wires."""

    journal: str
    round: int
    released_key: str | None = None
    wires: tuple[SealedBlock, ...] = ()


class OnWire(msgspec.Struct, frozen=True, omit_defaults=True):
    """A report on a wire. `octets` is hexadecimal; those of a device are beside the message that they complete."""

    time: str
    wire: str
    by: str
    octets: str = ""
    words: str = ""
    message: str = ""
    fields: dict[str, Any] = {}


def released_key(path: Path, mode: str, bundle: BundledWires) -> str | None:
    """The released key for a bundle that was written before the release. Raises the failures of reading a journal."""
    with opened_journal(path, mode) as (db, journal):
        return released_keys(db).get(bundle.round) if journal == bundle.journal else None


def opened_wires(bundle: BundledWires, key: str | None) -> Iterator[WireBlock]:
    """The decrypted blocks of a bundle. Raises SealBroken, also if the key was not released."""
    if key is None:
        raise SealBroken("the key of its round was not released")
    own = wires_key(bytes.fromhex(key))
    return (unseal(block, bundle.journal, own) for block in bundle.wires)


def decoded(blocks: Iterable[WireBlock]) -> Iterator[OnWire]:
    """The decoded messages of each wire."""
    codecs: dict[str, Decode] = {}
    for block in blocks:
        began = datetime.fromisoformat(block.began)
        for after, wire, by, what in block.rows:
            time = (began + timedelta(microseconds=after // 1000)).isoformat(timespec="milliseconds")
            if by == "link":
                codecs.pop(wire, None)
                yield OnWire(time, wire, by, words=what.decode(errors="replace"))
                continue
            driver = block.drivers.get(wire, "")
            codec = make_of(driver).codec if by == "device" and driver in all_drivers() else None
            decoded = codecs.setdefault(wire, codec())(what) if codec is not None else ()
            first, *others = map(named, decoded) if decoded else [("", {})]
            yield OnWire(time, wire, by, what.hex(), "", *first)
            for other in others:
                yield OnWire(time, wire, by, "", "", *other)


def wire_line(entry: OnWire) -> str:
    """A line for a person."""
    fields = " ".join(f"{name}={value}" for name, value in entry.fields.items())
    return " ".join(
        filter(None, (entry.time, f"{entry.wire:<9}{entry.by:<7}", entry.octets, entry.words, entry.message, fields))
    )


WIDTH, LEFT, RIGHT, LANE, TOP = 1000, 165, 30, 56, 20
TICKS = 5
STATION = "station"


def wires_page(bundle: Bundle, lines: Sequence[OnWire], written: bytes, name: str, language: str) -> str:
    """The page in one language; `written` is the content of the bundle's file, and `name` the file's name.

    `lines` are those of the bundle, in their order. Times are in this computer's time zone.
    """
    events = [
        OnWire(row.time, STATION, "event", message=msgspec.json.decode(row.body)["type"]) for row in bundle.chain.rows
    ]
    title = in_language(language, "round_texts", "timeline/title", round=bundle.round)
    explained = in_language(language, "round_texts", "timeline/explained")
    where = f"{bundle.site} · {bundle.table} · {local_time(bundle.chain.rows[0].time)}"
    body = (
        f"<h1>{escape(title)}</h1><p>{escape(where)}</p><p>{escape(explained)}</p>"
        f"{_drawn(lines, events, title, language)}{_table(sorted((*lines, *events), key=_at), language)}"
    )
    heading = f"{title} · {bundle.site} · {bundle.table}"
    return paper(language, heading, body, file=name, digest=hashlib.sha256(written).hexdigest())


def _at(mark: OnWire) -> float:
    return datetime.fromisoformat(mark.time).timestamp()


def _drawn(lines: Sequence[OnWire], events: Sequence[OnWire], title: str, language: str) -> str:
    """A lane for each wire and one for the events, with a mark at the time of each octets or message."""
    lanes = [*dict.fromkeys(line.wire for line in lines), STATION]
    times = [_at(mark) for mark in (*lines, *events)]
    first, span = min(times), max(max(times) - min(times), 0.001)
    low = TOP + LANE * len(lanes)

    def x(at: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (at - first) / span

    drawn = []
    for number, wire in enumerate(lanes):
        y = TOP + LANE * number + LANE // 2
        drawn.append(f'<path class="lane" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>')
        drawn.append(f'<text x="0" y="{y + 5}">{escape(_device(wire, language))}</text>')
    for tick in range(TICKS):
        at = first + span * tick / (TICKS - 1)
        clock = datetime.fromtimestamp(at).strftime("%H:%M:%S")
        drawn.append(f'<text x="{x(at):.1f}" y="{low + 18}" text-anchor="middle">{clock}</text>')
    for mark in (*lines, *events):
        middle = TOP + LANE * lanes.index(mark.wire) + LANE // 2
        drawn.append(_mark(mark.by, x(_at(mark)), middle))
    return (
        f'<svg class="timeline" viewBox="0 0 {WIDTH} {low + 26}" role="img" aria-label="{escape(title)}">'
        f"{''.join(drawn)}</svg>"
    )


def _mark(by: str, x: float, y: int) -> str:
    if by == "host":
        return f'<rect class="host" x="{x - 4:.1f}" y="{y + 6}" width="8" height="8"/>'
    if by == "link":
        return f'<path class="link" d="M{x:.1f} {y - 7}l7 7-7 7-7-7z"/>'
    return f'<circle class="{by}" cx="{x:.1f}" cy="{y - 10}" r="4.5"/>'


def _device(wire: str, language: str) -> str:
    known = on_the_page(f"device.{wire}")
    return wire if known is None else known[language]


def _table(lines: Sequence[OnWire], language: str) -> str:
    heads = (
        _page("pot.at", language),
        _page("devices", language),
        in_language(language, "round_texts", "timeline/octets"),
        in_language(language, "round_texts", "timeline/message"),
    )
    rows = "".join(_row(line, language) for line in lines)
    return table([*map(escape, heads)], rows, label=escape(_page("wires", language)))


def _row(line: OnWire, language: str) -> str:
    sender = {"device": "wires.by.device", "host": "wires.by.station"}.get(line.by)
    who = f"{_device(line.wire, language)} {_page(sender, language) if sender else ''}".strip()
    fields = " ".join(f"{name}={value}" for name, value in line.fields.items())
    message = " ".join(filter(None, (line.words, line.message, fields)))
    clock = datetime.fromisoformat(line.time).astimezone().strftime("%H:%M:%S.%f")[:-3]
    return (
        f'<tr data-by="{line.by}"><td>{clock}</td><th scope="row">{escape(who)}</th>'
        f'<td class="octets">{line.octets}</td><td>{escape(message)}</td></tr>'
    )


def _page(key: str, language: str) -> str:
    return (on_the_page(key) or {language: key})[language]

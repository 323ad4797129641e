"""The recordings of devices in the packages of their makes: writes those of public transcripts, decodes all again.

python -m tests.recordings.devices      after a codec has changed on purpose; look at what `git diff` shows
"""

from pathlib import Path

from drivers.recording import CLEAR, NO_CARDS, DeviceRecording, RecordingHeader, RecordingWriter, read_file
from drivers.registry import make_of

DRIVERS = Path(__file__).parents[2] / "drivers"
NAME = "public-transcripts.rec"
Line = tuple[float, str, str]
"""A time; ``<``, ``>`` or an edge; octets or words."""

PUBLIC: dict[str, tuple[str, str, str, list[str]]] = {  # by folder and driver: model, source, port, lines
    "angel_eye/angel-eye": (
        "Angel Eye II-EX", "frames that two public implementations have", "tty baud=4800 format=8N1",
        [
            "< 05 43 53 03 31 33",
            "> 02 4f 50 4c 4b 30 32 03 31 42", "< 06", "< 05 35 4c 81 03 46 42",
            "> 02 4f 50 4c 4b 30 31 03 31 38", "< 06",
            *["< 05 31 44 81 b8 03 34 46"] * 3, *["< 05 33 43 03 37 33"] * 3, *["< 05 34 45 c1 03 42 33"] * 3,
        ],
    ),
    "adu218/adu218": (
        "Ontrak ADU218", "a question and its answer in public projects", "usb",
        ["> 01 52 45 32 00 00 00 00", "< 01 31 30 34 34 39 00 00"],
    ),
    "numato/numato": (
        "Numato 16-channel", "the public description of its prompt", "tty baud=115200 format=8N1",
        [
            "> 67 70 69 6f 20 72 65 61 64 61 6c 6c 0d",
            "< 67 70 69 6f 20 72 65 61 64 61 6c 6c 0a 0d 30 30", "< 30 35 0a 0d 3e",
            "< 23 20 30 30 30 34 20 30 30 30 35 20 30 30 46 46 0a 0d",
        ],
    ),
    "alpha/alpha": (
        "Alpha sign", "two packets of the published protocol", "tty baud=9600 format=8N1",
        [
            "> 00 00 00 00 00 01 5a 30 30 02 41 41 1b 20 62 4a 41 43 4b 50 4f 54 20 10 4a 04",
            "> 00 00 00 00 00 01 5a 30 30 02 47 31 24 31 32 2c 33 34 35 2e 36 37 03 30 32 36 37 04",
        ],
    ),
    "shuffler_link/shuffler-link": (
        "none yet", "the golden frames of its specification", "tty baud=115200 format=8N1", [],
    ),
}  # fmt: skip


def recordings() -> list[Path]:
    return sorted(DRIVERS.glob("*/recordings/*.rec"))


def written(header: RecordingHeader, lines: list[Line]) -> str:
    """The text of a recording. The first line is an opening."""
    text: list[str] = []
    at = 0.0
    writer = RecordingWriter(text.append, header, make_of(header.driver), lambda: at)
    for line in lines:
        at, sign, words = line
        match sign:
            case "<":
                writer.received(bytes.fromhex(words))
            case ">":
                writer.sent(bytes.fromhex(words))
            case "open":
                port, *settings = words.split(" ")
                writer.opened(port, dict(setting.split("=") for setting in settings))
            case "refused":
                writer.refused(words)
            case _:
                by, _, reason = words.partition(" ")
                writer.closed("device" if by == "device" else "host", reason)
    writer.end()
    return "".join(text)


def again(recording: DeviceRecording) -> str:
    """The same with the messages that the codec gives today."""
    signs = {"device": "<", "host": ">"}
    lines = [(log.at, signs.get(log.source, log.edge), log.words or log.octets.hex(" ")) for log in recording.entries]
    return written(recording.header, lines)


def specified() -> list[str]:
    """The golden frames of the shuffler link, each after its direction."""
    rows = (DRIVERS.parent / "tests" / "codecs" / "shuffler_frames.txt").read_text(encoding="utf-8").splitlines()[2:]
    return [
        f"{'>' if 'host' in name else '<'} {frame.strip()}" for name, frame in zip(rows[::2], rows[1::2], strict=True)
    ]


def published(name: str) -> str:
    driver = name.partition("/")[2]
    model, source, port, octets = PUBLIC[name]
    octets = octets or specified()
    header = RecordingHeader(
        driver=driver,
        model=model,
        firmware="unknown",
        by=f"made from {source}, not recorded",
        when="2026-11-27T00:00:00Z",
        consent="public",
        done="nothing: octets that the tests of the codec quote, at times that are made up",
        cards=NO_CARDS if make_of(driver).blot is None else CLEAR,
    )
    lines = [(0.05 * at, line[0], line[2:]) for at, line in enumerate(octets, 1)]
    return written(header, [(0.0, "open", port), *lines, (0.05 * len(octets) + 0.05, "closed", "host it ends")])


def main() -> None:
    for name in PUBLIC:
        file = DRIVERS / name.partition("/")[0] / "recordings" / NAME
        file.parent.mkdir(exist_ok=True)
        file.write_text(published(name), encoding="utf-8")
    for file in recordings():
        file.write_text(again(read_file(file)), encoding="utf-8")


if __name__ == "__main__":
    main()

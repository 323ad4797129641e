"""A recording as one text: the files of its folder, each after a line with its name."""

from pathlib import Path

FOLDER = Path(__file__).parent
SUFFIX = ".recording"
NAME, END = "==> ", " <==\n"


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}"))


def pack(folder: Path, name: str) -> int:
    """Keep the files of a folder as the recording of this name; its length in octets."""
    files = sorted(folder.iterdir())
    text = "".join(f"{NAME}{file.name}{END}{file.read_text(encoding='utf-8')}" for file in files)
    return (FOLDER / f"{name}{SUFFIX}").write_text(text, encoding="utf-8")


def unpack(name: str, folder: Path) -> Path:
    """Write the files of a recording into a folder, which is made."""
    folder.mkdir()
    text = (FOLDER / f"{name}{SUFFIX}").read_text(encoding="utf-8")
    for part in text.removeprefix(NAME).split(f"\n{NAME}"):
        file, _, content = part.partition(END)
        (folder / file).write_text(content.removesuffix("\n") + "\n", encoding="utf-8")
    return folder

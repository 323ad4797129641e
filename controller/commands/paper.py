"""Makes a self-contained page to print or to open from a disk, without script or network. It reads only its style
sheets.
"""

from collections.abc import Iterable
from html import escape
from importlib.resources import files

from controller.words import in_language, on_the_page

SHEETS = ("measures", "cards", "tiles", "slip", "picture")


def paper(language: str, title: str, body: str, *, file: str, digest: str) -> str:
    """The page with this title and body, which is HTML; its last line names the file that it was made from."""
    tag = on_the_page("language.tag") or {}
    proof = in_language(language, "round_texts", "page/proof", file=file, digest=digest)
    return (
        f'<!doctype html>\n<html lang="{tag.get(language, language)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(title)}</title><style>{_style()}</style></head>"
        f'<body class="round-page"><main class="slip picture">{body}'
        f'<p class="proof">{escape(proof)}</p></main></body></html>\n'
    )


def table(heads: Iterable[str], rows: str, *, label: str) -> str:
    """A table in a labelled region that scrolls on narrow screens. Its cells are HTML."""
    head = "".join(f'<th scope="col">{title}</th>' for title in heads)
    return (
        f'<div class="scrolling" tabindex="0" role="region" aria-label="{label}">'
        f'<table class="lines"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _style() -> str:
    console = files("controller.console") / "page" / "style"
    sheets = (*(console / f"{name}.css" for name in SHEETS), files("controller.commands") / "paper.css")
    return "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)

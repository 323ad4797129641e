"""The code on a payment slip, which shows where its payment is in the record, for anyone with a phone. No I/O here."""

import base64

from msgspec import Struct

WHAT = "urn:dealer-station:slip:1"  # the last is the version of what follows
CORRECTION = "M"  # a seventh of it may be worn: a slip is folded and carried
SMALLER = "L"  # a fourteenth: for paper on which a module is a column


class Code(Struct, frozen=True):
    """A QR code: its text, and its modules row by row, ``1`` for a dark one."""

    text: str
    modules: tuple[str, ...]


class PaymentProof(Struct, frozen=True):
    """The place of a payment: the hash of its row; with a checkpoint, also the leaf's `index` in its tree."""

    hash: bytes
    index: int | None = None
    checkpoint: str | None = None


def code_of(data: dict[str, object], recorded: PaymentProof) -> Code:
    """The code of a slip: its content, a line each, the place of its payment, and the signed checkpoint."""
    lines = [WHAT, *(f"{name} {value}" for name, value in data.items()), f"hash {_encoded(recorded.hash)}"]
    if recorded.checkpoint is not None:
        lines += [f"index {recorded.index}", "", recorded.checkpoint.removesuffix("\n")]
    text = "".join(f"{line}\n" for line in lines)
    return Code(text, _modules(text, CORRECTION))


def _modules(text: str, correction: str) -> tuple[str, ...]:
    import segno  # not before a slip is shown: a start does not wait for it

    drawn = segno.make_qr(text, error=correction, encoding="utf-8", boost_error=False)
    return tuple("".join("1" if dark else "0" for dark in row) for row in drawn.matrix)


def blocks(code: Code, quiet: int = 2) -> list[str]:
    """A code of half blocks, two rows a line, ink for dark, with `quiet` light modules around it."""
    modules = _modules(code.text, SMALLER)
    side = len(modules) + 2 * quiet
    edge = ["0" * side] * quiet
    rows = [*edge, *(f"{'0' * quiet}{row}{'0' * quiet}" for row in modules), *edge, "0" * side]
    return [
        "".join(" ▄▀█"[int(above) * 2 + int(below)] for above, below in zip(*pair, strict=True)).rstrip()
        for pair in zip(rows[::2], rows[1::2], strict=False)
    ]


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()

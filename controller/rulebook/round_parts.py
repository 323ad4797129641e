"""What a live round is made of: cards dealt and laid aside, gaps in what was heard, a void. No I/O here."""

import msgspec
from msgspec import UNSET, UnsetType

from controller.rulebook.refusal import Value


class Dealt(msgspec.Struct, frozen=True):
    """Cards that left the source together, by draw number. `null` is the seat without a bet they went to (17.º 5)."""

    draws: tuple[int, ...]
    order: int | None
    null: int | None = None


class Gap(msgspec.Struct, frozen=True):
    """Unheard cards may lie after the first `after` deals, at most `lost` of them (None: unknown)."""

    after: int
    lost: int | None


class Aside(msgspec.Struct, frozen=True):
    """Cards of a place that are out of play, in view; the place gets as many again after the first `after` deals."""

    to: str
    draws: tuple[int, ...]
    after: int


class Voided(msgspec.Struct, frozen=True):
    """Why a round does not count, and the seats whose jackpot chip goes on to the next one (17.º 3)."""

    article: str
    reason: str
    carried: tuple[int, ...] = ()
    code: str | UnsetType = UNSET
    values: dict[str, Value] | UnsetType = UNSET

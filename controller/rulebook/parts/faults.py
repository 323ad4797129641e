"""The effect of a device's trouble in each phase of a round: the form of the tables that the parts of a game have.

Voids are made by them and with their citations, prompts take their words, and the dealer's count is asked by them.
Where its action is "continue", a cell states what applies by default. The tests check every cell.
"""

from typing import Literal, get_args

import msgspec

from controller.rulebook.events import CardSource

Action = Literal["continue", "by hand", "hold", "void"]
AnyPhase = Literal["between", "shuffle", "wagers", "deal", "decisions", "reveal", "settle", "claims"]
DeviceName = Literal[CardSource, "slots", "sign", "floor", "pit"]
"""The link to the floor's broker is lost and found as a device's is, and so is the pit of a linked pot."""
Trouble = tuple[DeviceName, str]
"""A device and its trouble."""
LossCause = Literal[
    "unknown", "unplugged", "silent", "in_use", "forbidden", "stalled", "garbled",
    "name_unknown", "nothing_listens", "unreachable", "no_answer", "hung_up",
    "tls_failed", "not_tls", "certificate_expired", "certificate_not_yet_valid", "certificate_wrong_name",
    "certificate_untrusted", "certificate_revoked", "own_certificate_missing", "own_certificate_expired",
    "own_certificate_revoked", "own_certificate_untrusted", "own_certificate_refused", "bad_file",
    "no_welcome", "credentials", "not_authorised", "banned", "broker_busy", "protocol", "client_id", "moved",
    "taken_over", "too_large", "quota", "keepalive", "broker_stops", "ended_by_operator", "unsupported",
    "misunderstood", "refused", "stopped", "broken", "other_chip", "not_taken_up", "other_keys"
]  # fmt: skip
"""The reason why a device, the floor or the pit is offline, as far as it matters for the remedy."""
PHASES: tuple[AnyPhase, ...] = get_args(AnyPhase)


class Cell(msgspec.Struct, frozen=True):
    """The `action` on a fault under `citation`; `prompt` is the key of the dealer's prompt if the round waits for an
    act.

    `check` is how lost reports are replaced `by hand`: the dealer counts the cards dealt, or compares the open ones.
    """

    action: Action
    citation: str
    prompt: str = ""
    check: Literal["count", "compare"] = "count"


Phases = dict[AnyPhase, Cell]
Faults = dict[Trouble, Phases]
"""The effect of each trouble in the phases in which it matters."""
NOT_NEEDED = Cell("continue", "policy: nothing is wanted of it now")
MAIN_GAME_CONTINUES = Cell("continue", "policy: the main game continues")


def in_every_phase(cell: Cell) -> Phases:
    """A row that is the same in every phase."""
    return dict.fromkeys(PHASES, cell)

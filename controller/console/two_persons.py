"""Acts that two persons sign: which PINs come with them, so that one person cannot do both parts."""

from collections.abc import Sequence
from urllib.parse import unquote

from controller.console.requests import Malformed
from controller.engine.decisions.deciders import ApproveChanges, RejectChanges
from controller.engine.decisions.decision import CoSigned
from controller.engine.decisions.jackpot import ApproveParameters, ConfirmHit
from controller.engine.state.persons import Changing, PersonInput
from controller.rulebook.roles import SUPERVISOR, People

HEADER = "dealer-station-pin"  # `ana=274951,rui=862043`; names percent-encoded
MOST_TEXT = 100  # characters of a name or a PIN


def actors_of(inputs: Sequence[PersonInput]) -> list[str]:
    """The persons whom these inputs name."""
    named: list[str] = []
    for input in inputs:
        named.append(input.actor)
        if isinstance(input, CoSigned | ApproveChanges) and input.second:
            named.append(input.second)
    return named


def pins_wanted(inputs: Sequence[PersonInput], people: People) -> list[str]:
    """The persons whose PINs these inputs need: one for a part of a payment or approval, both for a co-signed act.

    A supervisor's correction also needs the supervisor's PIN, so that a dealer cannot make it on the same screen.
    """
    signed = ConfirmHit | ApproveParameters | ApproveChanges | CoSigned
    changes = Changing | RejectChanges
    wanted = [
        input
        for input in inputs
        if isinstance(input, signed) or (isinstance(input, changes) and people.get(input.actor) == SUPERVISOR)
    ]
    return list(dict.fromkeys(actors_of(wanted)))


def pins_in(header: str | None) -> dict[str, str]:
    """The PINs that came with a request, by name. Raises Malformed, whose text contains no part of a PIN."""
    pins: dict[str, str] = {}
    for pair in (header or "").split(",") if header else ():
        name, _, pin = pair.strip().partition("=")
        if not (0 < len(name) <= 3 * MOST_TEXT and 0 < len(pin) <= MOST_TEXT):
            raise Malformed(HEADER, "NAME=PIN, and a comma between two of them")
        pins[unquote(name)] = pin
    return pins

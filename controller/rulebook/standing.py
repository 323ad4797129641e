"""Whether a regulation is in force, and by what it ended. No I/O here."""

from typing import Literal

from msgspec import Struct

State = Literal["in_force", "revoked", "replaced", "lapsed"]
IN_WORDS: dict[State, str] = {
    "in_force": "in force",
    "revoked": "revoked by ",
    "replaced": "replaced by ",
    "lapsed": "lapsed, ",
}


class Standing(Struct, frozen=True):
    """A regulation as it is cited, and whether it is in force; `by` is what ended it, cited too."""

    regulation: str
    state: State = "in_force"
    by: str = ""

    def __str__(self) -> str:
        return f"{self.regulation}; {IN_WORDS[self.state]}{self.by}"

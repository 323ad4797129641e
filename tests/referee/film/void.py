"""What voids a round or is cited where no regulation has an article."""

from dataclasses import dataclass, field

from .message import Difference, part

COMPLETE_DECK = "policy: complete deck"
EVERY_CARD_REPORTED = "policy: every card reported"
SUPERVISORS_VOID = "policy: supervisor's void"
MISDEAL = "policy: misdeal"
ERRORS_CORRECTED = ("policy: errors corrected",)
KEYED_IN = ("policy: unread cards",)


# ---- Whether a round is void: what the camera calls for, and what a fault allows that it cannot see. No I/O here


@dataclass
class Dealt:
    """A deal of any game, and why the round is void if it is.

    `void` is what the camera calls for, from line `void_at` on. `may` are the articles and policies that a fault allows
    where the camera cannot know what the machine still reported, each with its first line and the fault in words.
    """

    source: str
    void: str | None = None
    void_at: float = 0
    may: dict[str, tuple[float, str]] = field(default_factory=dict)
    complete: bool = False
    unread: bool = False  # a card that certainly no one read
    perhaps_unread: bool = False
    ended_at: float = 0  # nothing of the deal comes after this line
    odd: list[str] = field(default_factory=list)

    def allow(self, article: str, at: float, fault: str) -> None:
        """A fault at this line may have voided the round."""
        if article not in self.may or at < self.may[article][0]:
            self.may[article] = (at, fault)


def why_void(against: Difference, dealt: Dealt, notes: list[str], *, playable: bool) -> str | None:
    """The article or policy that voids the round; None if it must be settled, as a complete deal to
    bets that remain."""
    published = part(against.message, "void").get("article")
    allowed = dealt.may.get(published) if isinstance(published, str) else None
    if allowed and (dealt.void is None or allowed[0] < dealt.void_at):
        if dealt.complete or dealt.void:
            notes.append(f"round {against.number}: void by {published}, as may be: {allowed[1]}")
        return str(published)
    if dealt.void:
        return dealt.void
    if playable and dealt.complete:
        return None
    if dealt.may:
        return min(dealt.may, key=lambda article: dealt.may[article][0])
    against.differences.append(f"round {against.number}: the camera saw no complete deal and no reason why")
    return str(published or "~")

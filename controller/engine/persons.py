"""Who may do what at the table, and what a person must say with it. No I/O here."""

from collections.abc import Mapping

from controller.rulebook.refusal import Refusal

SUPERVISOR = "supervisor"
INSPECTOR = "inspector"  # of the table, the "fiscal de banca" (black-jack 8)
AT_THE_TABLE = ("dealer", SUPERVISOR)
LONGEST_REASON = 200
MOST_ADJUSTED = 10**12  # minor units; far above any table, far below what a reader of JSON takes exactly


def require_supervisor(role: str, what: str) -> None:
    """Raises Refusal for anybody else; `what` begins the sentence."""
    if role != SUPERVISOR:
        raise Refusal("actor", f"only a supervisor {what}", "policy: roles")


def require_second(people: Mapping[str, str], actor: str, second: str) -> None:
    """Raises Refusal unless another person of the table stands for an adjustment beside the supervisor."""
    policy = "policy: two persons adjust"
    if people.get(second) not in AT_THE_TABLE:
        raise Refusal("second", "a dealer or another supervisor stands for an adjustment too", policy)
    if second == actor:
        raise Refusal("second", f"{second} documents it already; another person must stand for it too", policy)


def documented(reason: str) -> str:
    """The reason a person gives. Raises Refusal where nothing is said, or what no printer prints."""
    if not (1 <= len(reason.strip()) <= LONGEST_REASON and reason.strip().isprintable()):
        raise Refusal("reason", f"1 to {LONGEST_REASON} characters that say why", "policy: documented adjustment")
    return reason.strip()


def refuse_no_amount(amount: int) -> None:
    """Raises Refusal for an adjustment of nothing, or beyond all bounds."""
    if not amount or abs(amount) > MOST_ADJUSTED:
        raise Refusal(
            "amount", f"minor units, negative takes away, at most {MOST_ADJUSTED}", "policy: documented adjustment"
        )

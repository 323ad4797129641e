"""Answers of hands that were asked: to and from the words of a message, and one replaced by another. No I/O here."""

from collections.abc import Sequence

from msgspec.structs import replace

from controller.rulebook.blackjack_21.events import AnswerGiven
from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.refusal import CORRECTIONS, Refusal, quoted
from controller.rulebook.steps import seat_place

DECISIONS = ("hit", "stand", "double", "split")
WORDS = "hit, stand, double, split, give_up, even_money, no, insure 100,0 or follow 1,0"


def in_words(given: AnswerGiven) -> str:
    """An answer as a message reports it."""
    match given.question:
        case "decision":
            return given.decision
        case "give_up" | "even_money":
            return given.question if given.yes else "no"
        case "insurance":
            return f"insure {','.join(map(str, given.amounts))}"
        case "follow":
            return f"follow {','.join(str(int(yes)) for yes in given.who)}"


def reworded(given: AnswerGiven, words: str) -> AnswerGiven:
    """Another answer to the same question. Raises Refusal for words that are no answer to it."""
    what, _, values = words.partition(" ")
    numbers = values.split(",")
    if given.question not in _questions(words) or (bool(values) != (what in ("insure", "follow"))):
        raise Refusal(seat_place(given.seat), BlackjackReason.NO_ANSWER, CORRECTIONS, words=quoted(words), known=WORDS)
    if values and not all(number.isascii() and number.isdecimal() and len(number) < 16 for number in numbers):
        raise Refusal(seat_place(given.seat), BlackjackReason.NO_NUMBERS, CORRECTIONS, value=quoted(values))
    match given.question:
        case "decision":
            return replace(given, decision=words)
        case "give_up" | "even_money":
            return replace(given, yes=what != "no")
        case "insurance":
            return replace(given, amounts=tuple(map(int, numbers)))
        case "follow":
            if set(numbers) - {"0", "1"}:
                raise Refusal(seat_place(given.seat), BlackjackReason.NO_FOLLOWERS, CORRECTIONS, value=quoted(values))
            return replace(given, who=tuple(number == "1" for number in numbers))


def last_answered(answers: Sequence[AnswerGiven | None], seat: int, words: str) -> int:
    """The seat's last answer to the question that these words answer. Raises Refusal if it was not asked that."""
    for index in range(len(answers) - 1, -1, -1):
        given = answers[index]
        if given is not None and given.seat == seat and given.question in _questions(words):
            return index
    if not _questions(words):
        raise Refusal(seat_place(seat), BlackjackReason.NO_ANSWER, CORRECTIONS, words=quoted(words), known=WORDS)
    raise Refusal(seat_place(seat), BlackjackReason.NOT_ANSWERED, CORRECTIONS)


def _questions(words: str) -> tuple[str, ...]:
    """The questions that these words can answer."""
    if words in DECISIONS:
        return ("decision",)
    what = words.partition(" ")[0]
    asked = {"give_up": ("give_up",), "even_money": ("even_money",), "no": ("give_up", "even_money")}
    return {**asked, "insure": ("insurance",), "follow": ("follow",)}.get(what, ())

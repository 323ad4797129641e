"""Answers of the table and its journal as HTTP: a status, and JSON with English sentences."""

from typing import Any

import msgspec
from starlette.responses import Response

from controller.engine.outcomes import (
    AnsweredInPart,
    Defect,
    JournalBroken,
    JournalUnreadable,
    NoSlip,
    NotDurable,
    NotFound,
    NotTaken,
    NotUnderstood,
    OutcomeOfAll,
    Refused,
    Stale,
    TooFarBack,
)
from controller.rulebook.refusal import Reason
from controller.words import english

STATUSES: dict[type, int] = {
    list: 200,
    AnsweredInPart: 400,
    NoSlip: 404,
    Stale: 409,
    Refused: 422,
    NotUnderstood: 422,
    TooFarBack: 422,
    Defect: 500,
    JournalBroken: 500,
    NotDurable: 503,
    JournalUnreadable: 503,
}
_SENTENCES = {
    Defect: {"reason": "the station could not decide this; see its log"},
    AnsweredInPart: {
        "key": "input_id",
        "expected": "another input_id for each input; some of these were answered before",
    },
    NotDurable: {"expected": "the same input again, a little later"},
    TooFarBack: {"reason": "figures are of the last 500,000 events at most: ask for a time that begins later"},
}


def status_of(outcome: OutcomeOfAll | NotFound) -> int:
    """The HTTP status of an outcome."""
    return STATUSES[type(outcome)]


def in_english(outcome: NotTaken | AnsweredInPart | NotDurable | NotFound) -> dict[str, Any]:
    """A refusal or failed read as JSON, with its English sentences."""
    answer = {**msgspec.to_builtins(outcome), **_SENTENCES.get(type(outcome), {})}
    match outcome:
        case Refused(code=code, values=values) | NotUnderstood(code=code, values=values):
            answer["reason"] = english(Reason(code, values))
        case NoSlip(last=last):
            answer["expected"] = f"1 to {last}" if last else "no hit was paid yet"
    return answer


def answer_to_inputs(outcome: OutcomeOfAll) -> Response:
    """The response to a person's inputs."""
    return json_answer({"answers": outcome} if isinstance(outcome, list) else in_english(outcome), status_of(outcome))


def answer_to_question(found: bytes | NotFound) -> Response:
    """The response to a read, or the reason why there is none."""
    return json_answer(found) if isinstance(found, bytes) else json_answer(in_english(found), status_of(found))


def json_answer(content: object, status: int = 200) -> Response:
    """An answer in JSON that must not be cached; bytes are JSON already."""
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    return Response(body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})

"""What the table and its journal say, as HTTP has it: a status and JSON. Nobody else knows a status."""

import msgspec
from starlette.responses import Response

from controller.engine import outcomes
from controller.engine.outcomes import NotFound, OutcomeOfAll

STATUSES: dict[type, int] = {
    list: 200,
    outcomes.AnsweredInPart: 400,
    outcomes.NoSlip: 404,
    outcomes.Stale: 409,
    outcomes.Refused: 422,
    outcomes.NotUnderstood: 422,
    outcomes.TooFarBack: 422,
    outcomes.Defect: 500,
    outcomes.JournalBroken: 500,
    outcomes.NotDurable: 503,
    outcomes.JournalUnreadable: 503,
}


def status_of(outcome: OutcomeOfAll | NotFound) -> int:
    """The status that this is answered with."""
    return STATUSES[type(outcome)]


def answer_to_inputs(outcome: OutcomeOfAll) -> Response:
    """What a person is answered."""
    return json_answer({"answers": outcome} if isinstance(outcome, list) else outcome, status_of(outcome))


def answer_to_question(found: bytes | NotFound) -> Response:
    """What was asked for, or why it is not there."""
    return json_answer(found) if isinstance(found, bytes) else json_answer(found, status_of(found))


def json_answer(content: object, status: int = 200) -> Response:
    """What holds at this moment alone; bytes are JSON already."""
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    return Response(body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})

"""Each kind of correction is written to the event of the journal, and read from it again."""

import msgspec
import pytest

from controller.rulebook.cards import Card
from controller.rulebook.corrected import (
    CardsCorrected,
    Corrected,
    DecisionCorrected,
    DiceCorrected,
    SeatCorrected,
    WagerCorrected,
    corrected_by,
    event_of,
)
from controller.rulebook.events import InputCorrected

ALWAYS = {"type": "input_corrected", "actor": "ana", "reason": "keyed in wrongly"}
OWN: dict[str, object] = {
    "wager": None, "player": None, "draws": [], "asked_again": 0, "change": None, "after_result": False,
    "approved_by": [], "net_before": None, "net_after": None,
}  # fmt: skip
KEPT: list[tuple[Corrected, dict[str, object]]] = [
    (
        WagerCorrected(3, "bet", "Mei", 100, 0),
        {"what": "wager", "at": "seat 3", "before": 100, "after": 0, "wager": "bet", "player": "Mei"},
    ),
    (SeatCorrected(3, to=12), {"what": "seat", "at": "seat 3", "before": "seat 3", "after": "seat 12"}),
    (
        DecisionCorrected(1, "insure 100,0", "insure 0,0", asked_again=2),
        {"what": "decision", "at": "seat 1", "before": "insure 100,0", "after": "insure 0,0", "asked_again": 2},
    ),
    (
        CardsCorrected("bank", (Card("As"), Card("Kd")), (Card("Ah"), Card("Kd")), draws=(4, 9)),
        {"what": "cards", "at": "bank", "before": "As Kd", "after": "Ah Kd", "draws": [4, 9]},
    ),
    (
        DiceCorrected(2, (1, 6, 3), (1, 6, 4)),
        {"what": "dice", "at": "seat 2", "before": "1 6 3", "after": "1 6 4"},
    ),
]


@pytest.mark.parametrize(("corrected", "kept"), KEPT, ids=[str(kept["what"]) for _, kept in KEPT])
def test_a_correction_is_kept_in_an_event_and_read_again(corrected: Corrected, kept: dict[str, object]) -> None:
    event = event_of(corrected, "ana", "keyed in wrongly")
    assert msgspec.json.decode(msgspec.json.encode(event)) == ALWAYS | OWN | kept
    assert corrected_by(msgspec.json.decode(msgspec.json.encode(event), type=InputCorrected)) == corrected
    assert corrected.at == event.at

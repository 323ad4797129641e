"""The lists of possible values of texts in the messages, each from the code that defines it. No I/O here."""

from typing import Any, get_args

from msgspec.structs import fields

from controller.engine.shown.places import PairName
from controller.engine.shown.public import LinkState
from controller.engine.state.alarms import Level, names
from controller.engine.state.applied import Event
from controller.engine.state.current import Mode
from controller.engine.state.events import DeviceReportKind, Notice
from controller.engine.state.jackpot import Hit
from controller.engine.state.table import SlotChip
from controller.floor.reasons import RequestReason
from controller.floor.shapes import SCHEMA
from controller.rulebook.citations import RegulationState
from controller.rulebook.events import CardSource, Deal, InputCorrected
from controller.rulebook.five_card import FiveCardName
from controller.rulebook.game import HandState
from controller.rulebook.games import GAMES
from controller.rulebook.house import BasicBets
from controller.rulebook.offers import DECISIONS, REFUSED
from controller.rulebook.parts.faults import DeviceName, LossCause
from controller.rulebook.report import IrregularityKind, Outcome, RoundResult
from controller.rulebook.roles import Role
from controller.rulebook.steps import Phase, StepKind
from controller.rulebook.three_card import ThreeCardName
from controller.words import ENGLISH, SPOKEN, keys_of_the_page

Values = tuple[str, ...] | tuple[int, ...]


def _of_field(shape: Any, key: str) -> Values:
    [kind] = (field.type for field in fields(shape) if field.name == key)
    return get_args(kind)


def _question() -> Values:
    [event] = (argument for argument in get_args(Event) if argument.__struct_config__.tag == "answer_given")
    return _of_field(event, "question")


ENUMERATIONS: dict[str, Values] = {
    "Act": tuple(dict.fromkeys(act for game in GAMES.values() for act in game.session.acts)),
    "AlarmLevel": get_args(Level),
    "AdditionalBet": tuple(dict.fromkeys(bet for game in GAMES.values() for bet in game.betting.additional)),
    "BasicBets": get_args(BasicBets),
    "CardSource": get_args(CardSource),
    "CloudEventsVersion": ("1.0",),
    "Combination": get_args(FiveCardName),
    "CorrectedInput": _of_field(InputCorrected, "what"),
    "DataContentType": ("application/json",),
    "Deal": get_args(Deal),
    "Decision": (*DECISIONS, REFUSED),
    "Device": get_args(DeviceName),
    "DeviceReportKind": get_args(DeviceReportKind),
    "Game": tuple(GAMES),
    "HandName": get_args(ThreeCardName),
    "HandState": get_args(HandState),
    "HitState": _of_field(Hit, "state"),
    "IrregularityKind": get_args(IrregularityKind),
    "Language": tuple(SPOKEN),
    "LinkState": get_args(LinkState),
    "LossCause": get_args(LossCause),
    "Mode": get_args(Mode),
    "Notice": get_args(Notice),
    "Outcome": get_args(Outcome),
    "PairName": get_args(PairName),
    "Phase": get_args(Phase),
    "ProblemCode": tuple(RequestReason),
    "Question": _question(),
    "Reading": tuple(dict.fromkeys(reading.key for game in GAMES.values() for reading in game.other_readings)),
    "RegulationState": get_args(RegulationState),
    "Role": get_args(Role),
    "RoundOutcome": _of_field(RoundResult, "outcome"),
    "SchemaNumber": (SCHEMA,),
    "SlotState": _of_field(SlotChip, "state"),
    "Step": get_args(StepKind),
    "Tier": tuple(key.removeprefix("tier/") for key in ENGLISH.slip_texts if key.startswith("tier/")),
}
"""Each list of values, by the name of its schema."""
OF_KEYS: dict[str, str | None] = {
    "acts": "Act",
    "additional": "AdditionalBet",
    "deal": "Deal",
    "DecisionMade.decision": "Decision",
    "Envelope.source": None,
    "game": "Game",
    "lang": "Language",
    "mode": "Mode",
    "Problem.code": "ProblemCode",
    "question": "Question",
    "rules": "Reading",
    "slots": "SlotState",
    "source": "CardSource",
    "sources": "CardSource",
    "tier": "Tier",
    "PairResult.name": "PairName",
}
"""The lists of keys that are mere text in their shapes; `Shape.key` comes before `key`."""
EXAMPLES: dict[str, tuple[str, ...]] = {
    "alarm": tuple(names()),
    "PublicAlarm.name": tuple(names()),
    "PublishedWager.wager": keys_of_the_page("figure.wager"),
    "wager": keys_of_the_page("wager"),
}
"""Examples of open lists: an alarm names a seat or an archive, a wager may be an authorised bet."""

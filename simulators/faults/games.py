"""What can go wrong in which game, and in which phases of it. No I/O here."""

from simulators.faults.language import KINDS, PHASES, Fault, Kind
from simulators.station_toml import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8

_WITHOUT_JACKPOT = {kind for kind in KINDS.values() if kind.device in ("slots", "sign", "players")}
_OF_FORTUNE_8 = {KINDS["dealer", name] for name in ("early_card", "put_right")}
_OF_BLACKJACK = {KINDS["dealer", name] for name in ("unasked_card", "bank_card_too_many")}
_NOT_FACE_UP = {KINDS["dealer", name] for name in ("expose", "empty_seat", "slip_decision")} | {
    KINDS["shuffler", "short"]
}
_SENSELESS: dict[str, set[Kind]] = {
    FORTUNE_3_2025: _OF_FORTUNE_8 | _OF_BLACKJACK,
    FORTUNE_3_2008: _OF_FORTUNE_8 | _OF_BLACKJACK | _WITHOUT_JACKPOT,
    FORTUNE_8: _NOT_FACE_UP | _OF_BLACKJACK | _WITHOUT_JACKPOT,
    BLACKJACK_21: _NOT_FACE_UP | {KINDS["dealer", "early_card"], KINDS["dealer", "miskey"]},
}
_NO_PHASES = {
    FORTUNE_3_2025: ("announce",), FORTUNE_3_2008: ("announce",), FORTUNE_8: ("decisions",),
    BLACKJACK_21: ("announce",),
}  # fmt: skip
_NOT_IN_EVERY_ROUND = {
    FORTUNE_3_2025: (), FORTUNE_3_2008: (), FORTUNE_8: ("shuffle", "reveal"), BLACKJACK_21: ("shuffle", "reveal")
}  # fmt: skip

# at the least: one seat, bank, community, or a card to each of the seven spaces
PACKETS_OF_ROUND = {FORTUNE_3_2025: 3, FORTUNE_3_2008: 2, FORTUNE_8: 7, BLACKJACK_21: 4}
CARDS_OF_ROUND = {FORTUNE_3_2025: 8, FORTUNE_3_2008: 6, FORTUNE_8: 7, BLACKJACK_21: 4}
SINGLE_CARDS = (FORTUNE_8, BLACKJACK_21)  # the shuffler gives, and is never told to shuffle


def makes_sense(kind: Kind, game: str) -> bool:
    """Whether this can go wrong in this game."""
    return kind not in _SENSELESS[game]


def phases_of(game: str) -> tuple[str, ...]:
    """Every phase the game has."""
    return tuple(phase for phase in PHASES if phase not in _NO_PHASES[game])


def sure_phases_of(game: str) -> tuple[str, ...]:
    """The phases that come in every round, and the time after it."""
    in_round = [phase for phase in phases_of(game) if phase not in ("between", *_NOT_IN_EVERY_ROUND[game])]
    return (*in_round, "between")


def check_sense(fault: Fault, game: str) -> None:
    """Raise ValueError, with the name of the game, if this fault makes no sense in it."""
    kind = KINDS[fault.device, fault.kind]
    if not makes_sense(kind, game):
        none = fault.device in ("slots", "sign")
        raise ValueError(f"{fault}: {game} has no {fault.device}" if none else f"{fault}: makes no sense in {game}")
    if fault.value == "community" and game == FORTUNE_3_2008:
        raise ValueError(f"{fault}: {game} has no community cards")
    if (phase := fault.conditions.phase) is not None and phase not in phases_of(game):
        raise ValueError(f"{fault}: {game} has no phase {phase}; expected one of {' '.join(phases_of(game))}")

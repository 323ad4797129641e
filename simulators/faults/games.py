"""What can go wrong in which game, and in which phases of it. No I/O here."""

from simulators.faults.syntax import KINDS, PHASES, Fault, Kind
from simulators.station_toml import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO

_WITHOUT_JACKPOT = {kind for kind in KINDS.values() if kind.device in ("slots", "sign", "players")}
_OF_FORTUNE_8 = {KINDS["dealer", name] for name in ("early_card", "put_right")}
_OF_BLACKJACK = {KINDS["dealer", name] for name in ("unasked_card", "bank_card_too_many", "no_bets")}
_NOT_FACE_UP = {KINDS["dealer", name] for name in ("expose", "empty_seat")} | {KINDS["shuffler", "short"]}
_WITHOUT_DECISIONS = {KINDS["dealer", "slip_decision"]}
_OF_PAI_KAO = {KINDS["dealer", "slip_dice"]}
_WITHOUT_SHUFFLER = {kind for kind in KINDS.values() if kind.device in ("shuffler", "slots", "players")} | {
    KINDS["shoe", "cut_card"]
}
_NOT_OF_PAI_KAO = {KINDS["dealer", name] for name in ("early_card", "empty_seat", "slip_decision")}
_SENSELESS: dict[str, set[Kind]] = {
    FORTUNE_3_2025: _OF_FORTUNE_8 | _OF_BLACKJACK | _OF_PAI_KAO,
    FORTUNE_3_2008: _OF_FORTUNE_8 | _OF_BLACKJACK | _OF_PAI_KAO | _WITHOUT_JACKPOT,
    FORTUNE_8: _NOT_FACE_UP | _WITHOUT_DECISIONS | _OF_BLACKJACK | _OF_PAI_KAO | _WITHOUT_JACKPOT,
    BLACKJACK_21: _NOT_FACE_UP | _OF_PAI_KAO | {KINDS["dealer", "early_card"], KINDS["dealer", "miskey"]},
    TAIWAN_PAI_KAO: _WITHOUT_SHUFFLER | _OF_BLACKJACK | _NOT_OF_PAI_KAO,
}
_OF_A_BANKER = ("bank", "form", "dice")
_NO_PHASES = {
    FORTUNE_3_2025: ("announce", *_OF_A_BANKER), FORTUNE_3_2008: ("announce", *_OF_A_BANKER),
    FORTUNE_8: (*_OF_A_BANKER, "decisions"), BLACKJACK_21: ("announce", *_OF_A_BANKER), TAIWAN_PAI_KAO: (),
}  # fmt: skip
_NOT_IN_EVERY_ROUND = {
    FORTUNE_3_2025: (), FORTUNE_3_2008: (), FORTUNE_8: ("shuffle", "reveal"), BLACKJACK_21: ("shuffle", "reveal"),
    TAIWAN_PAI_KAO: ("shuffle", "announce"),
}  # fmt: skip
_NO_PLACES = {FORTUNE_3_2008: ("community",), TAIWAN_PAI_KAO: ("community", "bank")}

# at the least: one seat, bank, community, or a card to each of the seven spaces, or four tiles to each of four places
PACKETS_OF_ROUND = {FORTUNE_3_2025: 3, FORTUNE_3_2008: 2, FORTUNE_8: 7, BLACKJACK_21: 4}
CARDS_OF_ROUND = {FORTUNE_3_2025: 8, FORTUNE_3_2008: 6, FORTUNE_8: 7, BLACKJACK_21: 4, TAIWAN_PAI_KAO: 16}
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
        none = fault.device in ("shuffler", "slots", "sign") and not _has_any(fault.device, game)
        raise ValueError(f"{fault}: {game} has no {fault.device}" if none else f"{fault}: makes no sense in {game}")
    if fault.value in _NO_PLACES.get(game, ()):
        said = "names the banker's place by its seat" if fault.value == "bank" else "has no community cards"
        raise ValueError(f"{fault}: {game} {said}")
    if (phase := fault.conditions.phase) is not None and phase not in phases_of(game):
        raise ValueError(f"{fault}: {game} has no phase {phase}; expected one of {' '.join(phases_of(game))}")


def _has_any(device: str, game: str) -> bool:
    return any(makes_sense(kind, game) for kind in KINDS.values() if kind.device == device)

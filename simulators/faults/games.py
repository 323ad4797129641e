"""The faults that are possible at the table of a game, and their phases. No I/O here."""

from dataclasses import dataclass

from simulators.faults.syntax import KINDS, PHASES, Fault, FaultKind

PHASES_OF_A_BANKER = ("bank", "form", "dice")
ONLY_ANNOUNCED = ("dealer:early_card", "dealer:error_corrected")
ONLY_HANDS = ("dealer:unasked_card", "dealer:bank_card_too_many", "dealer:no_bets")
ONLY_TILES = ("dealer:slip_dice",)
NEVER_FACE_UP = ("dealer:expose", "dealer:empty_seat", "shuffler:short")
ONLY_JACKPOT = ("slots", "sign", "players")


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsOfGame:
    """The faults that make no sense at one game: a whole device or DEVICE:KIND, phases, and places where cards are
    dealt.

    Every round has at least `packets` and `cards`; `single_cards` come from a machine that is never asked to shuffle.
    """

    game: str
    senseless: tuple[str, ...]
    no_phases: tuple[str, ...] = ("announce", *PHASES_OF_A_BANKER)
    not_in_every_round: tuple[str, ...] = ()
    no_places: tuple[str, ...] = ()
    packets: int = 0
    cards: int
    single_cards: bool = False

    def makes_sense(self, kind: FaultKind) -> bool:
        """Whether this fault is possible in this game."""
        return kind.device not in self.senseless and str(kind) not in self.senseless

    @property
    def phases(self) -> tuple[str, ...]:
        """Every phase the game has."""
        return tuple(phase for phase in PHASES if phase not in self.no_phases)

    @property
    def sure_phases(self) -> tuple[str, ...]:
        """The phases that come in every round, and the time after it."""
        in_round = [phase for phase in self.phases if phase not in ("between", *self.not_in_every_round)]
        return (*in_round, "between")

    def check(self, fault: Fault) -> None:
        """Raise ValueError, with the name of the game, if this fault makes no sense in it."""
        if not self.makes_sense(KINDS[fault.device, fault.kind]):
            none = fault.device in ("shuffler", "slots", "sign") and not self._has_any(fault.device)
            reason = f"{self.game} has no {fault.device}" if none else f"makes no sense in {self.game}"
            raise ValueError(f"{fault}: {reason}")
        if fault.value in self.no_places:
            lack = "names the banker's place by its seat" if fault.value == "bank" else "has no community cards"
            raise ValueError(f"{fault}: {self.game} {lack}")
        if (phase := fault.conditions.phase) is not None and phase not in self.phases:
            raise ValueError(f"{fault}: {self.game} has no phase {phase}; expected one of {' '.join(self.phases)}")

    def _has_any(self, device: str) -> bool:
        return any(self.makes_sense(kind) for kind in KINDS.values() if kind.device == device)

"""The prize from a pot to which players add a chip: its needs, and the effects of its devices' troubles."""

from controller.rulebook.citations import Citations
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.parts.faults import (
    MAIN_GAME_CONTINUES,
    NOT_NEEDED,
    AnyPhase,
    Cell,
    DeviceName,
    Faults,
    Phases,
    Trouble,
    in_every_phase,
)

TROUBLES: tuple[Trouble, ...] = (("slots", "lost"), ("slots", "doubtful"), ("sign", "lost"), ("pit", "lost"))


class Prize:
    """No prize, so nothing depends on a sign.

    `absent` are the sections of a configuration that a table does not have. The house fixes the amounts of `tiers`. The
    chips of a round are marked in one of the ways `markings`. The authority fixes the conditions under the article
    `authorised_by`. The pot begins with `least_in_chips` chips or more.
    """

    absent: tuple[str, ...] = ("slots", "sign", "jackpot", "link")
    why_absent = "has no jackpot"
    tiers: tuple[str, ...] = ()
    markings: tuple[str, ...] = ("automatic",)
    authorised_by = ""
    least_in_chips = 0

    def __init__(self, citations: Citations) -> None:
        self._faults = self.faults(citations)

    def pays(self, parameters: Parameters) -> bool:
        """Whether a pot with these parameters belongs to this game."""
        return set(parameters.fixed) == set(self.tiers)

    def faults(self, citations: Citations) -> Faults:
        """The effect of each trouble in the phases in which it matters."""
        return {("sign", "lost"): in_every_phase(MAIN_GAME_CONTINUES)}

    def fault(self, device: DeviceName, trouble: str, phase: AnyPhase) -> Cell:
        """The effect while one of its devices is in one of the `TROUBLES`."""
        return self._faults.get((device, trouble), {}).get(phase, NOT_NEEDED)


class NoPrizeOnSign(Prize):
    """No prize, and a sign that shows something else."""

    absent = ("slots", "jackpot", "link")


class Jackpot(Prize):
    """A pot with chips in slots and an amount on a sign; no chip counts while one of these devices is offline."""

    absent = ()

    def __init__(self, citations: Citations, tiers: tuple[str, ...] = ()) -> None:
        super().__init__(citations)
        self.tiers = tiers

    def faults(self, citations: Citations) -> Faults:
        continues: Phases = {"between": MAIN_GAME_CONTINUES, "shuffle": MAIN_GAME_CONTINUES}
        return {
            ("slots", "lost"): {
                **continues,
                "wagers": Cell("by hand", "policy: the main game continues", "no_jackpot"),
            },
            ("slots", "doubtful"): {"wagers": Cell("continue", "policy: doubtful sensor")},
            ("sign", "lost"): {**continues, "wagers": Cell("continue", citations.display, "no_jackpot_sign")},
            ("pit", "lost"): {
                **continues,
                "wagers": Cell("continue", "policy: no jackpot chip without the pit", "no_jackpot_pit"),
            },
        }

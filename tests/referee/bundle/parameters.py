"""What governs the jackpot: its parameters, and those that were agreed for after the running pot."""

from typing import Any

from ..rules.meter import Meter
from .forms import Event, Wrong


class Parameters:
    """As the events leave them."""

    def __init__(self) -> None:
        self._now: dict[str, Any] | None = None
        self._after: dict[str, Any] | None = None

    def follow(self, event: Event) -> None:
        """Take one event."""
        match event["type"]:
            case "meter_opened" | "pot_restarted":
                self._now, self._after = event["parameters"], None
            case "restart_withdrawn":
                self._now, self._after = event["parameters"], event["scheduled"]
            case "parameters_scheduled":
                self._after = event["parameters_after"]

    @property
    def terms(self) -> dict[str, Any] | None:
        """Those that hold; None where no event set any."""
        if self._now is None:
            return None
        return {
            "fixed": self._now["fixed"],
            "minimum": (self._after or self._now)["minimum"],
            "increment_bp": self._now["increment_bp"],
            "reserve_bp": self._now["reserve_bp"],
        }

    def meter(self, pot: int, chip: int, *, won: bool) -> Meter:
        """The meter with this pot. Raises Wrong where a prize was won and no event set the parameters."""
        if won and self.terms is None:
            raise Wrong("a prize was won, and no event sets the parameters of the jackpot")
        return Meter({"chip": chip, "initial_pot": pot, **(self.terms or {})})

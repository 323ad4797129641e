"""Puts the referee into the wheel, as data beside the packages: `share/dealer-station/referee.pyz`."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RefereeHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds it from the sources that the wheel is built from."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """An editable install has the sources themselves."""
        if version == "editable":
            return
        self.archive.parent.mkdir(parents=True, exist_ok=True)
        runpy.run_path(str(Path(self.root) / "tests" / "referee" / "archive.py"))["build"](self.archive)
        build_data["shared_data"][str(self.archive)] = "share/dealer-station/referee.pyz"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the archive, which the wheel now contains."""
        self.archive.unlink(missing_ok=True)

    @property
    def archive(self) -> Path:
        """Where it is while the wheel is built."""
        return Path(self.directory) / "referee.pyz"

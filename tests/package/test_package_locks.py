"""What is fetched is pinned by hash: the tools, what the tests need, and of that what a table runs."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EVERYTHING, RUNTIME, UV = (ROOT / lock for lock in ("requirements.lock", "systemd/runtime.lock", "bootstrap.lock"))
PINNED = re.compile(r"([a-z0-9-]+)==(\S+)(?: ; [^\\]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n")


def pinned(lock: Path) -> dict[str, tuple[str, str]]:
    """Each package's version and hashes; nothing else is in the file."""
    text = lock.read_text(encoding="utf-8")
    assert PINNED.sub("", text) == ""
    return {name: (version, hashes) for name, version, hashes in PINNED.findall(text)}


@pytest.mark.parametrize("lock", [EVERYTHING, RUNTIME, UV], ids=lambda lock: lock.name)
def test_every_package_of_a_lock_has_a_version_and_hashes_and_no_address(lock: Path) -> None:
    assert pinned(lock)


def test_a_table_runs_the_versions_that_are_tested_and_no_others() -> None:
    assert pinned(RUNTIME).items() < pinned(EVERYTHING).items()


def test_a_table_has_what_the_station_imports_and_nothing_of_the_tests() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    def named(requirements: list[str]) -> set[str]:
        return {re.split(r"[^a-z0-9.-]", requirement)[0].replace(".", "-") for requirement in requirements}

    runtime = pinned(RUNTIME).keys()
    others = named(project["dependency-groups"]["dev"]) | named(
        project["project"]["optional-dependencies"]["simulator"]
    )
    assert named(project["project"]["dependencies"]) <= runtime
    assert not (others - {"paho-mqtt"}) & runtime, "aiomqtt brings paho-mqtt"


def test_what_builds_the_packages_without_a_wheel_is_pinned_too() -> None:
    assert {"hatchling", "editables", "setuptools"} <= pinned(EVERYTHING).keys()
    assert "export UV_BUILD_CONSTRAINT := requirements.lock\n" in (ROOT / "Makefile").read_text(encoding="utf-8")

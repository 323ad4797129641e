"""The referee as it is shipped: one file that is its sources, needs Python alone, and that no package imports."""

import ast
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.referee.archive import FOLDER, MAIN, build, sources

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the wheel installs of it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if ".data/" in name]
        assert name.endswith(".data/data/share/dealer-station/referee.pyz")
        (folder / "referee.pyz").write_bytes(archive.read(name))
    return folder / "referee.pyz"


def test_what_is_shipped_is_what_the_sources_make(shipped: Path, tmp_path: Path) -> None:
    copy = tmp_path / "tests" / "referee"
    shutil.copytree(FOLDER, copy, copy_function=shutil.copyfile)  # without its times
    build(tmp_path / "own.pyz")
    subprocess.run([sys.executable, "-m", "tests.referee.archive", "copy.pyz"], cwd=tmp_path, check=True)
    assert (tmp_path / "own.pyz").read_bytes() == (tmp_path / "copy.pyz").read_bytes() == shipped.read_bytes()


def test_it_has_every_module_of_the_referee_and_nothing_else(shipped: Path) -> None:
    modules = {f"referee/{path.relative_to(FOLDER)}": path.read_text(encoding="utf-8") for path in sources()}
    with zipfile.ZipFile(shipped) as archive:
        found = {name: archive.read(name).decode() for name in archive.namelist() if not name.endswith("/")}
    assert found == {"__main__.py": MAIN, **modules}
    rooms = {path for path in FOLDER.rglob("*.py") if path.parent != FOLDER and path.parent.name != "films"}
    assert set(sources()) == {*rooms, FOLDER / "__main__.py"}


def test_it_runs_where_nothing_but_python_is(shipped: Path, tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", "-S", str(shipped), *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={"PATH": ""})

    assert "bundle" in run("--help").stdout
    assert run("bundle", "missing.json").returncode == 2
    assert run("film", "--help").returncode == 0


def test_the_referee_imports_the_standard_library_and_itself_alone() -> None:
    for module in sources():
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            assert all(name.split(".")[0] in sys.stdlib_module_names for name in names), (module, names)


def test_no_package_knows_it() -> None:
    for package in ("controller", "drivers", "simulators"):
        for module in (ROOT / package).rglob("*.py"):
            assert "tests.referee" not in module.read_text(encoding="utf-8"), module

"""What is built: the referee, one file of its sources, and the image of the simulator, whose every hash holds."""

import ast
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

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


WRITER = Path(__file__).parents[2] / "systemd" / "oci.py"


def image(folder: Path, name: str = "image.tar") -> dict[str, bytes]:
    """The image of a small root, file by file."""
    root = folder / "root"
    if not root.exists():
        (root / "usr" / "bin").mkdir(parents=True)
        (root / "usr" / "bin" / "tool").write_text("#!/bin/sh\n")
        (root / "usr" / "bin" / "tool").chmod(0o755)
        os.link(root / "usr" / "bin" / "tool", root / "usr" / "bin" / "twin")
        (root / "bin").symlink_to("usr/bin")
        (root / "tmp").mkdir()
        (root / "tmp").chmod(0o1777)
    os.utime(root / "usr", ns=(1, len(name)))
    words = [sys.executable, str(WRITER), str(root), str(folder / name), "table:1", "1000", "tool", "play"]
    subprocess.run(words, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "86400"})
    with tarfile.open(folder / name) as tar:
        return {entry.name: file.read() for entry in tar if (file := tar.extractfile(entry)) is not None}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return image(tmp_path_factory.mktemp("image"))


def blob(files: dict[str, bytes], described: dict[str, Any]) -> bytes:
    """What a descriptor describes, which has the size and the hash that it says."""
    algorithm, _, name = described["digest"].partition(":")
    content = files[f"blobs/{algorithm}/{name}"]
    assert (len(content), hashlib.sha256(content).hexdigest()) == (described["size"], name)
    return content


def test_the_layout_leads_from_the_index_to_the_layer_by_hashes(files: dict[str, bytes]) -> None:
    assert json.loads(files["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}
    [listed] = json.loads(files["index.json"])["manifests"]
    assert listed["annotations"] == {"org.opencontainers.image.ref.name": "table:1"}
    manifest = json.loads(blob(files, listed))
    assert (manifest["schemaVersion"], manifest["mediaType"]) == (2, listed["mediaType"])
    config = json.loads(blob(files, manifest["config"]))
    [layer] = manifest["layers"]
    assert layer["mediaType"] == "application/vnd.oci.image.layer.v1.tar+gzip"
    plain = gzip.decompress(blob(files, layer))
    assert config["rootfs"] == {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(plain).hexdigest()}"]}
    assert len(files) == 5, "and nothing else is in it"


def test_it_runs_a_command_as_someone_who_is_not_root(files: dict[str, bytes]) -> None:
    [listed] = json.loads(files["index.json"])["manifests"]
    config = json.loads(blob(files, json.loads(blob(files, listed))["config"]))
    assert (config["os"], config["created"]) == ("linux", "1970-01-02T00:00:00Z")
    assert (config["config"]["User"], config["config"]["Entrypoint"]) == ("1000", ["tool", "play"])


def test_the_layer_is_the_root(tmp_path: Path) -> None:
    files = image(tmp_path)
    [layer] = [content for content in files.values() if content[:2] == b"\x1f\x8b"]
    (tmp_path / "layer").write_bytes(layer)
    with tarfile.open(tmp_path / "layer") as tar:
        found = {entry.name: entry for entry in tar}
    assert list(found) == ["bin", "tmp", "usr", "usr/bin", "usr/bin/tool", "usr/bin/twin"]
    assert found["bin"].linkname == "usr/bin" and found["usr/bin/twin"].linkname == "usr/bin/tool"
    assert (found["tmp"].mode, found["usr/bin/tool"].mode) == (0o1777, 0o755)
    assert {entry.mtime for entry in found.values()} == {86400}


def test_the_same_root_makes_the_same_image(tmp_path: Path) -> None:
    assert image(tmp_path, "one.tar") == image(tmp_path, "another.tar")
    assert (tmp_path / "one.tar").read_bytes() == (tmp_path / "another.tar").read_bytes()
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".layout")]

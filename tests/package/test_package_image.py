"""The image of the simulator: an OCI layout whose every hash holds, and whose layer is the root it was made of."""

import gzip
import hashlib
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

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

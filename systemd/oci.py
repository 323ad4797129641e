"""Writes a root as an image of one layer: an OCI layout in a tar, of which the same root makes the same octets.

    oci.py ROOT IMAGE NAME USER COMMAND [ARGUMENT…]

USER is the number of the user it runs as. The time of everything in it is SOURCE_DATE_EPOCH, or the beginning of 1970.
"""

import gzip
import hashlib
import io
import json
import os
import platform
import stat
import sys
import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

TIME = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


class Hashed(io.RawIOBase):
    """A file that is hashed as it is written."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.sha256 = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, octets: Any) -> int:
        self.sha256.update(octets)
        self._file.write(octets)
        return len(octets)


def paths(folder: Path) -> Iterator[Path]:
    """All paths below a folder, each after its own folder, always in the same order."""
    for path in sorted(folder.iterdir()):
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from paths(path)


def write_layer(root: Path, file: Any) -> tuple[str, str]:
    """Writes the root as a compressed tar; returns the hash of the written file, and that of the tar."""
    outer = Hashed(file)
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=outer, mtime=0) as packed:
        inner = Hashed(packed)
        with tarfile.open(mode="w|", fileobj=inner, format=tarfile.PAX_FORMAT) as tar:
            for path in paths(root):
                entry = tar.gettarinfo(str(path), str(path.relative_to(root)))
                if entry is None or stat.S_ISSOCK(path.lstat().st_mode):
                    continue
                entry.mtime, entry.uname, entry.gname = TIME, "", ""
                if entry.isreg():
                    with path.open("rb") as content:
                        tar.addfile(entry, content)
                else:
                    tar.addfile(entry)
    return outer.sha256.hexdigest(), inner.sha256.hexdigest()


def blob(folder: Path, value: object) -> tuple[str, int]:
    """A JSON object among the blobs; its hash and its size."""
    octets = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    name = hashlib.sha256(octets).hexdigest()
    (folder / name).write_bytes(octets)
    return name, len(octets)


def described(kind: str, name: str, size: int) -> dict[str, Any]:
    return {"mediaType": kind, "digest": f"sha256:{name}", "size": size}


def write_image(root: Path, image: Path, name: str, user: str, command: list[str]) -> None:
    """Write the layout beside the image, then the image."""
    layout = image.with_name(image.name + ".layout")
    blobs = layout / "blobs" / "sha256"
    blobs.mkdir(parents=True)
    with (blobs / "layer").open("wb") as file:
        packed, plain = write_layer(root, file)
    layer = (blobs / "layer").rename(blobs / packed)
    machine = platform.machine()
    config = {
        "architecture": ARCHITECTURES.get(machine, machine),
        "os": "linux",
        "created": datetime.fromtimestamp(TIME, UTC).isoformat().replace("+00:00", "Z"),
        "config": {
            "User": user,
            "Entrypoint": command,
            "Env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "HOME=/tmp"],
            "WorkingDir": "/tmp",
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{plain}"]},
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": described(CONFIG, *blob(blobs, config)),
        "layers": [described(LAYER, packed, layer.stat().st_size)],
    }
    index = described(MANIFEST, *blob(blobs, manifest)) | {"annotations": {"org.opencontainers.image.ref.name": name}}
    (layout / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [index]}))
    (layout / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')
    with tarfile.open(image, "w", format=tarfile.PAX_FORMAT) as tar:
        for path in paths(layout):
            entry = tar.gettarinfo(str(path), str(path.relative_to(layout)))
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = TIME, 0, 0, "", ""
            entry.mode = 0o755 if entry.isdir() else 0o644
            with open(path if entry.isreg() else os.devnull, "rb") as content:
                tar.addfile(entry, content if entry.isreg() else None)
            if entry.isreg():
                path.unlink()
    for folder in (blobs, blobs.parent, layout):
        folder.rmdir()


if __name__ == "__main__":
    write_image(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5:])

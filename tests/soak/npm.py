"""Programs of npm: installed by the hashes of their lock, in a folder of their own."""

import shutil
import subprocess
from pathlib import Path


def installed(lock: Path, folder: Path) -> Path:
    """A folder with a `package.json`, its lock and what it wants."""
    for needed in ("node", "npm"):
        assert shutil.which(needed), f"{needed} is not here: apt-get install nodejs npm"
    shutil.copytree(lock, folder, dirs_exist_ok=True)
    npm = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    done = subprocess.run(npm, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"what {lock.name} wants cannot be had: {done.stderr[-2000:]}"
    return folder

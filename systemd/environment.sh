#!/bin/sh
# What a table runs, in a folder that may be moved: the packages of runtime.lock, each by its hash, and the station.
#
#   environment.sh FOLDER
set -eu

tree=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The machine's own list of authorities, as Debian's pip uses it.
export UV_SYSTEM_CERTS=true UV_NO_PROGRESS=1 UV_PYTHON_DOWNLOADS=never UV_LINK_MODE=copy
export HOME="$work" VIRTUAL_ENV="$folder"
# What builds a package that has no wheel is pinned as well.
export UV_BUILD_CONSTRAINT="$tree/requirements.lock"

python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
	--target "$work/uv" --require-hashes --requirement "$tree/bootstrap.lock"
uv=$work/uv/bin/uv
$uv build --quiet --wheel --require-hashes --out-dir "$work/wheel" "$tree"
$uv venv --quiet --relocatable --python /usr/bin/python3 "$folder"
$uv pip sync --quiet --require-hashes "$tree/systemd/runtime.lock"
$uv pip install --quiet --no-deps "$work"/wheel/*.whl

# Of the commands the station's own; nothing that names the folder it was made in.
find "$folder/bin" -mindepth 1 ! -name 'python*' -delete
entry() { # a command's name, and the package it runs
	cat >"$folder/bin/$1" <<-END
	#!/bin/sh
	exec "\$(dirname -- "\$(realpath -- "\$0")")/python" -P -m $2 "\$@"
	END
	chmod 755 "$folder/bin/$1"
}
entry dealer-station controller
entry dealer-station-sim simulators
rm -f "$folder/CACHEDIR.TAG" "$folder/.gitignore" "$folder/.lock"
find "$folder/lib" \( -name direct_url.json -o -name uv_cache.json -o -name REQUESTED \) -delete
# Modules that are never run as a program.
find "$folder/lib" -name '*.py' -exec sed -i '1{/^#!.*python/d}' {} +

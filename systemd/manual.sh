#!/bin/sh
# The man pages, the completions of the shells and the document of the floor's messages, arranged as /usr/share is.
#
#   manual.sh PYTHON FOLDER    the Python of an environment that environment.sh has made
set -eu

tree=$(cd "$(dirname "$0")/.." && pwd)
python=$(realpath --no-symlinks "$1")
folder=$(realpath --canonicalize-missing "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What writes the completions is no part of what a table runs.
sed -n '/^shtab==/,/[^\\]$/p' "$tree/requirements.lock" >"$work/lock"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
	--target "$work/shtab" --require-hashes --requirement "$work/lock"

cd "$tree"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$work/shtab"
"$python" -m tests.docs.manual "$folder"
mv "$folder/zsh/site-functions" "$folder/zsh/vendor-completions" # as Debian's zsh has it
mkdir -p "$folder/dealer-station"
"$python" -m controller asyncapi >"$folder/dealer-station/asyncapi.json"

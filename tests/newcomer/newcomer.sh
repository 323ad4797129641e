#!/bin/sh
# What the README promises a newcomer, tried on a Debian 12 that has python3, pip, make and git, and nothing else: clones
# HEAD into a clean root, and runs its `make run` and `make test`.
set -eu
. "$(dirname "$0")/../../systemd/clean_root.sh"

clean_root bookworm python3 python3-pip make git
git clone --quiet "$project" "$root/root/dealer-station"

newcomer() { # a command line, in the clone
	echo "\$ $*"
	in_root sh -c "cd /root/dealer-station && $*"
}
newcomer 'make run ARGS="--rounds 3 --speed max"'
newcomer make test
echo 'newcomer: good'

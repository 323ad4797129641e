#!/bin/sh
# What the README promises a newcomer, tried on a Debian 12 that has python3, pip, make and git, and nothing else.
#
# Builds such a root with debootstrap, clones HEAD into it, and runs its `make run` and `make test`. The package mirrors
# and the certificate store of this machine are taken along where files below /etc configure them.
set -eu

packages=python3,python3-pip,make,git
project=$(cd "$(dirname "$0")/../.." && pwd)

[ "$(id -u)" = 0 ] || { echo 'make newcomer builds a system root and needs to be root: try "sudo make newcomer"' >&2; exit 1; }
for command in debootstrap unshare git; do
	command -v "$command" >/dev/null || { echo "make newcomer needs $command: install it first (\"apt-get install $command\")" >&2; exit 1; }
done
# What is mounted below the root goes with this process, however it ends.
[ "${1:-}" = inside ] || exec unshare --mount --propagation private "$0" inside

root=$(mktemp -d "${TMPDIR:-/var/tmp}/newcomer.XXXXXX")
chmod 755 "$root" # apt fetches as a user of its own
leave() { # with the exit code that was on its way
	code=$?
	umount --recursive --lazy "$root/proc" "$root/dev" 2>/dev/null || true
	rm -rf --one-file-system "$root"
	exit $code
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
	sed -n -E 's/^(URIs:|deb)( +\[[^]]*\])? +([a-z]+:[^ ]*).*/\3/p' | head -n 1)
echo "building a Debian 12 with $packages"
debootstrap --variant=minbase --include="$packages" bookworm "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 ||
	{ tail -n 5 "$root.log" >&2; exit 1; }
rm -f "$root.log"

# The lists of the root's own Debian are replaced, for one that is behind a mirror reaches no other.
rm -f "$root"/etc/apt/sources.list
for path in etc/apt etc/pip.conf etc/uv etc/ssl/certs etc/hosts etc/resolv.conf usr/local/share/ca-certificates; do
	[ -e "/$path" ] || continue
	mkdir -p "$root/$(dirname "$path")"
	cp -RL --remove-destination "/$path" "$root/$(dirname "$path")" 2>/dev/null || true # links in the store that lead nowhere
done

mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
git clone --quiet "$project" "$root/root/dealer-station"

newcomer() { # a command line, in the clone
	echo "\$ $*"
	env --ignore-environment HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		chroot "$root" sh -c "cd /root/dealer-station && $*"
}
newcomer 'make run ARGS="--rounds 3 --speed max"'
newcomer make test
echo 'newcomer: good'

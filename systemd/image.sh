#!/bin/sh
# An OCI image of the simulator, for those who only want to look: a clean Debian with the package that `make deb` has built
# for the suite and a broker, run as a user who is not root. No base image is fetched.
#
#   image.sh [SUITE [FOLDER]]    bookworm, dist
#   podman load --input dist/dealer-station-simulator.tar
#   podman run --rm --interactive --tty --network host dealer-station-simulator
set -eu
. "$(dirname "$0")/clean_root.sh"

folder=$(realpath -m "${2:-$project/dist}")
clean_root "${1:-bookworm}" python3 mosquitto systemd-standalone-sysusers systemd-standalone-tmpfiles
number=$(in_root sh -c '. /etc/os-release; echo "$VERSION_ID"')
package=$(ls "$project"/dist/dealer-station_*+deb"$number"_*.deb) || { echo "make deb SUITE=$suite first" >&2; exit 1; }

cp "$package" "$root/package.deb"
in_root apt-get --yes --quiet --quiet install /package.deb >/dev/null 2>&1
in_root apt-get clean
user=$(in_root id -u dealer-station)
umount --recursive --lazy "$root/proc" "$root/dev"
# Traces of this machine, and what no one needs in an image.
rm -rf "$root/package.deb" "$root"/etc/pip.conf "$root"/etc/uv "$root"/etc/apt/sources.list.d/* "$root"/etc/apt/apt.conf.d/* \
	"$root"/etc/resolv.conf "$root"/etc/hosts "$root"/etc/ssl/certs/* "$root"/usr/local/share/ca-certificates \
	"$root"/var/lib/apt/lists/* "$root"/var/log/* "$root"/var/cache/* \
	"$root"/usr/share/doc/* "$root"/usr/share/man/* "$root"/usr/share/locale/* "$root"/dev/* "$root"/proc/*
mkdir -p "$root/dev/pts" "$root/dev/shm"

image=$folder/dealer-station-simulator.tar
mkdir -p "$folder"
rm -rf "$image" "$image.layout"
SOURCE_DATE_EPOCH=$(git -C "$project" log -1 --format=%ct) python3 "$(dirname "$0")/oci.py" "$root" "$image" \
	dealer-station-simulator:latest "$user" dealer-station simulate
echo "$image: $(($(stat -c %s "$image") >> 20)) MiB"

# Its own root, unpacked from it, in a network of its own.
unpacked=$root/unpacked
mkdir "$unpacked"
layer=$(tar -t -v -f "$image" | sort -n -r -k 3 | head -n 1 | sed 's/.* //')
tar -x -O -f "$image" "$layer" | tar -x -z -C "$unpacked"
unshare --mount --net --pid --fork --ipc --uts sh -euc '
	ip link set lo up 2>/dev/null || true
	mount -t proc proc "$1/proc"
	mount -t tmpfs -o mode=755 tmpfs "$1/dev"
	mkdir "$1/dev/pts" "$1/dev/shm"
	mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
	ln -s pts/ptmx "$1/dev/ptmx"
	for name in null zero random urandom; do touch "$1/dev/$name"; mount --bind "/dev/$name" "$1/dev/$name"; done
	mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
	exec env --ignore-environment PATH=/usr/sbin:/usr/bin HOME=/tmp chroot --userspec="$2" "$1" \
		dealer-station simulate --rounds 3 --speed max --json' sh "$unpacked" "$user" |
	grep --quiet '"rounds": 3' || { echo 'the image plays no rounds' >&2; exit 1; }
echo 'the image plays its rounds, as a user who is not root'

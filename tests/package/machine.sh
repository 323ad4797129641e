#!/bin/sh
# The package where it is installed: in a clean Debian without a systemd that runs, and then on a machine of its own, whose
# systemd plays rounds with it (trial.py). The package is the one that `make deb` has built for the suite.
#
#   machine.sh [SUITE]    bookworm
set -eu
. "$(dirname "$0")/../../systemd/clean_root.sh"

here=$project/tests/package
clean_root "${1:-bookworm}" python3 systemd-sysv dbus mosquitto
number=$(in_root sh -c '. /etc/os-release; echo "$VERSION_ID"')
package=$(ls "$project"/dist/dealer-station_*+deb"$number"_*.deb) || { echo "make deb SUITE=$suite first" >&2; exit 1; }

trial=$root/srv/trial
mkdir "$trial"
cp "$package" "$trial/first.deb"
dpkg-deb --raw-extract "$package" "$trial/newer"
sed -i 's/^Version: .*/&+newer/' "$trial/newer/DEBIAN/control"
dpkg-deb --root-owner-group --build "$trial/newer" "$trial/second.deb" >/dev/null
rm -r "$trial/newer"
cp "$here/trial.py" "$trial/"

installed() { # what the package manager knows, and what a machine writes by itself, left out
	(cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./run -o -path ./tmp -o -path ./var/cache \
		-o -path ./var/log -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./srv \) -prune -o -print | sort)
}
apt() { in_root apt-get --yes --allow-downgrades "$@" >"$trial/apt" 2>&1; }
apt_well() { apt "$@" || { cat "$trial/apt" >&2; exit 1; }; }

echo 'without a systemd that runs'
installed >"$trial/before"
apt_well install /srv/trial/first.deb
du -sm "$root/usr/lib/dealer-station" | sed 's/\t.*/ MiB below \/usr\/lib\/dealer-station, compiled/'
in_root dealer-station --version
in_root /bin/sh <"$project/systemd/debian/tests/ten-rounds" 2>/dev/null
apt_well install /srv/trial/second.deb
if apt install /srv/trial/first.deb || ! grep --quiet 'a station does not go back' "$trial/apt"; then
	cat "$trial/apt" >&2
	exit 1
fi
apt_well remove dealer-station
in_root test ! -e /usr/lib/dealer-station
apt_well purge dealer-station
installed >"$trial/after"
diff "$trial/before" "$trial/after" || { echo 'the files above are left after a purge' >&2; exit 1; }
echo 'installed, upgraded, not downgraded, removed, purged: nothing is left'

echo 'with a systemd'
cat >"$root/etc/systemd/system/trial.service" <<END
[Unit]
Description=Trial of the package
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
ExecStart=/usr/bin/python3 /srv/trial/trial.py
Environment=PYTHONUNBUFFERED=1
StandardOutput=append:/srv/trial/log
StandardError=inherit
TimeoutStartSec=900
END
in_root systemd-machine-id-setup >/dev/null 2>&1 # else it would ask at the first start
mkdir -p "$root/var/log/journal"
ln -s ../trial.service "$root/etc/systemd/system/multi-user.target.wants/trial.service"
umount --recursive --lazy "$root/proc" "$root/dev"
"$here/boot.sh" "$root" >"$trial/console" 2>&1 || true
[ ! -e "$trial/log" ] || cat "$trial/log"
[ -e "$trial/good" ] || {
	echo 'the trial failed; the machine printed:' >&2
	cat "$trial/console" >&2
	journalctl --directory "$root/var/log/journal" --no-pager --lines 60 >&2 || true
	exit 1
}

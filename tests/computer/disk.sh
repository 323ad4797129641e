#!/bin/sh
# A computer's disk: a bare Debian 12 with a kernel, USB/IP, the package that `make deb` has built, and the agent that the
# acts speak to. Leaves disk.img, vmlinuz and initrd.img in FOLDER.
#
#   disk.sh FOLDER
set -eu
. "$(dirname "$0")/../../systemd/clean_root.sh"

folder=$(realpath -m "$1")
mkdir -p "$folder"
package=$(ls "$project"/dist/dealer-station_*+deb12_*.deb) || { echo 'make deb first' >&2; exit 1; }
clean_root bookworm systemd-sysv udev kmod usbutils usbip python3 iproute2 procps nftables \
	initramfs-tools dmsetup libtss2-esys-3.0.2-0 libtss2-rc0 libtss2-mu0 libtss2-tcti-device0 tpm2-tools

# An initrd of what reaches the disk: under emulation every module more is seconds.
# Debian keeps drivers of watchdogs off; by its name it is loaded all the same.
printf 'virtio_pci\nvirtio_blk\next4\ni6300esb\n' >>"$root/etc/initramfs-tools/modules"
sed -i 's/^MODULES=.*/MODULES=list/' "$root/etc/initramfs-tools/initramfs.conf"
cp "$package" "$root/srv/station.deb"
dpkg-deb --raw-extract "$package" "$root/srv/newer"
sed -i 's/^Version: .*/&+newer/' "$root/srv/newer/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -z1 --build "$root/srv/newer" "$root/srv/newer.deb" >/dev/null
rm -r "$root/srv/newer"
mkdir -p "$root/srv/computer"
for name in agent.py network.sh cable.sh; do
	cp "$project/tests/computer/$name" "$root/srv/computer/"
done
in_root apt-get --yes --quiet --quiet --no-install-recommends install linux-image-amd64 /srv/station.deb \
	>"$root/install.log" 2>&1 || { tail -n 20 "$root/install.log" >&2; exit 1; }

unit() { # NAME, its service's lines on standard input
	{ printf '[Unit]\nDescription=%s of the acts\nStartLimitIntervalSec=0\n[Service]\nTimeoutStartSec=infinity\nRestart=always\nRestartSec=1\n' "$1" && cat; } \
		>"$root/etc/systemd/system/acts-$1.service"
	ln -s "../acts-$1.service" "$root/etc/systemd/system/multi-user.target.wants/"
}
mkdir -p "$root/etc/systemd/system/multi-user.target.wants" "$root/etc/systemd/system.conf.d"
unit agent <<'END'
ExecStartPre=/srv/computer/network.sh
ExecStart=/usr/bin/python3 /srv/computer/agent.py
# What an act leaves running in the background belongs to the act, not to the agent that answers the next.
KillMode=process
END
unit cable <<'END'
ExecStart=/srv/computer/cable.sh
END
# An emulated processor takes a minute for the hash of a PIN, on a busy machine longer.
mkdir -p "$root/etc/systemd/system/dealer-station.service.d"
printf '[Service]\nWatchdogSec=60\n' >"$root/etc/systemd/system/dealer-station.service.d/emulated.conf"
printf '[Manager]\nRuntimeWatchdogSec=60\n' >"$root/etc/systemd/system.conf.d/watchdog.conf"
# Under emulation every unit more is seconds, and no act needs these.
for name in apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer \
	dpkg-db-backup.timer getty@tty1.service serial-getty@ttyS0.service systemd-update-utmp.service \
	systemd-timesyncd.service getty-static.service systemd-user-sessions.service; do
	ln -sf /dev/null "$root/etc/systemd/system/$name"
done
in_root systemd-machine-id-setup >/dev/null 2>&1 # else it would ask at the first start
mkdir -p "$root/var/log/journal"
rm -f "$root"/etc/resolv.conf "$root/install.log"
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*

cp "$root"/boot/vmlinuz-* "$folder/vmlinuz"
cp "$root"/boot/initrd.img-* "$folder/initrd.img"
umount --recursive --lazy "$root/proc" "$root/dev"
rm -rf "$folder/disk.img" "$folder/saved"
truncate --size 2G "$folder/disk.img"
mke2fs -q -t ext4 -d "$root" "$folder/disk.img"
echo "$folder/disk.img: $(du -m "$folder/disk.img" | cut -f1) MiB"

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
clean_root bookworm systemd-sysv udev kmod usbutils usbip python3 iproute2 procps initramfs-tools

# An initrd of what reaches the disk: under emulation every module more is seconds.
printf 'virtio_pci\nvirtio_blk\next4\n' >>"$root/etc/initramfs-tools/modules"
sed -i 's/^MODULES=.*/MODULES=list/' "$root/etc/initramfs-tools/initramfs.conf"
cp "$package" "$root/srv/station.deb"
mkdir -p "$root/srv/computer"
cp "$project/tests/computer/agent.py" "$project/tests/computer/start.sh" "$root/srv/computer/"
in_root apt-get --yes --quiet --quiet --no-install-recommends install linux-image-amd64 /srv/station.deb \
	>"$root/install.log" 2>&1 || { tail -n 20 "$root/install.log" >&2; exit 1; }
rm -f "$root"/etc/resolv.conf "$root/install.log"
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*

cp "$root"/boot/vmlinuz-* "$folder/vmlinuz"
cp "$root"/boot/initrd.img-* "$folder/initrd.img"
umount --recursive --lazy "$root/proc" "$root/dev"
rm -f "$folder/disk.img"
truncate --size 2G "$folder/disk.img"
mke2fs -q -t ext4 -d "$root" "$folder/disk.img"
echo "$folder/disk.img: $(du -m "$folder/disk.img" | cut -f1) MiB"

#!/bin/sh
# Starts the systemd of a root as the first process of a machine of its own: its own processes, network, names, mounts and
# control groups. It ends when that machine is switched off.
#
#   boot.sh ROOT
set -eu

if [ "${2:-}" != inside ]; then
	exec unshare --pid --fork --kill-child --mount --propagation private --net --uts --ipc --cgroup "$0" "$1" inside
fi
cd "$1"
mount --bind . .
cd "$1"
mount -t proc -o nosuid,nodev,noexec proc proc
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs sys
# The newer control groups alone: beside them some machines still have the older ones.
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755,nosuid tmpfs run
mount -t tmpfs -o mode=1777,nosuid tmpfs tmp
mount -t tmpfs -o mode=755,nosuid tmpfs dev
mkdir dev/pts dev/shm
for device in null zero full random urandom tty; do
	touch "dev/$device"
	mount --bind "/dev/$device" "dev/$device"
done
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mkdir -p mnt
pivot_root . mnt
umount --lazy mnt
mount --make-rshared / # a systemd in a container leaves that to its caller, and hands no credentials over without
exec env --ignore-environment container=unshare /sbin/init --log-target=console --show-status=yes

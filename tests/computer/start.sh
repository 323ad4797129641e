#!/bin/bash
# The first process of the emulated computer: network, udev, and the agent. No systemd, which takes minutes to emulate.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mountpoint -q /proc || mount -t proc proc /proc
mountpoint -q /sys || mount -t sysfs sys /sys
mountpoint -q /dev || mount -t devtmpfs dev /dev
mount -t tmpfs -o mode=755 run /run
modprobe virtio_net
for interface in /sys/class/net/e*; do
	name=${interface##*/}
	ip link set "$name" up
	ip addr add 10.0.2.15/24 dev "$name"
done
ip link set lo up
ip route add default via 10.0.2.2
/lib/systemd/systemd-udevd --daemon
while :; do
	python3 /srv/computer/agent.py
	sleep 1
done

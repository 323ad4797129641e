#!/bin/bash
# Before the agent: the network of the emulated computer. Its console's port leads to the loopback address that a live table
# listens at, and its port 1883 to the broker on the machine that emulates it.
set -eu
value() { sed -n "s/.*\b$1=\([0-9]*\).*/\1/p" /proc/cmdline; }
# A driver more is under way, and udev names what it finds.
modprobe virtio_net
udevadm settle
for interface in /sys/class/net/e*; do
	name=${interface##*/}
	ip link set "$name" up
	ip addr replace 10.0.2.15/24 dev "$name"
done
ip route replace default via 10.0.2.2
sysctl --quiet net.ipv4.conf.all.route_localnet=1
nft -f - <<END
flush ruleset
table ip acts {
	chain arriving {
		type nat hook prerouting priority dstnat
		tcp dport $(value screen) dnat to 127.0.0.1
	}
	chain leaving {
		type nat hook output priority -100
		ip daddr 127.0.0.1 tcp dport 1883 dnat to 10.0.2.2:$(value broker)
	}
	chain left {
		type nat hook postrouting priority srcnat
		ip daddr 10.0.2.2 ip saddr 127.0.0.1 masquerade
	}
}
END

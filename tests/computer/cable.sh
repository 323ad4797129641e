#!/bin/bash
# A hand that plugs in what is beside the emulated computer, as soon as it is there.
modprobe -a vhci_hcd cdc_acm ftdi_sio usbhid
port=$(sed -n 's/.*\busb=\([0-9]*\).*/\1/p' /proc/cmdline)
while :; do
	usbip --tcp-port "$port" list --remote 10.0.2.2 2>/dev/null | sed -n 's/^ *\([0-9]-[0-9]*\): .*/\1/p' |
		while read -r bus_id; do
			usbip --tcp-port "$port" attach --remote 10.0.2.2 --busid "$bus_id"
		done
	sleep 2
done

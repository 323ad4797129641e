"""The udev rules of the makes: who may open a USB device, and which programs of the system keep off it. No I/O here."""

from collections.abc import Iterable, Iterator

from drivers.inventory import CONVERTERS
from drivers.make import DeviceMake

OPEN = """\
# Install as /etc/udev/rules.d/70-dealer-station.rules, then `udevadm control --reload` and plug the devices again.
# Written from the makes that are installed: `dealer-station devices --rules 70`.

# USB devices of the station. Never suspended: a sleeping board counts no chip. One without a serial port is opened by
# the station itself, which detaches the kernel's driver; a serial port belongs to dialout, as every one does.
"""
SERIAL = """
# udev names each port of a serial converter after its serial number, under /dev/serial/by-id/, and station.toml uses
# those names: ttyUSB numbers change with the order of plugging. Where two converters have the same serial number, or
# none, name the socket they are plugged into: /dev/serial/by-path/.
# ModemManager sends AT commands to new serial ports; a shoe takes them for a broken host.
ACTION!="remove", SUBSYSTEM=="tty", ENV{ID_BUS}=="usb", ENV{ID_MM_DEVICE_IGNORE}="1"
"""
KEEP_OFF = """\
# Install as /etc/udev/rules.d/91-dealer-station-keep-off.rules: `dealer-station devices --rules 91`.
# Some distributions take usual serial converters for braille displays (85-brltty.rules), start brltty and so lose the
# port, also in the middle of a session. This is after those rules. A display of its own USB number is not touched.
"""


def open_rules(makes: Iterable[DeviceMake]) -> str:
    """The text of rules file 70."""
    return OPEN + "".join(_lines(makes)) + SERIAL


def keep_off_rules() -> str:
    """The text of rules file 91."""
    lines = [KEEP_OFF]
    for vendor, converter in CONVERTERS.items():
        products = "|".join(f"{product:04x}" for product in converter.products)
        lines.append(
            'ACTION!="remove", SUBSYSTEM=="usb", ENV{BRLTTY_BRAILLE_DRIVER}=="?*", '
            f'ATTR{{idVendor}}=="{vendor:04x}", \\\n'
            f'  ATTR{{idProduct}}=="{products}", ENV{{BRLTTY_BRAILLE_DRIVER}}="", ENV{{SYSTEMD_WANTS}}=""\n'
        )
    return "".join(lines)


def _lines(makes: Iterable[DeviceMake]) -> Iterator[str]:
    for make in makes:
        if (usb := make.usb) is not None:
            product = "" if usb.product is None else f', ATTR{{idProduct}}=="{usb.product:04x}"'
            ours = "" if usb.is_serial else ', GROUP="dealer-station", MODE="0660"'
            yield (
                f"# {make.driver}\n"
                'ACTION!="remove", SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", '
                f'ATTR{{idVendor}}=="{usb.vendor:04x}"{product}, \\\n'
                f'  ATTR{{power/control}}="on", ENV{{ID_MM_DEVICE_IGNORE}}="1"{ours}\n'
            )

"""Why a link ends: errors that name the device and the blame. No I/O here."""


class LinkFailure(Exception):
    """This conversation with a device is over; the link will open another."""

    def __init__(self, device: str, reason: str) -> None:
        super().__init__(f"{device}: {reason}")
        self.device = device
        self.reason = reason


class PortLost(LinkFailure):
    """The port cannot be opened, was hung up or unplugged, or takes nothing more: the blame is on the cable's side."""


class DeviceSilent(LinkFailure):
    """The port is open, but the device does not answer within `waited` seconds."""

    def __init__(self, device: str, waited: float) -> None:
        super().__init__(device, f"port is open, but no answer for {waited:g} s")
        self.waited = waited

"""The ports a wire runs over: a serial line, one behind a network address, a USB device."""

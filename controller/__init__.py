"""The table controller: it applies one regulation to what the devices and the dealer tell it."""

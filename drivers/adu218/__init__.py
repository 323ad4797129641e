"""The jackpot slots on an Ontrak ADU218: USB, HID reports."""

"""Black-jack/21 and its accumulated prize (Portugal, Portaria 1364/2001): bets, play, settlement, file. No I/O here."""

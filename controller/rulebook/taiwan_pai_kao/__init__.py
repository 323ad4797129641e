"""Taiwan-Pai Kao (Macau, Portaria 15/90/M): tiles, pairs, places, the bank, settlement, round file. No I/O here."""

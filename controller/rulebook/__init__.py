"""The law: cards, hands, paytables and one package for each regulation. No I/O here."""

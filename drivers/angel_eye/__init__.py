"""The card-reading shoe, an Angel Eye: a serial line."""

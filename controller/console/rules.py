"""The nftables rules by which only some users of this computer connect to the console, and whether they are loaded."""

import asyncio
import re

RULES = "dealer-station.nft"
KIOSK = "kiosk"  # the user as whom the screen runs
ASKED = "127.0.0.254"  # of it the rules drop what is for the console's port; nothing listens there
ANSWER_SECONDS = 1.0


def rules_for(port: int, example: str) -> str:
    """The rules of a console at this port."""
    return re.sub(r"(?m)^define console = \d+$", f"define console = {port}", example)


async def rules_hold(port: int) -> bool:
    """Whether the rules are loaded for this port: then a closed port of this computer does not answer."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            _, writer = await asyncio.open_connection(ASKED, port)
    except TimeoutError:
        return True
    except OSError:
        return False
    writer.close()
    return False

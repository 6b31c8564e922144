"""How many passwords somebody can try at one name in a day.

The throttle itself runs, on a library in a file, with a clock that jumps from one try to the next:
the attacker tries again at the very moment the last answer allowed it, from each address in turn.
What it prints of the owner is the longest that a single answer asks to wait.
Meanwhile the owner, who knows the password, comes at every full hour: with a browser that is
known, with a new one from a network of its own, and with a new one from a network of the attacker.

The rule before is run as it was: five wrong passwords locked a name, for 15 minutes and then for
twice as long with each further one up to four hours, whoever tried and whatever the password was.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from bench.corpus import say
from likewise.library import Library
from likewise.server.context import SiteSettings, utc_now
from likewise.server.people import login_throttle

NAME = "aigul"
BEGIN = utc_now()  # counts of another day would be forgotten
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
OWNERS = ("known browser", "new browser, own network", "new browser, the attacker's network")


def run(most_addresses: int = 1000) -> dict[str, Any]:
    """A day of guesses at one name, for one address and for many, under both rules."""
    rows, days = [], {}
    for addresses in (1, most_addresses):
        before, after = day_before(addresses), day_after(addresses)
        days[f"{addresses} addresses"] = {"before": before, "after": after}
        say(f"  {addresses} addresses: {days[f'{addresses} addresses']}")
        owner = max(after["owner_seconds_at_most"].values())
        rows.append(
            {
                "attack": f"guesses at one name in a day, from {addresses:,} addresses",
                "attempts": after["guesses_a_day"],
                "got_through": f"the owner waits {owner:g} s at most",
                "before": f"{before['guesses_a_day']:,} guesses; the owner waits 4 h",
                "reached": owner <= 30,
            }
        )
    return {"rows": rows, "days": days}


def day_after(addresses: int) -> dict[str, Any]:
    """Guesses in a day, and how long the owner is held up, by the throttle as it is.

    Whoever knows the rule asks no more often than it pays: one address takes the turn of the name,
    each in its turn, and every address also what is free to a network that is new.
    """
    settings, guesses, now, delay = SiteSettings(), 0, BEGIN, timedelta(0)
    waits: dict[str, list[float]] = {owner: [] for owner in OWNERS}
    names = [f"10.{i // 65536}.{i // 256 % 256}.{i % 256}" for i in range(addresses)]
    hours = [BEGIN + hour * HOUR for hour in range(1, 24)]
    new = deque(names)  # to the name, as far as the throttle knows
    with (
        tempfile.TemporaryDirectory() as folder,
        Library(Path(folder) / "site.db") as library,
        library.store.beside() as connection,
    ):
        turns = cycle(names)
        while now < BEGIN + DAY:
            while hours and hours[0] <= now:
                _owner_comes(connection, settings, hours.pop(0), names[0], waits)
            wait = _guess(connection, next(turns), settings, now)
            guesses += wait == 0
            if wait:  # the delay has grown: it is known from the answer
                delay = timedelta(seconds=wait)
            while new and delay:
                if _guess(connection, new[0], settings, now):
                    new.popleft()
                    break
                guesses += 1
            is_longest = wait == 0 and delay.seconds >= login_throttle.LONGEST_DELAY_SECONDS
            now += delay if is_longest else timedelta(seconds=wait or 0.01)
    return {
        "guesses_a_day": guesses,
        "owner_seconds_at_most": {owner: max(found) for owner, found in waits.items()},
    }


def _guess(connection: Connection, address: str, settings: SiteSettings, now: datetime) -> int:
    return login_throttle.try_password(connection, NAME, address, settings, now=now)


def _owner_comes(
    connection: Connection,
    settings: SiteSettings,
    now: datetime,
    attackers: str,
    waits: dict[str, list[float]],
) -> None:
    """What the owner is told to wait at once; each try is right, and so it is given back."""
    for owner in OWNERS:
        trusted_client = "owner" if owner == OWNERS[0] else None
        address = attackers if owner == OWNERS[2] else "192.0.2.1"
        wait = login_throttle.try_password(
            connection, NAME, address, settings, trusted_client=trusted_client, now=now
        )
        waits[owner].append(float(wait))
        if not wait and owner != OWNERS[2]:
            login_throttle.forgive(connection, NAME, address, trusted_client=trusted_client)


def day_before(addresses: int) -> dict[str, Any]:
    """The same under the rule of before: the lock of a name knows neither browser nor address."""
    guesses, locked = 0, timedelta(0)
    for wait in _locks():
        if locked >= DAY:
            break
        guesses += 1
        locked += wait
    return {
        "guesses_a_day": guesses,
        "owner_seconds_at_most": dict.fromkeys(OWNERS, 240 * 60.0),
        "addresses_that_count": 1,
    }


def _locks() -> Iterator[timedelta]:
    """How long a name was locked after each wrong password."""
    failures = 0
    while True:
        failures += 1
        beyond = failures - 5
        yield timedelta(minutes=15 << min(beyond, 4)) if beyond >= 0 else timedelta(0)

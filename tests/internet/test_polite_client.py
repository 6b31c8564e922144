"""Sites are not stormed."""

import itertools
import threading
import time

import pytest

from likewise.internet.errors import NotFetched
from likewise.internet.polite_client import SitePacer
from likewise.model import Message


def visits(pacer: SitePacer, place: str, number: int) -> list[tuple[float, float]]:
    """When each of some visitors who come at once was there."""
    seen = []

    def visit() -> None:
        with pacer.turn(place):
            began = time.monotonic()
            time.sleep(0.01)
            seen.append((began, time.monotonic()))

    threads = [threading.Thread(target=visit) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(seen)


def test_one_at_a_time_with_a_pause_between():
    seen = visits(SitePacer(0.05, 1.0), "a.org:80", 4)
    assert all(later[0] - earlier[1] >= 0.049 for earlier, later in itertools.pairwise(seen))


def test_a_site_gets_the_pause_it_asks_for_up_to_a_limit():
    pacer = SitePacer(0.0, 0.1)
    pacer.ask_for("slow.org:80", 3600)
    (_, left), (came, _) = visits(pacer, "slow.org:80", 2)
    assert came - left >= 0.099


def test_a_site_cannot_ask_for_less_than_the_usual_pause():
    pacer = SitePacer(0.05, 1.0)
    pacer.ask_for("fast.org:80", 0.0)
    (_, left), (came, _) = visits(pacer, "fast.org:80", 2)
    assert came - left >= 0.049


def test_other_sites_are_not_waited_for():
    pacer = SitePacer(30.0, 60.0)
    for number in range(20):
        with pacer.turn(f"{number}.org:80"):
            pass


def test_a_site_that_wants_to_be_left_alone_is_left_alone():
    pacer = SitePacer(0.0, 1.0)
    pacer.rest("tired.org:80", 60, Message.verbatim("come back later"))
    with pytest.raises(NotFetched, match="come back later"):
        pacer.check_rest("tired.org:80")
    with pytest.raises(NotFetched, match="come back later"), pacer.turn("tired.org:80"):
        pass
    pacer.check_rest("other.org:80")


def test_a_visit_that_fails_lets_the_next_one_in():
    pacer = SitePacer(0.0, 1.0)
    with pytest.raises(KeyError), pacer.turn("a.org:80"):
        raise KeyError
    with pacer.turn("a.org:80"):
        pass

"""Trying again, where that can help."""

from __future__ import annotations

import random
import time
from typing import Callable, TypeVar

from .errors import BusyError, HopwiseError, ProblemError, UnreachableError

T = TypeVar("T")

_MAX_TRIES = 5
_FIRST_DELAY_SECONDS = 0.5
_LONGEST_DELAY_SECONDS = 30.0
_PASSING = {429, 502, 503, 504}


def backoff_seconds(failures: int, first: float = _FIRST_DELAY_SECONDS) -> float:
    """Twice as long as before the last try, at most half a minute, and not when other clients try."""
    return min(_LONGEST_DELAY_SECONDS, first * 2 ** (failures - 1)) * random.uniform(0.5, 1.0)


def is_passing(error: HopwiseError) -> bool:
    """Whether the same call may be answered well in a moment."""
    return isinstance(error, UnreachableError) or (isinstance(error, ProblemError) and error.status in _PASSING)


def with_retries(attempt: Callable[[], T], is_repeatable: bool) -> T:
    """
    Tries up to five times within some eight seconds: what is repeatable after a lost connection or 429, 502, 503, 504,
    anything else only after 429, when it certainly had no effect.
    """
    for failures in range(1, _MAX_TRIES + 1):
        try:
            return attempt()
        except HopwiseError as error:
            may_help = is_passing(error) and (is_repeatable or (isinstance(error, BusyError) and error.status == 429))
            pause = getattr(error, "retry_after", None)
            if not may_help or failures == _MAX_TRIES or (pause or 0) > _LONGEST_DELAY_SECONDS:
                raise
            time.sleep(backoff_seconds(failures) if pause is None else pause)
    raise AssertionError("The last try returns or raises.")

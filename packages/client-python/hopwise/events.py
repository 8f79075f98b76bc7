"""Server-sent events: reading them, and going on behind the last one when a connection is lost."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Callable, Iterable, Iterator, NamedTuple

from .errors import HopwiseError
from .retry import backoff_seconds, is_passing

if TYPE_CHECKING:
    from .transport import Answer

_DEFAULT_RETRY_SECONDS = 1.0


class Message(NamedTuple):
    """One message of a `text/event-stream`."""

    id: str
    """The last id that the stream has given, in this message or an earlier one."""
    event: str
    data: str


class EventStreamParser:
    """Reads a `text/event-stream` as it comes (HTML Living Standard §9.2.6). Comments are skipped."""

    def __init__(self) -> None:
        self.retry_seconds: float | None = None
        """What the stream last asked to wait before connecting again; None: it has not said."""
        self._id = ""
        self._event = ""
        self._data: list[str] = []

    def messages(self, lines: Iterable[bytes]) -> Iterator[Message]:
        """The messages of lines that end with a line feed; what is not complete at the end is none."""
        for line in lines:
            if not line.endswith(b"\n"):
                return
            message = self._take(line.decode("utf-8", "replace").rstrip("\r\n"))
            if message is not None:
                yield message

    def _take(self, line: str) -> Message | None:
        if line == "":
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isdigit():
            self.retry_seconds = int(value) / 1000
        return None

    def _dispatch(self) -> Message | None:
        message = Message(self._id, self._event or "message", "\n".join(self._data))
        is_empty = not self._data
        self._event, self._data = "", []
        return None if is_empty else message


def follow_events(open_stream: Callable[[str | None], Answer]) -> Iterator[str]:
    """
    The data of a stream's messages, through as many connections as it takes: each goes on behind the last message that
    arrived whole, so that none is lost and none comes twice. Ends when the API answers with 204.

    :param open_stream: opens the stream behind the message of this id; None: from where the call says
    :raises ProblemError: when the API refuses; a service that is away is waited for
    """
    last_id: str | None = None
    retry_seconds, failures = _DEFAULT_RETRY_SECONDS, 0
    while True:
        parser = EventStreamParser()
        error: HopwiseError | None = None
        try:
            with open_stream(last_id) as answer:
                if answer.status == 204:
                    return
                for message in parser.messages(answer.lines()):
                    failures = 0
                    last_id = message.id or last_id
                    yield message.data
        except HopwiseError as caught:
            if not is_passing(caught):
                raise
            error = caught
        retry_seconds = parser.retry_seconds or retry_seconds
        failures += 1
        # A stream that brought something and was closed in order is asked at once whether there is more.
        if error is not None or failures > 1:
            time.sleep(getattr(error, "retry_after", None) or backoff_seconds(failures, retry_seconds))

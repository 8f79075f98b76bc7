"""Calls over HTTP: one connection each, again where that can help."""

from __future__ import annotations

import http.client
import json
import ssl
import uuid
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, NamedTuple, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from .errors import HopwiseError, ProblemError, problem_error, unreachable
from .events import follow_events
from .retry import with_retries

if TYPE_CHECKING:
    from .files import FileToSend
    from .resumable import FilePart

T = TypeVar("T")

_SILENCE_SECONDS = 45.0
"""The API says something every 15 s: three times as long without a word, and the connection is taken for lost."""
_REPEATABLE = {"GET", "HEAD", "PUT", "DELETE"}
_LOST = (OSError, http.client.HTTPException)


def quoted(text: str) -> str:
    """A part of an address. An empty one would make another call of it."""
    if text == "":
        raise ValueError("An id is empty; give that of a job, dataset or model.")
    return quote(str(text), safe="")


def new_key() -> str:
    """An idempotency key: a call that is sent again with it has its effect once."""
    return f"python/{uuid.uuid4()}"


class Request(NamedTuple):
    """A call as it is sent."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes | FileToSend | FilePart | None = None

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be sent again when it is not known whether it arrived."""
        return self.method in _REPEATABLE or "idempotency-key" in self.headers


class Answer:
    """An answer whose body is read as it comes; to be closed, or used in a `with` statement."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response
        self.status = response.status
        self.headers = response.headers

    def read(self, size: int | None = None) -> bytes:
        """The next bytes, all of them without a size; none at the end."""
        return self._lost_as_unreachable(lambda: self._response.read() if size is None else self._response.read(size))

    def lines(self) -> Iterator[bytes]:
        """The lines as they come, with their ends."""
        while line := self._lost_as_unreachable(self._response.readline):
            yield line

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @staticmethod
    def _lost_as_unreachable(read: Callable[[], T]) -> T:
        try:
            return read()
        except _LOST as cause:
            raise unreachable() from cause


class Transport:
    """Sends calls to one service, with one key."""

    def __init__(self, url: str, key: str, silence_seconds: float = _SILENCE_SECONDS) -> None:
        parts = urlsplit(url.rstrip("/"))
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f'"{url}" is no address; expected one like http://127.0.0.1:4680.')
        self._parts = parts
        self._key = key
        self._silence_seconds = silence_seconds

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        file: FileToSend | None = None,
        idempotency_key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """The JSON of an answer; None without a body."""
        request = self.request(method, path, query, body, file, idempotency_key)
        request = request._replace(headers={**request.headers, **(headers or {})})

        def once() -> bytes:
            with self.send(request) as answer:
                return answer.read()

        # A file that takes the place of one of its name may be sent again.
        text = with_retries(once, request.is_repeatable or (file is not None and bool((query or {}).get("replace"))))
        return json.loads(text) if text else None

    def open(self, method: str, path: str, *, query: Mapping[str, Any] | None = None) -> Answer:
        """An answer that is read as it comes."""
        return self.open_with({}, method, path, query)

    def open_with(
        self, headers: Mapping[str, str], method: str, path: str, query: Mapping[str, Any] | None = None
    ) -> Answer:
        request = self.request(method, path, query)
        request = request._replace(headers={**request.headers, **headers})
        return with_retries(lambda: self.send(request), request.is_repeatable)

    def events(self, method: str, path: str, *, query: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """The events of a stream through lost connections, none missed or repeated, until it ends."""
        request = self.request(method, path, query)

        def open_stream(last_id: str | None) -> Answer:
            resume = {} if last_id is None else {"last-event-id": last_id}
            headers = {**request.headers, **resume, "accept": "text/event-stream"}
            return self.send(request._replace(headers=headers))

        return (json.loads(data) for data in follow_events(open_stream))

    def request(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        file: FileToSend | FilePart | None = None,
        idempotency_key: str | None = None,
    ) -> Request:
        given = {name: _query_text(value) for name, value in (query or {}).items() if value is not None}
        target = self._parts.path + path + (f"?{urlencode(given)}" if given else "")
        headers = {"accept": "application/json", "authorization": f"Bearer {self._key}"}
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        if file is not None:
            headers |= {"content-type": file.content_type, "content-length": str(file.total_bytes)}
        elif body is not None:
            headers["content-type"] = "application/json"
        return Request(method, target, headers, file if file is not None else _json_bytes(body))

    def send(self, request: Request) -> Answer:
        """Sends a call once. Raises ProblemError when it is refused, UnreachableError without an answer."""
        connection = self._connection()
        try:
            self._write(connection, request)
            response = connection.getresponse()
            answer = Answer(connection, response)
            if 200 <= response.status < 300:
                return answer
            error = _error_of(answer)
        except _LOST as cause:
            connection.close()
            raise unreachable() from cause
        connection.close()
        raise error

    def _connection(self) -> http.client.HTTPConnection:
        host, port, timeout = self._parts.hostname or "", self._parts.port, self._silence_seconds
        if self._parts.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=timeout)
        return http.client.HTTPSConnection(host, port, timeout=timeout, context=ssl.create_default_context())

    @staticmethod
    def _write(connection: http.client.HTTPConnection, request: Request) -> None:
        body = request.body
        if body is None or isinstance(body, bytes):
            return connection.request(request.method, request.target, body, dict(request.headers))
        try:
            connection.request(request.method, request.target, body.chunks(), dict(request.headers))
        except (BrokenPipeError, ConnectionResetError):
            # A service that refuses a file says so before it has come whole, and closes: its answer may be there.
            pass


def _query_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _json_bytes(body: Any) -> bytes | None:
    return None if body is None else json.dumps(body).encode()


def _error_of(answer: Answer) -> ProblemError:
    retry_after = answer.headers.get("retry-after") or ""
    try:
        problem = json.loads(answer.read())
    except (ValueError, HopwiseError):
        problem = None
    return problem_error(answer.status, problem, float(retry_after) if retry_after.isdigit() else None)

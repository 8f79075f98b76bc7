"""Files on their way: sent as a stream, and fetched whole or not at all."""

from __future__ import annotations

import hashlib
import os
import re
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Callable, Iterator, Mapping

from .errors import DownloadDamagedError, HopwiseError, unreachable
from .retry import backoff_seconds, is_passing
from .transport import Answer

_CHUNK_BYTES = 256 * 1024
_MAX_VAIN_TRIES = 5

OnBytes = Callable[[int, "int | None"], None]
"""Told how many bytes are there, of how many; None: the service does not say."""


class FileToSend:
    """A file as `multipart/form-data` (RFC 7578), streamed: nothing of it is held in memory."""

    def __init__(self, path: str | os.PathLike[str], on_bytes: OnBytes | None = None) -> None:
        self.path = Path(path)
        self._on_bytes = on_bytes
        self._bytes = self.path.stat().st_size
        boundary = uuid.uuid4().hex
        self.content_type = f"multipart/form-data; boundary={boundary}"
        # Names are escaped as browsers do it (HTML Living Standard §4.10.21.8).
        name = self.path.name.replace("\n", "%0A").replace("\r", "%0D").replace('"', "%22")
        disposition = f'content-disposition: form-data; name="file"; filename="{name}"'
        self._head = f"--{boundary}\r\n{disposition}\r\ncontent-type: application/octet-stream\r\n\r\n".encode()
        self._end = f"\r\n--{boundary}--\r\n".encode()

    @property
    def total_bytes(self) -> int:
        """The bytes of the whole body, known before it is sent: a service can refuse what is too large at once."""
        return len(self._head) + self._bytes + len(self._end)

    def chunks(self) -> Iterator[bytes]:
        """The body from its beginning, as often as it is asked for."""
        yield self._head
        sent = 0
        with self.path.open("rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                sent += len(chunk)
                if sent > self._bytes:
                    break
                yield chunk
                if self._on_bytes:
                    self._on_bytes(sent, self._bytes)
        if sent != self._bytes:
            raise ValueError(f"{self.path} is written into while it is sent; send it once it is finished.")
        yield self._end


@dataclass(frozen=True)
class DownloadedFile:
    path: Path
    bytes: int
    sha256: str


def download(
    open_answer: Callable[[Mapping[str, str]], Answer],
    path: str | os.PathLike[str],
    on_bytes: OnBytes | None = None,
) -> DownloadedFile:
    """
    Fetches a file. A connection that breaks is followed by another for the rest (Range, If-Range). The file is at its
    path when it is whole and has the SHA-256 that the API says, and not before.
    """
    target = Path(path)
    temporary = target.with_name(f"{target.name}.{uuid.uuid4().hex}.part")
    try:
        with temporary.open("xb") as file:
            part = _PartialFile(file, on_bytes)
            _until_whole(part, open_answer)
        sha256 = part.require_digest()
        temporary.replace(target)
        return DownloadedFile(target, part.bytes, sha256)
    finally:
        temporary.unlink(missing_ok=True)


def _until_whole(part: _PartialFile, open_answer: Callable[[Mapping[str, str]], Answer]) -> None:
    vain_tries = 0
    while not part.is_whole:
        before = part.bytes
        try:
            with open_answer(part.headers) as answer:
                part.take(answer)
        except HopwiseError as error:
            vain_tries = 1 if part.bytes > before else vain_tries + 1
            if not is_passing(error) or vain_tries == _MAX_VAIN_TRIES:
                raise
            time.sleep(getattr(error, "retry_after", None) or backoff_seconds(vain_tries))


class _PartialFile:
    """What has arrived of a file."""

    def __init__(self, file: BinaryIO, on_bytes: OnBytes | None) -> None:
        self.bytes = 0
        self.is_whole = False
        self._file = file
        self._on_bytes = on_bytes
        self._hash = hashlib.sha256()
        self._etag: str | None = None
        self._expected: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        """What to ask with for the rest, of this content only."""
        if self.bytes == 0 or self._etag is None:
            return {"accept-encoding": "identity"}
        return {"accept-encoding": "identity", "range": f"bytes={self.bytes}-", "if-range": self._etag}

    def take(self, answer: Answer) -> None:
        if answer.status != 206:
            self._restart(answer)
        length = answer.headers.get("content-length")
        total = None if length is None else self.bytes + int(length)
        while chunk := answer.read(_CHUNK_BYTES):
            self._file.write(chunk)
            self._hash.update(chunk)
            self.bytes += len(chunk)
            if self._on_bytes:
                self._on_bytes(self.bytes, total)
        if total is not None and self.bytes < total:
            raise unreachable()
        self.is_whole = True

    def require_digest(self) -> str:
        sha256 = self._hash.hexdigest()
        if self._expected in (None, sha256):
            return sha256
        raise DownloadDamagedError(
            f"What came has the SHA-256 {sha256}; the service says {self._expected}. Download it again."
        )

    def _restart(self, answer: Answer) -> None:
        self._file.seek(0)
        self._file.truncate()
        self.bytes = 0
        self._hash = hashlib.sha256()
        self._etag = answer.headers.get("etag")
        # A stored file's ETag is its SHA-256; a manifest, which is JSON, has the digest of what it lists.
        is_file = not answer.headers.get("content-type", "").startswith("application/json")
        digest = re.fullmatch(r'"([0-9a-f]{64})"', self._etag or "")
        self._expected = digest.group(1) if digest and is_file else None

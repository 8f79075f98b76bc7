"""Files sent by tus 1.0, which go on where they were cut off."""

from __future__ import annotations

import base64
import time
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping

from .errors import HopwiseError, NotFoundError, ProblemError, problem_error, unreachable
from .retry import backoff_seconds, is_passing, with_retries
from .transport import quoted

if TYPE_CHECKING:
    from .files import OnBytes
    from .operations import Operations
    from .transport import Transport

_CHUNK_BYTES = 256 * 1024
_MAX_VAIN_TRIES = 13
"""About four minutes without a byte: a service that is restarted is back by then."""
_LOOK_AGAIN_SECONDS = 0.5
_TUS = {"tus-resumable": "1.0.0"}


class FilePart:
    """The rest of a file, streamed: nothing of it is held in memory."""

    content_type = "application/offset+octet-stream"

    def __init__(self, path: Path, start: int, size: int, on_bytes: OnBytes | None) -> None:
        self._path, self._start, self._size, self._on_bytes = path, start, size, on_bytes

    @property
    def total_bytes(self) -> int:
        return self._size - self._start

    def chunks(self) -> Iterator[bytes]:
        at = self._start
        with self._path.open("rb") as file:
            file.seek(at)
            while at < self._size and (chunk := file.read(min(_CHUNK_BYTES, self._size - at))):
                yield chunk
                at += len(chunk)
                if self._on_bytes:
                    self._on_bytes(at, self._size)
        if at != self._size:
            raise ValueError(f"{self._path} has become shorter while it was sent; send it once it is finished.")


class ResumableUpload:
    """One file on its way to a dataset, in the place of one of its name."""

    def __init__(
        self,
        transport: Transport,
        api: Operations,
        dataset_id: str,
        path: Path,
        sha256: str,
        on_bytes: OnBytes | None,
        first_delay: float = 0.5,
    ) -> None:
        self._transport, self._api, self._dataset_id = transport, api, dataset_id
        self._path, self._sha256, self._on_bytes = path, sha256, on_bytes
        self._size = path.stat().st_size
        self._first_delay = first_delay

    def send(self) -> None:
        """Returns when it is a file of the dataset; what an earlier program had begun to send is gone on with."""
        upload = self._find() or self._begin()
        failures = 0
        while True:
            before = upload["bytesDone"]
            try:
                upload = self._api.read_upload(upload["id"])
                if upload["state"] == "DONE":
                    return
                if upload["state"] == "FAILED":
                    problem = upload["problem"] or {}
                    raise problem_error(problem.get("status", 500), problem, None)
                if upload["state"] == "FINISHING":
                    time.sleep(_LOOK_AGAIN_SECONDS)
                else:
                    self._send_rest(upload)
                failures = 0
            except HopwiseError as error:
                failures = 1 if upload["bytesDone"] > before else failures + 1
                if upload["state"] == "FAILED" or failures >= _MAX_VAIN_TRIES:
                    raise
                if isinstance(error, NotFoundError):
                    upload = self._begin()
                elif not _may_pass(error):
                    raise
                time.sleep(getattr(error, "retry_after", None) or backoff_seconds(failures, self._first_delay))

    def _find(self) -> Mapping[str, Any] | None:
        wanted = {
            "name": unicodedata.normalize("NFC", self._path.name),
            "bytesTotal": self._size,
            "expectedSha256": self._sha256,
            "replaces": True,
        }
        items = self._api.list_uploads(self._dataset_id)["items"]
        found = (
            one
            for one in items
            if one["state"] in ("RECEIVING", "FINISHING") and all(one[name] == value for name, value in wanted.items())
        )
        return next(found, None)

    def _begin(self) -> Mapping[str, Any]:
        pairs = {"filename": self._path.name, "sha256": self._sha256, "replace": "true"}
        metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in pairs.items())
        headers = {**_TUS, "upload-length": str(self._size), "upload-metadata": metadata}
        address = f"/v1/datasets/{quoted(self._dataset_id)}/uploads"
        # Begun twice is no harm: what nobody goes on with expires.
        return with_retries(lambda: self._transport.call("POST", address, headers=headers), True)

    def _send_rest(self, upload: Mapping[str, Any]) -> None:
        start = upload["bytesDone"]
        part = FilePart(self._path, start, self._size, self._on_bytes)
        request = self._transport.request("PATCH", f"/v1/uploads/{upload['id']}", file=part)
        headers = {**request.headers, **_TUS, "upload-offset": str(start)}
        with self._transport.send(request._replace(headers=headers)) as answer:
            if answer.status != 204:
                raise unreachable()


def _may_pass(error: HopwiseError) -> bool:
    """Also where another connection of the upload was there still, or bytes came otherwise than they were sent."""
    return is_passing(error) or (isinstance(error, ProblemError) and error.status in (409, 460))

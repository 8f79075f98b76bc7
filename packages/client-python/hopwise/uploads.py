"""From files to a graph: upload, look, map, build."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Mapping

from .errors import HopwiseError
from .resumable import ResumableUpload

if TYPE_CHECKING:
    from .files import OnBytes
    from .operations import Operations
    from .transport import Transport

Paths = Iterable["str | os.PathLike[str]"]
_OPEN_STATES = {"UPLOADING", "MAPPING"}


def send_files(
    transport: Transport, api: Operations, dataset_id: str, paths: Paths, on_bytes: OnBytes | None = None
) -> None:
    """
    Sends one file after the other. Each goes on where it was when the connection is lost, the service is restarted, or
    another program begins anew; one that the open version has already, by name and SHA-256, is not sent.
    """
    [newest, *_] = api.read_dataset(dataset_id)["versions"]
    is_open = newest["state"] in _OPEN_STATES
    there = {file["name"]: file["sha256"] for file in newest["sources"]} if is_open else {}
    for path in map(Path, paths):
        sha256 = _sha256(path)
        if there.get(unicodedata.normalize("NFC", path.name)) != sha256:
            ResumableUpload(transport, api, dataset_id, path, sha256, on_bytes).send()


def remove_if_empty(api: Operations, dataset_id: str) -> None:
    """Removes a dataset into which nothing has come: no file, and none on its way."""
    has_files = any(version["sources"] for version in api.read_dataset(dataset_id)["versions"])
    if not has_files and not api.list_uploads(dataset_id)["items"]:
        api.delete_dataset(dataset_id)


def mapping_for(api: Operations, dataset_id: str, mapping: Any, earlier: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """How the columns become a graph: as given, as the version before had it, or as the service proposes."""
    if isinstance(mapping, Mapping):
        return mapping
    if mapping is None and earlier is not None:
        return earlier
    proposed = api.read_preview(dataset_id)["proposed"]
    spec = mapping(proposed) if callable(mapping) else proposed
    if spec is None:
        raise HopwiseError("How the columns are meant cannot be told; give mapping, a DatasetSpec.")
    return spec


def earlier_mapping(api: Operations, dataset_id: str) -> Mapping[str, Any] | None:
    """How the newest graph of a dataset was built; None: there is none yet."""
    ready = (one["spec"] for one in api.read_dataset(dataset_id)["versions"] if one["state"] == "READY")
    return next(ready, None)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()

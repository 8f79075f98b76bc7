"""Client of Hopwise, a self-hosted service that trains graph neural networks."""

from .client import Client
from .errors import (
    BusyError,
    ConflictError,
    DownloadDamagedError,
    HopwiseError,
    InvalidError,
    JobFailedError,
    NotAllowedError,
    NotFoundError,
    ProblemError,
    UnreachableError,
)
from .files import DownloadedFile
from .find import all_pages
from .progress import progress_printer, progress_text
from .tables import Embeddings

__all__ = [
    "BusyError",
    "Client",
    "ConflictError",
    "DownloadDamagedError",
    "DownloadedFile",
    "Embeddings",
    "HopwiseError",
    "InvalidError",
    "JobFailedError",
    "NotAllowedError",
    "NotFoundError",
    "ProblemError",
    "UnreachableError",
    "all_pages",
    "progress_printer",
    "progress_text",
]

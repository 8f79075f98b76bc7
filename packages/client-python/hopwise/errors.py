"""What goes wrong: what the API refuses, and what the client itself finds."""

from __future__ import annotations

from typing import Any, Mapping


class HopwiseError(Exception):
    """Any error of this package. `code` is one of the API's (docs/errors.md) or of the classes below."""

    code = "INTERNAL"


class UnreachableError(HopwiseError):
    """There was no answer, or the connection broke, as often as it was tried."""

    code = "UNREACHABLE"


def unreachable() -> UnreachableError:
    return UnreachableError("Hopwise is not answering. It may be restarting: wait a moment and try again.")


class DownloadDamagedError(HopwiseError):
    """What was downloaded has another SHA-256 than the API says."""

    code = "DOWNLOAD_DAMAGED"


class ProblemError(HopwiseError):
    """What the API refused, as it says it (RFC 9457); its subclasses tell apart what programs react to differently."""

    def __init__(self, problem: Mapping[str, Any], retry_after: float | None = None) -> None:
        super().__init__(str(problem.get("detail", problem.get("title", "The request failed."))))
        self.problem = dict(problem)
        self.code = str(problem.get("code", "INTERNAL"))
        self.status: int | None = problem.get("status")
        self.pointer: str | None = problem.get("pointer")
        """Place in what was sent (RFC 6901), such as /train/epochs."""
        self.file: str | None = problem.get("file")
        self.line: int | None = problem.get("line")
        self.field: str | None = problem.get("field")
        self.retryable = bool(problem.get("retryable", False))
        self.retry_after = retry_after
        """Seconds that the API asks to wait before the next try."""

    def __str__(self) -> str:
        place = [str(one) for one in (self.file, self.line, self.field, self.pointer) if one is not None]
        where = f" (at {', '.join(place)})" if place else ""
        return f"{self.code}: {super().__str__()}{where}"


class InvalidError(ProblemError):
    """What was sent is wrong; `pointer` says where."""


class NotAllowedError(ProblemError):
    """There is no key, it is not valid, or its role does not allow this."""


class NotFoundError(ProblemError):
    """There is no such job, dataset or model."""


class ConflictError(ProblemError):
    """It does not go with what is there, such as a name that is taken."""


class BusyError(ProblemError):
    """The service has too much to do, or what it needs is away; `retry_after` says for how long."""


class JobFailedError(ProblemError):
    """A job that was waited for has failed or was cancelled; `job` is that job."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        detail = f"The job {job['id']} ({job['kind']}) is {job['state']}; its log may say why. Submit it again."
        super().__init__(job.get("problem") or {"code": "JOB_NOT_SUCCEEDED", "detail": detail})
        self.job = dict(job)


_by_status = {401: NotAllowedError, 403: NotAllowedError, 404: NotFoundError, 409: ConflictError, 412: ConflictError}


def problem_error(status: int, problem: object, retry_after: float | None = None) -> ProblemError:
    """The error of an answer that is no success, also when a proxy answered in the API's place."""
    if not isinstance(problem, dict) or "code" not in problem:
        detail = f"The service answered with status {status} and no explanation; its log may say more."
        problem = {"code": "INTERNAL", "title": "The request failed", "detail": detail}
    problem = {"status": status, **problem}
    busy = status == 429 or status >= 500
    kind = _by_status.get(status, BusyError if busy else InvalidError)
    return kind(problem, retry_after)

"""How a job is getting on, in words."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from .models import JobEvent


def progress_text(event: JobEvent) -> str | None:
    """What an event says in a line; None: nothing that is worth one."""
    body: Any = event["body"]
    if event["type"] == "JobStateChanged":
        return f"job: {body['state'].lower()}"
    if event["type"] == "IncidentRaised":
        return f"{body['code']}: {body['message']}"
    if event["type"] == "MetricsRecorded" and body["axis"] == "epoch":
        values = [f"{one['name']} {one['value']:.4g}" for one in body["values"] if one["value"] is not None]
        return f"epoch {body['step']}: {', '.join(values)}" if values else None
    if event["type"] == "StageProgressed":
        return _stage_text(body)
    return None


def progress_printer(write: Callable[[str], Any] = sys.stderr.write) -> Callable[[JobEvent], None]:
    """Prints a line for each change: client.wait(job, on_event=progress_printer())."""
    told = ""

    def tell(event: JobEvent) -> None:
        nonlocal told
        text = progress_text(event)
        if text is not None and text != told:
            told = text
            write(f"{text}\n")

    return tell


def _stage_text(stage: Any) -> str:
    if stage["cached"]:
        return f"{stage['kind']}: reused"
    if stage["state"] != "RUNNING":
        return f"{stage['kind']}: {stage['state'].lower()}"
    completed, total = stage["completed"], stage["total"]
    amount = "" if completed is None else f"{completed}" if total is None else f"{completed} of {total}"
    parts = (f"{stage['kind']}:", stage["phase"], amount, stage["unit"] if amount else None)
    return " ".join(part for part in parts if part)

"""Datasets and models by the names that people give them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping

from .errors import HopwiseError, NotFoundError

if TYPE_CHECKING:
    from .models import ModelVersion
    from .operations import Operations

_PAGE = 200


def all_pages(load: Callable[..., Mapping[str, Any]], **query: Any) -> Iterator[Any]:
    """Every item of a list that comes in pages: all_pages(client.api.list_jobs, kind="train")."""
    after = None
    while True:
        page = load(**query, first=_PAGE, after=after)
        yield from page["items"]
        after = page.get("endCursor")
        if not page.get("hasNextPage") or after is None:
            return


def dataset_ref(api: Operations, name: str) -> str:
    """The id of a dataset by its id or name, with the @version that may stand behind."""
    text, version = re.fullmatch(r"(.*?)(@\d+)?", name, re.DOTALL).groups("")  # type: ignore[union-attr]
    if re.fullmatch(r"ds_\w+", text):
        return name
    found = [one["id"] for one in all_pages(api.list_datasets) if one["name"] == text]
    if not found:
        raise NotFoundError({"code": "REQUEST_NOT_FOUND", "status": 404, "detail": f'There is no dataset "{text}".'})
    if len(found) > 1:
        raise HopwiseError(f'{len(found)} datasets are called "{text}"; name one by its id: {", ".join(found)}.')
    return found[0] + version


def model_version(api: Operations, name: str) -> ModelVersion:
    """A version of a model: papers@3, or the version in production, else the newest."""
    text, number = re.fullmatch(r"(.*?)(?:@(\d+))?", name, re.DOTALL).groups()  # type: ignore[union-attr]
    versions = [version for model in api.list_models(name=text)["items"] for version in model["versions"]]
    if number is None:
        chosen = next((one for one in versions if one["stage"] == "production"), versions[0] if versions else None)
    else:
        chosen = next((one for one in versions if one["number"] == int(number)), None)
    if chosen is None:
        raise NotFoundError({"code": "REQUEST_NOT_FOUND", "status": 404, "detail": f'There is no model "{name}".'})
    return chosen

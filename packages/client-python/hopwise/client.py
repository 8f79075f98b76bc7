"""What one does with the service again and again, in a call each; everything else is in `api`."""

from __future__ import annotations

import json
import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Literal, Mapping

from .errors import HopwiseError, JobFailedError, ProblemError
from .files import DownloadedFile, OnBytes, download
from .find import all_pages, dataset_ref, model_version
from .graphql import graphql
from .operations import Operations
from .profiles import url_and_key
from .tables import Embeddings, embeddings_of, rows_of, table_of
from .transport import Transport, quoted
from .uploads import Paths, earlier_mapping, mapping_for, remove_if_empty, send_files

if TYPE_CHECKING:
    import pyarrow

    from .models import DatasetVersion, Job, JobDetails, JobEvent, ModelVersion, Sweep, SweepDetails, WriteBack

    OnEvent = Callable[[JobEvent], Any]

_TASKS = "query Tasks($id: ID!, $number: Int) { dataset(id: $id) { version(number: $number) { tasks { task } } } }"
_ENDED = {"SUCCEEDED", "FAILED", "CANCELLED"}
Result = Literal["embeddings", "predictions"]


class Client:
    """
    One Hopwise service. Jobs, datasets and sweeps may be given by id or as the dictionaries that calls answer with,
    datasets also by name. Errors are HopwiseErrors.

    :param url: where the service is; left out: HOPWISE_URL, else as `hopwise login` keeps it
    :param key: an API key; left out: HOPWISE_API_KEY, else that of the profile
    :param profile: which of the profiles; left out: HOPWISE_PROFILE, else `default`
    """

    def __init__(self, url: str | None = None, key: str | None = None, profile: str | None = None) -> None:
        self.url, found = url_and_key(url, key, profile)
        self._transport = Transport(self.url, found)
        self.api = Operations(self._transport)
        """Every call of the REST API."""

    def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The data of a query or mutation of GraphQL."""
        return graphql(self._transport, query, variables)

    def upload(
        self,
        paths: Paths,
        name: str | None = None,
        *,
        dataset: str | None = None,
        mapping: Mapping[str, Any] | Callable[[Any], Mapping[str, Any]] | None = None,
        on_bytes: OnBytes | None = None,
        on_event: OnEvent | None = None,
    ) -> DatasetVersion:
        """
        Uploads files and waits until the graph is built of them: a new dataset, or another version of one.

        :param name: of a new dataset; left out: the first file's
        :param mapping: how columns are read: a DatasetSpec, or what makes one of the proposed; left out: as in the
            version before, else as proposed
        :raises OSError: for a file that cannot be read
        :raises ProblemError: for what the service refuses; a dataset that was made for it and got no file is removed
        :returns: the version; its `ref` is what jobs are trained on
        """
        files = [Path(path) for path in paths]
        if not files:
            raise ValueError("There is no file to upload.")
        if dataset is None:
            dataset_id = self.api.create_dataset({"name": name or files[0].stem})["id"]
        else:
            dataset_id = dataset_ref(self.api, dataset).partition("@")[0]
        earlier = earlier_mapping(self.api, dataset_id) if dataset is not None else None
        try:
            send_files(self._transport, self.api, dataset_id, files, on_bytes)
        except (OSError, ProblemError, ValueError):
            if dataset is None:
                with suppress(HopwiseError):
                    remove_if_empty(self.api, dataset_id)
            raise
        self.wait(self.api.request_preview(dataset_id, {}), on_event)
        spec = mapping_for(self.api, dataset_id, mapping, earlier)
        self.wait(self.api.confirm_spec(dataset_id, spec), on_event)
        return self.api.read_dataset(dataset_id)["versions"][0]

    def tasks(self, dataset: str | Mapping[str, Any]) -> list[dict[str, Any]]:
        """What can be learnt on a dataset: values of `task` of a job's spec, the likeliest first."""
        dataset_id, _, number = self._ref(dataset).partition("@")
        found = self.graphql(_TASKS, {"id": dataset_id, "number": int(number) if number else None})["dataset"]
        version = found and found["version"]
        return [one["task"] for one in version["tasks"]] if version else []

    def train(self, dataset: str | Mapping[str, Any], target: str | None = None, **spec: Any) -> Job:
        """
        Submits a training job.

        :param target: the column that is learnt; left out: the first task that the dataset offers
        :param spec: fields of the job spec (docs/guides/job-spec.md): model={"type": "gcn"}, train={"epochs": 50}
        """
        return self.api.submit_job(self._train_spec(dataset, target, spec))

    def sweep(
        self,
        dataset: str | Mapping[str, Any],
        target: str | None = None,
        *,
        grid: Mapping[str, list[Any]] | None = None,
        seeds: list[int] | None = None,
        auto: str | None = None,
        **spec: Any,
    ) -> Sweep:
        """
        Submits a job for each setting of a grid and each seed, as one.

        :param grid: values by the path of a field: {"train.optimizer.options.lr": [0.01, 0.003]}
        :param auto: in place of grid and seeds, the time within which model and settings are found: "PT10M"
        """
        body: Any = {"spec": self._train_spec(dataset, target, spec)}
        body |= {"grid": grid} if grid else {}
        body |= {"seeds": seeds} if seeds else {}
        body |= {"auto": {"budget": auto}} if auto else {}
        return self.api.submit_sweep(body)

    def infer(self, model: str, dataset: str | Mapping[str, Any], **spec: Any) -> Job:
        """Submits a job that applies a kept model, such as papers@3, to a dataset."""
        return self.api.submit_job(
            {"version": 1, "kind": "infer", "model": model, "dataset": self._ref(dataset), **spec}
        )

    def events(self, job: str | Mapping[str, Any]) -> Iterator[JobEvent]:
        """The events of a job from its first on, through lost connections, until it has ended."""
        return self.api.follow_job(_id(job))

    def wait(
        self, job: str | Mapping[str, Any], on_event: OnEvent | None = None, *, poll_seconds: float | None = None
    ) -> JobDetails:
        """
        Waits for the end of a job.

        :param poll_seconds: asks for the job so often, for networks that hold streams of events back; `on_event` is
            told nothing then
        :returns: the job with its metrics
        :raises JobFailedError: when it fails or is cancelled
        """
        job_id = _id(job)
        if poll_seconds is None:
            for event in self.events(job_id):
                if on_event:
                    on_event(event)
        ended = self.api.read_job(job_id)
        while ended["state"] not in _ENDED:
            time.sleep(poll_seconds or 1.0)
            ended = self.api.read_job(job_id)
        if ended["state"] != "SUCCEEDED":
            raise JobFailedError(ended)
        return ended

    def wait_sweep(self, sweep: str | Mapping[str, Any], *, poll_seconds: float = 2.0) -> SweepDetails:
        """Waits until all jobs of a sweep have ended; `best` of what it returns is the chosen setting."""
        while (found := self.api.read_sweep(_id(sweep)))["finishedAt"] is None:
            time.sleep(poll_seconds)
        return found

    def embeddings(self, job: str | Mapping[str, Any]) -> Embeddings:
        """The vectors of a job by your ids; pyarrow is not needed."""
        with self._result(job, "embeddings", "jsonl") as answer:
            return embeddings_of(answer)

    def predictions(self, job: str | Mapping[str, Any]) -> list[dict[str, Any]]:
        """A dictionary for each node: id, split, label, predicted, confidence and more."""
        with self._result(job, "predictions", "jsonl") as answer:
            return list(rows_of(answer))

    def table(self, job: str | Mapping[str, Any], what: Result = "embeddings") -> pyarrow.Table:
        """Embeddings or predictions as a table of pyarrow, which `.to_pandas()` makes a frame of."""
        with self._result(job, what, "parquet") as answer:
            return table_of(answer)

    def download(
        self,
        job: str | Mapping[str, Any],
        path: str | os.PathLike[str],
        what: Result = "embeddings",
        format: str | None = None,
        on_bytes: OnBytes | None = None,
        **names: str,
    ) -> DownloadedFile:
        """
        Downloads results to a file; a format that is not made yet is asked for and waited for.

        :param format: left out: the ending of the path (parquet, csv, npy, arrow, jsonl …)
        :param names: of the columns of embeddings: id="pk", vector="values"
        """
        query = {"format": format or Path(path).suffix.lstrip(".") or "parquet", **names}
        address = self._made(job, what, query)
        return download(lambda headers: self._transport.open_with(headers, "GET", address, query), path, on_bytes)

    def write_back(
        self,
        job: str | Mapping[str, Any],
        url: str,
        credential: str,
        table: str,
        *,
        on_look: Callable[[WriteBack], None] | None = None,
        poll_seconds: float = 1.0,
        **wish: Any,
    ) -> WriteBack:
        """
        Has results written into a table of PostgreSQL, all rows or none, and waits for that.

        :param url: such as postgresql://db.example.com/shop
        :param wish: schema="results", output="predictions", mode="replace", columns={"embedding": "vec"}, vector=…
        :param on_look: is told how far it is, from time to time
        :raises ProblemError: when it fails or is cancelled; nothing was written then
        """
        body: Any = {"url": url, "credential": credential, "table": table, **wish}
        found = self.api.start_write_back(_id(job), body)
        while found["finishedAt"] is None:
            if on_look:
                on_look(found)
            time.sleep(poll_seconds)
            found = self.api.read_write_back(found["id"])
        if found["state"] == "SUCCEEDED":
            return found
        detail = f"The write-back {found['id']} is {found['state']}; nothing of it was written."
        raise ProblemError(found["problem"] or {"code": "JOB_NOT_SUCCEEDED", "detail": detail})

    def model(self, name: str) -> ModelVersion:
        """A version of a kept model: papers@3, or the one in production, else the newest."""
        return model_version(self.api, name)

    def download_model(self, name: str, folder: str | os.PathLike[str]) -> list[DownloadedFile]:
        """Downloads the files of a kept model: its weights, fitted transforms and more, and its card."""
        card = self.api.read_model_version(self.model(name)["id"])
        Path(folder).mkdir(parents=True, exist_ok=True)
        # A model's files lie side by side: a name with a separator is none of ours.
        names = [file["name"] for file in card["files"] if re.fullmatch(r"\w[\w.-]*", file["name"])]
        address = f"/v1/artifacts/{quoted(card['artifactId'])}"
        (Path(folder) / "card.json").write_text(json.dumps(card, indent=2, ensure_ascii=False), encoding="utf-8")
        return [
            download(
                lambda headers, name=name: self._transport.open_with(headers, "GET", address, {"blob": name}),
                Path(folder) / name,
            )
            for name in names
        ]

    def upload_model(
        self, folder: str | os.PathLike[str], name: str, *, note: str = "", on_bytes: OnBytes | None = None
    ) -> ModelVersion:
        """
        Uploads a model as `download_model` gives it, and keeps it as the next version under a name.

        :param folder: with card.json, model.safetensors and what else a download gives
        :raises ProblemError: for a card that says what cannot be
        :raises JobFailedError: for weights that are not those of the card's model
        """
        place = self.api.begin_model_upload({"name": name})["id"]
        files = sorted(path for path in Path(folder).iterdir() if not path.name.startswith("."))
        send_files(self._transport, self.api, place, files, on_bytes)
        job = self.api.adopt_model(place, {"name": name, "note": note})
        self.wait(job)
        versions = [one for model in all_pages(self.api.list_models, name=name) for one in model["versions"]]
        return next(one for one in versions if one["jobId"] == job["id"])

    def _result(self, job: str | Mapping[str, Any], what: Result, format: str) -> Any:
        query = {"format": format}
        return self._transport.open("GET", self._made(job, what, query), query=query)

    def _made(self, job: str | Mapping[str, Any], what: Result, query: Mapping[str, str]) -> str:
        """The address of results, once they are made in a format."""
        address = f"/v1/jobs/{quoted(_id(job))}/{what}"
        asked = self._transport.call("POST", address, query=query)
        if not asked["ready"] and asked["job"] is not None:
            self.wait(asked["job"])
        return address

    def _train_spec(self, dataset: str | Mapping[str, Any], target: str | None, spec: dict[str, Any]) -> dict[str, Any]:
        ref = self._ref(dataset)
        if target is not None:
            spec = {**spec, "task": {**spec.get("task", {}), "target": target}}
        elif "task" not in spec:
            offered = self.tasks(ref)
            if not offered:
                raise HopwiseError("The dataset offers nothing to learn, or is not ready; give target or task.")
            spec = {**spec, "task": offered[0]}
        return {"version": 1, "kind": "train", "dataset": ref, **spec}

    def _ref(self, dataset: str | Mapping[str, Any]) -> str:
        return dataset_ref(self.api, dataset) if isinstance(dataset, str) else dataset.get("ref") or dataset["id"]


def _id(one: str | Mapping[str, Any]) -> str:
    return one if isinstance(one, str) else one["id"]

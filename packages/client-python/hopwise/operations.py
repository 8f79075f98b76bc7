# Written by script/print-python-client from the API's OpenAPI document; a test holds it to that.
"""Every call of the REST API, by the names that OpenAPI gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Literal, Mapping

from .transport import Answer, Transport, new_key, quoted

if TYPE_CHECKING:
    from .files import FileToSend
    from .models import (
        AdoptModelRequest,
        Catalog,
        CreateApiKeyBody,
        CreateDatasetBody,
        CreateProjectBody,
        CreateVersionBody,
        CreateWorkerCredentialBody,
        DatasetDetails,
        DatasetVersion,
        DrainWorkerBody,
        Estimate,
        ExplainQuery,
        Explanation,
        Health,
        Import,
        ImportProposal,
        ImportProposalRequest,
        ImportRequest,
        ImportSchedule,
        Job,
        JobDetails,
        JobEvent,
        JobMarks,
        KeepModelRequest,
        ListApiKeysAnswer,
        ListArtifactsAnswer,
        ListDatasetsAnswer,
        ListImportSchedulesAnswer,
        ListImportsAnswer,
        ListJobsAnswer,
        ListModelsAnswer,
        ListProjectsAnswer,
        ListPublishedDatasetsAnswer,
        ListSourceCredentialsAnswer,
        ListSweepsAnswer,
        ListUploadsAnswer,
        ListWebhookDeliveriesAnswer,
        ListWorkerCredentialsAnswer,
        ListWorkersAnswer,
        ListWriteBacksAnswer,
        LogPage,
        Model,
        ModelCard,
        ModelExplainQuery,
        ModelNeighborsQuery,
        ModelPredictQuery,
        ModelUpload,
        ModelVersion,
        ModelVersionChange,
        Neighbors,
        NeighborsQuery,
        NewApiKey,
        NewModelUpload,
        NewNeighbors,
        NewSourceCredential,
        NewWebhook,
        NewWorkerCredential,
        Notices,
        PartitionReport,
        PredictQuery,
        Predictions,
        PresetProposal,
        Preview,
        Prices,
        Project,
        ProjectLimits,
        PromoteSweepRequest,
        Queue,
        ReadNoticesBody,
        ReadQueueHistoryAnswer,
        RelationFigures,
        RequestPreviewBody,
        RequestedExport,
        ResumableUpload,
        RetryRequest,
        ScheduleRequest,
        Series,
        SetJobPriorityBody,
        SignInLink,
        SourceCredential,
        Sweep,
        SweepDetails,
        SweepRequest,
        Upload,
        UseOfProjects,
        WebhookDelivery,
        WebhookRequest,
        Webhooks,
        Worker,
        WorkerAccess,
        WorkerHistory,
        WorkerLog,
        WriteBack,
        WriteBackRequest,
    )


class Operations:
    """The calls of one service. What a call takes and answers: models.py; what goes wrong: errors.py."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def is_alive(self) -> Health:
        """The process answers."""
        return self._transport.call("GET", "/healthz")

    def is_ready(self) -> Health:
        """The database and Redis answer too."""
        return self._transport.call("GET", "/readyz")

    def read_metrics(self) -> Answer:
        """Prometheus metrics, for an admin's key or HOPWISE_METRICS_TOKEN."""
        return self._transport.open("GET", "/metrics")

    def read_open_api(self) -> dict[str, Any]:
        """This document."""
        return self._transport.call("GET", "/openapi.json")

    def create_sign_in_link(self) -> SignInLink:
        """Makes a sign-in link that is good once, as an admin whose key is bound to no project."""
        return self._transport.call("POST", "/v1/sign-in-links")

    def list_projects(self) -> ListProjectsAnswer:
        """The projects that the key may see."""
        return self._transport.call("GET", "/v1/projects")

    def create_project(self, body: CreateProjectBody) -> Project:
        """Makes a project, as an admin whose key is bound to none."""
        return self._transport.call("POST", "/v1/projects", body=body)

    def set_project_limits(self, project_id: str, body: ProjectLimits) -> Project:
        """Sets what a project may hold, have waiting and use, as an admin whose key is bound to none."""
        return self._transport.call("PUT", f"/v1/projects/{quoted(project_id)}/limits", body=body)

    def read_project_use(self, *, from_: str | None = None, to: str | None = None) -> UseOfProjects:
        """What each project used in a span of time, what that cost, and what it holds now; for admins."""
        return self._transport.call("GET", "/v1/projects/use", query={"from": from_, "to": to})

    def set_prices(self, body: Prices) -> Prices:
        """Sets what an hour of a slot and of a device costs, as an admin whose key is bound to no project."""
        return self._transport.call("PUT", "/v1/prices", body=body)

    def remove_prices(self) -> None:
        """Shows no costs any more, as an admin whose key is bound to no project."""
        self._transport.call("DELETE", "/v1/prices")

    def list_api_keys(self) -> ListApiKeysAnswer:
        """The keys in use, without their secrets."""
        return self._transport.call("GET", "/v1/api-keys")

    def create_api_key(self, body: CreateApiKeyBody) -> NewApiKey:
        """Makes a key; its secret is shown this once."""
        return self._transport.call("POST", "/v1/api-keys", body=body)

    def revoke_api_key(self, api_key_id: str) -> None:
        """The key is good no more, from now on."""
        self._transport.call("DELETE", f"/v1/api-keys/{quoted(api_key_id)}")

    def list_datasets(
        self,
        *,
        project: str | None = None,
        first: int | None = None,
        after: str | None = None,
    ) -> ListDatasetsAnswer:
        """The datasets, newest first."""
        return self._transport.call(
            "GET",
            "/v1/datasets",
            query={"project": project, "first": first, "after": after},
        )

    def create_dataset(self, body: CreateDatasetBody) -> DatasetDetails:
        """Makes a dataset with its first, empty version."""
        return self._transport.call("POST", "/v1/datasets", body=body)

    def read_dataset(self, dataset_id: str) -> DatasetDetails:
        """A dataset with its versions."""
        return self._transport.call("GET", f"/v1/datasets/{quoted(dataset_id)}")

    def delete_dataset(self, dataset_id: str) -> None:
        """Deletes a dataset; jobs keep their own results."""
        self._transport.call("DELETE", f"/v1/datasets/{quoted(dataset_id)}")

    def create_version(self, dataset_id: str, body: CreateVersionBody) -> DatasetVersion:
        """Makes the next version of a dataset whose newest is READY or FAILED, to map it anew."""
        return self._transport.call("POST", f"/v1/datasets/{quoted(dataset_id)}/versions", body=body)

    def upload_files(
        self,
        dataset_id: str,
        file: FileToSend,
        *,
        preview: bool | None = None,
        replace: bool | None = None,
    ) -> Upload:
        """Uploads files to the newest version, or to a new one when that is READY."""
        return self._transport.call(
            "POST",
            f"/v1/datasets/{quoted(dataset_id)}/files",
            query={"preview": preview, "replace": replace},
            file=file,
        )

    def request_preview(self, dataset_id: str, body: RequestPreviewBody) -> Job:
        """Has the uploaded files looked at, by a job of the kind map."""
        return self._transport.call("POST", f"/v1/datasets/{quoted(dataset_id)}/preview", body=body)

    def read_preview(self, dataset_id: str) -> Preview:
        """What the map job found in the files, and the DatasetSpec that it proposes."""
        return self._transport.call("GET", f"/v1/datasets/{quoted(dataset_id)}/preview")

    def read_preset(self, dataset_id: str, *, task: str | None = None) -> PresetProposal:
        """The preset of job specs that suits the graph by its figures and what is to be learnt, with the reason."""
        return self._transport.call("GET", f"/v1/datasets/{quoted(dataset_id)}/preset", query={"task": task})

    def confirm_spec(self, dataset_id: str, body: Mapping[str, Any]) -> Job:
        """Confirms how the files become a graph, and starts the job of the kind ingest."""
        return self._transport.call("PUT", f"/v1/datasets/{quoted(dataset_id)}/spec", body=body)

    def list_uploads(self, dataset_id: str) -> ListUploadsAnswer:
        """Resumable uploads to a dataset that have not expired, the newest first."""
        return self._transport.call("GET", f"/v1/datasets/{quoted(dataset_id)}/uploads")

    def read_upload(self, upload_id: str) -> ResumableUpload:
        """How far a resumable upload is; HEAD gives that in Upload-Offset and Upload-Length."""
        return self._transport.call("GET", f"/v1/uploads/{quoted(upload_id)}")

    def end_upload(self, upload_id: str) -> None:
        """Gives an upload up, and removes what has come of it."""
        self._transport.call("DELETE", f"/v1/uploads/{quoted(upload_id)}")

    def start_import(self, dataset_id: str, body: ImportRequest) -> Import:
        """Has files fetched from addresses into the newest version, or into a new one when that is READY."""
        return self._transport.call("POST", f"/v1/datasets/{quoted(dataset_id)}/imports", body=body)

    def list_imports(self, dataset_id: str) -> ListImportsAnswer:
        """The newest imports of a dataset, the newest first."""
        return self._transport.call("GET", f"/v1/datasets/{quoted(dataset_id)}/imports")

    def propose_import(self, body: ImportProposalRequest) -> ImportProposal:
        """By which queries the tables and foreign keys of a database become files of a graph; nothing is imported."""
        return self._transport.call("POST", "/v1/import-proposals", body=body)

    def list_published_datasets(self) -> ListPublishedDatasetsAnswer:
        """Data sets that others have published, which can be imported by their names."""
        return self._transport.call("GET", "/v1/published-datasets")

    def read_import(self, import_id: str) -> Import:
        """An import: how far it is, and what came of it."""
        return self._transport.call("GET", f"/v1/imports/{quoted(import_id)}")

    def cancel_import(self, import_id: str) -> Import:
        """Ends an import; nothing of it becomes part of the dataset."""
        return self._transport.call("POST", f"/v1/imports/{quoted(import_id)}/cancel")

    def repeat_import(self, import_id: str) -> Import:
        """Fetches from the same addresses once more: after a success into a new version, which is read as the last."""
        return self._transport.call("POST", f"/v1/imports/{quoted(import_id)}/again")

    def create_import_schedule(self, import_id: str, body: ScheduleRequest) -> ImportSchedule:
        """Has an import fetched again by schedule; a new version is made where the source has changed."""
        return self._transport.call("POST", f"/v1/imports/{quoted(import_id)}/schedules", body=body)

    def list_import_schedules(self, *, dataset: str | None = None) -> ListImportSchedulesAnswer:
        """Schedules by which imports are fetched again, the oldest first."""
        return self._transport.call("GET", "/v1/import-schedules", query={"dataset": dataset})

    def read_import_schedule(self, import_schedule_id: str) -> ImportSchedule:
        """A schedule: when it runs next, and what came of its last run."""
        return self._transport.call("GET", f"/v1/import-schedules/{quoted(import_schedule_id)}")

    def delete_import_schedule(self, import_schedule_id: str) -> None:
        """Removes a schedule; a run that is under way goes on to its end, and versions stay."""
        self._transport.call("DELETE", f"/v1/import-schedules/{quoted(import_schedule_id)}")

    def pause_import_schedule(self, import_schedule_id: str) -> ImportSchedule:
        """Starts no more runs; one that is under way goes on to its end."""
        return self._transport.call("POST", f"/v1/import-schedules/{quoted(import_schedule_id)}/pause")

    def resume_import_schedule(self, import_schedule_id: str) -> ImportSchedule:
        """Goes on with a paused schedule at its next time; failures are counted anew."""
        return self._transport.call("POST", f"/v1/import-schedules/{quoted(import_schedule_id)}/resume")

    def list_source_credentials(self, *, project: str | None = None) -> ListSourceCredentialsAnswer:
        """The credentials that imports and write-backs may send to others, without their secrets."""
        return self._transport.call("GET", "/v1/source-credentials", query={"project": project})

    def create_source_credential(self, body: NewSourceCredential) -> SourceCredential:
        """Stores a credential for sources, encrypted."""
        return self._transport.call("POST", "/v1/source-credentials", body=body)

    def delete_source_credential(self, source_credential_id: str) -> None:
        """Removes a credential; imports and write-backs that name it can do nothing more with it."""
        self._transport.call("DELETE", f"/v1/source-credentials/{quoted(source_credential_id)}")

    def list_jobs(
        self,
        *,
        project: str | None = None,
        first: int | None = None,
        after: str | None = None,
        state: Literal["QUEUED", "RUNNING", "CANCELLING", "CANCELLED", "SUCCEEDED", "FAILED"] | None = None,
        kind: str | None = None,
        dataset: str | None = None,
        worker: str | None = None,
        sweep: str | None = None,
        search: str | None = None,
        starred: bool | None = None,
        sort: Literal[
            "submitted",
            "-submitted",
            "name",
            "-name",
            "owner",
            "-owner",
            "dataset",
            "-dataset",
            "model",
            "-model",
            "ranks",
            "-ranks",
            "result",
            "-result",
        ] | None = None,
    ) -> ListJobsAnswer:
        """The jobs, newest first unless sorted otherwise."""
        return self._transport.call(
            "GET",
            "/v1/jobs",
            query={
                "project": project,
                "first": first,
                "after": after,
                "state": state,
                "kind": kind,
                "dataset": dataset,
                "worker": worker,
                "sweep": sweep,
                "search": search,
                "starred": starred,
                "sort": sort,
            },
        )

    def submit_job(self, body: Mapping[str, Any], *, idempotency_key: str | None = None) -> Job:
        """Submits a job that trains a model or applies one."""
        return self._transport.call("POST", "/v1/jobs", body=body, idempotency_key=idempotency_key or new_key())

    def estimate_job(self, body: Mapping[str, Any]) -> Estimate:
        """What a job would need, without submitting it."""
        return self._transport.call("POST", "/v1/jobs/estimate", body=body)

    def read_job(self, job_id: str) -> JobDetails:
        """A job with its stages and final metrics."""
        return self._transport.call("GET", f"/v1/jobs/{quoted(job_id)}")

    def delete_job(self, job_id: str) -> None:
        """Deletes a job that has ended; what other jobs use of it stays."""
        self._transport.call("DELETE", f"/v1/jobs/{quoted(job_id)}")

    def cancel_job(self, job_id: str) -> Job:
        """Has a job stopped."""
        return self._transport.call("POST", f"/v1/jobs/{quoted(job_id)}/cancel")

    def end_training(self, job_id: str) -> Job:
        """Has a training end where it is, with the best model so far as its result."""
        return self._transport.call("POST", f"/v1/jobs/{quoted(job_id)}/end-training")

    def mark_job(self, job_id: str, body: JobMarks) -> Job:
        """Stars a job or gives it other tags or another note; what is left out stays."""
        return self._transport.call("PUT", f"/v1/jobs/{quoted(job_id)}/marks", body=body)

    def set_job_priority(self, job_id: str, body: SetJobPriorityBody) -> Job:
        """Moves a job in the queue; what runs is not interrupted."""
        return self._transport.call("PUT", f"/v1/jobs/{quoted(job_id)}/priority", body=body)

    def retry_job(self, job_id: str, body: RetryRequest, *, idempotency_key: str | None = None) -> Job:
        """Runs an ended job again as a new one, which reuses what its stages made."""
        return self._transport.call(
            "POST",
            f"/v1/jobs/{quoted(job_id)}/retry",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def read_queue(self) -> Queue:
        """The jobs that wait for a worker, in the order in which they get one."""
        return self._transport.call("GET", "/v1/queue")

    def read_queue_history(self, *, days: int | None = None) -> ReadQueueHistoryAnswer:
        """What was submitted on each of the last days, how long it waited, and how long ranks were held."""
        return self._transport.call("GET", "/v1/queue/history", query={"days": days})

    def follow_job(self, job_id: str, *, after: str | None = None) -> Iterator[JobEvent]:
        """The job's events as server-sent events, from a cursor on; the stream ends with the job."""
        return self._transport.events("GET", f"/v1/jobs/{quoted(job_id)}/events", query={"after": after})

    def read_series(
        self,
        job_id: str,
        *,
        names: str | None = None,
        max_points: int | None = None,
    ) -> list[Series]:
        """What the job has measured, by name."""
        return self._transport.call(
            "GET",
            f"/v1/jobs/{quoted(job_id)}/series",
            query={"names": names, "maxPoints": max_points},
        )

    def read_usage(self, job_id: str, *, max_points: int | None = None) -> list[Series]:
        """What each process of the newest attempt used over time: cores, memory, storage, network, seeds."""
        return self._transport.call("GET", f"/v1/jobs/{quoted(job_id)}/usage", query={"maxPoints": max_points})

    def read_logs(
        self,
        job_id: str,
        *,
        after: str | None = None,
        before: str | None = None,
        first: int | None = None,
        last: int | None = None,
        level: Literal["debug", "info", "warn", "error"] | None = None,
        rank: int | None = None,
        member: str | None = None,
        search: str | None = None,
    ) -> LogPage:
        """The job's log, a page at a time."""
        return self._transport.call(
            "GET",
            f"/v1/jobs/{quoted(job_id)}/logs",
            query={
                "after": after,
                "before": before,
                "first": first,
                "last": last,
                "level": level,
                "rank": rank,
                "member": member,
                "search": search,
            },
        )

    def read_partition(self, job_id: str) -> PartitionReport:
        """How the job's graph was cut, and what the cut costs."""
        return self._transport.call("GET", f"/v1/jobs/{quoted(job_id)}/partition")

    def list_artifacts(self, job_id: str) -> ListArtifactsAnswer:
        """What the job's stages made or, when cached, found."""
        return self._transport.call("GET", f"/v1/jobs/{quoted(job_id)}/artifacts")

    def read_new_neighbors(self, job_id: str, *, node: str, relation: str | None = None) -> NewNeighbors:
        """The nodes that one node is likeliest linked with and is not yet, of a job that learns links."""
        return self._transport.call(
            "GET",
            f"/v1/jobs/{quoted(job_id)}/new-neighbors",
            query={"node": node, "relation": relation},
        )

    def read_relation_figures(self, job_id: str) -> list[RelationFigures]:
        """How well the job tells the held-out links of each relation, those with the most of them first."""
        return self._transport.call("GET", f"/v1/jobs/{quoted(job_id)}/relation-figures")

    def read_embeddings(
        self,
        job_id: str,
        *,
        format: Literal["parquet", "npy", "csv", "arrow", "jsonl", "neo4j", "pgcopy"] | None = None,
        id: str | None = None,
        vector: str | None = None,
    ) -> Answer:
        """The job's embeddings in a format that was made."""
        return self._transport.open(
            "GET",
            f"/v1/jobs/{quoted(job_id)}/embeddings",
            query={"format": format, "id": id, "vector": vector},
        )

    def request_embeddings(
        self,
        job_id: str,
        *,
        format: Literal["parquet", "npy", "csv", "arrow", "jsonl", "neo4j", "pgcopy"] | None = None,
        id: str | None = None,
        vector: str | None = None,
    ) -> RequestedExport:
        """Has the job's embeddings made in one more format; needs the role editor."""
        return self._transport.call(
            "POST",
            f"/v1/jobs/{quoted(job_id)}/embeddings",
            query={"format": format, "id": id, "vector": vector},
        )

    def read_predictions(
        self,
        job_id: str,
        *,
        format: Literal["parquet", "csv", "arrow", "jsonl", "neo4j", "pgcopy"] | None = None,
    ) -> Answer:
        """The job's predictions in a format that was made."""
        return self._transport.open("GET", f"/v1/jobs/{quoted(job_id)}/predictions", query={"format": format})

    def request_predictions(
        self,
        job_id: str,
        *,
        format: Literal["parquet", "csv", "arrow", "jsonl", "neo4j", "pgcopy"] | None = None,
    ) -> RequestedExport:
        """Has the job's predictions made in one more format; needs the role editor."""
        return self._transport.call("POST", f"/v1/jobs/{quoted(job_id)}/predictions", query={"format": format})

    def start_write_back(self, job_id: str, body: WriteBackRequest) -> WriteBack:
        """Has a job's embeddings or predictions written into a table of PostgreSQL, all rows or none."""
        return self._transport.call("POST", f"/v1/jobs/{quoted(job_id)}/write-backs", body=body)

    def list_write_backs(self, job_id: str) -> ListWriteBacksAnswer:
        """The newest write-backs of a job's results, the newest first."""
        return self._transport.call("GET", f"/v1/jobs/{quoted(job_id)}/write-backs")

    def read_write_back(self, write_back_id: str) -> WriteBack:
        """A write-back: how far it is, and what came of it."""
        return self._transport.call("GET", f"/v1/write-backs/{quoted(write_back_id)}")

    def cancel_write_back(self, write_back_id: str) -> WriteBack:
        """Ends a write-back; the database is as it was before."""
        return self._transport.call("POST", f"/v1/write-backs/{quoted(write_back_id)}/cancel")

    def list_models(
        self,
        *,
        project: str | None = None,
        first: int | None = None,
        after: str | None = None,
        name: str | None = None,
    ) -> ListModelsAnswer:
        """The models with their versions, newest first."""
        return self._transport.call(
            "GET",
            "/v1/models",
            query={"project": project, "first": first, "after": after, "name": name},
        )

    def keep_model(self, body: KeepModelRequest) -> ModelVersion:
        """Keeps the model of a job as the next version under a name."""
        return self._transport.call("POST", "/v1/models", body=body)

    def begin_model_upload(self, body: NewModelUpload) -> ModelUpload:
        """Makes a place for the files of a model: card.json and what else a download of one gives."""
        return self._transport.call("POST", "/v1/model-uploads", body=body)

    def adopt_model(self, model_upload_id: str, body: AdoptModelRequest) -> Job:
        """Looks at uploaded weights, and makes them the next version under a name when they are those of the card."""
        return self._transport.call("POST", f"/v1/model-uploads/{quoted(model_upload_id)}", body=body)

    def read_model(self, model_id: str) -> Model:
        """A model with its versions."""
        return self._transport.call("GET", f"/v1/models/{quoted(model_id)}")

    def delete_model(self, model_id: str) -> None:
        """Deletes a model with all its versions; jobs that apply one go on to their end."""
        self._transport.call("DELETE", f"/v1/models/{quoted(model_id)}")

    def read_model_version(self, model_version_id: str) -> ModelCard:
        """The card of a version: data, spec, metrics, files, and the jobs that use it."""
        return self._transport.call("GET", f"/v1/model-versions/{quoted(model_version_id)}")

    def change_model_version(self, model_version_id: str, body: ModelVersionChange) -> ModelVersion:
        """Moves a version to another stage, or changes its note; what is left out stays."""
        return self._transport.call("PUT", f"/v1/model-versions/{quoted(model_version_id)}", body=body)

    def delete_model_version(self, model_version_id: str) -> None:
        """Deletes a version; a job that applies it goes on to its end."""
        self._transport.call("DELETE", f"/v1/model-versions/{quoted(model_version_id)}")

    def find_job_neighbors(self, job_id: str, body: NeighborsQuery) -> Neighbors:
        """The nearest nodes to a node or a vector by a job's embeddings, found exactly."""
        return self._transport.call("POST", f"/v1/jobs/{quoted(job_id)}/neighbors", body=body)

    def predict_by_job(self, job_id: str, body: PredictQuery) -> Predictions:
        """What a job predicts of some nodes of its graph, and its model of new ones."""
        return self._transport.call("POST", f"/v1/jobs/{quoted(job_id)}/predict", body=body)

    def explain_by_job(self, job_id: str, body: ExplainQuery) -> Explanation:
        """Why a job's model gives a node its class: the edges and features that decide (GNNExplainer)."""
        return self._transport.call("POST", f"/v1/jobs/{quoted(job_id)}/explain", body=body)

    def explain(self, model_id: str, body: ModelExplainQuery) -> Explanation:
        """Why a version of a model gives a node its class: the edges and features that decide (GNNExplainer)."""
        return self._transport.call("POST", f"/v1/models/{quoted(model_id)}/explain", body=body)

    def find_model_neighbors(self, model_id: str, body: ModelNeighborsQuery) -> Neighbors:
        """The nearest nodes to a node or a vector by the embeddings of a model's version, found exactly."""
        return self._transport.call("POST", f"/v1/models/{quoted(model_id)}/neighbors", body=body)

    def predict(self, model_id: str, body: ModelPredictQuery) -> Predictions:
        """What a version of a model predicts of some nodes of a stored graph, and of new ones."""
        return self._transport.call("POST", f"/v1/models/{quoted(model_id)}/predict", body=body)

    def list_sweeps(
        self,
        *,
        project: str | None = None,
        first: int | None = None,
        after: str | None = None,
    ) -> ListSweepsAnswer:
        """The sweeps, newest first."""
        return self._transport.call(
            "GET",
            "/v1/sweeps",
            query={"project": project, "first": first, "after": after},
        )

    def submit_sweep(self, body: SweepRequest, *, idempotency_key: str | None = None) -> Sweep:
        """Submits the settings of a grid as training jobs, each with every seed, or a search for the best setting."""
        return self._transport.call(
            "POST",
            "/v1/sweeps",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def read_sweep(self, sweep_id: str) -> SweepDetails:
        """A sweep with its settings, each with mean and deviation over its seeds, and the best of them."""
        return self._transport.call("GET", f"/v1/sweeps/{quoted(sweep_id)}")

    def delete_sweep(self, sweep_id: str) -> None:
        """Deletes a sweep with its jobs, which must have ended; models that are kept stay."""
        self._transport.call("DELETE", f"/v1/sweeps/{quoted(sweep_id)}")

    def cancel_sweep(self, sweep_id: str) -> Sweep:
        """Has all its jobs stopped that have not ended; a search tries nothing more."""
        return self._transport.call("POST", f"/v1/sweeps/{quoted(sweep_id)}/cancel")

    def promote_sweep(self, sweep_id: str, body: PromoteSweepRequest) -> ModelVersion:
        """Keeps the model of its best setting as the next version under a name."""
        return self._transport.call("POST", f"/v1/sweeps/{quoted(sweep_id)}/promote", body=body)

    def read_artifact(self, artifact_id: str, *, blob: str | None = None) -> Answer:
        """An artifact's manifest, or one of its blobs."""
        return self._transport.open("GET", f"/v1/artifacts/{quoted(artifact_id)}", query={"blob": blob})

    def read_catalog(self) -> Catalog:
        """The tasks, models, samplers, partitioners, readers and steps of this installation, and presets of job
        specs."""
        return self._transport.call("GET", "/v1/catalog")

    def read_job_spec_schema(self) -> dict[str, Any]:
        """JSON Schema of a job spec, with the options of the components that are installed."""
        return self._transport.call("GET", "/v1/schemas/job-spec.json")

    def read_infer_spec_schema(self) -> dict[str, Any]:
        """JSON Schema of the spec of a job that applies a model."""
        return self._transport.call("GET", "/v1/schemas/infer-spec.json")

    def read_dataset_spec_schema(self) -> dict[str, Any]:
        """JSON Schema of a dataset spec."""
        return self._transport.call("GET", "/v1/schemas/dataset-spec.json")

    def list_workers(self) -> ListWorkersAnswer:
        """The workers that have announced themselves."""
        return self._transport.call("GET", "/v1/workers")

    def read_worker_history(
        self,
        worker_id: str,
        *,
        hours: float | None = None,
        max_points: int | None = None,
    ) -> WorkerHistory:
        """What a worker has done in the last hours, minute by minute, whatever jobs it had."""
        return self._transport.call(
            "GET",
            f"/v1/workers/{quoted(worker_id)}/history",
            query={"hours": hours, "maxPoints": max_points},
        )

    def read_worker_log(
        self,
        worker_id: str,
        *,
        after: int | None = None,
        level: Literal["debug", "info", "warn", "error"] | None = None,
        search: str | None = None,
    ) -> WorkerLog:
        """The newest lines of a worker's own log, the oldest of them first; none is older than seven days."""
        return self._transport.call(
            "GET",
            f"/v1/workers/{quoted(worker_id)}/log",
            query={"after": after, "level": level, "search": search},
        )

    def drain_worker(self, worker_id: str, body: DrainWorkerBody) -> Worker:
        """Has a worker take no new work, or take it again; the stages that it runs go on."""
        return self._transport.call("PUT", f"/v1/workers/{quoted(worker_id)}/drain", body=body)

    def read_worker_access(self) -> WorkerAccess:
        """Whether workers on other hosts can join, and why not."""
        return self._transport.call("GET", "/v1/worker-access")

    def list_worker_credentials(self) -> ListWorkerCredentialsAnswer:
        """The workers that have a user of Redis of their own."""
        return self._transport.call("GET", "/v1/worker-credentials")

    def create_worker_credential(self, body: CreateWorkerCredentialBody) -> NewWorkerCredential:
        """Gives a worker a user of Redis with a new password, shown this once."""
        return self._transport.call("POST", "/v1/worker-credentials", body=body)

    def revoke_worker_credential(self, worker_credential_id: str) -> None:
        """Puts the worker out of Redis at once."""
        self._transport.call("DELETE", f"/v1/worker-credentials/{quoted(worker_credential_id)}")

    def list_notices(self, *, first: int | None = None) -> Notices:
        """The newest notices about jobs, and how many are unread."""
        return self._transport.call("GET", "/v1/notices", query={"first": first})

    def read_notices(self, body: ReadNoticesBody) -> Notices:
        """Marks notices as read, for the user who asks."""
        return self._transport.call("POST", "/v1/notices/read", body=body)

    def list_webhooks(self) -> Webhooks:
        """The webhooks and subscriptions by e-mail, without secrets."""
        return self._transport.call("GET", "/v1/webhooks")

    def create_webhook(self, body: WebhookRequest) -> NewWebhook:
        """Adds a webhook, whose secret is shown this once, or a subscription by e-mail."""
        return self._transport.call("POST", "/v1/webhooks", body=body)

    def delete_webhook(self, webhook_id: str) -> None:
        """Removes a webhook with its log; nothing more is sent to it."""
        self._transport.call("DELETE", f"/v1/webhooks/{quoted(webhook_id)}")

    def test_webhook(self, webhook_id: str) -> WebhookDelivery:
        """Sends a test event at once, and answers with what came of it."""
        return self._transport.call("POST", f"/v1/webhooks/{quoted(webhook_id)}/test")

    def list_webhook_deliveries(self, webhook_id: str) -> ListWebhookDeliveriesAnswer:
        """What was sent to a webhook, the newest first."""
        return self._transport.call("GET", f"/v1/webhooks/{quoted(webhook_id)}/deliveries")

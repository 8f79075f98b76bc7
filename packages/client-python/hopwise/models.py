# Written by script/print-python-client from the API's OpenAPI document; a test holds it to that.
"""What the API takes and answers, as types. At run time all of them are dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

ErrorCode: TypeAlias = Literal[
    "DATASET_FILE_MISSING",
    "DATASET_FILE_EMPTY",
    "DATASET_FORMAT_UNKNOWN",
    "DATASET_FORMAT_INVALID",
    "DATASET_COLUMN_MISSING",
    "DATASET_ROW_INVALID",
    "DATASET_VALUE_INVALID",
    "DATASET_NODE_UNKNOWN",
    "DATASET_DUPLICATE",
    "DATASET_LIMIT_EXCEEDED",
    "DATASET_TOO_LARGE",
    "PARTITION_FAILED",
    "PARTITION_TOO_LARGE",
    "SHAPE_MISMATCH",
    "SPEC_INVALID",
    "NODE_UNKNOWN",
    "NODE_EXISTS",
    "NODE_TOO_COSTLY",
    "COMPONENT_UNKNOWN",
    "COMPONENT_INVALID",
    "MANIFEST_INVALID",
    "MODEL_INVALID",
    "CHECKPOINT_INVALID",
    "TRAIN_NO_LABELS",
    "TRAIN_DIVERGED",
    "DEVICE_NOT_AVAILABLE",
    "DEVICE_LOST",
    "DEVICE_ISA_MISMATCH",
    "DEVICE_OUT_OF_MEMORY",
    "DEVICE_PEER_REFUSED",
    "DEVICE_FAULT",
    "NATIVE_NOT_BUILT",
    "DEPENDENCY_MISSING",
    "RANK_LOST",
    "RANK_TIMEOUT",
    "RANK_STALLED",
    "RANK_MISMATCH",
    "CANCELLED",
    "EXPORT_FAILED",
    "EXPORT_NOT_FINITE",
    "REQUEST_INVALID",
    "REQUEST_TOO_LARGE",
    "REQUEST_TOO_COSTLY",
    "REQUEST_DEADLINE",
    "REQUEST_RATE_LIMITED",
    "REQUEST_NOT_FOUND",
    "REQUEST_CONFLICT",
    "REQUEST_RANGE",
    "REQUEST_FORMAT",
    "AUTH_REQUIRED",
    "AUTH_INVALID",
    "AUTH_FORBIDDEN",
    "AUTH_ORIGIN",
    "GRANT_INVALID",
    "GRANT_FORBIDDEN",
    "JOB_SPEC_INVALID",
    "JOB_TOO_LARGE",
    "JOB_DEVICE_UNAVAILABLE",
    "PROJECT_LIMIT",
    "PROJECT_QUEUE_FULL",
    "PROJECT_HOURS_USED",
    "JOB_FINISHED",
    "JOB_WITHOUT_RESULTS",
    "EXPORT_NOT_MADE",
    "JOB_ATTEMPTS_EXHAUSTED",
    "JOB_TIME_LIMIT",
    "STEP_MEMORY_LIMIT",
    "DEVICE_BUSY",
    "DATASET_NOT_READY",
    "DATASET_FILE_NAME",
    "UPLOAD_CHECKSUM",
    "UPLOAD_VERSION",
    "IMPORT_ADDRESS",
    "IMPORT_NOT_FOUND",
    "IMPORT_REFUSED",
    "IMPORT_SOURCE",
    "IMPORT_QUERY",
    "IMPORT_CHECKSUM",
    "IMPORT_TIME_LIMIT",
    "WRITE_BACK_ADDRESS",
    "WRITE_BACK_REFUSED",
    "WRITE_BACK_DATABASE",
    "WRITE_BACK_TABLE",
    "WRITE_BACK_TIME_LIMIT",
    "CREDENTIAL_UNREADABLE",
    "MAIL_NOT_CONFIGURED",
    "WORKER_LOST",
    "WORKER_INCOMPATIBLE",
    "REDIS_REFUSED",
    "UPSTREAM_UNAVAILABLE",
    "ARTIFACT_EXISTS",
    "ARTIFACT_MISSING",
    "ARTIFACT_DAMAGED",
    "ARTIFACT_KEY_INVALID",
    "ARTIFACT_RANGE_INVALID",
    "ARTIFACT_REFUSED",
    "ARTIFACT_UNREACHABLE",
    "ARTIFACT_URL_INVALID",
    "STORAGE_FULL",
    "INTERNAL",
]
"""Codes that the API's problems have: docs/errors.md."""


class AdoptModelRequest(TypedDict):
    # Name of a new model, or of one that gets another version
    name: str
    note: NotRequired[str]


class ApiKey(TypedDict):
    id: str
    name: str
    # Its first characters, to recognise it
    prefix: str
    role: Literal["admin", "editor", "viewer"]
    # Set: the key sees this project only
    projectId: str | None
    createdBy: str
    createdAt: Time
    lastUsedAt: Time | None
    expiresAt: Time | None
    revokedAt: Time | None


class Artifact(TypedDict):
    id: str
    kind: str
    digest: str
    bytes: int
    # The job that made it; null: the service did
    jobId: str | None
    attempt: int | None
    stageIndex: int | None
    # Epoch of a checkpoint
    epoch: int | None
    # Step of a checkpoint
    step: int | None
    createdAt: Time
    # Facts about the content; each kind has its own
    info: dict[str, Any]
    blobs: list[Blob]
    # Address of its manifest; add ?blob=<name> for the bytes
    url: str


class AutoRequest(TypedDict):
    # ISO 8601, such as PT10M: how long trials may run, one beside the other
    budget: NotRequired[str]
    # Figure of the task on the validation set that trials are chosen by, such as rocAuc; left out: its own
    metric: NotRequired[str]


class Blob(TypedDict):
    name: str
    bytes: int
    sha256: str
    dtype: NotRequired[str]
    shape: NotRequired[list[int]]


class Catalog(TypedDict):
    components: list[Component]
    presets: list[JobPreset]


class Component(TypedDict):
    # task, model, sampler, partitioner, reader or step
    kind: str
    name: str
    version: int
    title: str
    summary: str
    reference: str | None
    # JSON Schema (draft 2020-12) of its options
    optionsSchema: dict[str, Any]
    # What a task says beside its options; null for all others
    task: Task | None


class CreateApiKeyBody(TypedDict):
    name: str
    role: Literal["admin", "editor", "viewer"]
    # Binds the key to one project
    project: NotRequired[str]
    expiresInDays: NotRequired[int]


class CreateDatasetBody(TypedDict):
    name: str
    project: NotRequired[str]


class CreateProjectBody(TypedDict):
    name: str


class CreateVersionBody(TypedDict):
    # true: begins with the files of the newest version; false: empty, for other files
    withFiles: NotRequired[bool]
    # true: keeps the mapping of the newest version too, to whose rows those of further files are added
    adds: NotRequired[bool]


class CreateWorkerCredentialBody(TypedDict):
    # 1 to 64 of A-Z a-z 0-9 . _ -; one that has a credential gets a new password
    workerId: str


class Dataset(TypedDict):
    id: str
    projectId: str
    name: str
    createdBy: str
    createdAt: Time


class DatasetDetails(TypedDict):
    id: str
    projectId: str
    name: str
    createdBy: str
    createdAt: Time
    # Newest first
    versions: list[DatasetVersion]


class DatasetVersion(TypedDict):
    id: str
    number: int
    # What a job spec's `dataset` says to mean exactly this version
    ref: str
    state: Literal["UPLOADING", "MAPPING", "INGESTING", "READY", "FAILED"]
    # Number of the version whose files and mapping it keeps, and adds rows to; null: it stands alone
    addsTo: int | None
    # Digest of the graph
    contentHash: str | None
    # The DatasetSpec it was ingested with
    spec: dict[str, Any] | None
    problem: DatasetVersionProblem | None
    createdAt: Time
    readyAt: Time | None
    sources: list[SourceFile]
    graph: DatasetVersionGraph | None


class DatasetVersionGraph(TypedDict):
    id: str
    digest: str
    info: DatasetVersionGraphInfo


class DatasetVersionGraphInfo(TypedDict):
    numNodes: int
    numEdges: int
    idType: Literal["int64", "string"]
    hasTypeInIds: NotRequired[bool]
    directed: bool
    features: DatasetVersionGraphInfoFeatures
    classes: list[str]
    splits: DatasetVersionGraphInfoSplits
    multiLabel: bool
    targets: list[DatasetVersionGraphInfoTarget]
    labelCounts: list[DatasetVersionGraphInfoLabelCount]
    degreeHistogram: DatasetVersionGraphInfoDegreeHistogram
    weights: NotRequired[DatasetVersionGraphInfoWeights | None]
    homophily: NotRequired[DatasetVersionGraphInfoHomophily | None]
    edgeTypes: list[str]
    nodeTypes: list[str]
    typeCombinations: NotRequired[list[DatasetVersionGraphInfoTypeCombination]]
    schema: NotRequired[DatasetVersionGraphInfoSchema]
    graphs: NotRequired[DatasetVersionGraphInfoGraphs]
    edgeRows: NotRequired[DatasetVersionGraphInfoEdgeRows]
    report: DatasetVersionGraphInfoReport
    profile: NotRequired[DatasetVersionGraphInfoProfile]


class DatasetVersionGraphInfoDegreeHistogram(TypedDict):
    edges: list[float]
    counts: list[int]


class DatasetVersionGraphInfoEdgeRows(TypedDict):
    numRows: int
    classes: list[str]
    labelCounts: list[DatasetVersionGraphInfoEdgeRowsLabelCount]
    targets: list[DatasetVersionGraphInfoEdgeRowsTarget]
    splits: DatasetVersionGraphInfoEdgeRowsSplits | None
    hasTimes: bool
    directed: NotRequired[bool]
    featureDim: int


class DatasetVersionGraphInfoEdgeRowsLabelCount(TypedDict):
    label: str
    count: int


class DatasetVersionGraphInfoEdgeRowsSplits(TypedDict):
    train: int
    val: int
    test: int
    none: int


class DatasetVersionGraphInfoEdgeRowsTarget(TypedDict):
    name: str
    count: int
    mean: float | None
    deviation: float | None
    min: float | None
    max: float | None


class DatasetVersionGraphInfoFeatures(TypedDict):
    kind: Literal["none", "dense", "csr"]
    dim: int
    numValues: NotRequired[int]
    values: NotRequired[Literal["binary", "nonNegative", "any"]]
    numNonZero: NotRequired[int]
    types: NotRequired[list[DatasetVersionGraphInfoFeaturesType]]
    oneHot: NotRequired[list[DatasetVersionGraphInfoFeaturesOneHot]]


class DatasetVersionGraphInfoFeaturesOneHot(TypedDict):
    name: str
    values: list[str]


class DatasetVersionGraphInfoFeaturesType(TypedDict):
    name: str
    first: int
    dim: int


class DatasetVersionGraphInfoGraphs(TypedDict):
    numGraphs: int
    idType: Literal["int64", "string"]
    classes: list[str]
    labelCounts: list[DatasetVersionGraphInfoGraphsLabelCount]
    targets: list[DatasetVersionGraphInfoGraphsTarget]
    splits: DatasetVersionGraphInfoGraphsSplits
    folds: list[DatasetVersionGraphInfoGraphsFold]
    nodes: DatasetVersionGraphInfoGraphsNodes
    edges: DatasetVersionGraphInfoGraphsEdges
    sizeHistogram: DatasetVersionGraphInfoGraphsSizeHistogram


class DatasetVersionGraphInfoGraphsEdges(TypedDict):
    min: int
    mean: float
    max: int


class DatasetVersionGraphInfoGraphsFold(TypedDict):
    name: str
    count: int


class DatasetVersionGraphInfoGraphsLabelCount(TypedDict):
    label: str
    count: int


class DatasetVersionGraphInfoGraphsNodes(TypedDict):
    min: int
    mean: float
    max: int


class DatasetVersionGraphInfoGraphsSizeHistogram(TypedDict):
    edges: list[int]
    counts: list[int]


class DatasetVersionGraphInfoGraphsSplits(TypedDict):
    train: int
    val: int
    test: int
    none: int


class DatasetVersionGraphInfoGraphsTarget(TypedDict):
    name: str
    count: int
    mean: float | None
    deviation: float | None
    min: float | None
    max: float | None


class DatasetVersionGraphInfoHomophily(TypedDict):
    edges: int
    same: int
    expected: float


class DatasetVersionGraphInfoLabelCount(TypedDict):
    label: str
    count: int


class DatasetVersionGraphInfoProfile(TypedDict):
    columns: list[DatasetVersionGraphInfoProfileColumn]
    columnsLeftOut: int
    degrees: DatasetVersionGraphInfoProfileDegrees
    components: DatasetVersionGraphInfoProfileComponents
    sample: DatasetVersionGraphInfoProfileSample
    tellClass: list[str]
    tellSplit: NotRequired[list[str]]
    repeatedFeatures: NotRequired[DatasetVersionGraphInfoProfileRepeatedFeatures | None]


class DatasetVersionGraphInfoProfileColumn(TypedDict):
    table: Literal["nodes", "edges"]
    type: NotRequired[str]
    name: str
    role: str
    rows: int
    missing: int
    distinct: int | None
    numbers: DatasetVersionGraphInfoProfileColumnNumbers | None


class DatasetVersionGraphInfoProfileColumnNumbers(TypedDict):
    min: float
    max: float
    mean: float
    deviation: float
    zeros: int
    histogram: DatasetVersionGraphInfoProfileColumnNumbersHistogram


class DatasetVersionGraphInfoProfileColumnNumbersHistogram(TypedDict):
    edges: list[float]
    counts: list[int]


class DatasetVersionGraphInfoProfileComponents(TypedDict):
    count: int
    largest: int


class DatasetVersionGraphInfoProfileDegrees(TypedDict):
    min: int
    median: int
    max: int


class DatasetVersionGraphInfoProfileRepeatedFeatures(TypedDict):
    heldOut: int
    repeated: int


class DatasetVersionGraphInfoProfileSample(TypedDict):
    nodes: DatasetVersionGraphInfoProfileSampleNodes
    edges: DatasetVersionGraphInfoProfileSampleEdges


class DatasetVersionGraphInfoProfileSampleEdges(TypedDict):
    columns: list[str]
    rows: list[list[str | None]]


class DatasetVersionGraphInfoProfileSampleNodes(TypedDict):
    columns: list[str]
    rows: list[list[str | None]]


class DatasetVersionGraphInfoReport(TypedDict):
    rowsRead: int
    nodeRows: int
    edgeRows: int
    files: NotRequired[list[DatasetVersionGraphInfoReportFile]]
    replacedRows: NotRequired[int]
    duplicateEdges: int
    selfLoops: int
    danglingIds: int
    isolatedNodes: int
    badRows: list[DatasetVersionGraphInfoReportBadRow]
    warnings: list[str]


class DatasetVersionGraphInfoReportBadRow(TypedDict):
    file: str
    line: int
    column: str
    found: str


class DatasetVersionGraphInfoReportFile(TypedDict):
    name: str
    nodeRows: int
    edgeRows: int
    replacedRows: NotRequired[int]


class DatasetVersionGraphInfoSchema(TypedDict):
    nodeTypes: list[DatasetVersionGraphInfoSchemaNodeType]
    relations: list[DatasetVersionGraphInfoSchemaRelation]


class DatasetVersionGraphInfoSchemaNodeType(TypedDict):
    name: str
    count: int


class DatasetVersionGraphInfoSchemaRelation(TypedDict):
    source: str
    name: str
    target: str
    count: int


class DatasetVersionGraphInfoSplits(TypedDict):
    train: int
    val: int
    test: int
    none: int


class DatasetVersionGraphInfoTarget(TypedDict):
    name: str
    count: int
    mean: float | None
    deviation: float | None
    min: float | None
    max: float | None


class DatasetVersionGraphInfoTypeCombination(TypedDict):
    labels: list[str]
    type: str
    count: int


class DatasetVersionGraphInfoWeights(TypedDict):
    column: str
    numNegative: int
    numZero: int


class DatasetVersionProblem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool


class DrainWorkerBody(TypedDict):
    drained: bool


class Estimate(TypedDict):
    # Whether some online worker can hold it; true when none is online yet
    fits: bool
    ranks: int
    memoryBytesPerRank: float
    # Memory of each process that draws batches for the ranks; 0 when there are none
    memoryBytesPerSampler: float
    # What each rank needs of the memory of a device of its own; 0 when it computes on a CPU
    deviceBytesPerRank: float
    # Peak of all ranks and sampler processes on one host, or of partitioning when that is more
    memoryBytes: float
    diskBytes: float
    # From the first stage to the end, scaled by what earlier jobs took; null: there is nothing to go by
    seconds: float | None
    notes: list[str]
    # What of the dataset the job will leave aside
    warnings: list[str]
    # In order: which are reused, and which run
    stages: list[StageForecast]
    # The terms it is the sum of
    explanation: list[EstimateExplanation]


class EstimateExplanation(TypedDict):
    # memory of a rank, of a sampler process, of a rank's device, or of partitioning before the ranks start,
    # disk, seconds of training for start and steps and for the work, the same of the other stages
    of: Literal[
        "memory",
        "samplerMemory",
        "deviceMemory",
        "partitionMemory",
        "disk",
        "timeOverhead",
        "time",
        "stageOverhead",
        "stageTime",
    ]
    what: str
    # Bytes, or seconds
    amount: float


ExplainQuery = TypedDict(
    "ExplainQuery",
    {
        # Your id of a node of the stored graph, or of one of `nodes`
        "id": "str",
        # Nodes that the graph does not have, as predict takes them; one of them is explained
        "nodes": "NotRequired[list[NewNode]]",
        # Which class is explained; left out: the predicted one
        "class": "NotRequired[str]",
        # How many edges are told
        "edges": "NotRequired[int]",
        # How many features are told
        "features": "NotRequired[int]",
        "steps": "NotRequired[int]",
        # The same seed gives the same explanation
        "seed": "NotRequired[int]",
    },
)


ExplainedEdge = TypedDict(
    "ExplainedEdge",
    {
        "from": "str",
        "to": "str",
        # From 0 to 1
        "weight": "float",
        # Type of the edge, where the graph has several
        "relation": "NotRequired[str]",
    },
)


class ExplainedFeature(TypedDict):
    name: str
    # From 0 to 1
    weight: float


Explanation = TypedDict(
    "Explanation",
    {
        # The job whose rows these are: it trained the model, or applied it
        "job": "str",
        # The dataset version of the rows, id@number
        "dataset": "str",
        # The version of the model, name@number; null: a job was asked, not a model
        "model": "str | None",
        "id": "str",
        # The class that is explained
        "class": "str",
        # That of the class, as the model computes it: without its temperature
        "probability": "float",
        # Edges that the prediction is computed from
        "numEdges": "int",
        "numFeatures": "int",
        # The most important first; messages go from `from` to `to`
        "edges": "list[ExplainedEdge]",
        # The most important first
        "features": "list[ExplainedFeature]",
        # Probability lost without these edges and features: near `probability` is good
        "fidelityPlus": "float",
        # Probability lost with these alone: near 0 is good
        "fidelityMinus": "float",
    },
)


class GraphForm(TypedDict):
    features: GraphFormFeatures
    # In the order in which the model counts them
    classes: list[str]
    targets: list[str]
    directed: bool
    # Whether its edges carry weights
    hasWeights: bool
    nodeTypes: list[str]
    edgeTypes: list[str]
    numNodes: int
    numEdges: int
    # What is known of whole graphs; null: the dataset is one graph
    setOfGraphs: GraphFormSetOfGraphs | None
    # What is known of single edges; null: nothing of them is to be predicted
    labelledEdges: GraphFormLabelledEdges | None


class GraphFormFeatures(TypedDict):
    kind: Literal["none", "dense", "csr"]
    dim: int
    # null: they come from a matrix, whose columns have no names
    columns: list[str] | None
    # Columns of each type of node, where types have columns of their own; null: all have the same
    types: list[GraphFormFeaturesType] | None
    # What the columns were made of, in their order; null: an earlier release has not kept it
    blocks: list[GraphFormFeaturesBlock] | None


class GraphFormFeaturesBlock(TypedDict):
    # The type of node that has them; null: nodes of all types have them
    type: str | None
    # The column of kinds or of lists that they were made of; empty: numbers
    name: str
    # numbers: as the files have them; kinds: a column of 0 and 1 for each value; indices: one for each index
    # that lists name
    made: Literal["numbers", "kinds", "indices"]
    dim: int
    # What its columns are called, or the values of kinds; null: no names
    columns: list[str] | None


class GraphFormFeaturesType(TypedDict):
    name: str
    dim: int


class GraphFormLabelledEdges(TypedDict):
    # The relation that they are of, as source name target; null: of any
    relation: str | None
    # In the order in which the model counts them
    classes: list[str]
    targets: list[str]
    featureDim: int
    # Columns of their features; null: they have no names
    features: list[str] | None
    # Whether it makes a difference which end is named first
    directed: bool


class GraphFormSetOfGraphs(TypedDict):
    numGraphs: int
    # In the order in which the model counts them
    classes: list[str]
    targets: list[str]


class GraphQLAnswer(TypedDict):
    data: NotRequired[dict[str, Any] | None]
    errors: NotRequired[list[GraphQLAnswerError]]


class GraphQLAnswerError(TypedDict):
    message: str
    locations: NotRequired[list[GraphQLAnswerErrorLocation]]
    path: NotRequired[list[str | float]]
    # The problem; its detail is the message
    extensions: GraphQLAnswerErrorExtensions


class GraphQLAnswerErrorExtensions(TypedDict):
    """The problem; its detail is the message."""

    type: str
    title: str
    status: int
    code: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool


class GraphQLAnswerErrorLocation(TypedDict):
    line: float
    column: float


class Health(TypedDict):
    status: Literal["ok"]


class HeldOutLinks(TypedDict):
    val: int
    test: int


class Import(TypedDict):
    id: str
    datasetId: str
    # SUCCEEDED: the version has the files, and the job that reads them is queued
    state: Literal["WAITING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]
    # Its rows are added to those of the newest graph
    adds: bool
    files: list[ImportedFile]
    # In all files
    bytesDone: int
    # In all files; null as long as it is not known of each
    bytesTotal: int | None
    etaSeconds: float | None
    # Why nothing comes now, or how far the files that have come are put together
    waitReason: str | None
    # Name of the published data set that it fetches, if it is one
    published: str | None
    # The version that has the files
    version: str | None
    # The job that looks at the files or builds the graph
    jobId: str | None
    problem: ImportProblem | None
    createdBy: str
    createdAt: Time
    startedAt: Time | None
    finishedAt: Time | None


class ImportProblem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool


class ImportProposal(TypedDict):
    # The database, as an import names it
    url: str
    files: list[ImportProposalFile]
    # Tables and foreign keys of which no file is proposed
    leftOut: list[ImportProposalLeftOut]
    # How many of the files a dataset takes
    mostFiles: int


class ImportProposalFile(TypedDict):
    # What the file is called
    name: str
    kind: Literal["nodes", "edges"]
    # The table whose rows it has
    table: str
    # The two tables that edges join; none for nodes
    joins: list[str]
    # What the database is to be asked for it
    query: str
    # What is not in it, and why
    notes: list[str]


class ImportProposalLeftOut(TypedDict):
    name: str
    reason: str


class ImportProposalRequest(TypedDict):
    # postgresql://host/database or mysql://host/database
    url: str
    # Name of a credential of the kind database
    credential: str
    # Whose credential it is
    project: NotRequired[str]
    # Names of tables, with or without their schemas; left out: all that the user may read
    tables: NotRequired[list[str]]


class ImportRequest(TypedDict):
    files: NotRequired[list[ImportRequestFile]]
    # In place of files: name of a published data set, whose graph is built at once
    published: NotRequired[str]
    # true: a file of a name that is there already takes its place, as long as no graph was built
    replace: NotRequired[bool]
    # true: the version keeps the files and the mapping of the newest graph, and adds these rows; a name that is
    # taken is counted on, and read as that file is
    adds: NotRequired[bool]
    # A DatasetSpec that the graph is built with at once
    spec: NotRequired[Any]


class ImportRequestFile(TypedDict):
    # https://…, or s3://bucket/key?region=…&endpoint=…, whose key may end with / to mean all objects below;
    # postgresql://host/database or mysql://host/database with a query; http://… and private addresses where the
    # operator allows the network
    url: str
    # For a database: one statement that reads; its rows become a file of JSON lines. For the address of an
    # SQLite or DuckDB file, which is fetched once: kept as NAME.sql beside it, and run where the file is read
    query: NotRequired[str]
    # Name in the dataset; left out: the last part of the address, or query.jsonl
    name: NotRequired[str]
    # What the file must have, else the import fails
    sha256: NotRequired[str]
    # Name of a credential of the project
    credential: NotRequired[str]


class ImportSchedule(TypedDict):
    id: str
    projectId: str
    datasetId: str
    # The import that is fetched again: the last one that brought files
    importId: str
    # Its addresses, without the values of their queries
    sources: list[str]
    everyMinutes: int | None
    cron: str | None
    timeZone: str
    # Each run adds its rows to those of the newest graph
    adds: bool
    state: Literal["ACTIVE", "PAUSED"]
    # FAILURES: 3 in a row, or 12 of a source that may answer again; CREDENTIAL: one that it names is gone;
    # USER, ROLE: whoever made it is gone, or may not import any more
    pauseReason: Literal["REQUESTED", "FAILURES", "CREDENTIAL", "USER", "ROLE"] | None
    # Null while it is paused
    nextAt: Time | None
    # The import that is under way
    runId: str | None
    # Failed runs since the last good one
    failures: int
    # When its last run ended
    lastAt: Time | None
    # UNCHANGED: the source had the same files, and nothing was kept
    lastResult: Literal["CHANGED", "UNCHANGED", "FAILED", "CANCELLED"] | None
    # The version that the last changed files are in
    version: str | None
    # Why its last run failed
    problem: ImportScheduleProblem | None
    createdBy: str
    createdAt: Time


class ImportScheduleProblem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool


class ImportedFile(TypedDict):
    name: str
    # The address, without the values of its query, which may be secret
    source: str
    # What a database is asked; null: it is a file that is fetched
    query: str | None
    # Name of the credential that is sent along
    credential: str | None
    expectedSha256: str | None
    bytesDone: int
    # As the source says; null: it has not, or not yet
    bytesTotal: int | None
    # Rows of the answer so far; null for a file that is fetched
    rowsDone: int | None
    # Digest of the whole file, once it is a version's
    sha256: str | None
    # What it is called in the version; null: it is not there, or had no rows to add
    storedAs: str | None


class Job(TypedDict):
    id: str
    projectId: str
    createdBy: str
    # train, infer, or map, ingest, export (made by the service)
    kind: str
    name: str
    state: Literal["QUEUED", "RUNNING", "PAUSING", "PAUSED", "CANCELLING", "CANCELLED", "SUCCEEDED", "FAILED"]
    # Why no worker has its next stage; null when one has
    waitReason: str | None
    # Resolved, with every default
    spec: dict[str, Any]
    tags: dict[str, str]
    # Set by hand, for everybody who sees the job
    starred: bool
    # What people wrote about it; empty: nothing
    note: str
    # Null, as are modelType, numRanks and result, for a job that neither trains nor applies a model
    datasetName: str | None
    modelType: str | None
    # As asked for
    numRanks: int | None
    # Its task's chief metric on the test set; null without a model
    result: float | None
    priority: int
    datasetVersionId: str | None
    # The job whose results it exports
    sourceJobId: str | None
    # The sweep that it belongs to
    sweepId: str | None
    # Its training was told to end where it is, before its last epoch
    endsTraining: bool
    # Number of the current attempt; 0 before the first
    attempt: int
    # Cursor of its newest event: subscribe after it
    cursor: str
    estimate: Estimate | None
    problem: JobProblem | None
    createdAt: Time
    startedAt: Time | None
    finishedAt: Time | None


class JobDetails(TypedDict):
    id: str
    projectId: str
    createdBy: str
    # train, infer, or map, ingest, export (made by the service)
    kind: str
    name: str
    state: Literal["QUEUED", "RUNNING", "PAUSING", "PAUSED", "CANCELLING", "CANCELLED", "SUCCEEDED", "FAILED"]
    # Why no worker has its next stage; null when one has
    waitReason: str | None
    # Resolved, with every default
    spec: dict[str, Any]
    tags: dict[str, str]
    # Set by hand, for everybody who sees the job
    starred: bool
    # What people wrote about it; empty: nothing
    note: str
    # Null, as are modelType, numRanks and result, for a job that neither trains nor applies a model
    datasetName: str | None
    modelType: str | None
    # As asked for
    numRanks: int | None
    # Its task's chief metric on the test set; null without a model
    result: float | None
    priority: int
    datasetVersionId: str | None
    # The job whose results it exports
    sourceJobId: str | None
    # The sweep that it belongs to
    sweepId: str | None
    # Its training was told to end where it is, before its last epoch
    endsTraining: bool
    # Number of the current attempt; 0 before the first
    attempt: int
    # Cursor of its newest event: subscribe after it
    cursor: str
    estimate: Estimate | None
    problem: JobDetailsProblem | None
    createdAt: Time
    startedAt: Time | None
    finishedAt: Time | None
    stages: list[Stage]
    # Whose the learned rows are of the model that the job applies; null before that is known, and where it has
    # none
    learnedRows: MatchedRows | None
    # Figures of the model that it trained or applied; null as long as there are none
    metrics: dict[str, float | None] | None


class JobDetailsProblem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool


JobEvent: TypeAlias = Union[
    "JobEventJobStateChanged",
    "JobEventStageProgressed",
    "JobEventMetricsRecorded",
    "JobEventRankUpdated",
    "JobEventLogAppended",
    "JobEventIncidentRaised",
    "JobEventArtifactReady",
]


class JobEventArtifactReady(TypedDict):
    type: Literal["ArtifactReady"]
    body: JobEventArtifactReadyBody
    cursor: str
    at: str
    attempt: int
    stageIndex: int | None


class JobEventArtifactReadyBody(TypedDict):
    artifactId: str
    kind: str
    digest: str
    bytes: float
    epoch: int | None


class JobEventIncidentRaised(TypedDict):
    type: Literal["IncidentRaised"]
    body: JobEventIncidentRaisedBody
    cursor: str
    at: str
    attempt: int
    stageIndex: int | None


class JobEventIncidentRaisedBody(TypedDict):
    code: str
    message: str
    member: str | None
    host: str | None
    memberKind: Literal["rank", "sampler"] | None
    # null: a sampler process, or no single member
    rank: int | None


class JobEventJobStateChanged(TypedDict):
    type: Literal["JobStateChanged"]
    body: JobEventJobStateChangedBody
    cursor: str
    at: str
    attempt: int
    stageIndex: int | None


class JobEventJobStateChangedBody(TypedDict):
    state: Literal["QUEUED", "RUNNING", "PAUSING", "PAUSED", "CANCELLING", "CANCELLED", "SUCCEEDED", "FAILED"]
    problem: JobEventJobStateChangedBodyProblem | None


class JobEventJobStateChangedBodyProblem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool


class JobEventLogAppended(TypedDict):
    type: Literal["LogAppended"]
    body: JobEventLogAppendedBody
    cursor: str
    at: str
    attempt: int
    stageIndex: int | None


class JobEventLogAppendedBody(TypedDict):
    level: Literal["debug", "info", "warn", "error"]
    # Name: `0` of rank 0, `sampler 0` of the first process that draws batches for the ranks
    member: str
    message: str
    fields: dict[str, Any] | None
    memberKind: Literal["rank", "sampler"]
    # null: it is a sampler process, and no rank
    rank: int | None


class JobEventMetricsRecorded(TypedDict):
    type: Literal["MetricsRecorded"]
    body: JobEventMetricsRecordedBody
    cursor: str
    at: str
    attempt: int
    stageIndex: int | None


class JobEventMetricsRecordedBody(TypedDict):
    axis: Literal["epoch", "step"]
    step: int
    values: list[JobEventMetricsRecordedBodyValue]


class JobEventMetricsRecordedBodyValue(TypedDict):
    name: str
    value: float | None


class JobEventRankUpdated(TypedDict):
    type: Literal["RankUpdated"]
    body: JobEventRankUpdatedBody
    cursor: str
    at: str
    attempt: int
    stageIndex: int | None


class JobEventRankUpdatedBody(TypedDict):
    # Name: `0` of rank 0, `sampler 0` of the first process that draws batches for the ranks
    member: str
    step: int
    device: str
    seedsPerSecond: float | None
    breakdown: JobEventRankUpdatedBodyBreakdown | None
    rssBytes: float
    usage: NotRequired[JobEventRankUpdatedBodyUsage | None]
    localRows: float
    remoteRows: float
    cachedRows: float
    memberKind: Literal["rank", "sampler"]
    # null: it is a sampler process, and no rank
    rank: int | None


class JobEventRankUpdatedBodyBreakdown(TypedDict):
    sample: float
    gather: float
    forward: float
    backward: float
    allReduce: float
    optimizer: float
    wait: float


class JobEventRankUpdatedBodyUsage(TypedDict):
    # CPU seconds of all its threads
    cpuSeconds: float
    # From storage
    readBytes: float | None
    # To storage
    writtenBytes: float | None
    # That the interfaces of its host carried, loopback left out
    networkBytes: float | None


class JobEventStageProgressed(TypedDict):
    type: Literal["StageProgressed"]
    body: JobEventStageProgressedBody
    cursor: str
    at: str
    attempt: int
    stageIndex: int | None


class JobEventStageProgressedBody(TypedDict):
    stageIndex: int
    kind: str
    state: Literal["PENDING", "QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]
    cached: bool
    phase: str | None
    completed: float | None
    total: float | None
    unit: str | None
    etaSeconds: float | None
    problem: JobEventStageProgressedBodyProblem | None


class JobEventStageProgressedBodyProblem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool


class JobMarks(TypedDict):
    starred: NotRequired[bool]
    # In place of those it has
    tags: NotRequired[dict[str, str]]
    # In place of the one it has; empty: none
    note: NotRequired[str]


class JobPreset(TypedDict):
    name: str
    # The kind of graph it is for
    situation: str
    model: str
    title: str
    summary: str
    # Sections of a job spec, to be laid over its defaults
    spec: dict[str, Any]


class JobProblem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool


class KeepModelRequest(TypedDict):
    # Name of a new model, or of one that gets another version
    name: str
    # A training job that has succeeded
    job: str
    note: NotRequired[str]


class ListApiKeysAnswer(TypedDict):
    items: list[ApiKey]


class ListArtifactsAnswer(TypedDict):
    items: list[Artifact]


class ListDatasetsAnswer(TypedDict):
    items: list[Dataset]
    totalCount: int
    hasNextPage: bool
    # Goes into `after` of the next page
    endCursor: str | None


class ListImportSchedulesAnswer(TypedDict):
    items: list[ImportSchedule]


class ListImportsAnswer(TypedDict):
    items: list[Import]


class ListJobsAnswer(TypedDict):
    items: list[Job]
    totalCount: int
    hasNextPage: bool
    # Goes into `after` of the next page
    endCursor: str | None


class ListModelsAnswer(TypedDict):
    items: list[Model]
    totalCount: int
    hasNextPage: bool
    # Goes into `after` of the next page
    endCursor: str | None


class ListProjectsAnswer(TypedDict):
    items: list[Project]


class ListPublishedDatasetsAnswer(TypedDict):
    items: list[PublishedDataset]


class ListSourceCredentialsAnswer(TypedDict):
    items: list[SourceCredential]


class ListSweepsAnswer(TypedDict):
    items: list[Sweep]
    totalCount: int
    hasNextPage: bool
    # Goes into `after` of the next page
    endCursor: str | None


class ListUploadsAnswer(TypedDict):
    items: list[ResumableUpload]


class ListWebhookDeliveriesAnswer(TypedDict):
    items: list[WebhookDelivery]


class ListWorkerCredentialsAnswer(TypedDict):
    items: list[WorkerCredential]


class ListWorkersAnswer(TypedDict):
    items: list[Worker]


class ListWriteBacksAnswer(TypedDict):
    items: list[WriteBack]


class LogLine(TypedDict):
    cursor: str
    at: Time
    level: Literal["debug", "info", "warn", "error"]
    attempt: int
    stageIndex: int | None
    # Name: `0` of rank 0, `sampler 0` of the first process that draws batches for the ranks
    member: str
    memberKind: Literal["rank", "sampler"]
    # null: it is a sampler process, and no rank
    rank: int | None
    message: str
    fields: dict[str, Any] | None


class LogPage(TypedDict):
    lines: list[LogLine]
    # Whether lines follow, in a page read from the oldest line on
    hasNextPage: bool
    # Whether lines precede, in a page of the `last` lines
    hasPreviousPage: bool
    startCursor: str | None
    endCursor: str | None


class Manifest(TypedDict):
    version: Literal[1]
    kind: str
    step: str
    stepVersion: int
    engine: str
    inputs: dict[str, str]
    options: Any
    info: dict[str, Any]
    blobs: list[ManifestBlob]
    byteOrder: Literal["little"]
    digest: str


class ManifestBlob(TypedDict):
    name: str
    bytes: int
    sha256: str
    dtype: NotRequired[str]
    shape: NotRequired[list[int]]


class MatchedRows(TypedDict):
    # Nodes of which the model that the job applies has a learned row
    known: int
    # Nodes that would have one, had the model been trained on this dataset version
    unseen: int
    # The first of these, five at most
    unseenIds: list[str]
    # The same in words, and what the rows of these nodes are computed from
    text: str
    # All of them as CSV: their ids, and types where nodes have such
    url: str


class Model(TypedDict):
    id: str
    projectId: str
    name: str
    createdBy: str
    createdAt: Time
    # The newest 25, the newest first
    versions: list[ModelVersion]


class ModelCard(TypedDict):
    id: str
    projectId: str
    modelId: str
    # Name of the model
    name: str
    number: int
    # name@number, as an infer job names it
    ref: str
    stage: Literal["candidate", "production", "archived"]
    note: str
    # The job that trained it, or checked its upload; null: it is deleted
    jobId: str | None
    # It was uploaded by createdBy: what is said of its training is what its card said
    isUploaded: bool
    # The dataset version that it was trained on, id@number
    dataset: str
    datasetName: str
    modelType: str
    # Figures of the training job, such as test/accuracy
    metrics: dict[str, float | None]
    # Bytes of all files
    bytes: int
    createdBy: str
    createdAt: Time
    stageChangedAt: Time | None
    artifactId: str
    # SHA-256 over the model's manifest
    digest: str
    # What a graph must be like for the model to be applied to it
    trainedOn: GraphForm
    # Shape, epochs, transforms, confusion, calibration: the model's manifest
    info: dict[str, Any]
    # The training job’s spec, resolved
    spec: dict[str, Any]
    files: list[ModelFile]
    # Ids of the newest jobs that apply it or start from it, ended ones too
    usedBy: list[str]


ModelExplainQuery = TypedDict(
    "ModelExplainQuery",
    {
        # Your id of a node of the stored graph, or of one of `nodes`
        "id": "str",
        # Nodes that the graph does not have, as predict takes them; one of them is explained
        "nodes": "NotRequired[list[NewNode]]",
        # Which class is explained; left out: the predicted one
        "class": "NotRequired[str]",
        # How many edges are told
        "edges": "NotRequired[int]",
        # How many features are told
        "features": "NotRequired[int]",
        "steps": "NotRequired[int]",
        # The same seed gives the same explanation
        "seed": "NotRequired[int]",
        # Left out: the version in production, else the newest candidate
        "version": "NotRequired[int]",
        # A dataset version, id@number, that the model was trained on or applied to; left out: the newest rows
        "dataset": "NotRequired[str]",
    },
)


class ModelFile(TypedDict):
    name: str
    bytes: int
    sha256: str
    url: str


class ModelNeighborsQuery(TypedDict):
    # Your id of a node, which is none of its own neighbours
    id: NotRequired[str]
    # As wide as the embeddings, in place of an id
    vector: NotRequired[list[float]]
    k: NotRequired[int]
    metric: NotRequired[Literal["cosine", "dot", "l2"]]
    # Only nodes of this type
    type: NotRequired[str]
    # Only nodes with this label
    label: NotRequired[str]
    # Left out: the version in production, else the newest candidate
    version: NotRequired[int]
    # A dataset version, id@number, that the model was trained on or applied to; left out: the newest rows
    dataset: NotRequired[str]


class ModelPredictQuery(TypedDict):
    # Your ids of nodes of the stored graph
    ids: NotRequired[list[str]]
    # Nodes that the graph does not have, as their rows and edges would stand in its files
    nodes: NotRequired[list[NewNode]]
    # Answers the embedding of each node, too
    embeddings: NotRequired[bool]
    # Left out: the version in production, else the newest candidate
    version: NotRequired[int]
    # A dataset version, id@number, that the model was trained on or applied to; left out: the newest rows
    dataset: NotRequired[str]


class ModelUpload(TypedDict):
    # Takes files as a dataset does: POST /v1/datasets/<id>/uploads, or …/files
    id: str
    projectId: str
    name: str
    createdAt: Time


class ModelVersion(TypedDict):
    id: str
    projectId: str
    modelId: str
    # Name of the model
    name: str
    number: int
    # name@number, as an infer job names it
    ref: str
    stage: Literal["candidate", "production", "archived"]
    note: str
    # The job that trained it, or checked its upload; null: it is deleted
    jobId: str | None
    # It was uploaded by createdBy: what is said of its training is what its card said
    isUploaded: bool
    # The dataset version that it was trained on, id@number
    dataset: str
    datasetName: str
    modelType: str
    # Figures of the training job, such as test/accuracy
    metrics: dict[str, float | None]
    # Bytes of all files
    bytes: int
    createdBy: str
    createdAt: Time
    stageChangedAt: Time | None


class ModelVersionChange(TypedDict):
    # One version of a model is in production: another is archived by this
    stage: NotRequired[Literal["candidate", "production", "archived"]]
    note: NotRequired[str]


class Neighbor(TypedDict):
    id: str
    # Cosine, dot product, or distance by l2
    score: float


class Neighbors(TypedDict):
    # The job whose rows these are: it trained the model, or applied it
    job: str
    # The dataset version of the rows, id@number
    dataset: str
    # The version of the model, name@number; null: a job was asked, not a model
    model: str | None
    metric: Literal["cosine", "dot", "l2"]
    # The nearest first; equally near ones in the order of the dataset
    neighbors: list[Neighbor]


class NeighborsQuery(TypedDict):
    # Your id of a node, which is none of its own neighbours
    id: NotRequired[str]
    # As wide as the embeddings, in place of an id
    vector: NotRequired[list[float]]
    k: NotRequired[int]
    metric: NotRequired[Literal["cosine", "dot", "l2"]]
    # Only nodes of this type
    type: NotRequired[str]
    # Only nodes with this label
    label: NotRequired[str]


class NewApiKey(TypedDict):
    id: str
    name: str
    # Its first characters, to recognise it
    prefix: str
    role: Literal["admin", "editor", "viewer"]
    # Set: the key sees this project only
    projectId: str | None
    createdBy: str
    createdAt: Time
    lastUsedAt: Time | None
    expiresAt: Time | None
    revokedAt: Time | None
    secret: str


NewEdge = TypedDict(
    "NewEdge",
    {
        # The other end of an edge that leads to the new node
        "from": "NotRequired[str]",
        # The other end of an edge that leads from the new node; undirected: either of both
        "to": "NotRequired[str]",
        # Where edges of the graph have types: the one that its files have; those that lead back are added
        "relation": "NotRequired[str]",
        # Where edges of the graph have weights
        "weight": "NotRequired[float]",
    },
)


class NewModelUpload(TypedDict):
    # Name of the model whose files are to come
    name: str
    # Left out: the only one, or that of the key
    project: NotRequired[str]


class NewNeighbor(TypedDict):
    # Your id of the node
    id: str
    # The higher, the likelier a link; comparable within one job
    score: float
    # Type of the node; null: nodes of the graph are all alike
    type: str | None
    # Relations that lead from nodes of the one type to the other's
    relations: list[str]


class NewNeighbors(TypedDict):
    node: str
    # Best first
    neighbors: list[NewNeighbor]
    # Relations of all new neighbours found, by which they can be asked for
    relations: list[str]


class NewNode(TypedDict):
    # An id that the graph does not have
    id: str
    # Where nodes of the graph have types
    type: NotRequired[str]
    # By column of the nodes file, or of that of its type; where a matrix has the features, all numbers of a
    # row, or those that are not 0 by their columns, counted from 0
    features: NotRequired[list[float] | dict[str, float | str | None | list[float]]]
    # Edges between the new node and nodes of the graph, or other new ones
    edges: NotRequired[list[NewEdge]]


class NewSourceCredential(TypedDict):
    name: str
    # How the secret is sent: bearer: Authorization: Bearer <secret>; basic: the secret is user:password;
    # header: the secret is a whole header, Name: value; s3: requests are signed (AWS Signature Version 4), and
    # the secret is <access key id>:<secret access key>; database: the secret is user:password, with which
    # PostgreSQL or MySQL is signed in to, to read; databaseWrite: the secret is user:password, with which
    # results are written back into PostgreSQL, and nothing is read
    kind: Literal["bearer", "basic", "header", "s3", "database", "databaseWrite"]
    # Where it may be sent: host, host:port, or *.example.com for all below; nowhere else, not by a redirect
    hosts: list[str]
    # It is stored encrypted, and never shown again
    secret: str
    project: NotRequired[str]


class NewWebhook(TypedDict):
    id: str
    name: str
    # An http or https address, or mailto: with an address that is sent e-mail
    url: str
    events: list[Literal["done", "failed", "stalled", "best"]]
    # Set: it is told of this project's jobs only
    projectId: str | None
    createdBy: str
    createdAt: Time
    # Signs what a webhook is sent; null: it is sent e-mail
    secret: str | None


class NewWorkerCredential(TypedDict):
    workerId: str
    # Its user of Redis, which may use its own queue, announcement and leases, and what all workers share
    user: str
    createdAt: Time
    password: str
    # Why the credential is of no use, or keeps nobody out, as Redis is set up now
    warning: str | None


class Notice(TypedDict):
    # Counts 1, 2, 3 … over all projects
    number: int
    # done: the job has succeeded, or the sweep has ended; failed: the job has failed, or no job of the sweep
    # succeeded; stalled: a rank stands still; best: no earlier job on its dataset has as good a result
    event: Literal["done", "failed", "stalled", "best"]
    message: str
    projectId: str
    # Null: it is about the sweep as a whole
    jobId: str | None
    # The sweep that has ended
    sweepId: str | None
    at: Time
    isRead: bool


class Notices(TypedDict):
    # The newest first
    items: list[Notice]
    # How many of all that are kept this user has not read
    unread: int


class PartitionReport(TypedDict):
    numParts: int
    edgeCut: float
    communicationVolume: int
    expectedRemoteReads: float
    imbalance: PartitionReportImbalance
    parts: list[PartitionReportPart]
    types: NotRequired[list[PartitionReportType]]
    # Halo nodes of all parts per node
    haloRatio: float
    # Rows of other parts that one rank is expected to read per training step; null: it cannot be told
    remoteReadsPerStep: float | None


class PartitionReportImbalance(TypedDict):
    nodes: float
    edges: float
    train: float
    val: NotRequired[float]
    test: NotRequired[float]


class PartitionReportPart(TypedDict):
    part: int
    nodes: int
    edges: int
    trainNodes: int
    valNodes: NotRequired[int]
    testNodes: NotRequired[int]
    haloNodes: int
    # Halo nodes per node of the part
    haloRatio: float


class PartitionReportType(TypedDict):
    type: str
    nodes: list[int]
    edges: list[int]
    haloNodes: list[int]


class PredictQuery(TypedDict):
    # Your ids of nodes of the stored graph
    ids: NotRequired[list[str]]
    # Nodes that the graph does not have, as their rows and edges would stand in its files
    nodes: NotRequired[list[NewNode]]
    # Answers the embedding of each node, too
    embeddings: NotRequired[bool]


class Prediction(TypedDict):
    id: str
    # The columns of an export of predictions; null: not known
    values: dict[str, str | float | None]
    # If it was asked for
    embedding: NotRequired[list[float]]


class Predictions(TypedDict):
    # The job whose rows these are: it trained the model, or applied it
    job: str
    # The dataset version of the rows, id@number
    dataset: str
    # The version of the model, name@number; null: a job was asked, not a model
    model: str | None
    # In the order of the ids, then of the nodes
    predictions: list[Prediction]


class PresetProposal(TypedDict):
    # The graph's figures, and what they ask for
    reason: str
    # With features read as those of this graph ask for
    preset: JobPreset
    # All others: those for the same situation first, the most advisable before the rest
    others: list[JobPreset]


class Preview(TypedDict):
    files: list[PreviewFile]
    proposed: Any | None
    warnings: list[str]
    version: str


class PreviewFile(TypedDict):
    name: str
    reader: str | None
    options: dict[str, Any]
    isReaderChosen: bool
    reasons: list[str]
    problem: PreviewFileProblem | None
    bytes: float
    numRowsSampled: int
    columns: list[PreviewFileColumn]
    rows: list[list[str]]


class PreviewFileColumn(TypedDict):
    name: str
    type: str
    role: str
    width: int | None


class PreviewFileProblem(TypedDict):
    code: str
    detail: str


class Prices(TypedDict):
    # What is written beside each cost; nothing is converted
    currency: str
    perRankHour: float
    perDeviceHour: float


class Problem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool
    # The path that was asked for
    instance: NotRequired[str]


class Project(TypedDict):
    id: str
    name: str
    createdBy: str | None
    createdAt: Time
    # null = no limit
    limits: ProjectLimits


class ProjectLimits(TypedDict):
    # Slots held at once, by ranks and sampler processes
    slots: NotRequired[int | None]
    # Devices that ranks have for themselves at once
    devices: NotRequired[int | None]
    # Jobs that wait at once
    waitingJobs: NotRequired[int | None]
    # Rank hours in a calendar month, in UTC
    monthlyRankHours: NotRequired[float | None]


class ProjectUse(TypedDict):
    projectId: str
    name: str
    # An hour of a slot that a rank or a sampler process held; by jobs of every kind
    rankHours: float
    # An hour of a device that a rank had for itself
    deviceHours: float
    # By the prices of now; null: there are none
    cost: float | None
    # Now
    heldSlots: int
    # Now
    heldDevices: int
    # Now
    waitingJobs: int
    # In this calendar month, in UTC: what its limit counts
    monthRankHours: float


class PromoteSweepRequest(TypedDict):
    # Name of a new model, or of one that gets another version
    name: str
    # Where the version stands then
    stage: NotRequired[Literal["candidate", "production", "archived"]]


class PublishedDataset(TypedDict):
    # What it is imported by
    name: str
    title: str
    # What its nodes, edges and labels are, and which split comes with it
    summary: str
    # As its publisher counts them
    numNodes: int
    # As its publisher counts them
    numEdges: int
    # What its publisher says of its use; null: nothing at this address
    licence: str | None
    # About how much is fetched; null: not known
    approximateBytes: float | None
    # Where they are fetched from
    files: list[PublishedDatasetFile]
    # The DatasetSpec that maps them
    spec: dict[str, Any]


class PublishedDatasetFile(TypedDict):
    url: str
    name: str
    # Object id in its publisher's git repository, which it must have; null: not published in one
    gitBlob: str | None


class Queue(TypedDict):
    # How many jobs wait, in all projects
    length: int
    # Those that the asker may see, the next first
    jobs: list[WaitingJob]


class QueueDay(TypedDict):
    # In UTC, as 2026-11-24
    day: str
    # Training jobs that were submitted
    submitted: int
    # From the submission to the first stage, of those that have begun; null: none has
    medianWaitSeconds: float | None
    longestWaitSeconds: float | None
    # Hours of slots that ranks and sampler processes held, of jobs of any kind
    rankHours: float


class ReadNoticesBody(TypedDict):
    # The number of the newest notice that was read
    upTo: int


class ReadQueueHistoryAnswer(TypedDict):
    items: list[QueueDay]


class RelationFigures(TypedDict):
    # Several where they join the same pairs of nodes, such as a relation and its reverse
    relations: list[str]
    # Held-out links of the relations
    numLinks: HeldOutLinks
    # By split and name, as `test/mrr`: of these links among the pairs that were drawn for them
    metrics: dict[str, float | None]


class RequestPreviewBody(TypedDict):
    # Reader and options of single files, by their names; the others are read as they show themselves
    readers: NotRequired[dict[str, RequestPreviewBodyReader]]


class RequestPreviewBodyReader(TypedDict):
    type: str
    options: NotRequired[dict[str, Any]]


class RequestedExport(TypedDict):
    ready: bool
    # Where the file is or will be
    url: str
    # The job that makes it; null: it is there
    job: str | None
    # State of that job
    state: Literal["QUEUED", "RUNNING", "PAUSING", "PAUSED", "CANCELLING", "CANCELLED", "SUCCEEDED", "FAILED"] | None


class ResumableUpload(TypedDict):
    id: str
    datasetId: str
    # The file's name
    name: str
    # FINISHING: all bytes are there, and are being made a file of the dataset; DONE: it is one
    state: Literal["RECEIVING", "FINISHING", "DONE", "FAILED"]
    # From where it goes on
    bytesDone: int
    bytesTotal: int
    # How much of it is in the dataset's file, while it is FINISHING or when it is DONE
    bytesFinished: int
    # What the whole file must have
    expectedSha256: str | None
    # By which its sender knows the file again
    fingerprint: str | None
    # Whether it takes the place of a file of its name
    replaces: bool
    # Digest of the whole file, once it is DONE
    sha256: str | None
    # The version that has the file, once it is DONE
    version: str | None
    problem: ResumableUploadProblem | None
    createdBy: str
    createdAt: Time
    # When it is removed, unless more of it comes before
    expiresAt: Time


class ResumableUploadProblem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool


RetryRequest = TypedDict(
    "RetryRequest",
    {
        # checkpoint: training goes on from the last one, if there is one; start: it begins anew
        "from": "NotRequired[Literal[\"checkpoint\", \"start\"]]",
        # Left out: as many as before
        "epochs": "NotRequired[int]",
        # Left out: as long as before
        "maxDuration": "NotRequired[str]",
        # Any other fields of the spec, as a JSON merge patch (RFC 7396) on the job's own: null takes one away. What
        # a checkpoint cannot go on with is refused with its place
        "changes": "NotRequired[dict[str, Any]]",
    },
)


class ScheduleRequest(TypedDict):
    # Time between two runs: hourly, daily, weekly, 30m, 6h, 2d; 15 minutes or more, unless the operator allows
    # less
    every: NotRequired[str]
    # In place of every: minute, hour, day of the month, month, day of the week; 0 6 * * MON-FRI
    cron: NotRequired[str]
    # That the cron expression is of, like Europe/Berlin; left out: UTC
    timeZone: NotRequired[str]
    # true: each run adds its rows to those of the newest graph; left out: as the import does
    adds: NotRequired[bool]


class Series(TypedDict):
    name: str
    # epoch or step
    axis: str
    steps: list[int]
    values: list[float | None]
    # Milliseconds since 1970
    times: list[int]


class SetJobPriorityBody(TypedDict):
    # 10 goes before 1; equal ones by age
    priority: int


class SignInLink(TypedDict):
    url: str


class SourceCredential(TypedDict):
    id: str
    name: str
    # How the secret is sent: bearer: Authorization: Bearer <secret>; basic: the secret is user:password;
    # header: the secret is a whole header, Name: value; s3: requests are signed (AWS Signature Version 4), and
    # the secret is <access key id>:<secret access key>; database: the secret is user:password, with which
    # PostgreSQL or MySQL is signed in to, to read; databaseWrite: the secret is user:password, with which
    # results are written back into PostgreSQL, and nothing is read
    kind: Literal["bearer", "basic", "header", "s3", "database", "databaseWrite"]
    hosts: list[str]
    projectId: str
    createdBy: str
    createdAt: Time


class SourceFile(TypedDict):
    id: str
    name: str
    bytes: int
    sha256: str
    # Where an import had it from, without the values of the address's query; null: it was uploaded
    source: str | None
    # That import
    importId: str | None
    # Number of the version that it came with first; null: this one
    carriedFrom: int | None
    createdAt: Time


class Spread(TypedDict):
    mean: float
    # Standard deviation of the sample; null of a single value
    deviation: float | None
    # Jobs that it is taken from
    count: int


class Stage(TypedDict):
    index: int
    # Name of the step component
    kind: str
    state: Literal["PENDING", "QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]
    # An equal artifact was there already: it did not run
    cached: bool
    attempt: int
    ranks: int
    phase: str | None
    completed: int | None
    total: int | None
    unit: str | None
    etaSeconds: float | None
    # The artifact that it made or found
    outputId: str | None
    problem: StageProblem | None
    startedAt: Time | None
    finishedAt: Time | None


class StageForecast(TypedDict):
    # Name of the step component
    kind: str
    # reused: what an equal step made is taken; continued: training goes on from the checkpoint; anew: it runs,
    # unless what it reads comes out to the bit as it was
    fate: Literal["reused", "continued", "anew"]
    # Epoch of the checkpoint that it goes on from
    epoch: int | None


class StageProblem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool


class StoreGrant(TypedDict):
    grant: str


class StoredBlob(TypedDict):
    bytes: int
    sha256: str


class Sweep(TypedDict):
    id: str
    projectId: str
    createdBy: str
    name: str
    # The dataset version that all its jobs are trained on, id@number
    dataset: str
    datasetName: str
    numSettings: int
    counts: SweepCounts
    createdAt: Time
    # When its last job ended; null as long as one goes on
    finishedAt: Time | None


class SweepBest(TypedDict):
    # Index of the setting
    setting: int
    # Its job that did best on the validation set: the one that is promoted
    jobId: str
    # Why this one, in words
    reason: str


class SweepCounts(TypedDict):
    """Its jobs by what has become of them; those that were deleted are not counted."""

    jobs: int
    waiting: int
    running: int
    succeeded: int
    failed: int
    cancelled: int


class SweepDetails(TypedDict):
    id: str
    projectId: str
    createdBy: str
    name: str
    # The dataset version that all its jobs are trained on, id@number
    dataset: str
    datasetName: str
    numSettings: int
    counts: SweepCounts
    createdAt: Time
    # When its last job ended; null as long as one goes on
    finishedAt: Time | None
    # The job spec that the settings are laid over, as it was sent
    spec: dict[str, Any]
    grid: dict[str, list[Any]]
    seeds: list[int]
    # What settings are judged by, such as accuracy: the task's chief metric, on the validation set
    metric: str | None
    # Whether more or less of it is better
    direction: Literal["max", "min"] | None
    # How a sweep that looks for settings itself gets on; null: it is a grid
    search: SweepSearch | None
    settings: list[SweepSetting]
    # Null as long as no job has succeeded
    best: SweepBest | None


class SweepRequest(TypedDict):
    # Name of the sweep, and the beginning of its jobs' names
    name: NotRequired[str]
    # The job spec that the settings are laid over: GET /v1/schemas/job-spec.json
    spec: dict[str, Any]
    # Values by the path of a field, such as train.optimizer.options.lr: every combination is a setting
    grid: NotRequired[dict[str, list[Any]]]
    # Each setting is trained once with each; left out: with the seed of the spec
    seeds: NotRequired[list[int]]
    # In place of a grid and seeds: models and settings are tried and chosen by the validation set
    auto: NotRequired[AutoRequest]


class SweepSearch(TypedDict):
    budgetSeconds: float
    # Whether it decides nothing any more
    hasEnded: bool
    # What was decided and why, in words
    decisions: list[str]


class SweepSetting(TypedDict):
    index: int
    # Values by the paths of their fields, laid over the spec
    changes: dict[str, Any]
    # What it is, in words
    title: str
    # The chief metric over the seeds; null: no job has succeeded yet
    validation: Spread | None
    test: Spread | None
    trials: list[SweepTrial]


class SweepTrial(TypedDict):
    """A job of a setting."""

    jobId: str
    seed: int
    state: Literal["QUEUED", "RUNNING", "PAUSING", "PAUSED", "CANCELLING", "CANCELLED", "SUCCEEDED", "FAILED"]
    validation: float | None
    test: float | None


class Task(TypedDict):
    name: str
    title: str
    # What is learnt from one after the other
    seeds: Literal["nodes", "edges", "edgeRows", "allNodes", "graphs"]
    # Whether a spec means it that names no task
    isDefault: bool
    # In the order in which results show them
    metrics: list[TaskMetric]
    # Name of the metric that stands for the result in lists
    chiefMetric: str
    # Name of the metric that chooses the best weights unless the spec does
    selectionMetric: str


class TaskMetric(TypedDict):
    # What stands behind the split: `test/<name>`
    name: str
    title: str
    # Whether the most or the least is best
    direction: Literal["max", "min"]
    shownAs: Literal["percent", "figure"]


Time: TypeAlias = str


class Upload(TypedDict):
    version: str
    number: int
    files: list[SourceFile]
    # The job that looks at the files; null with `preview=false`
    previewJob: str | None


UseOfProjects = TypedDict(
    "UseOfProjects",
    {
        "from": "Time",
        "to": "Time",
        "prices": "Prices | None",
        "items": "list[ProjectUse]",
    },
)


class WaitingJob(TypedDict):
    # 1 = next; jobs of other projects count too
    position: int
    jobId: str
    projectId: str
    name: str
    kind: str
    priority: int
    # Why it waits; null until the scheduler has looked at it
    reason: str | None
    submittedAt: Time


class Webhook(TypedDict):
    id: str
    name: str
    # An http or https address, or mailto: with an address that is sent e-mail
    url: str
    events: list[Literal["done", "failed", "stalled", "best"]]
    # Set: it is told of this project's jobs only
    projectId: str | None
    createdBy: str
    createdAt: Time


class WebhookDelivery(TypedDict):
    id: str
    # Event of a notice, or test
    event: str
    # PENDING: it has not been tried, or is tried again at dueAt
    state: Literal["PENDING", "DELIVERED", "FAILED"]
    attempts: int
    # HTTP status of the last answer, or reply code of SMTP; null: there was none
    status: int | None
    # What went wrong in the last attempt
    error: str | None
    # Duration of the last attempt
    durationMs: int | None
    createdAt: Time
    attemptedAt: Time | None
    # When it is tried next; null: it is not tried again
    dueAt: Time | None


class WebhookRequest(TypedDict):
    name: str
    # http or https, where addresses of private networks need HOPWISE_WEBHOOK_NETWORKS; or
    # mailto:somebody@example.com, where the service sends e-mail (mailFrom)
    url: str
    events: list[Literal["done", "failed", "stalled", "best"]]
    # Tells it of this project's jobs only
    project: NotRequired[str]


class Webhooks(TypedDict):
    items: list[Webhook]
    # Where e-mail comes from; null: this service sends none
    mailFrom: str | None


class Worker(TypedDict):
    id: str
    host: str
    version: str
    build: str
    compatible: bool
    # Why it gets no work
    reason: str | None
    # DRAINING: it finishes what it runs and takes nothing new
    state: Literal["ONLINE", "DRAINING", "OFFLINE"]
    # An admin has it take no new work
    drained: bool
    firstSeen: Time
    lastSeen: Time
    devices: list[WorkerDevice]
    # Ranks it can run at once
    slots: int
    cores: float
    memoryBytes: float
    diskFreeBytes: float
    isa: str
    labels: dict[str, str]
    # Where ranks of other hosts reach its ranks; null: no job shares it with another worker
    rankAddress: str | None
    # To a key of one project: stages of that project's jobs alone
    running: list[WorkerRunning]


class WorkerAccess(TypedDict):
    # Whether a worker on another host could reach this service's Redis
    possible: bool
    # Why it could not, and what to do
    reason: str | None
    # What to set right before one is let in; null: nothing
    warning: str | None


WorkerBoot = TypedDict(
    "WorkerBoot",
    {
        "bootId": "str",
        "version": "str",
        "from": "Time",
        "to": "Time",
    },
)


class WorkerCredential(TypedDict):
    workerId: str
    # Its user of Redis, which may use its own queue, announcement and leases, and what all workers share
    user: str
    createdAt: Time


class WorkerDevice(TypedDict):
    kind: Literal["cpu", "cuda"]
    index: int
    name: str
    # 0: not known
    memoryBytes: float
    # By which a rank gets it for itself alone, on whichever worker; null: a CPU, which ranks share
    uuid: str | None
    # For example 9.0
    computeCapability: str | None
    driverVersion: str | None
    # UUID of the GPU that it is a slice of
    migParent: str | None
    # To the other devices of its worker
    links: list[WorkerDeviceLink]
    # Computed on the CPU, for tests; only jobs that ask for cuda get it
    isEmulated: bool
    # Null: not known
    use: WorkerDeviceUse | None


class WorkerDeviceLink(TypedDict):
    to: str
    kind: Literal["nvlink", "board", "switch", "switches", "host-bridge", "numa-node", "system"]


class WorkerDeviceUse(TypedDict):
    # Allocated, by whatever program
    memoryBytes: float | None
    # Share of the last moments in which a kernel ran, 0 to 1
    utilization: float | None
    powerWatts: float | None


class WorkerHistory(TypedDict):
    # Over time: held/slots and offered/slots; host/cores (busy, by whatever program), host/memoryBytes (used),
    # free/diskBytes; and of each GPU, under its index and name, utilization (0 to 1), deviceMemoryBytes and
    # watts
    series: list[Series]
    # Lives of its process, the oldest first
    boots: list[WorkerBoot]


class WorkerLog(TypedDict):
    lines: list[WorkerLogLine]


class WorkerLogLine(TypedDict):
    # Grows with each line, over restarts too
    cursor: int
    at: str
    level: Literal["debug", "info", "warn", "error"]
    message: str
    fields: dict[str, str | float | bool | None]


class WorkerRunning(TypedDict):
    jobId: str
    attempt: int
    stageIndex: int


class WriteBack(TypedDict):
    id: str
    jobId: str
    # SUCCEEDED: the transaction that wrote all rows has been committed
    state: Literal["WAITING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]
    url: str
    # Name of the credential
    credential: str
    schema: str
    table: str
    # What is written; pairs: the held-out pairs of a task on links, with their scores
    output: Literal["embeddings", "predictions", "pairs"]
    nodeType: str | None
    columns: dict[str, str]
    # vector: pgvector's vector(n); array: real[]; columns: a real for each number, embedding_0, embedding_1 …;
    # auto: as the table has it, else vector where the database has pgvector, else array
    vector: Literal["auto", "vector", "array", "columns"]
    # create: refuses a table that is there; replace: takes the place of all of its rows, in one transaction;
    # upsert: rows whose key is there are changed, the others added
    mode: Literal["create", "replace", "upsert"]
    # Rows that the database has been sent, in a transaction that nobody sees yet
    rowsDone: int
    # Null as long as it is not known
    rowsTotal: int | None
    etaSeconds: float | None
    # Why no row goes out now
    waitReason: str | None
    # The job that makes the rows before they are sent; null: there were
    exportJobId: str | None
    problem: WriteBackProblem | None
    createdBy: str
    createdAt: Time
    startedAt: Time | None
    finishedAt: Time | None


class WriteBackProblem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    field: NotRequired[str]
    retryable: bool


class WriteBackRequest(TypedDict):
    # postgresql://host/database; ?sslmode=disable in networks of the operator
    url: str
    # Name of a credential of the kind databaseWrite
    credential: str
    schema: NotRequired[str]
    table: str
    # What is written; pairs: the held-out pairs of a task on links, with their scores
    output: NotRequired[Literal["embeddings", "predictions", "pairs"]]
    # Nodes of this type alone, under the ids that they have in their files; left out: all
    nodeType: NotRequired[str]
    # Other names of columns, such as {"id": "paper", "embedding": "vec"}
    columns: NotRequired[dict[str, str]]
    # vector: pgvector's vector(n); array: real[]; columns: a real for each number, embedding_0, embedding_1 …;
    # auto: as the table has it, else vector where the database has pgvector, else array
    vector: NotRequired[Literal["auto", "vector", "array", "columns"]]
    # create: refuses a table that is there; replace: takes the place of all of its rows, in one transaction;
    # upsert: rows whose key is there are changed, the others added
    mode: NotRequired[Literal["create", "replace", "upsert"]]

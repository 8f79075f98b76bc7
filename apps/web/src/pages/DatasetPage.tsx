import { Alert, Anchor, Button, Code, List, Stack, Text } from "@mantine/core";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { useMutation, useQuery } from "urql";
import { AdditionPanel } from "../components/AdditionPanel/AdditionPanel.tsx";
import { CopyId } from "../components/CopyButton/CopyButton.tsx";
import { ColumnsPanel } from "../components/DatasetProfile/ColumnsPanel.tsx";
import { GraphFacts } from "../components/DatasetProfile/GraphFacts.tsx";
import { profileOf } from "../components/DatasetProfile/graph-profile.ts";
import { SampleRows } from "../components/DatasetProfile/SampleRows.tsx";
import { type Column, DataTable } from "../components/DataTable/DataTable.tsx";
import { DeleteMenu } from "../components/DeleteMenu/DeleteMenu.tsx";
import { ImportsPanel } from "../components/Imports/ImportsPanel.tsx";
import { JobProgress } from "../components/JobProgress/JobProgress.tsx";
import { JobTable } from "../components/JobTable/JobTable.tsx";
import { LoadMore } from "../components/LoadMore/LoadMore.tsx";
import { NoLabels } from "../components/NoLabels/NoLabels.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { StateBadge } from "../components/StateBadge/StateBadge.tsx";
import { UnfinishedVersion } from "../components/UnfinishedVersion/UnfinishedVersion.tsx";
import { VersionsPanel } from "../components/VersionsPanel/VersionsPanel.tsx";
import { useImports } from "../hooks/use-imports.ts";
import { useJobs } from "../hooks/use-jobs.ts";
import { datasetQuery, deleteDatasetMutation } from "../services/documents/datasets.ts";
import { absent, formatBytes, formatCount } from "../services/format.ts";
import { reportLines } from "../services/graph-facts.ts";
import type { ResultOf } from "../services/graphql.ts";
import { hasTarget } from "../services/job-task.ts";
import { NothingHere } from "./NotFoundPage.tsx";

type Dataset = NonNullable<ResultOf<typeof datasetQuery>["dataset"]>;
type Version = NonNullable<Dataset["version"]>;

/** What the list of its jobs shows: they all have this dataset. */
const columnsOfDataset = ["doing", "model", "ranks", "result", "took", "submitted"] as const;

/** What a dataset is, what was found while it was read, and the way to a training job. */
export function DatasetPage() {
  const { datasetId } = useParams({ from: "/shell/datasets/$datasetId" });
  const { version: number } = useSearch({ from: "/shell/datasets/$datasetId" });
  const [state, refetch] = useQuery({ query: datasetQuery, variables: { id: datasetId, number: number ?? null } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  return (
    <QueryView state={state} onRetry={refresh} shape="facts">
      {({ dataset }) =>
        dataset === null || dataset.version === null ? (
          <NothingHere what={dataset === null ? "dataset" : "version"} />
        ) : (
          <>
            <PageHeader
              title={dataset.name}
              badge={<StateBadge state={dataset.version.state} />}
              help={<CopyId name="dataset id" value={`${dataset.id}@${dataset.version.number}`} />}
              actions={<Actions dataset={dataset} version={dataset.version} />}
            />
            <VersionView dataset={dataset} version={dataset.version} onChanged={refresh} />
          </>
        )
      }
    </QueryView>
  );
}

function Actions({ dataset, version }: { readonly dataset: Dataset; readonly version: Version }) {
  const navigate = useNavigate();
  const [{ fetching, error }, remove] = useMutation(deleteDatasetMutation);
  const confirm = async () => {
    const answer = await remove({ id: dataset.id });
    if (answer.data) await navigate({ to: "/datasets" });
  };
  return (
    <>
      {version.number === dataset.newestReady?.number && version.tasks.length > 0 && (
        <Button component={Link} to={`/jobs/new?dataset=${dataset.id}`}>
          Train on this
        </Button>
      )}
      <DeleteMenu what="dataset" name={dataset.name} error={error} isBusy={fetching} onDelete={() => void confirm()}>
        Its files and graph go. Jobs that were trained on it keep their results.
      </DeleteMenu>
    </>
  );
}

interface VersionViewProps {
  readonly dataset: Dataset;
  readonly version: Version;
  readonly onChanged: () => void;
}

function VersionView({ dataset, version, onChanged }: VersionViewProps) {
  const isNewest = version.number === dataset.latest.number;
  const takesFiles = isNewest && (version.state === "UPLOADING" || version.state === "MAPPING");
  const imports = useImports(dataset.id, onChanged);
  const importsPanel = <ImportsPanel datasetId={dataset.id} imports={imports} takesFiles={takesFiles} />;
  const profile = profileOf(version.graph);
  const ingestJob = version.jobs.find((job) => job.kind === "ingest");
  const toMapping = (label: string) => (
    <Button component={Link} to={`/datasets/${dataset.id}/mapping`} w="fit-content">
      {label}
    </Button>
  );
  return (
    <Stack gap="lg">
      {version.problem && <ProblemAlert problem={version.problem} />}
      {version.state === "FAILED" && isNewest && toMapping("Change the mapping")}
      {/* Read anew as the version moves on */}
      <AdditionPanel key={`${version.number} ${version.state}`} datasetId={dataset.id} number={version.number} />
      {imports.isActive && importsPanel}
      {takesFiles && imports.isIdle && (
        <UnfinishedVersion
          datasetId={dataset.id}
          files={version.files}
          isLookedInto={version.jobs.some((job) => job.kind === "map")}
          onChanged={onChanged}
        />
      )}
      {version.graph && !version.tasks.some(hasTarget) && isNewest && (
        <NoLabels datasetId={dataset.id} isBeingMapped={false} canLearn={version.tasks.length > 0} />
      )}
      {!isNewest && (
        <Text size="sm">
          This is version {version.number} of {dataset.latest.number}.{" "}
          <Anchor component={Link} to={`/datasets/${dataset.id}`} size="sm">
            Show the newest
          </Anchor>
        </Text>
      )}
      {version.state === "INGESTING" && ingestJob && (
        <Panel title="Building the graph" help="You may leave this page; the work goes on.">
          <JobProgress jobId={ingestJob.id} onEnded={onChanged} />
        </Panel>
      )}
      {version.graph && <GraphFacts graph={version.graph} report={version.report} />}
      {profile && (
        <>
          <ColumnsPanel profile={profile} unused={unusedColumns(version)} />
          <SampleRows profile={profile} />
        </>
      )}
      {version.graph && !profile && <NoProfile />}
      {version.graph && version.tasks.length > 0 && <JobsPanel datasetId={dataset.id} />}
      {version.report && <ReportPanel report={version.report} />}
      {!imports.isActive && importsPanel}
      <FilesPanel files={version.files} />
      <VersionsPanel datasetId={dataset.id} versions={dataset.versions} shown={version.number} />
    </Stack>
  );
}

/** Columns of the files that were found and not mapped. */
function unusedColumns({ preview, graph }: Version): string[] {
  const used = new Set(profileOf(graph)?.columns.map(({ name }) => name));
  const found = preview?.files.flatMap(({ columns }) => columns.map(({ name }) => name)) ?? [];
  return [...new Set(found)].filter((name) => !used.has(name));
}

/** What an earlier version of Hopwise did not count when it built the graph. */
function NoProfile() {
  return (
    <Panel title="Columns">
      <Text size="sm">
        This version was built before columns, components and first rows were looked at. Map the files again, below, and
        the next version has them.
      </Text>
    </Panel>
  );
}

function ReportPanel({ report }: { readonly report: NonNullable<Version["report"]> }) {
  return (
    <Panel title="What was found while reading">
      {report.warnings.length > 0 && (
        <Alert color="yellow" variant="light" title="Worth a look">
          <List size="sm">
            {report.warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <List size="sm" className="num">
        {reportLines(report).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      {report.badRows.length > 0 && (
        <DataTable
          label="Rows that could not be used"
          columns={badRowColumns}
          rows={report.badRows}
          rowKey={(row) => `${row.file} ${row.line} ${row.column}`}
          minWidth={480}
        />
      )}
    </Panel>
  );
}

const badRowColumns: readonly Column<NonNullable<Version["report"]>["badRows"][number]>[] = [
  { head: "File", cell: ({ file }) => file },
  { head: "Line", align: "right", cell: ({ line }) => formatCount(line) },
  { head: "Column", cell: ({ column }) => column ?? absent },
  { head: "Found", cell: ({ found }) => <Code>{found}</Code> },
];

/** Training jobs on any version of this dataset. */
function JobsPanel({ datasetId }: { readonly datasetId: string }) {
  const jobs = useJobs({ dataset: datasetId, kinds: ["train"] }, 10);
  return (
    <Panel title="Jobs" help="Trained on this dataset, newest first.">
      <QueryView state={jobs} onRetry={jobs.refresh}>
        {({ nodes, hasMore }) => (
          <>
            {nodes.length > 0 ? (
              <JobTable jobs={nodes} isMoving={jobs.isMoving} shown={columnsOfDataset} />
            ) : (
              <Text size="sm" c="dimmed">
                None yet: “Train on this” above starts the first.
              </Text>
            )}
            <LoadMore hasMore={hasMore} isLoading={jobs.isLoading} onMore={jobs.loadMore} />
          </>
        )}
      </QueryView>
    </Panel>
  );
}

function FilesPanel({ files }: { readonly files: Version["files"] }) {
  return (
    <Panel title="Files">
      {files.length === 0 ? (
        <Text size="sm" c="dimmed">
          No file has arrived yet.
        </Text>
      ) : (
        <DataTable label="Files" columns={fileColumns} rows={files} rowKey={({ name }) => name} minWidth={420} />
      )}
    </Panel>
  );
}

const fileColumns: readonly Column<Version["files"][number]>[] = [
  { head: "Name", cell: ({ name }) => name },
  { head: "Size", align: "right", cell: ({ bytes }) => formatBytes(bytes) },
  {
    head: "From",
    cell: ({ source }) => (
      <Text size="xs" c="dimmed" className="clip" maw={320} title={source ?? undefined}>
        {source ?? "an upload"}
      </Text>
    ),
  },
  {
    head: "SHA-256",
    cell: ({ sha256 }) => (
      <Text size="xs" ff="monospace" c="dimmed" title={sha256}>
        {sha256.slice(0, 16)}…
      </Text>
    ),
  },
];

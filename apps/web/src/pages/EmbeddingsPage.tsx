import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Alert, Button, Group, MultiSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { useQuery } from "urql";
import { DownloadButton } from "../components/DownloadButton/DownloadButton.tsx";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { type Fact, Facts } from "../components/Facts/Facts.tsx";
import { LoadingShape } from "../components/LoadingShape/LoadingShape.tsx";
import { MapExplorer, type SharedByMaps } from "../components/MapExplorer/MapExplorer.tsx";
import type { LayoutName } from "../components/MapExplorer/MapToolbar.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { type EmbeddingMapState, useEmbeddingMap } from "../hooks/use-embedding-map.ts";
import { useLiveRefresh } from "../hooks/use-live-refresh.ts";
import { alignedMap } from "../services/align-maps.ts";
import { collapseScore, hasCollapsed } from "../services/collapse.ts";
import { namedJobs } from "../services/comparison.ts";
import { viewerQuery } from "../services/documents/account.ts";
import { comparableJobsQuery } from "../services/documents/compared-jobs.ts";
import { embeddingsQuery } from "../services/documents/results.ts";
import { makeExport } from "../services/download.ts";
import type { EmbeddingMapData } from "../services/embedding-map.ts";
import { formatCount, formatFigure, formatPercent } from "../services/format.ts";
import type { ResultOf } from "../services/graphql.ts";
import { isOwed } from "../services/owed-exports.ts";
import { NothingHere } from "./NotFoundPage.tsx";

type Job = NonNullable<ResultOf<typeof embeddingsQuery>["job"]>;
type Projection = NonNullable<NonNullable<Job["embeddings"]>["projection"]>;

const topics = ["JOBS"] as const;

/** The embeddings as a map, and everything to take away. */
export function EmbeddingsPage() {
  const { jobId } = useParams({ from: "/shell/jobs/$jobId/embeddings" });
  const [state, refetch] = useQuery({ query: embeddingsQuery, variables: { id: jobId } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  // Opened before the job has ended: map and files appear when they are made.
  const isActive = state.data?.job ? !isTerminal(state.data.job.state) : false;
  useLiveRefresh({ refresh, isFetching: state.fetching || state.stale, topics, everyMs: 2000, isActive });
  return (
    <QueryView state={state} onRetry={refresh} shape="map">
      {({ job }) => (job === null ? <NothingHere what="job" /> : <EmbeddingsView job={job} />)}
    </QueryView>
  );
}

function EmbeddingsView({ job }: { readonly job: Job }) {
  const { embeddings } = job;
  return (
    <>
      <PageHeader
        title={`Embeddings of ${job.name || job.id}`}
        help="One vector per node. On the map, nodes that the model finds alike lie together."
        actions={
          <Button component={Link} to={`/jobs/${job.id}`} variant="default">
            Back to the job
          </Button>
        }
      />
      {embeddings === null ? (
        <EmptyState title="There are no embeddings yet">They are written in the last stages of the job.</EmptyState>
      ) : (
        <Stack gap="lg">
          <DownloadsPanel job={job} embeddings={embeddings} />
          {embeddings.projection ? (
            <Maps job={job} projection={embeddings.projection} numRows={embeddings.numRows} />
          ) : (
            <Alert color="gray" variant="light" title="The map is not drawn yet">
              The job's project stage makes it; this page shows it then.
            </Alert>
          )}
        </Stack>
      )}
    </>
  );
}

function DownloadsPanel({
  job,
  embeddings,
}: {
  readonly job: Job;
  readonly embeddings: NonNullable<Job["embeddings"]>;
}) {
  const [{ data }] = useQuery({ query: viewerQuery });
  // Refused or cut off, an answer has no data.
  const canMake = data ? data.me.role !== "VIEWER" : false;
  return (
    <Panel title="Downloads" help="Every row carries your own node id.">
      <Facts
        facts={[
          { label: "Nodes", value: formatCount(embeddings.numRows) },
          { label: "Dimensions", value: formatCount(embeddings.dim) },
          { label: "Layer", value: embeddings.layer === "lastHidden" ? "Last hidden" : embeddings.layer },
          ...collapseFact(embeddings),
        ]}
      />
      {hasCollapsed(embeddings.projection?.effectiveDim ?? null) && (
        <Alert color="orange" variant="light" title="The embeddings have collapsed" role="note">
          They lie on little more than one line, so that nodes can hardly be told apart by them. Try another model,
          fewer layers, a smaller learning rate, or a task whose labels say more.
        </Alert>
      )}
      <Stack gap="xs">
        {[
          { title: "Embeddings", kind: "EMBEDDINGS" as const, downloads: embeddings.downloads },
          { title: "Predictions", kind: "PREDICTIONS" as const, downloads: job.predictionDownloads },
        ].map(({ title, kind, downloads }) => (
          <Group key={title} gap="xs">
            <Text size="sm" w={96}>
              {title}
            </Text>
            {downloads.map(({ format, name, ...download }) => (
              <DownloadButton
                key={download.url}
                label={`${formatName(format)}${whatOf(name)}`}
                make={canMake ? () => makeExport({ job: job.id, kind, format }) : undefined}
                isOwed={isOwed(job, kind, format)}
                {...download}
              />
            ))}
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

/** How far the embeddings have collapsed, where their map tells it */
function collapseFact({ projection, dim }: NonNullable<Job["embeddings"]>): Fact[] {
  const score = collapseScore(projection?.effectiveDim ?? null, dim);
  if (score === null) return [];
  const hint =
    "0: spread evenly over all dimensions; 1: all on one line. Embeddings for a few classes need few dimensions.";
  return [{ label: "Collapse score", value: formatFigure(score), hint }];
}

function formatName(format: string): string {
  const names: Readonly<Record<string, string>> = { parquet: "Parquet", npy: "NumPy", csv: "CSV", arrow: "Arrow" };
  return names[format] ?? format;
}

/** `embeddings.author.csv` → of author, `pairs.csv` → of pairs; a file of all nodes says nothing more. */
function whatOf(name: string): string {
  const stem = name.split(".").slice(0, -1).join(".");
  const part = stem.replace(/^(embeddings|predictions)\.?/, "");
  return part === "" ? "" : ` of ${part}`;
}

interface MapsProps {
  readonly job: Job;
  readonly projection: Projection;
  readonly numRows: number;
}

/** Maps that fit beside each other so that one still sees their dots */
const mostBeside = 3;

/** The map, and beside it on request those of other runs: lying alike, with the same node picked in all. */
function Maps({ job, projection, numRows }: MapsProps) {
  const search = useSearch({ from: "/shell/jobs/$jobId/embeddings" });
  const navigate = useNavigate({ from: "/jobs/$jobId/embeddings" });
  const others = namedJobs(search.with).slice(0, mostBeside);
  const [id, setId] = useState<string | null>(null);
  const [layout, setLayout] = useState<LayoutName | null>(null);
  const { map, ...fetched } = useEmbeddingMap(projection.artifact);
  const isHalf = others.length > 0;
  // Principal components of two runs can be laid over each other; what UMAP leaves open is more than a turn.
  const shared = { linked: { id, onPick: setId }, layout: layout ?? (isHalf ? "pca" : null), onLayout: setLayout };
  const choose = (chosen: readonly string[]) =>
    void navigate({ search: chosen.length === 0 ? {} : { with: chosen.join(",") }, replace: true });
  return (
    <>
      <OtherRuns jobId={job.id} chosen={others} onChoose={choose} />
      <SimpleGrid cols={{ base: 1, lg: isHalf ? 2 : 1 }}>
        <MapPanel
          title={isHalf ? job.name || job.id : "Map"}
          {...{ projection, numRows, map, ...fetched, ...shared, isHalf }}
        />
        {others.map((other) => (
          <OtherMap key={other} jobId={other} base={map} shared={shared} />
        ))}
      </SimpleGrid>
    </>
  );
}

interface OtherRunsProps {
  readonly jobId: string;
  readonly chosen: readonly string[];
  readonly onChoose: (ids: readonly string[]) => void;
}

function OtherRuns({ jobId, chosen, onChoose }: OtherRunsProps) {
  const [{ data }] = useQuery({ query: comparableJobsQuery });
  const listed = data?.jobs.edges.map(({ node }) => node).filter(({ id }) => id !== jobId) ?? [];
  const unlisted = chosen.filter((id) => listed.every((one) => one.id !== id)).map((id) => ({ id, name: "" }));
  return (
    <MultiSelect
      label="Beside the map of another run"
      description="The same run after fewer or more epochs, or one with other settings: up to three, turned to lie alike. A node that is picked is picked in all."
      placeholder={chosen.length === 0 ? "Name or id" : undefined}
      size="xs"
      maw={560}
      searchable
      clearable
      maxValues={mostBeside}
      value={[...chosen]}
      data={[...listed, ...unlisted].map(({ id, name }) => ({ value: id, label: name ? `${name} · ${id}` : id }))}
      onChange={onChoose}
    />
  );
}

interface OtherMapProps {
  readonly jobId: string;
  /** The first map, as which this one is to lie; null until it has come */
  readonly base: EmbeddingMapData | null;
  readonly shared: SharedByMaps;
}

function OtherMap({ jobId, base, shared }: OtherMapProps) {
  const [state, refetch] = useQuery({ query: embeddingsQuery, variables: { id: jobId } });
  return (
    <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })} shape="map">
      {({ job }) =>
        job?.embeddings?.projection ? (
          <TurnedMap
            title={job.name || job.id}
            projection={job.embeddings.projection}
            numRows={job.embeddings.numRows}
            base={base}
            {...shared}
          />
        ) : (
          <EmptyState title="That run has no map">
            It ended before its embeddings were drawn, or is not there.
          </EmptyState>
        )
      }
    </QueryView>
  );
}

interface TurnedMapProps extends Pick<MapsProps, "projection" | "numRows">, SharedByMaps {
  readonly title: string;
  readonly base: EmbeddingMapData | null;
}

function TurnedMap({ base, ...props }: TurnedMapProps) {
  const { map, ...fetched } = useEmbeddingMap(props.projection.artifact);
  const turned = useMemo(() => (map && base ? alignedMap(map, base) : map), [map, base]);
  return <MapPanel {...props} {...fetched} map={turned} isHalf />;
}

interface MapPanelProps extends Pick<MapsProps, "projection" | "numRows">, SharedByMaps, EmbeddingMapState {
  readonly title: string;
  readonly isHalf: boolean;
}

function MapPanel({ title, projection, numRows, map, problem, retry, ...shown }: MapPanelProps) {
  return (
    <Panel title={title} help={helpOf(projection, numRows)}>
      {problem && <ProblemAlert problem={problem} onRetry={retry} />}
      {!problem && map === null && <LoadingShape shape="map" />}
      {map && (
        <MapExplorer
          map={map}
          artifact={projection.artifact}
          names={projection.classes}
          columns={projection.columns}
          {...shown}
        />
      )}
    </Panel>
  );
}

/** How much is drawn, how to look at it, and how far the embeddings spread. */
function helpOf({ numPoints, numDetailed, hasUmap, explained, effectiveDim }: Projection, numRows: number): string {
  const inPlane = explained?.reduce((sum, part) => sum + part, 0);
  return [
    numPoints < numRows && `${formatCount(numPoints)} of ${formatCount(numRows)} nodes are drawn`,
    hasUmap && numDetailed < numPoints && `${formatCount(numDetailed)} of them by UMAP`,
    "Drag to move, use the wheel to zoom, click a dot to see what is known of its node",
    inPlane !== undefined && `The first two principal components hold ${formatPercent(inPlane)} of the variance`,
    effectiveDim !== null && `The embeddings spread over ${formatFigure(effectiveDim)} dimensions`,
  ]
    .filter((sentence) => sentence !== false)
    .map((sentence) => `${sentence}.`)
    .join(" ");
}

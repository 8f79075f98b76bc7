import { Alert, Button, Grid, Group, Loader, Stack, Text, UnstyledButton } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { useQuery } from "urql";
import { DownloadButton } from "../components/DownloadButton/DownloadButton.tsx";
import type { MapPoints } from "../components/EmbeddingMap/view.ts";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { Facts } from "../components/Facts/Facts.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { usePolling } from "../hooks/use-polling.ts";
import { embeddingsQuery, viewerQuery } from "../services/documents.ts";
import { formatCount, formatPercent } from "../services/format.ts";
import type { ResultOf } from "../services/graphql.ts";
import { isEnded } from "../services/job-state.ts";
import { paletteColor } from "../theme.ts";
import classes from "./EmbeddingsPage.module.css";
import { NothingHere } from "./NotFoundPage.tsx";

const EmbeddingMap = lazy(() => import("../components/EmbeddingMap/EmbeddingMap.tsx"));

type Job = NonNullable<ResultOf<typeof embeddingsQuery>["job"]>;
type Projection = NonNullable<NonNullable<Job["embeddings"]>["projection"]>;

/** The embeddings as a map, and everything to take away. */
export function EmbeddingsPage() {
  const { jobId } = useParams({ from: "/shell/jobs/$jobId/embeddings" });
  const [state, refetch] = useQuery({ query: embeddingsQuery, variables: { id: jobId, maxPoints: 50_000 } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  // Opened before the job has ended: map and files appear when they are made.
  usePolling(refresh, state.data?.job ? !isEnded(state.data.job.state) : false);
  return (
    <QueryView state={state} onRetry={refresh}>
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
            <MapPanel projection={embeddings.projection} numRows={embeddings.numRows} />
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
  const canMake = data !== undefined && data.me.role !== "VIEWER";
  return (
    <Panel title="Downloads" help="Every row carries your own node id.">
      <Facts
        facts={[
          { label: "Nodes", value: formatCount(embeddings.numRows) },
          { label: "Dimensions", value: formatCount(embeddings.dim) },
          { label: "Layer", value: embeddings.layer === "lastHidden" ? "Last hidden" : embeddings.layer },
        ]}
      />
      <Stack gap="xs">
        {[
          { title: "Embeddings", downloads: embeddings.downloads },
          { title: "Predictions", downloads: job.predictionDownloads },
        ].map(({ title, downloads }) => (
          <Group key={title} gap="xs">
            <Text size="sm" w={96}>
              {title}
            </Text>
            {downloads.map((download) => (
              <DownloadButton key={download.url} label={formatName(download.format)} canMake={canMake} {...download} />
            ))}
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

function formatName(format: string): string {
  const names: Readonly<Record<string, string>> = { parquet: "Parquet", npy: "NumPy", csv: "CSV", arrow: "Arrow" };
  return names[format] ?? format;
}

function MapPanel({ projection, numRows }: { readonly projection: Projection; readonly numRows: number }) {
  const { classes: names, ids, labels } = projection;
  const points = useMemo<MapPoints>(
    () => ({
      x: Float32Array.from(projection.x),
      y: Float32Array.from(projection.y),
      groups: Int16Array.from(projection.labels),
    }),
    [projection],
  );
  const colors = useMemo(() => names.map((_, index) => paletteColor(index)), [names]);
  const counts = useMemo(() => countsOf(labels), [labels]);
  const [highlighted, setHighlighted] = useState<ReadonlySet<number> | null>(null);
  const describe = useCallback(
    (index: number) => [ids[index] ?? "", nameOf(names, labels[index] ?? -1)] as const,
    [ids, labels, names],
  );
  const explained = projection.explained?.reduce((sum, part) => sum + part, 0);
  const groups = [...names.keys(), ...(counts.has(-1) ? [-1] : [])];
  const drawn = ids.length < numRows ? `${formatCount(ids.length)} of ${formatCount(numRows)} nodes drawn. ` : "";
  return (
    <Panel
      title="Map"
      help={`${drawn}Drag to move, wheel to zoom, point at a dot to see its id. ${
        explained === undefined
          ? ""
          : `The two axes (${projection.method}) hold ${formatPercent(explained)} of the variance.`
      }`}
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 9 }}>
          <Suspense fallback={<Loader aria-label="The map is loading" m="xl" />}>
            <EmbeddingMap points={points} colors={colors} highlighted={highlighted} describe={describe} />
          </Suspense>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 3 }}>
          <Stack gap={2} role="group" aria-label="Classes">
            <Group justify="space-between" mb={4}>
              <Text size="sm" fw={600}>
                Classes
              </Text>
              <Button
                size="compact-xs"
                variant="subtle"
                disabled={highlighted === null}
                onClick={() => setHighlighted(null)}
              >
                Show all
              </Button>
            </Group>
            {groups.map((group) => (
              <UnstyledButton
                key={group}
                className={classes.legend}
                aria-pressed={highlighted?.has(group) ?? false}
                data-faint={highlighted !== null && !highlighted.has(group)}
                onClick={() => setHighlighted((before) => toggled(before, group))}
              >
                <span className={classes.dot} style={{ background: group < 0 ? "#868e96" : paletteColor(group) }} />
                <span className="clip">{nameOf(names, group)}</span>
                <span className={`num ${classes.count}`}>{formatCount(counts.get(group) ?? 0)}</span>
              </UnstyledButton>
            ))}
          </Stack>
        </Grid.Col>
      </Grid>
    </Panel>
  );
}

function nameOf(names: readonly string[], group: number): string {
  return group < 0 ? "no label" : (names[group] ?? `class ${group}`);
}

function countsOf(labels: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** Adds or removes a group; none left means all. */
function toggled(groups: ReadonlySet<number> | null, group: number): ReadonlySet<number> | null {
  const next = new Set(groups ?? []);
  if (!next.delete(group)) next.add(group);
  return next.size > 0 ? next : null;
}

import { MultiSelect, SimpleGrid } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useQuery } from "urql";
import { useEmbeddingMap } from "../../hooks/use-embedding-map.ts";
import { alignedMap } from "../../services/align-maps.ts";
import { namedJobs } from "../../services/comparison.ts";
import { comparableJobsQuery } from "../../services/documents/compared-jobs.ts";
import { embeddingsQuery } from "../../services/documents/results.ts";
import type { EmbeddingMapData } from "../../services/embedding-map.ts";
import { EmptyState } from "../EmptyState/EmptyState.tsx";
import type { SharedByMaps } from "../MapExplorer/MapExplorer.tsx";
import type { LayoutName } from "../MapExplorer/MapToolbar.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { MapPanel, type Projection } from "./MapPanel.tsx";

interface EmbeddingMapsProps {
  readonly job: { readonly id: string; readonly name: string };
  readonly projection: Projection;
  readonly numRows: number;
}

/** Maps that fit beside each other so that one still sees their dots */
const mostBeside = 3;

/** The map, and beside it on request those of other runs: lying alike, with the same node picked in all. */
export function EmbeddingMaps({ job, projection, numRows }: EmbeddingMapsProps) {
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
    <SimpleGrid cols={{ base: 1, lg: isHalf ? 2 : 1 }}>
      <MapPanel
        title={isHalf ? job.name || job.id : "Map"}
        aside={<OtherRuns jobId={job.id} chosen={others} onChoose={choose} />}
        {...{ projection, numRows, map, ...fetched, ...shared, isHalf }}
      />
      {others.map((other) => (
        <OtherMap key={other} jobId={other} base={map} shared={shared} />
      ))}
    </SimpleGrid>
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
      aria-label="Beside the map of another run"
      title="This run after fewer or more epochs, or one with other settings: up to three, turned to lie alike. A node that is picked is picked in all."
      placeholder={chosen.length === 0 ? "Beside the map of another run" : undefined}
      size="xs"
      miw={240}
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

interface TurnedMapProps extends Pick<EmbeddingMapsProps, "projection" | "numRows">, SharedByMaps {
  readonly title: string;
  readonly base: EmbeddingMapData | null;
}

function TurnedMap({ base, ...props }: TurnedMapProps) {
  const { map, ...fetched } = useEmbeddingMap(props.projection.artifact);
  const turned = useMemo(() => (map && base ? alignedMap(map, base) : map), [map, base]);
  return <MapPanel {...props} {...fetched} map={turned} isHalf />;
}

import { Alert, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "urql";
import { collapseScore, hasCollapsed } from "../../services/collapse.ts";
import { viewerQuery } from "../../services/documents/account.ts";
import type { embeddingsQuery } from "../../services/documents/results.ts";
import { makeExport } from "../../services/download.ts";
import { formatCount, formatFigure } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { isOwed } from "../../services/owed-exports.ts";
import { DownloadButton } from "../DownloadButton/DownloadButton.tsx";
import { type Fact, Facts } from "../Facts/Facts.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { RenamedExport } from "../RenamedExport/RenamedExport.tsx";
import { WriteBacksPanel } from "../WriteBacks/WriteBacksPanel.tsx";

type Job = NonNullable<ResultOf<typeof embeddingsQuery>["job"]>;

interface EmbeddingDownloadsProps {
  readonly job: Job;
  readonly embeddings: NonNullable<Job["embeddings"]>;
}

/** The figures of embeddings, their files and those of the predictions, made already or on request, and databases. */
export function EmbeddingDownloads({ job, embeddings }: EmbeddingDownloadsProps) {
  const [{ data }] = useQuery({ query: viewerQuery });
  // Refused or cut off, an answer has no data.
  const canMake = data ? data.me.role !== "VIEWER" : false;
  const { predictionDownloads } = job;
  const has = {
    predictions: predictionDownloads.length > 0,
    pairs: predictionDownloads.some(({ name }) => name.startsWith("pairs.")),
  };
  return (
    <>
      <DownloadsPanel job={job} embeddings={embeddings} canMake={canMake} />
      <WriteBacksPanel jobId={job.id} has={has} mayChange={canMake} />
    </>
  );
}

function DownloadsPanel({ job, embeddings, canMake }: EmbeddingDownloadsProps & { readonly canMake: boolean }) {
  return (
    <Panel title="Downloads" help="Every row carries your own id.">
      <Group justify="space-between" align="flex-start" gap="md">
        <Facts
          facts={[
            { label: "Rows", value: formatCount(embeddings.numRows) },
            { label: "Dimensions", value: formatCount(embeddings.dim) },
            { label: "Layer", value: embeddings.layer === "lastHidden" ? "Last hidden" : embeddings.layer },
            ...collapseFact(embeddings),
          ]}
        />
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
          {canMake && (
            <RenamedExport
              make={(format, names) => makeExport({ job: job.id, kind: "EMBEDDINGS", format, ...names })}
            />
          )}
        </Stack>
      </Group>
      {hasCollapsed(embeddings.projection?.effectiveDim ?? null) && (
        <Alert color="orange" variant="light" title="The embeddings have collapsed" role="note">
          They lie on little more than one line, and hardly tell anything apart. Try another model, fewer layers, a
          smaller learning rate, or a task whose labels say more.
        </Alert>
      )}
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
  const names: Readonly<Record<string, string>> = {
    parquet: "Parquet",
    npy: "NumPy",
    csv: "CSV",
    arrow: "Arrow",
    jsonl: "JSON lines",
    neo4j: "Neo4j",
    pgcopy: "PostgreSQL",
  };
  return names[format] ?? format;
}

/** `embeddings.author.csv` → of author, `pairs.csv` → of pairs; a file of all nodes says nothing more. */
function whatOf(name: string): string {
  const stem = name.split(".").slice(0, -1).join(".");
  const part = stem.replace(/^(embeddings|predictions)\.?/, "");
  return part === "" ? "" : ` of ${part}`;
}

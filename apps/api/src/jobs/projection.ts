import { buffer } from "node:stream/consumers";
import { blobsOf } from "../database/stored-json.ts";
import type { Artifact } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { stageOutput } from "./job-artifacts.ts";
import { parseNpy } from "./npy.ts";

/** 2-D map of the embeddings: parallel arrays, one entry per drawn node. */
export interface Projection {
  readonly method: string;
  readonly explained: readonly number[] | null;
  /** Nodes in the map before `maxPoints`. */
  readonly numRows: number;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly ids: readonly string[];
  /** Index into `classes`; −1 = unlabelled. */
  readonly labels: readonly number[];
  readonly classes: readonly string[];
}

/** Above this, labels and ids would cost the API more memory than a picture is worth. */
const maxBlobBytes = 512 * 1024 ** 2;

/** Nobody sees more, and a browser has enough to do with these. */
export const mostPoints = 200_000;

/** Maps that were read last, and the one that is read now: each may take the memory of several blobs. */
interface Readings {
  readonly recent: Map<string, Promise<Projection>>;
  last: Promise<unknown>;
}
const readings = new WeakMap<Services["store"], Readings>();
const mostRecent = 4;

/**
 * The map that the `project` step made, thinned evenly to `maxPoints`; null before that step has ended. One is read at a
 * time, and the last few are kept: a page asks again, and so does a flood.
 */
export async function readProjection(services: Services, jobId: string, maxPoints: number): Promise<Projection | null> {
  const artifact = await stageOutput(services, jobId, "projection");
  if (!artifact) return null;
  const graph = await graphOf(services, jobId);
  const numPoints = Math.max(1, Math.min(maxPoints, mostPoints));
  const ours = readings.get(services.store) ?? { recent: new Map(), last: Promise.resolve() };
  readings.set(services.store, ours);
  const { recent } = ours;
  const key = JSON.stringify([artifact.id, graph?.id, numPoints]);
  const found = recent.get(key);
  if (found) return found;
  const reading = ours.last.then(() => readPoints(services, artifact, graph, numPoints));
  ours.last = reading.catch(() => recent.delete(key));
  recent.set(key, reading);
  const [oldest] = recent.keys();
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  return reading;
}

async function readPoints(
  services: Services,
  artifact: Artifact,
  graph: Artifact | null,
  numPoints: number,
): Promise<Projection> {
  const points = (await readArray(services, artifact, "projection.npy")) as Float32Array;
  const rows = (await readArray(services, artifact, "rows.npy")) as Int32Array;
  const kept = evenly(rows.length, numPoints);
  const nodes = kept.map((i) => rows[i] ?? 0);
  const info = artifact.info as { method?: string; explained?: number[] };
  return {
    method: info.method ?? "unknown",
    explained: Array.isArray(info.explained) ? info.explained : null,
    numRows: rows.length,
    x: kept.map((i) => points[2 * i] ?? 0),
    y: kept.map((i) => points[2 * i + 1] ?? 0),
    ids: await readIds(services, graph, nodes),
    labels: await readLabels(services, graph, nodes),
    classes: ((graph?.info as { classes?: string[] } | undefined)?.classes ?? []).map(String),
  };
}

async function graphOf({ prisma }: Services, jobId: string): Promise<Artifact | null> {
  const job = await prisma.job.findUnique({
    where: { id: jobId },
    include: { datasetVersion: { include: { graph: true } } },
  });
  return job?.datasetVersion?.graph ?? null;
}

async function readLabels(services: Services, graph: Artifact | null, nodes: readonly number[]): Promise<number[]> {
  const labels = graph && has(graph, "nodes/labels.npy") ? await readArray(services, graph, "nodes/labels.npy") : null;
  return nodes.map((node) => Number(labels?.[node] ?? -1));
}

async function readIds(services: Services, graph: Artifact | null, nodes: readonly number[]): Promise<string[]> {
  if (graph && has(graph, "nodes/ids.npy")) {
    const ids = await readArray(services, graph, "nodes/ids.npy");
    return nodes.map((node) => String(ids[node] ?? node));
  }
  if (graph && has(graph, "nodes/ids/offsets.npy")) {
    const offsets = await readArray(services, graph, "nodes/ids/offsets.npy");
    const text = Buffer.from((await readArray(services, graph, "nodes/ids/bytes.npy")) as Uint8Array);
    return nodes.map((node) =>
      text.subarray(Number(offsets[node] ?? 0), Number(offsets[node + 1] ?? 0)).toString("utf8"),
    );
  }
  return nodes.map(String);
}

/** Whether the artifact has this blob in a size that a picture may load. */
function has(artifact: Artifact, name: string): boolean {
  return blobsOf(artifact).some((blob) => blob.name === name && blob.bytes <= maxBlobBytes);
}

async function readArray({ store, integrity }: Services, artifact: Artifact, name: string) {
  const blob = blobsOf(artifact).find((one) => one.name === name);
  if (blob) await integrity.requireBlob(artifact, blob);
  return parseNpy(await buffer(await store.get(`${artifact.prefix}/${name}`))).data;
}

/** `count` indices below `length`, evenly spread. */
function evenly(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, i) => i);
  return Array.from({ length: count }, (_, i) => Math.floor((i * length) / count));
}

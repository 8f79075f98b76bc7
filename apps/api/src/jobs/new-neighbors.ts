import { AppError, type NewNeighborsAnswer } from "@hopwise/contracts";
import { bucketOf, findInBucket, type ReachedTypeInfo } from "@hopwise/gnn-core/spec";
import { notFound } from "../auth/viewer.ts";
import { artifactInfo, blobsOf } from "../database/stored-json.ts";
import type { Artifact, Job } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { stageOutput } from "./job-artifacts.ts";

/** Bytes that an offset takes */
const offsetBytes = 8;

interface NeighborQuery {
  /** The user's own id */
  readonly node: string;
  /** Only neighbours that it can lead to; left out: all */
  readonly relation?: string | undefined;
}

/**
 * The likeliest new neighbours of one node that a task on edges found, best first; two short reads of the store.
 *
 * @throws AppError JOB_WITHOUT_RESULTS when the job has found none, REQUEST_NOT_FOUND for an id that the graph has not,
 * REQUEST_INVALID for a relation that leads nowhere
 */
export async function newNeighborsOf(
  services: Services,
  job: Pick<Job, "id">,
  { node, relation }: NeighborQuery,
): Promise<NewNeighborsAnswer> {
  const artifact = await stageOutput(services, job.id, "recommended");
  if (!artifact) {
    throw new AppError(
      "JOB_WITHOUT_RESULTS",
      "This job has found no new neighbours: only tasks that learn links do, once their training has ended.",
    );
  }
  const { numBuckets, reached, perType } = artifactInfo("recommended", artifact.info);
  if (perType === 0) {
    throw new AppError(
      "JOB_WITHOUT_RESULTS",
      "This job lists no new neighbours (task.newNeighbors: 0), as trials of a search are told to; apply its model with outputs.newNeighbors, or run it again with more.",
    );
  }
  if (relation !== undefined) requireRelation(relation, reached);
  const [start, end] = await offsetsOf(services, artifact, bucketOf(node, numBuckets));
  const bucket = end > start ? await read(services, artifact, "lists.jsonl", start, end) : Buffer.alloc(0);
  const found = findInBucket(bucket.toString("utf8"), node);
  if (!found) throw notFound("node of the graph", node.slice(0, 100));
  const all = found.map(([id, score, at]) => {
    const by = at === undefined ? undefined : reached[at];
    return { id, score, type: by?.target ?? null, relations: by?.relations ?? [] };
  });
  return {
    node,
    neighbors: all.filter(({ relations }) => relation === undefined || relations.includes(relation)),
    relations: [...new Set(all.flatMap(({ relations }) => relations))],
  };
}

function requireRelation(asked: string, reached: readonly ReachedTypeInfo[]): void {
  const known = [...new Set(reached.flatMap(({ relations }) => relations))];
  if (known.includes(asked)) return;
  const expected =
    known.length === 0
      ? "the nodes of this graph are all alike: leave the relation out"
      : `expected one of ${known.slice(0, 20).join(", ")}${known.length > 20 ? ", …" : ""}`;
  throw new AppError("REQUEST_INVALID", `No relation "${asked.slice(0, 100)}" leads to new neighbours; ${expected}.`);
}

/** Where a bucket begins and ends: two int64 behind the header of the file, which is as long as the rest leaves. */
async function offsetsOf(services: Services, artifact: Artifact, bucket: number): Promise<[number, number]> {
  const { bytes, shape } = blobOf(artifact, "lists-offsets.npy");
  const header = bytes - (shape?.[0] ?? 0) * offsetBytes;
  const at = header + bucket * offsetBytes;
  const found = await read(services, artifact, "lists-offsets.npy", at, at + 2 * offsetBytes);
  return [Number(found.readBigInt64LE(0)), Number(found.readBigInt64LE(offsetBytes))];
}

/** @param end behind the last byte */
async function read(services: Services, artifact: Artifact, name: string, start: number, end: number): Promise<Buffer> {
  await services.integrity.requireBlob(artifact, blobOf(artifact, name));
  const stream = await services.store.get(`${artifact.prefix}/${name}`, { start, end: end - 1 });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function blobOf(artifact: Artifact, name: string) {
  const blob = blobsOf(artifact).find((one) => one.name === name);
  if (!blob) throw notFound(`file of the artifact ${artifact.id}`, name);
  return blob;
}

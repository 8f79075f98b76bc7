import { AppError, type JobSpec, resolveJobSpec, type WorkerAnnouncement } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import type { Viewer } from "../auth/viewer.ts";
import { getVersion } from "../datasets/dataset-service.ts";
import type { Artifact } from "../generated/prisma/client.ts";
import { type GraphInfo, graphInfoOf } from "../graphql/types/graph-info.ts";
import type { Services } from "../services.ts";

export interface EstimateShape {
  readonly fits: boolean;
  readonly ranks: number;
  readonly memoryBytesPerRank: number;
  /** Peak on the host, all ranks together. */
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** null: there is nothing to go by. */
  readonly seconds: number | null;
  readonly notes: readonly string[];
}

/** A rank before it holds anything: Node, the native library, its thread pool. */
const processBytes = 256 * 1024 ** 2;
const float = 4;

/**
 * What a training job will need, from its graph's counts and the components' own formulas.
 *
 * @throws AppError JOB_SPEC_INVALID, REQUEST_NOT_FOUND, DATASET_NOT_READY
 */
export async function estimateJob(services: Services, viewer: Viewer, input: unknown): Promise<EstimateShape> {
  const spec = resolveJobSpec(input, services.registry);
  const version = await getVersion(services, viewer, spec.dataset);
  const graph = version.graphId && (await services.prisma.artifact.findUnique({ where: { id: version.graphId } }));
  const info = graph ? graphInfoOf(graph.info) : null;
  if (!graph || !info) {
    throw new AppError(
      "DATASET_NOT_READY",
      `Dataset ${spec.dataset} is ${version.state}; confirm its columns and wait until it is READY.`,
      { place: { pointer: "/dataset" } },
    );
  }
  const needs = needsOf(spec, info, graph, services.registry);
  return { ...needs, ...(await fit(services, needs.memoryBytes, spec.resources.ranks)) };
}

type Needs = Omit<EstimateShape, "fits" | "notes">;

function needsOf(spec: JobSpec, info: GraphInfo, graph: Artifact, registry: Registry): Needs {
  const { ranks } = spec.resources;
  const model = registry.get("model", spec.model.type);
  const sampler = registry.get("sampler", spec.sampling.type);
  const partitioner = registry.get("partitioner", spec.partition.type);
  const { hiddenFeats = 256 } = spec.model.options as { hiddenFeats?: number };
  // A component's options were checked by its own schema, which erases their type here.
  const modelOptions = spec.model.options as never;
  const shape = { inDim: info.features.dim, outDim: info.classes.length, seed: 0 };
  const parameters = model.numParameters(modelOptions, shape);
  const meanDegree = info.numEdges / Math.max(1, info.numNodes);
  const rowsPerSeed = sampler.rowsPerSeed(spec.sampling.options as never, meanDegree, model.numHops(modelOptions));
  const seeds = Math.min(spec.train.batchSize, info.splits.train || info.numNodes) / ranks;
  const rows = Math.min(info.numNodes, seeds * rowsPerSeed);
  const graphBytes = Number(graph.bytes);
  // Weights, gradients and Adam's two moments; a batch's rows, activations and their gradients, one batch ahead.
  const perRank = processBytes + 4 * float * parameters + 2 * float * rows * (shape.inDim + 3 * hiddenFeats);
  const embeddings = float * info.numNodes * (hiddenFeats + shape.outDim);
  const trainPeak = ranks * perRank + graphBytes + embeddings;
  const partitionPeak = processBytes + graphBytes + partitioner.peakBytes(info.numNodes, info.numEdges);
  return {
    ranks,
    memoryBytesPerRank: Math.ceil(perRank + graphBytes / ranks),
    memoryBytes: Math.ceil(Math.max(trainPeak, partitionPeak)),
    // The parts, three copies of the results on their way to the user's ids, a few checkpoints.
    diskBytes: Math.ceil(graphBytes + 3 * embeddings + 4 * 3 * float * parameters),
    seconds: null,
  };
}

/** Whether one online worker can hold it; with none online, whoever comes may be able to. */
async function fit(
  { prisma }: Services,
  memoryBytes: number,
  ranks: number,
): Promise<Pick<EstimateShape, "fits" | "notes">> {
  const workers = await prisma.worker.findMany({ where: { state: "ONLINE", compatible: true } });
  const announced = workers.map(({ announcement }) => announcement as unknown as WorkerAnnouncement);
  if (announced.length === 0) return { fits: true, notes: ["No worker is online; the job will wait for one."] };
  const largest = Math.max(...announced.map((worker) => worker.memoryBytes));
  const slots = Math.max(...announced.map((worker) => worker.slots));
  const notes: string[] = [];
  if (memoryBytes > largest) {
    notes.push(
      `The job needs about ${gigabytes(memoryBytes)} of memory; the largest worker has ${gigabytes(largest)}.`,
    );
  }
  if (ranks > slots) notes.push(`The job asks for ${ranks} ranks; the largest worker runs ${slots}.`);
  return { fits: notes.length === 0, notes };
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

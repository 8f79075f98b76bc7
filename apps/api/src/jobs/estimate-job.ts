import { AppError, resolveJobSpec, type WorkerAnnouncement } from "@hopwise/contracts";
import { type EstimateLine, estimateWithComponents } from "@hopwise/gnn-core/estimate";
import type { Viewer } from "../auth/viewer.ts";
import { getVersion } from "../datasets/dataset-service.ts";
import { graphInfoOf } from "../graphql/types/graph-info.ts";
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
  /** The terms it is the sum of. */
  readonly explanation: readonly EstimateLine[];
}

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
  const { ranks, threadsPerRank } = spec.resources;
  const threads = threadsPerRank === "auto" ? 1 : threadsPerRank;
  const needs = estimateWithComponents(info, spec, services.registry, { ranks, threadsPerRank: threads });
  const memoryBytes = needs.memoryBytesPerRank * ranks;
  const { memoryBytesPerRank, diskBytes, seconds, explanation } = needs;
  const fitting = await fit(services, memoryBytes, ranks);
  return { ranks, memoryBytesPerRank, memoryBytes, diskBytes, seconds, explanation, ...fitting };
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

import type { Point } from "../support/hold.ts";

/**
 * A job to be struck. Numbers of training nodes that leave ranks without seeds, batches of one, or one batch in all.
 */
export interface ChaosCase {
  readonly ranks: number;
  readonly samplerThreads: number;
  /** Sampler processes beside the ranks */
  readonly samplers: number;
  readonly trainNodes: number;
  /** partitioned: every rank holds a part and reads the others' rows from their ranks */
  readonly graph: "shared" | "partitioned";
}

export const batchSize = 512;
export const epochs = 3;

const [ranks, samplerThreads, samplers, trainNodes] = [
  [1, 2, 4],
  [1, 2, 4],
  [0, 1, 2],
  [4097, 1024, 1, 7],
] as const;

export const cases: readonly ChaosCase[] = trainNodes.flatMap((trainNodes) =>
  ranks.flatMap((ranks) =>
    samplerThreads.flatMap((samplerThreads) => [
      ...samplers.map((samplers) => ({ ranks, samplerThreads, samplers, trainNodes, graph: "shared" as const })),
      // Ranks that hold a part each draw themselves.
      ...(ranks > 1 ? [{ ranks, samplerThreads, samplers: 0, trainNodes, graph: "partitioned" as const }] : []),
    ]),
  ),
);

/** Slots of the largest job: one for each rank and sampler process */
export const mostSlots = Math.max(...cases.map(({ ranks, samplers }) => ranks + samplers));

/** Whether a job is sure to come to the point: few seeds may have no neighbours of other ranks. */
export function meets(chaosCase: ChaosCase, point: Point): boolean {
  if (point === "remote-sample") return chaosCase.samplers > 0;
  return point !== "remote-read" || (chaosCase.graph === "partitioned" && chaosCase.trainNodes > batchSize);
}

export const stepsPerEpoch = ({ trainNodes }: ChaosCase) => Math.ceil(trainNodes / batchSize);

export const nameOf = ({ ranks, samplerThreads, samplers, trainNodes, graph }: ChaosCase) =>
  `${ranks} ranks, ${samplers} samplers of ${samplerThreads} threads, ${trainNodes} training nodes, ${graph} graph`;

import type { Point } from "../support/hold.ts";
import { batchSize, type ChaosTask, type ChaosTaskName, chaosTasks } from "./tasks.ts";

/**
 * A job to be struck. Numbers of training nodes that leave ranks without seeds, batches of one, or one batch in all.
 */
export interface ChaosCase {
  readonly learns: ChaosTaskName;
  readonly ranks: number;
  readonly samplerThreads: number;
  /** Sampler processes beside the ranks */
  readonly samplers: number;
  readonly trainNodes: number;
  /** partitioned: every rank holds a part and reads the others' rows from their ranks */
  readonly graph: "shared" | "partitioned";
}

const [ranks, samplerThreads, samplers, trainNodes] = [
  [1, 2, 4],
  [1, 2, 4],
  [0, 1, 2],
  [4097, 1024, 1, 7],
] as const;

const ofNodes: readonly ChaosCase[] = trainNodes.flatMap((trainNodes) =>
  ranks.flatMap((ranks) =>
    samplerThreads.flatMap((samplerThreads) => [
      ...samplers.map((samplers) => ({
        learns: "nodes" as const,
        ranks,
        samplerThreads,
        samplers,
        trainNodes,
        graph: "shared" as const,
      })),
      // Ranks that hold a part each draw themselves.
      ...(ranks > 1
        ? [{ learns: "nodes" as const, ranks, samplerThreads, samplers: 0, trainNodes, graph: "partitioned" as const }]
        : []),
    ]),
  ),
);

/** All other tasks on one, two and four ranks, which draw themselves. */
const ofOthers: readonly ChaosCase[] = (Object.keys(chaosTasks) as ChaosTaskName[])
  .filter((learns) => learns !== "nodes")
  .flatMap((learns) =>
    ranks.map((ranks) => ({
      learns,
      ranks,
      samplerThreads: 2,
      samplers: 0,
      trainNodes: 4097,
      graph: "shared" as const,
    })),
  );

export const cases: readonly ChaosCase[] = [...ofNodes, ...ofOthers];

/** Slots of the largest job: one for each rank and sampler process */
export const mostSlots = Math.max(...cases.map(({ ranks, samplers }) => ranks + samplers));

/** Whether a job is sure to come to the point: few seeds may have no neighbours of other ranks. */
export function meets(chaosCase: ChaosCase, point: Point): boolean {
  if (point === "remote-sample") return chaosCase.samplers > 0;
  return point !== "remote-read" || (chaosCase.graph === "partitioned" && chaosCase.trainNodes > batchSize);
}

/** Steps that an epoch has at least */
export function stepsPerEpoch({ learns, trainNodes }: ChaosCase): number {
  const { steps }: ChaosTask = chaosTasks[learns];
  return steps ?? Math.ceil(trainNodes / batchSize);
}

export const nameOf = ({ learns, ranks, samplerThreads, samplers, trainNodes, graph }: ChaosCase) =>
  `${learns}: ${ranks} ranks, ${samplers} samplers of ${samplerThreads} threads, ${trainNodes} training nodes, ${graph} graph`;

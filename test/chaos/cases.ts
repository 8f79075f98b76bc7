import type { Point } from "../support/hold.ts";

/** A job to be struck. Numbers of training nodes that leave ranks without seeds, batches of one, or one batch in all. */
export interface ChaosCase {
  readonly ranks: number;
  readonly samplerThreads: number;
  readonly trainNodes: number;
  /** partitioned: every rank holds a part and reads the others' rows from their ranks */
  readonly graph: "shared" | "partitioned";
}

export const batchSize = 512;
export const epochs = 3;

const [ranks, samplerThreads, trainNodes] = [
  [1, 2, 4],
  [1, 2, 4],
  [4097, 1024, 1, 7],
] as const;

export const cases: readonly ChaosCase[] = trainNodes.flatMap((trainNodes) =>
  ranks.flatMap((ranks) =>
    samplerThreads.flatMap((samplerThreads) =>
      (ranks === 1 ? (["shared"] as const) : (["shared", "partitioned"] as const)).map((graph) => ({
        ranks,
        samplerThreads,
        trainNodes,
        graph,
      })),
    ),
  ),
);

/** Whether a job is sure to come to the point: few seeds may have no neighbours of other ranks. */
export function meets(chaosCase: ChaosCase, point: Point): boolean {
  return point !== "remote-read" || (chaosCase.graph === "partitioned" && chaosCase.trainNodes > batchSize);
}

export const stepsPerEpoch = ({ trainNodes }: ChaosCase) => Math.ceil(trainNodes / batchSize);

export const nameOf = ({ ranks, samplerThreads, trainNodes, graph }: ChaosCase) =>
  `${ranks} ranks, ${samplerThreads} sampler threads, ${trainNodes} training nodes, ${graph} graph`;

/** A job to be struck. Numbers of training nodes that leave ranks without seeds, batches of one, or one batch in all. */
export interface ChaosCase {
  readonly ranks: number;
  readonly samplerThreads: number;
  readonly trainNodes: number;
}

export const batchSize = 512;
export const epochs = 3;

const [ranks, samplerThreads, trainNodes] = [
  [1, 2, 4],
  [1, 2, 4],
  [4097, 1024, 1, 7],
] as const;

export const cases: readonly ChaosCase[] = trainNodes.flatMap((trainNodes) =>
  ranks.flatMap((ranks) => samplerThreads.map((samplerThreads) => ({ ranks, samplerThreads, trainNodes }))),
);

export const stepsPerEpoch = ({ trainNodes }: ChaosCase) => Math.ceil(trainNodes / batchSize);

export const nameOf = ({ ranks, samplerThreads, trainNodes }: ChaosCase) =>
  `${ranks} ranks, ${samplerThreads} sampler threads, ${trainNodes} training nodes`;

import { join } from "node:path";
import type { z } from "zod";
import { loopbackGroup } from "../../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../../src/dist/shared-rows.ts";
import { inProcessRowServices } from "../../../src/dist-store/in-process-rows.ts";
import type { TrainingData } from "../../../src/graph/training-data.ts";
import type { ArtifactDir } from "../../../src/io/manifest.ts";
import type { NamedTensor } from "../../../src/io/safetensors.ts";
import { loadRegistry, type StepEvent, trainStepOptions } from "../../../src/spec/index.ts";
import type { TrainStepOptions } from "../../../src/spec/train-options.ts";
import type { FitResult } from "../../../src/train/fit-options.ts";
import { copyWeights } from "../../../src/train/model-weights.ts";
import type { StartVectors } from "../../../src/train/start-vectors.ts";
import type { StartingPoint } from "../../../src/train/starting-point.ts";
import { Trainer } from "../../../src/train/trainer.ts";

export interface RankRun {
  readonly result: FitResult;
  readonly events: readonly StepEvent[];
  /** Every weight of the model, in order */
  readonly weights: Float32Array;
  /** Every weight by its name */
  readonly stored: readonly NamedTensor[];
  /** Learned rows of all nodes, empty without any */
  readonly rows: Float32Array;
}

export interface TrainRanksOptions {
  /** With several hosts that of the first; the others have folders of their own in it */
  readonly checkpointDir?: string;
  /** Hosts that share the ranks in turn, each with a memory of its own. Default: 1 */
  readonly numHosts?: number;
  readonly resume?: ArtifactDir;
  /** A trained model to begin with. Default: none */
  readonly start?: StartingPoint;
  /** What learned rows begin with. Default: random numbers */
  readonly vectors?: StartVectors;
  /** Signal of each rank; left out: never aborted */
  readonly signals?: readonly AbortSignal[];
  /** What ends the training of all ranks, of each; left out: nothing */
  readonly endSignals?: readonly AbortSignal[];
  readonly onEvent?: (rank: number, event: StepEvent) => void;
}

/** The options of a `train` step, with every default filled in. */
export function optionsOf(options: Omit<z.input<typeof trainStepOptions>, "task">): TrainStepOptions {
  return trainStepOptions.parse({ task: { target: "label" }, ...options });
}

/** Trains with `worldSize` ranks inside this process and gives what each of them saw. */
export async function trainRanks(...run: Parameters<typeof startRanks>): Promise<RankRun[]> {
  return Promise.all(await startRanks(...run));
}

/** Starts the ranks and gives one promise per rank. */
export async function startRanks(
  data: TrainingData,
  options: TrainStepOptions,
  worldSize: number,
  { checkpointDir, numHosts = 1, resume, start, vectors, signals, endSignals, onEvent }: TrainRanksOptions = {},
): Promise<Promise<RankRun>[]> {
  const registry = await loadRegistry();
  const memories = Array.from({ length: numHosts }, sharedRowsInMemory);
  const services = inProcessRowServices(worldSize);
  return loopbackGroup(worldSize).map(async (collective, rank) => {
    const connectRows = async () => services[rank]!;
    const host = rank % numHosts;
    const place = { rank, worldSize, localRank: Math.floor(rank / numHosts), numHosts };
    const context = { ...place, device: "cpu", threads: 1, collective, connectRows } as const;
    const sharedRows = memories[host]!;
    const given = { data, options, rank: context, registry, sharedRows, dataDigest: "data" };
    const trainer = await Trainer.create({ ...given, start: start ?? null, vectors: vectors ?? null });
    const events: StepEvent[] = [];
    try {
      const result = await trainer.fit({
        signal: signals?.[rank] ?? new AbortController().signal,
        endSignal: endSignals?.[rank] ?? new AbortController().signal,
        onEvent: (event) => {
          events.push(event);
          onEvent?.(rank, event);
        },
        ...(checkpointDir && { checkpointDir: host === 0 ? checkpointDir : join(checkpointDir, `host-${host}`) }),
        resume: resume ?? null,
      });
      const stored = copyWeights(trainer.model);
      const weights = Float32Array.from(stored.flatMap(({ values }) => [...values]));
      return { result, events, weights, stored, rows: trainer.nodeEmbedding?.rows.slice() ?? new Float32Array() };
    } finally {
      trainer.dispose();
    }
  });
}

/** The values of one metric over the epochs. */
export function seriesOf({ events }: Pick<RankRun, "events">, name: string): number[] {
  return events.flatMap((event) => {
    const value = event.type === "metrics" ? event.values[name] : undefined;
    return typeof value === "number" ? [value] : [];
  });
}

import { type ChildProcess, fork } from "node:child_process";
import { compileProgram } from "../../../../../script/lib/compile-program.mjs";
import { InMemoryRendezvousStore } from "../../../src/dist/rendezvous-store.ts";
import type { TrainStepOptions } from "../../../src/spec/train-options.ts";
import type { CommunityOptions } from "./community-data.ts";
import type { GlooRankResult, RankMessage } from "./gloo-rank.ts";

const script = await compileProgram(new URL("./gloo-rank.ts", import.meta.url));

export interface GlooTask {
  readonly worldSize: number;
  readonly data: CommunityOptions;
  readonly options: TrainStepOptions;
  /** Folder for the rows that the ranks share */
  readonly scratchDir: string;
  /** This rank tells itself to stop after the epoch. */
  readonly cancel?: { readonly rank: number; readonly afterEpoch: number };
  /** This rank does nothing any more after the epoch, while its process lives on. */
  readonly stall?: { readonly rank: number; readonly afterEpoch: number };
  /** The process of this rank ends at once as this one of its steps begins. */
  readonly kill?: { readonly rank: number; readonly atStep: number };
  /** Whether the ranks compute on emulated devices. Default: on their CPU */
  readonly onDevices?: boolean;
  /** Memory of the emulated device of each rank; left out: 4 GiB */
  readonly deviceBytes?: readonly number[];
  /** How long ranks wait for each other */
  readonly timeoutMs?: number;
  /** Added to the environment of a rank */
  readonly environment?: (rank: number) => Readonly<Record<string, string>>;
}

/**
 * Trains with each rank in a process of its own, joined by Gloo; this process is their rendezvous store.
 *
 * @returns what came of each rank, but of one that stalls or is killed
 */
export async function trainGlooRanks(task: GlooTask): Promise<GlooRankResult[]> {
  const store = new InMemoryRendezvousStore();
  const children = Array.from({ length: task.worldSize }, (_, rank) => forkRank(task, rank));
  try {
    const results = children.map((child, rank) => resultOf(child, rank, task, store));
    const lost = task.stall?.rank ?? task.kill?.rank ?? -1;
    results[lost]?.catch(() => undefined); // it ends by a signal
    return await Promise.all(results.filter((_, rank) => rank !== lost));
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
}

function forkRank({ environment }: GlooTask, rank: number): ChildProcess {
  const env = { ...process.env, ...environment?.(rank) };
  return fork(script, { stdio: ["ignore", "inherit", "inherit", "ipc"], env });
}

function resultOf(child: ChildProcess, rank: number, task: GlooTask, store: InMemoryRendezvousStore) {
  return new Promise<GlooRankResult>((resolve, reject) => {
    child.on("exit", (code, signal) => reject(new Error(`rank ${rank} ended: ${signal ?? code}`)));
    child.on("message", (message: RankMessage) => {
      if (message.type === "result") resolve(message.result);
      else if (message.type === "set") void store.set(message.key, Uint8Array.from(message.bytes));
      else {
        void answer(child, message.key, store);
      }
    });
    const { environment: _, ...told } = task;
    child.send({ type: "start", rank, task: told });
  });
}

async function answer(child: ChildProcess, key: string, store: InMemoryRendezvousStore): Promise<void> {
  const bytes = await store.get(key, new AbortController().signal);
  if (child.connected) child.send({ type: "value", key, bytes: [...bytes] });
}

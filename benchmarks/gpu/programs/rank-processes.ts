import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveRendezvous } from "../../../packages/gnn-core/src/dist/ipc-rendezvous.ts";

/** Which of the ranks a process is, and a folder for what they share */
export interface Rank {
  readonly rank: number;
  readonly worldSize: number;
  readonly scratchDir: string;
}

const variable = "HOPWISE_GPU_CHECK_RANK";

/** A program whose ranks are processes that run it anew. */
export class RankProgram<Task, Result extends object> {
  readonly #work: (task: Task, rank: Rank) => Promise<Result>;

  constructor(work: (task: Task, rank: Rank) => Promise<Result>) {
    this.#work = work;
  }

  /** In a process that `run` has started: does what its rank is asked. @returns whether this is such a process */
  async isRank(): Promise<boolean> {
    const given = process.env[variable];
    if (given === undefined) return false;
    const { task, rank } = JSON.parse(given) as { readonly task: Task; readonly rank: Rank };
    const result = await this.#work(task, rank);
    process.send?.({ result }, () => process.disconnect());
    return true;
  }

  /**
   * Runs a task with one rank for each environment.
   *
   * @param environments  what each rank's process is to see beside this one's environment, such as its device
   * @returns what came of each
   */
  async run(task: Task, environments: readonly NodeJS.ProcessEnv[]): Promise<Result[]> {
    const scratchDir = await mkdtemp(join(tmpdir(), "hopwise-ranks-"));
    const worldSize = environments.length;
    const ranks = environments.map((environment, number) => {
      const rank: Rank = { rank: number, worldSize, scratchDir };
      return fork(process.argv[1] as string, process.argv.slice(2), {
        env: { ...process.env, ...environment, [variable]: JSON.stringify({ task, rank }) },
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
    });
    serveRendezvous(ranks);
    try {
      return await Promise.all(ranks.map((rank, i) => resultOf<Result>(rank, i)));
    } finally {
      for (const rank of ranks) rank.kill("SIGKILL");
      await rm(scratchDir, { recursive: true });
    }
  }
}

function resultOf<Result>(rank: ChildProcess, number: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    rank.on("message", (message: { result?: Result }) => message.result && resolve(message.result));
    rank.on("exit", (code, signal) => reject(new Error(`Rank ${number} ended: ${signal ?? code}.`)));
  });
}

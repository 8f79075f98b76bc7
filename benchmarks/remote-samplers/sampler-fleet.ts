import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type RemoteSampler, remoteSampler } from "../../packages/gnn-core/src/sampling/remote/remote-sampler.ts";
import { compileProgram } from "../../script/lib/compile-program.mjs";
import type { FromSampler, SamplerTask } from "./sampler-messages.ts";

/** The sampler processes of one rank, which is this process. */
export class SamplerFleet {
  readonly sampler: RemoteSampler;
  readonly #processes: readonly ChildProcess[];

  private constructor(sampler: RemoteSampler, processes: readonly ChildProcess[]) {
    this.sampler = sampler;
    this.#processes = processes;
  }

  static async start(numSamplers: number, task: SamplerTask): Promise<SamplerFleet> {
    const script = await compileProgram(new URL("./sampler-process.ts", import.meta.url));
    const processes = Array.from({ length: numSamplers }, () => fork(script));
    const ready = processes.map((child) => answer(child, "ready"));
    for (const child of processes) {
      child.once("exit", (code) => code && process.exit(code)); // its error is printed; this process would wait for it
      child.send(task);
    }
    const endpoints = (await Promise.all(ready)).map(({ endpoint }) => endpoint);
    return new SamplerFleet(await remoteSampler(endpoints, { secret: Uint8Array.from(task.secret) }), processes);
  }

  /** CPU seconds of all sampler processes since they began */
  async cpuSeconds(): Promise<number> {
    const each = await Promise.all(
      this.#processes.map((child) => {
        const told = answer(child, "cpu");
        child.send("cpu");
        return told;
      }),
    );
    return each.reduce((sum, { seconds }) => sum + seconds, 0);
  }

  async close(): Promise<void> {
    const ends = this.#processes.map((child) => once(child, "exit"));
    await this.sampler.close();
    await Promise.all(ends);
  }
}

async function answer<B extends FromSampler["bench"]>(child: ChildProcess, bench: B) {
  for (;;) {
    const [message] = (await once(child, "message")) as [FromSampler];
    if (message.bench === bench) return message as Extract<FromSampler, { bench: B }>;
  }
}

import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { CudaDevice, TensorflowDevice } from "@hopwise/gnn-core/ranks";
import { formatCpuList } from "../binding/cpu-list.ts";
import type { BackendName } from "../env.ts";
import type { Logger } from "../log.ts";
import { memoryArguments } from "./memory-limit.ts";
import { type FromRank, fromRank, type ToRank } from "./messages.ts";
import { type Pulse, parsePulse } from "./stall-watch.ts";

/** What a rank process is born with. It loads its components while its inputs are still on their way. */
export interface RankBirth {
  readonly backend: BackendName;
  readonly cudaDevice: CudaDevice;
  readonly tensorflowDevice: TensorflowDevice;
  readonly components: readonly string[];
  /** UUID of the device that it has to itself; null: it has none, or shares the CPU. */
  readonly device: string | null;
  readonly environment: Record<string, string>;
  readonly threads: number;
  /** CPUs that it is bound to, with every thread and process that it starts; null: any. */
  readonly cpus: readonly number[] | null;
  /** What it may allocate, every process that it starts likewise; null: what there is. */
  readonly memoryBytes: number | null;
  readonly execArgv?: readonly string[] | undefined;
}

/** Whom a process serves: one rank of one group. */
export interface RankTenant {
  readonly log: Logger;
  onMessage(message: FromRank): void;
  onPulse(pulse: Pulse): void;
  onExit(code: number | null, signal: string | null, lastWords: string): void;
}

/** The part of its birth that the process itself reads. */
export type RankArguments = Pick<
  RankBirth,
  "backend" | "cudaDevice" | "tensorflowDevice" | "components" | "device" | "memoryBytes"
>;

// `.ts` when the sources run, `.js` in the build.
const entry = fileURLToPath(new URL(`./rank-main${extname(import.meta.url)}`, import.meta.url));
// More than the stack that Node prints behind the reason why it gave up.
const lastWordsLines = 60;

// Tensors and graphs lie in native memory. Left to itself V8 lets what is young grow to 48 MiB before it looks for
// garbage in it, a tenth of what a small training needs.
const youngMemory = "--max-semi-space-size=2";

/** One rank as a child process: typed messages over IPC, its pulse over a pipe of its own, its output in the log. */
export class RankProcess {
  readonly birth: RankBirth;
  readonly #child: ChildProcess;
  readonly #lastWords: string[] = [];
  #tenant: RankTenant;
  #isOver = false;
  #hasBeaten = false;

  constructor(birth: RankBirth, tenant: RankTenant) {
    this.birth = birth;
    this.#tenant = tenant;
    const { backend, cudaDevice, tensorflowDevice, components, device, memoryBytes } = birth;
    const known: RankArguments = { backend, cudaDevice, tensorflowDevice, components, device, memoryBytes };
    this.#child = fork(entry, [JSON.stringify(known)], {
      stdio: ["ignore", "pipe", "pipe", "ipc", "pipe"],
      serialization: "advanced",
      env: { ...birth.environment, OMP_NUM_THREADS: String(birth.threads) },
      ...executableOf(birth),
    });
    this.#readOutput();
    this.#readPulse();
    this.#child.on("message", (message) => {
      const parsed = fromRank.safeParse(message);
      if (parsed.success) this.#tenant.onMessage(parsed.data);
      else this.#tenant.log.error({ issues: parsed.error.issues }, "message of an unknown shape from a rank");
    });
    this.#child.on("error", (err) => this.#tenant.log.error({ err }, "rank process"));
    // "close" comes after the last output and message; a process that could not be spawned only has "error".
    this.#child.on("close", (code, signal) => this.#end(code, signal));
    this.#child.on("error", () => this.#child.pid === undefined && this.#end(null, null));
  }

  /** From now on the process's words go to another tenant. */
  serve(tenant: RankTenant): void {
    this.#tenant = tenant;
    this.#lastWords.length = 0;
  }

  /** Whether its watchdog thread has ever given a sign. */
  get hasBeaten(): boolean {
    return this.#hasBeaten;
  }

  get hasEnded(): boolean {
    return this.#isOver || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  send(message: ToRank): void {
    if (!this.#child.connected) return;
    this.#child.send(message, (err) => {
      if (err) this.#tenant.log.debug({ err }, "rank cannot be told"); // it is dying; its exit is what counts
    });
  }

  kill(signal: "SIGTERM" | "SIGKILL"): void {
    this.#child.kill(signal);
  }

  #end(code: number | null, signal: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#tenant.onExit(code, signal, this.#lastWords.join("\n"));
  }

  #readOutput(): void {
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on("line", (line) => {
        this.#tenant.log.info({ line: line.slice(0, 4000) }, "rank output");
        if (stream === this.#child.stderr) this.#lastWords.push(line.slice(0, 400));
        if (this.#lastWords.length > lastWordsLines) this.#lastWords.shift();
      });
    }
  }

  #readPulse(): void {
    (this.#child.stdio[4] as Readable | null)?.setEncoding("utf8").on("data", (text: string) => {
      const pulse = parsePulse(text);
      if (!pulse) return;
      this.#hasBeaten = true;
      this.#tenant.onPulse(pulse);
    });
  }
}

/** prlimit and taskset become what follows them, so that threads which Node starts by itself are bound as well. */
function executableOf(birth: RankBirth): Pick<ForkOptions, "execPath" | "execArgv"> {
  const { cpus, memoryBytes, execArgv = process.execArgv } = birth;
  const limited = memoryBytes === null ? [] : ["prlimit", ...memoryArguments(memoryBytes)];
  const bound = cpus ? ["taskset", "--cpu-list", formatCpuList(cpus)] : [];
  // V8 takes the later of two values, which is the operator's.
  const [execPath, ...rest] = [...limited, ...bound, process.execPath, youngMemory, ...execArgv] as [string];
  return { execPath, execArgv: rest };
}

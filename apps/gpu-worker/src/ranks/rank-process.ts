import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { BackendName } from "../env.ts";
import type { Logger } from "../log.ts";
import { type FromRank, fromRank, type ToRank } from "./messages.ts";
import { type Pulse, parsePulse } from "./stall-watch.ts";

/** What a rank process knows from its birth; it loads its components while its inputs are still on their way. */
export interface RankArguments {
  readonly rank: number;
  readonly backend: BackendName;
  readonly components: readonly string[];
}

export interface RankProcessOptions extends RankArguments {
  readonly environment: Record<string, string>;
  readonly threads: number;
  readonly log: Logger;
  readonly execArgv?: readonly string[] | undefined;
  readonly onMessage: (message: FromRank) => void;
  readonly onPulse: (pulse: Pulse) => void;
  readonly onExit: (code: number | null, signal: string | null, lastWords: string) => void;
}

// `.ts` when the sources run, `.js` in the build.
const entry = fileURLToPath(new URL(`./rank-main${extname(import.meta.url)}`, import.meta.url));
const lastWordsLines = 20;

/** One rank as a child process: typed messages over IPC, its pulse over a pipe of its own, its output in the log. */
export class RankProcess {
  readonly #child: ChildProcess;
  readonly #log: Logger;
  readonly #lastWords: string[] = [];

  constructor(options: RankProcessOptions) {
    const { rank, backend, components, log } = options;
    this.#log = log;
    const known: RankArguments = { rank, backend, components };
    this.#child = fork(entry, [JSON.stringify(known)], {
      stdio: ["ignore", "pipe", "pipe", "ipc", "pipe"],
      serialization: "advanced",
      env: { ...options.environment, OMP_NUM_THREADS: String(options.threads) },
      ...(options.execArgv ? { execArgv: [...options.execArgv] } : {}),
    });
    this.#readOutput();
    this.#readPulse(options.onPulse);
    this.#child.on("message", (message) => {
      const parsed = fromRank.safeParse(message);
      if (parsed.success) options.onMessage(parsed.data);
      else log.error({ issues: parsed.error.issues }, "message of an unknown shape from a rank");
    });
    this.#child.on("error", (err) => log.error({ err }, "rank process"));
    let isOver = false;
    const over = (code: number | null, signal: string | null) => {
      if (isOver) return;
      isOver = true;
      options.onExit(code, signal, this.#lastWords.join("\n"));
    };
    // "close" comes after the last output and message; a process that could not be spawned only has "error".
    this.#child.on("close", over);
    this.#child.on("error", () => this.#child.pid === undefined && over(null, null));
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  send(message: ToRank): void {
    if (!this.#child.connected) return;
    this.#child.send(message, (err) => {
      if (err) this.#log.debug({ err }, "rank cannot be told"); // it is dying; its exit is what counts
    });
  }

  kill(signal: "SIGTERM" | "SIGKILL"): void {
    this.#child.kill(signal);
  }

  #readOutput(): void {
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on("line", (line) => {
        this.#log.info({ line: line.slice(0, 4000) }, "rank output");
        if (stream === this.#child.stderr) this.#lastWords.push(line.slice(0, 400));
        if (this.#lastWords.length > lastWordsLines) this.#lastWords.shift();
      });
    }
  }

  #readPulse(onPulse: (pulse: Pulse) => void): void {
    (this.#child.stdio[4] as Readable | null)?.setEncoding("utf8").on("data", (text: string) => {
      const pulse = parsePulse(text);
      if (pulse) onPulse(pulse);
    });
  }
}

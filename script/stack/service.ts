import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, renameSync, statSync } from "node:fs";

export interface ServiceOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  /** After SIGTERM, before SIGKILL. */
  readonly graceMs: number;
  readonly onSpawn: (pid: number) => void;
  /** @param lastWords what it wrote in plain words at its end (its log proper is JSON), "" when nothing */
  readonly onDeath: (how: string, lastWords: string) => void;
}

const firstDelayMs = 200;
const maxDelayMs = 10_000;
/** Who has lived so long starts again without delay. */
const healthyMs = 30_000;
const maxLogBytes = 50_000_000;

/** One program of the stack: started again when it dies, later each time it dies young. */
export class Service {
  readonly #options: ServiceOptions;
  #child: ChildProcess | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;
  #deaths = 0;

  constructor(options: ServiceOptions) {
    this.#options = options;
    rotate(options.logFile);
  }

  get name(): string {
    return this.#options.name;
  }

  /** Deaths in a row without a healthy life in between. */
  get deaths(): number {
    return this.#deaths;
  }

  start(): void {
    const { command, args, env, logFile, onSpawn } = this.#options;
    const log = openSync(logFile, "a", 0o600);
    // Its own session: a Ctrl-C in the terminal reaches the supervisor alone, which stops things in order.
    const child = spawn(command, args, { env, stdio: ["ignore", log, log], detached: true });
    closeSync(log);
    this.#child = child;
    const startedAt = Date.now();
    const logStart = statSync(logFile).size;
    if (child.pid !== undefined) onSpawn(child.pid);
    const ended = (how: string) => this.#onEnd(startedAt, how, lastWords(logFile, logStart));
    child.once("error", (error) => ended(error.message));
    child.once("exit", (code, signal) => ended(signal ?? `exit code ${code}`));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (!child) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const killer = setTimeout(() => child.kill("SIGKILL"), this.#options.graceMs);
    await ended;
    clearTimeout(killer);
  }

  /** The end of its log, for a message about why it does not start. */
  logTail(lines: number): string {
    return readFileSync(this.#options.logFile, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
  }

  #onEnd(startedAt: number, how: string, words: string): void {
    this.#child = null;
    if (this.#isStopping) return;
    this.#deaths = Date.now() - startedAt > healthyMs ? 1 : this.#deaths + 1;
    this.#options.onDeath(how, words);
    const delay = Math.min(firstDelayMs * 2 ** (this.#deaths - 1), maxDelayMs);
    this.#timer = setTimeout(() => this.start(), delay);
  }
}

/** The last line from `start` on, unless it is a line of a log in JSON. */
function lastWords(file: string, start: number): string {
  const said = readFileSync(file).subarray(start).toString("utf8").trimEnd();
  const line = said.slice(said.lastIndexOf("\n") + 1);
  return line.startsWith("{") ? "" : line.slice(0, 300);
}

/** Keeps one older log beside the current one. */
function rotate(file: string): void {
  try {
    if (statSync(file).size > maxLogBytes) renameSync(file, `${file}.1`);
  } catch {
    // no log yet
  }
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";

/** One program of the stack as a real process, which can be killed and started again with the same settings. */
export class Program {
  readonly #command: readonly [string, ...string[]];
  readonly #env: Record<string, string>;
  readonly #logFile: string;
  #process: ChildProcess | null = null;

  constructor(command: readonly [string, ...string[]], env: Record<string, string>, logFile: string) {
    this.#command = command;
    this.#env = env;
    this.#logFile = logFile;
  }

  get pid(): number {
    if (this.#process?.pid === undefined) throw new Error(`${this.#command.join(" ")} is not running`);
    return this.#process.pid;
  }

  /** It was started, and has ended by itself. */
  get hasEnded(): boolean {
    return this.#process !== null && (this.#process.exitCode !== null || this.#process.signalCode !== null);
  }

  start(): void {
    const [file, ...args] = this.#command;
    const child = spawn(file, args, { env: { ...process.env, ...this.#env }, stdio: ["ignore", "pipe", "pipe"] });
    const log = createWriteStream(this.#logFile, { flags: "a" });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.once("exit", () => log.end());
    this.#process = child;
  }

  /** Ends the process and waits until it is gone. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
    if (child.stdout) await finished(child.stdout).catch(() => undefined);
  }
}

import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const preload = new URL("./shifted-clock-preload.mjs", import.meta.url);

/**
 * The calendar's clock of a stack's programs, which a test sets as an operator or a time server would. Redis keeps its
 * own.
 */
export class ShiftedClock {
  readonly #dir = mkdtempSync(join(tmpdir(), "hw-clock-"));
  readonly #file = join(this.#dir, "offset");

  /** Adds itself to the environment of the processes. */
  in(env: Record<string, string>): Record<string, string> {
    const options = env["NODE_OPTIONS"] ?? process.env["NODE_OPTIONS"] ?? "";
    return { ...env, NODE_OPTIONS: `${options} --import=${preload.href}`, HOPWISE_TEST_CLOCK: this.#file };
  }

  /** From now on, within milliseconds, the processes take the time for so much later than it is. */
  set(offsetMs: number): void {
    writeFileSync(`${this.#file}.new`, String(offsetMs));
    renameSync(`${this.#file}.new`, this.#file);
  }

  close(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

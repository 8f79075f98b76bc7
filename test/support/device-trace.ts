import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const preload = new URL("./device-preload.mjs", import.meta.url);

/** The checkpoint of an epoch, by a process that has the device to itself */
export interface TracedEpoch {
  readonly device: string;
  readonly pid: number;
  readonly epoch: number;
}

/** Which devices the ranks of a stack train on, and their loss on demand. */
export class DeviceTrace {
  readonly #dir = mkdtempSync(join(tmpdir(), "hw-devices-"));

  /** For the environment of the processes, with what another helper has there. */
  env(others: Readonly<Record<string, string>> = {}): Record<string, string> {
    const options = `${others["NODE_OPTIONS"] ?? process.env["NODE_OPTIONS"] ?? ""} --import=${preload.href}`;
    return { ...others, NODE_OPTIONS: options, HOPWISE_TEST_DEVICES: this.#dir };
  }

  /** The device of the next rank that writes a checkpoint is lost in the step behind it. */
  loseNext(): void {
    writeFileSync(join(this.#dir, "lose"), "");
  }

  /** All that was traced since the last call, in order. */
  taken(): TracedEpoch[] {
    const file = join(this.#dir, "trace");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").trim().split("\n");
    rmSync(file);
    return lines.map((line) => JSON.parse(line) as TracedEpoch);
  }

  close(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./until.ts";

const preload = new URL("./hold-preload.mjs", import.meta.url);

/** Named points of the engine (gnn-core/src/dist/points.ts) and of the artifact store. */
export type Point = "sampled" | "remote-read" | "remote-sample" | "all-reduce" | "checkpoint-write" | "manifest-put";

/** Where a process stands while it is held. */
export interface Held {
  readonly pid: number;
  readonly epoch?: number;
  readonly step?: number;
  readonly numSteps?: number;
}

/** Stops one process of a stack at a named point, so that a blow meets it right there however fast the machine is. */
export class Hold {
  readonly #dir = mkdtempSync(join(tmpdir(), "hw-hold-"));
  readonly #plan = join(this.#dir, "plan.json");
  readonly #held = join(this.#dir, "held.json");

  /** For the environment of the processes. */
  get env(): Record<string, string> {
    const others = process.env["NODE_OPTIONS"] ?? "";
    return { NODE_OPTIONS: `${others} --import=${preload.href}`, HOPWISE_TEST_HOLD: this.#dir };
  }

  /**
   * From now on the first process that comes to the point with these numbers, or texts that contain these, stops there.
   */
  arm(point: Point, where: Record<string, number | string>): void {
    mkdirSync(this.#dir, { recursive: true });
    rmSync(this.#held, { force: true });
    writeFileSync(`${this.#plan}.new`, JSON.stringify({ point, where }));
    renameSync(`${this.#plan}.new`, this.#plan);
  }

  /** Resolves when a process is held. @param seconds after which it is taken for one that never comes there */
  reached(seconds?: number): Promise<Held> {
    const look = () => {
      if (!existsSync(this.#held)) return null;
      const text = readFileSync(this.#held, "utf8");
      return text === "" ? null : (JSON.parse(text) as Held);
    };
    return until("a process at the point", look, seconds);
  }

  /** Lets the held process go on, and holds no other. */
  release(): void {
    rmSync(this.#plan, { force: true });
  }

  close(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

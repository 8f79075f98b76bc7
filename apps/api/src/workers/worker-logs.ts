import { limits, redisKeys, type WorkerLogLine, workerLogLine, workerLogMs } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { readText } from "../redis/read-text.ts";

const halves = [0, 1] as const;

/** The workers' own logs, as each keeps its own in Redis. */
export class WorkerLogs {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /**
   * All lines that are kept, the oldest first. A worker is no witness of how much it writes or in what form: of each
   * half a fixed number of bytes is read, and what is no line of a log there is left out.
   */
  async read(workerId: string): Promise<readonly WorkerLogLine[]> {
    const texts = await Promise.all(
      halves.map((half) => readText(this.#redis, redisKeys.workerLog(workerId, half), limits.workerLogBytes)),
    );
    const kept = new Map<number, WorkerLogLine>();
    const oldest = Date.now() - workerLogMs;
    for (const text of texts.flatMap((half) => half?.split("\n") ?? [])) {
      const line = lineOf(text);
      if (line && Date.parse(line.at) >= oldest) kept.set(line.cursor, line);
    }
    return [...kept.values()].toSorted((a, b) => a.cursor - b.cursor);
  }
}

function lineOf(text: string): WorkerLogLine | null {
  if (text === "" || text.length > limits.workerLogLine) return null;
  try {
    return workerLogLine.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

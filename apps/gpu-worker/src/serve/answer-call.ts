import { AppError, limits, type ServeAnswer, type ServePath, serveCalls } from "@hopwise/contracts";
import { explainRow } from "./explain-row.ts";
import { predictNodes } from "./predict-nodes.ts";
import type { WarmRows } from "./warm-rows.ts";

/**
 * Answers one question of the API.
 *
 * @param body JSON
 * @param signal aborted when nobody waits for the answer any more
 * @throws AppError REQUEST_NOT_FOUND of another path, REQUEST_INVALID of another body; what `WarmRows` and `ServedRows`
 * throw
 */
export async function answerCall(
  warm: WarmRows,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<ServeAnswer<ServePath>> {
  switch (path) {
    case "/explain": {
      const { source, query } = serveCalls["/explain"].body.parse(body);
      return { explanation: await explainRow(warm, source, query, signal) };
    }
    case "/neighbors": {
      const { source, query } = serveCalls["/neighbors"].body.parse(body);
      const rows = await warm.take(source);
      return { neighbors: [...(await rows.neighbors(query))] };
    }
    case "/predict": {
      const { source, query } = serveCalls["/predict"].body.parse(body);
      return { predictions: await predictNodes(warm, source, query, signal) };
    }
    case "/warm":
      return { numNodes: (await warm.take(serveCalls["/warm"].body.parse(body).source)).numNodes };
    default:
      throw new AppError("REQUEST_NOT_FOUND", `There is no ${path.slice(0, 100)} here.`);
  }
}

/** How many questions are being answered; further ones are refused, so that those that wait are answered in time. */
export class AtOnce {
  #count = 0;

  /** @throws AppError REQUEST_RATE_LIMITED */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#count >= limits.servedAtOnce) {
      throw new AppError(
        "REQUEST_RATE_LIMITED",
        `${this.#count} questions wait for an answer already; ask again soon.`,
      );
    }
    this.#count++;
    try {
      return await work();
    } finally {
      this.#count--;
    }
  }
}

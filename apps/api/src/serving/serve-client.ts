import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import {
  AppError,
  type ErrorCode,
  errorCodes,
  problem,
  type ServeAnswer,
  type ServeBody,
  type ServePath,
  serveCalls,
} from "@hopwise/contracts";

/** Connections that are open at once; more questions wait for one of them. */
const mostSockets = 64;

/** Asks the serving process, which has a unix socket beside the API. */
export class ServeClient {
  readonly #socket: string;
  readonly #timeoutMs: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: mostSockets, scheduling: "fifo" });

  constructor({ socket, seconds }: { readonly socket: string; readonly seconds: number }) {
    this.#socket = socket;
    this.#timeoutMs = seconds * 1000;
  }

  /**
   * @param gone aborted when nobody waits for the answer any more: the serving process then stops at it, too
   * @throws AppError as the serving process answers; UPSTREAM_UNAVAILABLE when it is not there, or ends meanwhile;
   * REQUEST_DEADLINE when it takes longer than a request may
   */
  async ask<P extends ServePath>(path: P, body: ServeBody<P>, gone?: AbortSignal): Promise<ServeAnswer<P>> {
    const response = await this.#post(path, JSON.stringify(body), gone);
    const answer: unknown = JSON.parse(await text(response));
    if (response.statusCode !== 200) throw asAppError(answer);
    return serveCalls[path].answer.parse(answer) as ServeAnswer<P>;
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(path: string, body: string, gone: AbortSignal | undefined): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const late = AbortSignal.timeout(this.#timeoutMs);
      const signal = gone ? AbortSignal.any([late, gone]) : late;
      const options = { socketPath: this.#socket, path, method: "POST", headers, agent: this.#agent, signal };
      const asked = request(options, resolve);
      asked.on("error", (cause) =>
        reject(gone?.aborted ? noLongerAsked() : late.aborted ? tooLate() : unreachable(cause)),
      );
      asked.end(body);
    });
  }
}

function asAppError(answer: unknown): AppError {
  const { code, detail, pointer } = problem.parse(answer);
  const known = Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : "INTERNAL";
  return new AppError(known, detail, pointer === undefined ? {} : { place: { pointer } });
}

function unreachable(cause: Error): AppError {
  return new AppError(
    "UPSTREAM_UNAVAILABLE",
    "The serving process does not answer: npm start starts it beside the API, a deployment of your own runs apps/gpu-worker/dist/serve-main.js (docs/guides/serving.md). Try again in a moment.",
    { cause },
  );
}

function tooLate(): AppError {
  return new AppError(
    "REQUEST_DEADLINE",
    "The rows were not read in time; large ones take a while when they are first asked for. Ask again.",
  );
}

function noLongerAsked(): AppError {
  return new AppError("CANCELLED", "Whoever asked has gone before there was an answer.");
}

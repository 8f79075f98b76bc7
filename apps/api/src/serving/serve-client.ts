import { Agent, request } from "node:http";
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
import { noLongerAsked } from "../requests/gone-signal.ts";

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
    const { status, text } = await this.#post(path, JSON.stringify(body), gone);
    const answer: unknown = JSON.parse(text);
    if (status !== 200) throw asAppError(answer);
    return serveCalls[path].answer.parse(answer) as ServeAnswer<P>;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** One timer and one listener for each question, which come in thousands a second: signals cost twice as much. */
  #post(path: string, body: string, gone: AbortSignal | undefined): Promise<Answered> {
    return new Promise((resolve, reject) => {
      gone?.throwIfAborted();
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const asked = request({ socketPath: this.#socket, path, method: "POST", headers, agent: this.#agent });
      const end = (error: AppError) => {
        reject(error);
        asked.destroy();
      };
      const leave = () => end(noLongerAsked());
      const late = setTimeout(() => end(tooLate()), this.#timeoutMs);
      gone?.addEventListener("abort", leave, { once: true });
      const fail = (cause: Error) => reject(unreachable(cause));
      asked.on("error", fail);
      asked.on("close", () => {
        clearTimeout(late);
        gone?.removeEventListener("abort", leave);
      });
      asked.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("error", fail);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      asked.end(body);
    });
  }
}

interface Answered {
  readonly status: number;
  readonly text: string;
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

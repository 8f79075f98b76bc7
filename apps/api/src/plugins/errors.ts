import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError, type Problem, problemOf } from "@hopwise/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { problemFromRequest } from "../errors/problem-from-request.ts";
import { RateLimitError } from "../requests/rate-window.ts";

/** Every error of REST leaves as application/problem+json, from the one table. */
export const errorsPlugin = fp(async (app: FastifyInstance) => {
  app.server.on("checkExpectation", refuseExpectation);
  app.setErrorHandler((error, request, reply) => {
    const problem = problemFromRequest(error);
    sayWhenToRetry(error, reply);
    if (problem.status >= 500) request.log.error({ err: error, code: problem.code }, "request failed");
    leaveBody(request);
    return sendProblem(reply, problem, request.url);
  });
});

/** Node would answer with nothing but a status. */
function refuseExpectation({ headers: { expect }, url = "" }: IncomingMessage, response: ServerResponse): void {
  const problem = problemOf("REQUEST_INVALID", `Expect: ${expect} is not understood; expected 100-continue, or none.`);
  const body = JSON.stringify({ ...problem, instance: url.split("?")[0] });
  const length = Buffer.byteLength(body);
  const headers = { "content-type": "application/problem+json", "content-length": length, connection: "close" };
  response.writeHead(problem.status, headers).end(body);
}

export function sayWhenToRetry(error: unknown, reply: FastifyReply): void {
  if (error instanceof RateLimitError) reply.header("retry-after", error.retryAfterSeconds);
}

/**
 * So much, for so long, is read of a body that was refused: a client that writes on hears why only if somebody reads.
 */
const drainedBytes = 128 * 2 ** 20;
const drainedMs = 10_000;

/**
 * What is left of a body that somebody began to read would hold up the answer, and the next request on its connection.
 */
function leaveBody({ raw }: FastifyRequest): void {
  if (raw.complete || raw.readableEnded) return;
  let left = drainedBytes;
  const stop = setTimeout(() => raw.destroy(), drainedMs).unref();
  raw.once("close", () => clearTimeout(stop));
  raw.on("data", (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) raw.destroy();
  });
  raw.unpipe().resume();
}

export function sendProblem(reply: FastifyReply, problem: Problem, instance: string): FastifyReply {
  if (problem.status === 401) reply.header("www-authenticate", 'Bearer realm="hopwise"');
  // Whoever sends too much is not read to the end.
  if (problem.status === 413) reply.header("connection", "close");
  return reply
    .code(problem.status)
    .type("application/problem+json")
    .send(JSON.stringify({ ...problem, instance: instance.split("?")[0] }));
}

export function noSuchRoute(method: string, url: string): AppError {
  return new AppError(
    "REQUEST_NOT_FOUND",
    `There is no ${method} ${url.split("?")[0]}; the routes are listed at /openapi.json.`,
  );
}

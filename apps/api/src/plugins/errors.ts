import { AppError, type Problem } from "@hopwise/contracts";
import type { FastifyInstance, FastifyReply } from "fastify";
import fp from "fastify-plugin";
import { problemFromRequest } from "../errors/problem-from-request.ts";

/** Every error of REST leaves as application/problem+json, from the one table. */
export const errorsPlugin = fp(async (app: FastifyInstance) => {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemFromRequest(error);
    if (problem.status >= 500) request.log.error({ err: error, code: problem.code }, "request failed");
    return sendProblem(reply, problem, request.url);
  });
});

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

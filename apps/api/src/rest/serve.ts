import type { RestRoute } from "@hopwise/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { z } from "zod";

type Parsed<S> = S extends z.ZodType ? z.output<S> : unknown;

/** A request whose parameters, query and body the route's schemas have checked. */
export type RequestOf<R extends RestRoute> = FastifyRequest<{
  Params: Parsed<R["params"]>;
  Querystring: Parsed<R["query"]>;
  Body: Parsed<R["body"]>;
}>;

/** What the handler of a route may return: one of its JSON answers, a reply that it has sent, or nothing. */
export type AnswerOf<R extends RestRoute> =
  | {
      [S in keyof R["answers"]]: R["answers"][S] extends z.ZodType ? z.output<R["answers"][S]> : never;
    }[keyof R["answers"]]
  | FastifyReply
  | void;

type Handler<R extends RestRoute> = (request: RequestOf<R>, reply: FastifyReply) => Promise<AnswerOf<R>>;
type Options = Partial<Pick<RouteOptions, "config" | "bodyLimit" | "onRequest" | "exposeHeadRoute">>;

/**
 * Serves a route of the contract: takes what its schemas take, answers with its one status of success unless the
 * handler sets another, and lets nothing out that the schema of the answer does not name.
 */
export function serve<R extends RestRoute>(app: FastifyInstance, route: R, handler: Handler<R>, options: Options = {}) {
  const { method, path: url, access = "closed", params, query, body } = route;
  const answers = Object.entries(route.answers);
  const response = Object.fromEntries(answers.filter(([, answer]) => answer instanceof z.ZodType));
  const schema = {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response,
  };
  const [status = "200", answered] = answers.find(([one]) => Number(one) < 300) ?? [];
  const hasBody = answered instanceof z.ZodType || answered?.contentTypes !== undefined;
  app.route({
    ...options,
    method,
    url,
    schema,
    config: { ...(access === "closed" ? {} : { access }), ...options.config },
    handler: async (request, reply) => {
      reply.code(Number(status));
      // A reply that the handler has sent is waited for, and comes back as nothing.
      const answer = await handler(request as RequestOf<R>, reply);
      return answer === undefined && !hasBody && !reply.sent ? reply.send() : answer;
    },
  });
}

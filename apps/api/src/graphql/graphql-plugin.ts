import { AppError } from "@hopwise/contracts";
import { AltairFastify } from "altair-fastify-plugin";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { type ExecutionResult, OperationTypeNode } from "graphql";
import mercurius from "mercurius";
import { problemFromRequest } from "../errors/problem-from-request.ts";
import { parseJson } from "../input/parse-json.ts";
import { openScope, viewerOf } from "../plugins/auth.ts";
import { deadlineOf } from "../plugins/costly-routes.ts";
import { sayWhenToRetry } from "../plugins/errors.ts";
import { goneSignal } from "../requests/gone-signal.ts";
import { inTurn } from "../requests/in-turn.ts";
import type { Services } from "../services.ts";
import { asGraphqlError, formatGraphqlErrors } from "./base/graphql-errors.ts";
import { type OperationRequest, readOperation } from "./operations/read-operation.ts";
import { runOperation } from "./operations/run-operation.ts";
import { schema } from "./schema/schema.ts";
import { registerGraphqlSockets, socketHandler } from "./sockets/socket-handler.ts";

/** POST and GET /graphql, sockets on the same address, and a page to try it that needs no CDN. */
export const graphqlPlugin = fp(async (app: FastifyInstance, { services }: { services: Services }) => {
  // It executes; its routes would take what `readOperation` bounds, and its sockets would wait for ever.
  await app.register(mercurius, { schema, routes: false, graphiql: false, errorFormatter: unchanged });
  await app.register(async (scope) => {
    await registerGraphqlSockets(scope);
    // Also what goes wrong before GraphQL has begun is answered in its shape: clients look there for the code.
    scope.setErrorHandler((error, request, reply) => {
      sayWhenToRetry(error, reply);
      return sendResult(request, reply, { errors: [asGraphqlError(error, problemFromRequest(error))] });
    });
    scope.post<{ Body: OperationRequest | undefined }>("/graphql", { schema: { hide: true } }, (request, reply) =>
      answer(services, request, reply, request.body ?? {}, ["query", "mutation"]),
    );
    scope.route<{ Querystring: Record<string, unknown> }>({
      method: "GET",
      url: "/graphql",
      schema: { hide: true },
      handler: (request, reply) => {
        const { query, operationName, variables } = request.query;
        // A link must not change anything.
        return answer(
          services,
          request,
          reply,
          { query, operationName, variables: typeof variables === "string" ? parseJson(variables) : variables },
          ["query"],
        );
      },
      wsHandler: socketHandler(services),
    });
  });
  await app.register(graphqlPage);
});

/** Errors are made ready where they are sent. */
function unchanged(execution: ExecutionResult) {
  return { statusCode: 200, response: execution };
}

async function answer(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: OperationRequest,
  kinds: readonly string[],
): Promise<FastifyReply> {
  const viewer = viewerOf(request);
  const operation = readOperation(asked);
  if ("length" in operation) return sendResult(request, reply, { errors: operation });
  if (!kinds.includes(operation.kind)) {
    const detail = `A ${operation.kind} cannot be sent by ${request.method} to this address: mutations go by POST, subscriptions over a WebSocket or to /v1/jobs/{id}/events.`;
    throw new AppError("REQUEST_INVALID", detail);
  }
  const context = { services, viewer, requestId: request.id };
  reply.isCompressible = operation.kind === OperationTypeNode.QUERY;
  const deadline = deadlineOf(services, request);
  // A mutation is done to its end, whoever waits for it.
  const room = operation.kind === OperationTypeNode.QUERY ? { ...deadline, gone: goneSignal(reply) } : deadline;
  const result = await runOperation(request.server.graphql, operation, context, room);
  return sendResult(request, reply, result);
}

async function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  result: ExecutionResult,
): Promise<FastifyReply> {
  reply.type("application/json; charset=utf-8");
  if (!result.errors) return reply.send(await inTurn(() => JSON.stringify(result)));
  const onInternal = (err: unknown) => request.log.error({ err }, "graphql request failed");
  const { statusCode, response } = formatGraphqlErrors(result, onInternal);
  return reply.code(statusCode).send(JSON.stringify(response));
}

/** Altair, served by ourselves; the page itself is open, what it asks for is not. */
async function graphqlPage(scope: FastifyInstance): Promise<void> {
  openScope(scope);
  scope.addHook("onSend", async (_request, reply) => {
    reply.header(
      "content-security-policy",
      "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; connect-src 'self'",
    );
  });
  await scope.register(AltairFastify, { path: "/graphql-page", baseURL: "/graphql-page/", endpointURL: "/graphql" });
}

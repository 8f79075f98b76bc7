import { limits, type Problem, problemFrom } from "@hopwise/contracts";
import { AltairFastify } from "altair-fastify-plugin";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { GraphQLError } from "graphql";
import mercurius, { type MercuriusContext } from "mercurius";
import { authenticate } from "../auth/authenticate.ts";
import type { Viewer } from "../auth/viewer.ts";
import { formatGraphqlErrors } from "../errors/graphql-errors.ts";
import type { GraphqlContext } from "../graphql/builder.ts";
import { schema } from "../graphql/schema.ts";
import type { Services } from "../services.ts";
import { authRequired, openScope } from "./auth.ts";

/** POST /graphql, graphql-ws on the same address, and a page to try it that needs no CDN. */
export const graphqlPlugin = fp(async (app: FastifyInstance, { services }: { services: Services }) => {
  // The viewer of a socket may still be missing here; the hooks below refuse every operation until there is one.
  const contextOf = (request: FastifyRequest) =>
    ({ services, viewer: request.viewer, requestId: request.id }) as GraphqlContext;
  await app.register(mercurius, {
    schema,
    graphiql: false,
    allowBatchedQueries: false,
    queryDepth: limits.graphqlDepth,
    context: contextOf,
    errorFormatter: (execution, context) => {
      const log = context.reply !== undefined ? context.reply.log : context.app.log;
      return formatGraphqlErrors(execution, (err) => log.error({ err }, "graphql resolver failed"));
    },
    subscription: {
      fullWsTransport: true,
      context: (_socket, request) => ({ ...contextOf(request) }),
      onConnect: ({ payload }) => socketViewer(services, payload),
    },
  });
  app.graphql.addHook("preExecution", async (_schema, _document, context) => requireViewer(context));
  app.graphql.addHook("preSubscriptionExecution", async (_schema, _document, context) => requireViewer(context));
  await app.register(graphqlPage);
});

/** What a socket's first message adds to the context of its operations. */
interface SocketAccess {
  readonly viewer: Viewer | null;
  readonly refusal?: Problem;
}

/**
 * A key sent as `connectionParams: { authorization: "Bearer hw_…" }` takes the place of a header or cookie. A bad one
 * is answered at the first operation: the protocol has no message that could tell why a connection was refused.
 */
async function socketViewer({ prisma }: Services, payload: unknown): Promise<SocketAccess | true> {
  const authorization = (payload as { authorization?: unknown } | null | undefined)?.authorization;
  if (typeof authorization !== "string") return true;
  try {
    return { viewer: await authenticate(prisma, { authorization }) };
  } catch (error) {
    return { viewer: null, refusal: problemFrom(error) };
  }
}

/** Sockets get this error as it is, so it is made ready for them here. */
function requireViewer(context: MercuriusContext): void {
  const { viewer, refusal = authRequired().problem } = context as Partial<SocketAccess>;
  if (viewer) return;
  const { detail, ...extensions } = refusal;
  throw new GraphQLError(detail, { extensions });
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

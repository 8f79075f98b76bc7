import cookie from "@fastify/cookie";
import { AppError } from "@hopwise/contracts";
import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import fp from "fastify-plugin";
import { authenticate } from "../auth/authenticate.ts";
import { sessionCookie } from "../auth/sessions.ts";
import type { Viewer } from "../auth/viewer.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { GrantClaims } from "../store/grant-claims.ts";
import type { StoreGrants } from "../store/store-grants.ts";
import { noSuchRoute } from "./errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Routes are closed unless they say `open`; `grant`: to everybody but who brings a grant for the artifact store. */
    access?: "open" | "grant";
  }
  interface FastifyRequest {
    /** Null on open routes, and where a grant is asked for. */
    viewer: Viewer | null;
    /** Of routes that ask for one. */
    grant: GrantClaims | null;
  }
  interface FastifyInstance {
    /** Every route with its access, for the test that enumerates them. */
    declaredRoutes: { method: string; url: string; route: RouteOptions }[];
  }
}

export interface AuthOptions {
  readonly prisma: PrismaClient;
  readonly grants: Pick<StoreGrants, "check">;
}

/** Finds out who asks, before anything else of a route runs. */
export const authPlugin = fp(async (app: FastifyInstance, { prisma, grants }: AuthOptions) => {
  await app.register(cookie);
  app.decorate("declaredRoutes", []);
  app.decorateRequest("viewer", null);
  app.decorateRequest("grant", null);
  app.addHook("onRoute", (route) => {
    for (const method of [route.method].flat()) app.declaredRoutes.push({ method, url: route.url, route });
  });
  app.addHook("onRequest", async (request) => {
    const { access } = request.routeOptions.config;
    // Before the body: an address that is none reads nothing.
    if (request.is404) throw noSuchRoute(request.method, request.url);
    if (access === "open") return;
    if (access === "grant") {
      request.grant = await grants.check(request.headers.authorization);
      return;
    }
    request.viewer = await authenticateRequest(prisma, request);
    // A socket's credentials may come with its first message instead; the GraphQL plugin refuses it otherwise.
    if (request.viewer === null && !isGraphqlSocket(request)) throw authRequired();
  });
});

export function authenticateRequest(prisma: PrismaClient, request: FastifyRequest): Promise<Viewer | null> {
  const { authorization } = request.headers;
  return authenticate(prisma, { authorization, session: request.cookies[sessionCookie] });
}

/**
 * A connection that Node has handed over to the socket server. Its headers alone do not tell: with `Upgrade` but not
 * `Connection: upgrade` it is a plain request, whose query a stranger would have parsed.
 */
function isGraphqlSocket({ routeOptions, method, raw }: FastifyRequest): boolean {
  const isUpgraded = "upgrade" in raw && raw.upgrade === true;
  return routeOptions.url === "/graphql" && method === "GET" && isUpgraded;
}

export function authRequired(): AppError {
  return new AppError(
    "AUTH_REQUIRED",
    "Send an API key as `Authorization: Bearer hw_…`, or sign in with the link printed at the first start.",
  );
}

/** The viewer of a closed route. */
export function viewerOf(request: FastifyRequest): Viewer {
  if (request.viewer === null) throw authRequired();
  return request.viewer;
}

/** What the caller of a route that asks for a grant may do. */
export function grantOf(request: FastifyRequest): GrantClaims {
  if (request.grant === null) throw new AppError("GRANT_INVALID", "This address asks for a grant.");
  return request.grant;
}

/** Declares every route registered in this scope open. */
export function openScope(scope: FastifyInstance): void {
  scope.addHook("onRoute", (route) => {
    route.config = { ...route.config, access: "open" };
  });
}

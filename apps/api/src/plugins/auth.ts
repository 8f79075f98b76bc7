import cookie from "@fastify/cookie";
import { AppError } from "@hopwise/contracts";
import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import fp from "fastify-plugin";
import { type Credential, type Credentials, credentialOf } from "../auth/authenticate.ts";
import type { Doorkeeper } from "../auth/doorkeeper.ts";
import { type PageRequest, requireOwnPage } from "../auth/page-origin.ts";
import { type SessionCookie, sessionCookieOf } from "../auth/sessions.ts";
import type { Viewer } from "../auth/viewer.ts";
import { addressBlock } from "../requests/address-block.ts";
import { RateWindow } from "../requests/rate-window.ts";
import type { GrantClaims } from "../store/grant-claims.ts";
import type { StoreGrants } from "../store/store-grants.ts";
import { noSuchRoute } from "./errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Routes are closed unless they say `open`; `grant`: to everybody but who brings a grant for the artifact store.
     */
    access?: "open" | "grant";
    /**
     * Set on routes that change nothing though they are asked by POST: who asks may be known by a look of a moment ago.
     */
    readsOnly?: boolean;
    /**
     * Counts the requests of each address to an open route; null: nothing does. Left out: together with other pages.
     */
    perAddress?: RateWindow | null;
  }
  interface FastifyRequest {
    /** Null on open routes, and where a grant is asked for. */
    viewer: Viewer | null;
    /** What `credentialOfRequest` has found */
    credential: Credential | null | undefined;
    /** What the grant says that was sent, on routes that ask for one */
    grant: GrantClaims | null;
  }
  interface FastifyInstance {
    /** Refuses a request that another page has a browser send (AUTH_ORIGIN). */
    requireOwnPage: (request: FastifyRequest) => void;
    sessionCookie: SessionCookie;
    /** Every route with its access, for the test that enumerates them. */
    declaredRoutes: { method: string; url: string; route: RouteOptions }[];
  }
}

export interface AuthOptions {
  readonly doorkeeper: Doorkeeper;
  readonly requestsPerMinute: number;
  /** Where browsers reach the service. */
  readonly publicUrl: string;
  readonly grants: Pick<StoreGrants, "check">;
}

/** Finds out who asks, before anything else of a route runs. */
export const authPlugin = fp(async (app: FastifyInstance, options: AuthOptions) => {
  const { doorkeeper, publicUrl, grants } = options;
  const pages = new RateWindow("requests for pages from one address", options.requestsPerMinute);
  await app.register(cookie);
  app.decorate("declaredRoutes", []);
  app.decorate("requireOwnPage", (request) => requireOwnPage(pageRequest(request), publicUrl));
  app.decorate("sessionCookie", sessionCookieOf(publicUrl));
  app.decorateRequest("viewer", null);
  app.decorateRequest("credential", undefined);
  app.decorateRequest("grant", null);
  app.addHook("onRoute", (route) => {
    for (const method of [route.method].flat()) app.declaredRoutes.push({ method, url: route.url, route });
  });
  // Node leaves a connection that asks for a socket to whoever takes it; refused, it would stay open for ever.
  app.addHook("onResponse", async (request) => {
    if (isUpgrade(request)) request.raw.socket.destroy();
  });
  app.addHook("onRequest", async (request) => {
    const { access, perAddress = pages } = request.routeOptions.config;
    // Before the body: an address that is none reads nothing.
    if (request.is404) throw noSuchRoute(request.method, request.url);
    if (access === "open") return perAddress?.count(addressBlock(request.ip));
    if (access === "grant") {
      request.grant = await grants.check(request.headers.authorization);
      return;
    }
    request.viewer = await authenticateRequest(doorkeeper, request);
    // A socket's credentials may come with its first message instead; the GraphQL plugin refuses it otherwise.
    if (request.viewer === null && !isGraphqlSocket(request)) throw authRequired();
  });
});

/** @throws AppError AUTH_INVALID, AUTH_ORIGIN, REQUEST_RATE_LIMITED */
export async function authenticateRequest(doorkeeper: Doorkeeper, request: FastifyRequest): Promise<Viewer | null> {
  const credentials = credentialsOf(request);
  // Browsers send the cookie whoever asks them to; a key is sent by who has it.
  if (credentials.session !== undefined) request.server.requireOwnPage(request);
  const credential = credentialOfRequest(request);
  return credential && doorkeeper.admit(credential, request.ip, readsOnly(request) ? "recent" : "now");
}

/** A socket goes on to do whatever it is told. */
function readsOnly(request: FastifyRequest): boolean {
  const { url, config } = request.routeOptions;
  if (isUpgrade(request) || url === "/graphql") return false;
  return request.method === "GET" || request.method === "HEAD" || config.readsOnly === true;
}

/** A key, or else the session's cookie. */
export function credentialsOf({ headers: { authorization }, cookies, server }: FastifyRequest): Credentials {
  return authorization === undefined ? { session: cookies[server.sessionCookie.name] } : { authorization };
}

/**
 * Which key or session a request sends, hashed once for all who ask.
 *
 * @throws AppError AUTH_INVALID when the header is no bearer's
 */
export function credentialOfRequest(request: FastifyRequest): Credential | null {
  if (request.credential === undefined) request.credential = credentialOf(credentialsOf(request));
  return request.credential;
}

function pageRequest(request: FastifyRequest): PageRequest {
  const { method, headers, host } = request;
  return { method, headers, host, isSocket: isUpgrade(request) };
}

/**
 * A connection that Node has handed over to the socket server. Its headers alone do not tell: with `Upgrade` but not
 * `Connection: upgrade` it is a plain request, whose query a stranger would have parsed.
 */
function isGraphqlSocket(request: FastifyRequest): boolean {
  return request.routeOptions.url === "/graphql" && request.method === "GET" && isUpgrade(request);
}

export function isUpgrade({ raw }: FastifyRequest): boolean {
  return "upgrade" in raw && raw.upgrade === true;
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

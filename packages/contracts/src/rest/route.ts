import type { z } from "zod";
import type { ErrorCode } from "../errors/codes.ts";

/** An answer that is no JSON of ours: nothing at all, a stream, or a file. */
export interface RawAnswer {
  readonly description: string;
  /** Left out: the answer has no body. */
  readonly contentTypes?: readonly string[];
  /** The schema of the JSON, or of the data of each server-sent event, where there is any */
  readonly schemas?: Readonly<Record<string, z.ZodType>>;
}

/** Who may ask: whoever has a key or a session, everybody, or who brings a grant for the artifact store. */
export type RouteAccess = "closed" | "open" | "grant";

/** A route of the REST API: what it takes, and everything that it answers but errors that any route may give. */
export interface RestRoute {
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With parameters as `:name`, and `*` for a rest with slashes. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Left out: closed. */
  readonly access?: RouteAccess;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** What the body may be; left out: JSON. */
  readonly consumes?: readonly string[];
  /** By status. */
  readonly answers: Readonly<Record<number, z.ZodType | RawAnswer>>;
  /** Codes of the problems that it gives beside those of its kind (`problemCodesOf`). */
  readonly problems?: readonly ErrorCode[];
}

/** Declares a route; its types are those of its schemas. */
export function route<const R extends RestRoute>(declared: R): R {
  return declared;
}

/** Any route may answer with these. */
const ofAnyRoute = [
  "REQUEST_INVALID",
  "REQUEST_TOO_LARGE",
  "REQUEST_RATE_LIMITED",
  "REQUEST_DEADLINE",
  "UPSTREAM_UNAVAILABLE",
  "STORAGE_FULL",
  "INTERNAL",
] as const satisfies readonly ErrorCode[];

const ofAccess = {
  open: [],
  closed: ["AUTH_REQUIRED", "AUTH_INVALID", "AUTH_ORIGIN", "AUTH_FORBIDDEN"],
  grant: ["GRANT_INVALID", "GRANT_FORBIDDEN"],
} as const satisfies Record<RouteAccess, readonly ErrorCode[]>;

const bodiless: ReadonlySet<RestRoute["method"]> = new Set(["GET", "HEAD", "OPTIONS"]);

/** The code of every problem that a route may answer with. */
export function problemCodesOf({ method, access = "closed", params, problems = [] }: RestRoute): ErrorCode[] {
  return [
    ...ofAnyRoute,
    ...ofAccess[access],
    ...(bodiless.has(method) ? [] : (["REQUEST_FORMAT"] as const)),
    ...(params && access === "closed" ? (["REQUEST_NOT_FOUND"] as const) : []),
    ...problems,
  ];
}

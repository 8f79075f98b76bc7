import helmet from "@fastify/helmet";
import rateLimit from "@fastify/rate-limit";
import { AppError } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import { hashSecret } from "../auth/tokens.ts";

const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    // Mantine and uPlot set styles on elements.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", "data:", "blob:"],
    fontSrc: ["'self'", "data:"],
    connectSrc: ["'self'"],
    workerSrc: ["'self'", "blob:"],
    objectSrc: ["'none'"],
    baseUri: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
};

/** A year, for the very name in HOPWISE_PUBLIC_URL: what its sibling and parent domains serve is not ours to decide. */
const strictTransportSecurity = { maxAge: 365 * 86_400, includeSubDomains: false };

interface SecurityOptions {
  readonly requestsPerMinute: number;
  /** Whether browsers reach the service by https. */
  readonly isHttps: boolean;
}

/** How many keys and sessions may use up their limits from one address: made-up ones have a count of their own each. */
const credentialsPerAddress = 10;

/** Security headers and the rate limits: per key or session where there is one, and per address. */
export const securityPlugin = fp(async (app: FastifyInstance, options: SecurityOptions) => {
  await app.register(helmet, {
    contentSecurityPolicy,
    // The service itself speaks http; behind TLS the public URL says so, and browsers keep to it.
    strictTransportSecurity: options.isHttps && strictTransportSecurity,
    crossOriginEmbedderPolicy: false,
  });
  await app.register(rateLimit, {
    max: options.requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => {
      const credential = request.headers.authorization ?? request.headers.cookie;
      return credential ? hashSecret(credential) : request.ip;
    },
    errorResponseBuilder: (_request, { max, after }) => rateLimited(max, after),
  });
  const perAddress = app.createRateLimit({
    max: credentialsPerAddress * options.requestsPerMinute,
    keyGenerator: ({ ip }) => ip,
  });
  app.addHook("onRequest", async (request, reply) => {
    const limit = await perAddress(request);
    if (limit.isAllowed || !limit.isExceeded) return;
    reply.header("retry-after", limit.ttlInSeconds);
    throw rateLimited(limit.max, `${limit.ttlInSeconds} seconds`);
  });
});

function rateLimited(max: number, after: string): AppError {
  return new AppError("REQUEST_RATE_LIMITED", `More than ${max} requests in a minute; try again in ${after}.`);
}

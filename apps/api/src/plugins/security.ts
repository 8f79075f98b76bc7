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

/** Security headers and the rate limit, per key or session where there is one, else per address. */
export const securityPlugin = fp(async (app: FastifyInstance, options: { requestsPerMinute: number }) => {
  await app.register(helmet, {
    contentSecurityPolicy,
    // The service itself speaks http; whoever puts TLS in front sets HSTS there.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
  });
  await app.register(rateLimit, {
    max: options.requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => {
      const credential = request.headers.authorization ?? request.headers.cookie;
      return credential ? hashSecret(credential) : request.ip;
    },
    errorResponseBuilder: (_request, { max, after }) =>
      new AppError("REQUEST_RATE_LIMITED", `More than ${max} requests in a minute; try again in ${after}.`),
  });
});

import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import helmet from "helmet";

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
  /** Whether browsers reach the service by https. */
  readonly isHttps: boolean;
}

/** Security headers. */
export const securityPlugin = fp(async (app: FastifyInstance, options: SecurityOptions) => {
  // Made once: @fastify/helmet reads all directives anew for each request.
  const setHeaders = helmet({
    contentSecurityPolicy,
    // The service itself speaks http; behind TLS the public URL says so, and browsers keep to it.
    strictTransportSecurity: options.isHttps && strictTransportSecurity,
    crossOriginEmbedderPolicy: false,
  });
  app.addHook("onRequest", (request, reply, done) =>
    setHeaders(request.raw, reply.raw, (error) => done(error as Error)),
  );
});

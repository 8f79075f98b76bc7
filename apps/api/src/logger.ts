import type { FastifyBaseLogger } from "fastify";

/** What scheduler and consumer need of a pino logger. */
export type Logger = Pick<FastifyBaseLogger, "debug" | "info" | "warn" | "error">;

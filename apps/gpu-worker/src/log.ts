import { type Logger, pino } from "pino";

export type { Logger };

/** JSON lines on stdout; children carry {jobId, attempt, step, rank}. */
export function createLogger(level: string, workerId: string): Logger {
  return pino({ level, base: { service: "gpu-worker", workerId }, redact: ["redisUrl", "*.redisUrl"] });
}

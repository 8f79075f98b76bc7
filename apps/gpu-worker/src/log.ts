import { type Logger, pino } from "pino";
import { logOutput } from "./log-output.ts";

export type { Logger };

/** JSON lines on stdout; children carry {jobId, attempt, step, rank}. */
export function createLogger(level: string, workerId: string): Logger {
  const base = { service: "gpu-worker", workerId };
  return pino({ level, base, redact: ["redisUrl", "*.redisUrl"] }, logOutput());
}

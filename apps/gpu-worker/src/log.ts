import { type Logger, pino } from "pino";
import { logOutput } from "./log-output.ts";

export type { Logger };

/** Errors of Redis carry the command that failed with all that was sent: of AUTH, the password. */
const secretPaths = ["redisUrl", "*.redisUrl", "err.command.args", "*.err.command.args"];

/**
 * JSON lines on stdout; children carry {jobId, attempt, step, rank}.
 *
 * @param listener hears of each line, too
 */
export function createLogger(level: string, workerId: string, listener: (line: string) => void = () => {}): Logger {
  const base = { service: "gpu-worker", workerId };
  const output = logOutput();
  const write = (line: string) => {
    output.write(line);
    listener(line);
  };
  return pino({ level, base, redact: secretPaths }, { write });
}

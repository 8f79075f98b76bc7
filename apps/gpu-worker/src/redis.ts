import { Redis, type RedisOptions } from "ioredis";

export type ConnectionBehaviour = Pick<
  RedisOptions,
  "maxRetriesPerRequest" | "enableOfflineQueue" | "autoResendUnfulfilledCommands"
>;

/** Connects to `redis://…`, `rediss://…` or `unix:///path`; reconnects for ever, quickly. */
export function connectRedis(url: string, behaviour: ConnectionBehaviour = {}): Redis {
  const common = { retryStrategy: (times: number) => Math.min(100 * times, 1000), ...behaviour };
  return url.startsWith("unix://")
    ? new Redis({ ...common, path: url.slice("unix://".length) })
    : new Redis(url, common);
}

/** Commands fail at once while the server is away: for callers that try again on their own. */
export const failFast: ConnectionBehaviour = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
};

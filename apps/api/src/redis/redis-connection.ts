import { type RedisOptions as AllRedisOptions, Redis } from "ioredis";

type RedisOptions = Omit<AllRedisOptions, "replyMapping">;

/** Connects to `redis://…`, `rediss://…` or `unix:///path`; reconnects for ever, quickly. */
export function connectRedis(url: string, options: RedisOptions = {}): Redis {
  const common: RedisOptions = { retryStrategy: (times) => Math.min(100 * times, 1000), ...options };
  const redis = url.startsWith("unix://")
    ? new Redis({ ...common, path: url.slice("unix://".length) })
    : new Redis(url, common);
  redis.on("error", () => {}); // each command reports its own failure; reconnecting goes on by itself
  return redis;
}

/** Commands fail at once while the server is away: for callers that try again on their own. */
export const failFast: RedisOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
};

/** Commands wait for the server, however long it is away: for blocking reads. */
export const patient: RedisOptions = { maxRetriesPerRequest: null };
